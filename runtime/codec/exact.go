package codec

// This file writes numbers as they were read where no float64 holds them. Their texts
// are in the map of the members that no field takes, under the names of fields: see
// [DecodeObject].

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
		if !rounds(text, was) {
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

// rounds decodes text into v, and reports whether a number was rounded.
func rounds(text []byte, v reflect.Value) bool {
	raw, err := jsontext.Whole(text)
	if err != nil {
		return false
	}
	rounded := false
	return decoder(nil).decodeValue(raw, v, &rounded) == nil && rounded
}

// without returns texts without those names.
func without(texts, names map[string]json.RawMessage) map[string]json.RawMessage {
	rest := map[string]json.RawMessage{}
	for name, text := range texts {
		if _, ok := names[name]; !ok {
			rest[name] = text
		}
	}
	return rest
}
