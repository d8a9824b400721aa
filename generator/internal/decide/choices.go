package decide

// What the user wants types to be: names of shapes, and Go types of numbers. An entry
// names a type of the package by its Go name, or a place: the tool, args or result, and
// then the way of a value through the types that were made, so that what is named is
// what a reader of the generated code sees.

import (
	"cmp"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/mcpgen/mcpgen/generator/internal/ir"
	"github.com/mcpgen/mcpgen/internal/jsontext"
	"github.com/mcpgen/mcpgen/internal/nearest"
)

// TypeChoice is what the user wants one type to be.
type TypeChoice struct {
	// Key is the Go name of a type, or a place such as list_issues/args/page. The
	// members of an object go by their names, in which ~1 is a slash and ~0 a tilde; the
	// elements of a list by items, those of a tuple by items/0 and so on, and the values
	// of a map by additionalProperties. A union is gone through as the variant that has
	// what follows.
	Key string
	// Value is an exported Go identifier, the name of the type; or the Go type of a
	// number: int, int64, uint64, float64, or decimal for json.Number.
	Value string
	// At is where it stands, for errors: file:line:column. It may be empty.
	At string
}

// names reports whether the choice is a name of a type.
func (c TypeChoice) names() bool { return numberType(c.Value) == nil }

// numberType is the type of numbers that a word stands for; nil if it is none.
func numberType(word string) *ir.Ref {
	switch word {
	case "int", "int64", "uint64", "float64":
		return basic(word)
	case "decimal":
		return &ir.Ref{Kind: ir.Number}
	}
	return nil
}

// choices are the entries of one server.
type choices struct {
	server string
	past   bool // what does not apply is ignored
	list   []*choice
}

// choice is one entry, with what its place names.
type choice struct {
	TypeChoice
	tool  *tool  // nil for a Go name
	word  string // args or result
	steps []string

	shapes []*shape // that its place names, if it is a name
	wrong  error    // the first one
}

// readChoices reads the entries. Those that name no tool are errors.
func readChoices(in Input, tools []*tool) *choices {
	c := &choices{server: in.Server, past: in.Past}
	for _, given := range in.Types {
		one := &choice{TypeChoice: given}
		c.list = append(c.list, one)
		if strings.Contains(given.Key, "/") {
			c.find(one, tools)
		}
	}
	return c
}

// err is what is wrong, in the order of the entries.
func (c *choices) err() error {
	if c.past {
		return nil
	}
	errs := make([]error, len(c.list))
	for i, one := range c.list {
		errs[i] = one.wrong
	}
	return errors.Join(errs...)
}

// find takes the place of a choice apart.
func (c *choices) find(one *choice, tools []*tool) {
	var best *tool
	var names []string
	for _, t := range tools {
		names = append(names, t.wire)
		if strings.HasPrefix(one.Key, t.wire+"/") && (best == nil || len(t.wire) > len(best.wire)) {
			best = t
		}
	}
	if best == nil {
		name, _, _ := strings.Cut(one.Key, "/")
		c.fail(one, "the server has no tool "+quote(name), known(name, names))
		return
	}
	steps := strings.Split(one.Key[len(best.wire)+1:], "/")
	switch {
	case steps[0] != "args" && steps[0] != "result":
		c.fail(one, "after the tool comes args or result, not "+quote(steps[0]), "")
		return
	case !best.wanted:
		c.fail(one, "the tool "+quote(best.wire)+" is left out by include and exclude", "remove the entry")
		return
	}
	one.tool, one.word = best, steps[0]
	for _, s := range steps[1:] {
		one.steps = append(one.steps, jsontext.UnescapePointer(s))
	}
}

// fail notes what is wrong with an entry, which does nothing then. Without a hint it says how places are written.
func (c *choices) fail(one *choice, reason, hint string) {
	if one.wrong != nil {
		return
	}
	place := fmt.Sprintf("servers.%s.types.%s: ", clean(c.server), quote(one.Key))
	if one.At != "" {
		place = one.At + ": " + place
	}
	one.wrong = errors.New(place + reason + "; " + cmp.Or(hint, "write a place such as list_issues/args/page, or list_issues/args/labels/items"))
}

// known is a hint at what was meant, or at all that there is.
func known(word string, names []string) string {
	if hint := nearest.Question(word, names); hint != "" || len(names) == 0 {
		return hint
	}
	const most = 20
	list := make([]string, min(len(names), most))
	for i := range list {
		list[i] = clean(names[i])
	}
	if len(names) > most {
		list = append(list, fmt.Sprintf("and %d more", len(names)-most))
	}
	return "known here: " + strings.Join(list, ", ")
}

// side is the side of its tool that a choice is about.
func (c *choices) side(one *choice) *side {
	switch {
	case one.word == "args":
		return one.tool.args
	case one.tool.resulted == nil:
		c.fail(one, "no schema is known for the result of the tool "+quote(one.tool.wire), "give one under results:, or remove the entry")
	}
	return one.tool.resulted
}

// override gives numbers of a tool the types that were chosen. Its schemas are there. It
// may be called for several tools at a time.
func (c *choices) override(t *tool) {
	taken := map[slot]*choice{}
	for _, one := range c.list {
		if one.tool != t || one.names() || one.wrong != nil {
			continue
		}
		b := c.side(one)
		if b == nil {
			continue
		}
		spots := c.spots(b, one)
		var wrong reason
		applied := false
		for _, s := range spots {
			if why := retype(one, b, s, taken); why != (reason{}) {
				wrong = why
			} else {
				applied = true
			}
		}
		if !applied && len(spots) > 0 {
			c.fail(one, wrong.is, wrong.hint)
		}
	}
}

// reason says why a choice does not apply, and what to do.
type reason struct{ is, hint string }

// retype gives one number its type. Arguments may be of any type whose values are
// numbers that the schema may allow; what a result holds is checked when it is decoded,
// so that a number that its type does not hold is an error and never another number.
// Taken are the numbers of the tool that others were about.
func retype(one *choice, b *side, s spot, taken map[slot]*choice) reason {
	r := s.ref
	first := taken[s.slot]
	to := numberType(one.Value)
	switch {
	case first != nil && first.Value == one.Value:
		return reason{quote(first.Key) + " says the same of it", "keep one of the two"}
	case first != nil:
		return reason{quote(first.Key) + " says " + first.Value + " of it", "keep one of the two"}
	case r.Kind != ir.Basic || r.Name == "string" || r.Name == "bool":
		return reason{"it is " + whatIs(r) + ", and " + one.Value + " is a type of numbers", "name the place of a number, or remove the entry"}
	case r.Name == one.Value:
		return reason{"it is " + r.Name + " by itself", "remove the entry"}
	case one.Value == "float64" && b.results:
		return reason{"a float64 does not hold every integer of a result", "write decimal"}
	}
	taken[s.slot] = one
	note := ""
	switch {
	case to.Kind == ir.Number:
		note = `Exact, as json.Number("12.50") is.`
	case b.results:
		note = "A number that no " + to.Name + " holds is an error."
	}
	s.set(to, note)
	return reason{}
}

// whatIs says what a type is, for people.
func whatIs(r *ir.Ref) string {
	switch r.Kind {
	case ir.Slice, ir.Array:
		return "a list"
	case ir.Map:
		return "a map"
	case ir.Any, ir.Raw:
		return "any value"
	case ir.Text:
		return "a string"
	case ir.Basic:
		switch r.Name {
		case "bool":
			return "a boolean"
		case "string":
			return "a string"
		}
	case ir.Named:
		switch r.Decl.Kind {
		case ir.Enum:
			return "one of several constants"
		case ir.Union:
			return "one of several types"
		case ir.Tuple:
			return "a tuple"
		case ir.Struct:
			return "an object"
		}
		return whatIs(r.Decl.Of)
	}
	return "a number"
}

// slot is where a type stands: the declared type, field or side that has it, and the way
// from there.
type slot struct {
	owner any
	way   string
}

// spot is a type that a place names.
type spot struct {
	slot
	ref *ir.Ref
	set func(ref *ir.Ref, note string) // puts another there
}

// inside is the spot of the elements, or of what a pointer points to.
func (s spot) inside(way string) spot {
	outer := s
	return spot{slot{s.owner, s.way + way}, s.ref.Elem, func(ref *ir.Ref, note string) {
		around := *outer.ref
		around.Elem = ref
		outer.set(&around, note)
	}}
}

// maxWalk bounds the types that are looked at for one place.
const maxWalk = 10_000

// walk goes the way of a place.
type walk struct {
	b     *side
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
	w := &walk{b: b, decls: map[*ir.Type]*decl{}, left: maxWalk, at: -1}
	for _, d := range b.decls {
		w.decls[d.t] = d
	}
	w.from(spot{slot{b, ""}, b.root, func(ref *ir.Ref, _ string) { b.root = ref }}, one.steps, 0)
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

// from goes the steps behind the first n.
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
		w.from(spot{slot{t, ""}, t.Of, func(ref *ir.Ref, _ string) { t.Of = ref }}, steps, n)
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
	var names []string
	for _, m := range w.decls[t].members {
		if m.f.Wire == steps[n] && t.Kind == ir.Struct {
			w.from(w.field(m), steps, n+1)
			return
		}
		names = append(names, m.f.Wire)
	}
	if t.Extra != nil {
		if steps[n] == "additionalProperties" {
			w.from(spot{slot{t, "Extra"}, t.Extra, func(ref *ir.Ref, _ string) { t.Extra = ref }}, steps, n+1)
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
	w.from(spot{slot{t, "Rest"}, t.Rest, func(ref *ir.Ref, _ string) { t.Rest = ref }}, steps, n+1)
}

// field is the spot of a field's values: how its absence is written follows from their
// type.
func (w *walk) field(m *member) spot {
	ref := m.f.Type
	for ref.Kind == ir.Pointer || ref.Kind == ir.Opt {
		ref = ref.Elem
	}
	return spot{slot{m, ""}, ref, func(ref *ir.Ref, note string) {
		notes := w.b.expr(m.schema).notes
		if note != "" {
			notes = append(slices.Clip(notes), note)
		}
		w.b.typeField(m, ref, notes)
	}}
}

// lost notes where the way ends.
func (w *walk) lost(at int, wrong string, names []string) {
	if at > w.at {
		w.at, w.wrong, w.names = at, wrong, nil
	}
	if at == w.at {
		w.names = append(w.names, names...)
	}
}
