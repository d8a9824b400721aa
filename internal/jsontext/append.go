// This file writes parts of messages.

package jsontext

import (
	"bytes"
	"encoding/json"
)

// Marshal is [json.Marshal] without escapes for HTML.
func Marshal(v any) ([]byte, error) {
	var text bytes.Buffer
	enc := json.NewEncoder(&text)
	enc.SetEscapeHTML(false)
	if err := enc.Encode(v); err != nil {
		return nil, err
	}
	return bytes.TrimSuffix(text.Bytes(), []byte("\n")), nil
}

// AppendString appends s as JSON.
func AppendString(dst []byte, s string) []byte {
	for i := range len(s) {
		if b := s[i]; b < ' ' || b > '~' || b == '"' || b == '\\' {
			quoted, _ := Marshal(s) // encoding a string never fails
			return append(dst, quoted...)
		}
	}
	dst = append(dst, '"')
	dst = append(dst, s...)
	return append(dst, '"')
}

// AppendMember appends object with one member set to a value. The name includes its quotes.
func AppendMember(dst, object []byte, name string, value func([]byte) []byte) []byte {
	if from, to := MemberAt(object, name); from >= 0 {
		dst = value(append(dst, object[:from]...))
		return append(dst, object[to:]...)
	}
	open := skipSpace(object, 0) + 1
	dst = append(dst, object[:open]...)
	dst = append(dst, name...)
	dst = value(append(dst, ':'))
	if next := skipSpace(object, open); next < len(object) && object[next] != '}' {
		dst = append(dst, ',')
	}
	return append(dst, object[open:]...)
}
