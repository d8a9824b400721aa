package schema

// This file reads the values of keywords, each with its type.

import (
	"encoding/json"
	"fmt"
	"slices"
	"strconv"
)

func (p *schemaParser) textKeyword(s *Schema, m *member, dst *string) {
	switch {
	case m.kind != stringValue:
		p.wrong(s, m, "a string")
	case m.name == "pattern" && len(m.text) > MaxPattern:
		p.problem(s, m.name, fmt.Sprintf("is longer than %d bytes: ignored", MaxPattern))
	default:
		*dst = validText(m.text)
	}
}

func (p *schemaParser) numberKeyword(s *Schema, m *member, dst *json.Number) {
	if m.kind == numberValue {
		*dst = json.Number(m.text)
		return
	}
	if (m.kind == trueValue || m.kind == falseValue) && (m.name == "exclusiveMinimum" || m.name == "exclusiveMaximum") {
		return // OpenAPI 3.0 and draft 04: see older
	}
	p.wrong(s, m, "a number")
}

func (p *schemaParser) flag(s *Schema, m *member) {
	if m.kind != trueValue && m.kind != falseValue {
		p.wrong(s, m, "a boolean")
		return
	}
	on := m.kind == trueValue
	switch m.name {
	case "nullable":
		s.Nullable = on
	case "uniqueItems":
		s.UniqueItems = on
	case "deprecated":
		s.Deprecated = on
	case "readOnly":
		s.ReadOnly = on
	case "writeOnly":
		s.WriteOnly = on
	}
}

// typeNames are the types of JSON Schema.
func isTypeName(s string) bool {
	switch s {
	case "null", "boolean", "object", "array", "number", "string", "integer":
		return true
	}
	return false
}

func (p *schemaParser) types(s *Schema, m *member) {
	list := []member{{value: m.value}}
	if m.kind == arrayValue {
		list = m.kids
	}
	for i := range list {
		switch t := &list[i]; {
		case t.kind != stringValue:
			p.wrong(s, m, "a type name or an array of them")
		case !isTypeName(t.text):
			p.problem(s, "type", quote(t.text)+" is not a type of JSON Schema: the keyword is ignored")
		default:
			if !slices.Contains(s.Types, t.text) {
				s.Types = append(s.Types, t.text)
			}
			continue
		}
		s.Types = nil // half a list would be stricter than what was sent
		return
	}
}

// values reads an array of arbitrary values.
func (p *schemaParser) values(s *Schema, m *member) []json.RawMessage {
	if m.kind != arrayValue {
		p.wrong(s, m, "an array")
		return nil
	}
	out := make([]json.RawMessage, len(m.kids))
	for i := range m.kids {
		out[i] = m.kids[i].raw(p.data)
	}
	return out
}

// names reads an array of member names.
func (p *schemaParser) names(s *Schema, m *member) []string {
	if m.kind != arrayValue {
		p.wrong(s, m, "an array of names")
		return nil
	}
	var out []string
	seen := make(map[string]bool, len(m.kids))
	for i := range m.kids {
		if m.kids[i].kind != stringValue {
			p.problem(s, m.name+"/"+strconv.Itoa(i), fmt.Sprintf("must be a name, is %v: ignored", m.kids[i].kind))
			continue
		}
		name := m.kids[i].text
		if hasSurrogate(name) {
			p.problem(s, m.name+"/"+strconv.Itoa(i), "the name holds half of a surrogate pair: ignored")
			continue
		}
		if !seen[name] {
			seen[name] = true
			out = append(out, name)
		}
	}
	return out
}

func (p *schemaParser) list(s *Schema, m *member) []*Schema {
	if m.kind != arrayValue {
		p.wrong(s, m, "an array of schemas")
		return nil
	}
	out := make([]*Schema, len(m.kids))
	for i := range m.kids {
		out[i] = p.schema(&m.kids[i].value, s.Pointer+"/"+m.name+"/"+strconv.Itoa(i), s.base)
	}
	return out
}

func (p *schemaParser) named(s *Schema, m *member) []Property {
	if m.kind != objectValue {
		p.wrong(s, m, "an object of schemas")
		return nil
	}
	out := make([]Property, 0, len(m.kids))
	for i := range m.kids {
		name := m.kids[i].name
		if hasSurrogate(name) { // no two such names could be told apart
			p.problem(s, m.name, "the name "+quote(name)+" holds half of a surrogate pair: ignored")
			continue
		}
		pointer := s.Pointer + "/" + m.name + "/" + escapePointer(name)
		out = append(out, Property{Name: name, Schema: p.schema(&m.kids[i].value, pointer, s.base)})
	}
	return out
}

func (p *schemaParser) dependentRequired(s *Schema, m *member) {
	if m.kind != objectValue {
		p.wrong(s, m, "an object of arrays of names")
		return
	}
	for i := range m.kids {
		p.dependency(s, m.name, &m.kids[i])
	}
}

func (p *schemaParser) dependency(s *Schema, keyword string, m *member) {
	if m.kind != arrayValue {
		p.problem(s, keyword, fmt.Sprintf("the dependency on %s must be an array of names, is %v: ignored", quote(m.name), m.kind))
		return
	}
	if s.DependentRequired == nil {
		s.DependentRequired = map[string][]string{}
	}
	named := *m
	named.name = keyword
	s.DependentRequired[validText(m.name)] = p.names(s, &named)
}
