package drift

// This file is what makes patterns cheap on long texts. A server may send
// megabytes, and nearly all of them hold nothing that a pattern could begin with.

import (
	"regexp"
	"regexp/syntax"
	"slices"
	"strings"
)

// pattern is an expression, and what a text must hold for it to match.
type pattern struct {
	*regexp.Regexp
	needs []string // one of them; nil: nothing is known
}

func newPattern(expr string) pattern {
	re := regexp.MustCompile(expr)
	parsed, err := syntax.Parse(expr, syntax.Perl)
	if err != nil {
		return pattern{Regexp: re} // MustCompile has parsed it, too
	}
	return pattern{re, literalsIn(parsed)}
}

// possible reports whether the pattern may match.
func (p pattern) possible(text string) bool {
	return p.needs == nil || slices.ContainsFunc(p.needs, func(s string) bool { return strings.Contains(text, s) })
}

// maxMatches is how many places of a text are looked at: an old text that is full
// of them is not a place to hide behind.
const maxMatches = 10_000

// literalsIn returns texts of which each match of re holds at least one; nil if that
// cannot be known.
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

// shortest is the length of the shortest text; the longer it is, the fewer texts
// hold it.
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
