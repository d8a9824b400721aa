package codec

// This file tells whether a value is of a Go type, without decoding it: whether it
// would decode, and be the same JSON when it is encoded again. A union takes every
// value, so what stands inside of another union is never looked at. That keeps the
// choice between variants linear: decoding each of them to see what comes of it
// would try the innermost ones of a recursive type an exponential number of times.

import (
	"encoding/json"
	"reflect"
	"strconv"

	"github.com/mcpgen/mcpgen/internal/jsontext"
)

// fits reports whether raw, one valid value, is of the type t.
func fits(raw []byte, t reflect.Type) bool {
	switch t.Kind() {
	case reflect.Interface:
		return true
	case reflect.Pointer:
		return jsontext.IsNull(raw) || fits(raw, t.Elem())
	case reflect.Slice, reflect.Array:
		return fitsList(raw, t)
	case reflect.Map:
		return raw[0] == '{' && t.Key().Kind() == reflect.String && fitsAll(raw, t.Elem()) >= 0
	case reflect.Struct:
		return fitsStruct(raw, t)
	}
	v := reflect.New(t).Elem()
	return decodeScalar(raw, v) == nil && isExact(v, raw)
}

// isExact reports whether the scalar v is just what raw says. Only numbers with
// more digits than a float64 has may be another.
func isExact(v reflect.Value, raw []byte) bool {
	if !v.CanFloat() || len(raw) <= 15 {
		return true
	}
	return jsontext.SameNumber(string(raw), strconv.FormatFloat(v.Float(), 'g', -1, v.Type().Bits()))
}

func fitsList(raw []byte, t reflect.Type) bool {
	switch {
	case t.Elem().Kind() == reflect.Uint8: // raw JSON, or base64
		return reflect.PointerTo(t).Implements(typeUnmarshaler) || jsontext.Unmarshal(raw, reflect.New(t).Interface()) == nil
	case raw[0] != '[':
		return false
	}
	n := fitsAll(raw, t.Elem())
	return n >= 0 && (t.Kind() == reflect.Slice || n == t.Len())
}

// fitsAll counts the values of an array or an object; -1 is that one of them does
// not fit.
func fitsAll(raw []byte, t reflect.Type) int {
	n := 0
	m := jsontext.NewItems(raw)
	for ; m.Next(); n++ {
		if !fits(m.Value, t) {
			return -1
		}
	}
	return n
}

func fitsStruct(raw []byte, t reflect.Type) bool {
	if o, ok := reflect.New(t).Interface().(optional); ok {
		return jsontext.IsNull(raw) || fits(raw, valueType(o))
	}
	fields, err := appendFields(nil, t)
	if err != nil {
		return false
	}
	rest := restOf(t)
	switch raw[0] {
	case '{':
		return fitsObject(raw, t, fields, rest)
	case '[':
		return fitsTuple(raw, t, fields, rest)
	}
	return false
}

// restOf returns the type of the values of the members, or the elements, that no
// field of t shows; nil if there is no room for any.
func restOf(t reflect.Type) reflect.Type {
	for i := range t.NumField() {
		f := t.Field(i)
		if own := f.Tag.Get("mcp"); jsonTag(f.Tag) == "-" && (own == "" || own == "*") && (f.Type.Kind() == reflect.Map || f.Type.Kind() == reflect.Slice) {
			return f.Type.Elem()
		}
	}
	return nil
}

func fitsObject(raw []byte, t reflect.Type, fields []field, rest reflect.Type) bool {
	tags := tagsOf(t, fields)
	m := jsontext.NewItems(raw)
	for m.Next() {
		key := m.Key()
		if i := find(fields, key, 0); i >= 0 {
			fields[i].seen = true
			if member := t.Field(fields[i].index).Type; !fits(m.Value, member) || !fields[i].required && isZeroScalar(m.Value, member) {
				return false
			}
		} else if value, ok := tags[string(key)]; ok {
			if !isConstant(m.Value, string(value)) {
				return false
			}
			delete(tags, string(key))
		} else if rest == nil || !fits(m.Value, rest) {
			return false
		}
	}
	return len(tags) == 0 && errMissing(fields) == nil
}

// isZeroScalar reports whether a member of the type t would be left out, although
// it is there.
func isZeroScalar(raw []byte, t reflect.Type) bool {
	switch t.Kind() {
	case reflect.Pointer, reflect.Interface, reflect.Slice, reflect.Map, reflect.Struct, reflect.Array:
		return false
	}
	v := reflect.New(t).Elem()
	return decodeScalar(raw, v) == nil && v.IsZero()
}

// tagsOf returns the members that the MarshalJSON method of t writes and no field
// shows.
func tagsOf(t reflect.Type, fields []field) map[string]json.RawMessage {
	if !t.Implements(typeMarshaler) {
		return nil
	}
	data, err := appendValue(nil, reflect.Zero(t), 0)
	var tags map[string]json.RawMessage
	if err != nil || json.Unmarshal(data, &tags) != nil {
		return nil
	}
	for _, f := range fields {
		delete(tags, f.name)
	}
	return tags
}

func fitsTuple(raw []byte, t reflect.Type, fields []field, rest reflect.Type) bool {
	if len(fields) == 0 || fields[0].name != "0" {
		return false // its fields are members
	}
	n := 0
	m := jsontext.NewItems(raw)
	for ; m.Next(); n++ {
		of := rest
		if n < len(fields) {
			of = t.Field(fields[n].index).Type
		}
		if of == nil || !fits(m.Value, of) {
			return false
		}
	}
	return n >= countRequired(fields)
}
