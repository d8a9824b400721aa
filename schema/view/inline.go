package view

// This file replaces references by their targets.

import (
	"encoding/json"
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/mcpgen/mcpgen/internal/jsontext"
	"github.com/mcpgen/mcpgen/schema/internal/tree"
	"github.com/mcpgen/mcpgen/schema/jsonschema"
)

// maxInlined bounds the values in an inlined schema. A schema that would grow larger, for instance because its
// definitions double each other, keeps its references.
const maxInlined = 1 << 16

// maxNested bounds the nesting of inlined definitions, so that the result can be parsed again.
const maxNested = 32

// inline returns the schema with each $ref replaced by its target, whatever the form of the reference. Siblings
// of a $ref apply: annotations such as descriptions replace those of the target, other keywords are combined
// with it by allOf. Recursive definitions stay references into the root's $defs; so do all definitions if the
// schema would exceed 65,536 values or nest more than 32 definitions. Boolean exclusive bounds become numbers,
// lists of items become prefixItems, and invalid subschemas become {}; $id and anchors are dropped, because
// nothing refers to them any more. Unresolved and external references and malformed keywords are Lost.
//
// The error is an [*schema.Error]: raw is not a schema, or exceeds the limits of [jsonschema.Parse].
func inline(raw json.RawMessage) (View, error) {
	doc, err := jsonschema.Parse(raw)
	if err != nil {
		return View{}, err
	}
	root, problem := tree.Parse(raw)
	if problem != nil {
		return View{}, problem
	}
	in := &inliner{doc: doc, source: root, names: map[*jsonschema.Schema]string{}}
	in.findCycles(doc.Root, map[*jsonschema.Schema]visit{})
	out := in.document()
	if in.values > maxInlined {
		in.keepAll = true
		out = in.document()
	}
	view := newView(&out, in.lost)
	view.asSent = in.lost == nil && !in.changed
	return view, nil
}

// inliner writes one document.
type inliner struct {
	doc     *jsonschema.Document
	source  *tree.Value
	names   map[*jsonschema.Schema]string // names of the schemas that stay references; "" until named
	keepAll bool                          // all references stay

	order  []*jsonschema.Schema // the named schemas, in order of first use
	values int                  // written values
	depth  int                  // nesting of references
	lost   []Loss

	changed bool // the spelling of something changed
}

// visit is the state of a schema in a search.
type visit byte

const (
	under visit = iota + 1 // the search is in its subschemas
	done
)

// findCycles adds one schema of each reference cycle to names.
func (in *inliner) findCycles(s *jsonschema.Schema, visits map[*jsonschema.Schema]visit) {
	if visits[s] != 0 {
		return
	}
	visits[s] = under
	next := s.Children(false)
	if target := in.target(s); target != nil {
		next = append(next, target)
	}
	for _, n := range next {
		if visits[n] == under {
			in.names[n] = ""
		}
		in.findCycles(n, visits)
	}
	visits[s] = done
}

// target returns the target of the $ref of s. It returns nil for no $ref, for an unresolved one, and for a
// metaschema, which becomes a schema of any value.
func (in *inliner) target(s *jsonschema.Schema) *jsonschema.Schema {
	if s.Ref == "" {
		return nil
	}
	target, err := in.doc.Follow(s)
	if err != nil || target.Metaschema != "" {
		return nil
	}
	return target
}

// document writes the root, with the remaining reference targets in $defs.
func (in *inliner) document() tree.Value {
	in.order, in.values, in.lost, in.changed = nil, 0, nil, false
	out := in.schema(in.source, in.doc.Root)
	var defs []tree.Member
	for i := 0; i < len(in.order); i++ { // the list grows
		s := in.order[i]
		defs = append(defs, member(in.names[s], in.schema(in.source.Lookup(s.Pointer), s)))
	}
	if defs != nil {
		set(&out, "$defs", object(defs...))
	}
	return out
}

// schema writes s; v is its source.
func (in *inliner) schema(v *tree.Value, s *jsonschema.Schema) tree.Value {
	if v.Kind != tree.Object || in.values > maxInlined {
		in.values++
		if s.Bool == nil { // allows everything
			in.changed = in.changed || v.Kind != tree.Object
			return object()
		}
		return tree.Value{Kind: v.Kind}
	}
	children := map[string]*jsonschema.Schema{}
	for _, c := range s.Children(false) {
		children[c.Pointer] = c
	}
	out := object()
	for i := range v.Kids {
		m := &v.Kids[i]
		switch m.Name {
		case "$ref", "$defs", "definitions", "$id", "$anchor", "$dynamicAnchor", "$recursiveAnchor":
		case "$dynamicRef", "$recursiveRef":
			in.lose(s, m.Name)
		default:
			if odd(s, m) {
				in.lose(s, m.Name)
				continue
			}
			out.Kids = append(out.Kids, member(m.Name, in.copy(&m.Value, s.Pointer+"/"+jsontext.EscapePointer(tree.ValidText(m.Name)), children)))
		}
	}
	in.values += len(out.Kids)
	in.changed = modern(&out) || in.changed
	if s.Ref == "" {
		return out
	}
	target := in.target(s)
	if target == nil {
		in.lose(s, "$ref")
		return out
	}
	return beside(in.use(target), out)
}

// lose records a dropped keyword, once per definition.
func (in *inliner) lose(s *jsonschema.Schema, keyword string) {
	if loss := (Loss{s.Pointer, keyword}); !slices.Contains(in.lost, loss) {
		in.lost = append(in.lost, loss)
	}
}

// copy writes a value that may contain subschemas.
func (in *inliner) copy(v *tree.Value, pointer string, children map[string]*jsonschema.Schema) tree.Value {
	if s := children[pointer]; s != nil {
		return in.schema(v, s)
	}
	in.values++
	out := tree.Value{Kind: v.Kind, Text: v.Text}
	for i := range v.Kids {
		m := &v.Kids[i]
		part := strconv.Itoa(i)
		if v.Kind == tree.Object {
			part = jsontext.EscapePointer(tree.ValidText(m.Name))
		}
		out.Kids = append(out.Kids, member(m.Name, in.copy(&m.Value, pointer+"/"+part, children)))
	}
	return out
}

// use writes the target of a reference.
func (in *inliner) use(s *jsonschema.Schema) tree.Value {
	name, named := in.names[s]
	if !named && !in.keepAll {
		if in.depth++; in.depth > maxNested {
			in.values = maxInlined + 1
		}
		defer func() { in.depth-- }()
		return in.schema(in.source.Lookup(s.Pointer), s)
	}
	if s == in.doc.Root {
		return object(member("$ref", text("#")))
	}
	if !slices.Contains(in.order, s) {
		if name == "" {
			name = in.newName(s.Pointer)
			in.names[s] = name
		}
		in.order = append(in.order, s)
	}
	return object(member("$ref", text("#/$defs/"+name)))
}

// newName names a definition after the last segment of its pointer.
func (in *inliner) newName(pointer string) string {
	name := strings.Map(func(r rune) rune {
		if r < 0x80 && (r == '_' || r == '-' || '0' <= r && r <= '9' || 'a' <= r|0x20 && r|0x20 <= 'z') {
			return r
		}
		return '_'
	}, jsontext.LastName(pointer))
	taken := func(name string) bool {
		return name == "" || slices.Contains(slices.Collect(maps.Values(in.names)), name)
	}
	for n, first := 2, name; taken(name); n++ {
		name = first + "_" + strconv.Itoa(n)
	}
	return name
}

// exclusive converts a boolean bound of draft 04 to a number, and reports whether there was one.
func exclusive(v *tree.Value, flag, bound string) bool {
	f, b := v.Get(flag), v.Get(bound)
	if f == nil || f.Kind != tree.True && f.Kind != tree.False {
		return false
	}
	drop := flag
	if f.Kind == tree.True && b != nil {
		*f, drop = *b, bound
	}
	v.Kids = slices.DeleteFunc(v.Kids, func(m tree.Member) bool { return m.Name == drop })
	return true
}

// beside combines the target of a reference with the reference's sibling keywords.
func beside(target, keywords tree.Value) tree.Value {
	if len(keywords.Kids) == 0 {
		return target
	}
	constraint := slices.ContainsFunc(keywords.Kids, func(m tree.Member) bool { return !isAnnotation(m.Name) })
	if target.Kind == tree.Object && (!constraint || target.Get("$ref") != nil) {
		for _, m := range keywords.Kids {
			set(&target, m.Name, m.Value)
		}
		return target
	}
	all := array(element(target))
	if more := keywords.Get("allOf"); more != nil {
		all.Kids = append(all.Kids, more.Kids...)
	}
	set(&keywords, "allOf", all)
	return keywords
}
