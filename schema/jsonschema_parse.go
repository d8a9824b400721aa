package schema

// This file turns the JSON of a schema into the model.

import (
	"encoding/json"
	"fmt"
	"slices"
	"strconv"
	"strings"
)

// ParseSchema reads a JSON Schema of any draft from 07 to 2020-12, or of
// OpenAPI. It is tolerant: a keyword of the wrong type becomes a [Problem] and
// is ignored, so that the schema gets looser, never stricter; a subschema that
// is neither an object nor a boolean allows everything, the root too.
//
// It fails, with an [*Error], if raw is not JSON, if a member name occurs
// twice, or beyond [MaxSchemaDepth] and [MaxSubschemas]. Raw messages of the
// result share memory with raw.
func ParseSchema(raw json.RawMessage) (*Document, error) {
	v, err := parseJSON(raw)
	if err != nil {
		return nil, err
	}
	p := &schemaParser{
		data: raw,
		root: v,
		doc: &Document{
			pointers: map[string]*Schema{},
			anchors:  map[string]*Schema{},
			ids:      map[string]*Schema{},
		},
	}
	p.doc.Root = p.schema(v, "", "")
	p.elsewhere()
	if p.err != nil {
		return nil, p.err
	}
	p.doc.Dialect = p.doc.Root.text("$schema")
	return p.doc, nil
}

type schemaParser struct {
	data  []byte
	doc   *Document
	root  *value
	count int
	bytes int // of pointers
	depth int
	refs  []*Schema // schemas with a reference
	err   *Error    // a bound was exceeded
}

// schema reads one schema. It returns an empty one after an error.
func (p *schemaParser) schema(v *value, pointer, base string) *Schema {
	s := &Schema{Pointer: pointer, base: base}
	p.count++
	p.bytes += len(pointer)
	switch {
	case p.err != nil:
		return s
	case p.depth >= MaxSchemaDepth:
		p.err = &Error{Pointer: pointer, Reason: fmt.Sprintf("schemas are nested more than %d deep", MaxSchemaDepth)}
		return s
	case p.count > MaxSubschemas:
		p.err = &Error{Pointer: pointer, Reason: fmt.Sprintf("more than %d subschemas", MaxSubschemas)}
		return s
	case p.bytes > maxPointers:
		p.err = &Error{Reason: "the names in the schema are too long for its size"}
		return s
	}
	p.doc.pointers[pointer] = s
	switch v.kind {
	case trueValue, falseValue:
		s.Bool = new(v.kind == trueValue)
		return s
	case objectValue:
	default:
		p.problem(s, "", fmt.Sprintf("a schema must be an object or a boolean, is %v: anything is allowed", v.kind))
		return s
	}
	p.depth++
	defer func() { p.depth-- }()
	p.identify(s, v)
	s.Keywords = make(map[string]json.RawMessage, len(v.kids))
	for i := range v.kids {
		m := &v.kids[i]
		s.Keywords[validText(m.name)] = m.raw(p.data)
		p.keyword(s, m)
	}
	p.older(s, v)
	if s.Ref != "" {
		p.refs = append(p.refs, s)
	}
	return s
}

// elsewhere reads what references lead to where no keyword holds a schema,
// such as #/components/schemas/User.
func (p *schemaParser) elsewhere() {
	for i := 0; i < len(p.refs) && p.err == nil; i++ {
		pointer, ok := p.doc.localPointer(p.refs[i])
		if !ok || p.doc.pointers[pointer] != nil {
			continue
		}
		v := p.root
		for _, part := range strings.Split(pointer, "/")[1:] {
			if v = v.at(unescapePointer(part)); v == nil {
				break
			}
		}
		if v != nil && (v.kind == objectValue || v.kind == trueValue || v.kind == falseValue) {
			p.schema(v, pointer, p.doc.Root.base)
		}
	}
}

// problem reports something at a keyword, or below it.
func (p *schemaParser) problem(s *Schema, below, reason string) {
	pointer := s.Pointer
	if below != "" {
		pointer += "/" + below
	}
	problem := Problem{Pointer: pointer, Reason: reason}
	s.Problems = append(s.Problems, problem)
	p.doc.Problems = append(p.doc.Problems, problem)
}

// wrong reports a keyword of the wrong type.
func (p *schemaParser) wrong(s *Schema, m *member, want string) {
	p.problem(s, m.name, fmt.Sprintf("must be %s, is %v: ignored", want, m.kind))
}

// text returns a keyword that is a text, "" otherwise.
func (s *Schema) text(keyword string) string {
	var text string
	if json.Unmarshal(s.Keywords[keyword], &text) != nil {
		return ""
	}
	return text
}

// keyword reads one keyword that means the same in all drafts.
func (p *schemaParser) keyword(s *Schema, m *member) {
	switch m.name {
	case "type":
		p.types(s, m)
	case "enum":
		s.Enum = p.values(s, m)
	case "const":
		s.Const = m.raw(p.data)
	case "default":
		s.Default = m.raw(p.data)
	case "examples":
		s.Examples = p.values(s, m)
	case "required":
		s.Required = p.names(s, m)
	case "dependentRequired":
		p.dependentRequired(s, m)
	case "nullable", "uniqueItems", "deprecated", "readOnly", "writeOnly":
		p.flag(s, m)
	default:
		if dst := s.textField(m.name); dst != nil {
			p.textKeyword(s, m, dst)
		} else if dst := s.numberField(m.name); dst != nil {
			p.numberKeyword(s, m, dst)
		} else if dst := s.schemaField(m.name); dst != nil {
			*dst = p.schema(&m.value, s.Pointer+"/"+m.name, s.base)
		} else if dst := s.listField(m.name); dst != nil {
			*dst = p.list(s, m)
		} else if dst := s.namedField(m.name); dst != nil {
			*dst = append(*dst, p.named(s, m)...)
		}
	}
}

func (s *Schema) textField(name string) *string {
	switch name {
	case "$ref":
		return &s.Ref
	case "title":
		return &s.Title
	case "description":
		return &s.Description
	case "format":
		return &s.Format
	case "pattern":
		return &s.Pattern
	case "contentEncoding":
		return &s.ContentEncoding
	case "contentMediaType":
		return &s.ContentMediaType
	}
	return nil
}

func (s *Schema) numberField(name string) *json.Number {
	switch name {
	case "minimum":
		return &s.Minimum
	case "maximum":
		return &s.Maximum
	case "exclusiveMinimum":
		return &s.ExclusiveMinimum
	case "exclusiveMaximum":
		return &s.ExclusiveMaximum
	case "multipleOf":
		return &s.MultipleOf
	case "minLength":
		return &s.MinLength
	case "maxLength":
		return &s.MaxLength
	case "minItems":
		return &s.MinItems
	case "maxItems":
		return &s.MaxItems
	case "minContains":
		return &s.MinContains
	case "maxContains":
		return &s.MaxContains
	case "minProperties":
		return &s.MinProperties
	case "maxProperties":
		return &s.MaxProperties
	}
	return nil
}

func (s *Schema) schemaField(name string) **Schema {
	switch name {
	case "additionalProperties":
		return &s.AdditionalProperties
	case "unevaluatedProperties":
		return &s.UnevaluatedProperties
	case "propertyNames":
		return &s.PropertyNames
	case "unevaluatedItems":
		return &s.UnevaluatedItems
	case "contains":
		return &s.Contains
	case "contentSchema":
		return &s.ContentSchema
	case "not":
		return &s.Not
	case "if":
		return &s.If
	case "then":
		return &s.Then
	case "else":
		return &s.Else
	}
	return nil
}

func (s *Schema) listField(name string) *[]*Schema {
	switch name {
	case "anyOf":
		return &s.AnyOf
	case "oneOf":
		return &s.OneOf
	case "allOf":
		return &s.AllOf
	case "prefixItems":
		return &s.PrefixItems
	}
	return nil
}

func (s *Schema) namedField(name string) *[]Property {
	switch name {
	case "properties":
		return &s.Properties
	case "patternProperties":
		return &s.PatternProperties
	case "dependentSchemas":
		return &s.DependentSchemas
	case "$defs", "definitions":
		return &s.Defs
	}
	return nil
}

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
