package gogen

// Examples: a file of tests of the package from outside, where tools and pages look for
// them. Each calls a tool as a user of the package does. The texts in the calls come from
// schemas, so each is a quoted literal.
//
// In the comments of methods nothing checked them, and they were a tenth of what "go doc"
// prints; here go vet compiles them, and go build never does.

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"go/types"
	"slices"
	"strings"

	"github.com/mcpgen/mcpgen/generator/internal/gotext"
	"github.com/mcpgen/mcpgen/internal/safetext"
)

const (
	exampleName    = "example_test.go"
	exampleWidth   = 96   // columns of code in one line
	longestExample = 1500 // bytes; longer ones are left out
)

// exampleImports are the packages that a value may use, by name.
var exampleImports = map[string]string{"json": jsonPath, "runtime": runtimePath, "format": formatPath}

// examplePart has an example for each tool of the unit that has one. The unit's package is
// imported as what was made of it.
func (u unit) examplePart(fset *token.FileSet, made *types.Package) (part, error) {
	pkg := importName(u.Name)
	imported := map[string]bool{}
	var body strings.Builder
	plan := &plan{pkg: u.Name + "_test", values: true}
	for _, t := range u.Tools {
		if t.Example == nil || strings.Contains(t.Go, "_") { // vet takes what follows for a method
			continue
		}
		function := fmt.Sprintf("%s.%s(context.Background(), ", pkg, t.Go)
		code := function + gotext.Value(pkg, t.Example, exampleWidth-len(function)) + ")"
		tree, err := parser.ParseExpr(code)
		if err != nil || len(code) > longestExample || safetext.Strip(code) != code {
			continue
		}
		ast.Inspect(tree, func(n ast.Node) bool {
			if s, ok := n.(*ast.SelectorExpr); ok {
				imported[types.ExprString(s.X)] = true
			}
			return true
		})
		fmt.Fprintf(&body, "\nfunc Example%s() {\n\tresult, err := %s\n\tfmt.Println(result, err)\n}\n", t.Go, code)
		plan.decls = append(plan.decls, declaration{kind: "func", name: "Example" + t.Go, owner: toolOwner(t)})
	}
	if len(plan.decls) == 0 {
		return part{}, nil
	}
	own := fmt.Sprintf("%q", u.ImportPath)
	if pkg != importBase(u.ImportPath) {
		own = pkg + " " + own
	}
	plan.imports = []string{`"context"`, `"fmt"`, own}
	for name, from := range exampleImports {
		if imported[name] {
			plan.imports = append(plan.imports, fmt.Sprintf("%q", from))
		}
	}
	slices.Sort(plan.imports)
	source := fmt.Sprintf("%s\n%s\n\npackage %s\n\nimport (\n\t%s\n)\n%s", Header, comment("Server: "+oneLine(u.Server)),
		plan.pkg, strings.Join(plan.imports, "\n\t"), body.String())
	examples, err := parse(fset, File{exampleName, []byte(source)}, plan)
	if err != nil {
		return part{}, err
	}
	imports := stubs()
	imports[u.ImportPath] = made
	if _, err := typeCheck(fset, []*tree{examples}, imports); err != nil {
		return part{}, err
	}
	out, err := examples.format()
	out.tree = nil
	return out, err
}

// importBase is the last element of an import path.
func importBase(from string) string { return from[strings.LastIndexByte(from, '/')+1:] }
