package build

// What can only be decided when all types of a side are there.

import (
	"slices"

	"github.com/mcpgen/mcpgen/generator/internal/ir"
)

// finish gives all types what they consist of, and breaks cycles.
func (b *side) finish() {
	for len(b.queue) > 0 {
		d := b.queue[0]
		b.queue = b.queue[1:]
		switch d.t.Kind {
		case ir.Union:
			b.variantsOf(d)
		case ir.Tuple:
			b.elements(d)
		default:
			b.fill(d)
		}
	}
	b.setTags()
	b.prune()
	breakCycles(b.decls)
	for _, d := range b.decls {
		d.t.Decodes = b.results && (d.t.Kind == ir.Struct || d.t.Kind == ir.Tuple)
	}
}

// setTags turns the members that tell variants apart into tags: marshalling sets
// them, so that nobody can set them wrong. A member that may be absent, or has
// several values, stays a field.
func (b *side) setTags() {
	of := map[*ir.Type]*decl{}
	for _, d := range b.decls {
		of[d.t] = d
	}
	for _, u := range b.decls {
		for _, variant := range u.t.Variants {
			if m := variant.Match; m.Tag != "" && len(m.Values) == 1 && variant.Type.Kind == ir.Struct {
				b.setTag(of[variant.Type], m)
			}
		}
	}
}

func (b *side) setTag(d *decl, m ir.Match) {
	i := slices.IndexFunc(d.members, func(x *member) bool { return x.f.Wire == m.Tag })
	if i < 0 {
		return // done for another union
	}
	x := d.members[i]
	if x.f.Presence != ir.Required || !slices.Equal(b.constantsOf(x.schema), m.Values) || b.admitsNull(x.schema) {
		return
	}
	d.members = slices.Delete(d.members, i, i+1)
	d.t.Fields = slices.DeleteFunc(d.t.Fields, func(f *ir.Field) bool { return f == x.f })
	d.t.Tags = append(d.t.Tags, ir.Tag{Wire: m.Tag, Value: m.Values[0]})
}

// prune drops the types that nothing refers to any more.
func (b *side) prune() {
	used := map[*ir.Type]bool{}
	var types []*ir.Type
	mark := func(r *ir.Ref) {
		for ; r != nil; r = r.Elem {
			if r.Decl != nil && !used[r.Decl] {
				used[r.Decl] = true
				types = append(types, r.Decl)
			}
		}
	}
	mark(b.root)
	for len(types) > 0 {
		t := types[len(types)-1]
		types = types[:len(types)-1]
		mark(t.Extra)
		mark(t.Of)
		mark(t.Rest)
		for _, f := range t.Fields {
			mark(f.Type)
		}
		for _, v := range t.Variants {
			mark(&ir.Ref{Kind: ir.Named, Decl: v.Type})
		}
	}
	b.decls = slices.DeleteFunc(b.decls, func(d *decl) bool { return !used[d.t] })
}
