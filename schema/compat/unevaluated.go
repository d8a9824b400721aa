package compat

// This file evaluates unevaluatedProperties where the evaluated members do not depend on the value: with
// references and allOf only.

import "github.com/mcpgen/mcpgen/schema/jsonschema"

// flatten returns a schema equivalent to unevaluatedProperties of n for members; nil if n has no
// unevaluatedProperties, or if the evaluated members depend on the value.
func flatten(n *node) *node {
	if n.UnevaluatedProperties == nil {
		return nil
	}
	f := &flattener{seen: map[*node]bool{}, names: map[string]bool{}}
	if !f.visit(n, true) {
		return nil
	}
	any := true
	out := &jsonschema.Schema{}
	for _, p := range f.properties {
		out.Properties = append(out.Properties, jsonschema.Property{Name: p, Schema: &jsonschema.Schema{Bool: &any}})
	}
	for _, p := range f.patterns {
		out.PatternProperties = append(out.PatternProperties, jsonschema.Property{Name: p, Schema: &jsonschema.Schema{Bool: &any}})
	}
	if !f.everything {
		out.AdditionalProperties = n.UnevaluatedProperties
	}
	return n.document.make("flat "+n.Pointer, out)
}

// flattener collects the evaluated members.
type flattener struct {
	seen                 map[*node]bool
	names                map[string]bool
	properties, patterns []string
	everything           bool
}

// visit reports whether the members that n evaluates do not depend on the value.
func (f *flattener) visit(n *node, root bool) bool {
	if f.seen[n] {
		return true
	}
	f.seen[n] = true
	if root && n.malformed() || !root && n.document.checker.loose(n) || n.Nullable || len(n.AnyOf)+len(n.OneOf)+len(n.DependentSchemas) > 0 || n.If != nil {
		return false
	}
	if n.AdditionalProperties != nil || n.UnevaluatedProperties != nil && !root {
		f.everything = true
	}
	for _, p := range n.Properties {
		if !f.names[p.Name] {
			f.names[p.Name] = true
			f.properties = append(f.properties, p.Name)
		}
	}
	for _, p := range n.PatternProperties {
		f.patterns = append(f.patterns, p.Name)
	}
	if n.ref != nil && !f.visit(n.ref, false) {
		return false
	}
	for _, part := range n.document.all(n.AllOf) {
		if !f.visit(part, false) {
			return false
		}
	}
	return true
}
