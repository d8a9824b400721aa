// Package safetext makes text from a server fit for errors, which end on terminals
// and in logs.
package safetext

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// Printable makes a text from a server fit for errors, which end on terminals
// and in logs: cut at 500 bytes, and without anything that moves a cursor,
// turns the direction of writing or hides. Lines stay lines.
func Printable(s string) string {
	return strings.Map(func(r rune) rune {
		if r == '\n' || r == '\t' || unicode.IsPrint(r) {
			return r
		}
		return unicode.ReplacementChar
	}, Cut(s, 500))
}

// Cut cuts s at n bytes, never inside a rune, and marks the cut.
func Cut(s string, n int) string {
	if len(s) <= n {
		return s
	}
	for n > 0 && !utf8.RuneStart(s[n]) {
		n--
	}
	return s[:n] + "…"
}
