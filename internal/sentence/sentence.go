// Package sentence finds the first sentence of a description.
package sentence

import (
	"strings"
	"unicode/utf8"

	"github.com/mcpgen/mcpgen/internal/safetext"
)

// First returns the first sentence of a text, on one line of at most n bytes, cleaned by
// [safetext.Words].
func First(text string, n int) string {
	text = safetext.Words(text, 16*n)
	for i, r := range text {
		if r != '.' && r != '!' && r != '?' && r != '。' {
			continue
		}
		end := i + utf8.RuneLen(r)
		if end == len(text) || r == '。' || text[end] == ' ' && !abbreviated(text[:end]) {
			return safetext.Cut(text[:end], n)
		}
	}
	return safetext.Cut(text, n)
}

// abbreviated reports whether text ends with an abbreviation, so that the point does not end a sentence.
func abbreviated(text string) bool {
	word := strings.ToLower(text[strings.LastIndexAny(text, " (")+1:])
	switch word {
	case "e.g.", "i.e.", "etc.", "vs.", "cf.", "approx.", "no.", "incl.":
		return true
	}
	return false
}
