package decide

// Names that the lock gives twice, because two branches each gave them and git merged the locks. If one of the owners
// is a type, a type loses the name: then code means another type, and mostly does not compile. Of several functions,
// each loses the name: code that was written for one of them must not call another.

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/mcpgen/mcpgen/generator/internal/ir"
	"github.com/mcpgen/mcpgen/internal/hint"
	"github.com/mcpgen/mcpgen/schema"
)

// givenTwice is a name that the lock gives to a type or a function, and to something else.
type givenTwice struct {
	it     *item
	at     string // place in the definition
	what   string // type, tool, …
	to     string // who has the name
	name   string
	now    func() string
	places []string  // what the lock has for it
	f      *function // nil for a type
}

// kind is that of an item that is not a tool, and "" of a tool.
func (twice givenTwice) kind() schema.Kind {
	if twice.it.kind == schema.KindTool {
		return ""
	}
	return twice.it.kind
}

// takeBack forgets the short name that the lock gives to a type, because something else has it, too: two
// branches each gave the name. The type gets a new name. To describes the other owner of the name.
func (a *assigner) takeBack(s *shape, d *decl, to string) {
	it := d.side.it
	twice := givenTwice{
		it: it, at: d.side.at + d.pointer, what: "type", to: to, name: it.given[d.key(shapeKey)], now: s.current,
		places: []string{d.key(shapeKey), d.key(originKey)},
	}
	for place := range it.given {
		if strings.HasPrefix(place, d.key(shapeKey)+"/") {
			twice.places = append(twice.places, place)
		}
	}
	for _, place := range twice.places {
		delete(it.given, place)
	}
	a.twice = append(a.twice, twice)
}

// takeBackFunctions forgets the names that the lock gives to functions of several items. No function gets such a name
// then, and the names by place of their types, which begin with it, are gone, too.
func (a *assigner) takeBackFunctions() {
	type owner struct {
		it *item
		f  *function
	}
	owners := map[string][]owner{}
	for _, it := range a.those(func(it *item) bool { return it.known }) {
		for i, id := range functions(it) {
			name := cmp.Or(it.given[id.key], shorten(id.base))
			if a.misplaced(id, name, nil) == "" {
				owners[name] = append(owners[name], owner{it, it.functions[i]})
			}
		}
	}
	for _, name := range slices.Sorted(maps.Keys(owners)) {
		of := owners[name]
		another := func(f *function) int { return slices.IndexFunc(of, func(o owner) bool { return o.f != f }) }
		if another(of[0].f) < 0 {
			continue
		}
		a.scope.reserve("several items in mcpgen.lock", name)
		for _, o := range of {
			delete(o.it.given, o.f.key)
			o.it.keep, o.f.lost = nil, true
			to := of[another(o.f)].it.who() + " and to this " + string(o.it.kind)
			a.twice = append(a.twice, givenTwice{
				it: o.it, f: o.f, what: string(o.it.kind), to: to, name: name, now: o.f.name, places: []string{o.f.key},
			})
		}
	}
}

// warnOfTwice warns of each name that was taken back, with the new one.
func (a *assigner) warnOfTwice(w *warner) {
	for _, twice := range a.twice {
		now := twice.now()
		steps := []string{"write " + now + " where code means this " + twice.what + ", then commit mcpgen.lock"}
		if twice.what == string(schema.KindTool) {
			steps = append(steps, "choose a name: servers."+a.server+".tools.rename")
		}
		w.take(Warning{
			Server: a.server, Kind: twice.kind(), Tool: twice.it.wire, Pointer: twice.at, Merged: true,
			Reason: fmt.Sprintf("two branches gave the name %s to %s: this one is called %s now", twice.name, twice.to, now),
			Step:   hint.Join(steps),
		})
	}
}

// forLock returns the names that the lock gets in place of those that were taken back. The name of
// a type is empty: the lock gets its new name together with all other short names.
func (a *assigner) forLock(twice givenTwice) []ir.ShapeName {
	var out []ir.ShapeName
	for _, place := range twice.places {
		n := ir.ShapeName{Server: a.server, Kind: string(twice.kind()), Tool: twice.it.wire, Place: place}
		switch {
		case twice.f == nil:
		case twice.it.rename != "": // the lock does not know that name
			n.Go = a.scope.unique(twice.f.base, twice.it.who(), a.functions)
		default:
			n.Go = twice.it.locked()[place]
		}
		out = append(out, n)
	}
	return out
}
