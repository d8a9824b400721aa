// Package safetext makes text from a server safe to show: on terminals, in logs, in comments and in
// messages.
package safetext

import (
	"bytes"
	"fmt"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf16"
	"unicode/utf8"
)

// Visible reports whether r is shown as what it is: not a control character, not unassigned, and without
// effect on the writing direction or the visibility of other text. The only visible space is the plain
// one. The selectors of emoji style are visible.
func Visible(r rune) bool {
	switch {
	case r <= '~':
		return r >= ' '
	case r == '\ufe0e' || r == '\ufe0f':
		return true
	}
	return unicode.IsPrint(r) && !isSpace(r) && !unicode.In(r, unicode.Other_Default_Ignorable_Code_Point, unicode.Variation_Selector)
}

// isSpace reports whether r looks like a space.
func isSpace(r rune) bool {
	return unicode.Is(unicode.Zs, r) || r == '\u2800' // a Braille pattern without dots
}

// Line returns s on one line: line breaks, tabs and all kinds of spaces become spaces, and other
// characters that are not [Visible] become U+FFFD.
func Line(s string) string { return visible(s, false) }

// Text is [Line] for text of several lines: line breaks and tabs are kept.
func Text(s string) string { return visible(strings.ReplaceAll(s, "\r\n", "\n"), true) }

func visible(s string, lines bool) string {
	return strings.Map(func(r rune) rune {
		switch {
		case lines && (r == '\n' || r == '\t'), Visible(r) && r != ' ':
			return r
		case isSpace(r), !lines && (r == '\n' || r == '\t' || r == '\r'):
			return ' '
		}
		return unicode.ReplacementChar
	}, s)
}

// JSON escapes the characters of a JSON text that [Line] replaces. The JSON value is unchanged: these
// characters only occur in strings.
func JSON(text []byte) []byte {
	if utf8.Valid(text) && !bytes.ContainsFunc(text, func(r rune) bool { return r != '\n' && !Visible(r) }) {
		return text
	}
	var out []byte
	for _, r := range string(text) {
		switch {
		case r == '\n' || Visible(r):
			out = utf8.AppendRune(out, r)
		case r == '\t' || r == '\r': // white space between tokens: strings have them escaped
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

// Printable is [Text] cut at 500 bytes, for errors.
func Printable(s string) string { return Text(Cut(s, 500)) }

// Strip removes escape sequences and all characters that are not [Visible]. Every kind of line break
// becomes \n, every kind of space a space, and invalid UTF-8 U+FFFD; tabs are kept.
func Strip(s string) string {
	if !strings.ContainsFunc(s, func(r rune) bool { return (r < ' ' || r > '~') && r != '\n' && r != '\t' }) {
		return s
	}
	s = strings.ReplaceAll(s, "\r\n", "\n")
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
		case r == '\n', r == '\r', r == '\v', r == '\f', r == 0x85, r == 0x2028, r == 0x2029:
			b.WriteByte('\n')
		case isSpace(r):
			b.WriteByte(' ')
		case r == '\t' || Visible(r):
			b.WriteRune(r)
		}
	}
	return b.String()
}

// Words is [Strip] on one line of at most n bytes: white space becomes single spaces, and a cut is
// marked.
func Words(s string, n int) string {
	return Cut(strings.Join(strings.Fields(Strip(s)), " "), n)
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

// Quote returns s in quotation marks, as in Go source, cut at n bytes.
func Quote(s string, n int) string {
	if shown := Clip(s, n); len(shown) < len(s) {
		return strconv.Quote(shown) + "…"
	}
	return strconv.Quote(s)
}

// Cut cuts s at n bytes, never inside a rune, and marks the cut.
func Cut(s string, n int) string {
	if len(s) <= n {
		return s
	}
	return Clip(s, n) + "…"
}

// Clip cuts s at n bytes, never inside a rune.
func Clip(s string, n int) string {
	if len(s) <= n {
		return s
	}
	for n > 0 && !utf8.RuneStart(s[n]) {
		n--
	}
	return s[:n]
}

// List returns the first of some texts, with commas, and how many more there are.
func List(texts []string, most int) string {
	if len(texts) <= most {
		return strings.Join(texts, ", ")
	}
	return strings.Join(texts[:most], ", ") + " and " + strconv.Itoa(len(texts)-most) + " more"
}

// Count returns a number with a noun: 1 tool, 2 tools.
func Count(n int, thing string) string {
	if n == 1 {
		return "1 " + thing
	}
	return strconv.Itoa(n) + " " + thing + "s"
}
