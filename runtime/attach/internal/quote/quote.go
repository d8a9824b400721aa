// Package quote makes text that came from a server fit for errors and logs: no
// control characters, no escape sequences, no invisible or direction-changing
// characters, no secrets, no endless length.
package quote

import (
	"cmp"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"
)

// shortest is the length below which a value is not masked: masking every "1"
// of a text would hide the text and protect nothing.
const shortest = 4

const (
	masked = "***"
	cut    = "…" // what marks a cut
)

// Line returns s as one line of at most limit bytes. What stands where a line
// broke is one space; a cut is marked.
func Line(s string, limit int) string {
	return Cut(strings.Join(strings.Fields(strip(s)), " "), limit)
}

// Block returns s with its line breaks, of at most the last limit bytes: of a
// program's complaints the last ones matter.
func Block(s string, limit int) string {
	s = strings.TrimSpace(strip(s))
	if len(s) <= limit {
		return s
	}
	s = s[len(s)-limit:]
	for s != "" && !utf8.RuneStart(s[0]) {
		s = s[1:]
	}
	return cut + s
}

// Cut returns at most limit bytes of s, never a part of a rune, and marks the
// cut.
func Cut(s string, limit int) string {
	if len(s) <= limit {
		return s
	}
	for limit > 0 && !utf8.RuneStart(s[limit]) {
		limit--
	}
	return s[:limit] + cut
}

// Mask replaces each of the secrets in s, also where [Line], [Block] or [Cut]
// left a part of one beside a cut. Values shorter than four bytes stay.
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
			pieces[i] = maskBegin(pieces[i], sorted)
		}
		if i < len(pieces)-1 {
			pieces[i] = maskEnd(pieces[i], sorted)
		}
	}
	return strings.Join(pieces, cut)
}

// maskBegin replaces the end of a secret that s begins with.
func maskBegin(s string, secrets []string) string {
	longest := 0
	for _, secret := range secrets {
		for n := min(len(secret)-1, len(s)); n >= shortest && n > longest; n-- {
			if strings.HasPrefix(s, secret[len(secret)-n:]) {
				longest = n
			}
		}
	}
	if longest == 0 {
		return s
	}
	return masked + s[longest:]
}

// maskEnd replaces the beginning of a secret that s ends with.
func maskEnd(s string, secrets []string) string {
	longest := 0
	for _, secret := range secrets {
		for n := min(len(secret)-1, len(s)); n >= shortest && n > longest; n-- {
			if strings.HasSuffix(s, secret[:n]) {
				longest = n
			}
		}
	}
	if longest == 0 {
		return s
	}
	return s[:len(s)-longest] + masked
}

// strip removes escape sequences and every character that a terminal or a
// reader does not show as itself. Line breaks and tabs stay.
func strip(s string) string {
	if !suspicious(s) {
		return s
	}
	var b strings.Builder
	b.Grow(len(s))
	for i := 0; i < len(s); {
		if s[i] == 0x1b {
			i += escapeLength(s[i:])
			continue
		}
		r, n := utf8.DecodeRuneInString(s[i:])
		i += n
		switch {
		case r == '\n' || r == '\t':
			b.WriteRune(r)
		case r == '\u2028' || r == '\u2029' || r == '\u0085':
			b.WriteByte('\n')
		case r == utf8.RuneError && n == 1, unicode.IsControl(r), unicode.Is(unicode.Cf, r), unicode.Is(unicode.Co, r):
		default:
			b.WriteRune(r)
		}
	}
	return b.String()
}

func suspicious(s string) bool {
	for i := 0; i < len(s); i++ {
		if c := s[i]; c < ' ' && c != '\n' && c != '\t' || c >= 0x7f {
			return true
		}
	}
	return false
}

// escapeLength returns the length of the escape sequence that s starts with.
func escapeLength(s string) int {
	if len(s) < 2 {
		return len(s)
	}
	switch s[1] {
	case '[': // control sequence: parameters, then one letter
		for i := 2; i < len(s); i++ {
			if s[i] >= 0x40 && s[i] <= 0x7e {
				return i + 1
			}
			if s[i] < 0x20 || s[i] > 0x7e {
				return i
			}
		}
		return len(s)
	case ']', 'P', 'X', '^', '_': // a string up to BEL or ESC \
		for i := 2; i < len(s); i++ {
			if s[i] == 0x07 {
				return i + 1
			}
			if s[i] == 0x1b {
				return min(i+2, len(s))
			}
			if s[i] == '\n' {
				return i
			}
		}
		return len(s)
	}
	return 2
}
