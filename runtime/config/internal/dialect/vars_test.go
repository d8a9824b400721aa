package dialect

import (
	"slices"
	"strings"
	"testing"

	"github.com/mcpgen/mcpgen/runtime/config/internal/texts"
	"github.com/mcpgen/mcpgen/runtime/endpoint"
)

// A name cannot make a variable of the environment something else: neither a
// secret's handle nor a file.
func TestVariablesStayVariables(t *testing.T) {
	for name, tt := range map[string]struct {
		syntax *texts.Syntax
		text   string
	}{
		"editor": {editorVars(nil), "${env:%s}"}, "gemini": {geminiVars("linux"), "${%s}"}, "opencode": {openCodeVars(nil), "{env:%s}"},
	} {
		for _, variable := range []string{"secret:gh", "input:gh", "file:/etc/hosts", "known:gh"} {
			var asked []string
			s := endpoint.Server{
				Name: "a", Launch: &endpoint.Process{Command: "c", Args: []string{strings.ReplaceAll(tt.text, "%s", variable)}}, Expand: tt.syntax.Expander(),
				Secret: func(_ string, r endpoint.Reference) (string, error) {
					t.Errorf("%s: the variable %q asks for %s", name, variable, r)
					return "", nil
				},
			}
			r, err := s.Resolve(func(name string) (string, bool) {
				asked = append(asked, name)
				return "from-the-environment", true
			})
			if err != nil || r.Launch.(*endpoint.Process).Args[0] != "from-the-environment" || !slices.Contains(asked, variable) {
				t.Errorf("%s: the variable %q became %+v, %v", name, variable, r.Launch, err)
			}
		}
	}
}
