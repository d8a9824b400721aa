package gotext

import (
	"strings"
	"unicode/utf8"
)

// Sentence ends words with a full stop, so that others can follow. What ends in another
// mark, also before a bracket or a quote that closes, stays as it is.
func Sentence(words string) string {
	words = strings.TrimSpace(words)
	last, _ := utf8.DecodeLastRuneInString(strings.TrimRight(words, ")]}\"'`*_”’»"))
	if words == "" || strings.ContainsRune(".!?…:;,-–—=|。！？：；，", last) {
		return words
	}
	return words + "."
}
