package codec

// This file writes values as they were read where their field does not hold them:
// numbers that a float64 rounds, and what lenient decoding could not read. Their texts
// are in the map of the members that no field takes, under the names of fields: see
// [DecodeObject] and [Lenient].

import (
	"bytes"
	"encoding/json"
	"reflect"

	"github.com/mcpgen/mcpgen/internal/jsontext"
)

// exactTexts returns those of the texts that decoding put there for fields of v: on
// one line, or nil if the field was set to something else since.
func exactTexts(v reflect.Value, fields []field, texts map[string]json.RawMessage) map[string]json.RawMessage {
	var exact map[string]json.RawMessage
	for name, text := range texts {
		i := find(fields, []byte(name), 0)
		if i < 0 {
			continue
		}
		value := v.Field(fields[i].index)
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
