package codec

// This file compares values as JSON does: the order of members and the spelling
// of strings and numbers do not matter.

import (
	"bytes"
	"encoding/json"
	"slices"

	"github.com/mcpgen/mcpgen/internal/jsontext"
)

// sameJSON reports whether two valid values are equal. Numbers are compared
// digit by digit, never as floats.
func sameJSON(a, b []byte) bool {
	x, errA := readJSON(a)
	y, errB := readJSON(b)
	return errA == nil && errB == nil && sameValue(x, y)
}

func readJSON(data []byte) (v any, err error) {
	d := json.NewDecoder(bytes.NewReader(data))
	d.UseNumber()
	err = d.Decode(&v)
	return v, err
}

func sameValue(a, b any) bool {
	switch a := a.(type) {
	case map[string]any:
		b, ok := b.(map[string]any)
		if !ok || len(a) != len(b) {
			return false
		}
		for name, v := range a {
			if w, ok := b[name]; !ok || !sameValue(v, w) {
				return false
			}
		}
		return true
	case []any:
		b, ok := b.([]any)
		return ok && slices.EqualFunc(a, b, sameValue)
	case json.Number:
		b, ok := b.(json.Number)
		return ok && jsontext.SameNumber(a.String(), b.String())
	}
	return a == b // strings, booleans, null
}
