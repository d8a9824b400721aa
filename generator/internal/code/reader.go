// Package code is the one analysis of a user's code: which packages are generated, what
// their names are, where values go from the literals that make them to the calls that
// send them, which constants a value may be, and which requests name an item by a
// constant. What changes of servers break, what has to be rewritten, mistakes in calls
// and the permissions that code needs are all read from it.
//
// It reads one package with facts about others, as an analyzer does, or all packages of
// a module at once, which [Loader] loads from their source.
package code

import (
	"go/ast"
	"go/types"
	"iter"
	"path"
	"strconv"
	"strings"

	"golang.org/x/tools/go/types/typeutil"
)

// RuntimePath is the import path of the package that all generated ones import.
const RuntimePath = "github.com/mcpgen/mcpgen/runtime"

// Name is a name of a generated package; of a field "Type.Field".
type Name struct{ Path, Name string }

// Reader knows what is generated.
type Reader struct {
	Info  *types.Info
	Files []*ast.File // without the generated ones
	// Generated reports whether a package calls a server.
	Generated func(pkg *types.Package) bool

	fields map[*types.Package]map[*types.Var]string
}

// Inspect visits the files. Stack holds the nodes around a node; visit reports whether to
// look inside of it.
func (r *Reader) Inspect(visit func(n ast.Node, stack []ast.Node) bool) {
	for _, f := range r.Files {
		ast.PreorderStack(f, nil, visit)
	}
}

// Declared is the name of a package-level object of a generated package; the zero
// value for all others.
func (r *Reader) Declared(obj types.Object) Name {
	if obj.Pkg() == nil || obj.Parent() != obj.Pkg().Scope() || !r.Generated(obj.Pkg()) {
		return Name{}
	}
	return Name{obj.Pkg().Path(), obj.Name()}
}

// Func is the name of a generated function, of the method of Client with its name, or
// of the method of an interface or a fake that only such a method can be.
func (r *Reader) Func(f *types.Func) Name {
	sig := f.Signature()
	if sig.Recv() == nil {
		return r.Declared(f)
	}
	if f.Pkg() != nil && r.Generated(f.Pkg()) {
		if n := r.Type(sig.Recv().Type()); n.Name == "Client" {
			return Name{n.Path, f.Name()}
		}
		return Name{}
	}
	if dir := r.Fake(f); dir != "" {
		return Name{dir, strings.TrimPrefix(f.Name(), "On")}
	}
	if !types.IsInterface(sig.Recv().Type()) {
		return Name{}
	}
	return r.StandIn(f)
}

// StandIn is the name of the generated function whose name and arguments a method has,
// so that its type can take the place of a Client; the zero value for other methods.
func (r *Reader) StandIn(f *types.Func) Name {
	sig := f.Signature()
	if sig.Recv() == nil || sig.Params().Len() < 2 {
		return Name{}
	}
	if args := r.Type(sig.Params().At(1).Type()); args.Name == f.Name()+"Args" {
		return Name{args.Path, f.Name()}
	}
	return Name{}
}

// Fake is the path of the generated package whose fake has the method f, or "".
func (r *Reader) Fake(f *types.Func) string {
	recv := f.Signature().Recv()
	if f.Pkg() == nil || recv == nil || !strings.HasPrefix(f.Name(), "On") {
		return ""
	}
	return r.fakeOf(recv.Type())
}

// fakeOf is the path of the generated package whose fake a type is, or "".
func (r *Reader) fakeOf(t types.Type) string {
	named, ok := Pointee(t).(*types.Named)
	if !ok || named.Obj().Pkg() == nil {
		return ""
	}
	dir, base := path.Split(named.Obj().Pkg().Path())
	dir = strings.TrimSuffix(dir, "/")
	if named.Obj().Name() != "Fake" || base != path.Base(dir)+"test" || !r.Generated(types.NewPackage(dir, "")) {
		return ""
	}
	return dir
}

// Missing returns the generated name that an undefined identifier stands for: a name of a
// package, a member of a value, or the key of a literal. Parent contains the identifier, and
// above contains parent.
func (r *Reader) Missing(id *ast.Ident, parent, above ast.Node) Name {
	switch parent := parent.(type) {
	case *ast.SelectorExpr:
		x, ok := parent.X.(*ast.Ident)
		pkg, isPackage := r.Info.Uses[x].(*types.PkgName)
		switch {
		case parent.Sel != id:
		case ok && isPackage && r.Generated(pkg.Imported()):
			return Name{pkg.Imported().Path(), id.Name}
		case !isPackage:
			return r.member(r.Info.TypeOf(parent.X), id.Name)
		}
	case *ast.KeyValueExpr:
		if lit, ok := above.(*ast.CompositeLit); ok && parent.Key == id {
			return r.member(r.Info.TypeOf(lit), id.Name)
		}
	}
	return Name{}
}

// member is the name of a member of a generated type, as it would be.
func (r *Reader) member(t types.Type, name string) Name {
	if t == nil {
		return Name{}
	}
	if dir := r.fakeOf(t); dir != "" {
		return Name{dir, strings.TrimPrefix(name, "On")}
	}
	switch n := r.Type(t); n.Name {
	case "":
		return Name{}
	case "Client":
		return Name{n.Path, name}
	default:
		return Name{n.Path, n.Name + "." + name}
	}
}

// Type is the name of a generated type; pointers and aliases are followed.
func (r *Reader) Type(t types.Type) Name {
	if named, ok := Pointee(t).(*types.Named); ok {
		return r.Declared(named.Obj())
	}
	return Name{}
}

// Written is the name of a generated type, or of an alias of one.
func (r *Reader) Written(t types.Type) Name {
	if p, ok := t.(*types.Pointer); ok {
		t = p.Elem()
	}
	if alias, ok := t.(*types.Alias); ok {
		return r.Declared(alias.Obj())
	}
	return r.Type(t)
}

// Struct is the name of the generated struct that a type is, or that a type of the user
// is defined as.
func (r *Reader) Struct(t types.Type) Name {
	if t == nil {
		return Name{}
	}
	s, ok := Under(t).(*types.Struct)
	if !ok {
		return Name{}
	}
	if n := r.Type(t); n.Path != "" {
		return n
	}
	if s.NumFields() == 0 {
		return Name{}
	}
	n := r.Field(s.Field(0))
	n.Name, _, _ = strings.Cut(n.Name, ".")
	return n
}

// Field is the name of a field of a generated struct.
func (r *Reader) Field(f *types.Var) Name {
	pkg := f.Pkg()
	if !f.IsField() || pkg == nil || !r.Generated(pkg) {
		return Name{}
	}
	known := r.fields[pkg]
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
		if r.fields == nil {
			r.fields = map[*types.Package]map[*types.Var]string{}
		}
		r.fields[pkg] = known
	}
	if known[f] == "" {
		return Name{}
	}
	return Name{pkg.Path(), known[f]}
}

// Named returns the type of a generated package that t is; nil if it is not one.
func (r *Reader) Named(t types.Type) *types.Named {
	named, ok := types.Unalias(t).(*types.Named)
	if !ok || named.Obj().Pkg() == nil || !r.Generated(named.Obj().Pkg()) {
		return nil
	}
	return named
}

// StructOf returns the generated struct that t is; nil if it is not one. A pointer to
// one is not.
func (r *Reader) StructOf(t types.Type) (*types.Named, *types.Struct) {
	named := r.Named(t)
	if named == nil {
		return nil, nil
	}
	s, ok := named.Underlying().(*types.Struct)
	if !ok {
		return nil, nil
	}
	return named, s
}

// Carries reports whether values of a type are generated ones, or lists of them, or
// may be.
func (r *Reader) Carries(t types.Type) bool {
	for {
		switch u := types.Unalias(t).(type) {
		case *types.Pointer, *types.Slice, *types.Array, *types.Map:
			t = u.(interface{ Elem() types.Type }).Elem()
		case *types.TypeParam:
			return true
		default:
			return r.Named(t) != nil
		}
	}
}

// IsUnion reports whether a type is a generated interface.
func (r *Reader) IsUnion(t types.Type) bool {
	named := r.Named(t)
	return named != nil && types.IsInterface(named)
}

// IsCall reports whether a function sends what it is given: it belongs to a generated
// package, or takes the options of a call.
func (r *Reader) IsCall(f *types.Func, sig *types.Signature) bool {
	if f != nil && f.Pkg() != nil && r.Generated(f.Pkg()) {
		return true
	}
	if !sig.Variadic() {
		return false
	}
	list, ok := sig.Params().At(sig.Params().Len() - 1).Type().(*types.Slice)
	return ok && isRuntime(list.Elem(), "CallOption")
}

// isRuntime reports whether a type is the runtime's type of a name.
func isRuntime(t types.Type, name string) bool {
	named, ok := types.Unalias(t).(*types.Named)
	return ok && named.Obj().Name() == name && named.Obj().Pkg() != nil && named.Obj().Pkg().Path() == RuntimePath
}

// Reaches reports whether values of a type can hold one of another: the type itself,
// what it consists of, and the variants of its unions.
func (r *Reader) Reaches(from types.Type, to *types.Named) bool {
	seen := map[types.Type]bool{}
	var walk func(t types.Type) bool
	walk = func(t types.Type) bool {
		t = types.Unalias(t)
		if seen[t] {
			return false
		}
		seen[t] = true
		switch t := t.(type) {
		case *types.Named:
			if t.Obj() == to.Obj() {
				return true
			}
			for arg := range t.TypeArgs().Types() {
				if walk(arg) {
					return true
				}
			}
			if r.IsUnion(t) {
				return inUnion(t, walk)
			}
			return walk(t.Underlying())
		case *types.TypeParam:
			return true
		case *types.Pointer, *types.Slice, *types.Array, *types.Map:
			return walk(t.(interface{ Elem() types.Type }).Elem())
		case *types.Struct:
			for f := range t.Fields() {
				if walk(f.Type()) {
					return true
				}
			}
		}
		return false
	}
	return walk(from)
}

func inUnion(t *types.Named, walk func(types.Type) bool) bool {
	scope := t.Obj().Pkg().Scope()
	for _, name := range scope.Names() {
		variant, ok := scope.Lookup(name).(*types.TypeName)
		if ok && !types.IsInterface(variant.Type()) && types.Implements(variant.Type(), t.Underlying().(*types.Interface)) && walk(variant.Type()) {
			return true
		}
	}
	return false
}

// Callee returns the function that a call names, nil if it is a value, and the
// signature that it was declared with.
func (r *Reader) Callee(call *ast.CallExpr) (*types.Func, *types.Signature) {
	if f, ok := typeutil.Callee(r.Info, call).(*types.Func); ok {
		return f.Origin(), f.Origin().Signature()
	}
	if t := r.Info.TypeOf(call.Fun); t != nil {
		sig, _ := t.Underlying().(*types.Signature)
		return nil, sig
	}
	return nil, nil
}

// FieldValues are the values that a literal of a struct gives its fields.
func (r *Reader) FieldValues(lit *ast.CompositeLit) iter.Seq2[*types.Var, ast.Expr] {
	return func(yield func(*types.Var, ast.Expr) bool) {
		t := r.Info.TypeOf(lit)
		if t == nil {
			return
		}
		s, ok := Under(t).(*types.Struct)
		for i, e := range lit.Elts {
			var field *types.Var
			if pair, keyed := e.(*ast.KeyValueExpr); keyed {
				if key, ok := pair.Key.(*ast.Ident); ok {
					field, _ = r.Info.Uses[key].(*types.Var)
				}
				e = pair.Value
			} else if ok && i < s.NumFields() {
				field = s.Field(i)
			}
			if ok && field != nil && !yield(field, e) {
				return
			}
		}
	}
}

// Wraps reports whether a function only makes another type of its argument: a conversion,
// new, or runtime.Some.
func (r *Reader) Wraps(fun ast.Expr) bool {
	fun = ast.Unparen(fun)
	tv := r.Info.Types[fun]
	switch fun := fun.(type) {
	case *ast.SelectorExpr:
		f, ok := r.Info.Uses[fun.Sel].(*types.Func)
		return tv.IsType() || ok && f.Pkg().Path() == RuntimePath && f.Name() == "Some"
	case *ast.Ident:
		return tv.IsType() || tv.IsBuiltin() && fun.Name == "new"
	}
	return tv.IsType()
}

// Untyped reports whether an expression is a constant that fits any type of its kind.
func (r *Reader) Untyped(e ast.Expr) bool {
	switch e := ast.Unparen(e).(type) {
	case *ast.BasicLit:
		return true
	case *ast.UnaryExpr:
		return r.Untyped(e.X)
	case *ast.BinaryExpr:
		return r.Untyped(e.X) && r.Untyped(e.Y)
	case *ast.SelectorExpr:
		return r.Untyped(e.Sel)
	case *ast.Ident:
		if c, ok := r.Info.Uses[e].(*types.Const); ok {
			basic, ok := c.Type().(*types.Basic)
			return ok && basic.Info()&types.IsUntyped != 0
		}
	}
	return false
}

// Qualified is a name of another package as a file writes it; "" if the file does not
// import the package by a name.
func Qualified(f *ast.File, pkg *types.Package, name string) string {
	for _, spec := range f.Imports {
		if path, err := strconv.Unquote(spec.Path.Value); err != nil || path != pkg.Path() {
			continue
		}
		switch {
		case spec.Name == nil:
			return pkg.Name() + "." + name
		case spec.Name.Name == ".":
			return name
		case spec.Name.Name != "_":
			return spec.Name.Name + "." + name
		}
	}
	return ""
}

// Pointee returns the type that a type points to, or the type itself; aliases are followed.
func Pointee(t types.Type) types.Type {
	t = types.Unalias(t)
	if p, ok := t.(*types.Pointer); ok {
		t = types.Unalias(p.Elem())
	}
	return t
}

// Under is the type that the one which t points to, or t itself, is made of.
func Under(t types.Type) types.Type { return Pointee(t).Underlying() }

// IsPointer reports whether a type is a pointer, by whatever name.
func IsPointer(t types.Type) bool {
	_, ok := types.Unalias(t).(*types.Pointer)
	return ok
}

// IsError reports whether values of a type are errors.
func IsError(t types.Type) bool {
	return types.Implements(t, types.Universe.Lookup("error").Type().Underlying().(*types.Interface))
}
