package compat

// This file holds the state of one Check and compares one place: a list of schemas on the left with one schema
// on the right.

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strconv"

	"github.com/mcpgen/mcpgen/schema/validate"
)

// checker is the state of one Check.
type checker struct {
	*budget
	equality
	shaper
	values   *builder
	numbered int

	empties map[string]bool
	done    map[string]result
	open    map[string]frame // comparisons in progress
	oldest  int              // index of the outermost comparison whose answer was assumed
	entered int              // nesting depth of values at this point
	level   int              // schemas applied in place at this point
	splits  int              // unions being split
}

// budget bounds the steps of one Check.
type budget struct {
	ctx    context.Context // the context of Check
	limit  int             // the maximum of spent
	spent  int             // steps
	over   bool            // no steps are left, or ctx is done
	gaveUp bool            // over was true at least once
}

// lookUp is the number of steps between two checks of the context.
const lookUp = 256

// spend uses up steps. It reports false if no steps are left or the context is done.
func (c *budget) spend(steps int) bool {
	if c.over {
		return false
	}
	before := c.spent
	c.spent += max(steps, 1)
	if c.spent > c.limit || before/lookUp != c.spent/lookUp && c.ctx.Err() != nil {
		c.over, c.gaveUp = true, true
	}
	return !c.over
}

// validate validates a value and charges the steps.
func (c *budget) validate(s *validate.Schema, raw json.RawMessage) error {
	if !c.spend(stepsOfCheck) {
		return validate.ErrUnchecked
	}
	steps, err := s.Measure(raw)
	c.spend(steps)
	return err
}

// frame is a comparison in progress.
type frame struct{ index, entered int }

// result is the answer for one place: yes, or a finding with hints.
type result struct {
	yes bool
	why finding // set unless yes
	// hints are values of the left side that may fail to fit the right side.
	hints []hint
}

// finding is where and why containment is not proven.
type finding struct {
	pointer, reason string
}

// hint is a value that may be a witness.
type hint struct {
	raw json.RawMessage
	why finding
}

const maxHints = 12 // for one place

var yes = result{yes: true}

// and merges the result of another part of the same place into r.
func (r *result) and(other result) {
	if other.yes {
		return
	}
	if r.yes {
		r.yes, r.why = false, other.why
	}
	if room := maxHints - len(r.hints); room > 0 {
		r.hints = append(r.hints, other.hints[:min(room, len(other.hints))]...)
	}
}

// no returns an unproven result.
func no(pointer, format string, args ...any) result {
	return result{why: finding{pointer: pointer, reason: fmt.Sprintf(format, args...)}}
}

func (p *comparison) no(format string, args ...any) result { return no(p.pointer, format, args...) }

func (r result) with(values ...json.RawMessage) result {
	for _, v := range values {
		if v != nil && len(r.hints) < maxHints {
			r.hints = append(r.hints, hint{v, r.why})
		}
	}
	return r
}

// within converts r to the result for an enclosing value. Put wraps a hint into such a value, or returns nil if
// that is impossible.
func (r result) within(put func(json.RawMessage) json.RawMessage) result {
	hints := r.hints
	r.hints = nil // cached results share their hints
	for _, h := range hints {
		if raw := put(h.raw); raw != nil {
			r.hints = append(r.hints, hint{raw, h.why})
		}
	}
	return r
}

// comparison compares one shape on the left with one schema on the right.
type comparison struct {
	c       *checker
	s       *shape
	b       *node
	pointer string // of the left side
}

// pointer returns the pointer of a list in a's schema, or at if the list has none.
func (c *checker) pointer(a all, at string) string {
	for _, n := range a {
		if n.source != nil && n.document == c.a {
			return n.Pointer
		}
	}
	return at
}

// sub checks whether every value of a fits b. At is the pointer of the calling comparison.
func (c *checker) sub(a all, b *node, at string) result {
	at = c.pointer(a, at)
	if !c.spend(1) {
		return no(at, "the check was given up")
	}
	for _, n := range a {
		if c.equal(n, b) {
			return yes
		}
	}
	key := strconv.Itoa(c.plain) + "|" + a.key() + "|" + strconv.Itoa(b.id)
	if known, ok := c.done[key]; ok {
		return known
	}
	if f, ok := c.open[key]; ok {
		c.oldest = min(c.oldest, f.index)
		if f.entered == c.entered {
			return no(at, "the schema refers to itself without end")
		}
		// Nested values are smaller, so the result for the outer value may be assumed here (induction).
		return yes
	}
	outer, index := c.oldest, len(c.open)
	c.oldest = unassumed
	c.open[key] = frame{index, c.entered}
	var r result
	if shapes, ok := c.shapes(a); ok {
		r = c.allIn(shapes, b, at)
	} else {
		r = no(at, "there are too many alternatives")
	}
	delete(c.open, key)
	used := c.oldest
	c.oldest = outer
	if used < index { // the answer depends on an outer comparison
		c.oldest = min(outer, used)
	} else if !c.over {
		c.done[key] = r
	}
	return r
}

// unassumed is the index of no comparison.
const unassumed = 1 << 30

// enter compares a value nested in the current one.
func (c *checker) enter(a all, b *node, at string) result {
	c.entered++
	defer func() { c.entered-- }()
	if c.entered > 200 {
		return no(at, "it is nested too deep")
	}
	return c.sub(a, b, at)
}

// allIn checks every shape against b.
func (c *checker) allIn(shapes []*shape, b *node, at string) result {
	r := yes
	for _, s := range shapes {
		r.and(c.shapeIn(s, b, at))
	}
	return r
}

// shapeIn checks one shape against b.
func (c *checker) shapeIn(s *shape, b *node, at string) result {
	p := &comparison{c: c, s: s, b: b, pointer: at}
	if s.kinds == 0 || !c.spend(1) {
		if c.over {
			return p.no("the check was given up")
		}
		return yes
	}
	for _, n := range s.parts {
		if c.equal(n, b) {
			return yes
		}
	}
	if b.Nullable {
		p.s = c.only(s, s.kinds&^null)
		if p.s.kinds == 0 {
			return yes
		}
	}
	r := p.keywords()
	if !r.yes && c.emptyShape(s, 0) {
		return yes
	}
	return r
}

// keywords checks each keyword of b.
func (p *comparison) keywords() result {
	b := p.b
	switch {
	case b.IsBool(true):
		return yes
	case b.IsBool(false):
		return p.no("nothing is allowed any more").with(p.c.values.examples(p.s, p.s.kinds)...)
	}
	r := p.composites()
	r.and(p.types())
	r.and(p.constants())
	r.and(p.numbers())
	r.and(p.texts())
	if p.s.kinds&object != 0 {
		r.and(p.objects())
	}
	if p.s.kinds&array != 0 {
		r.and(p.arrays())
	}
	r.and(p.combined())
	if b.unknown != "" && !p.has(func(n *node) bool { return n.unknown == b.unknown && equalKeyword(n, b, b.unknown) }) {
		r.and(p.no("the keyword %s is not known here", quoteJSON(b.unknown)).with(p.c.values.examples(p.s, p.s.kinds)...))
	}
	return r
}

// has reports whether is holds for a schema of the left side.
func (p *comparison) has(is func(*node) bool) bool {
	for _, n := range p.s.parts {
		if is(n) {
			return true
		}
	}
	return false
}

// composites checks constant arrays and objects.
func (p *comparison) composites() result {
	if !p.s.fixed || p.s.kinds&(array|object) == 0 {
		return yes
	}
	r := yes
	for _, v := range p.s.values {
		if v.kind&(array|object) == 0 {
			continue
		}
		switch fits, known := p.b.fits(v.raw); {
		case !known:
			r.and(p.no("whether the value %s fits is not known", short(v.raw)).with(v.raw))
		case !fits:
			r.and(p.no("the value %s is not allowed any more", short(v.raw)).with(v.raw))
		}
	}
	p.s = p.c.only(p.s, p.s.kinds&^(array|object))
	return r
}

// types checks the type keyword.
func (p *comparison) types() result {
	extra := p.s.kinds &^ kindsOf(p.b.Types)
	if extra == 0 {
		return yes
	}
	part := p.c.only(p.s, extra)
	p.s = p.c.only(p.s, p.s.kinds&^extra)
	return p.no("%v is not allowed any more", extra).with(p.c.values.examples(part, extra)...)
}

// constants checks enum and const.
func (p *comparison) constants() result {
	allowed, fixed, known := constants(p.b.Schema)
	switch {
	case !fixed || p.s.kinds == 0:
		return yes
	case !known:
		return p.no("a constant is too large to compare")
	}
	values, all := p.c.list(p.s)
	if !all {
		hints, none := p.outside(allowed)
		if none {
			return yes
		}
		for _, raw := range p.c.values.examples(p.s, p.s.kinds) {
			if v, ok := readValue(raw); ok && !hasValue(allowed, v) {
				hints = append(hints, raw)
			}
		}
		return p.no("only some values are allowed now").with(hints...)
	}
	for _, v := range values {
		if !hasValue(allowed, v) {
			return p.no("the value %s is not allowed any more", short(v.raw)).with(v.raw)
		}
	}
	return yes
}

// outside returns a text of the left side that is not among values. If none is true, there is no such text and
// the left side has only texts.
func (p *comparison) outside(values []value) (hints []json.RawMessage, none bool) {
	if p.s.kinds&text == 0 {
		return nil, false
	}
	others := p.s.language()
	others.avoid = append(slices.Clip(others.avoid), exactly(textsOf(values)))
	found, some, decided := p.c.find(others)
	if !decided {
		return nil, false
	}
	if some {
		return []json.RawMessage{quoteJSON(found)}, false
	}
	return nil, p.s.kinds == text
}

func short(raw []byte) string {
	if len(raw) > 60 {
		return string([]rune(string(raw[:57]))) + "..."
	}
	return string(raw)
}
