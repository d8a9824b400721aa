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
	less := func(least json.Number) json.Number { return moved(jsonschema.Count(least, 0), -1) }
	more := func(most json.Number) json.Number { return moved(jsonschema.Count(most, -1), 1) }
	for _, o := range []struct {
		kind   string
		of     json.Number // "" has no opposite
		schema jsonschema.Schema
	}{
		{"number", s.Minimum, jsonschema.Schema{ExclusiveMaximum: s.Minimum}},
		{"number", s.Maximum, jsonschema.Schema{ExclusiveMinimum: s.Maximum}},
		{"number", s.ExclusiveMinimum, jsonschema.Schema{Maximum: s.ExclusiveMinimum}},
		{"number", s.ExclusiveMaximum, jsonschema.Schema{Minimum: s.ExclusiveMaximum}},
		{"number", s.MultipleOf, jsonschema.Schema{}},
		{"string", less(s.MinLength), jsonschema.Schema{MaxLength: less(s.MinLength)}},
		{"string", more(s.MaxLength), jsonschema.Schema{MinLength: more(s.MaxLength)}},
		{"array", less(s.MinItems), jsonschema.Schema{MaxItems: less(s.MinItems)}},
		{"array", more(s.MaxItems), jsonschema.Schema{MinItems: more(s.MaxItems)}},
		{"object", less(s.MinProperties), jsonschema.Schema{MaxProperties: less(s.MinProperties)}},
		{"object", more(s.MaxProperties), jsonschema.Schema{MinProperties: more(s.MaxProperties)}},
	} {
		if o.of != "" {
			add(o.kind, o.schema)
		}
	}
}

// moved returns a count moved by one; "" if that is no count.
func moved(count, by int) json.Number {
	if count < 0 || count+by < 0 {
		return ""
	}
	return json.Number(strconv.Itoa(count + by))
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
