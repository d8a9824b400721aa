package code

// Where values go: from the literals that make them, through variables, fields,
// parameters and results of the packages that are read, to the calls that send them.
// The order of statements does not count, so that a field which is set anywhere on the
// way counts as set; what hides behind an interface is not followed.

import (
	"cmp"
	"go/ast"
	"go/token"
	"go/types"
	"maps"
	"slices"
)

// Node is a *types.Var that holds values, an [*Origin], a [*Sink], or a [*Returned]. A
// field of a struct that is not generated is one node for all its structs; a part of
// anything else is the whole.
type Node any

// Origin is the place where a generated struct is created.
type Origin struct {
	ast.Node // a literal, new(T), or the name of a variable without a value
	Type     *types.Named
	Given    map[*types.Var]bool // fields that the literal sets

	zero     *types.Var // the variable that starts with the zero value
	in, loop ast.Node   // the function and the innermost loop of it around
}

// Sink is a value that a generated call sends.
type Sink struct {
	Type types.Type
	Sets []string // fields that are set before it is sent, by a package that was not read

	end      token.Pos // of the call
	in, loop ast.Node
}

// Returned is the result of a call of a generated function.
type Returned struct{ Call *ast.CallExpr }

// Facts describe functions in packages that are not read.
type Facts interface {
	// Sends reports whether what a parameter is given gets sent, and which fields are
	// set on the way.
	Sends(param *types.Var) (sets []string, ok bool)
	// Makes is the generated struct that a result is or holds, and whether a field of it
	// is set; nil if nothing is known.
	Makes(result *types.Var) (made *types.Named, sets func(field *types.Var) bool)
}

// setting is a statement that sets a field.
type setting struct {
	at token.Pos
	in ast.Node
}

// Graph describes the flow of values.
type Graph struct {
	*Reader
	facts   Facts
	follows func(pkg *types.Package) bool // the package is read

	next     map[Node][]Node // where a value goes
	shared   map[Node][]Node // what holds the same memory
	set      map[*types.Var]map[*types.Var][]setting
	escaped  map[Node]bool       // code that is not read may set any field
	replaced map[*types.Var]bool // the first value may never be seen
	origins  map[ast.Node]*Origin
	sources  map[*types.Var][]source
	tested   map[*types.Var]bool   // used in a condition
	dynamic  map[string]bool       // names of methods that are called through interfaces
	method   map[*types.Var]string // the methods that parameters belong to, by name
	results  map[*types.Var]bool   // of functions that are read
	left     map[Node]bool         // goes to where no field is read by its name
	returned map[*ast.CallExpr]*Returned
	written  map[*ast.Ident]ast.Expr       // fields behind selectors that get a value, which is nil if it is not their own
	same     func(v *types.Var) *types.Var // one variable of those that stand for it

	stack []ast.Node // around the node that is looked at
}

// NewGraph follows the values of the files. Nil facts know nothing.
func NewGraph(r *Reader, facts Facts, follows func(pkg *types.Package) bool) *Graph {
	return newGraph(r, facts, follows, (*types.Var).Origin)
}

func newGraph(r *Reader, facts Facts, follows func(pkg *types.Package) bool, same func(v *types.Var) *types.Var) *Graph {
	g := &Graph{
		Reader: r, facts: facts, follows: follows, same: same,
		next: map[Node][]Node{}, shared: map[Node][]Node{}, set: map[*types.Var]map[*types.Var][]setting{},
		escaped: map[Node]bool{}, replaced: map[*types.Var]bool{}, origins: map[ast.Node]*Origin{},
		sources: map[*types.Var][]source{}, tested: map[*types.Var]bool{}, dynamic: map[string]bool{}, method: map[*types.Var]string{}, results: map[*types.Var]bool{},
		left: map[Node]bool{}, returned: map[*ast.CallExpr]*Returned{}, written: map[*ast.Ident]ast.Expr{},
	}
	r.Inspect(func(n ast.Node, stack []ast.Node) bool {
		g.stack = stack
		g.visit(n)
		return true
	})
	return g
}

// Origins are the places where structs are made, in the order of the files.
func (g *Graph) Origins() []*Origin {
	return slices.SortedFunc(maps.Values(g.origins), func(a, b *Origin) int { return cmp.Compare(a.Pos(), b.Pos()) })
}

// OriginAt is the place where a node makes a struct that goes somewhere; nil if it does not.
func (g *Graph) OriginAt(n ast.Node) *Origin { return g.origins[n] }

// madeOf returns the struct that t is, if it is a generated one or is defined as one.
func (g *Graph) madeOf(t types.Type) *types.Named {
	named, ok := types.Unalias(t).(*types.Named)
	if !ok || g.Struct(t).Path == "" {
		return nil
	}
	return named
}

// function is the function around the current node, and the innermost loop of it.
func (g *Graph) function() (in, loop ast.Node) {
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

func (g *Graph) visit(n ast.Node) {
	switch n := n.(type) {
	case *ast.FuncDecl, *ast.FuncLit:
		g.enter(n)
	case *ast.AssignStmt:
		g.assign(n)
	case *ast.ValueSpec:
		g.declare(n)
	case *ast.RangeStmt:
		for _, e := range []ast.Expr{n.Key, n.Value} {
			if e != nil && (e == n.Value || isChan(g.Info.TypeOf(n.X))) {
				g.mark(e, nil)
				g.link(g.target(e), n.X)
			} else if e != nil {
				g.hide(e)
			}
		}
	case *ast.TypeSwitchStmt:
		g.typeSwitch(n)
	case *ast.IfStmt:
		g.test(n.Cond)
	case *ast.ForStmt:
		g.test(n.Cond)
	case *ast.SwitchStmt:
		g.test(n.Tag)
	case *ast.CaseClause:
		for _, e := range n.List {
			g.test(e)
		}
	case *ast.SendStmt:
		g.link(g.target(n.Chan), n.Value)
	case *ast.IncDecStmt:
		g.mark(n.X, nil)
		g.hide(n.X)
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

// enter notes the parameters and results of a function.
func (g *Graph) enter(n ast.Node) {
	sig := g.signature(n)
	if sig == nil {
		return
	}
	for result := range sig.Results().Variables() {
		g.results[g.same(result)] = true
	}
	if decl, ok := n.(*ast.FuncDecl); ok && decl.Recv != nil {
		for param := range sig.Params().Variables() {
			g.method[g.same(param)] = decl.Name.Name
		}
	}
}

// test notes the variables of a condition.
func (g *Graph) test(cond ast.Expr) {
	if cond == nil {
		return
	}
	ast.Inspect(cond, func(n ast.Node) bool {
		if id, ok := n.(*ast.Ident); ok {
			if v := g.variable(id); v != nil {
				g.tested[v] = true
			}
		}
		return true
	})
}

func (g *Graph) typeSwitch(n *ast.TypeSwitchStmt) {
	assign, ok := n.Assign.(*ast.AssignStmt)
	if !ok {
		return
	}
	for _, clause := range n.Body.List {
		if v, ok := g.Info.Implicits[clause].(*types.Var); ok {
			g.link(v, assign.Rhs[0])
		}
	}
}

func (g *Graph) assign(n *ast.AssignStmt) {
	for i, left := range n.Lhs {
		var right ast.Expr
		if len(n.Lhs) == len(n.Rhs) && n.Tok == token.ASSIGN {
			right = n.Rhs[i]
		}
		g.mark(left, right)
		if v, ok := g.target(left).(*types.Var); ok && n.Tok == token.ASSIGN && isIdent(left) {
			g.replaced[v] = true
		}
		if n.Tok != token.ASSIGN && n.Tok != token.DEFINE {
			g.hide(left)
		}
		g.linkResult(g.target(left), g.Info.TypeOf(left), n.Rhs, i, len(n.Lhs))
	}
}

// linkResult is the value that the i-th of several targets gets.
func (g *Graph) linkResult(to Node, t types.Type, right []ast.Expr, i, n int) {
	if len(right) == n {
		g.link(to, right[i])
	} else if len(right) == 1 {
		if call, ok := ast.Unparen(right[0]).(*ast.CallExpr); ok {
			g.pass(to, g.result(call, i), t)
		} else if i == 0 { // v, ok := m[k]
			g.link(to, right[0])
		}
	}
}

func (g *Graph) declare(n *ast.ValueSpec) {
	for i, id := range n.Names {
		v, ok := g.Info.Defs[id].(*types.Var)
		switch {
		case !ok:
		case len(n.Values) > 0:
			g.linkResult(g.target(id), g.Info.TypeOf(id), n.Values, i, len(n.Names))
		default:
			v = g.same(v)
			g.sources[v] = append(g.sources[v], source{zero: true})
			if named := g.madeOf(v.Type()); named != nil {
				o := g.origin(id, named)
				o.zero = v
				g.edge(v, o, v.Type())
			}
		}
	}
}

// returns follows the results of a function. Results returned with an error are not used.
func (g *Graph) returns(n *ast.ReturnStmt) {
	in, _ := g.function()
	sig := g.signature(in)
	if sig == nil || len(n.Results) == 0 {
		return
	}
	last := g.Info.Types[n.Results[len(n.Results)-1]]
	if len(n.Results) > 1 && !last.IsNil() && last.Type != nil && IsError(last.Type) {
		return
	}
	for i := range sig.Results().Len() {
		result := sig.Results().At(i)
		g.linkResult(result, result.Type(), n.Results, i, sig.Results().Len())
	}
}

func (g *Graph) signature(in ast.Node) *types.Signature {
	switch in := in.(type) {
	case *ast.FuncDecl:
		if f, ok := g.Info.Defs[in.Name].(*types.Func); ok {
			return f.Signature()
		}
	case *ast.FuncLit:
		sig, _ := g.Info.TypeOf(in).(*types.Signature)
		return sig
	}
	return nil
}

// literal is a literal of a struct that is not generated: its fields are nodes. What is
// an element of an interface type leaves.
func (g *Graph) literal(n *ast.CompositeLit) {
	t := g.Info.TypeOf(n)
	if t == nil {
		return
	}
	if list, ok := Under(t).(interface{ Elem() types.Type }); ok && types.IsInterface(list.Elem()) && !g.IsUnion(list.Elem()) {
		for _, e := range n.Elts {
			if pair, ok := e.(*ast.KeyValueExpr); ok {
				e = pair.Value
			}
			g.leave(e)
		}
	}
	if g.madeOf(Pointee(t)) != nil {
		return
	}
	for v, value := range g.FieldValues(n) {
		g.link(v.Origin(), value)
	}
}

// call is a call: it sends its arguments, or hands them to a function that is read, or
// to something that is not followed.
func (g *Graph) call(n *ast.CallExpr) {
	if t := g.Info.Types[n.Fun]; t.IsType() {
		if basic, ok := t.Type.Underlying().(*types.Basic); ok && basic.Kind() == types.UnsafePointer && len(n.Args) == 1 {
			g.escape(n.Args[0])
		}
		if types.IsInterface(t.Type) && len(n.Args) == 1 && !g.IsUnion(t.Type) {
			g.leave(n.Args[0])
		}
		return
	}
	if id, ok := ast.Unparen(n.Fun).(*ast.Ident); ok && g.Info.Types[n.Fun].IsBuiltin() {
		if id.Name == "copy" && len(n.Args) == 2 {
			g.link(g.target(n.Args[0]), n.Args[1])
		}
		return
	}
	f, sig := g.Callee(n)
	if sig == nil {
		return
	}
	sends := g.IsCall(f, sig)
	follows := f != nil && g.follows(f.Pkg()) && !isInterfaceMethod(f)
	if f != nil && isInterfaceMethod(f) {
		g.dynamic[f.Name()] = true
	}
	if sel, ok := ast.Unparen(n.Fun).(*ast.SelectorExpr); ok && f != nil && sig.Recv() != nil {
		if follows {
			g.link(sig.Recv(), sel.X)
		} else if IsPointer(sig.Recv().Type()) {
			g.escape(sel.X)
		}
	}
	in, loop := g.function()
	for i, arg := range n.Args {
		param := paramOf(sig, i)
		if param == nil {
			continue
		}
		var sets []string
		sent := sends
		if !sends && !follows && g.facts != nil && param.Pkg() != nil {
			sets, sent = g.facts.Sends(param)
		}
		if sent {
			g.link(&Sink{Type: param.Type(), Sets: sets, end: n.End(), in: in, loop: loop}, arg)
			if f == nil {
				g.sources[g.same(param)] = append(g.sources[g.same(param)], source{expr: arg})
			}
			continue
		}
		g.link(param, arg)
		if t := g.Info.TypeOf(arg); !follows && t != nil {
			if isReference(t) {
				g.escape(arg)
			}
			if f != nil && !passes(f) {
				g.leave(arg)
			}
		}
	}
}

// escape notes what code that is not read may change.
func (g *Graph) escape(e ast.Expr) {
	for _, n := range g.values(e) {
		g.escaped[n] = true
	}
	for _, f := range g.parts(g.Info.TypeOf(e)) {
		g.escaped[f] = true
	}
}

// link lets the values of an expression go to a node.
func (g *Graph) link(to Node, e ast.Expr) {
	if to == nil {
		return
	}
	t := g.Info.TypeOf(e)
	for _, from := range g.values(e) {
		g.edge(to, from, t)
	}
	v, ok := to.(*types.Var)
	if !ok || t == nil {
		return
	}
	v = g.same(v)
	g.sources[v] = append(g.sources[v], source{expr: e})
	if _, generic := v.Type().(*types.TypeParam); (generic || types.IsInterface(v.Type())) && !g.IsUnion(v.Type()) {
		g.leave(e)
	}
	is, ok1 := t.Underlying().(*types.Signature)
	want, ok2 := v.Type().Underlying().(*types.Signature)
	if f, _ := g.Callee(&ast.CallExpr{Fun: e}); f != nil {
		is = f.Signature()
		if !ok2 { // whoever gets it may call it with anything
			for param := range is.Params().Variables() {
				g.sources[g.same(param)] = append(g.sources[g.same(param)], source{})
			}
		}
	}
	if ok1 && ok2 && is != want && is.Params().Len() == want.Params().Len() && is.Results().Len() == want.Results().Len() {
		for i := range is.Params().Len() {
			g.pass(is.Params().At(i), want.Params().At(i), is.Params().At(i).Type())
		}
		for i := range is.Results().Len() {
			g.pass(want.Results().At(i), is.Results().At(i), is.Results().At(i).Type())
		}
	}
}

// pass lets what a node holds go to another one, which gets nothing else of it.
func (g *Graph) pass(to, from Node, t types.Type) {
	g.edge(to, from, t)
	if v, ok := to.(*types.Var); ok && to != from {
		of, _ := from.(*types.Var)
		g.sources[g.same(v)] = append(g.sources[g.same(v)], source{of: of})
	}
}

// hide notes that an expression gets a value that is not followed.
func (g *Graph) hide(e ast.Expr) {
	if v, ok := g.target(e).(*types.Var); ok {
		g.sources[v] = append(g.sources[v], source{})
	}
}

// edge lets a value go to a node. If it is a reference, both hold the same memory.
func (g *Graph) edge(to, from Node, t types.Type) {
	if v, ok := to.(*types.Var); ok {
		to = g.same(v)
	}
	if v, ok := from.(*types.Var); ok {
		from = g.same(v)
	}
	if to == nil || from == nil || to == from || t != nil && isPlain(t) {
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
