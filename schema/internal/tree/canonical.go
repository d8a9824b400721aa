package tree

// This file writes trees in canonical form.

import (
	"crypto/sha256"
	"encoding/hex"
	"slices"
	"strings"
	"unicode/utf16"
	"unicode/utf8"
)

// Sort sorts the members of v and of everything in it.
func (v *Value) Sort(compare func(a, b string) int) {
	for i := range v.Kids {
		v.Kids[i].Sort(compare)
	}
	if v.Kind == Object {
		slices.SortFunc(v.Kids, func(a, b Member) int { return compare(a.Name, b.Name) })
	}
}

// CompareUTF16 compares by UTF-16 code units, as JavaScript and RFC 8785 do. The order differs from byte order
// only for code points from U+D800 on.
func CompareUTF16(a, b string) int {
	if Below(a, 0xED) || Below(b, 0xED) {
		return strings.Compare(a, b)
	}
	return slices.Compare(units(a), units(b))
}

// Below reports whether every byte of s is below the limit.
func Below(s string, limit byte) bool {
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

// AppendCanonical appends v without whitespace, with members in their current order.
func AppendCanonical(dst []byte, v *Value) []byte {
	switch v.Kind {
	case Object:
		dst = append(dst, '{')
		for i := range v.Kids {
			if i > 0 {
				dst = append(dst, ',')
			}
			dst = AppendString(dst, v.Kids[i].Name)
			dst = append(dst, ':')
			dst = AppendCanonical(dst, &v.Kids[i].Value)
		}
		return append(dst, '}')
	case Array:
		dst = append(dst, '[')
		for i := range v.Kids {
			if i > 0 {
				dst = append(dst, ',')
			}
			dst = AppendCanonical(dst, &v.Kids[i].Value)
		}
		return append(dst, ']')
	}
	return AppendScalar(dst, v)
}

// AppendScalar appends a value that is not an array or an object.
func AppendScalar(dst []byte, v *Value) []byte {
	switch v.Kind {
	case String:
		return AppendString(dst, v.Text)
	case Number:
		return append(dst, v.Text...)
	}
	return append(dst, v.Kind.String()...)
}

// AppendString appends a string as RFC 8785 requires: it escapes only what JSON requires to be escaped, so
// U+2028 and < stay unescaped.
func AppendString(dst []byte, s string) []byte {
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
				dst = AppendUnit(dst, r)
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
	return AppendUnit(dst, uint16(c))
}

// AppendUnit appends a UTF-16 code unit as an escape.
func AppendUnit(dst []byte, u uint16) []byte {
	const hex = "0123456789abcdef"
	return append(dst, '\\', 'u', hex[u>>12], hex[u>>8&15], hex[u>>4&15], hex[u&15])
}

// Digest returns the hash of a text. Its prefix names the algorithm, so that others can be added.
func Digest(text []byte) string {
	sum := sha256.Sum256(text)
	return "sha256:" + hex.EncodeToString(sum[:])
}
