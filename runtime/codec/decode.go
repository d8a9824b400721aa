package codec

// This file decodes results into Go types. It follows JSON Schema where encoding/json differs: names
// match exactly, required members must be present, null is not a number, every spelling of an integer is
// an integer, and members without a field are kept. None of this depends on encoding/json, so results are
// the same under GOEXPERIMENT=jsonv2.

import (
	"bytes"
	"encoding"
	"encoding/json"
	"fmt"
	"reflect"
	"slices"
	"strconv"

	"github.com/mcpgen/mcpgen/internal/jsontext"
)

// DecodeObject decodes the JSON object in data into the struct that x points to, and members without a
// field into the map that extra points to. The UnmarshalJSON methods of generated types call it.
//
// X is a pointer to a struct, whose own UnmarshalJSON method is not called; extra
// is a pointer to a map with string keys, or nil to drop unknown members. The map
// is replaced: afterwards it holds the unknown members of data and nothing else,
// and is nil if there are none. Fields whose members are absent keep their values.
// Data is not retained.
//
// The struct's json tags name the members. Names match exactly. A member whose tag has neither omitzero
// nor omitempty is required: its absence is an error. Null is an error for strings, numbers, booleans,
// structs and arrays if the member is required; if it is optional, null counts as absent. Null makes
// slices and maps nil. If a name is duplicated, the last member wins.
//
// Numbers such as 1.0 and 1e3 decode into integers. An integer that does not fit its type is an error.
// Numbers in an any become [json.Number], and a json.Number keeps the text of the number. A number that
// float64 cannot hold exactly is rounded, and its text is kept under the member's name: in the last field
// of the struct if its type is [ExactNumbers], else in extra if that points to a map of
// [json.RawMessage]. [EncodeObject] writes the text if the field still holds the rounded number. Without
// either place for the text, the number is an error. An array must have the length of its Go array.
// Structs without an UnmarshalJSON method are decoded by the same rules, and their unknown members are
// dropped. Embedded structs and the tag option "string" are errors.
//
// Parts hold what the struct cannot declare: tags, which are members without a field, and how to decode
// unions anywhere inside the struct. A member whose name is not possible in a json tag has `json:"-"` and
// also `mcp:"name,"` or `mcp:"name,omitzero"`: there the last comma ends the name, which is quoted as by
// strconv.Quote. A required union, slice or map that may be null has the tag `mcp:"null"`, or
// `mcp:"name,null"`. For a union with `json:"name,omitzero" mcp:"null"`, null is decoded as a value of
// the union that represents null.
//
// Errors begin with a JSON pointer, for instance `at "/items/3/id": want an integer, got a string`.
// Values that are nested deeper than 1000 levels are an error.
func DecodeObject(data []byte, x, extra any, parts ...Part) error {
	v := reflect.ValueOf(x)
	if v.Kind() != reflect.Pointer || v.IsNil() || v.Elem().Kind() != reflect.Struct {
		return fmt.Errorf("DecodeObject: x is %T, want a pointer to a struct", x)
	}
	if data == nil {
		return &description{parts: slices.Clone(parts)}
	}
	sink, err := newSink(extra, decoder{parts: parts})
	if err != nil {
		return err
	}
	if jsontext.First(data) != '{' {
		raw, err := jsontext.Whole(data)
		if err != nil {
			return err
		}
		return errWant(v.Elem(), raw)
	}
	m := jsontext.NewItems(data)
	if err := (decoder{parts: parts}).decodeMembers(&m, v.Elem(), sink, nil); err != nil {
		return err
	}
	return m.Close()
}

// DecodeValue decodes data into what v points to, of any type, by the rules of [DecodeObject]. Generated
// fakes read arguments with it, and the named lists and maps of generated packages decode themselves with
// it.
func DecodeValue(data []byte, v any, parts ...Part) error {
	dst := reflect.ValueOf(v)
	if dst.Kind() != reflect.Pointer || dst.IsNil() {
		return fmt.Errorf("DecodeValue: v is %T, want a pointer", v)
	}
	if data == nil {
		return &description{parts: slices.Clone(parts)}
	}
	raw, err := jsontext.Whole(data)
	if err != nil {
		return err
	}
	return decoder{parts: parts}.decodeValue(raw, dst.Elem(), nil)
}

// decodeResult decodes data into what out points to, by the rules of [DecodeObject]. Null is an error
// unless it is a value of the result: a nil slice would look like an empty result, and callers do not
// expect a nil pointer.
func (d decoder) decodeResult(data []byte, out reflect.Value) error {
	raw, err := jsontext.Whole(data)
	if err != nil {
		return err
	}
	v := out.Elem()
	if jsontext.IsNull(raw) {
		switch v.Kind() {
		case reflect.Pointer:
			if !slices.ContainsFunc(d.parts, func(p Part) bool { return p.null }) {
				return errWant(reflect.Zero(v.Type().Elem()), raw)
			}
		case reflect.Slice, reflect.Map:
			if !out.Type().Implements(typeUnmarshaler) {
				return errWant(v, raw)
			}
		}
	}
	return d.decodeValue(raw, v, nil)
}

var (
	typeUnmarshaler     = reflect.TypeFor[json.Unmarshaler]()
	typeTextUnmarshaler = reflect.TypeFor[encoding.TextUnmarshaler]()
	typeRaw             = reflect.TypeFor[json.RawMessage]()
	typeNumber          = reflect.TypeFor[json.Number]()
)

// decodeMembers decodes the object whose members m iterates over into the struct v. If a float had to be
// rounded and v has no room for its text, the functions of this file set rounded. A nil rounded means
// that no enclosing value has room either: then the number is an error.
func (d decoder) decodeMembers(m *jsontext.Items, v reflect.Value, extra sink, rounded *bool) error {
	var room [32]field // keeps the fields of most types off the heap
	fields, err := appendFields(room[:0], v.Type())
	if err != nil {
		return err
	}
	inexact := false
	texts := extra.texts(v)
	if texts != nil {
		rounded = &inexact
	}
	next, tags := 0, 0
	for m.Next() {
		key := m.Key()
		i := find(fields, key, next)
		mark, left := d.notes.mark(), false
		if i < 0 {
			if d.notes != nil && extra.tags.tag(key) != nil {
				tags++
			}
			if err = extra.add(key, m.Value, rounded); err != nil || d.notes != nil {
				_, err = d.below(string(key), mark, err)
			}
		} else {
			next = i + 1
			if fields[i].seen && texts != nil {
				delete(*texts, string(key)) // the text of an earlier duplicate
			}
			value := v.Field(fields[i].index)
			err = d.decodeMember(m.Value, value, &fields[i], rounded)
			if left, err = d.below(fields[i].name, mark, err); left {
				value.SetZero()
			}
		}
		if err != nil {
			return err
		}
		if texts != nil && (left || inexact) {
			keep(texts, key, m.Value)
		}
		inexact = false
	}
	if m.Err != nil {
		return m.Err
	}
	if d.notes != nil && d.notes.fit != nil && tags != extra.tags.countTags() {
		d.notes.lose()
	}
	if err := errMissing(fields); err != nil && !d.notes.misfit(err) {
		return err
	}
	return nil
}

// decodeMember decodes one member into its field v.
func (d decoder) decodeMember(raw []byte, v reflect.Value, f *field, rounded *bool) error {
	if f.seen {
		v.SetZero() // so that the last of two wins whole, with nothing of the first
	}
	if d.notes != nil && d.notes.fit != nil {
		return d.fitMember(raw, v, f, rounded)
	}
	f.seen = true
	if !f.required && jsontext.IsNull(raw) {
		switch {
		case f.union && f.null:
			return d.decodeInterface(raw, v)
		case !holdsNull(v):
			return nil
		}
	}
	return d.decodeValue(raw, v, rounded)
}

// holdsNull reports whether v may have a value for null.
func holdsNull(v reflect.Value) bool {
	switch v.Kind() {
	case reflect.Pointer, reflect.Interface, reflect.Slice, reflect.Map:
		return true
	}
	return v.Type().PkgPath() != "" && reflect.PointerTo(v.Type()).Implements(typeUnmarshaler)
}

// decodeValue decodes raw, one valid value, into v, which is addressable.
func (d decoder) decodeValue(raw []byte, v reflect.Value, rounded *bool) error {
	t := v.Type()
	if t.PkgPath() != "" && t.Kind() != reflect.Interface {
		switch own := v.Addr().Interface().(type) {
		case *json.RawMessage:
			*own = bytes.Clone(raw)
			return nil
		case optional:
			return d.decodeOptional(raw, own, rounded)
		case json.Unmarshaler:
			if d.notes != nil {
				if ok, err := d.decodeOwn(raw, v); ok {
					return err
				}
			}
			return own.UnmarshalJSON(raw)
		case encoding.TextUnmarshaler:
			return jsontext.Unmarshal(raw, own)
		}
	}
	return d.decodeKind(raw, v, rounded)
}

// decodeKind is decodeValue for a type without its own UnmarshalJSON method.
func (d decoder) decodeKind(raw []byte, v reflect.Value, rounded *bool) error {
	kind := v.Kind()
	switch kind {
	case reflect.Pointer, reflect.Slice, reflect.Map, reflect.Interface:
		if jsontext.IsNull(raw) {
			if d.notes != nil && (kind == reflect.Slice || kind == reflect.Map) {
				d.notes.lost = true // null becomes an empty slice or map
			}
			v.SetZero()
			return nil
		}
	}
	switch kind {
	case reflect.Struct:
		if raw[0] != '{' {
			return errWant(v, raw)
		}
		m := jsontext.NewItems(raw)
		return d.decodeMembers(&m, v, sink{decoder: d}, rounded)
	case reflect.Pointer:
		if v.IsNil() {
			v.Set(reflect.New(v.Type().Elem()))
		}
		return d.decodeValue(raw, v.Elem(), rounded)
	case reflect.Slice, reflect.Array:
		return d.decodeList(raw, v, rounded)
	case reflect.Map:
		return d.decodeMap(raw, v, rounded)
	case reflect.Interface:
		return d.decodeInterface(raw, v)
	}
	if err := decodeScalar(raw, v); err != nil || isExact(v, raw) {
		return err
	}
	if rounded == nil {
		return errNumber(raw, v)
	}
	*rounded = true
	d.notes.add("the Go type rounds this number; the exact text is kept, too")
	return nil
}

func decodeScalar(raw []byte, v reflect.Value) error {
	switch number := raw[0] == '-' || '0' <= raw[0] && raw[0] <= '9'; {
	case v.Kind() == reflect.String && v.Type() == typeNumber:
		if !number {
			return errWant(v, raw) // encoding/json also accepts a string that spells a number
		}
		v.SetString(string(raw))
	case v.Kind() == reflect.String:
		s, ok := jsontext.Unquote(raw)
		if !ok {
			return errWant(v, raw)
		}
		v.SetString(s)
	case v.Kind() == reflect.Bool:
		if raw[0] != 't' && raw[0] != 'f' {
			return errWant(v, raw)
		}
		v.SetBool(raw[0] == 't')
	case v.CanInt() || v.CanUint() || v.CanFloat():
		if !number {
			return errWant(v, raw)
		}
		return setNumber(raw, v)
	default:
		return fmt.Errorf("nothing can be decoded into the Go type %s", v.Type())
	}
	return nil
}

// decodeList decodes an array into a slice or an array. An array that does not fit is not decoded in part.
func (d decoder) decodeList(raw []byte, v reflect.Value, rounded *bool) error {
	whole := v.Kind() == reflect.Array
	if !whole && v.Type().Elem().Kind() == reflect.Uint8 {
		return jsontext.Unmarshal(raw, v.Addr().Interface()) // base64
	}
	if raw[0] != '[' {
		return errWant(v, raw)
	}
	if !whole {
		v.SetZero() // the existing array may be shared
	}
	n := 0
	e := jsontext.NewItems(raw)
	for ; e.Next(); n++ {
		switch {
		case !whole:
			v.Grow(1)
			v.SetLen(n + 1)
		case n >= v.Len():
			continue
		}
		mark, err := d.notes.mark(), d.decodeValue(e.Value, v.Index(n), rounded)
		if err == nil && d.notes == nil {
			continue
		}
		if err != nil && whole {
			return within(strconv.Itoa(n), err)
		}
		left, err := d.below(strconv.Itoa(n), mark, err)
		if err != nil {
			return err
		}
		if left {
			v.Index(n).SetZero()
		}
	}
	switch {
	case !whole && n == 0:
		v.Set(reflect.MakeSlice(v.Type(), 0, 0)) // an empty list is not nil
	case e.Err == nil && n != v.Len():
		return fmt.Errorf("want an array of %d elements, got %d", v.Len(), n)
	}
	return e.Err
}

func (d decoder) decodeMap(raw []byte, v reflect.Value, rounded *bool) error {
	t := v.Type()
	if t.Key().Kind() != reflect.String || reflect.PointerTo(t.Key()).Implements(typeTextUnmarshaler) {
		return jsontext.Unmarshal(raw, v.Addr().Interface())
	}
	if raw[0] != '{' {
		return errWant(v, raw)
	}
	if v.IsNil() {
		v.Set(reflect.MakeMap(t))
	}
	m := jsontext.NewItems(raw)
	for m.Next() {
		key := string(m.Key())
		value := reflect.New(t.Elem()).Elem()
		mark, err := d.notes.mark(), d.decodeValue(m.Value, value, rounded)
		left, err := d.below(key, mark, err)
		if err != nil {
			return err
		}
		if !left {
			v.SetMapIndex(reflect.ValueOf(key).Convert(t.Key()), value)
		}
	}
	return m.Err
}

func decodeAny(raw []byte, v reflect.Value) error {
	x, err := jsontext.Decode(raw) // a float64 would lose the digits of large integers
	if err == nil {
		v.Set(reflect.ValueOf(x))
	}
	return err
}

// errWant returns an error with the JSON type that v takes and the type of raw. It never quotes raw: the
// value may be secret, or long.
func errWant(v reflect.Value, raw []byte) error {
	want := "a value of the Go type " + v.Type().String()
	switch {
	case v.Type() == typeNumber, v.CanFloat():
		want = "a number"
	case v.Kind() == reflect.String:
		want = "a string"
	case v.Kind() == reflect.Bool:
		want = "a boolean"
	case v.CanInt() || v.CanUint():
		want = "an integer"
	case v.Kind() == reflect.Slice || v.Kind() == reflect.Array:
		want = "an array"
	case v.Kind() == reflect.Map || v.Kind() == reflect.Struct:
		want = "an object"
	}
	return fmt.Errorf("want %s, got %s", want, jsontext.KindOf(raw))
}
