package impact

// One pass over the user's files: every place where a name of a generated package
// is used, and how.

import (
	"go/ast"
	"go/token"
	"go/types"
	"path"
	"strings"

	"golang.org/x/tools/go/packages"

	"github.com/mcpgen/mcpgen/generator"
)

// mode says how a name is used.
type mode int

const (
	refers   mode = iota // a function, type or constant is named
	calls                // a function is called, and its result is used
	drops                // a function is called, and its result is not used
	fakes                // the tool is played by a fake
	reads                // a field's value is taken
	writes               // a field is given a value
	converts             // a value becomes one of the type
	builds               // a struct is made, by a literal or as its zero value
	copies               // a struct is converted from or to one of another type
)

// use is one use of a name.
type use struct {
	file   string
	line   int
	column int
	decl   int // the line that the declaration around it begins on
	mode   mode
	symbol string // what to call it, if not by its name
	// value is what is written or converted, as JSON; "" if that is not known
	// before the program runs.
	value   string
	untyped bool            // it is written as a plain literal, which fits any type of its kind
	via     []string        // the fields, "Type.Field", that its value was reached through, or is put into; as far as known
	fields  map[string]bool // builds: the fields that are given a value
	whole   bool            // builds: the fields have no names, so all have a value
}

// name is a name of a generated package; of a field "Type.Field".
type name struct{ path, name string }

// collector gathers uses.
type collector struct {
	loader *loader
	uses   map[name][]use
	fields map[*types.Package]map[*types.Var]string // of the structs of generated packages
	seen   map[string]bool                          // files: a package and its tests share them

	packages map[string]*types.Package // the generated ones that were met
}

// collect looks at what was loaded; what is said of it is said by the first loader.
func collect(loaders []*loader) *collector {
	l := loaders[0]
	c := &collector{loader: l, uses: map[name][]use{}, fields: map[*types.Package]map[*types.Var]string{}, seen: map[string]bool{}, packages: map[string]*types.Package{}}
	for _, p := range packagesOf(loaders) {
		if p.TypesInfo == nil || strings.HasSuffix(p.ID, ".test") {
			continue
		}
		for _, f := range p.Syntax {
			file := p.Fset.PositionFor(f.Package, false).Filename
			if c.seen[file] || l.generated(file) {
				continue
			}
			c.seen[file] = true
			v := &visitor{collector: c, info: p.TypesInfo, fset: p.Fset}
			v.flow = flowOf(v, f)
			v.visit(f)
		}
	}
	return c
}

func packagesOf(loaders []*loader) []*packages.Package {
	var out []*packages.Package
	for _, l := range loaders {
		out = append(out, l.loaded...)
	}
	return out
}

// outdated names the generated packages that lack a name which is looked for: they
// are not what the lock gives. It reports whether there are any.
func (c *collector) outdated(changes []queried) bool {
	found := false
	for _, h := range changes {
		for _, q := range h.queries {
			pkg := c.packages[h.path]
			if q.symbol.Role == generator.SymbolField || pkg == nil || pkg.Scope().Lookup(q.symbol.Go) != nil {
				continue
			}
			c.loader.problem(h.path, 0, "the generated package lacks "+q.symbol.Go+", so nothing that uses it is found: run mcpgen generate")
			c.packages[h.path] = nil // once
			found = true
		}
	}
	return found
}

// visitor walks one file.
type visitor struct {
	*collector
	info  *types.Info
	fset  *token.FileSet
	flow  *flow
	stack []ast.Node // what contains the node that is looked at
}

func (v *visitor) visit(f *ast.File) {
	ast.PreorderStack(f, nil, func(n ast.Node, stack []ast.Node) bool {
		v.stack = stack
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
			v.call(n)
		case *ast.ValueSpec:
			v.declared(n)
		case *ast.BasicLit:
			v.constant(n)
		}
		return true
	})
}

// parent is what contains the current node, 0 the nearest.
func (v *visitor) parent(up int) ast.Node {
	if i := len(v.stack) - 1 - up; i >= 0 {
		return v.stack[i]
	}
	return nil
}

func (v *visitor) add(n name, at token.Pos, u use) {
	if n.path == "" {
		return
	}
	pos := v.fset.Position(at)
	u.file, u.line, u.column = v.loader.relative(pos.Filename), pos.Line, pos.Column
	if len(v.stack) > 1 {
		u.decl = v.fset.Position(v.stack[1].Pos()).Line
	}
	v.uses[n] = append(v.uses[n], u)
}

func (v *visitor) ident(id *ast.Ident) {
	switch obj := v.info.Uses[id].(type) {
	case *types.Var:
		if n := v.fieldName(obj); n.path != "" {
			v.field(id, n)
		}
	case *types.Func:
		if n := v.funcName(obj); n.path != "" {
			v.add(n, id.Pos(), v.function(id, obj, n))
		}
	case *types.Const:
		v.add(v.declaredName(obj), id.Pos(), use{mode: refers, via: v.context(id, 0)})
	case *types.TypeName:
		v.add(v.declaredName(obj), id.Pos(), use{mode: refers})
	}
}

// function is the use of a function, a method of Client or one of its fake.
func (v *visitor) function(id *ast.Ident, f *types.Func, n name) use {
	switch {
	case f.Signature().Recv() == nil:
		return use{mode: v.called(id)}
	case v.fakeOf(f) != "":
		return use{mode: fakes, symbol: "Fake." + f.Name()}
	}
	return use{mode: v.called(id), symbol: "Client." + n.name}
}

// fakeOf is the path of the generated package whose fake has the method f, or "".
func (c *collector) fakeOf(f *types.Func) string {
	recv := f.Signature().Recv()
	if f.Pkg() == nil || recv == nil || !strings.HasPrefix(f.Name(), "On") {
		return ""
	}
	dir, base := path.Split(f.Pkg().Path())
	dir = strings.TrimSuffix(dir, "/")
	if !c.loader.paths[dir] || base != path.Base(dir)+"test" {
		return ""
	}
	if named, ok := pointee(recv.Type()).(*types.Named); !ok || named.Obj().Name() != "Fake" {
		return ""
	}
	return dir
}

// declaredName is the name of a package-level object of a generated package.
func (c *collector) declaredName(obj types.Object) name {
	if obj.Pkg() == nil || !c.loader.paths[obj.Pkg().Path()] || obj.Parent() != obj.Pkg().Scope() {
		return name{}
	}
	c.packages[obj.Pkg().Path()] = obj.Pkg()
	return name{obj.Pkg().Path(), obj.Name()}
}

// funcName is the name of a generated function, of the method of Client with its
// name, or of the method of an interface that only such a method can be.
func (c *collector) funcName(f *types.Func) name {
	sig := f.Signature()
	if sig.Recv() == nil {
		return c.declaredName(f)
	}
	if f.Pkg() != nil && c.loader.paths[f.Pkg().Path()] {
		if n := c.typeName(sig.Recv().Type()); n.name == "Client" {
			return name{n.path, f.Name()}
		}
		return name{}
	}
	if dir := c.fakeOf(f); dir != "" {
		return name{dir, strings.TrimPrefix(f.Name(), "On")}
	}
	if !types.IsInterface(sig.Recv().Type()) || sig.Params().Len() < 2 {
		return name{}
	}
	args := c.typeName(sig.Params().At(1).Type())
	if args.name == f.Name()+"Args" {
		return name{args.path, f.Name()}
	}
	return name{}
}

// typeName is the name of a generated type; pointers and aliases are followed.
func (c *collector) typeName(t types.Type) name {
	if named, ok := pointee(t).(*types.Named); ok {
		return c.declaredName(named.Obj())
	}
	return name{}
}

// structName is the generated struct that a type is, or that a type of the user
// is defined as.
func (c *collector) structName(t types.Type) name {
	if t == nil {
		return name{}
	}
	s, ok := under(t).(*types.Struct)
	if !ok {
		return name{}
	}
	if n := c.typeName(t); n.path != "" {
		return n
	}
	if s.NumFields() == 0 {
		return name{}
	}
	n := c.fieldName(s.Field(0))
	n.name, _, _ = strings.Cut(n.name, ".")
	return n
}

// fieldName is the name of a field of a generated struct.
func (c *collector) fieldName(f *types.Var) name {
	pkg := f.Pkg()
	if !f.IsField() || pkg == nil || !c.loader.paths[pkg.Path()] {
		return name{}
	}
	known := c.fields[pkg]
	if known == nil {
		known = map[*types.Var]string{}
		for _, typ := range pkg.Scope().Names() {
			obj, ok := pkg.Scope().Lookup(typ).(*types.TypeName)
			if !ok || obj.IsAlias() {
				continue
			}
			if s, ok := obj.Type().Underlying().(*types.Struct); ok {
				for field := range s.Fields() {
					known[field] = typ + "." + field.Name()
				}
			}
		}
		c.fields[pkg] = known
	}
	if known[f] == "" {
		return name{}
	}
	return name{pkg.Path(), known[f]}
}

// called says what happens to a function that is named.
func (v *visitor) called(id *ast.Ident) mode {
	var fun ast.Expr = id
	up := 0
	if sel, ok := v.parent(0).(*ast.SelectorExpr); ok && sel.Sel == id {
		fun, up = sel, 1
	}
	call, ok := v.parent(up).(*ast.CallExpr)
	if !ok || call.Fun != fun {
		return refers
	}
	switch holder := v.parent(up + 1).(type) {
	case *ast.ExprStmt, *ast.GoStmt, *ast.DeferStmt:
		return drops
	case *ast.AssignStmt:
		if first, ok := holder.Lhs[0].(*ast.Ident); ok && len(holder.Rhs) == 1 && first.Name == "_" {
			return drops
		}
	case *ast.ValueSpec:
		if len(holder.Values) == 1 && holder.Names[0].Name == "_" {
			return drops
		}
	}
	return calls
}

// field is a field that is named: as the key of a literal, or behind a value.
func (v *visitor) field(id *ast.Ident, n name) {
	u := use{mode: reads}
	if pair, ok := v.parent(0).(*ast.KeyValueExpr); ok && pair.Key == id {
		u.mode, u.via = writes, v.context(pair, 1)
		u.value, u.untyped = v.value(pair.Value)
	} else if right, ok := v.assigned(); ok {
		u.mode = writes
		if right != nil {
			u.value, u.untyped = v.value(right)
		}
	}
	if sel, ok := v.parent(0).(*ast.SelectorExpr); ok && sel.Sel == id {
		u.via = v.chain(sel.X, 0)
	}
	v.add(n, id.Pos(), u)
}

// assigned reports whether the selector that was just entered is given a value, or
// its address is taken; the value if it is its own.
func (v *visitor) assigned() (ast.Expr, bool) {
	sel, ok := v.parent(0).(*ast.SelectorExpr)
	if !ok {
		return nil, false
	}
	var at ast.Expr = sel
	for up := 1; ; up++ {
		switch holder := v.parent(up).(type) {
		case *ast.SelectorExpr:
			at = holder
		case *ast.IndexExpr:
			if holder.X != at {
				return nil, false
			}
			at = holder
		case *ast.StarExpr:
			at = holder
		case *ast.ParenExpr:
			at = holder
		case *ast.IncDecStmt:
			return nil, true
		case *ast.UnaryExpr:
			return nil, holder.Op == token.AND
		case *ast.AssignStmt:
			for i, left := range holder.Lhs {
				if left != at {
					continue
				}
				if at == sel && len(holder.Lhs) == len(holder.Rhs) && holder.Tok == token.ASSIGN {
					return holder.Rhs[i], true
				}
				return nil, true
			}
			return nil, false
		default:
			return nil, false
		}
	}
}
