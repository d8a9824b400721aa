package compat

// This file adds the members that generated arguments may have in addition to the members declared by one
// alternative. Generated code has one struct for everything that then, else and dependentSchemas declare, and
// one struct for all alternatives of the arguments. A client may therefore send members of several alternatives
// together.

import (
	"slices"
	"strconv"

	"github.com/mcpgen/mcpgen/schema/jsonschema"
)

// beside returns a schema of the members that can be sent in addition to n's own, or nil if there are none or
// if the lens keeps undeclared members.
func (c *lensed) beside(n *node) *node {
	if c.lens != CallerInput || n.document != c.a || n.AdditionalProperties != nil {
		return nil
	}
	if known, ok := c.besides[n]; ok {
		return known
	}
	c.besides[n] = nil // while it is computed
	m := &members{seen: map[*node]bool{n: true}, described: map[string][]*jsonschema.Schema{}}
	for _, part := range n.gathered(n == c.fields) {
		m.gather(part)
	}
	out := &jsonschema.Schema{}
	for _, name := range m.names {
		if n.Property(name) == nil {
			out.Properties = append(out.Properties, jsonschema.Property{Name: name, Schema: either(m.described[name])})
		}
	}
	if len(out.Properties) > 0 {
		c.besides[n] = c.a.make("beside "+strconv.Itoa(n.id), out)
	}
	return c.besides[n]
}

// either returns a schema that matches values of at least one schema in list.
func either(list []*jsonschema.Schema) *jsonschema.Schema {
	if len(list) == 1 {
		return list[0]
	}
	return &jsonschema.Schema{Pointer: list[0].Pointer, AnyOf: list}
}

// gathered returns the schemas whose members share one struct with n's: with alternatives also the branches of
// allOf, anyOf and oneOf.
func (n *node) gathered(alternatives bool) []*node {
	list := []*jsonschema.Schema{n.Then, n.Else}
	for _, d := range n.DependentSchemas {
		list = append(list, d.Schema)
	}
	if alternatives {
		list = slices.Concat(list, n.AllOf, n.AnyOf, n.OneOf)
	}
	out := n.document.all(slices.DeleteFunc(list, func(s *jsonschema.Schema) bool { return s == nil }))
	if alternatives && n.ref != nil {
		out = append(out, n.ref)
	}
	return out
}

// members collects the members declared by schemas that apply in place.
type members struct {
	seen      map[*node]bool
	names     []string
	described map[string][]*jsonschema.Schema
}

func (m *members) gather(n *node) {
	if m.seen[n] {
		return
	}
	m.seen[n] = true
	for _, p := range n.Properties {
		if p.Schema.IsBool(false) {
			continue
		}
		if m.described[p.Name] == nil {
			m.names = append(m.names, p.Name)
		}
		if !slices.Contains(m.described[p.Name], p.Schema) {
			m.described[p.Name] = append(m.described[p.Name], p.Schema)
		}
	}
	for _, part := range n.gathered(true) {
		m.gather(part)
	}
}
