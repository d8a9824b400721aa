package jsontext

// This file compares values as JSON does: the order of members and the spelling
// of strings and numbers do not matter.

import (
	"bytes"
	"encoding/json"
)

// Equal reports whether two values are equal; nil, no value, only equals nil. Numbers are compared digit
// by digit, never as floats.
func Equal(a, b []byte) bool {
	if a == nil || b == nil {
		return a == nil && b == nil
	}
	x, errA := normal(a)
	y, errB := normal(b)
	return errA == nil && errB == nil && bytes.Equal(x, y)
}

// normal returns a value in a spelling that all equal values have.
func normal(raw []byte) ([]byte, error) {
	v, err := Decode(raw)
	if err != nil {
		return nil, err
	}
	sorted, err := json.Marshal(v)
	return NormalNumbers(sorted), err
}

// Decode decodes a value as encoding/json does, with numbers as [json.Number].
func Decode(raw []byte) (v any, err error) {
	d := json.NewDecoder(bytes.NewReader(raw))
	d.UseNumber()
	err = d.Decode(&v)
	return v, err
}
