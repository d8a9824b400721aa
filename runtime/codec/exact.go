package codec

// This file keeps values as they were read where their field does not hold them:
// numbers that a float64 rounds, and what lenient decoding could not read. Their texts
// stand beside them, by the names of members: see [DecodeObject] and [Lenient].

import (
	"bytes"
	"encoding/json"
	"reflect"

	"github.com/mcpgen/mcpgen/internal/jsontext"
)

// ExactNumbers has the texts of those members of an object whose numbers a float64
// rounds, by their names, or of the elements of a tuple, by their index. It is nil if
// there are none. A text is written in place of its field as long as that holds what the
// text was rounded to; one for another value counts for nothing.
type ExactNumbers map[string]json.RawMessage

var typeExact = reflect.TypeFor[ExactNumbers]()

// room is the field of the struct v for texts, which is its last one; invalid if it has none.
func room(v reflect.Value) reflect.Value {
	if last := v.NumField() - 1; last >= 0 && v.Type().Field(last).Type == typeExact {
		return v.Field(last)
	}
	return reflect.Value{}
}

// exactTexts returns those of the texts, else of those in the room of v, that decoding put
// there for a value that is found by its name: on one line, or nil if the value is another
// one since.
func exactTexts(v reflect.Value, texts map[string]json.RawMessage, find func(name string) reflect.Value) map[string]json.RawMessage {
	if own := room(v); own.IsValid() {
		texts = own.Interface().(ExactNumbers)
	}
	var exact map[string]json.RawMessage
	for name, text := range texts {
		value := find(name)
		raw, err := jsontext.Whole(text)
		if err != nil || !value.IsValid() || value.Type() == typeRaw {
			continue // it cannot be text that decoding kept
		}
		was, rounded := reflect.New(value.Type()).Elem(), false
		if (decoder{}).decodeValue(raw, was, &rounded) != nil {
			was.SetZero() // as it was left where the text does not fit
		} else if !rounded {
			continue // somebody else put it there
		}
		if exact == nil {
			exact = map[string]json.RawMessage{}
		}
		exact[name] = nil
		var line bytes.Buffer
		if reflect.DeepEqual(was.Interface(), value.Interface()) && json.Compact(&line, text) == nil {
			exact[name] = line.Bytes()
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
