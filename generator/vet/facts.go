package vet

// What the source of generated packages says. Packages that import them see only their
// types; the rest is exported as facts.

import (
	"go/ast"
	"go/types"
	"reflect"
	"regexp"
	"strings"

	"golang.org/x/tools/go/analysis"

	"github.com/mcpgen/mcpgen/generator"
)

// generatedPackage is the fact that a package calls a server: mcpgen wrote it.
type generatedPackage struct{}

// AFact marks a fact.
func (*generatedPackage) AFact() {}

// itemMark is the fact of what the comment of a generated name says.
type itemMark struct {
	Deprecated string // the paragraph behind "Deprecated: ", in one line; "" if it is not
	Now        string // the name that replaces it; "" if unknown
	Null       bool   // a required field of which nil is a value
}

// AFact marks a fact.
func (*itemMark) AFact() {}

// knowledge is what is known of the generated packages that a package depends on, and
// of itself.
type knowledge struct {
	generated map[*types.Package]bool
	marks     map[types.Object]*itemMark
	sent      map[types.Object]*itemSent
	own       map[*ast.File]bool // files of the package that mcpgen wrote
}

func factsAnalyzer() *analysis.Analyzer {
	return &analysis.Analyzer{
		Name:       "mcpfacts",
		Doc:        "what is known of generated packages, for the other checks",
		FactTypes:  []analysis.Fact{new(generatedPackage), new(itemMark), new(itemSent)},
		ResultType: reflect.TypeFor[*knowledge](),
		Run: func(pass *analysis.Pass) (any, error) {
			k := &knowledge{generated: map[*types.Package]bool{}, marks: map[types.Object]*itemMark{}, sent: map[types.Object]*itemSent{}, own: map[*ast.File]bool{}}
			for _, f := range pass.Files {
				k.own[f] = isOurs(f)
			}
			if callsServer(pass, k.own) {
				pass.ExportPackageFact(new(generatedPackage))
				limits := map[types.Object]string{}
				for _, f := range pass.Files {
					if k.own[f] {
						exportMarks(pass, f)
						limitsIn(pass, f, limits)
					}
				}
				for _, f := range pass.Files {
					if k.own[f] {
						exportSent(pass, f, limits)
					}
				}
			}
			for _, f := range pass.AllPackageFacts() {
				if _, ok := f.Fact.(*generatedPackage); ok {
					k.generated[f.Package] = true
				}
			}
			for _, f := range pass.AllObjectFacts() {
				switch fact := f.Fact.(type) {
				case *itemMark:
					k.marks[f.Object] = fact
				case *itemSent:
					k.sent[f.Object] = fact
				}
			}
			return k, nil
		},
	}
}

// isOurs reports whether mcpgen wrote a file.
func isOurs(f *ast.File) bool {
	return len(f.Comments) > 0 && f.Comments[0].Pos() < f.Package && f.Comments[0].List[0].Text == generator.Header
}

// callsServer reports whether the package is one that calls a server: a file that
// mcpgen wrote embeds the snapshot. The shim over all servers and the fakes do not.
func callsServer(pass *analysis.Pass, own map[*ast.File]bool) bool {
	for _, f := range pass.Files {
		for _, spec := range f.Imports {
			if own[f] && spec.Path.Value == `"embed"` {
				return true
			}
		}
	}
	return false
}

func exportMarks(pass *analysis.Pass, f *ast.File) {
	export := func(id *ast.Ident, docs ...*ast.CommentGroup) {
		if m := markOf(docs); m != nil && pass.TypesInfo.Defs[id] != nil {
			pass.ExportObjectFact(pass.TypesInfo.Defs[id], m)
		}
	}
	for _, decl := range f.Decls {
		switch decl := decl.(type) {
		case *ast.FuncDecl:
			export(decl.Name, decl.Doc)
		case *ast.GenDecl:
			for _, spec := range decl.Specs {
				switch spec := spec.(type) {
				case *ast.TypeSpec:
					export(spec.Name, decl.Doc, spec.Doc)
					if s, ok := spec.Type.(*ast.StructType); ok {
						for _, field := range s.Fields.List {
							for _, id := range field.Names {
								export(id, field.Doc, field.Comment)
							}
						}
					}
				case *ast.ValueSpec:
					for _, id := range spec.Names {
						export(id, decl.Doc, spec.Doc, spec.Comment)
					}
				}
			}
		}
	}
}

// What the generator writes into comments.
const (
	deprecated = "Deprecated: "
	nilIsNull  = "nil is null."
)

var use = regexp.MustCompile(`^use \[(?:Client\.)?(\w+)\]`)

func markOf(docs []*ast.CommentGroup) *itemMark {
	var m itemMark
	for _, doc := range docs {
		if doc == nil {
			continue
		}
		text := doc.Text()
		m.Null = m.Null || strings.Contains(strings.Join(strings.Fields(text), " "), nilIsNull)
		for paragraph := range strings.SplitSeq(text, "\n\n") {
			if words, ok := strings.CutPrefix(paragraph, deprecated); ok {
				m.Deprecated = strings.Join(strings.Fields(words), " ")
			}
		}
	}
	if found := use.FindStringSubmatch(m.Deprecated); found != nil {
		m.Now = found[1]
	}
	if m == (itemMark{}) {
		return nil
	}
	return &m
}
