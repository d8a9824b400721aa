package vet

// Constants that an enum does not have.

import (
	"fmt"
	"go/ast"
	"go/constant"
	"go/token"
	"go/types"
	"slices"
	"strings"

	"golang.org/x/tools/go/analysis"

	"github.com/mcpgen/mcpgen/generator/internal/code"
	"github.com/mcpgen/mcpgen/internal/nearest"
)

const enumDoc = `constants that are not values of the enum that they are used as

A constant becomes a value of a generated enum without the compiler asking whether it
is one. The check knows the values of the schema and reports others: in arguments, in
comparisons and in conversions. Where a type of arguments is shared with tools that take
more, it reports the constants and members that are theirs alone. The zero value is reported only where it is written
into a required field: elsewhere it means that there is no value.`

// longestConst is the length of the longest value that has a constant, in bytes.
const longestConst = 1024

func enums(c *checker) {
	c.Inspect(func(n ast.Node, stack []ast.Node) bool {
		expr, ok := n.(ast.Expr)
		return !ok || !c.foreignConst(expr, stack)
	})
	places(c)
}

// foreignConst reports a constant that is not a value of its enum. The result is true if it
// reported one.
func (c *checker) foreignConst(expr ast.Expr, stack []ast.Node) bool {
	tv := c.Info.Types[expr]
	if tv.Value == nil || tv.Type == nil || c.ownConst(expr) || ofPart(expr, stack) {
		return false
	}
	values := c.enumOf(tv.Type)
	if len(values) == 0 || slices.ContainsFunc(values, func(v *types.Const) bool { return constant.Compare(v.Val(), token.EQL, tv.Value) }) {
		return false
	}
	if isZero(tv.Value) && !c.fillsRequired(expr, stack[len(stack)-1]) || tv.Value.Kind() == constant.String && len(constant.StringVal(tv.Value)) > longestConst {
		return false
	}
	named := c.Named(tv.Type)
	message := fmt.Sprintf("%s is not a value of %s.%s", tv.Value.ExactString(), named.Obj().Pkg().Name(), named.Obj().Name())
	d := analysis.Diagnostic{Pos: expr.Pos(), End: expr.End()}
	if near := nearestConst(tv.Value, values); near != nil {
		d.Message = message + ": did you mean " + near.Name() + "?"
		text := near.Name()
		if near.Pkg() != c.pass.Pkg {
			text = code.Qualified(stack[0].(*ast.File), near.Pkg(), text)
		}
		if text != "" {
			d.SuggestedFixes = replaced(expr, near.Name(), text)
		}
	} else {
		// Constants have longer names too, which do not begin with the type's.
		i := max(0, slices.IndexFunc(values, func(v *types.Const) bool { return strings.HasPrefix(v.Name(), named.Obj().Name()) }))
		d.Message = message + ": use one of its constants, such as " + values[i].Name()
	}
	c.pass.Report(d)
	return true
}

// ofPart reports whether an expression is a part of a sum, orders values, or is compared
// with a part of one: it need not be a value itself.
func ofPart(expr ast.Expr, stack []ast.Node) bool {
	for _, n := range slices.Backward(stack) {
		switch n := n.(type) {
		case *ast.ParenExpr:
			expr = n
			continue
		case *ast.BinaryExpr:
			if n.Op != token.EQL && n.Op != token.NEQ {
				return true
			}
			other := n.X
			if other == expr {
				other = n.Y
			}
			switch ast.Unparen(other).(type) {
			case *ast.BinaryExpr, *ast.SliceExpr:
				return true
			}
		}
		return false
	}
	return false
}

// ownConst reports whether an expression names a constant of the enum's type: where
// that is declared, its value was looked at.
func (c *checker) ownConst(expr ast.Expr) bool {
	var id *ast.Ident
	switch expr := expr.(type) {
	case *ast.Ident:
		id = expr
	case *ast.SelectorExpr:
		id = expr.Sel
	}
	if id == nil {
		return false
	}
	obj, ok := c.Info.Uses[id].(*types.Const)
	if !ok {
		return true // a declaration
	}
	return c.Named(obj.Type()) != nil
}

// fillsRequired reports whether an expression is the value of a required field.
func (c *checker) fillsRequired(expr ast.Expr, around ast.Node) bool {
	var v types.Object
	switch parent := around.(type) {
	case *ast.KeyValueExpr:
		if key, ok := parent.Key.(*ast.Ident); ok && parent.Value == expr {
			v = c.Info.Uses[key]
		}
	case *ast.AssignStmt:
		if i := slices.Index(parent.Rhs, expr); i >= 0 && len(parent.Lhs) == len(parent.Rhs) {
			if sel, ok := ast.Unparen(parent.Lhs[i]).(*ast.SelectorExpr); ok {
				v = c.Info.Uses[sel.Sel]
			}
		}
	}
	f, ok := v.(*types.Var)
	return ok && f.IsField() && f.Pkg() != nil && c.Generated(f.Pkg()) && c.isRequiredField(f)
}

// isRequiredField reports whether a field of a generated struct is always sent.
func (c *checker) isRequiredField(f *types.Var) bool {
	scope := f.Pkg().Scope()
	for _, name := range scope.Names() {
		if t, ok := scope.Lookup(name).(*types.TypeName); ok && !t.IsAlias() {
			if slices.Contains(c.requiredOf(t.Type()), f) {
				return true
			}
		}
	}
	return false
}

func isZero(v constant.Value) bool {
	switch v.Kind() {
	case constant.String:
		return constant.StringVal(v) == ""
	case constant.Bool:
		return !constant.BoolVal(v)
	}
	return constant.Sign(v) == 0
}

// nearestConst is the constant that a misspelled text was probably meant to be.
func nearestConst(v constant.Value, values []*types.Const) *types.Const {
	if v.Kind() != constant.String {
		return nil
	}
	byText := map[string]*types.Const{}
	var texts []string
	for _, c := range values {
		text := constant.StringVal(c.Val())
		if was := byText[text]; was == nil || len(c.Name()) < len(was.Name()) { // one value has several names
			byText[text] = c
		}
		texts = append(texts, text)
	}
	return byText[nearest.Of(constant.StringVal(v), texts)]
}
