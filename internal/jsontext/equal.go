package jsontext

// This file compares values as JSON does: the order of members and the spelling
// of strings and numbers do not matter.

import (
	"bytes"
	"encoding/json"
	"slices"
)

// Equal reports whether two values are equal; nil, no value, only equals nil. Numbers are compared digit
// by digit, never as floats.
func Equal(a, b []byte) bool {
	if a == nil || b == nil {
		return a == nil && b == nil
	}
	x, errA := Decode(a)
	y, errB := Decode(b)
	return errA == nil && errB == nil && equalValues(x, y)
}

// Decode decodes a value as encoding/json does, with numbers as [json.Number].
func Decode(raw []byte) (v any, err error) {
	d := json.NewDecoder(bytes.NewReader(raw))
	d.UseNumber()
	err = d.Decode(&v)
	return v, err
}

func equalValues(a, b any) bool {
	switch a := a.(type) {
	case map[string]any:
		b, ok := b.(map[string]any)
		if !ok || len(a) != len(b) {
			return false
		}
		for name, v := range a {
			if w, ok := b[name]; !ok || !equalValues(v, w) {
				return false
			}
		}
		return true
	case []any:
		b, ok := b.([]any)
		return ok && slices.EqualFunc(a, b, equalValues)
	case json.Number:
		b, ok := b.(json.Number)
		return ok && SameNumber(a.String(), b.String())
	}
	return a == b // strings, booleans, null
}
