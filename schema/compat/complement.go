package compat

// This file describes the values that do not fit a schema, since a violated keyword often implies another
// keyword.

import (
	"encoding/json"
	"slices"
	"strconv"

	"github.com/mcpgen/mcpgen/schema/jsonschema"
)

// maxComplement bounds the alternatives to one negated schema.
const maxComplement = 16

// complement returns alternatives that together cover every value that does not fit n, and possibly some that
// do. It returns false if the alternatives are unknown or too many.
func (c *shaper) complement(n *node, path []*node) ([]draft, bool) {
	if n.IsBool(false) || n.Values() != nil || n.Nullable || n.unknown != "" || slices.Contains(path, n) || !c.spend(1) ||
		len(n.OneOf)+len(n.DependentSchemas)+len(n.DependentRequired) > 0 || n.If != nil {
		return nil, false
	}
	path = append(slices.Clip(path), n)
	var out []draft
	for i, s := range opposites(n.Schema) {
		out = append(out, draft{parts: []*node{n.document.make("not "+strconv.Itoa(n.id)+" "+strconv.Itoa(i), s)}})
	}
	if n.Not != nil {
		out = append(out, c.expand(n.document.of(n.Not), path)...)
	}
	parts := n.document.all(n.AllOf)
	if n.ref != nil {
		parts = append(parts, n.ref)
	}
	for _, part := range parts {
		more, ok := c.complement(part, path)
		if !ok {
			return nil, false
		}
		out = append(out, more...)
	}
	if len(n.AnyOf) > 0 {
		none := []draft{{}}
		for _, branch := range n.document.all(n.AnyOf) {
			more, ok := c.complement(branch, path)
			if ok {
				none, ok = c.both(none, more)
			}
			if !ok {
				return nil, false
			}
		}
		out = append(out, none...)
	}
	return out, len(out) <= maxComplement
}

// opposites returns for each keyword of s a schema of the values that violate it.
func opposites(s *jsonschema.Schema) []*jsonschema.Schema {
	var out []*jsonschema.Schema
	add := func(kind string, s jsonschema.Schema) {
		s.Types = []string{kind}
		out = append(out, &s)
	}
	if len(s.Types) > 0 {
		var others []string
		for _, t := range []string{"null", "boolean", "string", "array", "object", "number"} {
			if !slices.Contains(s.Types, t) {
				others = append(others, t)
			}
		}
		if others != nil {
			out = append(out, &jsonschema.Schema{Types: others})
		}
	}
	oppositeBounds(s, add)
	if s.Pattern != "" {
		add("string", jsonschema.Schema{}) // shape adds the pattern to avoid
	}
	if s.UniqueItems {
		add("array", jsonschema.Schema{MinItems: "2"})
	}
	if s.Contains != nil {
		add("array", jsonschema.Schema{})
	}
	if s.Items != nil || s.UnevaluatedItems != nil || len(s.PrefixItems) > 0 {
		add("array", jsonschema.Schema{MinItems: "1"})
	}
	no := false
	for _, name := range s.Required {
		add("object", jsonschema.Schema{Properties: []jsonschema.Property{{Name: name, Schema: &jsonschema.Schema{Bool: &no}}}})
	}
	for _, p := range s.Properties {
		if !p.Schema.IsBool(true) {
			add("object", jsonschema.Schema{Required: []string{p.Name}, Properties: []jsonschema.Property{{Name: p.Name, Schema: &jsonschema.Schema{Not: p.Schema, Pointer: p.Schema.Pointer}}}})
		}
	}
	if s.AdditionalProperties != nil || s.UnevaluatedProperties != nil || s.PropertyNames != nil || len(s.PatternProperties) > 0 {
		add("object", jsonschema.Schema{MinProperties: "1"})
	}
	return out
}

// oppositeBounds adds the opposites of the numeric keywords.
func oppositeBounds(s *jsonschema.Schema, add func(kind string, s jsonschema.Schema)) {
	if s.Minimum != "" {
		add("number", jsonschema.Schema{ExclusiveMaximum: s.Minimum})
	}
	if s.Maximum != "" {
		add("number", jsonschema.Schema{ExclusiveMinimum: s.Maximum})
	}
	if s.ExclusiveMinimum != "" {
		add("number", jsonschema.Schema{Maximum: s.ExclusiveMinimum})
	}
	if s.ExclusiveMaximum != "" {
		add("number", jsonschema.Schema{Minimum: s.ExclusiveMaximum})
	}
	if s.MultipleOf != "" {
		add("number", jsonschema.Schema{})
	}
	for _, b := range []struct {
		kind     string
		min, max json.Number
		less     func(json.Number) jsonschema.Schema
		more     func(json.Number) jsonschema.Schema
	}{
		{"string", s.MinLength, s.MaxLength,
			func(n json.Number) jsonschema.Schema { return jsonschema.Schema{MaxLength: n} },
			func(n json.Number) jsonschema.Schema { return jsonschema.Schema{MinLength: n} }},
		{"array", s.MinItems, s.MaxItems,
			func(n json.Number) jsonschema.Schema { return jsonschema.Schema{MaxItems: n} },
			func(n json.Number) jsonschema.Schema { return jsonschema.Schema{MinItems: n} }},
		{"object", s.MinProperties, s.MaxProperties,
			func(n json.Number) jsonschema.Schema { return jsonschema.Schema{MaxProperties: n} },
			func(n json.Number) jsonschema.Schema { return jsonschema.Schema{MinProperties: n} }},
	} {
		if least := jsonschema.Count(b.min, 0); least > 0 {
			add(b.kind, b.less(json.Number(strconv.Itoa(least-1))))
		}
		if most := jsonschema.Count(b.max, -1); most >= 0 {
			add(b.kind, b.more(json.Number(strconv.Itoa(most+1))))
		}
	}
}

// ofTexts returns a pattern that matches exactly the texts that fit n, or "" if there is no such pattern.
func ofTexts(n *node) string {
	if n.Bool != nil || n.malformed() || len(n.Types) > 0 && !slices.Contains(n.Types, "string") || len(n.InPlace()) > 0 || n.Ref != "" || n.MinLength != "" || n.MaxLength != "" {
		return ""
	}
	values, fixed, _ := constants(n.Schema)
	switch {
	case fixed && n.Pattern == "":
		if texts := textsOf(values); texts != nil {
			return exactly(texts)
		}
	case !fixed:
		return n.Pattern
	}
	return ""
}

// ruledOut reports whether a value is known to fit a schema that the shape must not fit.
func (s *shape) ruledOut(v value) bool {
	return slices.ContainsFunc(s.nots, func(n *node) bool {
		fits, known := n.fits(v.raw)
		return fits && known
	})
}
