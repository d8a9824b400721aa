package codec

// This file checks whether a value fits a Go type: the value must decode, and encode to the same JSON
// again. The decoded value is discarded.

import (
	"encoding/json"
	"reflect"

	"github.com/mcpgen/mcpgen/internal/jsontext"
)

// fitter compares values with types.
//
// A union accepts every value, by its Other type. Whether a value also matches a variant of each union
// inside it is a separate check. That check runs once for each value and union, and within bounds:
// decoding every variant of a recursive type would try the innermost variants an exponential number of
// times.
type fitter struct {
	inside bool // unions inside must match a variant
	left   int  // bytes that may still be read for inside; without them, unions accept every value

	// lenient ignores losses that the schema of a type rules out: null and zero values of optional members,
	// and the absence of a tag.
	lenient bool

	found map[place]bool
	notes notes
}

// place is a value and a union that it may match.
type place struct {
	value *byte // its first byte
	union reflect.Type
}

// fits reports whether raw, one valid value, fits the type t.
func (f *fitter) fits(raw []byte, t reflect.Type) bool {
	outer := f.notes.lost
	f.notes.fit, f.notes.lost = f, false
	err := decoder{notes: &f.notes}.decodeValue(raw, reflect.New(t).Elem(), nil)
	lost := f.notes.lost
	f.notes.lost = outer
	return err == nil && !lost
}

// fitsUnion reports whether raw matches a variant of the union t, which decode decodes.
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
		return true // not a generated union
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

// fitMember is decodeMember for a fitter. In an optional member, a zero or null would be lost when
// encoded.
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

// restIndex returns the index of the field of t for members or elements without a field; -1 if there is
// none. [ExactNumbers] does not count.
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

// description is the error that decode functions return for nil data: it holds what a generated method
// passes to them, which reflection cannot show. Other callers of such a method get the text of ErrEmpty,
// since no JSON is empty.
type description struct {
	parts    []Part    // of an object, a tuple or a value
	variants []Variant // of a union
}

func (*description) Error() string { return jsontext.ErrEmpty.Error() }

func (*description) Unwrap() error { return jsontext.ErrEmpty }

// ownParts returns the parts that the UnmarshalJSON method of t passes, if it is a generated one.
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
