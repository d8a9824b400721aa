package decide

// This file finds the types that an edit changes. If one type divides, the places that the
// edit did not change keep its name, even if the name was given for another place.

import (
	"slices"

	"github.com/mcpgen/mcpgen/generator/internal/ir"
)

// findChanged finds the types that are not what they were, or name such a type. The types do
// not have the members of other places yet.
func (fd *finder) findChanged() {
	fd.changed = map[*decl]bool{}
	of, users := map[*ir.Type]*decl{}, map[*decl][]*decl{}
	var next []*decl
	for _, it := range fd.items {
		for d := range it.decls() {
			of[d.t] = d
			if len(fd.kept[it.id()]) > 0 && fd.kept[it.id()][d.key(ownKey)] != d.describeOwn() {
				next = append(next, d)
			}
		}
	}
	if next == nil {
		return
	}
	for t, d := range of {
		for used := range t.Uses() {
			users[of[used]] = append(users[of[used]], d)
		}
	}
	for len(next) > 0 {
		d := next[len(next)-1]
		next = next[:len(next)-1]
		if !fd.changed[d] {
			fd.changed[d] = true
			next = append(next, users[d]...)
		}
	}
}

// stayed are the shapes that contain unchanged types, by the short name that these had.
type stayed map[string][]*shape

// stayed finds these among shapes.
func (fd *finder) stayed(shapes []*shape) stayed {
	out := stayed{}
	for _, s := range shapes {
		for _, d := range s.occurrences {
			if name := fd.kept[d.side.it.id()][d.key(shapeKey)]; name != "" && !fd.changed[d] && !slices.Contains(out[name], s) {
				out[name] = append(out[name], s)
			}
		}
	}
	return out
}

// beyond reports whether a shape leaves a short name to unchanged types.
func (of stayed) beyond(s *shape, name string) bool {
	return len(of[name]) > 0 && !slices.Contains(of[name], s)
}

// home moves one type of the bond to the front; all others have to equal it. It prefers a type
// that is unchanged, and then the type at the place that the name was given for.
func (fd *finder) home(b *bond) {
	given := func(d *decl) bool { return d.side.it.given[d.key(shapeKey)] != "" }
	had := func(d *decl) bool { return !fd.changed[d] && fd.kept[d.side.it.id()][d.key(shapeKey)] != "" }
	for _, is := range []func(*decl) bool{func(d *decl) bool { return given(d) && had(d) }, had, given} {
		if i := slices.IndexFunc(b.decls, is); i >= 0 {
			b.decls[0], b.decls[i] = b.decls[i], b.decls[0]
			return
		}
	}
}
