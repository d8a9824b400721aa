package lockfile

// This file writes JSON for people: one member per line, and no characters that are invisible in a diff.

import (
	"unicode/utf16"
	"unicode/utf8"

	"github.com/mcpgen/mcpgen/schema/internal/tree"
)

// appendPretty writes v with one member or element per line, indented by two spaces per level except for the
// first line. Characters that are invisible in a diff are escaped; the canonical form is not affected.
func appendPretty(dst []byte, v *tree.Value, indent int) []byte {
	if v.Kind < tree.Array {
		if v.Kind == tree.String {
			return appendVisible(dst, v.Text)
		}
		return tree.AppendScalar(dst, v)
	}
	open, close := byte('['), byte(']')
	if v.Kind == tree.Object {
		open, close = '{', '}'
	}
	if len(v.Kids) == 0 {
		return append(dst, open, close)
	}
	dst = append(dst, open)
	for i := range v.Kids {
		if i > 0 {
			dst = append(dst, ',')
		}
		dst = appendLine(dst, indent+1)
		if v.Kind == tree.Object {
			dst = appendVisible(dst, v.Kids[i].Name)
			dst = append(dst, ": "...)
		}
		dst = appendPretty(dst, &v.Kids[i].Value, indent+1)
	}
	dst = appendLine(dst, indent)
	return append(dst, close)
}

func appendLine(dst []byte, indent int) []byte {
	dst = append(dst, '\n')
	for range indent {
		dst = append(dst, "  "...)
	}
	return dst
}

// appendVisible is appendString with invisible characters escaped.
func appendVisible(dst []byte, s string) []byte {
	if isASCII(s) {
		return tree.AppendString(dst, s)
	}
	dst = append(dst, '"')
	start := 0
	for i := 0; i < len(s); {
		r, n := utf8.DecodeRuneInString(s[i:])
		if r == utf8.RuneError || !invisible(r) {
			i += n
			continue
		}
		dst = appendInner(dst, s[start:i])
		for _, u := range utf16.AppendRune(nil, r) {
			dst = tree.AppendUnit(dst, u)
		}
		i += n
		start = i
	}
	dst = appendInner(dst, s[start:])
	return append(dst, '"')
}

// appendInner is appendString without the quotes.
func appendInner(dst []byte, s string) []byte {
	mark := len(dst)
	dst = tree.AppendString(dst, s)
	copy(dst[mark:], dst[mark+1:])
	return dst[:len(dst)-2]
}

func isASCII(s string) bool { return tree.Below(s, 0x7F) }

// invisible reports whether r has no visible form: format and bidirectional controls, tags, fillers, C1
// controls. The list is fixed, so that files do not change with the version of Unicode.
func invisible(r rune) bool {
	switch {
	case 0x7F <= r && r <= 0x9F, r == 0xAD, r == 0x34F, r == 0x61C, r == 0x115F, r == 0x1160,
		r == 0x17B4, r == 0x17B5, 0x180B <= r && r <= 0x180F, 0x200B <= r && r <= 0x200F,
		0x2028 <= r && r <= 0x202E, 0x2060 <= r && r <= 0x206F, r == 0x3164,
		0xFE00 <= r && r <= 0xFE0E, r == 0xFEFF, r == 0xFFA0, 0xFFF0 <= r && r <= 0xFFFB,
		0x1D173 <= r && r <= 0x1D17A, 0xE0000 <= r && r <= 0xE0FFF:
		return true
	}
	return false
}
