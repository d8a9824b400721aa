package codec

// This file encodes values of generated types. It differs from encoding/json where that would send a
// server something unintended: a list or a map is null only where null is valid, a member may have any
// name, and <, > and & are not escaped.

import (
	"bytes"
	"cmp"
	"encoding"
	"encoding/json"
	"fmt"
	"maps"
	"reflect"
	"slices"
	"strconv"
	"strings"

	"github.com/mcpgen/mcpgen/internal/jsontext"
)

// EncodeObject encodes the tags among parts, the members of a struct and the entries of the map extra as
// one object, each group sorted by name. The MarshalJSON methods of generated types call it. It is the
// counterpart of [DecodeObject]: struct tags mean the same, and values are encoded as by [EncodeValue].
//
// X is the struct or a pointer to it; its own MarshalJSON method is not called. Extra is a map with
// string keys; nil or empty adds nothing. An entry of extra with the name of a field or a tag is an
// error, even if the field is not set, since one of the two would be lost. The only exception are number
// texts that DecodeObject kept, in extra or in [ExactNumbers].
func EncodeObject(x, extra any, parts ...Part) ([]byte, error) {
	v := reflect.Indirect(reflect.ValueOf(x))
	if v.Kind() != reflect.Struct {
		return nil, fmt.Errorf("EncodeObject: x is %T, want a struct", x)
	}
	fields, err := appendFields(nil, v.Type())
	if err != nil {
		return nil, err
	}
	more := reflect.ValueOf(extra)
	if extra != nil && (more.Kind() != reflect.Map || more.Type().Key().Kind() != reflect.String) {
		return nil, fmt.Errorf("EncodeObject: extra is %T, want a map with string keys", extra)
	}
	b := []byte{'{'}
	for i := range parts {
		if parts[i].value != "" {
			b = append(appendKey(b, parts[i].name), parts[i].value...)
		}
	}
	texts, _ := extra.(map[string]json.RawMessage)
	exact := exactTexts(v, texts, member(v, fields, more))
	if exact != nil && texts != nil {
		rest := maps.Clone(texts)
		maps.DeleteFunc(rest, func(name string, _ json.RawMessage) bool { _, ok := exact[name]; return ok })
		more = reflect.ValueOf(rest)
	}
	if b, err = appendFieldsOf(b, v, fields, exact, 1); err != nil {
		return nil, err
	}
	if extra != nil {
		if err := checkExtra(fields, parts, more); err != nil {
			return nil, err
		}
		if b, err = appendEntries(b, more, exact, 1); err != nil {
			return nil, err
		}
	}
	return append(b, '}'), nil
}

// EncodeValue encodes v as [json.Marshal] does, with these differences. A nil slice or map that is not
// omitted is [] or {}, at any depth, unless its field's tag makes it null. A [json.Number] that is not a
// number is an error, also an empty one unless it is omitted. The characters <, > and & are not escaped.
// Struct tags may name members as [DecodeObject] describes. Structs with embedded fields are left to
// encoding/json. Values that are nested deeper than 1000 levels are an error.
func EncodeValue(v any) ([]byte, error) { return appendValue(nil, reflect.ValueOf(v), 0) }

// checkExtra returns an error for entries of extra that have the name of a field or a tag.
func checkExtra(fields []field, parts parts, extra reflect.Value) error {
	var both []string
	for key := range extra.Seq() {
		name := key.String()
		if find(fields, []byte(name), 0) >= 0 || parts.tag([]byte(name)) != nil {
			both = append(both, strconv.Quote(name))
		}
	}
	if len(both) == 0 {
		return nil
	}
	slices.Sort(both)
	return fmt.Errorf("extra members %s are fields of the type: set the fields instead", strings.Join(both, ", "))
}

var (
	typeMarshaler     = reflect.TypeFor[json.Marshaler]()
	typeTextMarshaler = reflect.TypeFor[encoding.TextMarshaler]()
	typeZeroer        = reflect.TypeFor[interface{ IsZero() bool }]()
)

func appendValue(b []byte, v reflect.Value, depth int) ([]byte, error) {
	if depth > jsontext.MaxDepth {
		return b, jsontext.ErrDepth
	}
	switch v.Kind() {
	case reflect.Invalid:
		return append(b, "null"...), nil
	case reflect.Pointer, reflect.Interface:
		if v.IsNil() {
			return append(b, "null"...), nil
		}
		return appendValue(b, v.Elem(), depth+1)
	}
	if v.Type().PkgPath() != "" {
		switch t := v.Type(); {
		case t.Implements(typeMarshaler):
			return appendOwn(b, v.Interface().(json.Marshaler), depth)
		case v.CanAddr() && reflect.PointerTo(t).Implements(typeMarshaler):
			return appendOwn(b, v.Addr().Interface().(json.Marshaler), depth)
		case t == typeNumber:
			return appendNumber(b, v.String())
		case t.Implements(typeTextMarshaler), reflect.PointerTo(t).Implements(typeTextMarshaler):
			return appendStd(b, v)
		}
	}
	switch v.Kind() {
	case reflect.Struct:
		return appendStruct(b, v, depth+1)
	case reflect.Slice, reflect.Array:
		return appendList(b, v, depth+1)
	case reflect.Map:
		return appendMap(b, v, depth+1)
	}
	return appendScalar(b, v)
}

func appendScalar(b []byte, v reflect.Value) ([]byte, error) {
	switch {
	case v.Kind() == reflect.String:
		return jsontext.AppendString(b, v.String()), nil
	case v.Kind() == reflect.Bool:
		return strconv.AppendBool(b, v.Bool()), nil
	case v.CanInt():
		return strconv.AppendInt(b, v.Int(), 10), nil
	case v.CanUint() && v.Kind() != reflect.Uintptr:
		return strconv.AppendUint(b, v.Uint(), 10), nil
	}
	return appendStd(b, v)
}

// appendOwn appends the JSON of m's MarshalJSON method, validated and on one line.
func appendOwn(b []byte, m json.Marshaler, depth int) ([]byte, error) {
	if o, ok := m.(presence); ok {
		return appendValue(b, reflect.ValueOf(o.Any()), depth)
	}
	data, err := m.MarshalJSON()
	if err != nil {
		return b, err
	}
	w := bytes.NewBuffer(b)
	if err := json.Compact(w, data); err != nil {
		return b, fmt.Errorf("MarshalJSON of %T: %w", m, err)
	}
	return w.Bytes(), nil
}

// appendStd encodes v with encoding/json.
func appendStd(b []byte, v reflect.Value) ([]byte, error) {
	if v.CanAddr() {
		v = v.Addr() // so that pointer methods count too
	}
	text, err := jsontext.Marshal(v.Interface())
	return append(b, text...), err
}

func appendStruct(b []byte, v reflect.Value, depth int) ([]byte, error) {
	var room [16]field
	fields, err := appendFields(room[:0], v.Type())
	if err != nil {
		return appendStd(b, v)
	}
	exact := exactTexts(v, nil, member(v, fields, reflect.Value{}))
	b, err = appendFieldsOf(append(b, '{'), v, fields, exact, depth)
	return append(b, '}'), err
}

// appendFieldsOf appends the members of the struct v. A member with an entry in texts is that text.
func appendFieldsOf(b []byte, v reflect.Value, fields []field, texts map[string]json.RawMessage, depth int) ([]byte, error) {
	for i := range fields {
		var err error
		f, value := &fields[i], v.Field(fields[i].index)
		switch {
		case texts[f.name] != nil:
			b = append(appendKey(b, f.name), texts[f.name]...)
			continue
		case f.omits(value):
			continue
		case f.null && value.IsNil():
			b = append(appendKey(b, f.name), "null"...)
			continue
		}
		if b, err = appendValue(appendKey(b, f.name), value, depth); err != nil {
			return b, within(f.name, err)
		}
	}
	return b, nil
}

func appendList(b []byte, v reflect.Value, depth int) ([]byte, error) {
	if v.Kind() == reflect.Slice && v.Type().Elem().Kind() == reflect.Uint8 {
		return appendStd(b, v) // base64
	}
	b = append(b, '[')
	for i := range v.Len() {
		if i > 0 {
			b = append(b, ',')
		}
		var err error
		if b, err = appendValue(b, v.Index(i), depth); err != nil {
			return b, within(strconv.Itoa(i), err)
		}
	}
	return append(b, ']'), nil
}

func appendMap(b []byte, v reflect.Value, depth int) ([]byte, error) {
	key := v.Type().Key()
	if key.Kind() != reflect.String || key.Implements(typeTextMarshaler) {
		return appendStd(b, v)
	}
	b, err := appendEntries(append(b, '{'), v, nil, depth)
	return append(b, '}'), err
}

// appendEntries appends the entries of the map v, sorted by name. An entry with a text in texts is that
// text.
func appendEntries(b []byte, v reflect.Value, texts map[string]json.RawMessage, depth int) ([]byte, error) {
	keys := v.MapKeys()
	slices.SortFunc(keys, func(a, b reflect.Value) int { return cmp.Compare(a.String(), b.String()) })
	for _, key := range keys {
		var err error
		if text := texts[key.String()]; text != nil {
			b = append(appendKey(b, key.String()), text...)
			continue
		}
		if b, err = appendValue(appendKey(b, key.String()), v.MapIndex(key), depth); err != nil {
			return b, within(key.String(), err)
		}
	}
	return b, nil
}

// appendKey appends a member's name to the unfinished object at the end of b.
func appendKey(b []byte, name string) []byte {
	if b[len(b)-1] != '{' {
		b = append(b, ',')
	}
	return append(jsontext.AppendString(b, name), ':')
}
