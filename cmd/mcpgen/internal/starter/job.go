package starter

// This file creates CI jobs from a configuration: the programs that its launches need, and its variables
// and secrets.

import (
	"cmp"
	"fmt"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"

	"go.yaml.in/yaml/v3"

	"github.com/mcpgen/mcpgen/internal/hint"
	"github.com/mcpgen/mcpgen/internal/install"
	"github.com/mcpgen/mcpgen/runtime/config"
	"github.com/mcpgen/mcpgen/runtime/endpoint"
	"github.com/mcpgen/mcpgen/runtime/policy/secrets"
	"github.com/mcpgen/mcpgen/templates"
)

// jobView is the view of the templates for jobs. All texts are YAML already.
type jobView struct {
	General   bool     // without a configuration
	Dir       string   // the project's folder below the repository; "" is the repository itself
	ChangeDir string   // a command that changes to this folder
	GoMod     string   // path of the go.mod
	Tool      string   // command that starts mcpgen in Dir
	Paths     []string // files that determine what is launched
	Sarif     string
	JUnit     string
	Base      string // GitHub's expression for the base commit of a pull request
	Token     string // GitHub's expression for the token that reads the repository
	Upgrade   string // GitHub's expression for the folder with the results of an upgrade
	Head      string // GitHub's expression for the branch of a pull request

	Node, Bun, Deno, Python, UV, Docker bool

	Install   []string      // commands that install what the launches need
	Variables []jobVariable // variables that the servers read, sorted
	Notes     []string      // what the job cannot express

	watched []string // Paths, as they are

	into, below string // go's flag for the project's folder, and the folder with a slash; "" is the repository
}

// Run returns a command of mcpgen that runs in the folder of the repository.
func (v *jobView) Run(command string) string {
	program, arguments, _ := strings.Cut(v.Tool, " ")
	return yamlText(program + " " + v.into + arguments + " " + command)
}

// Files returns a pattern for the paths in the repository that generate --check reads.
func (v *jobView) Files() string {
	own := regexp.MustCompile("^" + regexp.QuoteMeta(v.below) +
		`(mcpgen\.(yaml|yml|json|lock)|[^/]+\.mod|.*/(snapshot|observed)\.json|.*\.go)$`)
	all := own.String()
	for _, name := range v.watched {
		if !own.MatchString(name) {
			all += "|^" + regexp.QuoteMeta(name) + "$"
		}
	}
	return yamlText(all)
}

// jobVariable is a variable that a server reads.
type jobVariable struct{ Name, Secret string }

// Job returns the file with the jobs of a CI system for a project; a nil project gives the general job. A
// name that is not one of [templates.Jobs] is an error. Jobs start mcpgen as the module does, or else this
// version of it.
func Job(system string, p *config.Project, version string) ([]byte, error) {
	v := &jobView{
		General: p == nil, Tool: "go tool mcpgen",
		Base: "${{ github.event.pull_request.base.sha }}", Head: "${{ github.head_ref }}",
		Token: "${{ github.token }}", Upgrade: "${{ runner.temp }}/upgrade",
	}
	dir := ""
	v.watched = []string{"mcpgen.yaml", "mcpgen.lock"}
	goMod := "go.mod"
	if p != nil {
		repository := Repository(p.Dir)
		dir = Below(repository, p.Dir)
		if module := Below(repository, FolderWith(p.Dir, "go.mod")); filepath.IsLocal(module) {
			goMod = path.Join(module, "go.mod")
		} else {
			goMod = path.Join(dir, "go.mod")
		}
		v.watched = launchFiles(p, repository)
		if Tool(p.Dir) != "" || Published(version) {
			v.Tool = GoCommand(p.Dir, version)
		}
		v.needs(p)
	}
	for _, name := range v.watched {
		v.Paths = append(v.Paths, yamlText(name))
	}
	v.GoMod = yamlText(goMod)
	v.Sarif, v.JUnit = yamlText(path.Join(dir, "mcpgen.sarif")), yamlText(path.Join(dir, "mcpgen.xml"))
	if dir != "" && dir != "." {
		v.Dir, v.ChangeDir = yamlText(dir), yamlText("cd "+hint.Word(dir))
		v.into, v.below = "-C "+hint.Word(dir)+" ", dir+"/"
	}
	return templates.Job(system, v)
}

// Repository returns the nearest folder with .git at or above a folder, or the folder itself.
func Repository(dir string) string { return cmp.Or(FolderWith(dir, ".git"), dir) }

// FolderWith returns the nearest folder at or above dir that contains a file called name; "" if there is
// none.
func FolderWith(dir, name string) string {
	for {
		if _, err := os.Stat(filepath.Join(dir, name)); err == nil {
			return dir
		}
		up := filepath.Dir(dir)
		if up == dir {
			return ""
		}
		dir = up
	}
}

// Below returns a path as jobs and reports show it: relative to the repository, with slashes.
func Below(repository, name string) string {
	rel, err := filepath.Rel(repository, name)
	if err != nil {
		return filepath.ToSlash(name)
	}
	return filepath.ToSlash(rel)
}

// launchFiles returns the files of the repository that determine what is launched.
func launchFiles(p *config.Project, repository string) []string {
	files := []string{p.Path, filepath.Join(p.Dir, "mcpgen.lock")}
	files = append(files, p.Files...)
	var out []string
	for _, file := range files {
		abs, err := filepath.Abs(file)
		if rel := Below(repository, abs); err == nil && file != "" && filepath.IsLocal(rel) && !slices.Contains(out, rel) {
			out = append(out, rel)
		}
	}
	return out
}

// needs collects what the servers of a project need.
func (v *jobView) needs(p *config.Project) {
	names := map[string]bool{}
	for _, s := range p.Servers {
		all := config.References(s)
		if p, ok := s.Launch.(*endpoint.Process); ok {
			v.runtime(p)
			for _, name := range p.Inherit.Names {
				all = append(all, endpoint.Reference{Name: name})
			}
			if p.EnvFile != "" {
				v.Notes = append(v.Notes, fmt.Sprintf(
					"server %+q reads variables from a file that you have to create first: %+q", s.Name, p.EnvFile))
			}
		}
		for _, r := range all {
			if variable := variableOf(r); variable != "" {
				names[variable] = true
			}
		}
	}
	for name := range names {
		if !variableName().MatchString(name) {
			v.Notes = append(v.Notes, fmt.Sprintf(
				"the variable %+q has a name that is not allowed for a secret, so set its value in another way", name))
			continue
		}
		secret := name
		if strings.HasPrefix(strings.ToUpper(name), "GITHUB_") && name != "GITHUB_TOKEN" {
			secret = "MCPGEN_" + name // GitHub reserves names with this prefix
		}
		v.Variables = append(v.Variables, jobVariable{name, "${{ secrets." + secret + " }}"})
	}
	slices.Sort(v.Notes)
	slices.SortFunc(v.Variables, func(a, b jobVariable) int { return strings.Compare(a.Name, b.Name) })
	v.install()
}

// variableName matches valid names of variables and secrets in CI systems.
var variableName = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`^[A-Za-z_][A-Za-z0-9_]{0,254}$`) })

// variableOf returns the environment variable for a reference; "" if a job has it anyway, or cannot
// provide it.
func variableOf(r endpoint.Reference) string {
	switch r.Kind {
	case endpoint.ReferenceEnv:
	case endpoint.ReferenceSecret:
		return secrets.Variable(r.Name)
	case endpoint.ReferenceInput:
		return config.InputVariable(r.Name)
	default:
		return ""
	}
	switch strings.ToUpper(r.Name) {
	case "HOME", "LOGNAME", "PATH", "SHELL", "TERM", "USER", "LANG", "LC_ALL", "LC_CTYPE", "TMPDIR", "TZ", "PWD":
		return ""
	}
	return r.Name
}

// runtime records the program that the start of a server needs.
func (v *jobView) runtime(p *endpoint.Process) {
	program := install.ProgramName(p.Command)
	if r, ok := install.Of(p); ok {
		program, _, _ = strings.Cut(r.Program, " ")
	}
	switch program {
	case "npx", "npm", "pnpm", "pnpx", "yarn", "node":
		v.Node = true
	case "bun", "bunx":
		v.Bun = true
	case "deno":
		v.Deno = true
	case "uv", "uvx":
		v.UV = true
	case "python", "python3", "pipx":
		v.Python = true
	case "docker", "podman":
		v.Docker = true
	}
}

// install sets the commands that install what the launches need on a Debian image.
func (v *jobView) install() {
	var packages, more []string
	if v.Node || v.Bun || v.Deno {
		packages = append(packages, "nodejs", "npm")
	}
	if v.Python || v.UV {
		packages = append(packages, "python3", "pipx")
	}
	if v.Docker {
		packages = append(packages, "docker.io")
	}
	if v.Bun {
		more = append(more, "npm install --global bun")
	}
	if v.Deno {
		more = append(more, "npm install --global deno")
	}
	if v.UV {
		more = append(more, "pipx install uv", `export PATH="$HOME/.local/bin:$PATH"`)
	}
	if len(packages) > 0 {
		v.Install = append(v.Install, "apt-get update",
			"apt-get install -y --no-install-recommends "+strings.Join(packages, " "))
	}
	for _, command := range more {
		v.Install = append(v.Install, yamlText(command))
	}
}

// plainYAML matches texts that need no quotes in YAML, unless YAML reads them as another type.
var plainYAML = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`^[A-Za-z0-9_./-]*[A-Za-z_/][A-Za-z0-9_./-]*$`)
})

// yamlText returns a text as a YAML scalar. It is plain if it is unambiguous, also in YAML 1.1; otherwise
// it is quoted, with the escapes that Go and YAML share.
func yamlText(text string) string {
	var read any
	err := yaml.Unmarshal([]byte(text), &read)
	isBool := slices.Contains([]string{"yes", "no", "on", "off", "y", "n"}, strings.ToLower(text)) // in YAML 1.1
	if err == nil && read == text && !isBool && plainYAML().MatchString(text) && !strings.HasPrefix(text, "-") {
		return text
	}
	return strconv.QuoteToASCII(text)
}
