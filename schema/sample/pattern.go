package sample

// This file creates texts that match a pattern: each alternative, each class, and repetitions at their minimum
// and above. Every text is checked against the pattern before use, so there may be no text.

import (
	"regexp"
	"regexp/syntax"
	"slices"
	"strings"
	"unicode"

	"github.com/mcpgen/mcpgen/schema/jsonschema"
	"github.com/mcpgen/mcpgen/schema/validate"
)

const (
	maxTexts   = 12  // for one pattern
	maxPattern = 256 // bytes of a text, above which repetitions stop
	maxRepeat  = 256
)

// patterns holds the patterns of one document.
type patterns struct {
	*meter
	compiled map[string]*regexp.Regexp // nil if RE2 does not support the pattern
	texts    map[string][]string       // that match the pattern
}

// matching returns texts that match a pattern.
func (p *patterns) matching(pattern string) []string {
	texts, known := p.texts[pattern]
	if !known {
		texts = textsOf(p.compile(pattern))
		p.texts[pattern] = texts
	}
	return texts
}

// matches reports whether a text matches a pattern; false if RE2 does not support the pattern.
func (p *patterns) matches(pattern, text string) bool {
	re := p.compile(pattern)
	return re != nil && re.MatchString(text)
}

// matchAll reports whether a text matches the patterns of all parts. A pattern that RE2 does not support never
// matches.
func (p *patterns) matchAll(s *shape, text string) bool {
	return !slices.ContainsFunc(s.parts, func(part *jsonschema.Schema) bool { return part.Pattern != "" && !p.matches(part.Pattern, text) })
}

// compile compiles a pattern once and returns nil if RE2 does not support it.
func (p *patterns) compile(text string) *regexp.Regexp {
	re, known := p.compiled[text]
	if !known {
		re, _ = validate.Pattern(text)
		p.compiled[text] = re
		p.work(workOfCompiling)
	}
	return re
}

// textsOf returns texts that match a pattern.
func textsOf(re *regexp.Regexp) []string {
	if re == nil {
		return nil
	}
	tree, err := syntax.Parse(re.String(), syntax.Perl)
	if err != nil {
		return nil
	}
	m := &matcher{left: 10_000}
	var texts []string
	for _, text := range m.texts(tree) {
		if re.MatchString(text) && !slices.Contains(texts, text) {
			texts = append(texts, text)
		}
	}
	return texts[:min(len(texts), maxTexts)]
}

// matcher generates texts of one pattern.
type matcher struct {
	left int // steps
}

// texts returns texts for a part of a pattern, or nil if there are none.
func (m *matcher) texts(re *syntax.Regexp) []string {
	if m.left--; m.left < 0 {
		return nil
	}
	switch re.Op {
	case syntax.OpLiteral:
		return []string{string(re.Rune)}
	case syntax.OpCharClass:
		return ofClass(re.Rune)
	case syntax.OpAnyChar, syntax.OpAnyCharNotNL:
		return []string{"a", "0", "é"}
	case syntax.OpCapture:
		return m.texts(re.Sub[0])
	case syntax.OpConcat:
		all := []string{""}
		for _, sub := range re.Sub {
			all = joined(all, m.texts(sub))
		}
		return all
	case syntax.OpAlternate:
		var lists [][]string
		for _, sub := range re.Sub {
			lists = append(lists, m.texts(sub))
		}
		return inTurn(lists, maxTexts)
	case syntax.OpStar:
		return repeated(m.texts(re.Sub[0]), 0, -1)
	case syntax.OpPlus:
		return repeated(m.texts(re.Sub[0]), 1, -1)
	case syntax.OpQuest:
		return repeated(m.texts(re.Sub[0]), 0, 1)
	case syntax.OpRepeat:
		return repeated(m.texts(re.Sub[0]), re.Min, re.Max)
	case syntax.OpNoMatch:
		return nil
	}
	return []string{""} // anchors and boundaries, which are checked later
}

// joined returns texts of a followed by texts of b. Each text of a and b occurs at least once, up to maxTexts.
func joined(a, b []string) []string {
	if len(a) == 0 || len(b) == 0 {
		return nil
	}
	var all []string
	for i := range min(max(len(a), len(b)), maxTexts) {
		all = append(all, a[i%len(a)]+b[i%len(b)])
	}
	return all
}

// repeated returns texts repeated least to most times; a most of -1 means no limit.
func repeated(texts []string, least, most int) []string {
	if least > maxRepeat {
		return nil
	}
	times := []int{max(least, 1), least, least + 2}
	if most >= 0 {
		times = append(times, min(most, maxRepeat))
	}
	var all []string
	for _, n := range times {
		if n > most && most >= 0 || n > 0 && len(texts) == 0 {
			continue
		}
		for i := range max(1, min(len(texts), 4)) {
			text := ""
			if n > 0 {
				text = cycle(texts, i, n)
			}
			if len(text) <= maxPattern || n == least {
				all = append(all, text)
			}
			if n == 0 {
				break
			}
		}
	}
	return all[:min(len(all), maxTexts)]
}

// cycle concatenates n texts, starting at index start and wrapping around.
func cycle(texts []string, start, n int) string {
	var b strings.Builder
	for i := range n {
		b.WriteString(texts[(start+i)%len(texts)])
	}
	return b.String()
}

// ofClass returns characters of a class, given as pairs of bounds: one of each range, common ones first.
func ofClass(ranges []rune) []string {
	var plain, other []string
	for _, r := range []rune{'a', 'A', '0', '1', '-', '_', ' ', 'x'} {
		if inClass(ranges, r) {
			plain = append(plain, string(r))
		}
	}
	for i := 0; i+1 < len(ranges) && len(other) < maxTexts; i += 2 {
		for _, r := range []rune{ranges[i], ranges[i+1]} {
			if unicode.IsPrint(r) {
				other = append(other, string(r))
			}
		}
	}
	if len(plain)+len(other) == 0 && len(ranges) > 0 {
		other = append(other, string(ranges[0]))
	}
	all := append(plain, other...)
	return all[:min(len(all), maxTexts)]
}

func inClass(ranges []rune, r rune) bool {
	for i := 0; i+1 < len(ranges); i += 2 {
		if ranges[i] <= r && r <= ranges[i+1] {
			return true
		}
	}
	return false
}
