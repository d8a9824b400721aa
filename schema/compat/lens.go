package compat

// This file implements the lenses: b as a decoder accepts it, and the values of a that are sent.

import (
	"encoding/json"
	"slices"

	"github.com/mcpgen/mcpgen/internal/jsontext"
	"github.com/mcpgen/mcpgen/schema/jsonschema"
)

// open returns a document as generated code accepts it: more than one schema of a oneOf may fit, and with
// members, undeclared members are allowed. Objects without declared members stay as they are: they are maps,
// which a decoder reads in whole.
func open(doc *jsonschema.Document, members bool) *jsonschema.Document {
	o := &opener{doc: doc, seen: map[*jsonschema.Schema]bool{}, unions: map[*jsonschema.Schema]bool{}}
	if o.visit(doc.Root); !o.closed && len(o.unions) == 0 || !members && len(o.unions) == 0 {
		return doc
	}
	return doc.Edited(func(original, s *jsonschema.Schema) {
		if members && forbids(original) {
			if s.AdditionalProperties.IsBool(false) {
				s.AdditionalProperties = nil
			}
			if s.UnevaluatedProperties.IsBool(false) {
				s.UnevaluatedProperties = nil
			}
		}
		if !o.unions[original] {
			return
		}
		if len(s.AnyOf) > 0 {
			s.AllOf = append(slices.Clip(s.AllOf), &jsonschema.Schema{Pointer: s.Pointer, AnyOf: s.AnyOf})
		}
		s.AnyOf, s.OneOf = s.OneOf, nil
	})
}

// forbids reports whether an object with declared members forbids others.
func forbids(s *jsonschema.Schema) bool {
	return (len(s.Properties) > 0 || len(s.PatternProperties) == 0) && (s.AdditionalProperties.IsBool(false) || s.UnevaluatedProperties.IsBool(false))
}

// opener finds the schemas to open.
type opener struct {
	doc    *jsonschema.Document
	seen   map[*jsonschema.Schema]bool
	unions map[*jsonschema.Schema]bool // with more than one schema in oneOf
	closed bool                        // some object forbids undeclared members
}

func (o *opener) visit(s *jsonschema.Schema) {
	if o.seen[s] {
		return
	}
	o.seen[s] = true
	o.closed = o.closed || forbids(s)
	if len(s.OneOf) > 1 {
		o.unions[s] = true
	}
	for _, next := range s.Children(true) {
		if next != s.Not && next != s.If { // opening these would allow fewer values
			o.visit(next)
		}
	}
	if target, err := o.doc.Follow(s); err == nil {
		o.visit(target)
	}
}

// lensed is the left side as the lens shows it.
type lensed struct {
	patterns
	lens    Lens
	a, b    *document
	fields  *node           // the arguments, generated as a struct whatever they declare; nil if a is not a tool's input
	plain   int             // > 0: below a negation, where the lens does not apply
	besides map[*node]*node // see beside
	bNames  map[string]bool // members that b declares; nil until needed
}

// inLens reports whether the lens keeps a value of a.
func (c *lensed) inLens(raw json.RawMessage) bool {
	if c.lens == Strict {
		return true
	}
	v, err := jsontext.Decode(raw)
	return err == nil && c.shows(v, all{c.a.of(c.a.doc.Root)})
}

func (c *lensed) shows(v any, of all) bool {
	var parts []*node
	for _, n := range of {
		parts = c.applying(v, n, parts)
	}
	switch v := v.(type) {
	case map[string]any:
		s := &shape{parts: parts}
		for _, name := range inOrder(v) {
			if c.absent(s, name) {
				return false
			}
			if !c.shows(v[name], c.memberOf(name, parts...)) {
				return false
			}
		}
	case []any:
		s := &shape{parts: parts}
		for i, item := range v {
			if !c.shows(item, s.item(i)) {
				return false
			}
		}
	}
	return true
}

// applying appends n and the schemas in it that apply to v.
func (c *lensed) applying(v any, n *node, parts []*node) []*node {
	if n == nil || slices.Contains(parts, n) {
		return parts
	}
	parts = append(parts, n)
	if more := c.beside(n); more != nil {
		parts = append(parts, more)
	}
	parts = c.applying(v, n.ref, parts)
	for _, part := range n.document.all(n.AllOf) {
		parts = c.applying(v, part, parts)
	}
	for _, branch := range n.document.all(slices.Concat(n.AnyOf, n.OneOf)) {
		if mayFit(branch, v) {
			parts = c.applying(v, branch, parts)
		}
	}
	if n.If != nil {
		next := n.Else
		if mayFit(n.document.of(n.If), v) {
			parts = c.applying(v, n.document.of(n.If), parts)
			next = n.Then
		}
		parts = c.applying(v, n.document.of(next), parts)
	}
	object, _ := v.(map[string]any)
	for _, d := range n.DependentSchemas {
		if _, ok := object[d.Name]; ok {
			parts = c.applying(v, n.document.of(d.Schema), parts)
		}
	}
	return parts
}

// mayFit reports whether a value fits a branch, or may fit it.
func mayFit(branch *node, v any) bool {
	raw, err := json.Marshal(v)
	if err != nil {
		return false
	}
	fits, known := branch.fits(raw)
	return fits || !known
}
