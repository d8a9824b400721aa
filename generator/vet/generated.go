package vet

// What the types of generated packages say.

import (
	"go/ast"
	"go/types"
	"reflect"
	"strconv"
	"strings"

	"golang.org/x/tools/go/types/typeutil"
)

// field is a field that is always sent.
type field struct {
	*types.Var
	union bool // nil makes the call fail
}

// requiredOf returns the fields of a generated struct that are sent even if they are not
// set, except those for which nil is a valid value.
func (k *knowledge) requiredOf(t types.Type) []field {
	named, s := k.structOf(t)
	if named == nil {
		return nil
	}
	var out []field
	for i := range s.NumFields() {
		v := s.Field(i)
		if m := k.marks[v]; (m == nil || !m.Null) && isRequired(s.Tag(i)) {
			out = append(out, field{v, k.isUnion(v.Type())})
		}
	}
	return out
}

// isRequired reports whether a member with these tags is always sent, and null is not
// one of its values.
func isRequired(tags string) bool {
	tag := reflect.StructTag(tags)
	wire, ok := tag.Lookup("json")
	if !ok {
		return false
	}
	own := tag.Get("mcp")
	if wire == "-" {
		i := strings.LastIndexByte(own, ',')
		return i >= 0 && own[i+1:] == ""
	}
	_, option, _ := strings.Cut(wire, ",")
	return option == "" && own != "null"
}

// structOf returns the generated struct that t is; nil if it is not one. A pointer to
// one is not.
func (k *knowledge) structOf(t types.Type) (*types.Named, *types.Struct) {
	named := k.named(t)
	if named == nil {
		return nil, nil
	}
	s, ok := named.Underlying().(*types.Struct)
	if !ok {
		return nil, nil
	}
	return named, s
}

// named returns the type of a generated package that t is; nil if it is not one.
func (k *knowledge) named(t types.Type) *types.Named {
	named, ok := types.Unalias(t).(*types.Named)
	if !ok || !k.generated[named.Obj().Pkg()] {
		return nil
	}
	return named
}

// carries reports whether values of a type are generated ones, or lists of them, or
// may be.
func (k *knowledge) carries(t types.Type) bool {
	for {
		switch u := types.Unalias(t).(type) {
		case *types.Pointer, *types.Slice, *types.Array, *types.Map:
			t = u.(interface{ Elem() types.Type }).Elem()
		case *types.TypeParam:
			return true
		default:
			return k.named(t) != nil
		}
	}
}

func (k *knowledge) isUnion(t types.Type) bool {
	named := k.named(t)
	return named != nil && types.IsInterface(named)
}

// enumOf returns the constants of a generated enum; nil if t is not one. All have
// names, so another value is not in the schema.
func (k *knowledge) enumOf(t types.Type) []*types.Const {
	named := k.named(t)
	if named == nil {
		return nil
	}
	if _, ok := named.Underlying().(*types.Basic); !ok {
		return nil
	}
	var out []*types.Const
	scope := named.Obj().Pkg().Scope()
	for _, name := range scope.Names() {
		if c, ok := scope.Lookup(name).(*types.Const); ok && c.Exported() && types.Identical(c.Type(), named) && k.marks[c] == nil {
			out = append(out, c)
		}
	}
	return out
}

// isCall reports whether a function sends what it is given: it belongs to a generated
// package, or takes the options of a call.
func (k *knowledge) isCall(f *types.Func, sig *types.Signature) bool {
	if f != nil && k.generated[f.Pkg()] {
		return true
	}
	if !sig.Variadic() {
		return false
	}
	list, ok := sig.Params().At(sig.Params().Len() - 1).Type().(*types.Slice)
	if !ok {
		return false
	}
	named, ok := types.Unalias(list.Elem()).(*types.Named)
	return ok && named.Obj().Name() == "CallOption" && named.Obj().Pkg() != nil && named.Obj().Pkg().Path() == runtimePath
}

// reaches reports whether values of a type can hold one of another: the type itself,
// what it consists of, and the variants of its unions.
func (k *knowledge) reaches(from types.Type, to *types.Named) bool {
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
			if k.isUnion(t) {
				return k.inUnion(t, walk)
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

func (k *knowledge) inUnion(t *types.Named, walk func(types.Type) bool) bool {
	scope := t.Obj().Pkg().Scope()
	for _, name := range scope.Names() {
		variant, ok := scope.Lookup(name).(*types.TypeName)
		if ok && !types.IsInterface(variant.Type()) && types.Implements(variant.Type(), t.Underlying().(*types.Interface)) && walk(variant.Type()) {
			return true
		}
	}
	return false
}

// qualified is the name of an object of another package as a file writes it; "" if
// the file does not import the package under a name.
func (c *checker) qualified(f *ast.File, pkg *types.Package, name string) string {
	if pkg == c.Pkg {
		return name
	}
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

// calleeOf returns the function that a call names, nil if it is a value, and the
// signature that it was declared with.
func (c *checker) calleeOf(call *ast.CallExpr) (*types.Func, *types.Signature) {
	if f, ok := typeutil.Callee(c.TypesInfo, call).(*types.Func); ok {
		return f.Origin(), f.Origin().Signature()
	}
	if t := c.TypesInfo.TypeOf(call.Fun); t != nil {
		sig, _ := t.Underlying().(*types.Signature)
		return nil, sig
	}
	return nil, nil
}
