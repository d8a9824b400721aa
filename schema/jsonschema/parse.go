package jsonschema

// This file parses a schema into the model.

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"github.com/mcpgen/mcpgen/internal/jsontext"
	"github.com/mcpgen/mcpgen/schema"
	"github.com/mcpgen/mcpgen/schema/internal/tree"
)

// Parse reads a JSON Schema of any draft from 07 to 2020-12, or of OpenAPI. It is tolerant: a keyword of the
// wrong type becomes a [schema.Problem] and is ignored, so the schema becomes looser, never stricter. A schema
// that is neither an object nor a boolean allows everything.
//
// Parse fails with an [*schema.Error] if raw is not JSON, if a member name is duplicated, or if raw exceeds
// 128 levels or 50,000 schemas. Raw messages of the result share memory with raw.
func Parse(raw json.RawMessage) (*Document, error) {
	v, err := tree.Parse(raw)
	if err != nil {
		return nil, err
	}
	p := newParser(raw, v)
	p.doc.Dialect = p.draft(v)
	p.doc.Root = p.schema(v, "", "")
	return p.done()
}

func newParser(raw json.RawMessage, root *tree.Value) *schemaParser {
	return &schemaParser{
		data:  raw,
		index: map[*tree.Value]map[string]*tree.Value{},
		root:  root,
		most:  maxSubschemas,
		doc: &Document{
			pointers: map[string]*Schema{},
			anchors:  map[string]*Schema{},
			ids:      map[string]*Schema{},
		},
	}
}

// draft returns the $schema of a root, and reads what follows by it.
func (p *schemaParser) draft(root *tree.Value) string {
	said := ""
	if dialect := root.Get("$schema"); dialect != nil && dialect.Kind == tree.String {
		said = tree.ValidText(dialect.Text)
	}
	p.refsAlone = slices.ContainsFunc([]string{"draft-04", "draft-06", "draft-07"}, func(draft string) bool { return strings.Contains(said, draft) })
	return said
}

// done reads what only references lead to, and returns the document.
func (p *schemaParser) done() (*Document, error) {
	p.metaschemas()
	p.elsewhere()
	if p.err != nil {
		return nil, p.err
	}
	return p.doc, nil
}

type schemaParser struct {
	data  []byte
	doc   *Document
	root  *tree.Value
	most  int // schemas
	count int
	bytes int // of pointers
	depth int
	refs  []*Schema // schemas with a reference
	index map[*tree.Value]map[string]*tree.Value
	err   *schema.Error // a limit was exceeded

	refsAlone bool   // in the draft of what is read nothing beside a $ref counts
	parts     []Part // of a document of several texts
}

// schema reads one schema, or returns an empty one after an error.
func (p *schemaParser) schema(v *tree.Value, pointer, base string) *Schema {
	s := &Schema{Pointer: pointer, base: base, refAlone: p.refsAlone}
	p.count++
	p.bytes += len(pointer)
	switch {
	case p.err != nil:
		return s
	case p.depth >= maxSchemaDepth:
		p.err = &schema.Error{Pointer: pointer, Reason: fmt.Sprintf("schemas are nested more than %d deep", maxSchemaDepth)}
		return s
	case p.count > p.most:
		p.err = &schema.Error{Pointer: pointer, Reason: fmt.Sprintf("more than %d subschemas", p.most)}
		return s
	case p.bytes > maxPointers:
		p.err = &schema.Error{Reason: "the names in the schema are too long for its size"}
		return s
	}
	p.doc.pointers[pointer] = s
	switch v.Kind {
	case tree.True, tree.False:
		s.Bool = new(v.Kind == tree.True)
		return s
	case tree.Object:
	default:
		p.problem(s, "", fmt.Sprintf("a schema must be an object or a boolean, but is %v: any value is allowed", v.Kind))
		return s
	}
	p.depth++
	defer func() { p.depth-- }()
	p.identify(s, v)
	s.Keywords = make(map[string]json.RawMessage, len(v.Kids))
	for i := range v.Kids {
		m := &v.Kids[i]
		s.Keywords[tree.ValidText(m.Name)] = m.Raw(p.data)
		p.keyword(s, m)
	}
	p.older(s, v)
	if s.Ref != "" {
		p.refs = append(p.refs, s)
	}
	return s
}

// elsewhere reads targets of references that no keyword holds, such as #/components/schemas/User.
func (p *schemaParser) elsewhere() {
	for i := 0; i < len(p.refs) && p.err == nil; i++ {
		p.refsAlone = p.refs[i].refAlone
		p.byFile(p.refs[i])
		if pointer, base, ok := p.doc.localPointer(p.refs[i]); ok {
			p.at(pointer, base)
		}
	}
}

// at reads the schema at a pointer, if there is one and it was not read yet.
func (p *schemaParser) at(pointer, base string) {
	if p.doc.pointers[pointer] != nil {
		return
	}
	v := p.root
	for _, part := range strings.Split(pointer, "/")[1:] {
		if v = p.step(v, jsontext.UnescapePointer(part)); v == nil {
			return
		}
	}
	if v.Kind == tree.Object || v.Kind == tree.True || v.Kind == tree.False {
		p.schema(v, pointer, base)
	}
}

// step follows one segment of a JSON pointer, using an index for large objects.
func (p *schemaParser) step(v *tree.Value, part string) *tree.Value {
	if v.Kind != tree.Object || len(v.Kids) <= 16 {
		return v.At(part)
	}
	index := p.index[v]
	if index == nil {
		index = make(map[string]*tree.Value, len(v.Kids))
		for i := range v.Kids {
			index[v.Kids[i].Name] = &v.Kids[i].Value
		}
		p.index[v] = index
	}
	return index[part]
}

// problem reports a defect of a keyword, or of something in it.
func (p *schemaParser) problem(s *Schema, below, reason string) {
	pointer := s.Pointer
	if below != "" {
		pointer += "/" + below
	}
	problem := schema.Problem{Pointer: pointer, Reason: reason}
	s.Problems = append(s.Problems, problem)
	p.doc.Problems = append(p.doc.Problems, problem)
}

// wrong reports a keyword of the wrong type.
func (p *schemaParser) wrong(s *Schema, m *tree.Member, want string) {
	p.problem(s, m.Name, fmt.Sprintf("must be %s, but is %v: mcpgen ignores the value", want, m.Kind))
}

// keyword reads one keyword with the same meaning in all drafts.
func (p *schemaParser) keyword(s *Schema, m *tree.Member) {
	switch dst := s.field(m.Name).(type) {
	case *string:
		p.textKeyword(s, m, dst)
	case *bool:
		if m.Kind != tree.True && m.Kind != tree.False {
			p.wrong(s, m, "a boolean")
			return
		}
		*dst = m.Kind == tree.True
	case *json.Number:
		p.numberKeyword(s, m, dst)
	case *json.RawMessage:
		*dst = m.Raw(p.data)
	case *[]json.RawMessage:
		*dst = p.values(s, m)
	case *[]string:
		if m.Name == "type" {
			p.types(s, m)
			return
		}
		*dst = p.names(s, m)
	case *map[string][]string:
		p.dependentRequired(s, m)
	case **Schema:
		*dst = p.schema(&m.Value, s.Pointer+"/"+m.Name, s.base)
	case *[]*Schema:
		*dst = p.list(s, m)
	case *[]Property: // $defs and definitions both append
		*dst = append(*dst, p.named(s, m)...)
	}
}
