// Package quote makes the text of a server fit for errors and logs. It removes
// control characters, escape sequences, invisible and direction-changing characters,
// and secrets, and bounds the length.
package quote

import (
	"cmp"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/mcpgen/mcpgen/internal/safetext"
)

// shortest is the length from which a value is masked: masking every "1" of a text
// would hide the text and protect nothing.
const shortest = 4

const (
	masked = "***"
	cut    = "…" // marks a cut
)

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
	// The longest first: a secret may be a part of another.
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

// maskEdge replaces the part of a secret that a cut left at the beginning or the end
// of s.
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
