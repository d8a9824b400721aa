package jsonschema

// This file reads the values of keywords by type.

import (
	"encoding/json"
	"fmt"
	"slices"
	"strconv"

	"github.com/mcpgen/mcpgen/internal/jsontext"
	"github.com/mcpgen/mcpgen/schema/internal/tree"
)

func (p *schemaParser) textKeyword(s *Schema, m *tree.Member, dst *string) {
	switch {
	case m.Kind != tree.String:
		p.wrong(s, m, "a string")
	case m.Name == "pattern" && len(m.Text) > MaxPattern:
		p.problem(s, m.Name, fmt.Sprintf("is longer than %d bytes: mcpgen ignores the value", MaxPattern))
	default:
		*dst = tree.ValidText(m.Text)
	}
}

func (p *schemaParser) numberKeyword(s *Schema, m *tree.Member, dst *json.Number) {
	if m.Kind == tree.Number {
		*dst = json.Number(m.Text)
		return
	}
	if (m.Kind == tree.True || m.Kind == tree.False) && (m.Name == "exclusiveMinimum" || m.Name == "exclusiveMaximum") {
		return // OpenAPI 3.0 and draft 04: see older
	}
	p.wrong(s, m, "a number")
}

func (p *schemaParser) types(s *Schema, m *tree.Member) {
	list := []tree.Member{{Value: m.Value}}
	if m.Kind == tree.Array {
		list = m.Kids
	}
	for i := range list {
		switch t := &list[i]; {
		case t.Kind != tree.String:
			p.wrong(s, m, "a type name or an array of them")
		case !tree.IsTypeName(t.Text):
			p.problem(s, "type", tree.Quote(t.Text)+" is not a type of JSON Schema: the keyword is ignored")
		default:
			if !slices.Contains(s.Types, t.Text) {
				s.Types = append(s.Types, t.Text)
			}
			continue
		}
		s.Types = nil // a partial list would be stricter than the one sent
		return
	}
}

// values reads an array of arbitrary values.
func (p *schemaParser) values(s *Schema, m *tree.Member) []json.RawMessage {
	if m.Kind != tree.Array {
		p.wrong(s, m, "an array")
		return nil
	}
	out := make([]json.RawMessage, len(m.Kids))
	for i := range m.Kids {
		out[i] = m.Kids[i].Raw(p.data)
	}
	return out
}

// names reads an array of member names.
func (p *schemaParser) names(s *Schema, m *tree.Member) []string {
	if m.Kind != tree.Array {
		p.wrong(s, m, "an array of names")
		return nil
	}
	var out []string
	seen := make(map[string]bool, len(m.Kids))
	for i := range m.Kids {
		if m.Kids[i].Kind != tree.String {
			p.problem(s, m.Name+"/"+strconv.Itoa(i), fmt.Sprintf("must be a name, but is %v: mcpgen ignores the value", m.Kids[i].Kind))
			continue
		}
		name := m.Kids[i].Text
		if tree.HasSurrogate(name) {
			p.problem(s, m.Name+"/"+strconv.Itoa(i), "the name holds half of a surrogate pair: mcpgen ignores the name")
			continue
		}
		if !seen[name] {
			seen[name] = true
			out = append(out, name)
		}
	}
	return out
}

func (p *schemaParser) list(s *Schema, m *tree.Member) []*Schema {
	if m.Kind != tree.Array {
		p.wrong(s, m, "an array of schemas")
		return nil
	}
	out := make([]*Schema, len(m.Kids))
	for i := range m.Kids {
		out[i] = p.schema(&m.Kids[i].Value, s.Pointer+"/"+m.Name+"/"+strconv.Itoa(i), s.base)
	}
	return out
}

func (p *schemaParser) named(s *Schema, m *tree.Member) []Property {
	if m.Kind != tree.Object {
		p.wrong(s, m, "an object of schemas")
		return nil
	}
	out := make([]Property, 0, len(m.Kids))
	for i := range m.Kids {
		name := m.Kids[i].Name
		if tree.HasSurrogate(name) { // names with lone surrogates are indistinguishable
			p.problem(s, m.Name, "the name "+tree.Quote(name)+" holds half of a surrogate pair: mcpgen ignores the name")
			continue
		}
		pointer := s.Pointer + "/" + m.Name + "/" + jsontext.EscapePointer(name)
		out = append(out, Property{Name: name, Schema: p.schema(&m.Kids[i].Value, pointer, s.base)})
	}
	return out
}

func (p *schemaParser) dependentRequired(s *Schema, m *tree.Member) {
	if m.Kind != tree.Object {
		p.wrong(s, m, "an object of arrays of names")
		return
	}
	for i := range m.Kids {
		p.dependency(s, m.Name, &m.Kids[i])
	}
}

func (p *schemaParser) dependency(s *Schema, keyword string, m *tree.Member) {
	if m.Kind != tree.Array {
		p.problem(s, keyword, fmt.Sprintf("the dependency on %s must be an array of names, but is %v: mcpgen ignores the value", tree.Quote(m.Name), m.Kind))
		return
	}
	if s.DependentRequired == nil {
		s.DependentRequired = map[string][]string{}
	}
	named := *m
	named.Name = keyword
	s.DependentRequired[tree.ValidText(m.Name)] = p.names(s, &named)
}
