package gogen

import (
	"strings"
	"testing"

	"github.com/mcpgen/mcpgen/generator/internal/ir"
)

// What the server says in one line is a sentence where ours follow.
func TestFieldDoc(t *testing.T) {
	long := strings.Repeat("word ", 15) + "without #"
	for want, doc := range map[string]ir.Doc{
		"// Which page":                                {Server: "Which page"},
		"// Which page. At least 1.":                   {Server: "Which page", Notes: []string{"At least 1."}},
		"// " + long + ".\n// Values of [T]: A(…), B.": {Server: long, Notes: []string{"Values of [T]: A(…), B."}},
		"// Why?\n//\n//   - a\n//\n// At least 1.":    {Server: "Why?\n- a", Notes: []string{"At least 1."}},
		"// At least 1.":                               {Notes: []string{"At least 1."}},
	} {
		if got := fieldDoc(doc, limit{}); got != want {
			t.Errorf("got\n%s\nwant\n%s", got, want)
		}
	}
}
