package code

// What an expression holds, and what an assignment sets.

import (
	"go/ast"
	"go/token"
	"go/types"
)

// values are the nodes that the value of an expression comes from. A text or a number that
// is taken out of a struct is no part of it any more, wherever it is put.
func (g *Graph) values(e ast.Expr) []Node {
	if t := g.Info.TypeOf(e); t != nil && isPlain(t) {
		return nil
	}
	to, base := g.root(e)
	if to != nil {
		return []Node{to}
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
func (g *Graph) root(e ast.Expr) (Node, ast.Expr) {
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
func (g *Graph) made(e *ast.CompositeLit) []Node {
	t := g.Info.TypeOf(e)
	if t == nil {
		return nil
	}
	var out []Node
	named := g.madeOf(Pointee(t))
	if named == nil {
		if _, ok := Pointee(t).Underlying().(*types.Struct); ok {
			return nil // its fields are nodes
		}
	} else {
		out = append(out, g.originOf(e, named))
	}
	for _, elt := range e.Elts {
		if pair, ok := elt.(*ast.KeyValueExpr); ok {
			elt = pair.Value
		}
		out = append(out, g.values(elt)...)
	}
	return out
}

// called are the values of a call: its arguments, or what a function returns.
func (g *Graph) called(e *ast.CallExpr) []Node {
	if !g.handsOn(e) {
		if r := g.result(e, 0); r != nil && !g.Info.Types[e.Fun].IsBuiltin() {
			return []Node{r}
		}
		return nil
	}
	var out []Node
	for _, arg := range e.Args {
		if !g.Info.Types[arg].IsType() {
			out = append(out, g.values(arg)...)
		} else if named := g.madeOf(g.Info.TypeOf(arg)); named != nil {
			out = append(out, g.origin(e, named))
		}
	}
	return out
}

// handsOn reports whether a call returns its arguments as they are, and looks at no field of
// them: a conversion, append, new, or a function that passes them on.
func (g *Graph) handsOn(e *ast.CallExpr) bool {
	tv := g.Info.Types[e.Fun]
	id, ok := ast.Unparen(e.Fun).(*ast.Ident)
	f, _ := g.Callee(e)
	return tv.IsType() || ok && tv.IsBuiltin() && (id.Name == "append" || id.Name == "new") || f != nil && passes(f)
}

// result returns a call's result at a position; nil if it is not followed.
func (g *Graph) result(e *ast.CallExpr, i int) Node {
	f, sig := g.Callee(e)
	if sig == nil || i >= sig.Results().Len() {
		return nil
	}
	if f == nil || g.follows(f.Pkg()) {
		return g.same(sig.Results().At(i))
	}
	if i == 0 && f.Pkg() != nil && g.Generated(f.Pkg()) {
		if g.returned[e] == nil {
			g.returned[e] = &Returned{e}
		}
		return g.returned[e]
	}
	if g.facts == nil || sig.Results().At(i).Pkg() == nil {
		return nil
	}
	named, sets := g.facts.Makes(sig.Results().At(i))
	if named == nil {
		return nil
	}
	o := g.origin(e, named)
	for f := range named.Underlying().(*types.Struct).Fields() {
		o.Given[f] = sets(f)
	}
	return o
}

func (g *Graph) origin(n ast.Node, t *types.Named) *Origin {
	o := g.origins[n]
	if o == nil {
		in, loop := g.function()
		o = &Origin{Node: n, Type: t, Given: map[*types.Var]bool{}, in: in, loop: loop}
		g.origins[n] = o
	}
	return o
}

func (g *Graph) originOf(e *ast.CompositeLit, named *types.Named) *Origin {
	if o := g.origins[e]; o != nil {
		return o
	}
	o := g.origin(e, named)
	for v, value := range g.FieldValues(e) {
		if !g.nilUnion(v, value) {
			o.Given[v] = true
		}
	}
	return o
}

// nilUnion reports whether a field gets nil, and would make the call fail with it.
func (g *Graph) nilUnion(v *types.Var, value ast.Expr) bool {
	return value != nil && g.Info.Types[value].IsNil() && g.IsUnion(v.Type())
}

// target is the node that an assignment to an expression reaches.
func (g *Graph) target(e ast.Expr) Node {
	to, _ := g.root(e)
	return to
}

// variable is the variable that an identifier names; nil if it names something else.
func (g *Graph) variable(id *ast.Ident) *types.Var {
	v, _ := g.Info.ObjectOf(id).(*types.Var)
	if v == nil {
		return nil
	}
	return g.same(v)
}

// isOurs reports whether a variable belongs to a generated package.
func (g *Graph) isOurs(v *types.Var) bool { return v.Pkg() != nil && g.Generated(v.Pkg()) }

// selected is the node of a selector: a field of a struct that is not generated, or a
// variable of another package; nil if it is a part of what it selects from.
func (g *Graph) selected(e *ast.SelectorExpr) *types.Var {
	v, ok := g.Info.Uses[e.Sel].(*types.Var)
	if !ok || v.IsField() && g.isOurs(v) {
		if path := g.embedded(e); ok && len(path) > 0 {
			return path[len(path)-1]
		}
		return nil
	}
	return g.same(v)
}

func (g *Graph) isField(e *ast.SelectorExpr) bool {
	s := g.Info.Selections[e]
	return s != nil && s.Kind() == types.FieldVal
}

// embedded are the fields between a selector's operand and what it selects, as far as
// they belong to structs that are not generated.
func (g *Graph) embedded(e *ast.SelectorExpr) []*types.Var {
	s := g.Info.Selections[e]
	if s == nil {
		return nil
	}
	var out []*types.Var
	t := s.Recv()
	for _, i := range s.Index()[:len(s.Index())-1] {
		st, ok := Pointee(t).Underlying().(*types.Struct)
		if !ok {
			return nil
		}
		f := g.same(st.Field(i))
		if !g.isOurs(f) {
			out = append(out, f)
		}
		t = f.Type()
	}
	return out
}

// mark notes the generated fields that an assignment to an expression sets, for
// everything that they may be a part of.
func (g *Graph) mark(e, value ast.Expr) {
	var set, of []*types.Var
	at, whole := e.Pos(), ast.Unparen(e)
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
			v, ok := g.Info.Uses[x.Sel].(*types.Var)
			if g.written[x.Sel] = nil; x == whole {
				g.written[x.Sel] = value
			}
			switch {
			case !ok:
			case !v.IsField() || !g.isOurs(v):
				of = append(of, g.same(v))
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

// Assigned reports whether what a selector names is given a value, or its address is taken;
// the value if it is its own.
func (g *Graph) Assigned(selected *ast.Ident) (ast.Expr, bool) {
	value, ok := g.written[selected]
	return value, ok
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

// isPlain reports whether values of a type hold no structs: those that are taken out of a
// struct are no longer a part of it.
func isPlain(t types.Type) bool {
	basic, ok := types.Unalias(t).Underlying().(*types.Basic)
	return ok && basic.Kind() != types.UnsafePointer && basic.Kind() != types.Invalid
}

// isReference reports whether who gets a value of a type can change what others hold.
func isReference(t types.Type) bool {
	switch types.Unalias(t).Underlying().(type) {
	case *types.Pointer, *types.Slice, *types.Map, *types.Chan, *types.Interface:
		return true
	}
	return false
}
