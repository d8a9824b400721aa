package codec

// This file finds out whether a value is of a Go type: whether it decodes, and is the
// same JSON when it is encoded again. It is decoded into nothing that anybody keeps.

import (
	"encoding/json"
	"reflect"

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

	// lenient lets go what the schema of a type rules out: null and the zero value of
	// members that are left out for it, and the absence of a tag.
	lenient bool

	found map[place]bool
	notes notes
}

// place is a value and a union that it may be of.
type place struct {
	value *byte // the first one of it
	union reflect.Type
}

// fits reports whether raw, one valid value, is of the type t.
func (f *fitter) fits(raw []byte, t reflect.Type) bool {
	outer := f.notes.lost
	f.notes.fit, f.notes.lost = f, false
	err := decoder{notes: &f.notes}.decodeValue(raw, reflect.New(t).Elem(), nil)
	lost := f.notes.lost
	f.notes.lost = outer
	return err == nil && !lost
}

// fitsUnion reports whether raw is of a variant of the union t, which decode decodes.
func (f *fitter) fitsUnion(raw []byte, t reflect.Type, decode func([]byte) (any, error)) bool {
	if decode == nil || !f.inside || f.left < len(raw) || jsontext.IsNull(raw) {
		return true
	}
	at := place{&raw[0], t}
	known, ok := f.found[at]
	if !ok {
		known = f.fitsVariant(raw, decode)
		if f.found == nil {
			f.found = map[place]bool{}
		}
		f.found[at] = known
	}
	return known
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
		if t := reflect.TypeOf(left[i].As); t != nil && f.fits(raw, t) {
			return true
		}
	}
	return false
}

// fitMember is decodeMember for a fitter. A zero, or a null, would be left out of what
// is optional.
func (d decoder) fitMember(raw []byte, v reflect.Value, of *field, rounded *bool) error {
	of.seen = true
	t := v.Type()
	switch {
	case !jsontext.IsNull(raw):
	case of.null:
		return nil
	case !of.required && t != typeRaw && !t.Implements(typePresence):
		d.notes.lose()
		return nil
	}
	err := d.decodeValue(raw, v, rounded)
	switch v.Kind() {
	case reflect.Pointer, reflect.Interface, reflect.Slice, reflect.Map, reflect.Struct, reflect.Array:
	default:
		if !of.required && v.IsZero() {
			d.notes.lose()
		}
	}
	return err
}

// restIndex is the field of t for the members, or the elements, that no other field
// shows; -1 if it has none. That of numbers shows none.
func restIndex(t reflect.Type) int {
	for i := range t.NumField() {
		f := t.Field(i)
		if jsonTag(f.Tag) == "-" && f.Tag.Get("mcp") == "" && f.Type != typeExact &&
			(f.Type.Kind() == reflect.Map || f.Type.Kind() == reflect.Slice) {
			return i
		}
	}
	return -1
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
