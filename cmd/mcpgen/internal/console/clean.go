// Package console writes text of servers to terminals and logs, where it must have no side effects.
package console

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/mcpgen/mcpgen/internal/safetext"
)

// Clean returns s on one line. Characters that a terminal could interpret or a reader could not see
// become U+FFFD: see [safetext.Line].
func Clean(s string) string { return safetext.Line(s) }

// CleanText is [Clean] for text of several lines: newlines and tabs are kept.
func CleanText(s string) string { return safetext.Text(s) }

// FirstSentence returns the first line or sentence of a description, cleaned and cut at n runes.
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

// Cut shortens a text to n runes; a shortened text ends in "…".
func Cut(text string, n int) string {
	if utf8.RuneCountInString(text) <= n {
		return text
	}
	return string([]rune(text)[:n-1]) + "…"
}

// Inert prevents a line of output from being a command to the program that runs mcpgen. GitHub's runner
// executes lines that begin with "::" after spaces, and "##[" anywhere; Azure and TeamCity execute
// "##vso[" and "##teamcity[". The first character of such a command is escaped.
func Inert(line string) string {
	if rest := strings.TrimLeftFunc(line, unicode.IsSpace); strings.HasPrefix(rest, "::") {
		line = line[:len(line)-len(rest)] + `\x3a` + rest[1:]
	}
	for _, order := range [...]string{"##[", "##vso[", "##teamcity["} {
		line = strings.ReplaceAll(line, order, `#\x23`+order[2:])
	}
	return line
}
