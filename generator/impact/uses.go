package impact

// One pass over the user's files: every place where a name of a generated package
// is used, and how.

import (
	"go/ast"
	"go/token"
	"go/types"

	"github.com/mcpgen/mcpgen/generator/internal/code"
	"github.com/mcpgen/mcpgen/generator/internal/decide"
)

// mode is the way in which a name is used.
type mode int

const (
	refers   mode = iota // a function, type or constant is named
	calls                // a function is called, and its result is used
	drops                // a function is called, and its result is not used
	fakes                // the tool is implemented by a fake
	reads                // a field's value is taken
	writes               // a field is given a value
	converts             // a value becomes one of the type
	builds               // a struct is made, by a literal or as its zero value
	copies               // a struct is converted from or to one of another type
	requests             // an item is named by a constant
)

// use is one use of a name.
type use struct {
	file   string
	line   int
	column int
	decl   int // the line that the declaration around it begins on
	mode   mode
	symbol string // what to call it, if not by its name
	// value is the written or converted value, as JSON; "" if it is unknown
	// before the program runs. One of several has a use for each. Without sure something
	// may keep it from being sent.
	value   string
	sure    bool
	untyped bool            // it is written as a plain literal, which fits any type of its kind
	via     []string        // the known fields, "Type.Field", that its value was reached through, or is put into
	fields  map[string]bool // builds: the fields that are given a value
	perhaps []string        // builds: the fields that get a value only on some paths
	whole   bool            // builds: the fields have no names, so all have a value
	// sends and reads say of a call that what it sends, or what it returns, is not known by
	// its fields; sends of a struct that other code may set fields of it.
	sends, reads bool
	args         string // requests: the arguments as JSON; "" if they are not known
}

// name is a name of a generated package; of a field "Type.Field".
type name = code.Name

// collector gathers uses.
type collector struct {
	loader   *code.Loader
	uses     map[name][]use
	packages map[string]*types.Package // the generated ones that were met
}

// collect looks at what was read. The loader reports problems.
func collect(l *code.Loader, units []*code.Unit, known map[string]*table) *collector {
	c := &collector{loader: l, uses: map[name][]use{}, packages: map[string]*types.Package{}}
	for _, u := range units {
		v := &visitor{collector: c, Unit: u}
		v.visit()
		v.requests(known)
	}
	return c
}

// source is a line of the code; "" if there is only a record.
func (c *collector) source(file string, line int) string {
	if c.loader == nil {
		return ""
	}
	return c.loader.Line(file, line)
}

// outdated names the generated packages that lack a name which is looked for: they
// are not what the lock gives. It reports whether there are any.
func (c *collector) outdated(changes []queried) bool {
	found := false
	for _, h := range changes {
		for _, q := range h.queries {
			pkg := c.packages[h.path]
			if q.symbol.Role == decide.RoleField || pkg == nil || pkg.Scope().Lookup(q.symbol.Go) != nil {
				continue
			}
			c.loader.Problem(h.path, 0,
				"the generated package lacks "+q.symbol.Go+", so nothing that uses it is found: run mcpgen generate")
			c.packages[h.path] = nil // once
			found = true
		}
	}
	return found
}

// visitor walks the files of one unit.
type visitor struct {
	*collector
	*code.Unit
	stack []ast.Node // the ancestors of the current node
}

func (v *visitor) visit() {
	v.Inspect(func(n ast.Node, stack []ast.Node) bool {
		v.stack = stack
		v.zero(n)
		switch n := n.(type) {
		case *ast.Ident:
			v.ident(n)
			v.named(n, n)
		case *ast.SelectorExpr:
			v.named(n, n.Sel)
		case *ast.BinaryExpr:
			v.constant(n)
		case *ast.UnaryExpr:
			v.constant(n)
		case *ast.CompositeLit:
			v.literal(n)
		case *ast.CallExpr:
			v.conversion(n)
		case *ast.BasicLit:
			v.constant(n)
		}
		return true
	})
}

// parent returns the up-th ancestor of the current node; 0 is the nearest.
func (v *visitor) parent(up int) ast.Node {
	if i := len(v.stack) - 1 - up; i >= 0 {
		return v.stack[i]
	}
	return nil
}

func (v *visitor) add(n name, at token.Pos, u use) {
	if n.Path == "" {
		return
	}
	pos := v.Fset.Position(at)
	u.file, u.line, u.column = v.loader.Relative(pos.Filename), pos.Line, pos.Column
	if len(v.stack) > 1 {
		u.decl = v.Fset.Position(v.stack[1].Pos()).Line
	}
	v.uses[n] = append(v.uses[n], u)
}

func (v *visitor) ident(id *ast.Ident) {
	obj := v.Info.Uses[id]
	if obj != nil && obj.Pkg() != nil && v.loader.Paths[obj.Pkg().Path()] && v.packages[obj.Pkg().Path()] == nil {
		v.packages[obj.Pkg().Path()] = obj.Pkg()
	}
	switch obj := obj.(type) {
	case nil:
		v.add(v.Missing(id, v.parent(0), v.parent(1)), id.Pos(), use{mode: refers})
	case *types.Var:
		if n := v.Field(obj); n.Path != "" {
			v.field(id, n)
		}
	case *types.Func:
		if n := v.Func(obj); n.Path != "" {
			v.add(n, id.Pos(), v.function(id, obj, n))
		}
	case *types.Const:
		v.add(v.Declared(obj), id.Pos(), use{mode: refers, via: v.context(id, 0)})
	case *types.TypeName:
		v.add(v.Declared(obj), id.Pos(), use{mode: refers})
	}
}

// function is the use of a function, a method of Client or one of its fake.
func (v *visitor) function(id *ast.Ident, f *types.Func, n name) use {
	if v.Fake(f) != "" {
		return use{mode: fakes, symbol: "Fake." + f.Name()}
	}
	u := use{}
	if f.Signature().Recv() != nil {
		u.symbol = "Client." + n.Name
	}
	var call *ast.CallExpr
	u.mode, call = v.called(id)
	sig := f.Signature()
	switch {
	case call == nil:
		u.sends = sig.Params().Len() > 1 && v.OpenParam(sig.Params().At(1))
		u.reads = sig.Results().Len() > 0 && v.LeavesResult(sig.Results().At(0))
	default:
		u.sends = len(call.Args) == 1 && sig.Params().Len() > 1 || len(call.Args) > 1 && v.Open(call.Args[1])
		u.reads = u.mode == calls && v.Leaves(call)
	}
	return u
}

// called describes how a named function is used, with its call.
func (v *visitor) called(id *ast.Ident) (mode, *ast.CallExpr) {
	var fun ast.Expr = id
	up := 0
	if sel, ok := v.parent(0).(*ast.SelectorExpr); ok && sel.Sel == id {
		fun, up = sel, 1
	}
	call, ok := v.parent(up).(*ast.CallExpr)
	if !ok || call.Fun != fun {
		return refers, nil
	}
	switch holder := v.parent(up + 1).(type) {
	case *ast.ExprStmt, *ast.GoStmt, *ast.DeferStmt:
		return drops, call
	case *ast.AssignStmt:
		if first, ok := holder.Lhs[0].(*ast.Ident); ok && len(holder.Rhs) == 1 && first.Name == "_" {
			return drops, call
		}
	case *ast.ValueSpec:
		if len(holder.Values) == 1 && holder.Names[0].Name == "_" {
			return drops, call
		}
	}
	return calls, call
}

// field is a field that is named: as the key of a literal, or behind a value.
func (v *visitor) field(id *ast.Ident, n name) {
	u := use{mode: reads}
	var value ast.Expr
	if pair, ok := v.parent(0).(*ast.KeyValueExpr); ok && pair.Key == id {
		u.mode, u.via, value = writes, v.context(pair, 1), pair.Value
	} else if right, ok := v.Assigned(id); ok {
		u.mode, value = writes, right
	}
	if sel, ok := v.parent(0).(*ast.SelectorExpr); ok && sel.Sel == id {
		u.via = v.chain(sel.X, 0)
	}
	v.addValues(n, id.Pos(), u, value)
}
