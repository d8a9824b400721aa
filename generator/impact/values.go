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
	if u.whole || v.Struct(t).Path == "" || v.OriginAt(lit) != nil { // else it compiles, and goes nowhere
		v.made(lit, t, at, u)
	}
}

// made notes a struct that a node makes, with what it is given on its way.
func (v *visitor) made(n ast.Node, t types.Type, at token.Pos, u use) {
	set := map[string]bool{} // and whether on every path
	if o := v.OriginAt(n); o != nil {
		for f, settings := range v.Fields(o) {
			set[v.Field(f).Name] = !v.Perhaps(o, settings)
		}
		u.sends = v.Escapes(o)
	}
	u.mode = builds
	v.builds(t, at, u, set, 0)
}

// maxNesting bounds the nesting of structs.
const maxNesting = 20

// builds notes a struct that is made, and those within it that come as they are.
func (v *visitor) builds(t types.Type, at token.Pos, u use, set map[string]bool, depth int) {
	s, ok := code.Under(t).(*types.Struct)
	if !ok || depth > maxNesting {
		return
	}
	own := v.Struct(t)
	for field := range s.Fields() {
		always, ok := set[v.Field(field).Name]
		if ok && !always && !u.fields[field.Name()] {
			u.perhaps = append(u.perhaps, field.Name())
		}
		if ok {
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

// zero is a node that makes the zero value of a struct: a variable without a value, or new.
func (v *visitor) zero(n ast.Node) {
	_, lit := n.(*ast.CompositeLit)
	if o := v.OriginAt(n); o != nil && !lit && !v.NeverSeen(o) {
		v.made(n, o.Type, n.Pos(), use{fields: map[string]bool{}})
	}
}

func (v *visitor) conversion(call *ast.CallExpr) {
	to := v.Info.TypeOf(call.Fun)
	if to == nil || !v.Info.Types[call.Fun].IsType() || len(call.Args) != 1 {
		return
	}
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
	u := use{mode: converts, value: jsonOf(tv.Value), sure: true, untyped: v.Untyped(e), via: v.context(e, 0)}
	v.add(v.Type(tv.Type), e.Pos(), u)
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
	raw, _ := json.Marshal(values) // they are JSON
	return string(raw)
}

func jsonOf(v constant.Value) string {
	switch v.Kind() {
	case constant.Bool:
		return v.String()
	case constant.String:
		raw, _ := json.Marshal(constant.StringVal(v)) // a text can be encoded
		return string(raw)
	case constant.Int:
		return v.ExactString()
	case constant.Float:
		f, _ := constant.Float64Val(v)
		raw, _ := json.Marshal(f) // "" for an infinite one
		return string(raw)
	}
	return ""
}
