// Patterns: one form for all rules, compiled to regular expressions whose matching
// takes linear time.

package policy

import (
	"errors"
	"fmt"
	"regexp"
	"strings"
	"unicode/utf8"
)

// maxPattern bounds the number of characters and classes of a pattern.
const maxPattern = 1024

// glob is a pattern of [path.Match] with another separator: * is any text without the
// separator, ? one character except the separator, [a-z] and [^a-z] a character of
// these, \x is x. There are two additions: ** is any text, and so is a * at the end.
type glob struct {
	literal  string         // the text before the first part that is not literal
	exact    bool           // all parts are literal
	deep     bool           // the last part matches any rest
	prefixed bool           // deep, and all other parts are literal
	query    bool           // it may match in the query or the fragment of an address
	re       *regexp.Regexp // nil if exact or prefixed
}

// parseGlob parses a pattern. If open is set, a * at the end is any text.
func parseGlob(text string, open bool, separator rune) (glob, error) {
	g := glob{exact: true}
	if text == "" {
		return g, errors.New("an empty pattern matches nothing")
	}
	other := fmt.Sprintf(`[^\x{%x}]`, separator)
	var re strings.Builder
	parts := 0
	for rest := text; rest != ""; parts++ {
		if parts == maxPattern {
			return g, errors.New("the pattern is too long")
		}
		r, n := utf8.DecodeRuneInString(rest)
		g.deep = strings.HasPrefix(rest, "**") || open && rest == "*"
		part := ""
		switch {
		case g.deep:
			part, n = ".*", len(rest)-len(strings.TrimLeft(rest, "*"))
			g.prefixed = g.exact && n == len(rest)
		case r == '*':
			part = other + "*"
		case r == '?':
			part, g.query = other, true
		case r == '[':
			var err error
			if part, n, err = parseClass(rest, separator); err != nil {
				return g, err
			}
		case r == '\\':
			var m int
			if r, m = utf8.DecodeRuneInString(rest[1:]); m == 0 {
				return g, errors.New(`the pattern ends with a \, which needs a character after it`)
			}
			n += m
		}
		if part == "" {
			part = regexp.QuoteMeta(string(r))
			g.query = g.query || r == '?' || r == '#'
			if g.exact {
				g.literal += string(r)
			}
		} else {
			g.exact = false
		}
		re.WriteString(part)
		rest = rest[n:]
	}
	var err error
	if !g.exact && !g.prefixed {
		g.re, err = regexp.Compile(`(?s)\A` + re.String() + `\z`)
	}
	return g, err
}

// parseClass parses the [a-z] or [^a-z] at the beginning of a text, and returns its
// regular expression and its length. Neither form matches the separator.
func parseClass(text string, separator rune) (string, int, error) {
	unclosed := errors.New("a [ is not closed")
	i, negated := 1, strings.HasPrefix(text, "[^")
	if negated {
		i++
	}
	char := func() (rune, error) {
		if strings.HasPrefix(text[i:], `\`) {
			i++
		}
		r, n := utf8.DecodeRuneInString(text[i:])
		if i += n; n == 0 {
			return 0, unclosed
		}
		return r, nil
	}
	var ranges strings.Builder
	add := func(low, high rune) {
		if low <= high {
			fmt.Fprintf(&ranges, `\x{%x}-\x{%x}`, low, high)
		}
	}
	for first := true; first || !strings.HasPrefix(text[i:], "]"); first = false {
		low, err := char()
		if err != nil {
			return "", 0, err
		}
		high := low
		if strings.HasPrefix(text[i:], "-") {
			i++
			if high, err = char(); err != nil {
				return "", 0, err
			}
		}
		switch {
		case high < low:
			return "", 0, errors.New("a range in [ ] is reversed")
		case negated || separator < low || high < separator:
			add(low, high)
		default:
			add(low, separator-1)
			add(separator+1, high)
		}
	}
	switch {
	case negated:
		add(separator, separator)
		return "[^" + ranges.String() + "]", i + 1, nil
	case ranges.Len() == 0: // only the separator
		add(0, utf8.MaxRune)
		return "[^" + ranges.String() + "]", i + 1, nil
	}
	return "[" + ranges.String() + "]", i + 1, nil
}

// exactly returns the pattern that matches only this text.
func exactly(text string) string {
	return strings.NewReplacer(`\`, `\\`, "*", `\*`, "?", `\?`, "[", `\[`).Replace(text)
}

// all reports whether the pattern matches every text.
func (g glob) all() bool { return g.prefixed && g.literal == "" }

// match reports whether the pattern matches the whole text.
func (g glob) match(text string) bool {
	switch {
	case g.exact:
		return text == g.literal
	case g.prefixed:
		return strings.HasPrefix(text, g.literal)
	}
	return strings.HasPrefix(text, g.literal) && g.re.MatchString(text)
}

// open reports whether the pattern matches every text that begins with this one.
func (g glob) open(text string) bool { return g.deep && g.match(text) }
