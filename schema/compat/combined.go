package compat

// This file checks schemas that apply in place: references, combinations, negations and conditions.

import "slices"

func (p *comparison) combined() result {
	b, c := p.b, p.c
	r := yes
	if c.level++; c.level > 256 {
		c.level--
		return p.no("too many schemas apply to one value")
	}
	defer func() { c.level-- }()
	if b.ref != nil {
		r.and(c.shapeIn(p.s, b.ref, p.pointer))
	}
	for _, part := range b.document.all(b.AllOf) {
		r.and(c.shapeIn(p.s, part, p.pointer))
	}
	if len(b.AnyOf) > 0 {
		r.and(p.union(b.document.all(b.AnyOf), false))
	}
	if len(b.OneOf) > 0 && !p.has(func(n *node) bool { return len(n.OneOf) > 0 && c.equalLists(n, b, n.OneOf, b.OneOf) }) {
		r.and(p.union(b.document.all(b.OneOf), true))
	}
	if b.Not != nil {
		r.and(p.not(b.document.of(b.Not)))
	}
	if b.If != nil {
		r.and(p.condition())
	}
	return r
}

// inPlace checks the part of a shape that fits every schema of extra and no schema of nots.
func (c *checker) inPlace(s *shape, b *node, at string, nots []*node, extra ...*node) result {
	parts, ok := c.refine(s, nots, extra...)
	if !ok {
		return no(at, "there are too many alternatives")
	}
	return c.allIn(parts, b, at)
}

// disjoint reports whether no value of a shape fits b; false if that is not proven.
func (c *checker) disjoint(s *shape, b *node) bool {
	parts, ok := c.refine(s, nil, b)
	return ok && !slices.ContainsFunc(parts, func(part *shape) bool { return !c.emptyShape(part, 0) })
}

// negated checks, below a negation, whether every value of a fits b.
func (c *checker) negated(a all, b *node, at string) bool {
	c.plain++
	defer func() { c.plain-- }()
	return c.sub(a, b, at).yes
}

func (p *comparison) not(x *node) result {
	if p.c.disjoint(p.s, x) {
		return yes
	}
	for _, n := range p.s.nots {
		if p.c.negated(all{x}, n, p.pointer) {
			return yes
		}
	}
	r := p.no("it is not known whether values fit the schema under not")
	parts, _ := p.c.refine(p.s, nil, x)
	for _, part := range parts {
		r = r.with(p.c.values.examples(part, part.kinds)...)
	}
	return r
}

func (p *comparison) condition() result {
	b := p.b
	test := b.document.of(b.If)
	r := yes
	if b.Then != nil {
		r.and(p.c.inPlace(p.s, b.document.of(b.Then), p.pointer, nil, test))
	}
	if b.Else != nil {
		r.and(p.c.inPlace(p.s, b.document.of(b.Else), p.pointer, []*node{test}))
	}
	return r
}

// union checks whether at least one schema of a list fits, or exactly one if one is true.
func (p *comparison) union(branches []*node, one bool) result {
	r := p.branch(branches, one)
	if r.yes {
		return r
	}
	parts := splitter{p.c}.split(p.s, branches)
	if len(parts) < 2 || p.c.splits >= 4 {
		return r
	}
	p.c.splits++
	defer func() { p.c.splits-- }()
	whole := yes
	for _, part := range parts {
		if p.c.emptyShape(part, 0) {
			continue
		}
		q := *p
		q.s = part
		whole.and(q.union(branches, one))
	}
	return whole
}

// branch checks the branches against a shape without splitting it.
func (p *comparison) branch(branches []*node, one bool) result {
	var answers []result
	for i, branch := range branches {
		r := p.c.shapeIn(p.s, branch, p.pointer)
		if r.yes {
			if !one || p.alone(branches, i) {
				return yes
			}
			return p.overlap(branches, i)
		}
		answers = append(answers, r)
	}
	if len(branches) == 1 {
		return answers[0]
	}
	r := p.no("there are values that fit none of the %d alternatives", len(branches))
	var hints [][]hint
	for _, answer := range answers {
		hints = append(hints, answer.hints)
	}
	for _, h := range inTurn(hints, maxHints) {
		r.hints = append(r.hints, hint{h.raw, r.why})
	}
	return r
}

// alone reports whether no branch but the one at index at fits.
func (p *comparison) alone(branches []*node, at int) bool {
	for i, branch := range branches {
		if i != at && !p.c.disjoint(p.s, branch) {
			return false
		}
	}
	return true
}

// overlap returns the result for values that may fit more than one branch.
func (p *comparison) overlap(branches []*node, at int) result {
	r := p.no("it is not known whether more than one schema of oneOf fits")
	for i, branch := range branches {
		if i == at {
			continue
		}
		parts, _ := p.c.refine(p.s, nil, branch)
		for _, part := range parts {
			r = r.with(p.c.values.examples(part, part.kinds)...)
		}
	}
	return r
}
