package schema

import "strings"

// validText makes a decoded string valid UTF-8: a lone surrogate becomes
// U+FFFD, as encoding/json does it.
func validText(s string) string {
	if !hasSurrogate(s) {
		return s
	}
	return strings.ToValidUTF8(s, "\uFFFD")
}
