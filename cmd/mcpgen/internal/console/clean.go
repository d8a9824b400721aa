// Package console writes what servers said to terminals and logs, where their
// bytes must not act.
package console

import (
	"fmt"
	"strings"
	"unicode"
	"unicode/utf16"
	"unicode/utf8"

	"github.com/mcpgen/mcpgen/internal/safetext"
)

// Clean returns s on one line, with everything that a terminal could obey or a
// reader could not see replaced by U+FFFD: see [safetext.Line].
func Clean(s string) string { return safetext.Line(s) }

// CleanText is [Clean] for text of several lines: newlines and tabs stay.
func CleanText(s string) string { return safetext.Text(s) }

// CleanJSON returns a JSON text with everything that [Clean] replaces written as
// an escape. Its value stays the same: such characters stand in strings alone.
func CleanJSON(text []byte) []byte {
	var out []byte
	for _, r := range string(text) {
		switch {
		case r == '\n' || safetext.Visible(r):
			out = utf8.AppendRune(out, r)
		case r == '\t' || r == '\r': // spaces between tokens: strings have them escaped
			out = append(out, ' ')
		case r > 0xffff:
			high, low := utf16.EncodeRune(r)
			out = fmt.Appendf(out, `\u%04x\u%04x`, high, low)
		default:
			out = fmt.Appendf(out, `\u%04x`, r)
		}
	}
	return out
}

// FirstSentence returns the first line or sentence of a description, cleaned
// and cut at n runes.
func FirstSentence(s string, n int) string {
	s = strings.TrimSpace(s)
	if i := strings.IndexByte(s, '\n'); i >= 0 {
		s = s[:i]
	}
	if i := strings.Index(s, ". "); i >= 0 {
		s = s[:i+1]
	}
	return Cut(Clean(s), n)
}

// Cut bounds a text to n runes: a longer one ends in "…".
func Cut(text string, n int) string {
	if utf8.RuneCountInString(text) <= n {
		return text
	}
	return string([]rune(text)[:n-1]) + "…"
}

// Inert keeps one line of output from being an order to the program that runs
// the command: GitHub's runner obeys lines that begin with "::", after spaces,
// and "##[" anywhere; Azure and TeamCity have "##vso[" and "##teamcity[". The
// first character that makes the order is shown as an escape.
func Inert(line string) string {
	if rest := strings.TrimLeftFunc(line, unicode.IsSpace); strings.HasPrefix(rest, "::") {
		line = line[:len(line)-len(rest)] + `\x3a` + rest[1:]
	}
	for _, order := range [...]string{"##[", "##vso[", "##teamcity["} {
		line = strings.ReplaceAll(line, order, `#\x23`+order[2:])
	}
	return line
}
