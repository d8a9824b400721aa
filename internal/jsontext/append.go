// This file writes parts of messages.

package jsontext

import (
	"bytes"
	"encoding/json"
)

// AppendString appends s as JSON.
func AppendString(dst []byte, s string) []byte {
	for i := range len(s) {
		if b := s[i]; b < ' ' || b > '~' || b == '"' || b == '\\' {
			var quoted bytes.Buffer
			enc := json.NewEncoder(&quoted)
			enc.SetEscapeHTML(false)
			_ = enc.Encode(s) // encoding a string never fails
			return append(dst, bytes.TrimRight(quoted.Bytes(), "\n")...)
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
