package codec

// This file finds out whether a value is of a Go type, without decoding it: whether
// it would decode, and be the same JSON when it is encoded again.

import (
	"encoding/json"
	"reflect"
	"strconv"

	"github.com/mcpgen/mcpgen/internal/jsontext"
)

// fitter compares values with types.
//
// A union takes every value, by its Other, so whether one finds a variant in the
// unions inside is a question of its own. It is asked once for each value and union,
// and within bounds: to decode each of the variants of a recursive type to see what
// comes of it would try the innermost ones an exponential number of times.
type fitter struct {
	inside bool // unions inside have to find a variant
	left   int  // bytes that may still be read for that; then they take every value
	met    bool // there was a union inside

	// lenient lets go what the schema of a type rules out: null and the zero value of
	// members that are left out for it, and the absence of a tag.
	lenient bool
	texts   bool // what no float64 holds is kept as text, see decodeMembers

	found map[place]bool
}

// place is a value and a union that it may be of.
type place struct {
	value *byte // the first one of it
	union reflect.Type
}

// fits reports whether raw, one valid value, is of the type t. Parts are those that
// the unions in t are decoded with.
func (f *fitter) fits(raw []byte, t reflect.Type, parts parts) bool {
	switch t.Kind() {
	case reflect.Interface:
		return f.fitsUnion(raw, t, parts)
	case reflect.Pointer:
		return jsontext.IsNull(raw) || f.fits(raw, t.Elem(), parts)
	case reflect.Slice, reflect.Array:
		return f.fitsList(raw, t, partsOf(t, parts))
	case reflect.Map:
		return raw[0] == '{' && t.Key().Kind() == reflect.String && f.fitsAll(raw, t.Elem(), partsOf(t, parts)) >= 0
	case reflect.Struct:
		return f.fitsStruct(raw, t, parts)
	}
	v := reflect.New(t).Elem()
	return decodeScalar(raw, v) == nil && (f.texts || isExact(v, raw))
}

// isExact reports whether the scalar v is just what raw says. Only numbers with
// more digits than a float64 has may be another.
func isExact(v reflect.Value, raw []byte) bool {
	if !v.CanFloat() || len(raw) <= 15 {
		return true
	}
	return jsontext.SameNumber(string(raw), strconv.FormatFloat(v.Float(), 'g', -1, v.Type().Bits()))
}

// fitsUnion reports whether raw is of a variant of the union t.
func (f *fitter) fitsUnion(raw []byte, t reflect.Type, parts parts) bool {
	if t.NumMethod() == 0 || jsontext.IsNull(raw) {
		return true
	}
	f.met = true
	decode := parts.union(t)
	if !f.inside || decode == nil || f.left < len(raw) {
		return true
	}
	at := place{&raw[0], t}
	if known, ok := f.found[at]; ok {
		return known
	}
	if f.found == nil {
		f.found = map[place]bool{}
	}
	f.found[at] = f.fitsVariant(raw, decode)
	return f.found[at]
}

func (f *fitter) fitsVariant(raw []byte, decode func([]byte) (any, error)) bool {
	_, err := decode(nil)
	d, ok := err.(*description)
	if !ok {
		return true // it is not one of ours
	}
	f.left -= len(raw)
	var room [8]candidate
	left, err := candidates(room[:0], raw, d.variants)
	if err != nil {
		return false
	}
	for i := range left {
		f.left -= len(raw)
		if t := reflect.TypeOf(left[i].As); t != nil && f.fits(raw, t, nil) {
			return true
		}
	}
	return false
}

func (f *fitter) fitsList(raw []byte, t reflect.Type, parts parts) bool {
	switch {
	case t.Elem().Kind() == reflect.Uint8: // raw JSON, or base64
		return reflect.PointerTo(t).Implements(typeUnmarshaler) || jsontext.Unmarshal(raw, reflect.New(t).Interface()) == nil
	case raw[0] != '[':
		return false
	}
	n := f.fitsAll(raw, t.Elem(), parts)
	return n >= 0 && (t.Kind() == reflect.Slice || n == t.Len())
}

// fitsAll counts the values of an array or an object; -1 is that one of them does
// not fit.
func (f *fitter) fitsAll(raw []byte, t reflect.Type, parts parts) int {
	n := 0
	m := jsontext.NewItems(raw)
	for ; m.Next(); n++ {
		if !f.fits(m.Value, t, parts) {
			return -1
		}
	}
	return n
}

func (f *fitter) fitsStruct(raw []byte, t reflect.Type, parts parts) bool {
	if o, ok := reflect.New(t).Interface().(optional); ok {
		return jsontext.IsNull(raw) || f.fits(raw, valueType(o), parts)
	}
	fields, err := appendFields(nil, t)
	if err != nil {
		return false
	}
	s := structure{Type: t, fields: fields, rest: restOf(t), parts: parts}
	if own, ok := ownParts(t); ok {
		s.parts, s.tags = own, own
		outer := f.texts
		f.texts = s.rest == typeRaw && raw[0] == '{'
		defer func() { f.texts = outer }()
	}
	switch raw[0] {
	case '{':
		return f.fitsObject(raw, &s)
	case '[':
		return f.fitsTuple(raw, &s)
	}
	return false
}

// structure is what a struct is made of.
type structure struct {
	reflect.Type
	fields []field
	rest   reflect.Type // of the values that no field shows; nil if there is no room for any
	parts  parts
	tags   parts
}

// restOf returns the type of the values of the members, or the elements, that no
// field of t shows; nil if there is no room for any.
func restOf(t reflect.Type) reflect.Type {
	if i := restIndex(t); i >= 0 {
		return t.Field(i).Type.Elem()
	}
	return nil
}

// restIndex is the field of t for what no other field shows, -1 if it has none.
func restIndex(t reflect.Type) int {
	for i := range t.NumField() {
		f := t.Field(i)
		if jsonTag(f.Tag) == "-" && f.Tag.Get("mcp") == "" && (f.Type.Kind() == reflect.Map || f.Type.Kind() == reflect.Slice) {
			return i
		}
	}
	return -1
}

func (f *fitter) fitsObject(raw []byte, s *structure) bool {
	tags := 0
	m := jsontext.NewItems(raw)
	for m.Next() {
		key := m.Key()
		if i := find(s.fields, key, 0); i >= 0 {
			s.fields[i].seen = true
			if !f.fitsMember(m.Value, &s.fields[i], s) {
				return false
			}
		} else if tag := s.tags.tag(key); tag != nil {
			if !isConstant(m.Value, tag.value) {
				return false
			}
			tags++
		} else if s.rest == nil || !f.fits(m.Value, s.rest, s.parts) {
			return false
		}
	}
	return (f.lenient || tags == s.tags.countTags()) && errMissing(s.fields) == nil
}

// fitsMember reports whether the value of a member is of its field. A zero, or a
// null, would be left out of what is optional.
func (f *fitter) fitsMember(raw []byte, of *field, s *structure) bool {
	t := s.Field(of.index).Type
	switch {
	case !jsontext.IsNull(raw):
	case of.null:
		return true
	case !of.required && t != typeRaw && !t.Implements(typePresence):
		return f.lenient // it would be left out
	}
	return f.fits(raw, t, s.parts) && (of.required || f.lenient || !isZeroScalar(raw, t))
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

func (f *fitter) fitsTuple(raw []byte, s *structure) bool {
	if !isTuple(s.fields) {
		return false
	}
	n := 0
	m := jsontext.NewItems(raw)
	for ; m.Next(); n++ {
		of := s.rest
		if n < len(s.fields) {
			of = s.Field(s.fields[n].index).Type
		}
		if of == nil || !f.fits(m.Value, of, s.parts) {
			return false
		}
	}
	return n >= countRequired(s.fields)
}

// description is the error of the functions that generated methods call if they are
// called without data: what a method says of its type, which no reflection shows. No
// JSON is empty, so whoever else calls a method so gets an error that says that.
type description struct {
	parts    []Part    // of an object, a tuple or a value
	variants []Variant // of a union
}

func (*description) Error() string { return jsontext.ErrEmpty.Error() }

func (*description) Unwrap() error { return jsontext.ErrEmpty }

// ownParts returns the parts that t decodes with, if it has a method for that.
func ownParts(t reflect.Type) (parts, bool) {
	if t.PkgPath() == "" || !reflect.PointerTo(t).Implements(typeUnmarshaler) {
		return nil, false
	}
	d, ok := reflect.New(t).Interface().(json.Unmarshaler).UnmarshalJSON(nil).(*description)
	if !ok {
		return nil, false
	}
	return d.parts, true
}

// partsOf returns the parts that a list or a map of the type t decodes with: its
// own, else those of what it is inside of.
func partsOf(t reflect.Type, outer parts) parts {
	if own, ok := ownParts(t); ok {
		return own
	}
	return outer
}
