package compat

// This file proves that no value exists. If the proof fails, a value may or may not exist.

import (
	"slices"

	"github.com/mcpgen/mcpgen/schema/jsonschema"
)

const maxEmptyDepth = 8

// empty reports whether it is proven that no value fits all schemas of a list.
func (c *checker) empty(of all, depth int) bool {
	if len(of) == 0 || depth > maxEmptyDepth || !c.spend(1) {
		return false
	}
	key := of.key()
	if known, ok := c.empties[key]; ok {
		return known
	}
	c.empties[key] = false // while it is computed
	shapes, ok := c.shapes(of)
	none := ok && !slices.ContainsFunc(shapes, func(s *shape) bool { return !c.emptyShape(s, max(depth, 1)) })
	c.empties[key] = none
	return none
}

// emptyShape reports whether a shape has no value. It considers negated schemas only if depth is 0.
func (c *checker) emptyShape(s *shape, depth int) bool {
	if s.kinds == 0 {
		return true
	}
	if c.over {
		return false
	}
	if s.fixed {
		if !slices.ContainsFunc(s.values, func(v value) bool { return !c.refused(s, v) }) {
			return true
		}
	} else if c.emptyKinds(s, depth) == s.kinds {
		return true
	}
	if depth > 0 {
		return false
	}
	plain := *s
	plain.nots = nil
	for _, n := range s.nots {
		if c.shapeIn(&plain, n, "").yes {
			return true
		}
	}
	return false
}

// refused reports whether a value is known not to fit a part.
func (c *checker) refused(s *shape, v value) bool {
	if v.kind&(array|object) == 0 {
		return false // shapes already restrict the other kinds
	}
	for _, n := range s.parts {
		if n.source == nil {
			continue
		}
		if fits, known := n.fits(v.raw); known && !fits {
			return true
		}
	}
	return false
}

// emptyKinds returns the kinds that are proven to have no value in a shape.
func (c *checker) emptyKinds(s *shape, depth int) kinds {
	var none kinds
	if s.kinds&text != 0 && (len(s.patterns) > 1 || len(s.avoid) > 0 || len(s.patterns) > 0 && (s.lo > 0 || s.hi >= 0)) {
		if _, some, decided := c.find(s.language()); decided && !some {
			none |= text
		}
	}
	if s.kinds&object != 0 && c.noObject(s, depth) {
		none |= object
	}
	if s.kinds&array != 0 {
		if lo, hi := c.lengths(s, depth); hi >= 0 && lo > hi {
			none |= array
		}
	}
	return none
}

func (c *checker) noObject(s *shape, depth int) bool {
	need := s.required()
	for _, name := range inOrder(need) {
		if _, ok := c.member(s, name, depth); !ok {
			return true
		}
	}
	least, most := len(need), s.mostMembers()
	for _, n := range s.parts {
		least = max(least, jsonschema.Count(n.MinProperties, 0))
	}
	return most >= 0 && least > most
}
