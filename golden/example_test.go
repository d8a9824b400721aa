package golden

// Calls on the pages of the catalogue are read by no compiler. Here they are taken out and
// type-checked as what a user would paste into a program.

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"go/types"
	"html"
	"regexp"
	"strings"
	"testing"

	"github.com/mcpgen/mcpgen/generator"
	"github.com/mcpgen/mcpgen/golden/project"
	"github.com/mcpgen/mcpgen/internal/gopkg"
)

func TestExamplesCompile(t *testing.T) {
	servers := caseServers(t)
	for i, name := range corpusServers {
		if testing.Short() && i%3 != 0 {
			continue
		}
		servers = append(servers, lockSnapshot(t, corpusSnapshot(t, name)))
	}
	checked := checkPageExamples(t, servers)
	t.Logf("%d examples", checked)
	if checked == 0 {
		t.Error("no example was checked, want at least one")
	}
}

// checkPageExamples checks the calls on the pages of the catalogue, one for each tool.
// It returns their number.
func checkPageExamples(t *testing.T, servers []generator.Server) int {
	t.Helper()
	call := regexp.MustCompile(`(?s)<pre class="call"[^>]*><code>(.*?)</code></pre>`)
	checked, tools := 0, 0
	for _, s := range servers {
		opts := generator.Options{Output: "mcp", ImportPath: "example.com/mcp", Servers: []generator.Server{s}}
		files, err := generator.Catalogue(t.Context(), opts)
		if err != nil {
			t.Fatal(err)
		}
		out := generateServers(t, "example.com", "mcp", s)
		tools += len(out.Tools)
		pkg := typeCheck(t, out, gopkg.Of(s.Name))
		for _, code := range call.FindAllSubmatch(files[1].Data, -1) {
			checked++
			checkExample(t, pkg, "page", strings.TrimPrefix(html.UnescapeString(string(code[1])), "result, err := "))
		}
	}
	if checked < tools*95/100 {
		t.Errorf("%d calls of %d tools", checked, tools)
	}
	return checked
}

// withPackage imports one package beside the standard library.
type withPackage struct {
	types.Importer
	pkg *types.Package
}

func (w withPackage) Import(path string) (*types.Package, error) {
	if path == "example.com/mcp/"+w.pkg.Name() {
		return w.pkg, nil
	}
	return w.Importer.Import(path)
}

func checkExample(t *testing.T, pkg *types.Package, method, code string) {
	t.Helper()
	fset := token.NewFileSet()
	source := fmt.Sprintf("package p\nimport (%q; %q; %q; %s %q)\nvar _ runtime.Tool\nvar _ json.Number\nfunc _(ctx context.Context) { _, _ = %s }",
		"context", "encoding/json", "github.com/mcpgen/mcpgen/runtime", pkg.Name(), "example.com/mcp/"+pkg.Name(), strings.TrimSpace(code))
	f, err := parser.ParseFile(fset, "example.go", source, 0)
	if err != nil {
		t.Errorf("%s.%s: %v\n%s", pkg.Name(), method, err, code)
		return
	}
	config := types.Config{Importer: withPackage{project.Importer, pkg}}
	if _, err := config.Check("p", fset, []*ast.File{f}, nil); err != nil {
		t.Errorf("%s.%s: %v\n%s", pkg.Name(), method, err, code)
	}
}
