package compat

// This file holds the lenses: b as a decoder takes it, and the values of a that
// are sent.

import (
	"bytes"
	"encoding/json"
	"slices"
	"strings"

	"github.com/mcpgen/mcpgen/schema/internal/tree"
	"github.com/mcpgen/mcpgen/schema/jsonschema"
)

// open returns a document without what forbids undeclared members. Objects
// without declared ones are left alone: they are maps, which a decoder reads in
// whole.
func open(doc *jsonschema.Document) (*jsonschema.Document, error) {
	o := &opener{doc: doc, seen: map[*jsonschema.Schema]bool{}, opened: map[*jsonschema.Schema]bool{}}
	o.visit(doc.Root)
	if len(o.opened) == 0 {
		return doc, nil
	}
	raw, err := json.Marshal(doc.Root.Keywords)
	if err != nil {
		return nil, err
	}
	root, problem := tree.Parse(raw)
	if problem != nil {
		return nil, problem
	}
	root.Sort(strings.Compare)
	for s := range o.opened {
		drop(root.Lookup(s.Pointer), func(m tree.Member) bool {
			return m.Kind == tree.False && (m.Name == "additionalProperties" || m.Name == "unevaluatedProperties")
		})
	}
	for _, union := range o.unions {
		if v := root.Lookup(union.Pointer); v != nil && !o.pointed && o.touched(union) {
			drop(v, func(m tree.Member) bool { return m.Name == "anyOf" })
			if i := slices.IndexFunc(v.Kids, func(m tree.Member) bool { return m.Name == "oneOf" }); i >= 0 {
				v.Kids[i].Name = "anyOf"
			}
		}
	}
	return jsonschema.Parse(tree.AppendCanonical(nil, root))
}

// drop takes members out of an object; v may be nil.
func drop(v *tree.Value, which func(tree.Member) bool) {
	if v != nil {
		v.Kids = slices.DeleteFunc(v.Kids, which)
	}
}

// opener collects what is changed.
type opener struct {
	doc     *jsonschema.Document
	seen    map[*jsonschema.Schema]bool
	opened  map[*jsonschema.Schema]bool // schemas that forbid undeclared members
	unions  []*jsonschema.Schema        // with oneOf and no anyOf, innermost first
	pointed bool                        // a reference leads into a oneOf
}

// touched reports whether an alternative of a union was opened, or a schema that
// can be reached from one. Only then may more of them fit than before.
func (o *opener) touched(union *jsonschema.Schema) bool {
	return reaches(union.OneOf, o.reached, func(s *jsonschema.Schema) bool { return o.opened[s] })
}

// reached returns the schemas in s, and what it refers to.
func (o *opener) reached(s *jsonschema.Schema) []*jsonschema.Schema {
	out := s.Children(true)
	if target, err := o.doc.Follow(s); err == nil && target != s {
		out = append(out, target)
	}
	return out
}

func (o *opener) visit(s *jsonschema.Schema) {
	if o.seen[s] {
		return
	}
	o.seen[s] = true
	for _, next := range o.reached(s) {
		o.visit(next)
	}
	o.pointed = o.pointed || strings.Contains(s.Ref, "/oneOf/")
	if (len(s.Properties) > 0 || len(s.PatternProperties) == 0) && (s.AdditionalProperties.IsBool(false) || s.UnevaluatedProperties.IsBool(false)) {
		o.opened[s] = true
	}
	if len(s.OneOf) > 0 && len(s.AnyOf) == 0 {
		o.unions = append(o.unions, s)
	}
}

// inLens reports whether a value of a is among those that the lens shows.
func (c *checker) inLens(raw json.RawMessage) bool {
	if c.lens == Strict {
		return true
	}
	d := json.NewDecoder(bytes.NewReader(raw))
	d.UseNumber()
	var v any
	return d.Decode(&v) == nil && c.shows(v, all{c.a.of(c.a.doc.Root)})
}

func (c *checker) shows(v any, of all) bool {
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
			var of all
			for _, n := range parts {
				of = append(of, c.memberOf(n, name)...)
			}
			if !c.shows(v[name], of) {
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

// applying adds the schemas in n that apply to a value.
func (c *checker) applying(v any, n *node, parts []*node) []*node {
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
		if n.holds(branch, v) {
			parts = c.applying(v, branch, parts)
		}
	}
	if n.If != nil {
		next := n.Else
		if n.holds(n.document.of(n.If), v) {
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

// holds reports whether a value fits a schema in n.
func (n *node) holds(branch *node, v any) bool {
	raw, err := json.Marshal(v)
	if err != nil {
		return false
	}
	fits, known := branch.fits(raw)
	return fits || !known
}
