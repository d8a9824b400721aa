package schema

// This file turns the JSON of a schema into the model.

import (
	"encoding/json"
	"fmt"
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
		data:  raw,
		index: map[*value]map[string]*value{},
		root:  v,
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
	index map[*value]map[string]*value
	err   *Error // a bound was exceeded
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
			if v = p.step(v, unescapePointer(part)); v == nil {
				break
			}
		}
		if v != nil && (v.kind == objectValue || v.kind == trueValue || v.kind == falseValue) {
			p.schema(v, pointer, p.doc.Root.base)
		}
	}
}

// step goes one segment of a JSON pointer down, through an index where an
// object is large.
func (p *schemaParser) step(v *value, part string) *value {
	if v.kind != objectValue || len(v.kids) <= 16 {
		return v.at(part)
	}
	index := p.index[v]
	if index == nil {
		index = make(map[string]*value, len(v.kids))
		for i := range v.kids {
			index[v.kids[i].name] = &v.kids[i].value
		}
		p.index[v] = index
	}
	return index[part]
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
