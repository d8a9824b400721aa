// Patterns: one matcher for all forms of rules, in time linear in the text.

package policy

import (
	"errors"
	"strings"
	"unicode/utf8"
)

// maxPattern bounds a pattern, in tokens.
const maxPattern = 1024

// glob is a pattern of [path.Match], with a separator of its own: * is any text
// without the separator, ? one character but it, [a-z] and [^a-z] one of these,
// \x is x. Two additions: ** is any text, and so is a * at the end.
type glob struct {
	tokens   []token
	literal  string // the text before the first token that is a pattern
	exact    bool   // there is none
	prefixed bool   // the only one takes whatever is left
}

type tokenKind byte

const (
	literalRune tokenKind = iota
	anyRune
	classRune
	star // any text without the separator
	deep // any text
)

type token struct {
	kind    tokenKind
	r       rune
	negated bool
	ranges  [][2]rune
}

// parseGlob reads a pattern. With open, a * at the end is any text.
func parseGlob(text string, open bool) (glob, error) {
	var g glob
	if text == "" {
		return g, errors.New("an empty pattern matches nothing")
	}
	for rest := text; rest != ""; {
		t, n, err := nextToken(rest)
		if err != nil {
			return g, err
		}
		rest = rest[n:]
		if t.kind == star && open && rest == "" {
			t.kind = deep
		}
		g.tokens = append(g.tokens, t)
	}
	if len(g.tokens) > maxPattern {
		return g, errors.New("the pattern is too long")
	}
	g.literal, g.exact = g.prefix()
	last := len(g.tokens) - 1
	g.prefixed = g.tokens[last].kind == deep && utf8.RuneCountInString(g.literal) == last
	return g, nil
}

// nextToken reads the token that text begins with, and its length.
func nextToken(text string) (token, int, error) {
	r, n := utf8.DecodeRuneInString(text)
	switch r {
	case '*':
		if strings.HasPrefix(text, "**") {
			return token{kind: deep}, len(text) - len(strings.TrimLeft(text, "*")), nil
		}
		return token{kind: star}, 1, nil
	case '?':
		return token{kind: anyRune}, 1, nil
	case '[':
		return nextClass(text)
	case '\\':
		r, m := utf8.DecodeRuneInString(text[1:])
		if m == 0 {
			return token{}, 0, errors.New(`the pattern ends with a \, which needs a character after it`)
		}
		return token{r: r}, 1 + m, nil
	}
	return token{r: r}, n, nil
}

// nextClass reads [a-z] or [^a-z].
func nextClass(text string) (token, int, error) {
	t := token{kind: classRune}
	unclosed := errors.New("a [ is not closed")
	i := 1
	if strings.HasPrefix(text[i:], "^") {
		t.negated = true
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
	for {
		if strings.HasPrefix(text[i:], "]") && len(t.ranges) > 0 {
			return t, i + 1, nil
		}
		low, err := char()
		if err != nil {
			return t, 0, err
		}
		high := low
		if strings.HasPrefix(text[i:], "-") {
			i++
			if high, err = char(); err != nil {
				return t, 0, err
			}
		}
		if high < low {
			return t, 0, errors.New("a range in [ ] is reversed")
		}
		t.ranges = append(t.ranges, [2]rune{low, high})
	}
}

// takes reports whether the token takes one character.
func (t token) takes(r, sep rune) bool {
	switch t.kind {
	case literalRune:
		return r == t.r
	case anyRune, star:
		return r != sep
	case classRune:
		in := false
		for _, x := range t.ranges {
			in = in || x[0] <= r && r <= x[1]
		}
		return in != t.negated && r != sep
	}
	return true
}

// prefix returns the literal text that the pattern begins with; whole tells
// whether that is all of it.
func (g glob) prefix() (text string, whole bool) {
	var b strings.Builder
	for _, t := range g.tokens {
		if t.kind != literalRune {
			return b.String(), false
		}
		b.WriteRune(t.r)
	}
	return b.String(), true
}

// all reports whether the pattern takes every text.
func (g glob) all() bool { return len(g.tokens) == 1 && g.tokens[0].kind == deep }

// match reports whether the pattern takes the whole text.
func (g glob) match(text string, sep rune) bool {
	if g.exact {
		return text == g.literal
	}
	if !strings.HasPrefix(text, g.literal) {
		return false
	}
	if g.prefixed {
		return true
	}
	return g.run(text, sep)[len(g.tokens)]
}

// open reports whether the pattern takes every text that begins with this one.
func (g glob) open(text string, sep rune) bool {
	last := len(g.tokens) - 1
	return last >= 0 && g.tokens[last].kind == deep && g.run(text, sep)[last]
}

// run tells how far the pattern can have come at the end of the text: all ways
// are followed at once, so that no pattern is slow.
func (g glob) run(text string, sep rune) []bool {
	now, next := make([]bool, len(g.tokens)+1), make([]bool, len(g.tokens)+1)
	now[0] = true
	g.skip(now)
	for _, r := range text {
		clear(next)
		for i, t := range g.tokens {
			if !now[i] || !t.takes(r, sep) {
				continue
			}
			if t.kind == star || t.kind == deep {
				next[i] = true
			} else {
				next[i+1] = true
			}
		}
		g.skip(next)
		now, next = next, now
	}
	return now
}

// skip goes on behind every star, which may take nothing.
func (g glob) skip(at []bool) {
	for i, t := range g.tokens {
		if at[i] && (t.kind == star || t.kind == deep) {
			at[i+1] = true
		}
	}
}
