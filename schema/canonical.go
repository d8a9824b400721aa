package schema

// This file writes JSON in the canonical form, which is what is hashed.

import (
	"encoding/json"
	"slices"
	"strings"
	"unicode/utf16"
	"unicode/utf8"
)

// Canonical returns raw in its canonical form: members sorted by UTF-16 code
// units, no space, and strings as RFC 8785 writes them. Numbers keep the
// sender's digits, so 2^53+1 and 1.0 stay what they are. A lone surrogate,
// which RFC 8785 has no form for, stays an escape in lower case.
//
// The error is an [*Error] with a JSON pointer: for text that is not JSON, for
// strings that are not UTF-8, for duplicate member names, for nesting deeper
// than 512 and for more than 524,288 values.
func Canonical(raw json.RawMessage) ([]byte, error) {
	v, err := parseJSON(raw)
	if err != nil {
		return nil, err
	}
	v.sort(compareUTF16)
	return appendCanonical(make([]byte, 0, len(raw)), v), nil
}

// sort orders the members of v and of everything below it.
func (v *value) sort(compare func(a, b string) int) {
	for i := range v.kids {
		v.kids[i].sort(compare)
	}
	if v.kind == objectValue {
		slices.SortFunc(v.kids, func(a, b member) int { return compare(a.name, b.name) })
	}
}

// compareUTF16 orders by UTF-16 code units, as JavaScript and RFC 8785 do.
// That is byte order except for code points from U+D800 on.
func compareUTF16(a, b string) int {
	if below(a, 0xED) || below(b, 0xED) {
		return strings.Compare(a, b)
	}
	return slices.Compare(units(a), units(b))
}

func below(s string, limit byte) bool {
	for i := range len(s) {
		if s[i] >= limit {
			return false
		}
	}
	return true
}

// units returns the UTF-16 code units of a WTF-8 string.
func units(s string) []uint16 {
	out := make([]uint16, 0, len(s))
	for len(s) > 0 {
		if r := surrogate(s); r != 0 {
			out, s = append(out, r), s[3:]
			continue
		}
		r, n := utf8.DecodeRuneInString(s)
		out, s = utf16.AppendRune(out, r), s[n:]
	}
	return out
}

// surrogate returns the lone surrogate that s starts with, or 0.
func surrogate(s string) uint16 {
	if len(s) < 3 || s[0] != 0xED || s[1] < 0xA0 {
		return 0
	}
	return 0xD000 | uint16(s[1]&0x3F)<<6 | uint16(s[2]&0x3F)
}

// appendCanonical writes v without spaces, members in the order that they have.
func appendCanonical(dst []byte, v *value) []byte {
	switch v.kind {
	case objectValue:
		dst = append(dst, '{')
		for i := range v.kids {
			if i > 0 {
				dst = append(dst, ',')
			}
			dst = appendString(dst, v.kids[i].name)
			dst = append(dst, ':')
			dst = appendCanonical(dst, &v.kids[i].value)
		}
		return append(dst, '}')
	case arrayValue:
		dst = append(dst, '[')
		for i := range v.kids {
			if i > 0 {
				dst = append(dst, ',')
			}
			dst = appendCanonical(dst, &v.kids[i].value)
		}
		return append(dst, ']')
	}
	return appendScalar(dst, v)
}

func appendScalar(dst []byte, v *value) []byte {
	switch v.kind {
	case stringValue:
		return appendString(dst, v.text)
	case numberValue:
		return append(dst, v.text...)
	}
	return append(dst, v.kind.String()...)
}

// appendString writes a string as RFC 8785 does: only what JSON must escape is
// escaped, U+2028 and < stay as they are.
func appendString(dst []byte, s string) []byte {
	dst = append(dst, '"')
	start := 0
	for i := 0; i < len(s); i++ {
		c := s[i]
		if c >= 0x20 && c != '"' && c != '\\' && c != 0xED {
			continue
		}
		if c == 0xED {
			if r := surrogate(s[i:]); r != 0 {
				dst = append(dst, s[start:i]...)
				dst = appendUnit(dst, r)
				i += 2
				start = i + 1
			}
			continue
		}
		dst = append(dst, s[start:i]...)
		dst = appendEscape(dst, c)
		start = i + 1
	}
	dst = append(dst, s[start:]...)
	return append(dst, '"')
}

func appendEscape(dst []byte, c byte) []byte {
	if j := strings.IndexByte("\"\\\b\f\n\r\t", c); j >= 0 {
		return append(dst, '\\', `"\bfnrt`[j])
	}
	return appendUnit(dst, uint16(c))
}

func appendUnit(dst []byte, u uint16) []byte {
	const hex = "0123456789abcdef"
	return append(dst, '\\', 'u', hex[u>>12], hex[u>>8&15], hex[u>>4&15], hex[u&15])
}
