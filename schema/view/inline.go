package view

// This file replaces references by what they lead to.

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

// maxInlined is how many values a schema may grow to. A schema that would grow
// further, as one whose definitions double each other does, keeps its references.
const maxInlined = 1 << 16

// maxNested is how many definitions may stand in each other, so that what is
// written can be read again.
const maxNested = 32

// Inline returns the schema with each $ref replaced by what it leads to, whatever
// form the reference has. Keywords beside a $ref count: descriptions and other
// annotations replace those of the definition, anything else stands beside it in an
// allOf. Definitions that contain themselves, and all definitions if the schema
// would grow beyond 65,536 values or nest 32 of them, are in the root's $defs and referred to there.
// Boolean exclusive bounds become numbers, lists of items prefixItems, and what is not a
// schema where one has to be becomes {}; $id and anchors go, since nothing refers
// to them any more. Lost are the references that lead nowhere or out of the schema, and
// keywords that have not the form that JSON Schema gives them.
//
// The error is an [*schema.Error]: raw is not a schema, or is beyond the bounds of
// [jsonschema.Parse].
func Inline(raw json.RawMessage) (View, error) {
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
	view.AsSent = in.lost == nil && !in.changed
	return view, nil
}

// inliner writes one document.
type inliner struct {
	doc     *jsonschema.Document
	source  *tree.Value
	names   map[*jsonschema.Schema]string // of those that stay references; "" is not named yet
	keepAll bool                          // every reference stays one

	order  []*jsonschema.Schema // the named ones, in the order of their first use
	values int                  // written so far
	depth  int                  // of references in references
	lost   []Loss

	changed bool // something is spelled in another way now
}

// visit is how far a search has come with a schema.
type visit byte

const (
	under visit = iota + 1 // the search is below it
	done
)

// findCycles adds to names a schema of each circle of references.
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

// target returns what the $ref of s leads to; nil without one, or if it leads
// nowhere, or to a metaschema: models get any value there.
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

// document writes the root, and below $defs what it refers to.
func (in *inliner) document() tree.Value {
	in.order, in.values, in.lost, in.changed = nil, 0, nil, false
	out := in.schema(in.source, in.doc.Root)
	var defs []tree.Member
	for i := 0; i < len(in.order); i++ { // it grows on the way
		s := in.order[i]
		defs = append(defs, member(in.names[s], in.schema(in.source.Lookup(s.Pointer), s)))
	}
	if defs != nil {
		set(&out, "$defs", object(defs...))
	}
	return out
}

// schema writes s, whose text is v.
func (in *inliner) schema(v *tree.Value, s *jsonschema.Schema) tree.Value {
	if v.Kind != tree.Object || in.values > maxInlined {
		in.values++
		if s.Bool == nil { // anything
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

// lose records a keyword that is left out, once for a definition that is used twice.
func (in *inliner) lose(s *jsonschema.Schema, keyword string) {
	if loss := (Loss{s.Pointer, keyword}); !slices.Contains(in.lost, loss) {
		in.lost = append(in.lost, loss)
	}
}

// copy writes a value in which children may stand.
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

// use writes what a reference leads to.
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

// newName names a definition by the end of its pointer.
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

// exclusive makes a number of draft 04's boolean bound, and reports whether there was one.
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

// beside joins what a reference leads to with the keywords that stand beside it.
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
