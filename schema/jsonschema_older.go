package schema

// This file reads the spellings of older drafts and of OpenAPI, and what a
// schema calls itself.

import (
	"encoding/json"
	"net/url"
	"strconv"
	"strings"
)

// older reads the keywords whose form depends on the draft.
func (p *schemaParser) older(s *Schema, v *value) {
	p.items(s, v)
	p.dependencies(s, v.get("dependencies"))
	exclusive(v.get("exclusiveMinimum"), &s.Minimum, &s.ExclusiveMinimum)
	exclusive(v.get("exclusiveMaximum"), &s.Maximum, &s.ExclusiveMaximum)
	if s.Examples == nil {
		if example := v.get("example"); example != nil { // OpenAPI
			s.Examples = []json.RawMessage{example.raw(p.data)}
		}
	}
}

// items reads items and additionalItems: before 2020-12 an array of items is a
// tuple and additionalItems what follows it.
func (p *schemaParser) items(s *Schema, v *value) {
	items := v.get("items")
	if items == nil {
		return
	}
	if items.kind != arrayValue {
		s.Items = p.schema(items, s.Pointer+"/items", s.base)
		return
	}
	if s.PrefixItems == nil {
		s.PrefixItems = make([]*Schema, len(items.kids))
		for i := range items.kids {
			s.PrefixItems[i] = p.schema(&items.kids[i].value, s.Pointer+"/items/"+strconv.Itoa(i), s.base)
		}
	}
	if more := v.get("additionalItems"); more != nil {
		s.Items = p.schema(more, s.Pointer+"/additionalItems", s.base)
	}
}

// dependencies reads the keyword that 2019-09 split in two.
func (p *schemaParser) dependencies(s *Schema, v *value) {
	if v == nil {
		return
	}
	if v.kind != objectValue {
		p.wrong(s, &member{name: "dependencies", value: *v}, "an object")
		return
	}
	for i := range v.kids {
		m := &v.kids[i]
		if m.kind == arrayValue {
			p.dependency(s, "dependencies", m)
			continue
		}
		name := validText(m.name)
		sub := p.schema(&m.value, s.Pointer+"/dependencies/"+escapePointer(name), s.base)
		s.DependentSchemas = append(s.DependentSchemas, Property{Name: name, Schema: sub})
	}
}

// exclusive turns a boolean exclusive bound into a number.
func exclusive(flag *value, bound, exclusiveBound *json.Number) {
	if flag != nil && flag.kind == trueValue && *bound != "" {
		*exclusiveBound, *bound = *bound, ""
	}
}

// identify reads $id and $anchor and remembers s under them.
func (p *schemaParser) identify(s *Schema, v *value) {
	if id := v.get("$id"); id != nil && id.kind == stringValue {
		s.ID = validText(id.text)
		if name, ok := strings.CutPrefix(s.ID, "#"); ok { // draft 07
			s.Anchor = name
		} else if abs, ok := resolveURI(s.base, s.ID); ok {
			s.base = abs
			remember(p.doc.ids, abs, s)
		}
	}
	if anchor := v.get("$anchor"); anchor != nil && anchor.kind == stringValue {
		s.Anchor = validText(anchor.text)
	}
	if s.Anchor != "" {
		remember(p.doc.anchors, s.base+"#"+s.Anchor, s)
	}
}

// remember records s; a name that two schemas have becomes ambiguous.
func remember(m map[string]*Schema, name string, s *Schema) {
	if _, ok := m[name]; ok {
		s = nil
	}
	m[name] = s
}

// resolveURI returns ref relative to base, without its fragment.
func resolveURI(base, ref string) (string, bool) {
	u, err := url.Parse(ref)
	if err != nil {
		return "", false
	}
	if base != "" {
		b, err := url.Parse(base)
		if err != nil {
			return "", false
		}
		u = b.ResolveReference(u)
	}
	u.Fragment, u.RawFragment = "", ""
	return u.String(), true
}
