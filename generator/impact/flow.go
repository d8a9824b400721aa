package impact

// What happens to the variables of a file: which fields they are given after they
// were made. It follows no calls and no order: a field that is set anywhere
// counts as set.

import (
	"go/ast"
	"go/token"
	"go/types"
)

// flow is what is known of the variables of a file.
type flow struct {
	set      map[types.Object]map[*types.Var]bool // fields that are assigned
	replaced map[types.Object]bool                // variables that are assigned as a whole
}

func flowOf(v *visitor, f *ast.File) *flow {
	w := &flow{set: map[types.Object]map[*types.Var]bool{}, replaced: map[types.Object]bool{}}
	ast.Inspect(f, func(n ast.Node) bool {
		assign, ok := n.(*ast.AssignStmt)
		if !ok || assign.Tok == token.DEFINE {
			return true
		}
		for _, left := range assign.Lhs {
			w.assign(v.info, left)
		}
		return true
	})
	return w
}

// assign notes that something is given a value.
func (w *flow) assign(info *types.Info, left ast.Expr) {
	var fields []*types.Var
	for {
		switch e := ast.Unparen(left).(type) {
		case *ast.SelectorExpr:
			field, ok := info.Uses[e.Sel].(*types.Var)
			if !ok {
				return
			}
			if field.IsField() {
				fields = append(fields, field)
			}
			left = e.X
		case *ast.StarExpr:
			left = e.X
		case *ast.Ident:
			obj := info.Uses[e]
			if obj == nil {
				return
			}
			if len(fields) == 0 {
				w.replaced[obj] = true
			}
			if w.set[obj] == nil {
				w.set[obj] = map[*types.Var]bool{}
			}
			for _, f := range fields {
				w.set[obj][f] = true
			}
			return
		default:
			return
		}
	}
}

// fill adds the fields that the variable is given later.
func (w *flow) fill(holder types.Object, s *types.Struct, u *use) {
	if holder == nil {
		return
	}
	for field := range s.Fields() {
		if w.set[holder][field] {
			u.fields[field.Name()] = true
		}
	}
}

// holder is the variable that gets the value of e, itself or as a part of it; nil
// if there is none. E is the node that is being looked at.
func (v *visitor) holder(e ast.Expr) types.Object {
	var child ast.Node = e
	for up := 0; ; up++ {
		n := v.parent(up)
		switch n := n.(type) {
		case *ast.KeyValueExpr, *ast.CompositeLit, *ast.ParenExpr:
		case *ast.UnaryExpr:
			if n.Op != token.AND {
				return nil
			}
		case *ast.ValueSpec:
			for i, right := range n.Values {
				if right == child && len(n.Names) == len(n.Values) {
					return v.info.Defs[n.Names[i]]
				}
			}
			return nil
		case *ast.AssignStmt:
			for i, right := range n.Rhs {
				if id, ok := n.Lhs[min(i, len(n.Lhs)-1)].(*ast.Ident); ok && right == child && len(n.Lhs) == len(n.Rhs) {
					return v.info.ObjectOf(id)
				}
			}
			return nil
		default:
			return nil
		}
		child = n
	}
}
