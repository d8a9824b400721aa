package schema

// This file normalises the keywords of one schema, one by one.

import (
	"strings"
)

// parts is one schema while its keywords are read.
type parts struct {
	*normalizer
	form   *form
	source *value

	constant            string
	anyOf, oneOf, allOf []form
}

func (p *parts) keyword(m *member) {
	switch m.name {
	case "title", "description", "examples", "example", "$comment", "deprecated":
		return // for people
	case "$schema":
		if p.source == p.root {
			return // see features.dialect
		}
	case "$id", "$anchor":
		if !p.spelled && m.kind == stringValue {
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
		if names, ok := textSet(&m.value); ok {
			p.unlessEmpty(m.name, names, "[]")
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
func (p *parts) applicator(m *member) {
	switch m.name {
	case "properties", "patternProperties", "dependentSchemas", "dependencies", "dependentRequired":
		if m.kind == objectValue {
			p.unlessEmpty(m.name, p.named(m), "{}")
			return
		}
	case "additionalProperties", "unevaluatedProperties", "unevaluatedItems", "additionalItems",
		"contains", "not", "if", "then", "else", "contentSchema":
		p.form.add(m.name, p.sub(p.form, &m.value))
		return
	case "items", "propertyNames":
		if m.kind != arrayValue {
			text := p.sub(p.form, &m.value)
			if text != "true" || p.counts {
				p.form.add(m.name, text)
			}
			return
		}
		fallthrough
	case "prefixItems":
		if m.kind == arrayValue {
			p.form.add(m.name, p.list(m))
			return
		}
	}
	p.scalar(m)
}

// scalar reads everything else; unknown keywords count as they are.
func (p *parts) scalar(m *member) {
	switch m.name {
	case "minLength", "minItems", "minProperties":
		if m.kind == numberValue {
			p.unlessEmpty(m.name, normalNumber(m.text), "0")
			return
		}
	case "minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum", "multipleOf",
		"maxLength", "maxItems", "maxProperties", "minContains", "maxContains":
		if m.kind == numberValue {
			p.form.add(m.name, normalNumber(m.text))
			return
		}
	case "uniqueItems", "nullable", "readOnly", "writeOnly":
		if m.kind == falseValue {
			return
		}
	}
	p.form.add(m.name, canonicalOf(&m.value))
}

func (p *parts) unlessEmpty(name, text, empty string) {
	if text != empty {
		p.form.add(name, text)
	}
}

// definitions are dropped: what is referred to stands where it is referred to.
func (p *parts) definitions(m *member) {
	if !p.spelled {
		return
	}
	if m.kind != objectValue {
		p.form.add(m.name, canonicalOf(&m.value))
		return
	}
	p.unlessEmpty(m.name, p.named(m), "{}")
}

// ref puts the target into allOf, where a single member without siblings is
// the schema itself.
func (p *parts) ref(m *member) {
	target := p.follow(m)
	if p.spelled || target == nil {
		p.failed = p.failed || !p.spelled
		p.form.add(m.name, canonicalOf(&m.value))
		return
	}
	p.allOf = append(p.allOf, p.target(target))
}

func (p *parts) types(m *member) {
	switch {
	case m.kind == stringValue && isTypeName(m.text):
		p.form.types = []string{m.text}
		return
	case m.kind == arrayValue && len(m.kids) > 0:
		var types []string
		for i := range m.kids {
			if t := &m.kids[i]; t.kind == stringValue && isTypeName(t.text) {
				types = append(types, t.text)
			}
		}
		if len(types) == len(m.kids) {
			p.form.types = typeSet(types)
			return
		}
	}
	p.form.add(m.name, canonicalOf(&m.value))
}

func (p *parts) values(m *member) {
	if m.name == "const" {
		p.constant = shortValue(&m.value)
		return
	}
	if m.kind != arrayValue || len(m.kids) == 0 {
		p.form.add(m.name, canonicalOf(&m.value))
		return
	}
	texts := make([]string, len(m.kids))
	for i := range m.kids {
		texts[i] = shortValue(&m.kids[i].value)
	}
	p.form.enum = sortedSet(texts)
}

// branches reads anyOf, oneOf and allOf; false if it is none.
func (p *parts) branches(m *member) bool {
	if m.kind != arrayValue || len(m.kids) == 0 {
		return false
	}
	forms := make([]form, len(m.kids))
	for i := range m.kids {
		forms[i] = p.schema(&m.kids[i].value)
	}
	switch m.name {
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
func (p *parts) named(m *member) string {
	var o textObject
	for i := range m.kids {
		kid := &m.kids[i]
		text := ""
		if names, ok := textSet(&kid.value); ok && strings.HasPrefix(m.name, "depende") {
			text = names
		} else {
			text = p.sub(p.form, &kid.value)
		}
		o.add(kid.name, text)
	}
	return o.text()
}

func (p *parts) list(m *member) string {
	texts := make([]string, len(m.kids))
	for i := range m.kids {
		texts[i] = p.sub(p.form, &m.kids[i].value)
	}
	return "[" + strings.Join(texts, ",") + "]"
}

// textSet returns an array of strings as a set; false if v is something else.
func textSet(v *value) (string, bool) {
	if v.kind != arrayValue {
		return "", false
	}
	texts := make([]string, len(v.kids))
	for i := range v.kids {
		if v.kids[i].kind != stringValue {
			return "", false
		}
		texts[i] = canonicalOf(&v.kids[i].value)
	}
	return "[" + strings.Join(sortedSet(texts), ",") + "]", true
}
