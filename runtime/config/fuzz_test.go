package config

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/mcpgen/mcpgen/internal/gopkg"
	"github.com/rogpeppe/go-internal/txtar"
)

// FuzzParse reads foreign bytes as a configuration and as a server file. It
// wants no panic, an [*Error] with a place for all that is wrong, and a
// project that keeps its promises.
func FuzzParse(f *testing.F) {
	archives, err := filepath.Glob("testdata/*.txtar")
	if err != nil {
		f.Fatal(err)
	}
	for _, name := range archives {
		archive, err := txtar.ParseFile(name)
		if err != nil {
			f.Fatal(err)
		}
		for _, file := range archive.Files {
			if ext := filepath.Ext(file.Name); ext == ".yaml" || ext == ".json" {
				f.Add(file.Data)
			}
		}
	}
	path := filepath.Join(f.TempDir(), "servers.json")
	f.Fuzz(func(t *testing.T, data []byte) {
		p, err := Parse(data)
		checkProject(t, p, err)
		if err := os.WriteFile(path, data, 0o600); err != nil {
			t.Fatal(err)
		}
		p, err = LoadServers(path)
		checkProject(t, p, err)
	})
}

func checkProject(t *testing.T, p *Project, err error) {
	t.Helper()
	if err != nil {
		if p != nil {
			t.Errorf("got a project with the error %v, want one of them", err)
		}
		if _, ok := errors.AsType[*Error](err); !ok {
			t.Errorf("%T is no *Error: %v", err, err)
		}
		if strings.ContainsFunc(err.Error(), func(r rune) bool { return r < ' ' && r != '\n' || r == 0x7f || r == 0x202e }) {
			t.Errorf("the error has control characters: %q", err)
		}
		return
	}
	seen := map[string]bool{}
	for _, s := range p.Servers {
		if err := s.Validate(); err != nil {
			t.Errorf("server %q: %v", s.Name, err)
		}
		if seen[s.Name] {
			t.Errorf("two servers are called %q", s.Name)
		}
		seen[s.Name] = true
		name := p.Build[s.Name].Package
		if gopkg.Reason(name) != "" {
			t.Errorf("package %q: %s", name, gopkg.Reason(name))
		}
	}
}
