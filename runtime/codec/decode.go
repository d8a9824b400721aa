package codec

// This file decodes results into Go types by the rules of JSON Schema where
// they differ from encoding/json's: names match exactly, a required member must
// be there, null is not a number, every spelling of an integer is an integer, and
// members without a field are kept. It does not depend on how encoding/json
// decides these, so results are the same under GOEXPERIMENT=jsonv2.

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

// DecodeObject decodes the JSON object in data into the struct that x points to,
// and the members that the struct has no field for into the map that extra points
// to. It is what the UnmarshalJSON methods of generated types call.
//
// X is a pointer to a struct, whose own UnmarshalJSON method is not called; extra
// is a pointer to a map with string keys, or nil to drop unknown members. The map
// is replaced: afterwards it holds the unknown members of data and nothing else,
// and is nil if there are none. Fields whose members are absent keep their values.
// Data is not retained.
//
// The struct's json tags name the members. Names match exactly. A member whose
// tag says neither omitzero nor omitempty is required: it is an error if it is
// absent. Null is an error for a value that cannot hold it (strings, numbers,
// booleans, structs, arrays), save that null for such a member which is not
// required counts as absent; slices and maps become nil. Of a name that stands
// there twice, the last one wins.
//
// Numbers such as 1.0 and 1e3 decode into integers; an integer that does not
// fit its type is an error, never another number. Numbers in an any become
// [json.Number]; a json.Number gets the text of a number as it stands. A number that a
// float64 does not hold to the last digit is rounded, and the text of the member is kept
// under its name, in the last field of the struct if that is of the type [ExactNumbers],
// else in extra if that points to a map of [json.RawMessage]: [EncodeObject] writes it, as
// long as the field holds what it was rounded to. Where nothing has room for the text, the
// number is an error. An array must have the length of its Go array. Structs without
// an UnmarshalJSON method are decoded by the same rules, and their unknown
// members dropped. Embedded structs and the tag option "string" are not
// supported and reported as an error.
//
// Parts say what the struct cannot: tags, which are members without a field, and
// how to decode unions, wherever they stand in it. A member whose name no json tag
// can hold has the tag "-" and beside it `mcp:"name,"` or `mcp:"name,omitzero"`:
// there the last comma ends the name, and strconv.Quote writes the rest. Of a union, a
// slice or a map that is required and may be null the tag is `mcp:"null"`, or
// `mcp:"name,null"`; of a union with `json:"name,omitzero" mcp:"null"` null is decoded
// as a value of the union that stands for it.
//
// Errors begin with the JSON pointer of the place, for instance
// `at "/items/3/id": want an integer, got a string`. Values that are nested
// deeper than 1000 levels are an error.
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

// DecodeValue decodes data into what v points to, by the rules of
// [DecodeObject], whatever type that is. Generated fakes read arguments with it,
// and the named lists and maps of generated packages themselves.
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

// decodeResult decodes data into what out points to, by the rules of
// [DecodeObject]. Null is an error unless it is a value of the result: a nil slice
// would look like a result that was empty, and nobody expects a nil pointer.
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

// decodeMembers decodes the object that m stands before into the struct v. Where a float
// is not the number that was read, and v has no room for the text, all functions here
// set rounded; if that is nil, nothing around v has any, and the number is an error.
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
				delete(*texts, string(key)) // the text of the first of two
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

// holdsNull reports whether null may mean something to v.
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

// decodeKind is decodeValue for a type without a method of its own.
func (d decoder) decodeKind(raw []byte, v reflect.Value, rounded *bool) error {
	switch v.Kind() {
	case reflect.Pointer, reflect.Slice, reflect.Map, reflect.Array, reflect.Struct, reflect.Interface:
		return d.decodeComposite(raw, v, rounded)
	}
	if err := decodeScalar(raw, v); err != nil || isExact(v, raw) {
		return err
	}
	if rounded == nil {
		return errNumber(raw, v)
	}
	*rounded = true
	d.notes.add("its Go type rounds it; the text is kept beside it")
	return nil
}

func decodeScalar(raw []byte, v reflect.Value) error {
	switch number := raw[0] == '-' || isDigit(raw[0]); {
	case v.Kind() == reflect.String && v.Type() == typeNumber:
		if !number {
			return errWant(v, raw) // encoding/json takes a string that spells one
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

func (d decoder) decodeComposite(raw []byte, v reflect.Value, rounded *bool) error {
	switch v.Kind() {
	case reflect.Struct:
		if raw[0] != '{' {
			return errWant(v, raw)
		}
		m := jsontext.NewItems(raw)
		return d.decodeMembers(&m, v, sink{decoder: d}, rounded)
	case reflect.Array:
		return d.decodeArray(raw, v, rounded)
	}
	if jsontext.IsNull(raw) {
		if d.notes != nil && (v.Kind() == reflect.Slice || v.Kind() == reflect.Map) {
			d.notes.lost = true // it would be an empty one
		}
		v.SetZero()
		return nil
	}
	switch v.Kind() {
	case reflect.Pointer:
		if v.IsNil() {
			v.Set(reflect.New(v.Type().Elem()))
		}
		return d.decodeValue(raw, v.Elem(), rounded)
	case reflect.Slice:
		return d.decodeSlice(raw, v, rounded)
	case reflect.Map:
		return d.decodeMap(raw, v, rounded)
	}
	return d.decodeInterface(raw, v)
}

func (d decoder) decodeSlice(raw []byte, v reflect.Value, rounded *bool) error {
	if v.Type().Elem().Kind() == reflect.Uint8 {
		return jsontext.Unmarshal(raw, v.Addr().Interface()) // base64
	}
	if raw[0] != '[' {
		return errWant(v, raw)
	}
	// New memory: others may share that of a slice which is there already.
	v.Set(reflect.MakeSlice(v.Type(), 0, 0))
	n := 0
	e := jsontext.NewItems(raw)
	for ; e.Next(); n++ {
		v.Grow(1)
		v.SetLen(n + 1)
		mark, err := d.notes.mark(), d.decodeValue(e.Value, v.Index(n), rounded)
		if err != nil || d.notes != nil {
			left, err := d.below(strconv.Itoa(n), mark, err)
			if err != nil {
				return err
			}
			if left {
				v.Index(n).SetZero()
			}
		}
	}
	return e.Err
}

func (d decoder) decodeArray(raw []byte, v reflect.Value, rounded *bool) error {
	if raw[0] != '[' {
		return errWant(v, raw)
	}
	n := 0
	e := jsontext.NewItems(raw)
	for ; e.Next(); n++ {
		if n >= v.Len() {
			continue
		}
		mark := d.notes.mark()
		if err := d.decodeValue(e.Value, v.Index(n), rounded); err != nil {
			return within(strconv.Itoa(n), err)
		}
		if d.notes != nil {
			d.notes.under(strconv.Itoa(n), mark)
		}
	}
	if e.Err == nil && n != v.Len() {
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

// errWant says which JSON type v takes, and which one raw is. It never quotes
// raw: the value may be secret, or long.
func errWant(v reflect.Value, raw []byte) error {
	want := "a value of the Go type " + v.Type().String()
	switch {
	case v.Type() == typeNumber:
		want = "a number"
	case v.Kind() == reflect.String:
		want = "a string"
	case v.Kind() == reflect.Bool:
		want = "a boolean"
	case v.CanInt() || v.CanUint():
		want = "an integer"
	case v.CanFloat():
		want = "a number"
	case v.Kind() == reflect.Slice || v.Kind() == reflect.Array:
		want = "an array"
	case v.Kind() == reflect.Map || v.Kind() == reflect.Struct:
		want = "an object"
	}
	return fmt.Errorf("want %s, got %s", want, jsontext.KindOf(raw))
}
