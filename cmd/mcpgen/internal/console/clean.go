// Package console writes what servers said to terminals and logs, where their
// bytes must not act.
package console

import (
	"fmt"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf16"
	"unicode/utf8"
)

// Clean returns s with everything that a terminal could obey or a reader could
// not see replaced by U+FFFD: control characters, bidirectional and invisible
// format characters, line and paragraph separators, broken UTF-8. Newlines and
// tabs become spaces, so that one value stays on one line.
func Clean(s string) string {
	return strings.Map(func(r rune) rune {
		switch {
		case r == '\n' || r == '\t' || r == '\r':
			return ' '
		case acts(r):
			return utf8.RuneError
		}
		return r
	}, s)
}

// CleanText is [Clean] for text of several lines: newlines and tabs stay.
func CleanText(s string) string {
	return strings.Map(func(r rune) rune {
		switch {
		case r == '\n' || r == '\t':
			return r
		case r == '\r':
			return -1
		case acts(r):
			return utf8.RuneError
		}
		return r
	}, s)
}

// CleanJSON returns a JSON text with everything that [Clean] replaces written as
// an escape. Its value stays the same: such characters stand in strings alone.
func CleanJSON(text []byte) []byte {
	var out []byte
	from := 0
	for i, r := range string(text) {
		if r == '\n' || !acts(r) {
			continue
		}
		out = append(out, text[from:i]...)
		if hi, lo := utf16.EncodeRune(r); hi != utf8.RuneError {
			out = fmt.Appendf(out, `\u%04x\u%04x`, hi, lo)
		} else {
			out = fmt.Appendf(out, `\u%04x`, r)
		}
		from = i + utf8.RuneLen(r)
	}
	return append(out, text[from:]...)
}

// acts reports whether a terminal obeys r or a reader cannot see it.
func acts(r rune) bool {
	return unicode.IsControl(r) || unicode.Is(unicode.Cf, r) || unicode.Is(unicode.Zl, r) || unicode.Is(unicode.Zp, r)
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
	r := []rune(Clean(s))
	if len(r) > n {
		return string(r[:n-1]) + "…"
	}
	return string(r)
}

// Count is a number of things: 1 tool, 2 tools.
func Count(n int, thing string) string {
	if n == 1 {
		return "1 " + thing
	}
	return strconv.Itoa(n) + " " + thing + "s"
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
