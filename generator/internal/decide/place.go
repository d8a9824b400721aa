package decide

// Resolving the place of a choice: from the root of a side through members, elements and
// values to the types that it names.

import (
	"fmt"
	"slices"
	"strings"

	"github.com/mcpgen/mcpgen/generator/internal/ir"
)

// typeUse identifies where a type is used: the declared type, field or side that has it, and
// the path from there.
type typeUse struct {
	owner any
	way   string
}

// spot is a type that a place names.
type spot struct {
	typeUse
	ref *ir.Ref
	set func(ref *ir.Ref, note string) // puts another there
}

// inside is the spot of the elements, or of what a pointer points to.
func (s spot) inside(way string) spot {
	outer := s
	return spot{typeUse{s.owner, s.way + way}, s.ref.Elem, func(ref *ir.Ref, note string) {
		around := *outer.ref
		around.Elem = ref
		outer.set(&around, note)
	}}
}

// maxWalk bounds the types that are looked at for one place.
const maxWalk = 10_000

// walk goes the way of a place.
type walk struct {
	maker *maker
	decls map[*ir.Type]*decl
	found []spot
	left  int

	// The failure that got farthest.
	at    int // steps that were gone
	wrong string
	names []string // what could have followed
}

// spots are the types that the place of a choice names: several where a union has
// several variants that go on like this.
func (c *choices) spots(b *side, one *choice) []spot {
	w := &walk{maker: b.maker, decls: byType(slices.Values(b.decls)), left: maxWalk, at: -1}
	w.from(spot{typeUse{b, ""}, b.root, func(ref *ir.Ref, note string) {
		b.root = ref
		if note != "" {
			b.notes = append(slices.Clip(b.notes), note)
		}
	}}, one.steps, 0)
	if len(w.found) == 0 {
		step := ""
		if w.at < len(one.steps) {
			step = one.steps[w.at]
		}
		place := strings.Join(append([]string{one.tool.wire, one.word}, one.steps[:w.at]...), "/")
		slices.Sort(w.names)
		c.fail(one, quote(place)+" "+w.wrong+" "+quote(step), known(step, slices.Compact(w.names)))
	}
	return w.found
}

// from follows the steps after the first n.
func (w *walk) from(s spot, steps []string, n int) {
	if w.left--; w.left < 0 {
		return
	}
	for s.ref.Kind == ir.Pointer || s.ref.Kind == ir.Opt {
		s = s.inside("")
	}
	if n == len(steps) {
		w.found = append(w.found, s)
		return
	}
	switch r := s.ref; r.Kind {
	case ir.Slice, ir.Array:
		w.element(s, "items", steps, n)
	case ir.Map:
		w.element(s, "additionalProperties", steps, n)
	case ir.Named:
		w.into(r.Decl, steps, n)
	default:
		w.lost(n, "is "+whatIs(r)+", which has no", nil)
	}
}

// element goes one step into a list or a map.
func (w *walk) element(s spot, name string, steps []string, n int) {
	if steps[n] != name {
		w.lost(n, "is "+whatIs(s.ref)+", which has no", []string{name})
		return
	}
	w.from(s.inside("/"), steps, n+1)
}

// into goes on in a declared type.
func (w *walk) into(t *ir.Type, steps []string, n int) {
	switch t.Kind {
	case ir.Alias:
		w.from(spot{typeUse{t, ""}, t.Of, func(ref *ir.Ref, _ string) { t.Of = ref }}, steps, n)
	case ir.Union:
		for _, v := range t.Variants {
			w.into(v.Type, steps, n)
		}
	case ir.Struct:
		w.member(t, steps, n)
	case ir.Tuple:
		w.item(t, steps, n)
	default:
		w.lost(n, "is one of several constants, which have no", nil)
	}
}

// member goes into a member of an object.
func (w *walk) member(t *ir.Type, steps []string, n int) {
	d := w.decls[t]
	if d == nil { // the schema here is that of a map: see [holdsMap]
		w.lost(n, "has no member", nil)
		return
	}
	var names []string
	for _, m := range d.members {
		if m.f.Wire == steps[n] && t.Kind == ir.Struct {
			w.from(w.field(m), steps, n+1)
			return
		}
		names = append(names, m.f.Wire)
	}
	if t.Extra != nil {
		if steps[n] == "additionalProperties" {
			w.from(spot{typeUse{t, "Extra"}, t.Extra, func(ref *ir.Ref, note string) {
				t.Extra = ref
				w.widens(t, "Extra", note)
			}}, steps, n+1)
			return
		}
		names = append(names, "additionalProperties")
	}
	w.lost(n, "has no member", names)
}

// item goes into an element of a tuple.
func (w *walk) item(t *ir.Type, steps []string, n int) {
	members := w.decls[t].members
	if steps[n] != "items" {
		w.lost(n, "is a tuple, which has no", []string{"items"})
		return
	}
	if n+1 < len(steps) && isIndex(steps[n+1]) {
		for i, m := range members {
			if fmt.Sprint(i) == steps[n+1] {
				w.from(w.field(m), steps, n+2)
				return
			}
		}
	}
	if t.Rest == nil || n+1 < len(steps) && isIndex(steps[n+1]) {
		names := make([]string, len(members))
		for i := range names {
			names[i] = "items/" + fmt.Sprint(i)
		}
		w.lost(n, "is a tuple, which has no such element as", names)
		return
	}
	w.from(spot{typeUse{t, "Rest"}, t.Rest, func(ref *ir.Ref, note string) {
		t.Rest = ref
		w.widens(t, "Rest", note)
	}}, steps, n+1)
}

// widens adds a note about a field that is not a member.
func (w *walk) widens(t *ir.Type, field, note string) {
	if note != "" {
		w.decls[t].widens(field, []string{note})
	}
}

// field is the spot of a field's values: how its absence is written follows from their
// type.
func (w *walk) field(m *member) spot {
	ref := m.f.Type
	for ref.Kind == ir.Pointer || ref.Kind == ir.Opt {
		ref = ref.Elem
	}
	return spot{typeUse{m, ""}, ref, func(ref *ir.Ref, note string) {
		notes := w.maker.expr(m.schema).notes
		if note != "" {
			notes = append(slices.Clip(notes), note)
		}
		w.maker.typeField(m, ref, notes)
	}}
}

// lost notes where the walk ended, if no other one got farther.
func (w *walk) lost(at int, wrong string, names []string) {
	if at > w.at {
		w.at, w.wrong, w.names = at, wrong, nil
	}
	if at == w.at {
		w.names = append(w.names, names...)
	}
}
