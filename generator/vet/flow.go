package vet

// Where values go: from the literals that make them, through variables, fields,
// parameters and results of one package, to the calls that send them. The order of
// statements does not count, so that a field which is set anywhere on the way counts
// as set; what leaves the package or hides behind an interface is not followed.

import (
	"go/ast"
	"go/token"
	"go/types"
	"slices"
)

// node is a *types.Var that holds values, an *origin or a *sink. A field of a struct
// that is not generated is one node for all its structs; a part of anything else is
// the whole.
type node any

// origin is where a generated struct is made.
type origin struct {
	ast.Node // a literal, new(T), or the name of a variable without a value
	typ      *types.Named
	given    map[*types.Var]bool // fields that the literal sets
	zero     *types.Var          // the variable that starts with the zero value
	in, loop ast.Node            // the function and the innermost loop of it around
}

// sink is a value that a generated call sends.
type sink struct {
	typ      types.Type
	sets     []string  // fields that are set before it is sent, by another package
	end      token.Pos // of the call
	in, loop ast.Node
}

// setting is a statement that sets a field.
type setting struct {
	at token.Pos
	in ast.Node
}

// graph is what flows where in a package.
type graph struct {
	*checker
	next     map[node][]node // where a value goes
	shared   map[node][]node // what holds the same memory
	set      map[*types.Var]map[*types.Var][]setting
	escaped  map[node]bool       // code that is not analyzed may set any field
	replaced map[*types.Var]bool // the first value may never be seen
	origins  map[ast.Node]*origin

	stack []ast.Node // around the node that is looked at
}

// graphOf follows the values of the files that mcpgen did not write.
func graphOf(c *checker) *graph {
	g := &graph{
		checker: c, next: map[node][]node{}, shared: map[node][]node{}, set: map[*types.Var]map[*types.Var][]setting{},
		escaped: map[node]bool{}, replaced: map[*types.Var]bool{}, origins: map[ast.Node]*origin{},
	}
	c.inspect(func(n ast.Node, stack []ast.Node) bool {
		g.stack = stack
		g.visit(n)
		return true
	})
	return g
}

// function is the function around the current node, and the innermost loop of it.
func (g *graph) function() (in, loop ast.Node) {
	for _, n := range slices.Backward(g.stack) {
		switch n.(type) {
		case *ast.ForStmt, *ast.RangeStmt:
			if loop == nil {
				loop = n
			}
		case *ast.FuncDecl, *ast.FuncLit:
			return n, loop
		}
	}
	return nil, loop
}

func (g *graph) visit(n ast.Node) {
	switch n := n.(type) {
	case *ast.AssignStmt:
		g.assign(n)
	case *ast.ValueSpec:
		g.declare(n)
	case *ast.RangeStmt:
		for _, e := range []ast.Expr{n.Key, n.Value} {
			if e != nil && (e == n.Value || isChan(g.TypesInfo.TypeOf(n.X))) {
				g.mark(e, nil)
				g.link(g.target(e), n.X)
			}
		}
	case *ast.SendStmt:
		g.link(g.target(n.Chan), n.Value)
	case *ast.IncDecStmt:
		g.mark(n.X, nil)
	case *ast.ReturnStmt:
		g.returns(n)
	case *ast.UnaryExpr:
		if n.Op == token.AND {
			g.mark(n.X, nil)
		}
	case *ast.CallExpr:
		g.call(n)
	case *ast.CompositeLit:
		g.literal(n)
	}
}

func (g *graph) assign(n *ast.AssignStmt) {
	for i, left := range n.Lhs {
		var right ast.Expr
		if len(n.Lhs) == len(n.Rhs) {
			right = n.Rhs[i]
		}
		g.mark(left, right)
		if v, ok := g.target(left).(*types.Var); ok && n.Tok == token.ASSIGN && isIdent(left) {
			g.replaced[v] = true
		}
		g.linkResult(left, n.Rhs, i, len(n.Lhs))
	}
}

// linkResult is the value that the i-th of several targets gets.
func (g *graph) linkResult(left ast.Expr, right []ast.Expr, i, n int) {
	switch {
	case len(right) == n:
		g.link(g.target(left), right[i])
	case len(right) != 1:
	default:
		if call, ok := ast.Unparen(right[0]).(*ast.CallExpr); ok {
			g.edge(g.target(left), g.result(call, i), g.TypesInfo.TypeOf(left))
		} else if i == 0 { // v, ok := m[k]
			g.link(g.target(left), right[0])
		}
	}
}

func (g *graph) declare(n *ast.ValueSpec) {
	for i, id := range n.Names {
		v, ok := g.TypesInfo.Defs[id].(*types.Var)
		switch {
		case !ok:
		case len(n.Values) > 0:
			g.linkResult(id, n.Values, i, len(n.Names))
		default:
			if named, _ := g.known.structOf(v.Type()); named != nil {
				o := g.origin(id, named)
				o.zero = v
				g.edge(v, o, v.Type())
			}
		}
	}
}

// returns follows the results of a function. Results beside an error are not used.
func (g *graph) returns(n *ast.ReturnStmt) {
	in, _ := g.function()
	sig := g.signature(in)
	if sig == nil || len(n.Results) == 0 {
		return
	}
	last := g.TypesInfo.Types[n.Results[len(n.Results)-1]]
	if len(n.Results) > 1 && !last.IsNil() && last.Type != nil && isError(last.Type) {
		return
	}
	for i := range sig.Results().Len() {
		switch {
		case len(n.Results) == sig.Results().Len():
			g.link(sig.Results().At(i), n.Results[i])
		case len(n.Results) == 1:
			if call, ok := ast.Unparen(n.Results[0]).(*ast.CallExpr); ok {
				g.edge(sig.Results().At(i), g.result(call, i), sig.Results().At(i).Type())
			}
		}
	}
}

func (g *graph) signature(in ast.Node) *types.Signature {
	switch in := in.(type) {
	case *ast.FuncDecl:
		if f, ok := g.TypesInfo.Defs[in.Name].(*types.Func); ok {
			return f.Signature()
		}
	case *ast.FuncLit:
		sig, _ := g.TypesInfo.TypeOf(in).(*types.Signature)
		return sig
	}
	return nil
}

// literal is a literal of a struct that is not generated: its fields are nodes.
func (g *graph) literal(n *ast.CompositeLit) {
	t := g.TypesInfo.TypeOf(n)
	if t == nil {
		return
	}
	s, ok := pointee(t).Underlying().(*types.Struct)
	if named, _ := g.known.structOf(pointee(t)); !ok || named != nil {
		return
	}
	for i, e := range n.Elts {
		if pair, ok := e.(*ast.KeyValueExpr); ok {
			if key, ok := pair.Key.(*ast.Ident); ok {
				if v, ok := g.TypesInfo.Uses[key].(*types.Var); ok {
					g.link(v.Origin(), pair.Value)
				}
			}
		} else if i < s.NumFields() {
			g.link(s.Field(i).Origin(), e)
		}
	}
}

// call is a call: it sends its arguments, or hands them to a function of the package,
// or to something that is not followed.
func (g *graph) call(n *ast.CallExpr) {
	if t := g.TypesInfo.Types[n.Fun]; t.IsType() {
		if basic, ok := t.Type.Underlying().(*types.Basic); ok && basic.Kind() == types.UnsafePointer && len(n.Args) == 1 {
			g.escape(n.Args[0])
		}
		return
	}
	if id, ok := ast.Unparen(n.Fun).(*ast.Ident); ok && g.TypesInfo.Types[n.Fun].IsBuiltin() {
		if id.Name == "copy" && len(n.Args) == 2 {
			g.link(g.target(n.Args[0]), n.Args[1])
		}
		return
	}
	f, sig := g.calleeOf(n)
	if sig == nil {
		return
	}
	sends := g.known.isCall(f, sig)
	follows := f != nil && f.Pkg() == g.Pkg && !isInterfaceMethod(f)
	if sel, ok := ast.Unparen(n.Fun).(*ast.SelectorExpr); ok && f != nil && sig.Recv() != nil {
		if follows {
			g.link(sig.Recv(), sel.X)
		} else if isPointer(sig.Recv().Type()) {
			g.escape(sel.X)
		}
	}
	in, loop := g.function()
	for i, arg := range n.Args {
		param := paramOf(sig, i)
		var fact Sends
		switch {
		case param == nil:
		case sends, !follows && param.Pkg() != nil && g.ImportObjectFact(param, &fact):
			g.link(&sink{typ: param.Type(), sets: fact.Sets, end: n.End(), in: in, loop: loop}, arg)
		default:
			g.link(param, arg)
			if t := g.TypesInfo.TypeOf(arg); !follows && t != nil && isReference(t) {
				g.escape(arg)
			}
		}
	}
}

func (g *graph) escape(e ast.Expr) {
	for _, n := range g.values(e) {
		g.escaped[n] = true
	}
}

// link lets the values of an expression go to a node.
func (g *graph) link(to node, e ast.Expr) {
	if to == nil {
		return
	}
	t := g.TypesInfo.TypeOf(e)
	for _, from := range g.values(e) {
		g.edge(to, from, t)
	}
	v, ok := to.(*types.Var)
	if !ok || t == nil {
		return
	}
	is, ok1 := t.Underlying().(*types.Signature)
	want, ok2 := v.Type().Underlying().(*types.Signature)
	if f, _ := g.calleeOf(&ast.CallExpr{Fun: e}); f != nil {
		is = f.Signature()
	}
	if ok1 && ok2 && is != want && is.Params().Len() == want.Params().Len() && is.Results().Len() == want.Results().Len() {
		for i := range is.Params().Len() {
			g.edge(is.Params().At(i), want.Params().At(i), is.Params().At(i).Type())
		}
		for i := range is.Results().Len() {
			g.edge(want.Results().At(i), is.Results().At(i), is.Results().At(i).Type())
		}
	}
}

// edge lets a value go to a node. If it is a reference, both hold the same memory.
func (g *graph) edge(to, from node, t types.Type) {
	if to == nil || from == nil || to == from {
		return
	}
	g.next[from] = append(g.next[from], to)
	if t == nil {
		return
	}
	if isReference(t) {
		g.shared[to] = append(g.shared[to], from)
	}
}

// isReference reports whether who gets a value of a type can change what others hold.
func isReference(t types.Type) bool {
	switch types.Unalias(t).Underlying().(type) {
	case *types.Pointer, *types.Slice, *types.Map, *types.Chan, *types.Interface:
		return true
	}
	return false
}
