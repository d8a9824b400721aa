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
	needs []string // at least one of them; nil if unknown
}

func newPattern(expr string) pattern {
	re := regexp.MustCompile(expr)
	parsed, err := syntax.Parse(expr, syntax.Perl)
	if err != nil {
		return pattern{Regexp: re} // unreachable: MustCompile parsed it already
	}
	return pattern{re, literalsIn(parsed)}
}

// possible reports whether the pattern may match.
func (p pattern) possible(text string) bool {
	return p.needs == nil || slices.ContainsFunc(p.needs, func(s string) bool { return strings.Contains(text, s) })
}

// maxMatches bounds the matches examined in one text, so that an old text full of matches cannot hide new ones.
const maxMatches = 10_000

// literalsIn returns texts such that each match of re contains at least one of them; nil if unknown.
func literalsIn(re *syntax.Regexp) []string {
	switch re.Op {
	case syntax.OpLiteral:
		if re.Flags&syntax.FoldCase != 0 {
			return nil
		}
		return []string{string(re.Rune)}
	case syntax.OpCapture, syntax.OpPlus:
		return literalsIn(re.Sub[0])
	case syntax.OpRepeat:
		if re.Min > 0 {
			return literalsIn(re.Sub[0])
		}
	case syntax.OpConcat:
		var best []string
		for _, sub := range re.Sub {
			if n := literalsIn(sub); shortest(n) > shortest(best) {
				best = n
			}
		}
		return best
	case syntax.OpAlternate:
		var all []string
		for _, sub := range re.Sub {
			n := literalsIn(sub)
			if n == nil {
				return nil
			}
			all = append(all, n...)
		}
		return all
	}
	return nil
}

// shortest returns the length of the shortest text. The longer it is, the fewer texts contain it.
func shortest(texts []string) int {
	if len(texts) == 0 {
		return 0
	}
	n := len(texts[0])
	for _, t := range texts {
		n = min(n, len(t))
	}
	return n
}
