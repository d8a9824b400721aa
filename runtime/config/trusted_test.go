package config

import (
	"fmt"
	"io/fs"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/mcpgen/mcpgen/runtime/config/internal/dialect"
	"github.com/mcpgen/mcpgen/runtime/config/internal/dialecttest"
	"github.com/mcpgen/mcpgen/runtime/endpoint"
)

// A project's file is read once: trust is asked about the very content whose
// servers are used, also where somebody swaps the file in between.
func TestTrustIsAskedAboutWhatIsUsed(t *testing.T) {
	const good, evil = `{"mcpServers": {"a": {"command": "good"}}}`, `{"mcpServers": {"a": {"command": "evil"}}}`
	dir := t.TempDir()
	settings := filepath.Join(dir, ".tallow", "settings.json")
	for _, first := range []string{good, evil} {
		reads := 0
		env := Environment{
			OS: "linux", Home: t.TempDir(), Dir: dir,
			Read: func(path string) ([]byte, error) {
				if path != settings {
					return nil, fs.ErrNotExist
				}
				if reads++; (reads == 1) == (first == good) {
					return []byte(good), nil
				}
				return []byte(evil), nil
			},
			Trusted: func(path string, content []byte) (string, string) {
				if path != settings || string(content) != good {
					return "stale", ""
				}
				return "", ""
			},
		}
		p, err := Search(env, "tallow")
		if err != nil {
			t.Fatal(err)
		}
		used := namesOf(p.Servers) == "a"
		if used != (first == good) || used && processOf(p.Servers[0].Launch).Command != "good" {
			t.Errorf("read %s first: %+v is used", first, p.Servers)
		}
		if reads != 1 {
			t.Errorf("the file was read %d times", reads)
		}
	}
}

// Who names a system, its folder or its file gets the system's own rule, one for all
// ways to name it; what was only found is used of no system without trust.
func TestTrustOfEveryDialect(t *testing.T) {
	home := t.TempDir()
	env := Environment{OS: "linux", Home: home}
	seen := map[string]bool{}
	for _, d := range dialect.All() {
		for _, name := range d.InProject() {
			seen[d.Name] = true
			sample, ok := dialecttest.Samples()[d.Name]
			if !ok {
				t.Errorf("%s has files of a project and no sample here", d.Name)
				continue
			}
			dir := t.TempDir()
			t.Chdir(dir)
			env.Dir = dir
			writeFile(t, name, sample)
			writeFile(t, "system.yaml", "version: 1\nimport: ["+d.Name+"]\n")
			writeFile(t, "file.yaml", "version: 1\nimport: ["+name+"]\n")
			untrusted := map[string]string{}
			for how, load := range map[string]func(Environment) (*Project, error){
				"found": func(env Environment) (*Project, error) {
					found := Discover(env)
					i := slices.IndexFunc(found, func(f Found) bool {
						return f.Path == filepath.Join(dir, filepath.FromSlash(name)) && f.Format == d.Name
					})
					if i < 0 || len(found[i].Servers) != 1 {
						return nil, fmt.Errorf("found %+v", found)
					}
					if found[i].Left != "" {
						return &Project{}, nil
					}
					return &Project{Servers: make([]endpoint.Server, 1)}, nil
				},
				"system":        func(env Environment) (*Project, error) { return Search(env, d.Name) },
				"--mcp system":  func(env Environment) (*Project, error) { return env.LoadServers(d.Name) },
				"import system": func(env Environment) (*Project, error) { return env.Load("system.yaml") },
				"--mcp folder":  func(env Environment) (*Project, error) { return env.LoadServers(".") },
				"--mcp file":    func(env Environment) (*Project, error) { return env.LoadServers(name) },
				"import file":   func(env Environment) (*Project, error) { return env.Load("file.yaml") },
			} {
				if how == "--mcp folder" && !d.Flag {
					continue
				}
				env.Trusted = func(string, []byte) (string, string) { return "untrusted", "run x" }
				p, err := load(env)
				if err != nil {
					t.Errorf("%s, %s: %v", name, how, err)
					continue
				}
				untrusted[how] = "used"
				if len(p.Servers) == 0 {
					untrusted[how] = "left out"
				} else if n := strings.Count(textOfNotices(p.Notices), "was named: the file is untrusted; run x"); n == 1 {
					untrusted[how] = "used with a warning"
				}
				env.Trusted = trustAll
				if p, err := load(env); err != nil || len(p.Servers) != 1 {
					t.Errorf("%s, %s, trusted: got %+v, %v", name, how, p, err)
				}
			}
			want := map[string]string{"found": "left out", "system": "left out", "--mcp system": "left out", "import system": "left out", "--mcp file": "used", "import file": "used"}
			switch d.Gate {
			case dialect.GateAll:
				want["--mcp file"], want["import file"] = "left out", "left out"
			case dialect.GateNobody:
				for _, how := range []string{"system", "--mcp system", "import system"} {
					want[how] = "used with a warning"
				}
			}
			if d.Flag {
				want["--mcp folder"] = "used with a warning"
			}
			if diff := cmp.Diff(want, untrusted); diff != "" {
				t.Errorf("%s of %s, untrusted (-want +got):\n%s", name, d.Name, diff)
			}
		}
	}
	for name := range dialecttest.Samples() {
		if !seen[name] {
			t.Errorf("the sample of %s is of no dialect with files of a project", name)
		}
	}
}

// A folder that --mcp names stands for the files of one system, whatever else is in it.
func TestFolderIsOfOneSystem(t *testing.T) {
	dir := t.TempDir()
	t.Chdir(dir)
	for _, d := range dialect.All() {
		for _, name := range d.InProject() {
			writeFile(t, name, strings.ReplaceAll(strings.ReplaceAll(dialecttest.Samples()[d.Name], `"a"`, `"`+d.Name+`"`), "name: a", "name: scarab"))
		}
	}
	env := Environment{OS: "linux", Home: t.TempDir(), Dir: dir, Trusted: trustAll}
	for _, path := range []string{".", dir} {
		if p, err := env.LoadServers(path); err != nil || namesOf(p.Servers) != "indusr" {
			t.Errorf("%s: got %s, %v", path, namesOf(p.Servers), err)
		}
	}
}
