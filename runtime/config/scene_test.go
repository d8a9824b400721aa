package config

import (
	"fmt"
	"os"
	"strings"
	"testing"

	"github.com/mcpgen/mcpgen/runtime/endpoint"
)

// processOf and addressOf are a launch of the kind, to be read or changed in place; an
// empty one if it is of another kind.
func processOf(l endpoint.Launch) *endpoint.Process {
	return endpoint.ByLaunch(l, func(p *endpoint.Process) *endpoint.Process { return p }, func(*endpoint.Address) *endpoint.Process { return &endpoint.Process{} })
}

func addressOf(l endpoint.Launch) *endpoint.Address {
	return endpoint.ByLaunch(l, func(*endpoint.Process) *endpoint.Address { return &endpoint.Address{} }, func(a *endpoint.Address) *endpoint.Address { return a })
}

// scene is an environment in a text of lines:
//
//	format indusr      a system to search for
//	file .mcp.json     a file to load in place of a search
//	os windows         the system; linux without it
//	set NAME=VALUE     a variable
//	secret NAME=VALUE  a secret
//	trust              the project is trusted
//
// HOME is the folder home below the test's own, and the project is its project.
// In values $DIR is the test's folder.
type scene struct {
	env     Environment
	formats []string
	files   []string
	vars    map[string]string
	secrets map[string]string
}

func readScene(t *testing.T, dir, file string) *scene {
	t.Helper()
	data, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	s := &scene{vars: map[string]string{"HOME": dir + "/home"}, secrets: map[string]string{}}
	s.env = Environment{OS: "linux", Home: dir + "/home", Dir: dir + "/project", Lookup: s.lookup}
	for line := range strings.Lines(strings.ReplaceAll(string(data), "$DIR", dir)) {
		word, rest, _ := strings.Cut(strings.TrimSpace(line), " ")
		switch word {
		case "format":
			s.formats = append(s.formats, rest)
		case "file":
			s.files = append(s.files, rest)
		case "os":
			s.env.OS = rest
		case "set":
			name, value, _ := strings.Cut(rest, "=")
			s.vars[name] = value
		case "secret":
			name, value, _ := strings.Cut(rest, "=")
			s.secrets[name] = value
		case "trust":
			s.env.Trusted = func(string, []byte) (string, string) { return "", "" }
		case "":
		default:
			t.Fatalf("%s: what is %q?", file, line)
		}
	}
	return s
}

func (s *scene) lookup(name string) (string, bool) {
	value, ok := s.vars[name]
	return value, ok
}

func (s *scene) secret(server string, r endpoint.Reference) (string, error) {
	value, ok := s.secrets[r.Name]
	if !ok {
		return "", fmt.Errorf("%s gets no secret %s", server, r.Name)
	}
	return value, nil
}

func (s *scene) search(dir string) string {
	p, err := Search(s.env, s.formats...)
	var b strings.Builder
	b.WriteString(printProject(dir, p, err))
	if p != nil {
		for _, d := range p.Definitions {
			fmt.Fprintf(&b, "defined %q %s:%d %s %s\n", d.Server.Name, d.Server.Source.Path, d.Server.Source.Line, d.Server.Source.Scope, d.Left)
		}
	}
	for _, f := range Discover(s.env) {
		fmt.Fprintf(&b, "found %s %s %s %s\n", f.Format, f.Scope, f.Path, f.Left)
		for _, server := range f.Servers {
			fmt.Fprintf(&b, "  %s %s %s %q uses %q %s\n", server.Name, server.Transport, f.Left, server.Target, server.Uses, server.Left)
		}
		for _, err := range f.Errors {
			fmt.Fprintf(&b, "  error %v\n", err)
		}
	}
	return strings.ReplaceAll(b.String(), dir, "$DIR")
}

// resolve prints what each server is started with.
func (s *scene) resolve(t *testing.T, dir string) string {
	p, err := trusting(t).LoadServers(s.files...)
	if err != nil {
		return printProject(dir, nil, err)
	}
	var b strings.Builder
	for _, server := range p.Servers {
		if len(s.secrets) > 0 {
			server.Secret = s.secret
		}
		r, err := server.Resolve(s.lookup)
		fmt.Fprintf(&b, "%s\n", server.Name)
		switch {
		case err != nil:
			fmt.Fprintf(&b, "  error %v\n", err)
		case processOf(r.Launch).Command != "":
			fmt.Fprintf(&b, "  argv %q\n", append([]string{processOf(r.Launch).Command}, processOf(r.Launch).Args...))
			for _, v := range processOf(server.Launch).Env {
				for _, entry := range processOf(r.Launch).Environ() {
					if strings.HasPrefix(entry, v.Name+"=") {
						fmt.Fprintf(&b, "  env %q\n", entry)
					}
				}
			}
		default:
			fmt.Fprintf(&b, "  url %q headers %q\n", addressOf(r.Launch).URL, addressOf(r.Launch).Headers)
		}
	}
	for _, n := range p.Notices {
		fmt.Fprintf(&b, "notice %s\n", n)
	}
	return strings.ReplaceAll(b.String(), dir, "$DIR")
}
