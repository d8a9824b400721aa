package codec

// This file keeps the texts of values that their fields do not hold exactly: numbers that a float64
// rounds, and values that lenient decoding could not read. The texts are kept by member name: see
// [DecodeObject] and [Lenient].

import (
	"bytes"
	"encoding/json"
	"reflect"

	"github.com/mcpgen/mcpgen/internal/jsontext"
)

// ExactNumbers holds the texts of numbers that a float64 rounds: by member name for an object, by index
// for a tuple. It is nil if there are none. A text is encoded in place of its field if the field still
// holds the rounded number; otherwise the text is ignored.
type ExactNumbers map[string]json.RawMessage

var typeExact = reflect.TypeFor[ExactNumbers]()

// room returns the last field of the struct v if it is an ExactNumbers, else the zero Value.
func room(v reflect.Value) reflect.Value {
	if last := v.NumField() - 1; last >= 0 && v.Type().Field(last).Type == typeExact {
		return v.Field(last)
	}
	return reflect.Value{}
}

// exactTexts returns the texts that decoding kept, from the room of v if it has one, else from texts.
// Each text is on one line; it is nil if the value has changed since. Find returns the value for a name.
func exactTexts(v reflect.Value, texts map[string]json.RawMessage, find func(name string) reflect.Value) map[string]json.RawMessage {
	if own := room(v); own.IsValid() {
		texts = own.Interface().(ExactNumbers)
	}
	var exact map[string]json.RawMessage
	for name, text := range texts {
		value := find(name)
		raw, err := jsontext.Whole(text)
		if err != nil || !value.IsValid() || value.Type() == typeRaw {
			continue // not a text that decoding kept
		}
		was, rounded := reflect.New(value.Type()).Elem(), false
		if (decoder{}).decodeValue(raw, was, &rounded) != nil {
			was.SetZero() // decoding left zero where the text did not fit
		} else if !rounded {
			continue // not kept by decoding: the number is exact
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

// member returns a function that finds the member called name: in the fields of v, or else in more if
// that is a map.
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
