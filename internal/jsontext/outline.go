// This file takes messages apart that somebody else has to find valid: it steps over
// values by brackets and quotes, at the speed of the bytes. Whether a value is JSON
// inside is for its decoder to find out.

package jsontext

import (
	"bytes"
	"encoding/json"
)

// MemberAt returns the place of the value of a member of an object; from is -1
// if there is none, or more than one. The name is given with its quotes.
func MemberAt(object []byte, name string) (from, to int) {
	from = -1
	found := 0
	Walk(object, func(n []byte, start, end int) {
		if string(Plain(n)) == name {
			from, to = start, end
			found++
		}
	})
	if found > 1 {
		return -1, 0
	}
	return from, to
}

// Walk calls f for each member of the object that is all of b, with the
// place of its value. Names come with their quotes, and as they are spelled. It
// is false if b is no object; f may have been called by then.
func Walk(b []byte, f func(name []byte, from, to int)) bool { return walk(b, '{', f) }

func walk(b []byte, opening byte, f func(name []byte, from, to int)) bool {
	closing := opening + 2 // of both
	i := skipSpace(b, 0)
	if i == len(b) || b[i] != opening {
		return false
	}
	if i = skipSpace(b, i+1); i < len(b) && b[i] == closing {
		return skipSpace(b, i+1) == len(b)
	}
	for {
		var name []byte
		if opening == '{' {
			var ok bool
			if name, i, ok = stepName(b, i); !ok {
				return false
			}
		}
		end, ok := stepValue(b, i)
		if !ok {
			return false
		}
		f(name, i, end)
		if i = skipSpace(b, end); i == len(b) {
			return false
		}
		switch b[i] {
		case closing:
			return skipSpace(b, i+1) == len(b)
		case ',':
			i = skipSpace(b, i+1)
		default:
			return false
		}
	}
}

// stepName returns the name of the member at b[i], and the place of its value.
func stepName(b []byte, i int) (name []byte, value int, ok bool) {
	if i == len(b) || b[i] != '"' {
		return nil, i, false
	}
	end, ok := stepString(b, i)
	colon := skipSpace(b, end)
	if !ok || colon == len(b) || b[colon] != ':' {
		return nil, i, false
	}
	return b[i:end], skipSpace(b, colon+1), true
}

// Plain returns a string without needless escapes, and other values as they are.
func Plain(raw []byte) []byte {
	if raw[0] != '"' || bytes.IndexByte(raw, '\\') < 0 {
		return raw
	}
	var s string
	if json.Unmarshal(raw, &s) != nil {
		return raw
	}
	return AppendString(nil, s)
}

// stepValue returns the end of the value at b[i].
func stepValue(b []byte, i int) (int, bool) {
	if i >= len(b) {
		return i, false
	}
	switch b[i] {
	case '"':
		return stepString(b, i)
	case '{', '[':
		return stepBrackets(b, i)
	}
	from := i
	for i < len(b) && isScalar(b[i]) {
		i++
	}
	return i, i > from
}

// isScalar tells whether b can be in a number, true, false or null.
func isScalar(b byte) bool {
	return b >= '0' && b <= '9' || b >= 'a' && b <= 'z' || b == '-' || b == '+' || b == '.' || b == 'E'
}

func stepBrackets(b []byte, i int) (int, bool) {
	for depth := 0; i < len(b); {
		switch b[i] {
		case '"':
			end, ok := stepString(b, i)
			if !ok {
				return i, false
			}
			i = end
			continue
		case '{', '[':
			depth++
		case '}', ']':
			if depth--; depth == 0 {
				return i + 1, true
			}
		}
		i++
	}
	return i, false
}

func stepString(b []byte, i int) (int, bool) {
	for i++; ; {
		n := bytes.IndexByte(b[i:], '"')
		if n < 0 {
			return i, false
		}
		i += n + 1
		escapes := 0
		for b[i-2-escapes] == '\\' {
			escapes++
		}
		if escapes%2 == 0 {
			return i, true
		}
	}
}
