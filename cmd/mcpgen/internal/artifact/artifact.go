// Package artifact says what really ran when a server was started: the version
// and the checksum that a package runner resolved a name to. It only reads files,
// after the fact, and never fails: what cannot be known for sure is unknown.
package artifact

import (
	"os"
	"path/filepath"
	"regexp"
	"runtime"
	"slices"
	"strings"

	"github.com/mcpgen/mcpgen/internal/npmcache"
	"github.com/mcpgen/mcpgen/runtime/attach/install"
	"github.com/mcpgen/mcpgen/runtime/endpoint"
	"github.com/mcpgen/mcpgen/schema/lockfile"
)

// Of returns what the server's launch ran, in the environment that it was started
// with. Project is the absolute folder of the project. The zero value is unknown:
// a server that is reached by URL, a runner whose files are not known, a package
// that is named by a variable, a copy that npx finds in a project or globally.
// Dependencies of a package are not covered.
func Of(s endpoint.Server, project string) lockfile.Artifact {
	if s.Command == "" {
		return lockfile.Artifact{}
	}
	written, _ := install.Of(s)
	// The values of secrets are in no folder that is looked at.
	s.Secret = func(string, endpoint.Reference) (string, error) { return "-", nil }
	r, err := s.Resolve(nil)
	dir, dirErr := filepath.Abs(r.Dir) // by default this process's own
	if err != nil || dirErr != nil {
		return lockfile.Artifact{}
	}
	run := endpoint.Server{Command: r.Command, Args: r.Args}
	ran, isRunner := install.Of(run)
	p := finder{env: r.Env, dir: dir, project: project}
	switch {
	case !isRunner:
		return p.file(r)
	case ran != written || wrapped(r.Command):
		return lockfile.Artifact{}
	}
	switch ran.Program {
	case "npx", "npm exec", "npm x":
		return p.npm(ran.Package, r.Args)
	case "go run", "go tool":
		return p.goModule(ran, r.Args)
	case "docker run", "podman run", "nerdctl run", "docker container run":
		return image(ran.Package)
	}
	return lockfile.Artifact{}
}

// finder finds what a launch ran, by where and how it was started.
type finder struct {
	env     []string // NAME=VALUE
	dir     string   // working directory, absolute
	project string
}

// variable returns a variable of the server's environment.
func (p finder) variable(name string) string { return npmcache.Variable(p.env, name) }

// wrapped reports whether a shell stands before the runner: it may have gone to
// another folder or set other variables.
func wrapped(command string) bool {
	switch strings.TrimSuffix(strings.ToLower(filepath.Base(command)), ".exe") {
	case "sh", "bash", "zsh", "dash", "ash", "ksh", "env":
		return true
	}
	return false
}

// file is a program or script in the project: nothing more than its path is known
// to stay the same.
func (p finder) file(r endpoint.Resolved) lockfile.Artifact {
	words := []string{r.Command}
	if filepath.Base(r.Command) == r.Command { // an interpreter; the script is its first argument
		if i := slices.IndexFunc(r.Args, func(a string) bool { return !strings.HasPrefix(a, "-") }); i >= 0 {
			words = r.Args[i : i+1]
		}
	}
	path := words[0]
	if !filepath.IsAbs(path) {
		path = filepath.Join(p.dir, path)
	}
	rel, err := filepath.Rel(p.project, path)
	if info, statErr := os.Stat(path); err != nil || statErr != nil || !info.Mode().IsRegular() || !filepath.IsLocal(rel) {
		return lockfile.Artifact{}
	}
	return lockfile.Artifact{Kind: lockfile.ArtifactFile, Name: filepath.ToSlash(rel)}
}

// digest is an image that is named by its content.
var digest = regexp.MustCompile(`^([a-zA-Z0-9][a-zA-Z0-9._/:-]{0,254})@(sha256:[0-9a-f]{64})$`)

// image is known if the launch names its digest.
func image(name string) lockfile.Artifact {
	m := digest.FindStringSubmatch(name)
	if m == nil {
		return lockfile.Artifact{}
	}
	return lockfile.Artifact{Kind: lockfile.ArtifactImage, Name: m[1], Integrity: m[2]}
}

// Unpinned returns what a launch runs without naming a version, such as "npx
// @playwright/mcp": each start may run another one. "" says that it names one, or
// runs nothing that has versions.
func Unpinned(s endpoint.Server) string {
	r, ok := install.Of(s)
	if !ok || r.Package == "" || isLocal(r.Package) {
		return ""
	}
	name, version := r.Package, ""
	switch r.Program {
	case "docker run", "podman run", "nerdctl run", "docker container run":
		if i := strings.LastIndexAny(name, ":@"); i > strings.LastIndexByte(name, '/') {
			version = name[i+1:]
		}
	case "uvx", "uv tool run", "pipx run":
		if i := strings.IndexAny(name, "=@<>~"); i > 0 {
			version = strings.TrimLeft(name[i:], "=@<>~")
		}
	case "go tool", "uv run":
		return ""
	default:
		if i := strings.LastIndexByte(name, '@'); i > 0 {
			version = name[i+1:]
		}
	}
	if version != "" && version != "latest" {
		return ""
	}
	return r.String()
}

// Pinned returns the npm package that a launch ran with its version, such as
// "@playwright/mcp@0.0.61", and the arguments that name it so. It is "" where the launch says which version it takes, also by
// "latest", where none is known, or where the package is not one argument of its own.
func Pinned(s endpoint.Server, ran lockfile.Artifact) (pkg string, args []string) {
	r, isRunner := install.Of(s)
	if !isRunner || ran.Kind != lockfile.ArtifactNPM || ran.Version == "" || r.Package != ran.Name {
		return "", nil
	}
	i := slices.Index(s.Args, ran.Name)
	if i < 0 {
		return "", nil
	}
	args = slices.Clone(s.Args)
	args[i] = ran.Name + "@" + ran.Version
	return args[i], args
}

// isLocal reports whether a package is a path, an address or a variable.
func isLocal(pkg string) bool {
	return strings.HasPrefix(pkg, ".") || strings.HasPrefix(pkg, "~") || filepath.IsAbs(pkg) || strings.Contains(pkg, "://") ||
		strings.ContainsAny(pkg, "${\\") || strings.HasSuffix(pkg, ".go") || strings.HasSuffix(pkg, ".py") || strings.HasPrefix(pkg, "git+")
}

// exists reports whether there is something at a path.
func exists(elements ...string) bool {
	_, err := os.Lstat(filepath.Join(elements...))
	return err == nil
}

func onWindows() bool { return runtime.GOOS == "windows" }
