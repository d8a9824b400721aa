package contract

// This file normalises the keywords of one schema, one by one.

import (
	"slices"
	"strings"

	"github.com/mcpgen/mcpgen/schema/internal/tree"
)

// parts is one schema while its keywords are read.
type parts struct {
	*normalizer
	form   *form
	source *tree.Value

	constant            string
	anyOf, oneOf, allOf []form
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
			return // names for references, and those are resolved
		}
	case "$defs", "definitions":
		p.definitions(m)
		return
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

// applicator reads the keywords that hold schemas.
func (p *parts) applicator(m *tree.Member) {
	switch m.Name {
	case "properties", "patternProperties", "dependentSchemas", "dependencies", "dependentRequired":
		if m.Kind == tree.Object {
			p.unlessEmpty(m.Name, p.named(m), "{}")
			return
		}
	case "additionalProperties", "unevaluatedProperties", "unevaluatedItems", "additionalItems",
		"contains", "not", "if", "then", "else", "contentSchema":
		p.form.add(m.Name, p.sub(p.form, &m.Value))
		return
	case "items", "propertyNames":
		if m.Kind != tree.Array {
			text := p.sub(p.form, &m.Value)
			if text != "true" || p.unevaluated {
				p.form.add(m.Name, text)
			}
			return
		}
		fallthrough
	case "prefixItems":
		if m.Kind == tree.Array {
			p.form.add(m.Name, list(textsOf(&m.Value, func(v *tree.Value) string { return p.sub(p.form, v) })))
			return
		}
	}
	p.scalar(m)
}

// scalar reads everything else; unknown keywords count as they are.
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
			p.form.add(m.Name, normalNumber(m.Text))
			return
		}
	case "uniqueItems", "nullable", "readOnly", "writeOnly":
		if m.Kind == tree.False {
			return
		}
	}
	p.form.add(m.Name, canonicalOf(&m.Value))
}

func (p *parts) unlessEmpty(name, text, empty string) {
	if text != empty {
		p.form.add(name, text)
	}
}

// definitions are dropped: what is referred to stands where it is referred to.
func (p *parts) definitions(m *tree.Member) {
	if !p.spelled {
		return
	}
	if m.Kind != tree.Object {
		p.form.add(m.Name, canonicalOf(&m.Value))
		return
	}
	p.unlessEmpty(m.Name, p.named(m), "{}")
}

// ref puts the target into allOf, where a single member without siblings is
// the schema itself.
func (p *parts) ref(m *tree.Member) {
	target := p.follow(m)
	if p.spelled || target == nil {
		p.failed = p.failed || !p.spelled
		p.form.add(m.Name, canonicalOf(&m.Value))
		return
	}
	p.allOf = append(p.allOf, p.target(target))
}

func (p *parts) types(m *tree.Member) {
	switch {
	case m.Kind == tree.String && tree.IsTypeName(m.Text):
		p.form.types = []string{m.Text}
		return
	case m.Kind == tree.Array && len(m.Kids) > 0:
		var types []string
		for i := range m.Kids {
			if t := &m.Kids[i]; t.Kind == tree.String && tree.IsTypeName(t.Text) {
				types = append(types, t.Text)
			}
		}
		if len(types) == len(m.Kids) {
			p.form.types = typeSet(types)
			return
		}
	}
	p.form.add(m.Name, canonicalOf(&m.Value))
}

func (p *parts) values(m *tree.Member) {
	if m.Name == "const" {
		p.constant = shortValue(&m.Value)
		return
	}
	if m.Kind != tree.Array || len(m.Kids) == 0 {
		p.form.add(m.Name, canonicalOf(&m.Value))
		return
	}
	p.form.enum = sortedSet(textsOf(&m.Value, shortValue))
}

// branches reads anyOf, oneOf and allOf; false if the value is not a list.
func (p *parts) branches(m *tree.Member) bool {
	if m.Kind != tree.Array || len(m.Kids) == 0 {
		return false
	}
	forms := make([]form, len(m.Kids))
	for i := range m.Kids {
		forms[i] = p.schema(&m.Kids[i].Value)
	}
	switch m.Name {
	case "anyOf":
		p.anyOf = forms
	case "oneOf":
		p.oneOf = forms
	default:
		p.allOf = append(p.allOf, forms...)
	}
	return true
}

// named reads an object of schemas or, for dependencies, of name sets.
func (p *parts) named(m *tree.Member) string {
	o := objectOf(&m.Value, func(kid *tree.Member) (string, bool) {
		if names, ok := textSet(&kid.Value); ok && strings.HasPrefix(m.Name, "depende") {
			return names, true
		}
		return p.sub(p.form, &kid.Value), true
	})
	return o.text()
}

// textSet returns an array of strings as a set; false if v is something else.
func textSet(v *tree.Value) (string, bool) {
	if v.Kind != tree.Array || slices.ContainsFunc(v.Kids, func(m tree.Member) bool { return m.Kind != tree.String }) {
		return "", false
	}
	return list(sortedSet(textsOf(v, canonicalOf))), true
}
