package contract

// This file normalizes the keywords of one schema, one by one.

import (
	"slices"
	"strings"

	"github.com/mcpgen/mcpgen/schema/internal/tree"
)

// parts is a schema while its keywords are read.
type parts struct {
	*normalizer
	form   *form
	source *tree.Value

	constant string
	groups   map[string][]form // the branches of anyOf, oneOf and allOf, by keyword
}

func (p *parts) keyword(m *tree.Member) {
	switch m.Name {
	case "title", "description", "examples", "example", "$comment", "deprecated":
		return // for people
	case "$schema":
		if p.source == p.root {
			return // see features.dialect
		}
	case "$id", "$anchor":
		if !p.spelled && m.Kind == tree.String {
			return // names for references, which are resolved
		}
	case "$defs", "definitions":
		if !p.spelled {
			return // targets are inlined at their references
		}
	case "$ref":
		p.ref(m)
		return
	case "type":
		p.types(m)
		return
	case "enum", "const":
		p.values(m)
		return
	case "required":
		if names, ok := textSet(&m.Value); ok {
			p.unlessEmpty(m.Name, names, "[]")
			return
		}
	case "anyOf", "oneOf", "allOf":
		if p.branches(m) {
			return
		}
	}
	p.applicator(m)
}

// applicator reads the keywords that contain schemas.
func (p *parts) applicator(m *tree.Member) {
	holds := tree.Holds(m.Name)
	switch {
	case holds == tree.HoldsNamed || m.Name == "dependentRequired":
		if m.Kind == tree.Object {
			p.unlessEmpty(m.Name, p.named(m), "{}")
			return
		}
	case m.Kind == tree.Array && slices.Contains([]string{"prefixItems", "items", "propertyNames"}, m.Name):
		p.add(m.Name, list(textsOf(&m.Value, func(v *tree.Value) string { return p.sub(p.form, v) })))
		return
	case holds == tree.HoldsAny && !slices.Contains([]string{"prefixItems", "anyOf", "oneOf", "allOf"}, m.Name):
		text := p.sub(p.form, &m.Value)
		if text != "true" || p.unevaluated || m.Name != "items" && m.Name != "propertyNames" {
			p.add(m.Name, text)
		}
		return
	}
	p.scalar(m)
}

// scalar reads all other keywords; unknown keywords are kept unchanged.
func (p *parts) scalar(m *tree.Member) {
	switch m.Name {
	case "minLength", "minItems", "minProperties":
		if m.Kind == tree.Number {
			p.unlessEmpty(m.Name, normalNumber(m.Text), "0")
			return
		}
	case "minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum", "multipleOf",
		"maxLength", "maxItems", "maxProperties", "minContains", "maxContains":
		if m.Kind == tree.Number {
			p.add(m.Name, normalNumber(m.Text))
			return
		}
	case "uniqueItems", "nullable", "readOnly", "writeOnly":
		if m.Kind == tree.False {
			return
		}
	}
	p.add(m.Name, canonicalOf(&m.Value))
}

func (p *parts) add(name, text string) {
	p.form.rest = append(p.form.rest, textMember{name, p.short(text)})
}

func (p *parts) unlessEmpty(name, text, empty string) {
	if text != empty {
		p.add(name, text)
	}
}

// ref adds the target to allOf. A single member of allOf without siblings replaces the schema.
func (p *parts) ref(m *tree.Member) {
	target := p.follow(m)
	if p.spelled || target == nil {
		p.failed = p.failed || !p.spelled
		p.add(m.Name, canonicalOf(&m.Value))
		return
	}
	p.groups["allOf"] = append(p.groups["allOf"], p.target(target))
}

func (p *parts) types(m *tree.Member) {
	names := []tree.Member{*m}
	if m.Kind == tree.Array {
		names = m.Kids
	}
	var types []string
	for _, t := range names {
		if t.Kind == tree.String && tree.IsTypeName(t.Text) {
			types = append(types, t.Text)
		}
	}
	if len(types) == 0 || len(types) < len(names) {
		p.add(m.Name, canonicalOf(&m.Value))
		return
	}
	p.form.types = typeSet(types)
}

func (p *parts) values(m *tree.Member) {
	if m.Name == "const" {
		p.constant = p.shortValue(&m.Value)
		return
	}
	if m.Kind != tree.Array || len(m.Kids) == 0 {
		p.add(m.Name, canonicalOf(&m.Value))
		return
	}
	p.form.enum = sortedSet(textsOf(&m.Value, p.shortValue))
}

// branches reads anyOf, oneOf and allOf; false if the value is not a non-empty list.
func (p *parts) branches(m *tree.Member) bool {
	if m.Kind != tree.Array || len(m.Kids) == 0 {
		return false
	}
	for i := range m.Kids {
		p.groups[m.Name] = append(p.groups[m.Name], p.schema(&m.Kids[i].Value))
	}
	return true
}

// named reads an object of schemas, or of name sets for dependencies.
func (p *parts) named(m *tree.Member) string {
	o := objectOf(&m.Value, func(kid *tree.Member) (string, bool) {
		if names, ok := textSet(&kid.Value); ok && strings.HasPrefix(m.Name, "depende") {
			return names, true
		}
		return p.sub(p.form, &kid.Value), true
	})
	return o.text()
}

// textSet returns an array of strings as a set; false for any other value.
func textSet(v *tree.Value) (string, bool) {
	if v.Kind != tree.Array || slices.ContainsFunc(v.Kids, func(m tree.Member) bool { return m.Kind != tree.String }) {
		return "", false
	}
	return list(sortedSet(textsOf(v, canonicalOf))), true
}
