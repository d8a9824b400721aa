package code

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/mcpgen/mcpgen/generator"
)

// A package that only the bodies of functions use is not read, and it is read once other
// sources have it in a type.
func TestCheckReadsWhatTypesNeed(t *testing.T) {
	const srv = "example.com/app/srv"
	dir := t.TempDir()
	source := func(signature string) string {
		return generator.Header + "\n\npackage srv\n\nimport \"text/tabwriter\"\n\nfunc Call(" + signature + ") { _ = new(tabwriter.Writer) }\n"
	}
	for name, text := range map[string]string{
		"go.mod":     "module example.com/app\n\ngo 1.26\n",
		"srv/srv.go": source(""),
		"use/use.go": "package use\n\nimport \"example.com/app/srv\"\n\nfunc use() {\n\tsrv.Call()\n}\n",
	} {
		path := filepath.Join(dir, name)
		if err := os.MkdirAll(filepath.Dir(path), 0o777); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	l, err := New(Options{Dir: dir, Paths: map[string]bool{srv: true}})
	if err != nil {
		t.Fatal(err)
	}
	if l.loaded, err = l.load(t.Context()); err != nil {
		t.Fatal(err)
	}
	var read []string
	for _, p := range l.checker.order {
		read = append(read, p.ID)
	}
	if diff := cmp.Diff([]string{srv, "example.com/app/use"}, read); diff != "" {
		t.Errorf("packages that are read (- want + got):\n%s", diff)
	}
	name := filepath.Join(dir, "srv", "srv.go")
	failures, err := l.Failures(t.Context(), map[string][]Source{srv: {{Name: name, Data: []byte(source("w *tabwriter.Writer"))}}})
	if err != nil {
		t.Fatal(err)
	}
	if len(failures) != 1 || failures[0].File != "use/use.go" || failures[0].Line != 6 || !strings.HasPrefix(failures[0].Message, "not enough arguments in call to srv.Call") {
		t.Errorf("got %+v, want that use/use.go:6 has too few arguments", failures)
	}
}
