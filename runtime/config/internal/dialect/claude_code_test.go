package dialect

import (
	"strings"
	"testing"

	"github.com/mcpgen/mcpgen/runtime/endpoint"
)

// TestClaudeVars expands variables as Claude Code writes them.
func TestClaudeVars(t *testing.T) {
	vars := lookupIn(map[string]string{"A": "alpha", "EMPTY": "", "NESTED": "${env:A}${A}$${"})
	for _, tt := range []struct {
		name string
		text string
		want string
		err  string // part of the error; "" is none
	}{
		{"plain", "${A}/${GONE:-beta}/${EMPTY:-x}", "alpha/beta/", ""},
		{"empty default", "<${GONE:-}>", "<>", ""},
		{"default with a dash", "${GONE:-a:-b}", "a:-b", ""},
		{"unset", "${GONE}", "", "GONE is not set: set it where this program runs, or give it a default: ${GONE:-…}"},
		{"values are not expanded again", "${NESTED}", "${env:A}${A}$${", ""},
		{"leaves other forms", "${env:A} $A ${A ${1} ${} $${A}", "${env:A} $A ${A ${1} ${} $alpha", ""},
	} {
		got, err := claudeVars(nil).Expander()(endpoint.FieldArg, tt.text, func(r endpoint.Reference) (string, bool) { return vars(r.String()) })
		if got != tt.want {
			t.Errorf("%s: got %q, want %q", tt.name, got, tt.want)
		}
		if (err != nil) != (tt.err != "") || err != nil && !strings.Contains(err.Error(), tt.err) {
			t.Errorf("%s: got error %v, want one with %q", tt.name, err, tt.err)
		}
	}
}
