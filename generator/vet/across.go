package vet

// Values that cross packages: what a function does with a parameter, and what the
// structs lack that it returns, are facts for the packages that call it.

import (
	"go/ast"
	"go/types"
	"slices"

	"golang.org/x/tools/go/analysis"

	"github.com/mcpgen/mcpgen/generator/internal/code"
)

// sentMembers is the fact that what a parameter is given gets sent.
type sentMembers struct {
	Sets []string // fields that are set on the way, as fieldKey writes them
}

// AFact marks a fact.
func (*sentMembers) AFact() {}

// lackedMembers is the fact that a result is, or holds, a generated struct without fields that
// are always sent.
type lackedMembers struct {
	Package, Type string
	Fields        []string
}

// AFact marks a fact.
func (*lackedMembers) AFact() {}

// fieldKey names a field for other packages. Fields of one name in one package share
// it, so that a field may count as set that is not.
func fieldKey(v *types.Var) string { return v.Pkg().Path() + "." + v.Name() }

// passFacts are the facts of a pass.
type passFacts struct {
	*analysis.Pass
	known *knowledge
}

// sentMembers implements [code.Facts].
func (f passFacts) Sends(param *types.Var) ([]string, bool) {
	var fact sentMembers
	ok := f.ImportObjectFact(param, &fact)
	return fact.Sets, ok
}

// Makes implements [code.Facts].
func (f passFacts) Makes(result *types.Var) (*types.Named, func(field *types.Var) bool) {
	var fact lackedMembers
	if !f.ImportObjectFact(result, &fact) {
		return nil, nil
	}
	for pkg := range f.known.generated {
		if t, ok := pkg.Scope().Lookup(fact.Type).(*types.TypeName); ok && pkg.Path() == fact.Package {
			if named, ok := t.Type().(*types.Named); ok {
				return named, func(field *types.Var) bool { return !slices.Contains(fact.Fields, field.Name()) }
			}
		}
	}
	return nil, nil
}

// export exports the facts of the package's functions.
func (c *checker) export(g *code.Graph) {
	for _, f := range c.Files {
		for _, decl := range f.Decls {
			if fun, ok := decl.(*ast.FuncDecl); ok && fun.Name.IsExported() {
				if obj, ok := c.Info.Defs[fun.Name].(*types.Func); ok {
					c.exportFunc(g, obj.Signature())
				}
			}
		}
	}
}

func (c *checker) exportFunc(g *code.Graph, sig *types.Signature) {
	for param := range sig.Params().Variables() {
		if c.Carries(param.Type()) && g.Goes(param, nil) && !g.Escapes(param) {
			sets := g.SetBefore(param)
			for f := range g.Fields(param) {
				sets = append(sets, fieldKey(f))
			}
			slices.Sort(sets)
			c.pass.ExportObjectFact(param, &sentMembers{Sets: slices.Compact(sets)})
		}
	}
	for result := range sig.Results().Variables() {
		for _, o := range g.Origins() {
			if !g.Goes(o, result) {
				continue
			}
			if missing := g.Unset(o, c.requiredOf(o.Type)); len(missing) > 0 {
				fact := &lackedMembers{Package: o.Type.Obj().Pkg().Path(), Type: o.Type.Obj().Name()}
				for _, f := range missing {
					fact.Fields = append(fact.Fields, f.Name())
				}
				c.pass.ExportObjectFact(result, fact)
				break
			}
		}
	}
}
