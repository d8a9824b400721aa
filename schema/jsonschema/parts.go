package jsonschema

// This file reads several texts as one document, such as files that refer to each other.

import (
	"encoding/json"
	"strings"

	"github.com/mcpgen/mcpgen/internal/jsontext"
	"github.com/mcpgen/mcpgen/schema/internal/tree"
)

// maxOfParts bounds the schemas in a document of several texts.
const maxOfParts = 10 * maxSubschemas

// Part is one text of a document of several.
type Part struct {
	// Name tells the part from the others: its pointers in the document begin with
	// "/$defs/" and its name.
	Name string
	// URI is absolute. References are relative to it, but for those below an $id, and
	// those of other parts lead here by it.
	URI string
	// Text is a schema, or what has schemas in it.
	Text json.RawMessage
	// Schemas are the JSON pointers of schemas that are where no keyword holds any.
	Schemas []string
}

// ParseParts reads the parts as one document, as [Parse] reads one text. Its root says
// nothing, and has each part among its definitions, in their order. A reference that is
// relative to an $id, and leads to no $id, leads to the part that it would lead to without.
//
// The text of each part has to be JSON, and the names have to differ: else the error is
// about the whole.
func ParseParts(parts []Part) (*Document, error) {
	text := []byte(`{"$defs":{`)
	for i, part := range parts {
		if i > 0 {
			text = append(text, ',')
		}
		text = append(append(jsontext.AppendString(text, part.Name), ':'), part.Text...)
	}
	text = append(text, "}}"...)
	v, err := tree.Parse(text)
	if err != nil {
		return nil, err
	}
	p := newParser(text, v)
	p.parts, p.most = parts, maxOfParts
	root := &Schema{}
	p.doc.Root, p.doc.pointers[""] = root, root
	for i, part := range parts {
		m := &v.Get("$defs").Kids[i]
		at := "/$defs/" + jsontext.EscapePointer(part.Name)
		p.draft(&m.Value)
		s := p.schema(&m.Value, at, part.URI)
		root.Defs = append(root.Defs, Property{Name: part.Name, Schema: s})
		if p.doc.ids[part.URI] != s {
			remember(p.doc.ids, part.URI, s)
		}
		for _, pointer := range part.Schemas {
			p.at(at+pointer, s.base)
		}
	}
	return p.done()
}

// PartOf splits a pointer into a document of several texts: the name of the part, and the
// pointer in its text.
func PartOf(pointer string) (name, within string) {
	name, within, found := strings.Cut(strings.TrimPrefix(pointer, "/$defs/"), "/")
	if found {
		within = "/" + within
	}
	return jsontext.UnescapePointer(name), within
}

// byFile lets a reference that leads to no $id lead to a part by its URI.
func (p *schemaParser) byFile(s *Schema) {
	name, _ := PartOf(s.Pointer)
	for _, part := range p.parts {
		if part.Name != name {
			continue
		}
		ref, _, _ := strings.Cut(s.Ref, "#")
		byID, ok := resolveURI(s.base, ref)
		byURI, _ := resolveURI(part.URI, ref)
		if _, known := p.doc.ids[byID]; !known && ok && p.doc.ids[byURI] != nil {
			p.doc.ids[byID] = p.doc.ids[byURI]
		}
	}
}
