package compat

// This file finds schemas with a part that cannot be evaluated: an unresolved reference, a pattern that RE2
// does not support, or a recursion without a nested value. Such a schema allows more values than it describes;
// its negation would allow fewer. Negated on the left side it is therefore ignored, as in package validate.

import "slices"

// loose reports whether part of a schema, or of a schema reachable from it, cannot be evaluated.
func (c *shaper) loose(n *node) bool {
	if known, ok := c.looses[n]; ok {
		return known
	}
	c.looses[n] = reaches([]*node{n}, (*node).reached, func(m *node) bool { return m.malformed() || c.circles(m) || !c.spend(1) })
	return c.looses[n]
}

// reaches reports whether found holds for something reachable from the given starting points.
func reaches[T comparable](from []T, next func(T) []T, found func(T) bool) bool {
	seen := map[T]bool{}
	for queue := slices.Clone(from); len(queue) > 0; {
		at := queue[len(queue)-1]
		queue = queue[:len(queue)-1]
		if seen[at] {
			continue
		}
		if found(at) {
			return true
		}
		seen[at] = true
		queue = append(queue, next(at)...)
	}
	return false
}

// malformed reports whether a keyword of n is unknown, or ignored because it is invalid.
func (n *node) malformed() bool {
	c := n.document.checker
	if n.unknown != "" || len(n.Problems) > 0 || n.Pattern != "" && c.pattern(n.Pattern) == nil {
		return true
	}
	for _, p := range n.PatternProperties {
		if c.pattern(p.Name) == nil {
			return true
		}
	}
	if _, _, known := constants(n.Schema); !known {
		return true
	}
	for range n.Invalid {
		return true
	}
	return false
}

// circles reports whether n applies itself to the same value.
func (c *shaper) circles(n *node) bool {
	return reaches(n.inPlace(), (*node).inPlace, func(m *node) bool { return m == n || !c.spend(1) })
}
