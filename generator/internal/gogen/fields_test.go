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

// Where a value is one stands at its constant: beside it, or above it if it is long.
func TestConstNotes(t *testing.T) {
	long := "Only in the tool " + strings.Repeat("x", 80) + "."
	kind := &ir.Type{Go: "Kind", Kind: ir.Enum, Base: "string", Consts: []ir.Const{
		{Go: "KindBug", Value: `"bug"`}, {Go: "KindEpic", Value: `"epic"`, Note: `Only in the tool "list".`}, {Go: "KindTask", Value: `"task"`, Note: long},
	}}
	one := &ir.Type{Go: "One", Kind: ir.Enum, Base: "string", Consts: []ir.Const{{Go: "OneA", Value: `"a"`, Note: `Not in the tool "get".`}}}
	file, err := Types(&ir.Package{Name: "p", Types: []*ir.Type{kind, one}})
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{
		"\tKindEpic Kind = \"epic\" // Only in the tool \"list\".\n\t// " + long + "\n\tKindTask",
		"const OneA One = \"a\" // Not in the tool \"get\".\n",
	} {
		if !strings.Contains(string(file.Data), want) {
			t.Errorf("got\n%s\nwant\n%s", file.Data, want)
		}
	}
}

// A type of which other values are as good as its constants lists none of them: the codec
// would refuse "".
func TestPartialEnum(t *testing.T) {
	word := &ir.Type{Go: "Word", Kind: ir.Enum, Base: "string", Partial: true, Consts: []ir.Const{{Go: "WordAuto", Value: `"auto"`}}}
	file, err := Types(&ir.Package{Name: "p", Types: []*ir.Type{word}})
	if err != nil {
		t.Fatal(err)
	}
	text := string(file.Data)
	if !strings.Contains(text, "type Word string\n") || !strings.Contains(text, `const WordAuto Word = "auto"`) || strings.Contains(text, "Values()") {
		t.Errorf("got\n%s", text)
	}
}
