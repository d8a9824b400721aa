package impact

// Structs that are built, values that are converted, and constants.

import (
	"encoding/json"
	"go/ast"
	"go/constant"
	"go/token"
	"go/types"
)

func (v *visitor) literal(lit *ast.CompositeLit) {
	t := v.info.TypeOf(lit)
	if t == nil {
		return
	}
	s, ok := under(t).(*types.Struct)
	if !ok {
		return
	}
	at := lit.Lbrace
	if lit.Type != nil {
		at = lit.Type.Pos()
		if sel, ok := lit.Type.(*ast.SelectorExpr); ok {
			at = sel.Sel.Pos()
		}
	}
	u := use{mode: builds, fields: map[string]bool{}, via: v.context(lit, 0)}
	for i, e := range lit.Elts {
		if pair, ok := e.(*ast.KeyValueExpr); ok {
			if key, ok := pair.Key.(*ast.Ident); ok {
				u.fields[key.Name] = true
			}
			continue
		}
		u.whole = true
		if i < s.NumFields() {
			w := use{mode: writes, via: u.via}
			w.value, w.untyped = v.value(e)
			v.add(v.fieldName(s.Field(i)), e.Pos(), w)
		}
	}
	if v.idle(lit) {
		return
	}
	holder := v.holder(lit)
	v.flow.fill(holder, s, &u)
	v.builds(t, at, u, holder, 0)
}

// idle reports whether an empty literal stands where nobody sends it: beside an
// error that is returned, or in a comparison.
func (v *visitor) idle(lit *ast.CompositeLit) bool {
	if len(lit.Elts) > 0 {
		return false
	}
	up := 0
	for {
		switch holder := v.parent(up).(type) {
		case *ast.ParenExpr, *ast.UnaryExpr:
			up++
			continue
		case *ast.BinaryExpr:
			return true
		case *ast.ReturnStmt:
			if len(holder.Results) < 2 {
				return false
			}
			last := holder.Results[len(holder.Results)-1]
			tv := v.info.Types[last]
			return !tv.IsNil() && tv.Type != nil && types.Implements(tv.Type, errorType())
		}
		return false
	}
}

func errorType() *types.Interface {
	return types.Universe.Lookup("error").Type().Underlying().(*types.Interface)
}

// maxNesting bounds structs within structs.
const maxNesting = 20

// builds notes a struct that is made, and those within it that come as they are.
func (v *visitor) builds(t types.Type, at token.Pos, u use, holder types.Object, depth int) {
	s, ok := under(t).(*types.Struct)
	if !ok || depth > maxNesting {
		return
	}
	own := v.structName(t)
	v.add(own, at, u)
	if u.whole {
		return
	}
	for field := range s.Fields() {
		if u.fields[field.Name()] || own.path == "" && !field.Embedded() {
			continue
		}
		if inner, ok := under(field.Type()).(*types.Struct); ok && !isPointer(field.Type()) {
			zero := use{mode: builds, fields: map[string]bool{}}
			v.flow.fill(holder, inner, &zero)
			v.builds(field.Type(), at, zero, holder, depth+1)
		}
	}
}

// pointee is what a type points to, or itself; aliases are followed.
func pointee(t types.Type) types.Type {
	t = types.Unalias(t)
	if p, ok := t.(*types.Pointer); ok {
		t = types.Unalias(p.Elem())
	}
	return t
}

func under(t types.Type) types.Type { return pointee(t).Underlying() }

func isPointer(t types.Type) bool {
	_, ok := types.Unalias(t).(*types.Pointer)
	return ok
}

// declared is a variable that starts with the zero value of a struct.
func (v *visitor) declared(spec *ast.ValueSpec) {
	if len(spec.Values) > 0 || spec.Type == nil {
		return
	}
	for _, id := range spec.Names {
		if obj := v.info.Defs[id]; obj != nil && !v.flow.replaced[obj] {
			v.zero(obj.Type(), id.Pos(), obj)
		}
	}
}

func (v *visitor) zero(t types.Type, at token.Pos, holder types.Object) {
	if isPointer(t) || v.structName(t).path == "" {
		return
	}
	u := use{mode: builds, fields: map[string]bool{}}
	if s, ok := under(t).(*types.Struct); ok {
		v.flow.fill(holder, s, &u)
	}
	v.builds(t, at, u, holder, 0)
}

// call is a conversion, new, or a call, which its function's name stands for.
func (v *visitor) call(call *ast.CallExpr) {
	if len(call.Args) != 1 {
		return
	}
	tv, ok := v.info.Types[call.Fun]
	switch {
	case !ok:
	case tv.IsBuiltin():
		if id, ok := ast.Unparen(call.Fun).(*ast.Ident); ok && id.Name == "new" && v.info.Types[call.Args[0]].IsType() {
			v.zero(v.info.TypeOf(call.Args[0]), call.Pos(), v.holder(call))
		}
	case tv.IsType():
		v.conversion(call, tv.Type)
	}
}

func (v *visitor) conversion(call *ast.CallExpr, to types.Type) {
	if _, ok := under(to).(*types.Struct); ok {
		from := v.structName(v.info.TypeOf(call.Args[0]))
		if now := v.structName(to); now != from { // one that is defined as the other stays what it is
			v.add(now, call.Pos(), use{mode: copies})
			v.add(from, call.Pos(), use{mode: copies})
		}
		return
	}
	if types.IsInterface(to) {
		return
	}
	value, _ := v.value(call)
	v.add(v.typeName(to), call.Pos(), use{mode: converts, value: value, via: v.context(call, 0)})
}

// constant is an untyped constant that becomes a value of a generated type.
func (v *visitor) constant(e ast.Expr) {
	tv := v.info.Types[e]
	if tv.Type == nil || tv.Value == nil {
		return
	}
	if call, ok := v.parent(0).(*ast.CallExpr); ok && v.info.Types[call.Fun].IsType() {
		return // the conversion says it
	}
	v.add(v.typeName(tv.Type), e.Pos(), use{mode: converts, value: jsonOf(tv.Value), untyped: plain(e), via: v.context(e, 0)})
}

// named is the name of a constant, which becomes a value of a generated type if it
// is untyped. A value of another package is recognized by its selector.
func (v *visitor) named(e ast.Expr, id *ast.Ident) {
	obj, ok := v.info.Uses[id].(*types.Const)
	if !ok {
		return
	}
	if basic, ok := obj.Type().(*types.Basic); ok && basic.Info()&types.IsUntyped != 0 {
		v.constant(e)
	}
}

// value is an expression as JSON, "" if it is not known before the program runs,
// and whether it is a plain literal.
func (v *visitor) value(e ast.Expr) (text string, untyped bool) {
	e = ast.Unparen(e)
	if tv := v.info.Types[e]; tv.Value != nil {
		return jsonOf(tv.Value), plain(e)
	}
	switch e := e.(type) {
	case *ast.CallExpr: // new(2), runtime.Some(2), T(x)
		if len(e.Args) == 1 && v.wraps(e.Fun) {
			text, _ := v.value(e.Args[0])
			return text, false
		}
	case *ast.CompositeLit:
		return v.list(e), false
	}
	return "", false
}

// wraps reports whether a function only makes another type of its argument.
func (v *visitor) wraps(fun ast.Expr) bool {
	tv := v.info.Types[fun]
	if tv.IsType() || tv.IsBuiltin() {
		id, ok := ast.Unparen(fun).(*ast.Ident)
		return tv.IsType() || ok && id.Name == "new"
	}
	sel, ok := fun.(*ast.SelectorExpr)
	if !ok {
		return false
	}
	obj := v.info.Uses[sel.Sel]
	return obj != nil && obj.Pkg() != nil && obj.Pkg().Path() == "github.com/mcpgen/mcpgen/runtime" && obj.Name() == "Some"
}

func (v *visitor) list(lit *ast.CompositeLit) string {
	t := v.info.TypeOf(lit)
	if t == nil {
		return ""
	}
	if _, ok := t.Underlying().(*types.Slice); !ok {
		return ""
	}
	values := []json.RawMessage{}
	for _, e := range lit.Elts {
		text, _ := v.value(e)
		if _, keyed := e.(*ast.KeyValueExpr); keyed || text == "" {
			return ""
		}
		values = append(values, json.RawMessage(text))
	}
	raw, err := json.Marshal(values)
	if err != nil {
		return ""
	}
	return string(raw)
}

// plain reports whether an expression is made of literals alone.
func plain(e ast.Expr) bool {
	switch e := ast.Unparen(e).(type) {
	case *ast.BasicLit:
		return true
	case *ast.UnaryExpr:
		return plain(e.X)
	case *ast.BinaryExpr:
		return plain(e.X) && plain(e.Y)
	case *ast.Ident:
		return e.Name == "true" || e.Name == "false"
	}
	return false
}

func jsonOf(v constant.Value) string {
	switch v.Kind() {
	case constant.Bool:
		return v.String()
	case constant.String:
		raw, err := json.Marshal(constant.StringVal(v))
		if err != nil {
			return ""
		}
		return string(raw)
	case constant.Int:
		return v.ExactString()
	case constant.Float:
		f, _ := constant.Float64Val(v)
		raw, err := json.Marshal(f)
		if err != nil {
			return ""
		}
		return string(raw)
	}
	return ""
}
