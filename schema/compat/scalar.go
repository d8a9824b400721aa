package compat

// This file compares numbers and texts.

import (
	"encoding/json"
	"math/big"
	"slices"

	"github.com/mcpgen/mcpgen/schema/jsonschema"
)

// numbers checks bounds and multipleOf.
func (p *comparison) numbers() result {
	r := yes
	for _, k := range (p.s.kinds & number).each() {
		for _, b := range []struct {
			keyword string
			value   json.Number
			holds   func(i interval, at *big.Rat) bool
		}{
			{"minimum", p.b.Minimum, func(i interval, at *big.Rat) bool { return i.above(at, false) }},
			{"exclusiveMinimum", p.b.ExclusiveMinimum, func(i interval, at *big.Rat) bool { return i.above(at, true) }},
			{"maximum", p.b.Maximum, func(i interval, at *big.Rat) bool { return i.below(at, false) }},
			{"exclusiveMaximum", p.b.ExclusiveMaximum, func(i interval, at *big.Rat) bool { return i.below(at, true) }},
			{"multipleOf", p.b.MultipleOf, multiples},
		} {
			if b.value == "" {
				continue
			}
			at := jsonschema.Rational(b.value)
			switch {
			case at == nil:
				if !p.has(func(n *node) bool { return equalKeyword(n, p.b, b.keyword) }) {
					r.and(p.no("%s is too large to compare", b.keyword))
				}
			case p.s.fixed:
				r.and(p.each(k, func(v value) bool { return b.holds(just(v.num), at) }, b.keyword))
			case !b.holds(p.s.numbers(k), at):
				r.and(p.no("%s %s is new or narrower", b.keyword, b.value).with(p.near(k, at)...))
			}
		}
	}
	return r
}

// just returns the interval of a single number.
func just(r *big.Rat) interval {
	end := &jsonschema.Bound{At: r}
	return interval{jsonschema.Interval{Low: end, High: end}}
}

// multiples reports whether all numbers of i are multiples of m.
func multiples(i interval, m *big.Rat) bool {
	if m.Sign() <= 0 {
		return true // invalid, so it is ignored
	}
	if i.Multiple != nil && divides(m, i.Multiple) {
		return true
	}
	if i.Low != nil && i.High != nil && i.Low.At.Cmp(i.High.At) == 0 {
		return divides(m, i.Low.At)
	}
	few, all := i.list(64)
	for _, r := range few {
		if !divides(m, r) {
			return false
		}
	}
	return all
}

// near returns numbers of the shape, those closest to at first.
func (p *comparison) near(k kinds, at *big.Rat) []json.RawMessage {
	var values []json.RawMessage
	for _, r := range p.s.numbers(k).near(at) {
		if k == fraction && r.IsInt() {
			continue
		}
		if text, ok := jsonschema.Decimal(r); ok && len(values) < maxHints {
			values = append(values, json.RawMessage(text))
		}
	}
	return values
}

// each checks the values of one kind.
func (p *comparison) each(k kinds, holds func(value) bool, keyword string) result {
	for _, v := range p.s.values {
		if v.kind == k && !holds(v) {
			return p.no("the value %s does not fit %s", short(v.raw), keyword).with(v.raw)
		}
	}
	return yes
}

// texts checks lengths and patterns.
func (p *comparison) texts() result {
	if p.s.kinds&text == 0 {
		return yes
	}
	r := yes
	if lo := jsonschema.Count(p.b.MinLength, 0); lo > p.s.lo {
		shorter := p.s.language()
		shorter.hi = tighter(p.s.hi, lo-1)
		r.and(p.text("minLength", shorter,
			func(v value) bool { return len([]rune(v.text)) >= lo }))
	}
	if hi := jsonschema.Count(p.b.MaxLength, -1); hi >= 0 && (p.s.hi < 0 || hi < p.s.hi) {
		longer := p.s.language()
		longer.lo = max(p.s.lo, hi+1)
		r.and(p.text("maxLength", longer,
			func(v value) bool { return len([]rune(v.text)) <= hi }))
	}
	if p.b.Pattern != "" {
		r.and(p.pattern())
	}
	return r
}

func (p *comparison) pattern() result {
	if p.has(func(n *node) bool { return n.Pattern == p.b.Pattern }) {
		return yes
	}
	re := p.c.pattern(p.b.Pattern)
	if re == nil {
		return p.no("RE2 does not take the pattern %s", short(quoteJSON(p.b.Pattern))).with(p.c.values.examples(p.s, text)...)
	}
	outside := p.s.language()
	outside.avoid = append(slices.Clip(outside.avoid), p.b.Pattern)
	return p.text("pattern", outside,
		func(v value) bool { return re.MatchString(v.text) })
}

// text checks a keyword that the texts of the language outside violate.
func (p *comparison) text(keyword string, outside language, holds func(value) bool) result {
	if p.s.fixed {
		return p.each(text, holds, keyword)
	}
	found, some, decided := p.c.find(outside)
	switch {
	case !decided:
		return p.no("whether the texts fit %s is not known", keyword).with(p.c.values.examples(p.s, text)...)
	case !some:
		return yes
	}
	return p.no("%s is new or narrower", keyword).with(quoteJSON(found))
}

// named returns a schema that matches exactly the texts that match a pattern.
func (d *document) named(pattern string) *node {
	return d.make("named "+pattern, &jsonschema.Schema{Types: []string{"string"}, Pattern: pattern})
}
