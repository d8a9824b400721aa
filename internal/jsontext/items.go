package jsontext

// This file iterates over one object or array, and finds single values in it.

import (
	"bytes"
	"encoding/json"
)

// Items iterates over the members of an object, or the elements of an array:
//
//	m := jsontext.NewItems(data)
//	for m.Next() {
//		… m.Key() … m.Value …
//	}
//	… m.Err …
type Items struct {
	skipper
	pos int // the end of the last item read; at the end, that of the container

	// Value is one whole, valid value without surrounding white space. It shares memory with the data.
	Value []byte
	// Err is the error that ended the iteration; nil while Next returns true.
	Err error

	rawKey []byte // with its quotes; nil in an array
	plain  bool   // rawKey holds no escape and no byte beyond ASCII

	object  bool
	started bool
}

// NewItems returns an iterator over the object or array that data begins with, after white space. Data
// must begin with one: see [First].
func NewItems(data []byte) Items {
	start := skipSpace(data, 0)
	return Items{skipper: skipper{data: data}, pos: start, object: data[start] == '{'}
}

// Next moves to the next item. It returns false at the end, and after an error.
func (m *Items) Next() bool {
	var more bool
	if m.started {
		m.pos, more, m.Err = m.separator(m.pos, m.object)
	} else {
		m.started = true
		m.pos, more, m.Err = m.enter(m.pos, 1)
	}
	if !more || m.Err != nil {
		return false
	}
	start := m.pos
	if m.object {
		if m.pos, m.plain, m.Err = m.skipKey(start); m.Err != nil {
			return false
		}
		name := m.data[start:m.pos] // and the colon
		m.rawKey, start = name[:bytes.LastIndexByte(name, '"')+1], m.pos
	}
	m.pos, m.Err = m.skipValue(start, 1)
	m.Value = m.data[start:m.pos:m.pos]
	return m.Err == nil
}

// Key returns the member's name. It may share memory with the data.
func (m *Items) Key() []byte {
	if m.plain {
		return m.rawKey[1 : len(m.rawKey)-1]
	}
	s, _ := Unquote(m.rawKey)
	return []byte(s)
}

// Offset returns where Value begins in the data.
func (m *Items) Offset() int { return m.pos - len(m.Value) }

// Close returns an error if data follows the container. It is called after Next has returned false
// without an error.
func (m *Items) Close() error {
	if rest := skipSpace(m.data, m.pos); rest != len(m.data) {
		return errSyntax(rest)
	}
	return nil
}

// First returns the first byte of data after white space, which identifies the kind of the value; 0 if
// there is none.
func First(data []byte) byte {
	if start := skipSpace(data, 0); start < len(data) {
		return data[start]
	}
	return 0
}

// Whole returns the only value in data, without surrounding white space.
func Whole(data []byte) ([]byte, error) {
	start := skipSpace(data, 0)
	if start == len(data) {
		return nil, ErrEmpty
	}
	s := skipper{data: data}
	end, err := s.skipValue(start, 0)
	if err != nil {
		return nil, err
	}
	if rest := skipSpace(data, end); rest != len(data) {
		return nil, errSyntax(rest)
	}
	return data[start:end:end], nil
}

// IsNull reports whether a value is null.
func IsNull(raw []byte) bool { return string(raw) == "null" }

// Present returns a member's value; nil if it is absent or null.
func Present(raw json.RawMessage) json.RawMessage {
	if len(raw) == 0 || IsNull(raw) {
		return nil
	}
	return raw
}

// TypeOf returns the JSON Schema type of a valid value; every number is a "number".
func TypeOf(raw []byte) string {
	switch raw[0] {
	case '"':
		return "string"
	case '{':
		return "object"
	case '[':
		return "array"
	case 't', 'f':
		return "boolean"
	case 'n':
		return "null"
	}
	return "number"
}

// KindOf returns the JSON type of a valid value for errors.
func KindOf(raw []byte) string {
	switch kind := TypeOf(raw); kind {
	case "null":
		return kind
	case "object", "array":
		return "an " + kind
	default:
		return "a " + kind
	}
}

// Member returns the value of one member of raw, a valid value. It is nil if raw is not an object or has
// no such member. If the name is duplicated, the last member counts.
func Member(raw []byte, name string) []byte {
	if len(raw) == 0 || raw[0] != '{' {
		return nil
	}
	var value []byte
	m := NewItems(raw)
	for m.Next() {
		if string(m.Key()) == name {
			value = m.Value
		}
	}
	return value
}

// Each calls f with each element of raw if raw is an array, and once with raw itself if it is another
// value except null: that covers servers that omit the brackets.
func Each(raw []byte, f func(item []byte)) {
	switch {
	case len(raw) == 0 || IsNull(raw):
		return
	case raw[0] != '[':
		f(raw)
		return
	}
	e := NewItems(raw)
	for e.Next() {
		f(e.Value)
	}
}

// Text returns the string that raw spells, or "".
func Text(raw []byte) string {
	s, _ := Unquote(raw)
	return s
}

// Compact returns a copy of raw, valid JSON, without white space; nil for nil.
func Compact(raw []byte) json.RawMessage {
	if raw == nil {
		return nil
	}
	var b bytes.Buffer
	if err := json.Compact(&b, raw); err != nil {
		return nil
	}
	return b.Bytes()
}
