package drift

// This file makes pattern matching cheap on long texts. A server may send megabytes of text, and almost none of
// it contains the literals that a pattern needs.

import (
	"regexp"
	"regexp/syntax"
	"slices"
	"strings"
)

// pattern is a regular expression with the literals that a matching text must contain.
type pattern struct {
	*regexp.Regexp
	need need
}

func newPattern(expr string) pattern {
	re := regexp.MustCompile(expr)
	parsed, err := syntax.Parse(expr, syntax.Perl)
	if err != nil {
		return pattern{Regexp: re} // unreachable: MustCompile parsed it already
	}
	return pattern{re, needOf(parsed)}
}

// possible reports whether the pattern may match.
func (p pattern) possible(text string) bool { return p.need.met(text) }

// need is a condition on texts: they contain the literal, meet all needs of all, and meet at least one of any.
// Every text meets the zero value.
type need struct {
	literal  string
	all, any []need
}

func (n need) met(text string) bool {
	met := func(n need) bool { return n.met(text) }
	return strings.Contains(text, n.literal) && (n.any == nil || slices.ContainsFunc(n.any, met)) &&
		!slices.ContainsFunc(n.all, func(n need) bool { return !met(n) })
}

func (n need) isZero() bool { return n.literal == "" && n.all == nil && n.any == nil }

// trigrams are the hashes of each three bytes in a row of a text.
type trigrams [1 << 10]uint64

func (t *trigrams) add(text string) {
	for i := range len(text) - 2 {
		at, bit := trigramAt(text, i)
		t[at] |= bit
	}
}

// all reports whether the text may be a part of one that was added.
func (t *trigrams) all(text string) bool {
	for i := range len(text) - 2 {
		if at, bit := trigramAt(text, i); t[at]&bit == 0 {
			return false
		}
	}
	return true
}

func trigramAt(text string, i int) (at uint32, bit uint64) {
	h := (uint32(text[i])<<16 | uint32(text[i+1])<<8 | uint32(text[i+2])) * 2654435761 >> 16
	return h >> 6, 1 << (h & 63)
}

// maxMatches bounds the matches examined in one text, so that an old text full of matches cannot hide new ones.
const maxMatches = 10_000

// needOf returns what each text that matches re contains.
func needOf(re *syntax.Regexp) need {
	switch re.Op {
	case syntax.OpLiteral:
		if re.Flags&syntax.FoldCase == 0 {
			return need{literal: string(re.Rune)}
		}
	case syntax.OpCapture, syntax.OpPlus:
		return needOf(re.Sub[0])
	case syntax.OpRepeat:
		if re.Min > 0 {
			return needOf(re.Sub[0])
		}
	case syntax.OpConcat:
		var n need
		for _, sub := range re.Sub {
			if sub := needOf(sub); !sub.isZero() {
				n.all = append(n.all, sub)
			}
		}
		return n
	case syntax.OpAlternate:
		var n need
		for _, sub := range re.Sub {
			n.any = append(n.any, needOf(sub))
		}
		if !slices.ContainsFunc(n.any, need.isZero) {
			return n
		}
	}
	return need{}
}
