package impact

// The fields around a use: what a shared type is a part of.

import (
	"go/ast"
	"go/token"
	"go/types"
	"slices"
)

// maxChain bounds the steps back from a value to where it comes from.
const maxChain = 50

// chain returns the generated fields that a value was taken from, one within the other:
// those of "r.Items[0].Owner", and of a variable that begins as that and stays so.
func (v *visitor) chain(e ast.Expr, depth int) []string {
	if depth > maxChain {
		return nil
	}
	switch e := ast.Unparen(e).(type) {
	case *ast.SelectorExpr:
		return append(v.chain(e.X, depth+1), v.own(e.Sel)...)
	case *ast.IndexExpr:
		return v.chain(e.X, depth+1)
	case *ast.SliceExpr:
		return v.chain(e.X, depth+1)
	case *ast.StarExpr:
		return v.chain(e.X, depth+1)
	case *ast.UnaryExpr:
		return v.chain(e.X, depth+1)
	case *ast.Ident:
		if from := v.Source(e); from != nil {
			return v.chain(from, depth+1)
		}
	}
	return nil
}

// context returns the generated fields that a node is put into, or is compared with: the
// node itself, or the one that contains it from up on.
func (v *visitor) context(node ast.Node, up int) []string {
	var out []string
	for child := node; ; up++ {
		n := v.parent(up)
		switch n := n.(type) {
		case *ast.ParenExpr, *ast.CompositeLit, *ast.UnaryExpr:
		case *ast.SelectorExpr:
			if n.Sel != child {
				return out
			}
		case *ast.CallExpr:
			if len(n.Args) != 1 || n.Args[0] != child || !v.Wraps(n.Fun) {
				return out
			}
		case *ast.KeyValueExpr:
			if key, ok := n.Key.(*ast.Ident); ok && key != child {
				out = append(out, v.own(key)...)
			}
		case *ast.BinaryExpr:
			switch {
			case n.Op != token.EQL && n.Op != token.NEQ:
				return out
			case n.X == child:
				return append(out, v.chain(n.Y, 0)...)
			}
			return append(out, v.chain(n.X, 0)...)
		case *ast.CaseClause:
			if s, ok := v.parent(up + 2).(*ast.SwitchStmt); ok && s.Tag != nil {
				return append(out, v.chain(s.Tag, 0)...)
			}
			return out
		case *ast.AssignStmt:
			i := slices.IndexFunc(n.Rhs, func(e ast.Expr) bool { return e == child })
			if i >= 0 && len(n.Lhs) == len(n.Rhs) && n.Tok == token.ASSIGN {
				return append(out, v.chain(n.Lhs[i], 0)...)
			}
			return out
		default:
			return out
		}
		child = n
	}
}

// own is the name of the generated field that an identifier refers to; nil for all
// other identifiers.
func (v *visitor) own(id *ast.Ident) []string {
	if field, ok := v.Info.Uses[id].(*types.Var); ok {
		if n := v.Field(field); n.Path != "" {
			return []string{n.Name}
		}
	}
	return nil
}
