package decide

// The types of schemas. A schema has one type wherever it is referred to from, so references
// are followed once.

import (
	"fmt"
	"slices"

	"github.com/mcpgen/mcpgen/generator/internal/ir"
	"github.com/mcpgen/mcpgen/schema/jsonschema"
)

// maker makes the types of the schemas of one side. What structs, tuples and unions consist of
// is made last, in complete, since they may contain themselves.
type maker struct {
	*views
	decls []*decl // in the order of creation
	queue []*decl // those whose content is still missing
	exprs map[string]*expr
	depth int
}

// expr is the Go form of one schema, apart from null.
type expr struct {
	ref   *ir.Ref
	notes []string // why it is wider than the schema
	busy  bool
	alias *decl // declared because the type contains itself
}

// member is a field before it has its name.
type member struct {
	f      *ir.Field
	schema *jsonschema.Schema
	key    string   // place of the property in the definition
	name   string   // the Go name that it asks for; "" is that of the wire name
	mapped []string // the constants that mean its type in unions with a discriminator
}

// declare adds a type that will be named.
func (mk *maker) declare(kind ir.Kind, v *jsonschema.Schema) *decl {
	d := &decl{v: v, pointer: v.Pointer, t: &ir.Type{Kind: kind, Tool: mk.it.wire, Path: mk.path(v)}}
	mk.budget.types++
	mk.decls = append(mk.decls, d)
	return d
}

// path identifies the type of v.
func (mk *maker) path(v *jsonschema.Schema) string { return mk.it.wire + " " + mk.at + v.Pointer }

// begin declares a type whose content follows.
func (mk *maker) begin(kind ir.Kind, v *jsonschema.Schema) *decl {
	d := mk.declare(kind, v)
	mk.queue = append(mk.queue, d)
	return d
}

// wide is the type of a schema that cannot be typed, for the reason given.
func (mk *maker) wide(s *jsonschema.Schema, why string) expr {
	mk.warn(s.Pointer, why+": typed as any value")
	return expr{ref: mk.untyped(), notes: []string{"Any value, although the schema says more: " + why + "."}}
}

// expr returns what s is in Go. Null is up to the field, element or variable that holds the value.
func (mk *maker) expr(s *jsonschema.Schema) expr {
	v, why := mk.view(s)
	switch {
	case why != "":
		return mk.wide(s, why)
	case mk.depth >= maxDepth:
		return mk.wide(s, "it is nested too deep")
	case len(v.Pointer) > maxPointer:
		return mk.wide(s, "its parts are defined by themselves")
	}
	if e, ok := mk.exprs[v.Pointer]; ok {
		return mk.again(e, v)
	}
	e := &expr{busy: true}
	mk.exprs[v.Pointer] = e
	mk.depth++
	made := mk.unfollowed(v, mk.make(v))
	mk.depth--
	e.busy, e.ref, e.notes = false, made.ref, made.notes
	if e.alias != nil {
		e.alias.t.Of = e.ref
		e.ref = named(e.alias)
	}
	return *e
}

// again returns the type of a schema that was met before. If it is still being
// made, it is an array or a map that contains itself: that takes a name.
func (mk *maker) again(e *expr, v *jsonschema.Schema) expr {
	if !e.busy {
		return *e
	}
	if e.alias == nil {
		e.alias = mk.declare(ir.Alias, v)
	}
	return expr{ref: named(e.alias)}
}

// complete makes what structs, tuples and unions consist of, and returns all types.
func (mk *maker) complete() []*decl {
	for len(mk.queue) > 0 {
		d := mk.queue[0]
		mk.queue = mk.queue[1:]
		switch d.t.Kind {
		case ir.Union:
			mk.variantsOf(d)
		case ir.Tuple:
			mk.elements(d)
		default:
			mk.fill(d)
		}
	}
	return mk.decls
}

// make decides by the one type that v has.
func (mk *maker) make(v *jsonschema.Schema) expr {
	if v.IsBool(false) {
		return expr{ref: mk.untyped(), notes: []string{"No value is valid."}}
	}
	if v.Bool != nil {
		return expr{ref: mk.untyped()}
	}
	if v.Metaschema != "" {
		note := "Any value, although the schema says more: it is a JSON Schema, by " + v.Metaschema + "."
		return expr{ref: mk.untyped(), notes: []string{note}}
	}
	if isUnion(v) {
		return mk.union(v)
	}
	ks := kinds(v)
	switch {
	case len(ks) == 0:
		return mk.noType(v)
	case len(ks) > 1:
		return mk.union(v)
	}
	switch ks[0] {
	case "array":
		return mk.array(v)
	case "object":
		return mk.object(v)
	}
	if v.Values() != nil {
		return mk.enum(v, ks[0])
	}
	if hints := mk.hints[v.Pointer]; hints != nil {
		return mk.openEnum(v, hints, ks[0])
	}
	if ks[0] == "integer" && v.Format == "" && beyondInt64(v) {
		return expr{ref: basic("uint64")}
	}
	if name := textType(v); name != "" {
		return expr{ref: &ir.Ref{Kind: ir.Text, Name: name}}
	}
	return expr{ref: basic(scalar(ks[0], v.Format))}
}

// textType is the type of package format for the texts of a format, or "".
func textType(v *jsonschema.Schema) string {
	if ks := kinds(v); len(ks) != 1 || ks[0] != "string" || v.Values() != nil {
		return ""
	}
	switch v.Format {
	case "date-time":
		return "DateTime"
	case "date":
		return "Date"
	case "uri", "uri-reference", "url":
		return "URI"
	case "uuid":
		return "UUID"
	case "byte", "base64":
		return "Base64"
	case "ipv4", "ipv6":
		return "IP"
	case "":
		if v.ContentEncoding == "base64" {
			return "Base64"
		}
	}
	return ""
}

// widerType ends a warning where only the local part of a schema is typed.
const widerType = ": the type is wider"

// unfollowed says of the type of v that it is wider than v, if a reference of v that is
// dynamic, or leads nowhere, says more.
func (mk *maker) unfollowed(v *jsonschema.Schema, e expr) expr {
	why := mk.lost[v.Pointer]
	if keyword := dynamic(v); keyword != "" {
		why = fmt.Sprintf("its %s is not followed", keyword)
	}
	if why == "" {
		return e
	}
	if e.ref.Kind == mk.untyped().Kind {
		return mk.wide(v, why)
	}
	mk.warn(v.Pointer, why+widerType)
	note := "The type is wider than the schema: " + why + "."
	if last := len(mk.decls) - 1; e.ref.Kind == ir.Named && last >= 0 && mk.decls[last].t == e.ref.Decl {
		mk.decls[last].notes = append(mk.decls[last].notes, note)
		return e
	}
	e.notes = append(slices.Clip(e.notes), note)
	return e
}

// noType is a schema that names no type. Any value is valid then, even if it describes
// objects or arrays: those are one variant among all values.
func (mk *maker) noType(v *jsonschema.Schema) expr {
	if v.Types == nil && (describesObject(v) || describesArray(v)) {
		return mk.union(v)
	}
	if v.Types != nil || v.Values() != nil {
		return expr{ref: mk.untyped(), notes: []string{"Only null is valid."}}
	}
	return expr{ref: mk.untyped()} // the schema is empty
}

// scalar is the Go type of a scalar JSON type.
func scalar(kind, format string) string {
	switch {
	case kind == "boolean":
		return "bool"
	case kind == "number":
		return "float64"
	case kind != "integer":
		return "string"
	case format == "int64" || format == "uint64":
		return format
	}
	return "int"
}

func (mk *maker) array(v *jsonschema.Schema) expr {
	if len(v.PrefixItems) > 0 {
		return mk.tuple(v)
	}
	if v.Items == nil {
		return expr{ref: slice(mk.untyped())}
	}
	if v.Items.IsBool(false) {
		return expr{ref: slice(mk.untyped()), notes: []string{"Only an empty list is valid."}}
	}
	e := mk.expr(v.Items)
	return expr{ref: slice(mk.element(e.ref, v.Items)), notes: e.notes}
}

// element is the type of values in an array or a map: a pointer if null has to be
// distinguished from a value.
func (mk *maker) element(ref *ir.Ref, s *jsonschema.Schema) *ir.Ref {
	if !holdsNull(ref) && mk.admitsNull(s) {
		return pointer(ref)
	}
	return ref
}

// holdsNull reports whether a value of that type can be null. A nil slice or map
// cannot: it is sent as an empty one.
func holdsNull(ref *ir.Ref) bool {
	switch ref.Kind {
	case ir.Any, ir.Raw, ir.Pointer:
		return true
	}
	return isInterface(ref)
}

// holdsNil reports whether a value of that type can be nil, which means that the member
// is absent.
func holdsNil(ref *ir.Ref) bool {
	switch ref.Kind {
	case ir.Named:
		return ref.Decl.Kind == ir.Alias || isInterface(ref)
	case ir.Basic, ir.Text, ir.Number, ir.Opt, ir.Array:
		return false
	}
	return true
}

// isInterface reports whether a type is a union: nil is null or absent.
func isInterface(ref *ir.Ref) bool { return ref.Kind == ir.Named && ref.Decl.Kind == ir.Union }

func named(d *decl) *ir.Ref         { return &ir.Ref{Kind: ir.Named, Decl: d.t} }
func basic(name string) *ir.Ref     { return &ir.Ref{Kind: ir.Basic, Name: name} }
func slice(elem *ir.Ref) *ir.Ref    { return &ir.Ref{Kind: ir.Slice, Elem: elem} }
func mapping(elem *ir.Ref) *ir.Ref  { return &ir.Ref{Kind: ir.Map, Elem: elem} }
func pointer(elem *ir.Ref) *ir.Ref  { return &ir.Ref{Kind: ir.Pointer, Elem: elem} }
func optional(elem *ir.Ref) *ir.Ref { return &ir.Ref{Kind: ir.Opt, Elem: elem} }
