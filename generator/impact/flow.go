package impact

// What happens to the variables of a file: which fields they are given after they
// were made. It follows no calls and no order: a field that is set anywhere
// counts as set.

import (
	"go/ast"
	"go/token"
	"go/types"
	"slices"
)

// flow is what is known of the variables of a file.
type flow struct {
	from     map[types.Object]ast.Expr            // what they begin as, or are elements of
	set      map[types.Object]map[*types.Var]bool // fields that are assigned
	replaced map[types.Object]bool                // variables that are assigned as a whole
}

func flowOf(v *visitor, f *ast.File) *flow {
	w := &flow{from: map[types.Object]ast.Expr{}, set: map[types.Object]map[*types.Var]bool{}, replaced: map[types.Object]bool{}}
	ast.Inspect(f, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.RangeStmt:
			if id, ok := n.Value.(*ast.Ident); ok {
				w.begin(v.info, id, n.X)
			}
		case *ast.AssignStmt:
			for i, left := range n.Lhs {
				if id, ok := left.(*ast.Ident); ok && n.Tok == token.DEFINE && len(n.Lhs) == len(n.Rhs) {
					w.begin(v.info, id, n.Rhs[i])
				}
				if n.Tok != token.DEFINE || !defined(v.info, left) {
					w.assign(v.info, left)
				}
			}
		}
		return true
	})
	return w
}

// begin notes what a variable begins as. One that is declared elsewhere is given a value.
func (w *flow) begin(info *types.Info, id *ast.Ident, value ast.Expr) {
	if obj := info.Defs[id]; obj != nil {
		w.from[obj] = value
	} else if obj := info.Uses[id]; obj != nil {
		w.replaced[obj] = true
	}
}

// defined reports whether the left side of := is a new variable.
func defined(info *types.Info, left ast.Expr) bool {
	id, ok := left.(*ast.Ident)
	return ok && (info.Defs[id] != nil || id.Name == "_")
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
		if obj := v.info.Uses[e]; obj != nil && !v.flow.replaced[obj] && v.flow.from[obj] != nil {
			return v.chain(v.flow.from[obj], depth+1)
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
			if len(n.Args) != 1 || n.Args[0] != child || !v.wraps(n.Fun) {
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
			if i := slices.IndexFunc(n.Rhs, func(e ast.Expr) bool { return e == child }); i >= 0 && len(n.Lhs) == len(n.Rhs) && n.Tok == token.ASSIGN {
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
	if field, ok := v.info.Uses[id].(*types.Var); ok {
		if n := v.fieldName(field); n.path != "" {
			return []string{n.name}
		}
	}
	return nil
}
