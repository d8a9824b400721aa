package codec

// This file holds what generated code tells the decoder and the encoder about a
// type, where the type cannot say it itself.

import (
	"bytes"
	"encoding/json"
	"fmt"
	"reflect"
	"strings"

	"github.com/mcpgen/mcpgen/internal/jsontext"
	"github.com/mcpgen/mcpgen/internal/safetext"
)

// Part tells [DecodeObject], [EncodeObject] and their like what no field of a
// struct shows: a [Tag], or by [UnionOf] how an interface is decoded. It tells
// [CallTool] by [OrNull] that a result may be null. The zero Part tells nothing.
type Part struct {
	name, value string // of a tag
	null        bool   // it is OrNull

	// The nil pointer to the interface. A type of reflect here, or in a method of
	// Part, would make the compiler write some fifty functions into each package
	// that names a Part.
	union  any
	decode func(data []byte) (any, error)
}

// Tag is a member of an object that always has one value, as the "type" of a
// variant has. Value is JSON. The member is written before all others. It is
// read without being kept: another value is an error, its absence is not.
func Tag(name, value string) Part { return Part{name: name, value: value} }

// UnionOf says that values of the interface type that union is a nil pointer to,
// as (*X)(nil) is, are decoded with decode, where they stand in fields, slices,
// arrays, maps, pointers and [runtime.Opt]. Types with an UnmarshalJSON method of their own
// decode what is inside them by themselves. Decode returns a value that implements
// X, or nil. It is an error, at each value, if it does not.
func UnionOf(union any, decode func(data []byte) (any, error)) Part {
	t := reflect.TypeOf(union)
	if t == nil || t.Kind() != reflect.Pointer || t.Elem().Kind() != reflect.Interface {
		return Part{} // there can be no value of it, so nobody misses its decoder
	}
	return Part{union: union, decode: decode}
}

// OrNull says that the result of a tool may be null, which a nil pointer stands for.
func OrNull() Part { return Part{null: true} }

// decoder decodes with what it knows beside the types.
type decoder struct {
	parts
	notes *notes // nil: nobody wants to know what is not read
}

// parts are what generated code says of the types of a value.
type parts []Part

// decodeInterface decodes into an interface: an any, or one that a part is for.
// What else is an interface, encoding/json refuses in its own words.
func (d decoder) decodeInterface(raw []byte, v reflect.Value) error {
	decode := d.union(v.Type())
	switch {
	case d.notes != nil && d.notes.fit != nil:
		d.notes.lost = d.notes.lost || !d.notes.fit.fitsUnion(raw, v.Type(), decode)
		return nil
	case v.NumMethod() == 0:
		return decodeAny(raw, v)
	case decode == nil:
		return jsontext.Unmarshal(raw, v.Addr().Interface())
	}
	x, err := decode(raw)
	switch t := reflect.TypeOf(x); {
	case err != nil:
		return err
	case x == nil:
		v.SetZero()
	case !t.AssignableTo(v.Type()):
		return fmt.Errorf("UnionOf: %s is not a variant of %s", t, v.Type())
	default:
		v.Set(reflect.ValueOf(x))
		if d.notes != nil {
			d.noteVariant(raw, t)
		}
	}
	return nil
}

// union returns the function that decodes values of an interface, nil if no part is
// for it.
func (d parts) union(t reflect.Type) func(data []byte) (any, error) {
	for i := range d {
		if d[i].union != nil && reflect.TypeOf(d[i].union).Elem() == t {
			return d[i].decode
		}
	}
	return nil
}

// countTags counts the tags.
func (d parts) countTags() int {
	n := 0
	for i := range d {
		if d[i].union == nil && d[i].value != "" {
			n++
		}
	}
	return n
}

// tag returns the tag of that name.
func (d parts) tag(name []byte) *Part {
	for i := range d {
		if d[i].union == nil && d[i].value != "" && d[i].name == string(name) {
			return &d[i]
		}
	}
	return nil
}

// check reports a value of the tag that is not the one it always has.
func (p *Part) check(raw []byte) error {
	if isConstant(raw, p.value) {
		return nil
	}
	return fmt.Errorf("want %s, got %s", safetext.Cut(p.value, 100), kindOrOther(raw))
}

// isConstant reports whether raw is the JSON constant.
func isConstant(raw []byte, constant string) bool {
	switch {
	case string(raw) == constant:
		return true
	case raw[0] == '"' && bytes.IndexByte(raw, '\\') < 0 && strings.IndexByte(constant, '\\') < 0:
		return false // nearly every constant is such a string
	}
	return jsontext.Equal(raw, []byte(constant))
}

// kindOrOther says what a value is that is not the wanted one. Short strings are
// names of variants, and quoted.
func kindOrOther(raw []byte) string {
	var s string
	if raw[0] == '"' && len(raw) <= 100 && json.Unmarshal(raw, &s) == nil {
		return safetext.Printable(string(raw))
	}
	return jsontext.KindOf(raw)
}
