package jsonschema

// This file reads the spellings of older drafts and of OpenAPI, and a schema's $id and anchors.

import (
	"encoding/json"
	"net/url"
	"strings"

	"github.com/mcpgen/mcpgen/internal/jsontext"
	"github.com/mcpgen/mcpgen/schema/internal/tree"
)

// older reads the keywords whose form depends on the draft.
func (p *schemaParser) older(s *Schema, v *tree.Value) {
	p.items(s, v)
	p.dependencies(s, v.Get("dependencies"))
	exclusive(v.Get("exclusiveMinimum"), &s.Minimum, &s.ExclusiveMinimum)
	exclusive(v.Get("exclusiveMaximum"), &s.Maximum, &s.ExclusiveMaximum)
	if s.Examples == nil {
		if example := v.Get("example"); example != nil { // OpenAPI
			s.Examples = []json.RawMessage{example.Raw(p.data)}
		}
	}
}

// items reads items and additionalItems. Before 2020-12, an array of items is a tuple, and additionalItems
// applies to the elements after it.
func (p *schemaParser) items(s *Schema, v *tree.Value) {
	items := v.Get("items")
	if items == nil {
		return
	}
	if items.Kind != tree.Array {
		s.Items = p.schema(items, s.Pointer+"/items", s.base)
		return
	}
	if s.PrefixItems == nil {
		s.PrefixItems = p.list(s, &tree.Member{Name: "items", Value: *items})
	}
	if more := v.Get("additionalItems"); more != nil {
		s.Items = p.schema(more, s.Pointer+"/additionalItems", s.base)
	}
}

// dependencies reads the keyword that 2019-09 split in two.
func (p *schemaParser) dependencies(s *Schema, v *tree.Value) {
	if v == nil {
		return
	}
	if v.Kind != tree.Object {
		p.wrong(s, &tree.Member{Name: "dependencies", Value: *v}, "an object")
		return
	}
	for i := range v.Kids {
		m := &v.Kids[i]
		if m.Kind == tree.Array {
			p.dependency(s, "dependencies", m)
			continue
		}
		name := tree.ValidText(m.Name)
		sub := p.schema(&m.Value, s.Pointer+"/dependencies/"+jsontext.EscapePointer(name), s.base)
		s.DependentSchemas = append(s.DependentSchemas, Property{Name: name, Schema: sub})
	}
}

// exclusive turns a boolean exclusive bound into a number.
func exclusive(flag *tree.Value, bound, exclusiveBound *json.Number) {
	if flag != nil && flag.Kind == tree.True && *bound != "" {
		*exclusiveBound, *bound = *bound, ""
	}
}

// identify reads $id and $anchor and registers s under them, unless the draft ignores siblings of $ref and s
// has one.
func (p *schemaParser) identify(s *Schema, v *tree.Value) {
	if ref := v.Get("$ref"); ref != nil && ref.Kind == tree.String && p.refsAlone {
		return
	}
	if id := v.Get("$id"); id != nil && id.Kind == tree.String {
		s.ID = tree.ValidText(id.Text)
		if name, ok := strings.CutPrefix(s.ID, "#"); ok { // draft 07
			s.Anchor = name
		} else if abs, ok := resolveURI(s.base, s.ID); ok {
			s.base = abs
			remember(p.doc.ids, abs, s)
		}
	}
	if anchor := v.Get("$anchor"); anchor != nil && anchor.Kind == tree.String {
		s.Anchor = tree.ValidText(anchor.Text)
	}
	if s.Anchor != "" {
		remember(p.doc.anchors, s.base+"#"+s.Anchor, s)
	}
	if name := v.Get("$dynamicAnchor"); name != nil && name.Kind == tree.String && name.Text != s.Anchor {
		remember(p.doc.anchors, s.base+"#"+tree.ValidText(name.Text), s)
	}
}

// remember registers s; a name of two schemas becomes ambiguous.
func remember(m map[string]*Schema, name string, s *Schema) {
	if _, ok := m[name]; ok {
		s = nil
	}
	m[name] = s
}

// resolveURI resolves ref against base, without its fragment.
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
		rooted := b.Host != "" || strings.HasPrefix(b.Path, "/") || strings.HasPrefix(u.Path, "/")
		if u = b.ResolveReference(u); u.Scheme == "" && !rooted {
			u.Path, u.RawPath = strings.TrimPrefix(u.Path, "/"), ""
		}
	}
	u.Fragment, u.RawFragment = "", ""
	return u.String(), true
}
