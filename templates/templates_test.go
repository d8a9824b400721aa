package templates

import (
	"io/fs"
	"slices"
	"strings"
	"testing"
)

// A view that a template does not fit is an error, not a gap.
func TestRenderErrors(t *testing.T) {
	for name, view := range map[string]any{"server.md.tmpl": map[string]any{"Header": "x"}, "none.tmpl": nil} {
		if text, err := Render(name, view); err == nil || !strings.Contains(err.Error(), name) {
			t.Errorf("%s: %q, %v", name, text, err)
		}
	}
	if _, err := Render("server.md.tmpl", struct{ Header string }{"x"}); err == nil {
		t.Error("Render of a view without the fields of the template has no error, want one")
	}
}

// Templates decide nothing: of the actions they use range, if and their ends, and those
// that share parts.
func TestActions(t *testing.T) {
	names, err := fs.Glob(files, "*.tmpl")
	if err != nil || len(names) == 0 {
		t.Fatal(names, err)
	}
	for _, name := range names {
		text, err := fs.ReadFile(files, name)
		if err != nil {
			t.Fatal(err)
		}
		for _, part := range strings.Split(string(text), "{{")[1:] {
			action, _, _ := strings.Cut(part, "}}")
			word, _, _ := strings.Cut(strings.Trim(action, "- "), " ")
			shared := strings.HasSuffix(name, ".html.tmpl") && slices.Contains([]string{"else", "style", "script", "policy"}, word)
			if !slices.Contains([]string{"range", "if", "end", "define", "template"}, word) && !strings.HasPrefix(word, ".") && !shared {
				t.Errorf("%s: {{%s}}", name, action)
			}
		}
	}
}

// A name of no system is refused. What the jobs say is tested where their view is made.
func TestJobs(t *testing.T) {
	if _, err := Job("../server", nil); err == nil || !strings.Contains(err.Error(), "github, gitlab, pre-commit") {
		t.Error(err)
	}
}
