package compat

// This file compares arrays, position by position.

import (
	"encoding/json"
	"slices"

	"github.com/mcpgen/mcpgen/schema/jsonschema"
)

// most arrays that are asked about position by position.
const maxPositions = 512

// item returns the schemas that the item at index i must fit.
func (s *shape) item(i int) all {
	var of all
	for _, n := range s.parts {
		if item := n.item(i); item != nil {
			of = append(of, item)
		}
	}
	return of
}

// tuple returns the number of leading positions with their own schemas.
func tuple(parts []*node) int {
	length := 0
	for _, n := range parts {
		length = max(length, len(n.PrefixItems))
	}
	return length
}

// lengths returns the bounds on the length of a shape's arrays; hi is -1 without an upper bound.
func (c *checker) lengths(s *shape, depth int) (lo, hi int) {
	hi = -1
	for _, n := range s.parts {
		lo = max(lo, jsonschema.Count(n.MinItems, 0))
		hi = tighter(hi, jsonschema.Count(n.MaxItems, -1))
		if n.Contains != nil {
			lo = max(lo, jsonschema.Count(n.MinContains, 1))
		}
	}
	for i := range min(tuple(s.parts), maxPositions) + 1 {
		if (hi < 0 || i < hi) && c.empty(s.item(i), depth+1) {
			return lo, i
		}
	}
	return lo, hi
}

func (p *comparison) arrays() result {
	b := p.b
	lo, hi := p.c.lengths(p.s, 0)
	r := yes
	if least := jsonschema.Count(b.MinItems, 0); least > lo {
		r.and(p.no("minItems %d is new or narrower", least).with(p.c.values.arrayOf(p.s, lo, nil)))
	}
	if most := jsonschema.Count(b.MaxItems, -1); most >= 0 && (hi < 0 || hi > most) {
		r.and(p.no("maxItems %d is new or narrower", most).with(p.c.values.arrayOf(p.s, max(lo, most+1), nil)))
	}
	r.and(p.positions(hi))
	if b.UniqueItems && (hi < 0 || hi > 1) && !p.has(func(n *node) bool { return n.UniqueItems }) {
		var twice []json.RawMessage
		for _, v := range p.c.values.some(append(p.s.item(0), p.s.item(1)...), 2) {
			twice = append(twice, p.c.values.arrayOf(p.s, max(lo, 2), []json.RawMessage{v, v}))
		}
		r.and(p.no("items must differ now").with(twice...))
	}
	if b.Contains != nil {
		r.and(p.contains(lo, hi))
	}
	if b.UnevaluatedItems != nil && b.items() == nil && !b.UnevaluatedItems.IsBool(true) {
		r.and(p.no("unevaluatedItems together with other schemas: mcpgen cannot decide whether values fit").with(p.c.values.examples(p.s, array)...))
	}
	return r
}

// positions checks the items against prefixItems and items of b.
func (p *comparison) positions(hi int) result {
	b := p.b
	if len(b.PrefixItems) == 0 && b.items() == nil {
		return yes
	}
	length := max(tuple(p.s.parts), len(b.PrefixItems))
	if length > maxPositions {
		return p.no("the tuple is too long")
	}
	r := yes
	for i := range length + 1 { // the last iteration covers all later items
		if hi >= 0 && i >= hi {
			break
		}
		to := b.item(i)
		if to == nil {
			continue
		}
		r.and(p.c.enter(p.s.item(i), to, p.pointer).within(func(item json.RawMessage) json.RawMessage {
			before := p.c.values.items(p.s, i)
			if before == nil && i > 0 {
				return nil
			}
			lo, _ := p.c.lengths(p.s, 0)
			return p.c.values.arrayOf(p.s, max(lo, i+1), append(before, item))
		}))
	}
	return r
}

// contains checks contains, minContains and maxContains.
func (p *comparison) contains(lo, hi int) result {
	b := p.b
	to := b.document.of(b.Contains)
	least, most := jsonschema.Count(b.MinContains, 1), jsonschema.Count(b.MaxContains, -1)
	if least > 0 && !p.containsEnough(to, least, lo) {
		hints := append(p.missing(to, lo), p.c.values.arrayOf(p.s, lo, nil))
		return p.no("it is not known whether enough items fit contains").with(append(hints, p.c.values.examples(p.s, array)...)...)
	}
	if most < 0 || hi >= 0 && hi <= most {
		return yes
	}
	for _, n := range p.s.parts {
		if n.Contains != nil && jsonschema.Count(n.MaxContains, most+1) <= most && !p.c.loose(n.document.of(n.Contains)) && p.c.negated(all{to}, n.document.of(n.Contains), p.pointer) {
			return yes
		}
	}
	r := p.no("it is not known whether too many items fit contains")
	for _, v := range p.c.values.some(append(p.s.item(0), to), 2) {
		r = r.with(p.c.values.arrayOf(p.s, max(lo, most+1), slices.Repeat([]json.RawMessage{v}, min(most+1, 100))))
	}
	return r
}

// missing returns arrays with only as many matching items as the left side requires. The items need not fit to.
func (p *comparison) missing(to *node, lo int) []json.RawMessage {
	var out []json.RawMessage
	for _, n := range p.s.parts {
		wanted := jsonschema.Count(n.MinContains, 1)
		if n.Contains == nil || wanted == 0 || wanted > 100 {
			continue
		}
		for _, h := range p.c.enter(append(p.s.item(0), n.document.of(n.Contains)), to, p.pointer).hints {
			out = append(out, p.c.values.arrayOf(p.s, max(lo, wanted), slices.Repeat([]json.RawMessage{h.raw}, wanted)))
		}
	}
	return out
}

func (p *comparison) containsEnough(to *node, least, lo int) bool {
	for _, n := range p.s.parts {
		if n.Contains != nil && jsonschema.Count(n.MinContains, 1) >= least && p.c.enter(all{n.document.of(n.Contains)}, to, p.pointer).yes {
			return true
		}
	}
	if lo < least {
		return false
	}
	for i := range tuple(p.s.parts) + 1 {
		if i >= maxPositions || !p.c.enter(p.s.item(i), to, p.pointer).yes {
			return false
		}
	}
	return true
}
