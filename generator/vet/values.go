package vet

// What an expression holds, and what an assignment sets.

import (
	"go/ast"
	"go/token"
	"go/types"
)

// values are the nodes that the value of an expression comes from.
func (g *graph) values(e ast.Expr) []node {
	to, base := g.root(e)
	if to != nil {
		return []node{to}
	}
	switch e := base.(type) {
	case *ast.TypeAssertExpr:
		return g.values(e.X)
	case *ast.UnaryExpr:
		if e.Op == token.AND || e.Op == token.ARROW {
			return g.values(e.X)
		}
	case *ast.CompositeLit:
		return g.made(e)
	case *ast.CallExpr:
		return g.called(e)
	}
	return nil
}

// root follows an expression to what it is a part of: to the node of a variable, or else
// to the expression that it begins with.
func (g *graph) root(e ast.Expr) (node, ast.Expr) {
	for {
		switch x := e.(type) {
		case *ast.ParenExpr:
			e = x.X
		case *ast.StarExpr:
			e = x.X
		case *ast.IndexExpr:
			e = x.X
		case *ast.SliceExpr:
			e = x.X
		case *ast.Ident:
			if v := g.variable(x); v != nil {
				return v, nil
			}
			return nil, x
		case *ast.SelectorExpr:
			if v := g.selected(x); v != nil {
				return v, nil
			}
			if !g.isField(x) {
				return nil, x
			}
			e = x.X
		default:
			return nil, e
		}
	}
}

// made are the values of a literal: itself, and what it consists of.
func (g *graph) made(e *ast.CompositeLit) []node {
	t := g.TypesInfo.TypeOf(e)
	if t == nil {
		return nil
	}
	var out []node
	named, s := g.known.structOf(pointee(t))
	if named == nil {
		if _, ok := pointee(t).Underlying().(*types.Struct); ok {
			return nil // its fields are nodes
		}
	} else {
		out = append(out, g.originOf(e, named, s))
	}
	for _, elt := range e.Elts {
		if pair, ok := elt.(*ast.KeyValueExpr); ok {
			elt = pair.Value
		}
		out = append(out, g.values(elt)...)
	}
	return out
}

// called are the values of a call: a conversion, a builtin, or what a function returns.
func (g *graph) called(e *ast.CallExpr) []node {
	tv := g.TypesInfo.Types[e.Fun]
	switch {
	case tv.IsType() && len(e.Args) == 1:
		return g.values(e.Args[0])
	case tv.IsBuiltin():
		return g.builtin(e)
	}
	if r := g.result(e, 0); r != nil {
		return []node{r}
	}
	return nil
}

func (g *graph) builtin(e *ast.CallExpr) []node {
	id, ok := ast.Unparen(e.Fun).(*ast.Ident)
	if !ok || id.Name != "append" && id.Name != "new" {
		return nil
	}
	var out []node
	for _, arg := range e.Args {
		if g.TypesInfo.Types[arg].IsType() {
			if named, _ := g.known.structOf(g.TypesInfo.TypeOf(arg)); named != nil {
				out = append(out, g.origin(e, named))
			}
			continue
		}
		out = append(out, g.values(arg)...)
	}
	return out
}

// result is what a call returns at a position; nil if it is not followed.
func (g *graph) result(e *ast.CallExpr, i int) node {
	f, sig := g.calleeOf(e)
	if sig == nil || i >= sig.Results().Len() {
		return nil
	}
	if f != nil && f.Pkg() != g.Pkg {
		return g.imported(e, sig.Results().At(i))
	}
	return sig.Results().At(i)
}

func (g *graph) origin(n ast.Node, t *types.Named) *origin {
	o := g.origins[n]
	if o == nil {
		in, loop := g.function()
		o = &origin{Node: n, typ: t, given: map[*types.Var]bool{}, in: in, loop: loop}
		g.origins[n] = o
	}
	return o
}

func (g *graph) originOf(e *ast.CompositeLit, named *types.Named, s *types.Struct) *origin {
	if o := g.origins[e]; o != nil {
		return o
	}
	o := g.origin(e, named)
	for i, elt := range e.Elts {
		v, value := (*types.Var)(nil), elt
		if pair, ok := elt.(*ast.KeyValueExpr); ok {
			value = pair.Value
			if key, ok := pair.Key.(*ast.Ident); ok {
				v, _ = g.TypesInfo.Uses[key].(*types.Var)
			}
		} else if i < s.NumFields() {
			v = s.Field(i)
		}
		if v != nil && !g.nilUnion(v, value) {
			o.given[v] = true
		}
	}
	return o
}

// nilUnion reports whether a field gets nil, and would make the call fail with it.
func (g *graph) nilUnion(v *types.Var, value ast.Expr) bool {
	return value != nil && g.TypesInfo.Types[value].IsNil() && g.known.isUnion(v.Type())
}

// target is the node that an assignment to an expression reaches.
func (g *graph) target(e ast.Expr) node {
	to, _ := g.root(e)
	return to
}

// variable is the variable that an identifier names; nil if it names something else.
func (g *graph) variable(id *ast.Ident) *types.Var {
	v, _ := g.TypesInfo.ObjectOf(id).(*types.Var)
	return v
}

// selected is the node of a selector: a field of a struct that is not generated, or a
// variable of another package; nil if it is a part of what it selects from.
func (g *graph) selected(e *ast.SelectorExpr) *types.Var {
	v, ok := g.TypesInfo.Uses[e.Sel].(*types.Var)
	if !ok || v.IsField() && g.known.generated[v.Pkg()] {
		if path := g.embedded(e); ok && len(path) > 0 {
			return path[len(path)-1]
		}
		return nil
	}
	return v.Origin()
}

func (g *graph) isField(e *ast.SelectorExpr) bool {
	s := g.TypesInfo.Selections[e]
	return s != nil && s.Kind() == types.FieldVal
}

// embedded are the fields between a selector's operand and what it selects, as far as
// they belong to structs that are not generated.
func (g *graph) embedded(e *ast.SelectorExpr) []*types.Var {
	s := g.TypesInfo.Selections[e]
	if s == nil {
		return nil
	}
	var out []*types.Var
	t := s.Recv()
	for _, i := range s.Index()[:len(s.Index())-1] {
		st, ok := pointee(t).Underlying().(*types.Struct)
		if !ok {
			return nil
		}
		f := st.Field(i).Origin()
		if !g.known.generated[f.Pkg()] {
			out = append(out, f)
		}
		t = f.Type()
	}
	return out
}

// mark notes the generated fields that an assignment to an expression sets, for
// everything that they may be a part of.
func (g *graph) mark(e, value ast.Expr) {
	var set, of []*types.Var
	at := e.Pos()
	for e != nil {
		switch x := e.(type) {
		case *ast.ParenExpr:
			e = x.X
		case *ast.StarExpr:
			e = x.X
		case *ast.IndexExpr:
			e = x.X
		case *ast.SelectorExpr:
			of = append(of, g.embedded(x)...)
			v, ok := g.TypesInfo.Uses[x.Sel].(*types.Var)
			switch {
			case !ok:
			case !v.IsField() || !g.known.generated[v.Pkg()]:
				of = append(of, v.Origin())
			case !g.nilUnion(v, value):
				set = append(set, v)
			}
			e = x.X
		case *ast.Ident:
			if v := g.variable(x); v != nil {
				of = append(of, v)
			}
			e = nil
		case *ast.CallExpr: // f().Field = x
			if r, ok := g.result(x, 0).(*types.Var); ok {
				of = append(of, r)
			}
			e = nil
		default:
			e = nil
		}
	}
	in, _ := g.function()
	for _, holder := range of {
		for _, v := range set {
			if g.set[holder] == nil {
				g.set[holder] = map[*types.Var][]setting{}
			}
			g.set[holder][v] = append(g.set[holder][v], setting{at, in})
		}
	}
}

func isIdent(e ast.Expr) bool {
	_, ok := ast.Unparen(e).(*ast.Ident)
	return ok
}

func isChan(t types.Type) bool {
	if t == nil {
		return false
	}
	_, ok := t.Underlying().(*types.Chan)
	return ok
}

func isPointer(t types.Type) bool {
	_, ok := types.Unalias(t).(*types.Pointer)
	return ok
}

// pointee is what a type points to, or itself.
func pointee(t types.Type) types.Type {
	if p, ok := types.Unalias(t).(*types.Pointer); ok {
		return p.Elem()
	}
	return t
}

func isError(t types.Type) bool {
	return types.Implements(t, types.Universe.Lookup("error").Type().Underlying().(*types.Interface))
}

func isInterfaceMethod(f *types.Func) bool {
	recv := f.Signature().Recv()
	return recv != nil && types.IsInterface(recv.Type())
}

// paramOf is the parameter that the i-th argument is passed to, nil without one.
func paramOf(sig *types.Signature, i int) *types.Var {
	n := sig.Params().Len()
	switch {
	case n == 0, i >= n && !sig.Variadic():
		return nil
	}
	return sig.Params().At(min(i, n-1))
}
