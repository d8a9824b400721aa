package vet

import (
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestIsTool(t *testing.T) {
	for line, want := range map[string]bool{
		"-V=full": true, "-flags": true, "-json -mcpenum /tmp/b001/vet.cfg": true, "/tmp/b001/vet.cfg": true,
		"": false, "vet ./...": false, "--config my.cfg check": false, "generate --config vet.cfg": false, "--version": false,
	} {
		if got := IsTool(strings.Fields(line)); got != want {
			t.Errorf("%q: got %v, want %v", line, got, want)
		}
	}
}

func TestParse(t *testing.T) {
	dir, err := filepath.Abs("module")
	if err != nil {
		t.Fatal(err)
	}
	inside, outside := filepath.Join(dir, "a", "b.go"), filepath.Join(filepath.Dir(dir), "c.go")
	quoted := strings.NewReplacer(`\`, `\\`)
	text := `# example.com/app
{"example.com/app": {"mcpenum": [{"posn": "` + quoted.Replace(inside) + `:3:4", "message": "x: y", "suggested_fixes": [{}]}]}}
# example.com/app [example.com/app.test]
{}
{"example.com/b": {"mcperror": [{"posn": "` + quoted.Replace(outside) + `:1:2", "message": "z"}]}}
`
	found, err := parse([]byte(text), dir)
	if err != nil {
		t.Fatal(err)
	}
	want := []Diagnostic{
		{File: "a/b.go", Line: 3, Column: 4, Check: "mcpenum", Message: "x: y", Fixable: true},
		{File: filepath.ToSlash(outside), Line: 1, Column: 2, Check: "mcperror", Message: "z"},
	}
	if diff := cmp.Diff(want, found); diff != "" {
		t.Errorf("diagnostics (-want +got):\n%s", diff)
	}
	for text, want := range map[string]string{
		`{"p": {"mcpenum": {"error": "it broke"}}}`:       "mcpenum: it broke",
		`{"p": {"mcpenum": [{"posn": "here"}]}}`:          `cannot read this position in go vet's output: "here"`,
		`{"p": {"mcpenum": 1}}`:                           "mcpenum: ",
		`panic: something`:                                "go vet -json: ",
		`{"p": {"mcpenum": []}}{"p": {"mcpenum": [{}]}} `: "cannot read this position in go vet's output",
	} {
		if _, err := parse([]byte(text), dir); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: got %v, want %s", text, err, want)
		}
	}
}
