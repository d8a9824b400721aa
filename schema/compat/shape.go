package compat

// This file takes the left side apart: references, allOf, unions and conditions become alternatives. A shape is
// one alternative: a list of keywords that all apply. A shape ignores what it cannot represent and so allows
// more values than the schemas; whatever is proven for its values holds for theirs.

import (
	"math/big"
	"slices"
	"strconv"
	"strings"

	"github.com/mcpgen/mcpgen/schema/jsonschema"
)

// all is a list of schemas that all apply to a value.
type all []*node

// key identifies a list.
func (a all) key() string {
	ids := make([]int, len(a))
	for i, n := range a {
		ids[i] = n.id
	}
	slices.Sort(ids)
	var b strings.Builder
	for _, id := range slices.Compact(ids) {
		b.WriteString(strconv.Itoa(id) + ",")
	}
	return b.String()
}

// shape is one alternative.
type shape struct {
	parts    []*node // every schema that applies, for its own keywords only
	nots     []*node // schemas that must not fit
	kinds    kinds
	fixed    bool // only values are allowed
	values   []value
	num      interval
	lo, hi   int // characters of texts; a hi of -1 means no bound
	patterns []string
	avoid    []string // patterns that texts must not match
}

// maxShapes bounds the alternatives of one place.
const maxShapes = 256

// draft is an unfinished shape.
type draft struct{ parts, nots []*node }

// shaper takes lists of schemas apart.
type shaper struct {
	*budget
	lensed
	shaped map[string]shaped
	looses map[*node]bool
}

type shaped struct {
	shapes []*shape
	ok     bool
}

// shapes returns the alternatives of a list, or false if there are too many or no steps are left.
func (c *shaper) shapes(a all) ([]*shape, bool) {
	key := a.key()
	if known, ok := c.shaped[key]; ok {
		return known.shapes, known.ok
	}
	drafts := []draft{{}}
	ok := true
	for _, n := range a {
		drafts, ok = c.both(drafts, c.expand(n, nil))
		if !ok {
			break
		}
	}
	var out []*shape
	for _, d := range drafts {
		if s := c.shape(d); s.kinds != 0 {
			out = append(out, s)
		}
	}
	ok = ok && !c.over
	c.shaped[key] = shaped{out, ok}
	return out, ok
}

// expand returns the alternatives of one schema. Recursive references are ignored.
func (c *shaper) expand(n *node, path []*node) []draft {
	if !c.spend(1) || slices.Contains(path, n) || n.IsBool(true) {
		return []draft{{}}
	}
	if n.IsBool(false) {
		return nil
	}
	path = append(slices.Clip(path), n)
	out := []draft{{parts: []*node{n}}}
	join := func(next []draft) {
		if merged, ok := c.both(out, next); ok {
			out = merged
		} // otherwise the new part is ignored
	}
	if more := c.beside(n); more != nil {
		join([]draft{{parts: []*node{more}}})
	}
	if n.ref != nil {
		join(c.expand(n.ref, path))
	}
	for _, part := range n.document.all(n.AllOf) {
		join(c.expand(part, path))
	}
	if len(n.AnyOf) > 0 {
		join(c.union(n.document.all(n.AnyOf), false, path))
	}
	if len(n.OneOf) > 0 {
		join(c.union(n.document.all(n.OneOf), true, path))
	}
	if n.additional() == nil {
		if flat := flatten(n); flat != nil {
			join([]draft{{parts: []*node{flat}}})
		}
	}
	if not := n.document.of(n.Not); not != nil && !c.loose(not) {
		join([]draft{{nots: []*node{not}}})
		if others, ok := c.complement(not, path); ok {
			join(others)
		}
	}
	if n.If != nil && !c.loose(n.document.of(n.If)) {
		join(c.condition(n, path))
	}
	for _, d := range n.DependentSchemas {
		name := d.Name
		with := []draft{{parts: []*node{n.document.requiring(name)}}}
		with, _ = c.both(with, c.expand(n.document.of(d.Schema), path))
		join(append(with, draft{nots: []*node{n.document.having(name)}}))
	}
	if n.Nullable {
		out = append(out, draft{parts: []*node{n.document.make("null", &jsonschema.Schema{Types: []string{"null"}})}})
	}
	return out
}

// having returns a schema of all objects that have a member.
func (d *document) having(name string) *node {
	return d.make("having "+name, &jsonschema.Schema{Types: []string{"object"}, Required: []string{name}})
}

// union returns the alternatives of a union. If exactly one branch must fit, each alternative excludes the
// other branches.
func (c *shaper) union(branches []*node, one bool, path []*node) []draft {
	var out []draft
	one = one && len(branches) <= 16 && !slices.ContainsFunc(branches, c.loose)
	for i, branch := range branches {
		for _, d := range c.expand(branch, path) {
			if one {
				d.nots = slices.Concat(d.nots, branches[:i], branches[i+1:])
			}
			out = append(out, d)
		}
	}
	return out
}

func (c *shaper) condition(n *node, path []*node) []draft {
	then := c.expand(n.document.of(n.If), path)
	if n.Then != nil {
		then, _ = c.both(then, c.expand(n.document.of(n.Then), path))
	}
	other := []draft{{nots: []*node{n.document.of(n.If)}}}
	if n.Else != nil {
		other, _ = c.both(other, c.expand(n.document.of(n.Else), path))
	}
	return append(slices.Clip(then), other...)
}

// both returns all combinations of an alternative of a with an alternative of b, or a and false if there are
// too many.
func (c *shaper) both(a, b []draft) ([]draft, bool) {
	if len(a)*len(b) > maxShapes || !c.spend(len(a)*len(b)) {
		return a, false
	}
	var out []draft
	for _, x := range a {
		for _, y := range b {
			out = append(out, draft{slices.Concat(x.parts, y.parts), slices.Concat(x.nots, y.nots)})
		}
	}
	return out, true
}

// refine returns the part of a shape that fits every schema of extra and no schema of nots.
func (c *shaper) refine(s *shape, nots []*node, extra ...*node) ([]*shape, bool) {
	drafts := []draft{{parts: s.parts, nots: slices.Concat(s.nots, nots)}}
	for _, n := range extra {
		var ok bool
		if drafts, ok = c.both(drafts, c.expand(n, nil)); !ok {
			return nil, false
		}
	}
	var out []*shape
	for _, d := range drafts {
		part := c.shape(d)
		part.kinds &= s.kinds
		if s.fixed {
			part.restrict(s.values)
		}
		c.tidy(part)
		if part.kinds != 0 {
			out = append(out, part)
		}
	}
	return out, !c.over
}

// shape merges the keywords of a draft.
func (c *shaper) shape(d draft) *shape {
	s := &shape{kinds: everyone, hi: -1, nots: d.nots}
	for _, n := range d.parts {
		if slices.Contains(s.parts, n) {
			continue
		}
		s.parts = append(s.parts, n)
		s.kinds &= kindsOf(n.Types)
		s.num.Narrow(n.Schema)
		s.lo = max(s.lo, jsonschema.Count(n.MinLength, 0))
		s.hi = tighter(s.hi, jsonschema.Count(n.MaxLength, -1))
		if n.Pattern != "" && !slices.Contains(s.patterns, n.Pattern) && c.pattern(n.Pattern) != nil {
			s.patterns = append(s.patterns, n.Pattern)
		}
		if values, fixed, known := constants(n.Schema); fixed && known {
			s.restrict(values)
		}
	}
	for _, n := range d.nots {
		if pattern := ofTexts(n); pattern != "" && !slices.Contains(s.avoid, pattern) {
			s.avoid = append(s.avoid, pattern)
		}
	}
	c.tidy(s)
	return s
}

// language returns the language of a shape's texts.
func (s *shape) language() language {
	return language{match: s.patterns, avoid: s.avoid, lo: s.lo, hi: s.hi}
}

// restrict removes the values that are not in the given list.
func (s *shape) restrict(values []value) {
	if !s.fixed {
		s.fixed, s.values = true, values
		return
	}
	s.values = slices.DeleteFunc(slices.Clone(s.values), func(v value) bool { return !hasValue(values, v) })
}

// tidy removes kinds and values that cannot occur.
func (c *shaper) tidy(s *shape) {
	if s.fixed {
		var kept []value
		var left kinds
		for _, v := range s.values {
			if s.kinds&v.kind != 0 && c.scalarFits(s, v) && !s.ruledOut(v) {
				kept = append(kept, v)
				left |= v.kind
			}
		}
		s.values, s.kinds = kept, left
		return
	}
	for _, k := range []kinds{integer, fraction} {
		if s.kinds&k != 0 && (s.numbers(k).empty() || k == fraction && s.num.Multiple != nil && s.num.Multiple.IsInt()) {
			s.kinds &^= k
		}
	}
	if s.hi >= 0 && s.lo > s.hi {
		s.kinds &^= text
	}
	if s.kinds&^(null|boolean) == 0 {
		s.fixed = true
		for _, v := range []struct {
			k   kinds
			raw string
		}{{null, "null"}, {boolean, "false"}, {boolean, "true"}} {
			if s.kinds&v.k != 0 {
				read, _ := readValue([]byte(v.raw))
				if s.ruledOut(read) {
					s.kinds &^= v.k & null
					continue
				}
				s.values = append(s.values, read)
			}
		}
		if len(s.values) == 0 {
			s.kinds = 0
		}
	}
}

// numbers returns the numbers of one kind; fraction includes the integers.
func (s *shape) numbers(k kinds) interval {
	i := s.num
	if k == integer {
		i.Step(big.NewRat(1, 1))
	}
	return i
}

// scalarFits reports whether a value fits the scalar keywords of a shape.
func (c *shaper) scalarFits(s *shape, v value) bool {
	switch v.kind {
	case integer, fraction:
		return s.num.Contains(v.num)
	case text:
		n := len([]rune(v.text))
		if n < s.lo || s.hi >= 0 && n > s.hi {
			return false
		}
		return !slices.ContainsFunc(s.patterns, func(p string) bool { return !c.pattern(p).MatchString(v.text) })
	}
	return true
}

// only returns the part of a shape with the given kinds.
func (c *shaper) only(s *shape, k kinds) *shape {
	part := *s
	part.kinds &= k
	part.values = slices.Clone(s.values)
	c.tidy(&part)
	return &part
}

// list returns all values of a shape if there are few.
func (c *shaper) list(s *shape) ([]value, bool) {
	if s.fixed {
		return s.values, true
	}
	if s.kinds&^(null|boolean|integer) != 0 {
		return nil, false
	}
	values := c.only(s, null|boolean).values
	if s.kinds&integer != 0 {
		ints, few := s.numbers(integer).list(256)
		if !few {
			return nil, false
		}
		for _, r := range ints {
			if v, ok := numberValue(r); ok && !s.ruledOut(v) {
				values = append(values, v)
			}
		}
	}
	return values, true
}

// just returns the part of a shape with the given values.
func (s *shape) just(values ...value) *shape {
	part := *s
	part.fixed, part.values, part.kinds = true, values, 0
	for _, v := range values {
		part.kinds |= v.kind
	}
	return &part
}
