package schema

import "strings"

// validText makes a decoded string valid UTF-8: lone surrogates become U+FFFD.
func validText(s string) string {
	if !hasSurrogate(s) {
		return s
	}
	return strings.ToValidUTF8(s, "\uFFFD")
}
