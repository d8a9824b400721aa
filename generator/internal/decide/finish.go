package decide

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
	b.callTypes()
	for _, d := range b.decls {
		d.t.Decodes = b.results && (d.t.Kind == ir.Struct || d.t.Kind == ir.Tuple)
	}
}

// setTags turns the constants of variants into tags: marshalling sets them, so that
// callers cannot set them wrong. A member that may be absent, or has several values,
// stays a field.
func (b *side) setTags() {
	variants := map[*ir.Type]bool{}
	for _, u := range b.decls {
		for _, v := range u.t.Variants {
			variants[v.Type] = true
		}
	}
	for _, d := range b.decls {
		if d.t.Kind != ir.Struct || !variants[d.t] {
			continue
		}
		d.members = slices.DeleteFunc(d.members, func(m *member) bool {
			values := b.constantsOf(m.schema)
			if m.f.Presence != ir.Required || len(values) != 1 || b.admitsNull(m.schema) {
				return false
			}
			d.t.Tags = append(d.t.Tags, ir.Tag{Wire: m.f.Wire, Value: values[0]})
			d.t.Fields = slices.DeleteFunc(d.t.Fields, func(f *ir.Field) bool { return f == m.f })
			return true
		})
	}
}

// prune drops the types that nothing refers to any more.
func (b *side) prune() {
	used := map[*ir.Type]bool{}
	types := []*ir.Type{{Of: b.root}}
	for len(types) > 0 {
		t := types[len(types)-1]
		types = types[:len(types)-1]
		for of := range t.Uses() {
			if !used[of] {
				used[of] = true
				types = append(types, of)
			}
		}
	}
	b.decls = slices.DeleteFunc(b.decls, func(d *decl) bool { return !used[d.t] })
}
