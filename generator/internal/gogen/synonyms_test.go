package gogen

import (
	"go/ast"
	"go/doc"
	"go/parser"
	"go/token"
	"strings"
	"testing"

	"github.com/mcpgen/mcpgen/generator/internal/ir"
)

// Other names of constants are shown with their type: there are hundreds of them, and
// what has no type stands before all functions.
func TestSynonymsInDocs(t *testing.T) {
	long := strings.Repeat("Long", 11) + "er"
	state := &ir.Type{Go: "State", Tool: "get", Kind: ir.Enum, Base: "string", Consts: []ir.Const{{Go: "StateOpen", Value: `"open"`}, {Go: "State" + long, Value: `"x"`}}}
	args := &ir.Type{Go: "GetArgs", Tool: "get", Fields: []*ir.Field{{Go: "State", Wire: "state", Type: &ir.Ref{Kind: ir.Named, Decl: state}}}}
	p := &ir.Package{Name: "board", Server: "board", PlaceNames: true, Types: []*ir.Type{args, state}, Tools: []*ir.Tool{{Wire: "get", Go: "Get", Args: args, Synonyms: []ir.Synonym{
		{Go: "GetArgsState", Of: "State"},
		{Go: "GetArgsStateOpen", Of: "StateOpen", Value: `"open"`, Type: "State"},
		{Go: "GetArgsState" + long, Of: "State" + long, Value: `"x"`, Type: "State"},
	}}}}
	files, err := Package(t.Context(), p, []byte("{}"))
	if err != nil {
		t.Fatal(err)
	}
	set := token.NewFileSet()
	var parsed []*ast.File
	for _, f := range files {
		if f.Name != typesName && f.Name != namesName {
			continue
		}
		for line := range strings.Lines(string(f.Data)) {
			if len(strings.TrimRight(line, "\n")) > maxColumns {
				t.Errorf("%d columns: %s", len(line), line)
			}
		}
		tree, err := parser.ParseFile(set, f.Name, f.Data, parser.ParseComments)
		if err != nil {
			t.Fatal(err)
		}
		parsed = append(parsed, tree)
	}
	pkg, err := doc.NewFromFiles(set, parsed, "example.com/board")
	if err != nil {
		t.Fatal(err)
	}
	if len(pkg.Consts) != 1 || !strings.HasSuffix(pkg.Consts[0].Names[0], long) {
		t.Errorf("%d constants are without a type", len(pkg.Consts))
	}
	for _, typ := range pkg.Types {
		if strings.HasPrefix(typ.Doc, "Names by place") {
			t.Errorf("%s has the comment of the tool: %s", typ.Name, typ.Doc)
		}
		if typ.Name == "State" && (len(typ.Consts) != 2 || typ.Consts[0].Names[0] != "StateOpen") {
			t.Errorf("State has %d declarations of constants, and %v first", len(typ.Consts), typ.Consts[0].Names)
		}
	}
}
