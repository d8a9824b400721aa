package compat

// This file holds the lenses: b as a decoder takes it, and the values of a that
// are sent.

import (
	"bytes"
	"encoding/json"
	"slices"
	"strconv"
	"strings"

	"github.com/mcpgen/mcpgen/internal/jsontext"
	"github.com/mcpgen/mcpgen/schema/jsonschema"
)

// open returns a document without what forbids undeclared members. Objects
// without declared ones are left alone: they are maps, which a decoder reads in
// whole.
func open(doc *jsonschema.Document) (*jsonschema.Document, error) {
	o := &opener{doc: doc, seen: map[*jsonschema.Schema]bool{}, opened: map[*jsonschema.Schema]bool{}}
	o.visit(doc.Root)
	if len(o.drop) == 0 {
		return doc, nil
	}
	raw, err := json.Marshal(doc.Root.Keywords)
	if err != nil {
		return nil, err
	}
	d := json.NewDecoder(bytes.NewReader(raw))
	d.UseNumber()
	var root any
	if err := d.Decode(&root); err != nil {
		return nil, err
	}
	for _, pointer := range o.drop {
		remove(root, pointer)
	}
	if !o.pointed {
		for _, union := range o.unions {
			if o.touched(union) {
				rename(root, union.Pointer)
			}
		}
	}
	if raw, err = json.Marshal(root); err != nil {
		return nil, err
	}
	return jsonschema.Parse(raw)
}

// opener collects what is changed, innermost first.
type opener struct {
	doc     *jsonschema.Document
	seen    map[*jsonschema.Schema]bool
	drop    []string                    // keywords that forbid undeclared members
	opened  map[*jsonschema.Schema]bool // schemas that had such a keyword
	unions  []*jsonschema.Schema        // with oneOf and no anyOf
	pointed bool                        // a reference leads into a oneOf
}

// touched reports whether an alternative of a union was opened, or a schema that
// can be reached from one. Only then may more of them fit than before.
func (o *opener) touched(union *jsonschema.Schema) bool {
	seen := map[*jsonschema.Schema]bool{}
	queue := slices.Clone(union.OneOf)
	for len(queue) > 0 {
		next := queue[len(queue)-1]
		queue = queue[:len(queue)-1]
		if seen[next] {
			continue
		}
		seen[next] = true
		if o.opened[next] {
			return true
		}
		queue = append(queue, next.Children(true)...)
		if next.Ref != "" {
			if target, err := o.doc.Follow(next); err == nil {
				queue = append(queue, target)
			}
		}
	}
	return false
}

func (o *opener) visit(s *jsonschema.Schema) {
	if o.seen[s] {
		return
	}
	o.seen[s] = true
	for _, child := range s.Children(true) {
		o.visit(child)
	}
	if s.Ref != "" {
		o.pointed = o.pointed || strings.Contains(s.Ref, "/oneOf/")
		if target, err := o.doc.Follow(s); err == nil {
			o.visit(target)
		}
	}
	forbids := func(more *jsonschema.Schema) bool { return more != nil && more.Bool != nil && !*more.Bool }
	if len(s.Properties) > 0 || len(s.PatternProperties) == 0 {
		if forbids(s.AdditionalProperties) {
			o.drop = append(o.drop, s.Pointer+"/additionalProperties")
			o.opened[s] = true
		}
		if forbids(s.UnevaluatedProperties) {
			o.drop = append(o.drop, s.Pointer+"/unevaluatedProperties")
			o.opened[s] = true
		}
	}
	if len(s.OneOf) > 0 && len(s.AnyOf) == 0 {
		o.unions = append(o.unions, s)
	}
}

// at returns what stands at a pointer, nil if nothing does.
func at(root any, parts []string) any {
	for _, part := range parts {
		part = jsontext.UnescapePointer(part)
		switch v := root.(type) {
		case map[string]any:
			root = v[part]
		case []any:
			i, err := strconv.Atoi(part)
			if err != nil || i < 0 || i >= len(v) {
				return nil
			}
			root = v[i]
		default:
			return nil
		}
	}
	return root
}

func remove(root any, pointer string) {
	parts := strings.Split(pointer, "/")[1:]
	if m, ok := at(root, parts[:len(parts)-1]).(map[string]any); ok {
		delete(m, parts[len(parts)-1])
	}
}

func rename(root any, pointer string) {
	if m, ok := at(root, strings.Split(pointer, "/")[1:]).(map[string]any); ok {
		m["anyOf"] = m["oneOf"]
		delete(m, "oneOf")
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
