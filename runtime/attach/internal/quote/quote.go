// Package quote makes text that came from a server fit for errors and logs: no
// control characters, no escape sequences, no invisible or direction-changing
// characters, no secrets, no endless length.
package quote

import (
	"cmp"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/mcpgen/mcpgen/internal/safetext"
)

// shortest is the length below which a value is not masked: masking every "1"
// of a text would hide the text and protect nothing.
const shortest = 4

const (
	masked = "***"
	cut    = "…" // what marks a cut
)

// Block returns s with its line breaks, of at most the last limit bytes: of a
// program's complaints the last ones matter.
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

// Mask replaces each of the secrets in s, also where [Block], [safetext.Words] or
// [safetext.Cut] left a part of one beside a cut. Values shorter than four bytes stay.
func Mask(s string, secrets []string) string {
	if len(secrets) == 0 || s == "" {
		return s
	}
	// The longest first: a secret may be a part of another one.
	sorted := slices.SortedFunc(slices.Values(secrets), func(a, b string) int { return cmp.Compare(len(b), len(a)) })
	for _, secret := range sorted {
		if len(secret) >= shortest {
			s = strings.ReplaceAll(s, secret, masked)
		}
	}
	if !strings.Contains(s, cut) {
		return s
	}
	pieces := strings.Split(s, cut)
	for i := range pieces {
		if i > 0 {
			pieces[i] = maskEdge(pieces[i], sorted, false)
		}
		if i < len(pieces)-1 {
			pieces[i] = maskEdge(pieces[i], sorted, true)
		}
	}
	return strings.Join(pieces, cut)
}

// maskEdge replaces the part of a secret that a cut left at the beginning of s, or at its
// end.
func maskEdge(s string, secrets []string, atEnd bool) string {
	longest := 0
	for _, secret := range secrets {
		for n := min(len(secret)-1, len(s)); n >= shortest && n > longest; n-- {
			if atEnd && strings.HasSuffix(s, secret[:n]) || !atEnd && strings.HasPrefix(s, secret[len(secret)-n:]) {
				longest = n
			}
		}
	}
	switch {
	case longest == 0:
		return s
	case atEnd:
		return s[:len(s)-longest] + masked
	}
	return masked + s[longest:]
}
