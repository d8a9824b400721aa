package project

import (
	"errors"
	"fmt"
	"go/ast"
	"go/types"

	"golang.org/x/tools/go/packages"
)

// Conversions returns the places in the packages of dir where a value of one struct
// type, or of lists, maps and pointers of them, is made one of another: by a
// conversion, or by a literal that takes all its members from one value. Code that
// calls generated packages needs none, since types that are the same are one type.
func Conversions(dir string, patterns ...string) ([]string, error) {
	const mode = packages.NeedName | packages.NeedFiles | packages.NeedSyntax | packages.NeedTypes | packages.NeedTypesInfo | packages.NeedImports
	loaded, err := packages.Load(&packages.Config{Mode: mode, Dir: dir, Tests: true}, patterns...)
	if err != nil {
		return nil, err
	}
	var out []string
	for _, p := range loaded {
		for _, e := range p.Errors {
			err = errors.Join(err, e)
		}
		for _, file := range p.Syntax {
			ast.Inspect(file, func(n ast.Node) bool {
				if converts(p.TypesInfo, n) {
					out = append(out, fmt.Sprintf("%s: %s", p.Fset.Position(n.Pos()), p.TypesInfo.TypeOf(n.(ast.Expr))))
				}
				return true
			})
		}
	}
	return out, err
}

// converts reports whether an expression makes a struct of another.
func converts(info *types.Info, n ast.Node) bool {
	switch n := n.(type) {
	case *ast.CallExpr:
		if !info.Types[n.Fun].IsType() || len(n.Args) != 1 {
			return false
		}
		from, to := info.TypeOf(n.Args[0]), info.TypeOf(n)
		return !types.Identical(from, to) && holdsStruct(from) && holdsStruct(to)
	case *ast.CompositeLit:
		return copies(info, n)
	}
	return false
}

// copies reports whether a literal of a struct takes each of several members from the
// member of that name in one value of another type.
func copies(info *types.Info, lit *ast.CompositeLit) bool {
	var from types.Object
	for _, elt := range lit.Elts {
		pair, ok := elt.(*ast.KeyValueExpr)
		if !ok {
			return false
		}
		name, ok1 := pair.Key.(*ast.Ident)
		member, ok2 := pair.Value.(*ast.SelectorExpr)
		if !ok1 || !ok2 || member.Sel.Name != name.Name {
			return false
		}
		x, ok := member.X.(*ast.Ident)
		if !ok || from != nil && info.Uses[x] != from {
			return false
		}
		from = info.Uses[x]
	}
	return len(lit.Elts) > 1 && from != nil && holdsStruct(from.Type()) && !types.Identical(from.Type(), info.TypeOf(lit))
}

// holdsStruct reports whether a type is a struct, or lists, maps or pointers of one.
func holdsStruct(t types.Type) bool {
	for {
		switch u := t.Underlying().(type) {
		case *types.Struct:
			return true
		case *types.Pointer:
			t = u.Elem()
		case *types.Slice:
			t = u.Elem()
		case *types.Array:
			t = u.Elem()
		case *types.Map:
			t = u.Elem()
		default:
			return false
		}
	}
}
