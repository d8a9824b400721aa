package codec

// This file holds what generated code passes to the decoder and the encoder because the Go type cannot
// express it.

import (
	"bytes"
	"fmt"
	"reflect"
	"strings"

	"github.com/mcpgen/mcpgen/internal/jsontext"
	"github.com/mcpgen/mcpgen/internal/safetext"
)

// Part adds to a struct what its fields cannot express, for [DecodeObject], [EncodeObject] and similar
// functions: a [Tag], or with [UnionOf] the decoder of an interface. For [CallTool], [OrNull] allows a
// null result. The zero Part adds nothing.
type Part struct {
	name, value string // of a tag
	null        bool   // made by OrNull

	// A nil pointer to the interface. With a reflect type here, or in a method of Part, the compiler would
	// add some fifty functions to each package that uses Part.
	union  any
	decode func(data []byte) (any, error)
}

// Tag is a member of an object that always has the same value, such as the "type" of a variant. Value is
// JSON. The member is written before all others. Decoding discards it: another value is an error, its
// absence is not.
func Tag(name, value string) Part { return Part{name: name, value: value} }

// UnionOf makes values of an interface type decode with decode. Union is a nil pointer to the interface,
// as in (*X)(nil). It applies inside fields, slices, arrays, maps, pointers and [runtime.Opt], but not
// inside types with their own UnmarshalJSON method. Decode returns a value that implements X, or nil; any
// other value is an error.
func UnionOf(union any, decode func(data []byte) (any, error)) Part {
	t := reflect.TypeOf(union)
	if t == nil || t.Kind() != reflect.Pointer || t.Elem().Kind() != reflect.Interface {
		return Part{} // no value can have this type, so its decoder is not needed
	}
	return Part{union: union, decode: decode}
}

// OrNull allows the result of a tool to be null, which becomes a nil pointer.
func OrNull() Part { return Part{null: true} }

// decoder decodes values with the parts that generated code passes.
type decoder struct {
	parts
	notes *notes // nil: unread parts are not recorded
}

// parts describe the types of a value beyond what Go types express.
type parts []Part

// decodeInterface decodes into an interface: an any, or a union that a part describes. Other interfaces
// fail with encoding/json's own error.
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

// union returns the function that decodes values of an interface; nil if no part describes it.
func (d parts) union(t reflect.Type) func(data []byte) (any, error) {
	for i := range d {
		if d[i].union != nil && reflect.TypeOf(d[i].union).Elem() == t {
			return d[i].decode
		}
	}
	return nil
}

func (d parts) countTags() int {
	n := 0
	for i := range d {
		if d[i].value != "" {
			n++
		}
	}
	return n
}

// tag returns the tag with that name; nil if there is none.
func (d parts) tag(name []byte) *Part {
	for i := range d {
		if d[i].value != "" && d[i].name == string(name) {
			return &d[i]
		}
	}
	return nil
}

// check returns an error if the tag does not have its constant value.
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
		return false // nearly every constant is a string without escapes
	}
	return jsontext.Equal(raw, []byte(constant))
}

// kindOrOther describes an unexpected value for an error. Short strings are names of variants, and are
// quoted.
func kindOrOther(raw []byte) string {
	if raw[0] == '"' && len(raw) <= 100 {
		return safetext.Printable(string(raw))
	}
	return jsontext.KindOf(raw)
}
