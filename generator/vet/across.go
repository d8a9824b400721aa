package vet

// Values that cross packages: what a function does with a parameter, and what the
// structs lack that it returns, are facts for the packages that call it.

import (
	"go/ast"
	"go/types"
	"slices"
)

// Sends is the fact that what a parameter is given gets sent.
type Sends struct {
	Sets []string // fields that are set on the way, as fieldKey writes them
}

// AFact marks a fact.
func (*Sends) AFact() {}

// Lacks is the fact that a result is, or holds, a generated struct without fields that
// are always sent.
type Lacks struct {
	Package, Type string
	Fields        []string
}

// AFact marks a fact.
func (*Lacks) AFact() {}

// fieldKey names a field for other packages. Fields of one name in one package share
// it, so that a field may count as set that is not.
func fieldKey(v *types.Var) string { return v.Pkg().Path() + "." + v.Name() }

// export exports the facts of the package's functions.
func (g *graph) export() {
	for _, f := range g.Files {
		for _, decl := range f.Decls {
			if fun, ok := decl.(*ast.FuncDecl); ok && fun.Name.IsExported() && !g.known.own[f] {
				if obj, ok := g.TypesInfo.Defs[fun.Name].(*types.Func); ok {
					g.exportFunc(obj.Signature())
				}
			}
		}
	}
}

func (g *graph) exportFunc(sig *types.Signature) {
	for param := range sig.Params().Variables() {
		if g.known.carries(param.Type()) && slices.ContainsFunc(closure(param, g.next), func(n node) bool { _, ok := n.(*sink); return ok }) && !g.escapes(param) {
			g.ExportObjectFact(param, &Sends{Sets: g.setsOf(param)})
		}
	}
	for result := range sig.Results().Variables() {
		for _, o := range g.sorted() {
			if !slices.Contains(closure(o, g.next), node(result)) {
				continue
			}
			if missing := g.unset(o); len(missing) > 0 {
				fact := &Lacks{Package: o.typ.Obj().Pkg().Path(), Type: o.typ.Obj().Name()}
				for _, f := range missing {
					fact.Fields = append(fact.Fields, f.Name())
				}
				g.ExportObjectFact(result, fact)
				break
			}
		}
	}
}

// setsOf are the fields that are set on the way of a value.
func (g *graph) setsOf(from *types.Var) []string {
	var out []string
	for _, n := range closure(from, g.next, g.shared) {
		switch n := n.(type) {
		case *types.Var:
			for f := range g.set[n] {
				out = append(out, fieldKey(f))
			}
		case *sink:
			out = append(out, n.sets...)
		}
	}
	slices.Sort(out)
	return slices.Compact(out)
}

// imported is what a call of another package's function returns, as far as it lacks
// something.
func (g *graph) imported(e *ast.CallExpr, result *types.Var) node {
	var fact Lacks
	if result.Pkg() == nil || !g.ImportObjectFact(result, &fact) {
		return nil
	}
	for pkg := range g.known.generated {
		t, ok := pkg.Scope().Lookup(fact.Type).(*types.TypeName)
		if pkg.Path() != fact.Package || !ok {
			continue
		}
		named, _ := g.known.structOf(t.Type())
		if named == nil {
			return nil
		}
		o := g.origin(e, named)
		for _, f := range g.known.requiredOf(named) {
			o.given[f.Var] = !slices.Contains(fact.Fields, f.Name())
		}
		return o
	}
	return nil
}
