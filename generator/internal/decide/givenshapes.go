package decide

// Short names that types have already: by the lock, or by the snapshot before. A name that the
// lock gives to two types, or to a type and an item, is taken back from a type.

import (
	"cmp"
	"fmt"
	"maps"
	"slices"

	"github.com/mcpgen/mcpgen/generator/internal/ir"
	"github.com/mcpgen/mcpgen/internal/hint"
)

// lockedShapes gives short names that are in the lock.
func (a *assigner) lockedShapes() {
	for _, s := range a.shapes {
		for _, d := range s.occurrences {
			name := d.side.it.given[d.key(shapeKey)]
			if name == "" || a.stayed.beyond(s, name) || s.has(name) {
				continue
			}
			if a.lostToRename(identifier{of: d.side.it, who: "a type of " + d.side.it.who()}, name) {
				continue
			}
			if other := a.otherVariant(s, name); other != "" {
				a.refuse(d.side.it, d.key(shapeKey), fmt.Sprintf("the name %s is reserved for %s", name, other))
				continue
			}
			origin := ""
			if a.notDerived(d.side.it, name) != "" {
				origin = d.side.it.given[d.key(originKey)]
			}
			if reason := a.notDerived(d.side.it, name, origin); reason != "" {
				a.refuse(d.side.it, d.key(shapeKey), reason)
				continue
			}
			switch err := s.claim(a.scope, d, name); {
			case err == nil:
				s.names[len(s.names)-1].origin = origin
			case a.lenient:
			case a.ownerOf(name) != "":
				a.takeBack(s, d, a.ownerOf(name)+" and to this type")
			case slices.ContainsFunc(a.shapes, func(s *shape) bool { return s.has(name) }):
				a.takeBack(s, d, "different types")
			default:
				step := "give this type another name: mcpgen update " + hint.Word(a.server)
				a.errs = append(a.errs, lockError(a.server, d.side.it, d.key(shapeKey), err, step))
			}
		}
		for _, n := range s.names {
			a.give(n.members(), givenName)
		}
	}
}

// has reports whether a shape has a short name.
func (s *shape) has(name string) bool {
	return slices.ContainsFunc(s.names, func(n *shapeName) bool { return n.t.Go == name })
}

// keptShapes gives short names whose place is gone or changed to the type that has most of the
// other places where they were.
func (a *assigner) keptShapes() {
	for _, s := range a.shapes {
		for _, n := range s.names {
			a.give(n.members(), a.keptName)
		}
	}
	places := map[string]map[*shape][]*decl{}
	for _, s := range a.shapes {
		for _, d := range s.occurrences {
			if name := a.kept[d.side.it.id()][d.key(shapeKey)]; name != "" && !a.stayed.beyond(s, name) {
				if places[name] == nil {
					places[name] = map[*shape][]*decl{}
				}
				places[name][s] = append(places[name][s], d)
			}
		}
	}
	for _, name := range slices.Sorted(maps.Keys(places)) {
		if _, taken := a.scope.holder(name); taken {
			continue
		}
		var best *shape
		for _, s := range a.shapes {
			if len(places[name][s]) > len(places[name][best]) {
				best = s
			}
		}
		origin := ""
		if a.notDerived(nil, name) != "" {
			if origin = a.origin(name); origin == "" {
				continue
			}
		}
		if a.otherVariant(best, name) == "" && best.claim(a.scope, places[name][best][0], name) == nil {
			n := best.names[len(best.names)-1]
			n.origin = origin
			a.give(n.members(), a.keptName)
		}
	}
}

// likes notes the types that the lock has to list under the name of another type. It
// refuses such an entry of the lock for types that do not belong together.
func (a *assigner) likes() {
	for _, s := range a.shapes {
		for _, d := range s.occurrences {
			if len(s.names) > 0 && d.own != s.names[0].home.own {
				d.like = s.names[0].t.Go
			}
			given := d.side.it.given[d.key(likeKey)]
			isGiven := func(n *shapeName) bool { return n.t.Go == given }
			if given != "" && d.side.it.wanted && !a.lenient && !slices.ContainsFunc(s.names, isGiven) {
				reason := "the name " + given + " is that of another type, which does not fit the schema of this type"
				a.refuse(d.side.it, d.key(likeKey), reason)
			}
		}
	}
}

// unlockedShapes returns the short names that the lock lacks, in order of tool and place.
// Before them come the names that the lock has to forget, as places without a name.
func (a *assigner) unlockedShapes() []ir.ShapeName {
	var out []ir.ShapeName
	for _, twice := range a.twice {
		out = append(out, a.forLock(twice)...)
	}
	for _, it := range a.items {
		if len(it.shapes) == 0 {
			continue
		}
		locked := it.locked()
		for _, n := range it.shapes {
			places := n.keys()
			for _, id := range n.members() {
				places = append(places, id.key)
			}
			for _, place := range places {
				if name := locked[place]; name != "" && it.given[place] == "" {
					out = append(out, ir.ShapeName{Server: a.server, Tool: it.wire, Place: place, Go: name})
				}
			}
		}
	}
	slices.SortStableFunc(out, func(x, y ir.ShapeName) int {
		return cmp.Or(cmp.Compare(x.Tool, y.Tool), cmp.Compare(x.Place, y.Place))
	})
	return out
}

// givenShapes are the short names of types, as the lock has them.
func (a *assigner) givenShapes() []ir.ShapeName {
	var out []ir.ShapeName
	for _, s := range a.shapes {
		for _, n := range s.names {
			it := n.home.side.it
			for _, key := range n.keys() {
				out = append(out, ir.ShapeName{Server: a.server, Kind: string(it.kind), Tool: it.wire, Place: key, Go: n.t.Go})
			}
		}
	}
	return out
}
