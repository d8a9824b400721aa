package config

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// A server is gone only where everything that could define it was read.
func TestGone(t *testing.T) {
	const (
		imports = "version: 1\nimport: [servers.json]\nservers:\n  own: {command: x}\n  off: {command: x, enabled: false}\n"
		good    = `{"mcpServers": {"there": {"command": "x"}}}`
	)
	tests := map[string]struct {
		servers string // servers.json; "" means no file
		partly  bool   // what can be used is in the error
		gone    string // what is gone for certain
		why     string // why "there" is not known; "" is a server like others
	}{
		"all is well":    {good, false, "missing", ""},
		"not JSON":       {`{"mcpServers": {`, true, "", "servers.json: not used ("},
		"no such file":   {"", true, "", "servers.json: not used (cannot open"},
		"a wrong server": {`{"mcpServers": {"there": {"command": 5}}}`, true, "missing", "its definition cannot be used"},
		"no servers":     {`{"mcpServers": []}`, true, "", "servers.json: not used (mcpServers: want a mapping"},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			dir := t.TempDir()
			path := filepath.Join(dir, "mcpgen.yaml")
			err := os.WriteFile(path, []byte(imports), 0o600)
			if err == nil && tt.servers != "" {
				err = os.WriteFile(filepath.Join(dir, "servers.json"), []byte(tt.servers), 0o600)
			}
			if err != nil {
				t.Fatal(err)
			}
			p, err := Load(path)
			partial, ok := errors.AsType[*PartialError](err)
			if ok != tt.partly || ok != (p == nil) {
				t.Fatalf("%v, %v", p, err)
			}
			if ok {
				p = partial.Project
			}
			for _, name := range []string{"own", "off", "there", "missing"} {
				if got := p.Gone(name); got != (name == tt.gone) {
					t.Errorf("%s: gone is %t", name, got)
				}
			}
			if got := p.Why("there"); !strings.Contains(got, tt.why) || (got == "") != (tt.why == "") {
				t.Errorf("why: %q", got)
			}
			if len(p.Servers) == 0 || p.Servers[0].Name != "own" {
				t.Errorf("servers: %v", p.Servers)
			}
		})
	}
}

// What is wrong in mcpgen.yaml itself leaves nothing to go on with.
func TestPartialErrorIsForImports(t *testing.T) {
	path := filepath.Join(t.TempDir(), "mcpgen.yaml")
	if err := os.WriteFile(path, []byte("version: 1\nimport: [none.json]\nservers:\n  own: {comand: x}\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	_, err := Load(path)
	if _, ok := errors.AsType[*PartialError](err); ok || err == nil || !strings.Contains(err.Error(), "none.json") || !strings.Contains(err.Error(), "comand") {
		t.Errorf("got %v", err)
	}
}

// A project's file that is not trusted, and a system whose project has none any
// more, leave it open which servers there are.
func TestGoneSearched(t *testing.T) {
	dir := t.TempDir()
	settings := filepath.Join(dir, ".tallow", "settings.json")
	if err := os.MkdirAll(filepath.Dir(settings), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(settings, []byte(`{"mcpServers": {"p": {"command": "x"}, "bad": 5}}`), 0o600); err != nil {
		t.Fatal(err)
	}
	reason := "untrusted"
	env := Environment{OS: "linux", Dir: dir, Home: filepath.Join(dir, "home"), Trusted: func(string, []byte) (string, string) { return reason, "trust it" }}
	search := func() *Project {
		t.Helper()
		p, err := Search(env, "tallow")
		if err != nil {
			t.Fatal(err)
		}
		return p
	}
	if p := search(); p.Gone("p") || p.Gone("q") || p.Why("p") != settings+": not used (untrusted); trust it" {
		t.Errorf("untrusted: %q", p.Why("p"))
	}
	reason = ""
	if p := search(); p.Gone("p") || p.Gone("bad") || !p.Gone("q") || p.Why("bad") != "its definition cannot be used" {
		t.Errorf("trusted: %q, %v", p.Why("bad"), p.Skipped)
	}
	if err := os.Remove(settings); err != nil {
		t.Fatal(err)
	}
	if p := search(); p.Gone("p") || !strings.Contains(p.Why("p"), "no file in this project") {
		t.Errorf("removed: %q", p.Why("p"))
	}
}
