package decide

// The types of one side of one tool: its arguments or its result.

import (
	"context"
	"encoding/json"

	"github.com/mcpgen/mcpgen/generator/internal/ir"
	"github.com/mcpgen/mcpgen/schema/jsonschema"
)

// The bounds of one side. Beyond them types get looser, with a warning.
const (
	maxTypes   = 5000    // declared types
	maxLines   = 30_000  // of Go that they take, about
	maxWords   = 4 << 20 // bytes of comments in them
	maxSteps   = 300_000 // members and variants that are looked at to combine schemas
	maxDepth   = 100     // arrays of maps of arrays …
	maxPointer = 2048    // bytes; grows only where definitions are combined with each other
)

// Why a type is wider than its schema: a bound was reached.
const (
	tooMany     = "there are more types than one tool can have"
	tooInvolved = "its definitions can be combined in too many ways"
)

// side builds the types of one side of one tool. References are followed once:
// a schema has one type wherever it is referred to from.
type side struct {
	ctx     context.Context // ends the work early; what was made is then of no use
	w       *warner
	it      *item  // whose side it is
	at      string // place of the schema in the definition, such as /inputSchema
	word    string // Args or Result
	results bool
	doc     *jsonschema.Document

	root    *ir.Ref
	notes   []string // why root is wider than the schema
	decls   []*decl  // in the order of creation
	queue   []*decl  // structs whose fields are still missing
	exprs   map[string]*expr
	depth   int
	views   map[*jsonschema.Schema]*folded
	folding int
	nulls   map[*jsonschema.Schema]bool
	steps   int // of maxSteps
	lines   int // of maxLines
	words   int // of maxWords
	share   int // how many tools' bounds it has; at least 1

	joint map[*jsonschema.Schema]string // the key of the set that a schema was made of
	sets  map[string]*jsonschema.Schema // by that key: the schema that stands for the set
	ids   map[*jsonschema.Schema]int    // numbers for keys

	declaredIf map[*jsonschema.Schema][]*jsonschema.Schema // members that only conditions declare, and how
	opened     map[*jsonschema.Schema]bool                 // made because conditions say which members there may be
	mentioned  map[*jsonschema.Schema][]string             // members that a view speaks of without declaring them
	lost       map[string]string                           // by pointer: why its $ref cannot be resolved
	hints      map[string][]json.RawMessage                // by pointer: values that are known where others are as good
	matched    map[string]string                           // by pointer: what these others match
	listings   map[*jsonschema.Schema]string               // the names of the definitions that list the types of views
	variants   map[string]string                           // by pointer: what a variant is called behind its union
	shorts     map[string]string                           // by pointer: the same in short names, if that is something else
	titles     map[string]string                           // by pointer: the names of schemas that have some of their own
	called     map[string]string                           // by pointer: what types of members of different names are called
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
	key    string // place of the property in the definition
	name   string // the Go name that it asks for; "" is that of the wire name
}

func newSide(ctx context.Context, w *warner, it *item, word, at string, doc *jsonschema.Document) *side {
	return &side{
		ctx: ctx, w: w, it: it, word: word, at: at, doc: doc.Bound(), results: word == "Result",
		share: 1, exprs: map[string]*expr{},
		views: map[*jsonschema.Schema]*folded{},
		nulls: map[*jsonschema.Schema]bool{},

		joint: map[*jsonschema.Schema]string{},
		sets:  map[string]*jsonschema.Schema{},
		ids:   map[*jsonschema.Schema]int{},

		declaredIf: map[*jsonschema.Schema][]*jsonschema.Schema{},
		opened:     map[*jsonschema.Schema]bool{},
		mentioned:  map[*jsonschema.Schema][]string{},
		lost:       map[string]string{},
		hints:      map[string][]json.RawMessage{},
		matched:    map[string]string{},
		listings:   map[*jsonschema.Schema]string{},
		variants:   map[string]string{},
		shorts:     map[string]string{},
	}
}

// args builds the arguments. The root is a struct whatever the schema says.
func (b *side) args() {
	v, why := b.view(b.doc.Root)
	if why == "" {
		v, why = b.oneObject(v)
	}
	if why != "" {
		v = &jsonschema.Schema{Types: []string{"object"}, AdditionalProperties: &jsonschema.Schema{Pointer: "/additionalProperties", Bool: new(true)}}
		b.warn(b.doc.Root.Pointer, why+": all arguments are in Extra")
	}
	v, bare := b.undescribed(v)
	d := b.declare(ir.Struct, v)
	if bare {
		b.warn(b.doc.Root.Pointer, "it declares no properties and allows any: all arguments are in Extra")
		d.notes = append(d.notes, "All arguments are in Extra: the schema declares no properties and allows any.")
	}
	b.unfollowed(v, expr{ref: named(d)})
	if why != "" {
		d.notes = append(d.notes, "All members are in Extra: the schema is not that of one object, "+why+".")
	}
	b.root = named(d)
	b.exprs[v.Pointer] = &expr{ref: b.root}
	b.queue = append(b.queue, d)
	b.finish()
}

// result builds the result, by value if it is not an object.
func (b *side) result() {
	e := b.expr(b.doc.Root)
	b.root, b.notes = exactRoot(e.ref), e.notes
	if e.ref.Kind != ir.Raw && !isInterface(e.ref) && b.typed(b.doc.Root) && b.admitsNull(b.doc.Root) {
		b.root = pointer(b.root)
	}
	b.finish()
}

// declare adds a type that will be named.
func (b *side) declare(kind ir.Kind, v *jsonschema.Schema) *decl {
	d := &decl{
		side: b, v: v, pointer: v.Pointer,
		t: &ir.Type{
			Kind: kind,
			Tool: b.it.wire,
			Path: b.it.wire + " " + b.at + v.Pointer,
		},
	}
	b.decls = append(b.decls, d)
	return d
}

// spend counts steps of work. It reports false when there were too many, or when
// the run has ended: then every schema that has to be combined is any value.
func (b *side) spend(steps int) bool {
	b.steps = min(b.steps+steps, b.share*maxSteps)
	return b.steps < b.share*maxSteps && b.ctx.Err() == nil
}

// room reports whether there is room for one more type of so many lines.
func (b *side) room(lines int) bool {
	if len(b.decls) >= b.share*maxTypes || b.lines+lines > b.share*maxLines {
		return false
	}
	b.lines += lines
	return true
}

// warn reports something about the schema at pointer.
func (b *side) warn(pointer, reason string) { b.w.add(b.it.wire, b.at+pointer, reason) }

// untyped is the type of any value.
func (b *side) untyped() *ir.Ref {
	if b.results {
		return &ir.Ref{Kind: ir.Raw}
	}
	return &ir.Ref{Kind: ir.Any}
}

// wide is the type of a schema that cannot be typed, for the reason given.
func (b *side) wide(s *jsonschema.Schema, why string) expr {
	b.warn(s.Pointer, why+": typed as any value")
	return expr{ref: b.untyped(), notes: []string{"Any value, although the schema says more: " + why + "."}}
}

// expr returns what s is in Go. Null is up to the field, element or variable that holds the value.
func (b *side) expr(s *jsonschema.Schema) expr {
	v, why := b.view(s)
	switch {
	case why != "":
		return b.wide(s, why)
	case b.depth >= maxDepth:
		return b.wide(s, "it is nested too deep")
	case len(v.Pointer) > maxPointer:
		return b.wide(s, "its parts are defined by themselves")
	}
	if e, ok := b.exprs[v.Pointer]; ok {
		return b.again(e, v)
	}
	e := &expr{busy: true}
	b.exprs[v.Pointer] = e
	b.depth++
	made := b.unfollowed(v, b.make(v))
	b.depth--
	e.busy, e.ref, e.notes = false, made.ref, made.notes
	if e.alias != nil {
		e.alias.t.Of = e.ref
		e.ref = named(e.alias)
	}
	return *e
}

// again returns the type of a schema that was met before. If it is still being
// made, it is an array or a map that contains itself: that takes a name.
func (b *side) again(e *expr, v *jsonschema.Schema) expr {
	if !e.busy {
		return *e
	}
	if e.alias == nil {
		e.alias = b.declare(ir.Alias, v)
	}
	return expr{ref: named(e.alias)}
}

// make decides by the one type that v has.
func (b *side) make(v *jsonschema.Schema) expr {
	if v.IsBool(false) {
		return expr{ref: b.untyped(), notes: []string{"No value is valid."}}
	}
	if v.Bool != nil {
		return expr{ref: b.untyped()}
	}
	if v.Metaschema != "" {
		return expr{ref: b.untyped(), notes: []string{"Any value, although the schema says more: it is a JSON Schema, by " + v.Metaschema + "."}}
	}
	if isUnion(v) {
		return b.union(v)
	}
	ks := kinds(v)
	switch {
	case len(ks) == 0:
		return b.noType(v)
	case len(ks) > 1:
		return b.union(v)
	}
	switch ks[0] {
	case "array":
		return b.array(v)
	case "object":
		return b.object(v)
	}
	if v.Values() != nil {
		return b.enum(v, ks[0])
	}
	if hints := b.hints[v.Pointer]; hints != nil {
		return b.openEnum(v, hints, ks[0])
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

// noType is a schema that names no type. Any value is valid then, even if it describes
// objects or arrays: those are one variant among all values.
func (b *side) noType(v *jsonschema.Schema) expr {
	if v.Types == nil && (describesObject(v) || describesArray(v)) {
		return b.union(v)
	}
	if v.Types != nil || v.Values() != nil {
		return expr{ref: b.untyped(), notes: []string{"Only null is valid."}}
	}
	return expr{ref: b.untyped()} // the schema is empty
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

func (b *side) array(v *jsonschema.Schema) expr {
	if len(v.PrefixItems) > 0 {
		return b.tuple(v)
	}
	if v.Items == nil {
		return expr{ref: slice(b.untyped())}
	}
	if v.Items.IsBool(false) {
		return expr{ref: slice(b.untyped()), notes: []string{"Only an empty list is valid."}}
	}
	e := b.expr(v.Items)
	return expr{ref: slice(b.element(e.ref, v.Items)), notes: e.notes}
}

// element is the type of values in an array or a map: a pointer if null has to be
// distinguished from a value.
func (b *side) element(ref *ir.Ref, s *jsonschema.Schema) *ir.Ref {
	if !holdsNull(ref) && b.admitsNull(s) {
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
