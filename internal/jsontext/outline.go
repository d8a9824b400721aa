// This file splits messages that other code validates. It steps over values by brackets and quotes, which
// is fast. The decoder of each value checks whether the value is valid JSON, so that one broken
// definition does not affect the others.

package jsontext

import (
	"bytes"
	"encoding/json"
)

// outline returns an iterator over the object or array in b, without checking its values; nil if b does
// not begin with the bracket.
func outline(b []byte, bracket byte) *Items {
	if First(b) != bracket {
		return nil
	}
	m := NewItems(b)
	m.unchecked = true
	return &m
}

// whole reports whether m reached the end without an error.
func (m *Items) whole() bool { return m.Err == nil && m.Close() == nil }

// Walk calls f for each member of the object in b, with the offsets of its value. Names include their
// quotes and escapes. Walk returns false if b is not an object; f may have been called by then.
func Walk(b []byte, f func(name []byte, from, to int)) bool {
	m := outline(b, '{')
	if m == nil {
		return false
	}
	for m.Next() {
		f(m.rawKey, m.Offset(), m.pos)
	}
	return m.whole()
}

// Elements returns the elements of the array in b, verbatim and unchecked. It returns false if b is not
// an array.
func Elements(b []byte) ([]json.RawMessage, bool) {
	m := outline(b, '[')
	if m == nil {
		return nil, false
	}
	all := []json.RawMessage{}
	for m.Next() {
		all = append(all, m.Value)
	}
	return all, m.whole()
}

// Members returns the members of the object in b, verbatim. The values are not checked: their decoders do
// that. If a name is duplicated, the last member counts, as in encoding/json; twice reports this, since
// another reader may use another one. Ok is false if b is not an object.
func Members(b []byte) (members map[string]json.RawMessage, twice, ok bool) {
	members = map[string]json.RawMessage{}
	ok = Walk(b, func(name []byte, from, to int) {
		key := Text(name)
		_, known := members[key]
		twice = twice || known
		members[key] = b[from:to]
	})
	return members, twice, ok
}

// MemberAt returns the offsets of the value of a member of an object; from is -1 if there is not exactly
// one. The name includes its quotes.
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

// Plain returns a string without needless escapes, and other values unchanged.
func Plain(raw []byte) []byte {
	if bytes.IndexByte(raw, '\\') >= 0 {
		if s, ok := Unquote(raw); ok {
			return AppendString(nil, s)
		}
	}
	return raw
}

// stepValue returns the end of the value at b[i].
func stepValue(b []byte, i int) (int, bool) {
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

// isScalar reports whether b can be in a number, true, false or null.
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
