package decide

// This file finds the types that an edit changes. If one type divides, the places that the
// edit did not change keep its name, even if the name was given for another place.

import (
	"slices"

	"github.com/mcpgen/mcpgen/generator/internal/ir"
)

// findChanged finds the types that are not what they were, or name such a type. The types do
// not have the members of other places yet.
func (a *assigner) findChanged() {
	a.changed = map[*decl]bool{}
	of, users := map[*ir.Type]*decl{}, map[*decl][]*decl{}
	var next []*decl
	for _, it := range a.items {
		for d := range it.decls() {
			of[d.t] = d
			if len(a.kept[it.id()]) > 0 && a.kept[it.id()][d.key(ownKey)] != d.describeOwn() {
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
		if !a.changed[d] {
			a.changed[d] = true
			next = append(next, users[d]...)
		}
	}
}

// findStayed finds the shapes that contain unchanged types, by the short name that these had.
func (a *assigner) findStayed() {
	a.stayed = map[string][]*shape{}
	for _, s := range a.shapes {
		for _, d := range s.occurrences {
			if name := a.kept[d.side.it.id()][d.key(shapeKey)]; name != "" && !a.changed[d] && !slices.Contains(a.stayed[name], s) {
				a.stayed[name] = append(a.stayed[name], s)
			}
		}
	}
}

// left reports whether a shape leaves a short name to unchanged types.
func (a *assigner) left(s *shape, name string) bool {
	return len(a.stayed[name]) > 0 && !slices.Contains(a.stayed[name], s)
}

// home puts the type first that the others of the bond have to equal: an unchanged one, or else
// the one at the place that the name was given for.
func (a *assigner) home(b *bond) {
	given := func(d *decl) bool { return d.side.it.given[d.key(shapeKey)] != "" }
	had := func(d *decl) bool { return !a.changed[d] && a.kept[d.side.it.id()][d.key(shapeKey)] != "" }
	for _, is := range []func(*decl) bool{func(d *decl) bool { return given(d) && had(d) }, had, given} {
		if i := slices.IndexFunc(b.decls, is); i >= 0 {
			b.decls[0], b.decls[i] = b.decls[i], b.decls[0]
			return
		}
	}
}
