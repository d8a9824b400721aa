package compat

// This file splits shapes that do not fit a single branch of a union, so that each part may fit a branch.

import (
	"encoding/json"
	"slices"
	"strconv"

	"github.com/mcpgen/mcpgen/schema/jsonschema"
)

// splitter splits the shapes of a comparison.
type splitter struct{ *checker }

// split returns the parts of a shape, split by value, by kind, or by a member that distinguishes the branches.
func (c splitter) split(s *shape, branches []*node) []*shape {
	if values, few := c.list(s); few && len(values) <= 256 {
		var parts []*shape
		for _, v := range values {
			parts = append(parts, s.just(v))
		}
		return parts
	}
	if single := s.kinds.each(); len(single) > 1 && !s.fixed {
		var parts []*shape
		for _, k := range single {
			parts = append(parts, c.only(s, k))
		}
		return parts
	}
	switch s.kinds {
	case integer, fraction, text:
		return c.byBound(s, branches)
	case object:
		for _, name := range s.declared() {
			if values := c.tags(s, name, branches); len(values) > 1 {
				return c.byMember(s, name, values)
			}
		}
		return c.byPresence(s, branches)
	}
	return nil
}

// byBound splits numbers and texts at a bound of a branch.
func (c splitter) byBound(s *shape, branches []*node) []*shape {
	for _, branch := range branches {
		shapes, _ := c.shapes(all{branch})
		for _, b := range shapes {
			for _, cut := range cuts(b, s.kinds) {
				low, high := c.b.make("cut low "+cut.name, cut.low), c.b.make("cut high "+cut.name, cut.high)
				below, ok := c.refine(s, nil, low)
				above, also := c.refine(s, nil, high)
				if ok && also && len(below) > 0 && len(above) > 0 {
					return append(below, above...)
				}
			}
		}
	}
	return nil
}

// cut is a pair of schemas; every value fits exactly one of them.
type cut struct {
	name      string
	low, high *jsonschema.Schema
}

// cuts returns the cuts at the bounds of a shape.
func cuts(s *shape, k kinds) []cut {
	var out []cut
	if k == text {
		for _, n := range []int{s.lo - 1, s.hi} {
			if n >= 0 {
				out = append(out, cut{strconv.Itoa(n), &jsonschema.Schema{MaxLength: json.Number(strconv.Itoa(n))},
					&jsonschema.Schema{MinLength: json.Number(strconv.Itoa(n + 1))}})
			}
		}
		return out
	}
	for i, b := range []*jsonschema.Bound{s.num.Low, s.num.High} {
		if b == nil {
			continue
		}
		at, ok := jsonschema.Decimal(b.At)
		if !ok {
			continue
		}
		n := json.Number(at)
		if (i == 0) == b.Open { // the bound itself belongs to the lower part
			out = append(out, cut{"to " + at, &jsonschema.Schema{Maximum: n}, &jsonschema.Schema{ExclusiveMinimum: n}})
		} else {
			out = append(out, cut{"from " + at, &jsonschema.Schema{ExclusiveMaximum: n}, &jsonschema.Schema{Minimum: n}})
		}
	}
	return out
}

// byPresence splits objects by the presence of a member that a branch requires.
func (c splitter) byPresence(s *shape, branches []*node) []*shape {
	need := s.required()
	for _, branch := range branches {
		shapes, _ := c.shapes(all{branch})
		for _, b := range shapes {
			for _, name := range slices.Concat(b.declared(), namesOf(b.nots)) {
				if _, ok := c.member(s, name, 0); need[name] || !ok || c.marked(s, name) {
					continue
				}
				mark := c.b.make("tag "+name, &jsonschema.Schema{})
				with, _ := c.refine(s, nil, mark, c.b.requiring(name))
				without, _ := c.refine(s, []*node{c.b.having(name)}, mark)
				return append(with, without...)
			}
		}
	}
	return nil
}

func namesOf(nots []*node) []string {
	var names []string
	for _, n := range nots {
		names = append(names, n.Required...)
	}
	return names
}

// marked reports whether a shape was already split by a member.
func (c splitter) marked(s *shape, name string) bool {
	mark := c.b.made["tag "+name]
	return mark != nil && slices.Contains(s.parts, mark)
}

// tags returns the values of a member if there are few and if they distinguish the branches.
func (c splitter) tags(s *shape, name string, branches []*node) []value {
	of, ok := c.member(s, name, 0)
	if !ok || c.marked(s, name) {
		return nil
	}
	values, few := c.few(of)
	if !few || len(values) > 64 {
		return nil
	}
	for _, branch := range branches {
		shapes, _ := c.shapes(all{branch})
		for _, b := range shapes {
			if allowed, few := c.few(c.memberOf(name, b.parts...)); few && len(allowed) < len(values) {
				return values
			}
		}
	}
	return nil
}

// few returns all values of a list of schemas if there are few.
func (c splitter) few(of all) ([]value, bool) {
	shapes, ok := c.shapes(of)
	if !ok || len(of) == 0 {
		return nil, false
	}
	var values []value
	for _, s := range shapes {
		list, few := c.list(s)
		if !few {
			return nil, false
		}
		for _, v := range list {
			if !hasValue(values, v) {
				values = append(values, v)
			}
		}
	}
	return values, true
}

// byMember splits a shape by the value and the presence of a member.
func (c splitter) byMember(s *shape, name string, values []value) []*shape {
	d := c.b
	mark := d.make("tag "+name, &jsonschema.Schema{})
	var parts []*shape
	for _, v := range values {
		tag := d.make("tag "+name+" "+v.key, &jsonschema.Schema{Required: []string{name},
			Properties: []jsonschema.Property{{Name: name, Schema: &jsonschema.Schema{Const: v.raw}}}})
		more, _ := c.refine(s, nil, mark, tag)
		parts = append(parts, more...)
	}
	if !s.required()[name] {
		more, _ := c.refine(s, []*node{d.having(name)}, mark)
		parts = append(parts, more...)
	}
	return parts
}
