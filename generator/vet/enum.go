package vet

// Constants that an enum does not have.

import (
	"fmt"
	"go/ast"
	"go/constant"
	"go/token"
	"go/types"
	"slices"

	"golang.org/x/tools/go/analysis"

	"github.com/mcpgen/mcpgen/internal/nearest"
)

const enumDoc = `constants that are not values of the enum that they are used as

A constant becomes a value of a generated enum without the compiler asking whether it
is one. The check knows the values of the schema and reports others: in arguments, in
comparisons and in conversions. The zero value is reported only where it is written
into a required field: elsewhere it means that there is no value.`

// longestConst is the length of the longest value that has a constant, in bytes.
const longestConst = 1024

func enums(c *checker) {
	for _, f := range c.Files {
		if c.known.own[f] {
			continue
		}
		e := &enumChecker{checker: c, file: f}
		ast.Inspect(f, func(n ast.Node) bool {
			if n == nil {
				e.stack = e.stack[:len(e.stack)-1]
				return true
			}
			if expr, ok := n.(ast.Expr); ok && e.reports(expr) {
				return false // nothing is pushed, so nothing is popped
			}
			e.stack = append(e.stack, n)
			return true
		})
	}
}

// enumChecker checks one file.
type enumChecker struct {
	*checker
	file  *ast.File
	stack []ast.Node // around the node that is looked at
}

// reports looks at an expression, and reports it if it is not a value of its enum.
func (e *enumChecker) reports(expr ast.Expr) bool {
	tv := e.TypesInfo.Types[expr]
	if tv.Value == nil || tv.Type == nil || e.ownConst(expr) {
		return false
	}
	values := e.known.enumOf(tv.Type)
	if len(values) == 0 || slices.ContainsFunc(values, func(v *types.Const) bool { return constant.Compare(v.Val(), token.EQL, tv.Value) }) {
		return false
	}
	if isZero(tv.Value) && !e.fillsRequired(expr) || tv.Value.Kind() == constant.String && len(constant.StringVal(tv.Value)) > longestConst {
		return false
	}
	named := e.known.named(tv.Type)
	message := fmt.Sprintf("%s is not a value of %s.%s", tv.Value.ExactString(), named.Obj().Pkg().Name(), named.Obj().Name())
	d := analysis.Diagnostic{Pos: expr.Pos(), End: expr.End()}
	if near := nearestConst(tv.Value, values); near != nil {
		d.Message = message + ": did you mean " + near.Name() + "?"
		if text := e.qualified(e.file, near.Pkg(), near.Name()); text != "" {
			d.SuggestedFixes = []analysis.SuggestedFix{{
				Message: "Use " + near.Name(), TextEdits: []analysis.TextEdit{{Pos: expr.Pos(), End: expr.End(), NewText: []byte(text)}},
			}}
		}
	} else {
		d.Message = message + ": use one of its constants, such as " + values[0].Name()
	}
	e.Report(d)
	return true
}

// ownConst reports whether an expression names a constant of the enum's type: where
// that is declared, its value was looked at.
func (e *enumChecker) ownConst(expr ast.Expr) bool {
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
	c, ok := e.TypesInfo.Uses[id].(*types.Const)
	if !ok {
		return true // a declaration
	}
	return e.known.named(c.Type()) != nil
}

// fillsRequired reports whether an expression is the value of a required field.
func (e *enumChecker) fillsRequired(expr ast.Expr) bool {
	var v types.Object
	switch parent := e.stack[len(e.stack)-1].(type) {
	case *ast.KeyValueExpr:
		if key, ok := parent.Key.(*ast.Ident); ok && parent.Value == expr {
			v = e.TypesInfo.Uses[key]
		}
	case *ast.AssignStmt:
		if i := slices.Index(parent.Rhs, expr); i >= 0 && len(parent.Lhs) == len(parent.Rhs) {
			if sel, ok := ast.Unparen(parent.Lhs[i]).(*ast.SelectorExpr); ok {
				v = e.TypesInfo.Uses[sel.Sel]
			}
		}
	}
	f, ok := v.(*types.Var)
	return ok && f.IsField() && e.known.generated[f.Pkg()] && e.known.isRequiredField(f)
}

// isRequiredField reports whether a field of a generated struct is always sent.
func (k *knowledge) isRequiredField(f *types.Var) bool {
	scope := f.Pkg().Scope()
	for _, name := range scope.Names() {
		if t, ok := scope.Lookup(name).(*types.TypeName); ok && !t.IsAlias() {
			if slices.ContainsFunc(k.requiredOf(t.Type()), func(r field) bool { return r.Var == f }) {
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
