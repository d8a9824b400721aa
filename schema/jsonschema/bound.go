package jsonschema

// This file binds dynamic references. The target of one depends on the resources through which evaluation
// reached it. A resource that is reached in several ways is copied.

import (
	"encoding/json"
	"fmt"
	"maps"
	"strings"
)

// Bound returns a document in which each $dynamicRef, or $recursiveRef of draft 2019-09, is a $ref to what it
// refers to when evaluation starts at the root. A resource has a copy for each set of dynamic anchors in scope;
// its pointer is that of a reference to it, and "/$ref".
//
// Dynamic references that lead nowhere stay. Bound returns d itself if there are no others, or too many ways.
func (d *Document) Bound() *Document {
	b := &binder{
		doc: d, out: *d, left: maxSubschemas + len(d.pointers), anchors: map[string]map[string]*Schema{},
		scopes: map[string]*scope{}, entered: map[entry]*scope{}, copies: map[instance]*Schema{},
	}
	b.out.pointers = map[string]*Schema{}
	found := false
	for _, s := range d.pointers {
		keyword, _ := d.dynamicRef(s)
		found = found || keyword != ""
		if name, ok := d.dynamicAnchor(s); ok {
			if b.anchors[s.base] == nil {
				b.anchors[s.base] = map[string]*Schema{}
			}
			b.anchors[s.base][name] = s
		}
	}
	if !found {
		return d
	}
	start := b.enter(&scope{map[string]*Schema{}}, d.whole().base)
	b.copyOf(instance{d.whole(), start}, "")
	b.out.Root = b.out.pointers[d.Root.Pointer]
	for i := 0; i < len(b.queue); i++ {
		b.references(b.queue[i])
		if b.left < 0 {
			return d
		}
	}
	for pointer, s := range d.pointers {
		if b.out.pointers[pointer] == nil {
			b.out.pointers[pointer] = s
		}
	}
	return &b.out
}

// dynamicRef returns the keyword and the text of the dynamic reference of s; "" if it has none.
func (d *Document) dynamicRef(s *Schema) (keyword, ref string) {
	draft, _ := d.Draft()
	switch {
	case s.refAlone || draft < 2019:
		return "", ""
	case draft == 2019:
		keyword = "$recursiveRef"
	default:
		keyword = "$dynamicRef"
	}
	if raw := s.Keywords[keyword]; raw == nil || json.Unmarshal(raw, &ref) != nil || ref == "" {
		return "", ""
	}
	return keyword, ref
}

// dynamicAnchor returns the name under which dynamic references can lead to s: "" is that of $recursiveAnchor.
func (d *Document) dynamicAnchor(s *Schema) (name string, ok bool) {
	if draft, _ := d.Draft(); draft == 2019 {
		return "", string(s.Keywords["$recursiveAnchor"]) == "true" && s == d.resource(s)
	}
	raw := s.Keywords["$dynamicAnchor"]
	return name, raw != nil && json.Unmarshal(raw, &name) == nil && name != "" && d.anchors[s.base+"#"+name] == s
}

// resource returns the schema with the $id that s is below; nil if two have it.
func (d *Document) resource(s *Schema) *Schema {
	if whole := d.whole(); s.base == whole.base {
		return whole
	}
	return d.ids[s.base]
}

// binder makes a document with bound references.
type binder struct {
	doc     *Document
	out     Document
	anchors map[string]map[string]*Schema // by base
	scopes  map[string]*scope             // by the pointers of the anchors
	entered map[entry]*scope
	copies  map[instance]*Schema
	queue   []instance // whose references are not bound yet
	left    int        // schemas and anchors
	bytes   int        // of pointers
}

// scope holds the dynamic anchors of the resources that evaluation went through: of the outermost that has
// the name. Equal ones are one.
type scope struct{ anchors map[string]*Schema }

// entry is a step from a scope into the resource with a base.
type entry struct {
	*scope
	base string
}

// instance is a schema as evaluated in a scope.
type instance struct {
	s *Schema
	*scope
}

// enter returns the scope within a resource.
func (b *binder) enter(in *scope, base string) *scope {
	if known := b.entered[entry{in, base}]; known != nil {
		return known
	}
	within := maps.Clone(in.anchors)
	for name, s := range b.anchors[base] {
		if within[name] == nil {
			within[name] = s
		}
	}
	if b.left -= len(within); len(within) == len(in.anchors) || b.left < 0 {
		b.entered[entry{in, base}] = in
		return in
	}
	pointers := make(map[string]string, len(within))
	for name, s := range within {
		pointers[name] = s.Pointer
	}
	key := fmt.Sprintf("%q", pointers)
	if b.scopes[key] == nil {
		b.scopes[key] = &scope{within}
	}
	b.entered[entry{in, base}] = b.scopes[key]
	return b.scopes[key]
}

// copyOf returns the copy of an instance. The first has the pointer of its original, the others that of the
// reference to them, which is at a pointer.
func (b *binder) copyOf(i instance, at string) *Schema {
	if c := b.copies[i]; c != nil {
		return c
	}
	for _, root := range []*Schema{b.doc.resource(i.s), i.s} {
		if root == nil || b.copies[i] != nil {
			continue
		}
		to := root.Pointer
		for b.out.pointers[to] != nil {
			at += "/$ref"
			to = at
		}
		b.place(instance{root, i.scope}, root.copied(map[*Schema]*Schema{}), to)
	}
	return b.copies[i]
}

// place puts the copy c of an instance at a pointer, with its subschemas below.
func (b *binder) place(i instance, c *Schema, at string) {
	b.left--
	if b.bytes += len(at); b.bytes > maxPointers {
		b.left = -1
	}
	if b.left < 0 {
		return
	}
	c.Pointer, b.out.pointers[at] = at, c
	if b.copies[i] == nil {
		b.copies[i] = c
	}
	b.queue = append(b.queue, i)
	copies := c.Children(true)
	for n, child := range i.s.Children(true) {
		within := i.scope
		if child.base != i.s.base {
			within = b.enter(within, child.base)
		}
		b.place(instance{child, within}, copies[n], at+strings.TrimPrefix(child.Pointer, i.s.Pointer))
	}
}

// references binds the references of an instance.
func (b *binder) references(i instance) {
	c := b.copies[i]
	if c.Ref != "" {
		c.bound = b.target(i, c.Ref, false, c.Pointer)
	}
	keyword, ref := b.doc.dynamicRef(i.s)
	if keyword == "" {
		return
	}
	to := c
	if c.Ref != "" {
		to = &Schema{Pointer: c.Pointer + "/" + keyword}
	}
	target := b.target(i, ref, true, to.Pointer)
	if target == nil {
		return
	}
	to.Ref, to.bound, to.base = ref, target, c.base
	if to != c {
		c.AllOf = append(c.AllOf, to)
	}
	c.Keywords = maps.Clone(c.Keywords)
	delete(c.Keywords, keyword)
}

// target returns what a reference of an instance leads to, or nil. The copy that has it is at a pointer.
func (b *binder) target(i instance, ref string, dynamic bool, at string) *Schema {
	to, _ := b.doc.follow(&Schema{Ref: ref, base: i.s.base})
	if to == nil || to.Metaschema != "" {
		return to
	}
	in := b.enter(i.scope, to.base)
	_, fragment, _ := strings.Cut(ref, "#")
	if name, ok := b.doc.dynamicAnchor(to); ok && dynamic && name == fragment && in.anchors[name] != nil {
		to = in.anchors[name]
	}
	return b.copyOf(instance{to, in}, at)
}
