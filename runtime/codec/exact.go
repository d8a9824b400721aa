package codec

// This file keeps values as they were read where their field does not hold them:
// numbers that a float64 rounds, and what lenient decoding could not read. Their texts
// stand beside them, by the names of members: see [DecodeObject] and [Lenient].

import (
	"bytes"
	"encoding/json"
	"reflect"
	"strconv"

	"github.com/mcpgen/mcpgen/internal/jsontext"
)

// ExactNumbers has the texts of those members of an object whose numbers a float64
// rounds, by their names, or of the elements of a tuple, by their index. It is nil if
// there are none. A text is written in place of its field as long as that holds what the
// text was rounded to; one for another value counts for nothing.
type ExactNumbers map[string]json.RawMessage

var typeExact = reflect.TypeFor[ExactNumbers]()

// exactOf returns the room of the struct v, emptied; nil if v has none.
func exactOf(v reflect.Value) *map[string]json.RawMessage {
	last := v.NumField() - 1
	if last < 0 || v.Type().Field(last).Type != typeExact {
		return nil
	}
	texts := v.Field(last).Addr().Interface().(*ExactNumbers)
	*texts = nil
	return (*map[string]json.RawMessage)(texts)
}

// textsOf returns the texts in the room of the struct v.
func textsOf(v reflect.Value) map[string]json.RawMessage {
	if last := v.NumField() - 1; last >= 0 && v.Type().Field(last).Type == typeExact {
		return v.Field(last).Interface().(ExactNumbers)
	}
	return nil
}

// exactTexts returns those of the texts that decoding put there for a value that is
// found by its name: on one line, or nil if the value is another one since.
func exactTexts(texts map[string]json.RawMessage, find func(name string) reflect.Value) map[string]json.RawMessage {
	var exact map[string]json.RawMessage
	for name, text := range texts {
		value := find(name)
		if !value.IsValid() {
			continue
		}
		was := reflect.New(value.Type()).Elem()
		if rounded, err := rounds(text, was); err != nil {
			was.SetZero() // as it was left where the text does not fit
		} else if !rounded {
			continue // somebody else put it there
		}
		if exact == nil {
			exact = map[string]json.RawMessage{}
		}
		var line bytes.Buffer
		if reflect.DeepEqual(was.Interface(), value.Interface()) && json.Compact(&line, text) == nil {
			exact[name] = line.Bytes()
		} else {
			exact[name] = nil
		}
	}
	return exact
}

// member finds the field of v for the member of that name, else its value in more, which
// may be no map.
func member(v reflect.Value, fields []field, more reflect.Value) func(name string) reflect.Value {
	return func(name string) reflect.Value {
		if i := find(fields, []byte(name), 0); i >= 0 {
			return v.Field(fields[i].index)
		}
		if more.Kind() != reflect.Map {
			return reflect.Value{}
		}
		return more.MapIndex(reflect.ValueOf(name).Convert(more.Type().Key()))
	}
}

// element finds one of the values by its index.
func element(values []reflect.Value) func(name string) reflect.Value {
	return func(name string) reflect.Value {
		if i, err := strconv.Atoi(name); err == nil && i >= 0 && i < len(values) {
			return values[i]
		}
		return reflect.Value{}
	}
}

// rounds decodes text into v, and reports whether a number was rounded. The error is
// that of a text that v cannot hold.
func rounds(text []byte, v reflect.Value) (rounded bool, err error) {
	raw, err := jsontext.Whole(text)
	if err != nil {
		return false, nil // it cannot be text that decoding kept
	}
	err = (decoder{}).decodeValue(raw, v, &rounded)
	return rounded, err
}
