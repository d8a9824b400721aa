package decide

// One side of one tool, its arguments or its result, and the steps to its types: the views say
// what its schemas mean, the maker makes types of them, and finish decides what needs all types.

import (
	"context"
	"slices"

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

// source is where the schemas of a side come from.
type source struct {
	w       *warner
	it      *item  // whose side it is
	word    string // Args, Vars or Result: part of the names of its types
	at      string // place of the schema in the definition, such as /inputSchema
	results bool
	alone   bool // the schemas belong to no tool
}

// warn reports something about the schema at pointer.
func (src *source) warn(pointer, reason string) { src.w.add(src.it.wire, src.at+pointer, reason) }

// untyped is the type of any value.
func (src *source) untyped() *ir.Ref {
	if src.results {
		return &ir.Ref{Kind: ir.Raw}
	}
	return &ir.Ref{Kind: ir.Any}
}

// received reports whether only servers write the values, as in results. In types without
// a server, programs write values as well.
func (src *source) received() bool { return src.results && !src.alone }

// budget bounds the work on one side.
type budget struct {
	ctx   context.Context // ends the work early; what was made is then of no use
	share int             // how many tools' bounds it has; at least 1
	types int             // of maxTypes
	lines int             // of maxLines
	words int             // of maxWords
	steps int             // of maxSteps
}

// spend counts steps of work. It reports false when there were too many, or when
// the run has ended: then every schema that has to be combined is any value.
func (b *budget) spend(steps int) bool {
	b.steps = min(b.steps+steps, b.share*maxSteps)
	return b.steps < b.share*maxSteps && b.ctx.Err() == nil
}

// room reports whether there is room for one more type of so many lines.
func (b *budget) room(lines int) bool {
	if b.types >= b.share*maxTypes || b.lines+lines > b.share*maxLines {
		return false
	}
	b.lines += lines
	return true
}

// side is one side of one tool, with what the steps hand on.
type side struct {
	*source
	*maker // nil once the side was released

	root  *ir.Ref
	notes []string // why root is wider than the schema
	decls []*decl  // all types, in the order of creation
}

func newSide(ctx context.Context, from *source, doc *jsonschema.Document) *side {
	c := &called{titles: map[string]string{}, variants: map[string]string{}, shorts: map[string]string{}}
	vs := newViews(from, doc.Bound(), &budget{ctx: ctx, share: 1}, c)
	return &side{source: from, maker: &maker{views: vs, exprs: map[string]*expr{}}}
}

// args builds the arguments. The root is a struct whatever the schema says.
func (b *side) args() {
	root := b.doc.Root
	v, why := b.view(root)
	if why == "" {
		v, why = b.oneObject(v)
	}
	if why != "" {
		v = &jsonschema.Schema{
			Types:                []string{"object"},
			AdditionalProperties: &jsonschema.Schema{Pointer: "/additionalProperties", Bool: new(true)}}
		b.warn(root.Pointer, why+": all arguments are in Extra")
	}
	v, bare := b.undescribed(v)
	d := b.begin(ir.Struct, v)
	if bare {
		b.warn(root.Pointer, "it declares no properties and allows any: all arguments are in Extra")
		d.notes = append(d.notes, "All arguments are in Extra: the schema declares no properties and allows any.")
	}
	b.root = named(d)
	b.exprs[v.Pointer] = &expr{ref: b.root}
	b.unfollowed(v, expr{ref: b.root})
	if why != "" {
		d.notes = append(d.notes, "All members are in Extra: the schema is not that of one object, "+why+".")
	}
	b.finish()
}

// result builds the result, by value if it is not an object.
func (b *side) result() {
	root := b.doc.Root
	e := b.expr(root)
	b.root, b.notes = exactRoot(e.ref), e.notes
	if e.ref.Kind != ir.Raw && !isInterface(e.ref) && b.typed(root) && b.admitsNull(root) {
		b.root = pointer(b.root)
	}
	b.finish()
}

// finish takes the types that were made, and breaks cycles.
func (b *side) finish() {
	b.decls = b.complete()
	b.setTags()
	b.prune()
	breakCycles(b.decls)
	b.called.callTypes(b.decls)
	for _, d := range b.decls {
		d.side = b
		d.t.Decodes = b.results && (d.t.Kind == ir.Struct || d.t.Kind == ir.Tuple)
	}
}

// setTags turns the constants of variants into tags: marshalling sets them, so that
// callers cannot set them wrong. A member that may be absent, or has several values,
// stays a field.
func (b *side) setTags() {
	variants := map[*ir.Type][]ir.Match{}
	for _, u := range b.decls {
		for _, v := range u.t.Variants {
			variants[v.Type] = append(variants[v.Type], v.Match)
		}
	}
	alone := map[*ir.Type]bool{b.root.Base().Decl: true} // types that are values outside of unions
	for _, d := range b.decls {
		for r := range d.t.Refs() {
			alone[r.Base().Decl] = true
		}
	}
	for _, d := range b.decls {
		if d.t.Kind != ir.Struct || variants[d.t] == nil {
			continue
		}
		d.members = slices.DeleteFunc(d.members, func(m *member) bool {
			values := b.constantsOf(m.schema)
			if m.mapped = b.mappedValues(m, values, variants[d.t]); m.mapped != nil {
				if values = m.mapped; alone[d.t] {
					return false // only the union says which value means the type
				}
			} else if b.admitsNull(m.schema) {
				return false
			}
			if m.f.Presence != ir.Required || len(values) != 1 {
				return false
			}
			d.t.Tags = append(d.t.Tags, ir.Tag{Wire: m.f.Wire, Value: values[0]})
			d.t.Fields = slices.DeleteFunc(d.t.Fields, func(f *ir.Field) bool { return f == m.f })
			return true
		})
	}
}

// mappedValues are the values of a text that the discriminators of unions map to a variant, if
// they are fewer than its constants; nil if its unions differ. Of several values the caller has
// to choose one.
func (b *side) mappedValues(m *member, constants []string, matches []ir.Match) []string {
	values := matches[0].Values
	if constants != nil && len(values) >= len(constants) {
		return nil
	}
	for _, match := range matches {
		if match.Tag != m.f.Wire || !slices.Equal(match.Values, values) {
			return nil
		}
	}
	if v, why := b.view(m.schema); why != "" || v.Types != nil && !slices.Contains(v.Types, "string") {
		return nil
	}
	return values
}

// prune drops the types that nothing refers to any more.
func (b *side) prune() {
	used := map[*ir.Type]bool{}
	for t := range (&ir.Type{Of: b.root}).Reach() {
		used[t] = true
	}
	b.decls = slices.DeleteFunc(b.decls, func(d *decl) bool { return !used[d.t] })
}

// rootType is the declared type of what the side's schema describes, nil if that
// is a list, a map or a scalar, or there is no such schema.
func (b *side) rootType() *ir.Type {
	if b.alone {
		return nil
	}
	ref := b.root
	if ref.Kind == ir.Pointer {
		ref = ref.Elem
	}
	return ref.Decl
}
