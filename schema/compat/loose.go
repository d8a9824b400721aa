package compat

// This file finds schemas of which a part is not known: a reference that leads
// nowhere, a pattern that RE2 does not take, a schema that leads back to itself.
// They allow more than they say. Where they are negated, less would fit than
// they say: on the left side they count for nothing there, as in package
// validate.

import (
	"github.com/mcpgen/mcpgen/schema/jsonschema"
)

// loose reports whether a schema, or one that can be reached from it, is not
// known in part.
func (c *checker) loose(n *node) bool {
	if known, ok := c.looses[n]; ok {
		return known
	}
	seen := map[*node]bool{n: true}
	queue := []*node{n}
	for len(queue) > 0 {
		next := queue[len(queue)-1]
		queue = queue[:len(queue)-1]
		if c.broken(next) || !c.spend(1) {
			c.looses[n] = true
			return true
		}
		for _, m := range next.reached() {
			if !seen[m] {
				seen[m] = true
				queue = append(queue, m)
			}
		}
	}
	c.looses[n] = false
	return false
}

// broken reports whether n itself is not known in part.
func (c *checker) broken(n *node) bool { return n.malformed() || c.circles(n) }

// malformed reports whether a keyword of n is not known, or counts for nothing
// because it makes no sense.
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
	if _, _, known := n.constants(); !known {
		return true
	}
	for _, list := range [][]*jsonschema.Schema{n.AnyOf, n.OneOf, n.AllOf} {
		if list != nil && len(list) == 0 {
			return true
		}
	}
	return n.badNumber()
}

// badNumber reports whether a bound or a count of n makes no sense, or is too
// large to reckon with.
func (n *node) badNumber() bool {
	for _, x := range n.Bounds() {
		if *x.Value != "" && jsonschema.Rational(*x.Value) == nil {
			return true
		}
	}
	if r := jsonschema.Rational(n.MultipleOf); r != nil && r.Sign() <= 0 {
		return true
	}
	for _, x := range n.Counts() {
		if *x.Value != "" && jsonschema.Count(*x.Value, -1) < 0 {
			return true
		}
	}
	return false
}

// circles reports whether n leads back to itself without entering a value.
func (c *checker) circles(n *node) bool {
	seen := map[*node]bool{}
	queue := n.inPlace()
	for len(queue) > 0 {
		next := queue[len(queue)-1]
		queue = queue[:len(queue)-1]
		if next == n || !c.spend(1) {
			return true
		}
		if !seen[next] {
			seen[next] = true
			queue = append(queue, next.inPlace()...)
		}
	}
	return false
}

// reached returns the schemas in n, and what it refers to.
func (n *node) reached() []*node {
	var out []*node
	for _, m := range n.within() {
		out = append(out, m.node)
	}
	if n.ref != nil {
		out = append(out, n.ref)
	}
	return out
}

// inPlace returns the schemas that apply to the same value as n.
func (n *node) inPlace() []*node {
	out := n.document.all(n.InPlace())
	if n.ref != nil {
		out = append(out, n.ref)
	}
	return out
}
