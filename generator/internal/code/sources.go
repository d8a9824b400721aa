package code

// What is asked of the graph: where a value comes from, and where it goes.

import (
	"go/ast"
	"go/constant"
	"go/token"
	"go/types"
	"slices"
)

// source is where a variable has a value from. The zero source is one that is not
// followed.
type source struct {
	expr ast.Expr
	of   *types.Var // a parameter or a result that is handed on
	zero bool       // a variable that is declared without a value
}

// Constant is a value that an expression may have.
type Constant struct {
	Value constant.Value
	// Sure says that nothing stands between the constant and the expression that may
	// keep it from getting there: no other assignment, and no condition.
	Sure bool
}

// trail is the way back from an expression.
type trail struct {
	*Graph
	seen map[*types.Var]bool
	leaf func(e ast.Expr, sure bool) // where it ends: a constant, a literal; nil is not known
	open bool                        // the way of generated values alone, of which a part is the whole
}

// Constants are the values that an expression may have, as far as they are constants of
// the files. Without all it may have others.
func (g *Graph) Constants(e ast.Expr) (values []Constant, all bool) {
	all = true
	t := &trail{Graph: g, seen: map[*types.Var]bool{}, leaf: func(e ast.Expr, sure bool) {
		if e == nil || g.Info.Types[e].Value == nil {
			all = false
			return
		}
		values = append(values, Constant{g.Info.Types[e].Value, sure})
	}}
	t.walk(e, true)
	return values, all
}

// Open reports whether the generated values in an expression may come from where nobody
// looks: JSON, reflection, an interface, a function that is not read.
func (g *Graph) Open(e ast.Expr) bool {
	open := false
	g.openTrail(&open).walk(e, true)
	return open
}

// openTrail sets open where it comes to something that is not known. It goes into literals.
func (g *Graph) openTrail(open *bool) *trail {
	t := &trail{Graph: g, seen: map[*types.Var]bool{}, open: true}
	t.leaf = func(e ast.Expr, _ bool) {
		lit, ok := e.(*ast.CompositeLit)
		*open = *open || e == nil
		if !ok || *open {
			return
		}
		for _, elt := range lit.Elts {
			if pair, ok := elt.(*ast.KeyValueExpr); ok {
				elt = pair.Value
			}
			t.walk(elt, true)
		}
	}
	return t
}

// Source is the one expression that a variable has its value from, or that it is an
// element of; nil if there are others, or it is not known.
func (g *Graph) Source(id *ast.Ident) ast.Expr {
	v := g.variable(id)
	if from := g.sources[v]; v != nil && len(from) == 1 && !v.IsField() {
		return from[0].expr
	}
	return nil
}

// OpenParam is [Graph.Open] for the argument of a generated function that code passes on as
// a value; param is its parameter.
func (g *Graph) OpenParam(param *types.Var) bool {
	from := g.sources[g.same(param)]
	return len(from) == 0 || slices.ContainsFunc(from, func(s source) bool {
		open := false
		t := g.openTrail(&open)
		t.source(s, true)
		return open
	})
}

func (t *trail) walk(e ast.Expr, sure bool) {
	e = ast.Unparen(e)
	tv := t.Info.Types[e]
	if tv.Value != nil {
		t.leaf(e, sure)
		return
	}
	if tv.IsNil() || t.open && !t.mayHold(tv.Type) {
		return
	}
	switch x := e.(type) {
	case *ast.CompositeLit:
		t.leaf(x, sure)
	case *ast.StarExpr:
		t.walk(x.X, sure)
	case *ast.IndexExpr:
		t.walk(x.X, false)
	case *ast.SliceExpr:
		t.walk(x.X, sure)
	case *ast.TypeAssertExpr:
		t.walk(x.X, sure)
	case *ast.UnaryExpr:
		if x.Op != token.AND && x.Op != token.ARROW {
			t.leaf(nil, false)
			return
		}
		t.walk(x.X, sure)
	case *ast.CallExpr:
		t.call(x, sure)
	case *ast.Ident:
		t.variable(t.Graph.variable(x), sure)
	case *ast.SelectorExpr:
		v := t.selected(x)
		if v == nil && t.open && t.isField(x) {
			t.walk(x.X, false)
			return
		}
		t.variable(v, sure && v != nil && !v.IsField())
	default:
		t.leaf(nil, false)
	}
}

// mayHold reports whether values of a type may be, or hold, generated structs.
func (t *trail) mayHold(typ types.Type) bool {
	if typ == nil || types.IsInterface(typ) {
		return true
	}
	_, basic := Under(typ).(*types.Basic)
	return t.Carries(typ) && !basic
}

func (t *trail) call(e *ast.CallExpr, sure bool) {
	if t.handsOn(e) {
		for _, arg := range e.Args {
			if !t.Info.Types[arg].IsType() {
				t.walk(arg, sure)
			}
		}
		return
	}
	f, _ := t.Callee(e)
	if v, ok := t.result(e, 0).(*types.Var); ok && f != nil && !isInterfaceMethod(f) {
		t.variable(v, sure)
		return
	}
	t.leaf(nil, false)
}

// variable goes on to what a variable gets. Where code is not read, it may get anything.
func (t *trail) variable(v *types.Var, sure bool) {
	if v == nil {
		t.leaf(nil, false)
		return
	}
	if t.seen[v] {
		return
	}
	t.seen[v] = true
	from := t.sources[v]
	if t.escaped[v] || len(from) == 0 || v.Pkg() == nil || !t.follows(v.Pkg()) || t.called(v) {
		t.leaf(nil, false)
	}
	sure = sure && !t.tested[v] && (len(from) == 1 || !t.replaced[v] && !v.IsField())
	for _, s := range from {
		t.source(s, sure)
	}
}

func (t *trail) source(s source, sure bool) {
	switch {
	case s.expr != nil:
		t.walk(s.expr, sure)
	case s.of != nil:
		t.variable(t.same(s.of), sure)
	case !s.zero:
		t.leaf(nil, false)
	}
}

// called reports whether a variable is a parameter of a method that may be called through
// an interface.
func (t *trail) called(v *types.Var) bool { return t.dynamic[t.method[v]] }

// Leaves reports whether what a call returns goes to where its fields are not read by
// their names: to JSON, a template, reflection, a generic function, an interface, or out of
// the module.
func (g *Graph) Leaves(call *ast.CallExpr) bool {
	from := g.result(call, 0)
	return from == nil || g.leaves(from)
}

// LeavesResult is [Graph.Leaves] for a function that is handed on as a value.
func (g *Graph) LeavesResult(result *types.Var) bool {
	return len(g.next[g.same(result)]) == 0 || g.leaves(g.same(result))
}

func (g *Graph) leaves(from Node) bool {
	return slices.ContainsFunc(closure(from, g.next), func(n Node) bool {
		v, ok := n.(*types.Var)
		return g.left[n] || ok && n != from && g.results[v] && len(g.next[n]) == 0
	})
}

// leave notes that a value goes to where its fields are not read by their names.
func (g *Graph) leave(e ast.Expr) {
	t := g.Info.TypeOf(e)
	if t == nil {
		return
	}
	if g.Carries(t) || types.IsInterface(t) {
		for _, n := range g.values(e) {
			g.left[n] = true
		}
	}
	for _, f := range g.parts(t) {
		g.left[f] = true
	}
}

// parts are the fields of structs in a type that are not generated, and that hold
// generated values.
func (g *Graph) parts(t types.Type) []*types.Var {
	var out []*types.Var
	seen := map[types.Type]bool{}
	var walk func(t types.Type)
	walk = func(t types.Type) {
		if t == nil || seen[t] {
			return
		}
		seen[t] = true
		switch u := t.Underlying().(type) {
		case *types.Pointer, *types.Slice, *types.Array, *types.Map, *types.Chan:
			walk(u.(interface{ Elem() types.Type }).Elem())
		case *types.Struct:
			if named, ok := types.Unalias(t).(*types.Named); ok && (named.Obj().Pkg() == nil || !g.follows(named.Obj().Pkg())) {
				return
			}
			for f := range u.Fields() {
				if g.Carries(f.Type()) {
					out = append(out, g.same(f))
				} else {
					walk(f.Type())
				}
			}
		}
	}
	walk(t)
	return out
}

// passes reports whether a function of another package hands its arguments on as they
// are, and looks at no field of them.
func passes(f *types.Func) bool {
	if f.Pkg() == nil {
		return false
	}
	switch f.Pkg().Path() {
	case "slices", "maps", "cmp":
		return true
	}
	return f.Pkg().Path() == RuntimePath && f.Name() == "Some"
}

// Sent are the calls that send what is made, as far as they can hold it.
func (g *Graph) Sent(o *Origin) []*Sink {
	var out []*Sink
	for _, n := range closure(o, g.next) {
		if s, ok := n.(*Sink); ok && g.Reaches(s.Type, o.Type) {
			out = append(out, s)
		}
	}
	return out
}

// Goes reports whether a value gets to a node: to a [Sink] if to is nil.
func (g *Graph) Goes(from, to Node) bool {
	return slices.ContainsFunc(closure(from, g.next), func(n Node) bool {
		_, sink := n.(*Sink)
		return to == nil && sink || to != nil && n == to
	})
}

// Escapes reports whether code that is not read may set fields of a value.
func (g *Graph) Escapes(from Node) bool {
	return slices.ContainsFunc(closure(from, g.next, g.shared), func(n Node) bool { return g.escaped[n] })
}

// Fields are the fields that are set on the way of a value, each with where.
func (g *Graph) Fields(from Node) map[*types.Var][]setting {
	out := map[*types.Var][]setting{}
	for _, n := range closure(from, g.next, g.shared) {
		if v, ok := n.(*types.Var); ok {
			for f, settings := range g.set[v] {
				out[f] = append(out[f], settings...)
			}
		}
	}
	return out
}

// SetBefore are the fields that packages which were not read set before they send a value.
func (g *Graph) SetBefore(from Node) []string {
	var out []string
	for _, n := range closure(from, g.next, g.shared) {
		if s, ok := n.(*Sink); ok {
			out = append(out, s.Sets...)
		}
	}
	return out
}

// Unset are those of the fields that nothing sets. A value that is never seen, or that
// code which is not read may set fields of, has none.
func (g *Graph) Unset(o *Origin, fields []*types.Var) []*types.Var {
	missing := slices.DeleteFunc(slices.Clone(fields), func(f *types.Var) bool { return o.Given[f] })
	if len(missing) == 0 || g.NeverSeen(o) || g.Escapes(o) {
		return nil
	}
	set := g.Fields(o)
	return slices.DeleteFunc(missing, func(f *types.Var) bool {
		return len(set[f]) > 0 && !g.tooLate(o, set[f])
	})
}

// NeverSeen reports whether a zero value is always replaced before it is used.
func (g *Graph) NeverSeen(o *Origin) bool {
	if o.zero != nil {
		return g.replaced[o.zero]
	}
	lit, ok := o.Node.(*ast.CompositeLit)
	return ok && len(lit.Elts) == 0 && slices.ContainsFunc(g.next[o], func(n Node) bool {
		v, ok := n.(*types.Var)
		return ok && g.replaced[v]
	})
}

// tooLate reports whether fields are set only after a variable was sent, in the same
// function and the same iteration of its loops.
func (g *Graph) tooLate(o *Origin, settings []setting) bool {
	for _, holder := range g.next[o] {
		for _, n := range g.next[holder] {
			s, ok := n.(*Sink)
			if ok && s.in == o.in && s.loop == o.loop && !slices.ContainsFunc(settings, func(t setting) bool { return t.in != s.in || t.at < s.end }) {
				return true
			}
		}
	}
	return false
}

// closure returns the nodes that are reachable from a node, itself included.
func closure(from Node, edges ...map[Node][]Node) []Node {
	seen := map[Node]bool{from: true}
	out := []Node{from}
	for i := 0; i < len(out); i++ {
		for _, next := range edges {
			for _, n := range next[out[i]] {
				if !seen[n] {
					seen[n] = true
					out = append(out, n)
				}
			}
		}
	}
	return out
}
