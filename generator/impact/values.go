package impact

// Structs that are built, values that are converted, and constants.

import (
	"encoding/json"
	"go/ast"
	"go/constant"
	"go/token"
	"go/types"

	"github.com/mcpgen/mcpgen/generator/internal/code"
)

func (v *visitor) literal(lit *ast.CompositeLit) {
	t := v.Info.TypeOf(lit)
	if t == nil {
		return
	}
	s, ok := code.Under(t).(*types.Struct)
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
	u := use{fields: map[string]bool{}, via: v.context(lit, 0)}
	for i, e := range lit.Elts {
		if pair, ok := e.(*ast.KeyValueExpr); ok {
			if key, ok := pair.Key.(*ast.Ident); ok {
				u.fields[key.Name] = true
			}
			continue
		}
		u.whole = true
		if i < s.NumFields() {
			v.addValues(v.Field(s.Field(i)), e.Pos(), use{mode: writes, via: u.via}, e)
		}
	}
	if !v.idle(lit) {
		v.made(lit, t, at, u)
	}
}

// made notes a struct that a node makes, with what it is given on its way.
func (v *visitor) made(n ast.Node, t types.Type, at token.Pos, u use) {
	set := map[string]bool{}
	if o := v.OriginAt(n); o != nil {
		for f := range v.Fields(o) {
			set[v.Field(f).Name] = true
		}
		u.sends = v.Escapes(o)
	}
	u.mode = builds
	v.builds(t, at, u, set, 0)
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
			tv := v.Info.Types[last]
			return !tv.IsNil() && tv.Type != nil && code.IsError(tv.Type)
		}
		return false
	}
}

// maxNesting bounds structs within structs.
const maxNesting = 20

// builds notes a struct that is made, and those within it that come as they are.
func (v *visitor) builds(t types.Type, at token.Pos, u use, set map[string]bool, depth int) {
	s, ok := code.Under(t).(*types.Struct)
	if !ok || depth > maxNesting {
		return
	}
	own := v.Struct(t)
	for field := range s.Fields() {
		if set[v.Field(field).Name] {
			u.fields[field.Name()] = true
		}
	}
	v.add(own, at, u)
	if u.whole {
		return
	}
	for field := range s.Fields() {
		if u.fields[field.Name()] || own.Path == "" && !field.Embedded() {
			continue
		}
		if _, ok := code.Under(field.Type()).(*types.Struct); ok && !code.IsPointer(field.Type()) {
			v.builds(field.Type(), at, use{mode: builds, fields: map[string]bool{}, sends: u.sends}, set, depth+1)
		}
	}
}

// declared is a variable that starts with the zero value of a struct.
func (v *visitor) declared(spec *ast.ValueSpec) {
	if len(spec.Values) > 0 || spec.Type == nil {
		return
	}
	for _, id := range spec.Names {
		if obj := v.Info.Defs[id]; obj != nil {
			v.zero(id, obj.Type(), id.Pos())
		}
	}
}

// zero is a node that makes the zero value of a struct.
func (v *visitor) zero(n ast.Node, t types.Type, at token.Pos) {
	o := v.OriginAt(n)
	if code.IsPointer(t) || v.Struct(t).Path == "" || o != nil && v.NeverSeen(o) {
		return
	}
	v.made(n, t, at, use{fields: map[string]bool{}})
}

// call is a conversion, new, or a call, which its function's name stands for.
func (v *visitor) call(call *ast.CallExpr) {
	if len(call.Args) != 1 {
		return
	}
	tv, ok := v.Info.Types[call.Fun]
	switch {
	case !ok:
	case tv.IsBuiltin():
		if id, ok := ast.Unparen(call.Fun).(*ast.Ident); ok && id.Name == "new" && v.Info.Types[call.Args[0]].IsType() {
			v.zero(call, v.Info.TypeOf(call.Args[0]), call.Pos())
		}
	case tv.IsType():
		v.conversion(call, tv.Type)
	}
}

func (v *visitor) conversion(call *ast.CallExpr, to types.Type) {
	if _, ok := code.Under(to).(*types.Struct); ok {
		from := v.Struct(v.Info.TypeOf(call.Args[0]))
		if now := v.Struct(to); now != from { // one that is defined as the other stays what it is
			v.add(now, call.Pos(), use{mode: copies})
			v.add(from, call.Pos(), use{mode: copies})
		}
		return
	}
	if types.IsInterface(to) {
		return
	}
	v.addValues(v.Type(to), call.Pos(), use{mode: converts, via: v.context(call, 0)}, call)
}

// constant is an untyped constant that becomes a value of a generated type.
func (v *visitor) constant(e ast.Expr) {
	tv := v.Info.Types[e]
	if tv.Type == nil || tv.Value == nil {
		return
	}
	if call, ok := v.parent(0).(*ast.CallExpr); ok && v.Info.Types[call.Fun].IsType() {
		return // the conversion says it
	}
	v.add(v.Type(tv.Type), e.Pos(), use{mode: converts, value: jsonOf(tv.Value), sure: true, untyped: v.Untyped(e), via: v.context(e, 0)})
}

// named is the name of a constant, which becomes a value of a generated type if it
// is untyped. A value of another package is recognized by its selector.
func (v *visitor) named(e ast.Expr, id *ast.Ident) {
	if _, ok := v.Info.Uses[id].(*types.Const); ok && v.Untyped(e) {
		v.constant(e)
	}
}

// addValues notes a use for each value that an expression may have, and one without a value
// if it may have others.
func (v *visitor) addValues(n name, at token.Pos, u use, e ast.Expr) {
	if n.Path == "" {
		return
	}
	if e != nil && u.mode != reads {
		if u.value, u.untyped = v.value(e); u.value == "" {
			known, all := v.Constants(e)
			for _, c := range known {
				one := u
				one.value, one.sure = jsonOf(c.Value), c.Sure
				v.add(n, at, one)
			}
			if all && len(known) > 0 {
				return
			}
		}
	}
	u.sure = u.value != ""
	v.add(n, at, u)
}

// value is an expression as JSON, "" if it is not known before the program runs,
// and whether it is a plain literal.
func (v *visitor) value(e ast.Expr) (text string, untyped bool) {
	e = ast.Unparen(e)
	if tv := v.Info.Types[e]; tv.Value != nil {
		return jsonOf(tv.Value), v.Untyped(e)
	}
	switch e := e.(type) {
	case *ast.CallExpr: // new(2), runtime.Some(2), T(x)
		if len(e.Args) == 1 && v.Wraps(e.Fun) {
			text, _ := v.value(e.Args[0])
			return text, false
		}
	case *ast.CompositeLit:
		return v.list(e), false
	}
	return "", false
}

func (v *visitor) list(lit *ast.CompositeLit) string {
	t := v.Info.TypeOf(lit)
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
