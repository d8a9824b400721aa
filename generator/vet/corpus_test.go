package vet

import (
	"fmt"
	"go/ast"
	"go/format"
	"go/parser"
	"go/token"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"golang.org/x/tools/go/analysis/analysistest"

	"github.com/mcpgen/mcpgen/generator"
	"github.com/mcpgen/mcpgen/generator/internal/code"
	"github.com/mcpgen/mcpgen/schema/lockfile"
)

// TestCorpus takes the call of each tool of real servers from the pages of generate:
// as it is nothing is wrong with it, without any one of its required fields, or with a
// value that its enum does not have, that is reported.
func TestCorpus(t *testing.T) {
	useCheckoutOnly(t)
	paths, err := filepath.Glob("../../golden/corpus/servers/*.json")
	if err != nil || len(paths) == 0 {
		t.Fatal(err, "no corpus")
	}
	var servers []generator.Server
	for _, path := range paths {
		s := readSnapshot(t, path, strings.TrimSuffix(filepath.Base(path), ".json"))
		locked, err := lockfile.LockSnapshot(s)
		if err != nil {
			t.Fatal(err)
		}
		servers = append(servers, generator.Server{Name: s.Server, Snapshot: s, Locked: locked})
	}
	dir, out := newModule(t, servers...)
	symbols, err := generator.Symbols(t.Context(), optionsFor(servers...))
	if err != nil {
		t.Fatal(err)
	}
	calls, mistakes := 0, 0
	for _, s := range symbols {
		m := &mutator{required: map[string]bool{}}
		for _, sym := range s.Symbols {
			if sym.Role == "field" && sym.Required && !strings.HasPrefix(sym.Type, "*") {
				m.required[sym.Go] = true
			}
		}
		name := filepath.Base(s.Import)
		for _, f := range out {
			if filepath.Base(f.Path) == name+".md" {
				m.page(t, string(f.Data))
			}
		}
		calls, mistakes = calls+m.calls, mistakes+m.mistakes
		if len(m.code) > 0 {
			writeFile(t, filepath.Join(dir, "use", name, "use.go"), m.file(s.Import))
		}
	}
	t.Logf("%d calls, %d mistakes", calls, mistakes)
	if calls < 150 || mistakes < 300 {
		t.Errorf("%d calls and %d mistakes, want at least 150 and 300", calls, mistakes)
	}
	analysistest.Run(unasked{t}, dir, allChecks(), "./use/...")
}

// mutator makes mistakes in calls.
type mutator struct {
	required        map[string]bool // Type.Field
	code            []string        // calls, with what is to be reported of them
	calls, mistakes int
}

var pageCall = regexp.MustCompile("(?s)```go\nresult, err := (.*?)\n```")

func (m *mutator) page(t *testing.T, page string) {
	for _, found := range pageCall.FindAllStringSubmatch(page, -1) {
		e, err := parser.ParseExpr(found[1])
		if err != nil {
			t.Fatal(err)
		}
		m.calls++
		m.add(t, e, "")
		lit, ok := e.(*ast.CallExpr).Args[1].(*ast.CompositeLit)
		if !ok {
			continue
		}
		typ := lit.Type.(*ast.SelectorExpr)
		all := lit.Elts
		for i, elt := range all {
			pair := elt.(*ast.KeyValueExpr)
			key := pair.Key.(*ast.Ident).Name
			if m.required[typ.Sel.Name+"."+key] {
				lit.Elts = slices.Delete(slices.Clone(all), i, i+1)
				m.add(t, e, fmt.Sprintf("%s is sent without the required field %s ", regexp.QuoteMeta(typ.X.(*ast.Ident).Name+"."+typ.Sel.Name), key))
				lit.Elts = all
			}
			if sel, ok := pair.Value.(*ast.SelectorExpr); ok && strings.HasPrefix(sel.Sel.Name, typ.Sel.Name) {
				pair.Value = &ast.BasicLit{Kind: token.STRING, Value: `"no such value"`}
				m.add(t, e, `"no such value" is not a value of `)
				pair.Value = sel
			}
		}
	}
}

// add adds a call, and what is to be reported of it.
func (m *mutator) add(t *testing.T, e ast.Expr, want string) {
	var b strings.Builder
	if err := format.Node(&b, token.NewFileSet(), e); err != nil {
		t.Fatal(err)
	}
	line := "\t_, _ = " + strings.Join(strings.Fields(strings.ReplaceAll(b.String(), ",\n}", "}")), " ")
	if want != "" {
		m.mistakes++
		line += " // want `" + want + "`"
	}
	m.code = append(m.code, line)
}

func (m *mutator) file(path string) []byte {
	imports := fmt.Sprintf("\t\"context\"\n\n\t%q\n", path)
	text := strings.Join(m.code, "\n")
	if strings.Contains(text, "runtime.") {
		imports += fmt.Sprintf("\t%q\n", code.RuntimePath)
	}
	return fmt.Appendf(nil, "package use\n\nimport (\n%s)\n\nfunc use(ctx context.Context) {\n%s\n}\n", imports, text)
}
