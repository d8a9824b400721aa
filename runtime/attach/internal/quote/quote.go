// Package quote makes the text of a server fit for errors and logs. It removes
// control characters, escape sequences, invisible and direction-changing characters,
// and secrets, and bounds the length.
package quote

import (
	"strings"
	"unicode/utf8"

	"github.com/mcpgen/mcpgen/internal/credentials"
	"github.com/mcpgen/mcpgen/internal/safetext"
)

// cut marks a cut.
const cut = "…"

// Block returns s with its line breaks, or the last limit bytes of it: the last
// complaints of a program matter most.
func Block(s string, limit int) string {
	s = strings.TrimSpace(safetext.Strip(s))
	if len(s) <= limit {
		return s
	}
	s = s[len(s)-limit:]
	for s != "" && !utf8.RuneStart(s[0]) {
		s = s[1:]
	}
	return cut + s
}

// Mask replaces each of the secrets in s, and each part of one that [Block],
// [safetext.Words] or [safetext.Cut] left at a cut. Values shorter than four bytes
// are not masked.
func Mask(s string, secrets []string) string {
	if len(secrets) == 0 || s == "" {
		return s
	}
	var x credentials.Index
	x.Add(secrets...)
	return x.Mask(s)
}
