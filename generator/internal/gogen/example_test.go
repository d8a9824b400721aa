package gogen

import (
	"fmt"
	"go/ast"
	doccomment "go/doc/comment"
	"go/parser"
	"go/token"
	"go/types"
	"strings"
	"testing"

	"github.com/mcpgen/mcpgen/generator/internal/ir"
)

// Every example in a comment has to compile where its reader puts it: in another
// package.
func TestExamplesCompile(t *testing.T) {
	for _, p := range []*ir.Package{shapesPackage()} {
		files, err := Package(t.Context(), p, nil)
		if err != nil {
			t.Fatal(err)
		}
		imports, fset := stubs(), token.NewFileSet()
		var trees []*ast.File
		var examples []string
		for _, f := range files {
			if f.Name == snapshotName {
				continue
			}
			tree, err := parser.ParseFile(fset, f.Name, f.Data, parser.ParseComments)
			if err != nil {
				t.Fatal(err)
			}
			trees = append(trees, tree)
			examples = append(examples, codeIn(tree)...)
		}
		const path = "example.com/generated"
		config := types.Config{Importer: imports}
		if imports[path], err = config.Check(path, fset, trees, nil); err != nil {
			t.Fatal(err)
		}
		if len(examples) != 2 {
			t.Errorf("got %d examples, want 2", len(examples))
		}
		for _, code := range examples {
			t.Log(code)
			source := fmt.Sprintf("package p\nimport (%q; %q; %q)\nvar _ runtime.Tool\nfunc _(ctx context.Context) { _, _ = %s }",
				contextPath, runtimePath, path, code)
			tree, err := parser.ParseFile(fset, "example.go", source, 0)
			if err != nil {
				t.Fatalf("%v\n%s", err, code)
			}
			if _, err := config.Check("p", fset, []*ast.File{tree}, nil); err != nil {
				t.Errorf("%v\n%s", err, code)
			}
		}
	}
}

// codeIn are the code blocks in the comments of a file's methods.
func codeIn(f *ast.File) []string {
	var out []string
	for _, d := range f.Decls {
		fn, ok := d.(*ast.FuncDecl)
		if !ok || fn.Recv == nil {
			continue
		}
		for _, block := range new(doccomment.Parser).Parse(fn.Doc.Text()).Content {
			if code, ok := block.(*doccomment.Code); ok {
				out = append(out, strings.TrimSpace(code.Text))
			}
		}
	}
	return out
}
