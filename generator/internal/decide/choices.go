package decide

// What the user wants types to be: names of shapes, and Go types of numbers. An entry
// names a type of the package by its Go name, or a place: the tool, args or result, and
// then the way of a value through the types that were made, so that what is named is
// what a reader of the generated code sees.

import (
	"cmp"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/mcpgen/mcpgen/generator/internal/ir"
	"github.com/mcpgen/mcpgen/internal/glob"
	"github.com/mcpgen/mcpgen/internal/hint"
	"github.com/mcpgen/mcpgen/internal/jsontext"
	"github.com/mcpgen/mcpgen/internal/nearest"
)

// TypeChoice is the user's choice for one type.
type TypeChoice struct {
	// Key is the Go name of a type, or a place such as list_issues/args/page. The
	// members of an object go by their names, in which ~1 is a slash and ~0 a tilde; the
	// elements of a list by items, those of a tuple by items/0 and so on, and the values
	// of a map by additionalProperties. A union is gone through as the variant that has
	// what follows. For a number the tool may be a glob, as in Include: then the place is
	// that of every tool which has a number there and is in no other entry with it.
	Key string
	// Value is an exported Go identifier, the name of the type; or the Go type of a
	// number: int, int64, uint64, float64, or decimal for json.Number; or open, which
	// gives an object of arguments room for members that its schema does not declare.
	Value string
	// At is its position in the configuration, for errors: file:line:column. It may be empty.
	At string
}

// names reports whether the choice is a name of a type.
func (c TypeChoice) names() bool { return c.Value != openWord && numberType(c.Value) == nil }

// openWord is the word of types: that opens an object.
const openWord = "open"

// numberType is the type that a lower-case word of types: names; nil for other words.
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
	past   bool                // what does not apply is ignored
	list   []*choice           // globs come last
	names  []*choice           // the entries of list that are names
	of     map[*tool][]*choice // the others, by tool
}

// choice is one entry with the types that its place names. An entry with a glob has a choice
// for each tool that matches.
type choice struct {
	TypeChoice
	entry int      // which one it is
	tool  *tool    // nil for a Go name
	word  string   // args or result
	steps []string // after it

	shapes []*shape // that its place names, if it is a name
	wrong  error    // the first one
}

// readChoices reads the entries. Those that name no tool are errors.
func readChoices(in Input, tools []*tool) *choices {
	c := &choices{server: in.Name, past: in.Past, of: map[*tool][]*choice{}}
	var globs []*choice
	for i, given := range in.Types {
		one := &choice{TypeChoice: given, entry: i}
		if many := c.glob(one, tools); many != nil {
			globs = append(globs, many...)
			continue
		}
		c.list = append(c.list, one)
		if strings.Contains(given.Key, "/") {
			c.find(one, tools)
		} else if !one.names() {
			c.fail(one, given.Value+" applies to one field, but this key names a type", "")
		}
	}
	c.list = append(c.list, globs...)
	for _, one := range c.list {
		switch {
		case one.wrong != nil:
		case one.names():
			c.names = append(c.names, one)
		default:
			c.of[one.tool] = append(c.of[one.tool], one)
		}
	}
	return c
}

// err returns the mistakes in the order of the entries. An entry with a glob is a mistake
// only if it applies to none of the tools that it matches.
func (c *choices) err() error {
	if c.past {
		return nil
	}
	wrong, fine := map[int]error{}, map[int]bool{}
	for _, one := range c.list {
		if one.wrong == nil {
			fine[one.entry] = true
		} else if wrong[one.entry] == nil {
			wrong[one.entry] = one.wrong
		}
	}
	var errs []error
	for _, i := range slices.Sorted(maps.Keys(wrong)) {
		if !fine[i] {
			errs = append(errs, wrong[i])
		}
	}
	return errors.Join(errs...)
}

// glob is a choice for each of the tools that a glob matches. It is nil if the key is not
// a glob: a tool may have such a name.
func (c *choices) glob(one *choice, tools []*tool) []*choice {
	i := len(one.Key)
	for _, side := range []string{"/args", "/result"} {
		if at := strings.Index(one.Key+"/", side+"/"); at >= 0 {
			i = min(i, at)
		}
	}
	if i == len(one.Key) || !strings.ContainsAny(one.Key[:i], "*?[") || slices.ContainsFunc(tools, one.begins) {
		return nil
	}
	var out []*choice
	for _, t := range tools {
		if t.wanted && glob.Match(one.Key[:i], t.wire) {
			each := *one
			each.tool = t
			c.split(&each, one.Key[i+1:])
			out = append(out, &each)
		}
	}
	if one.names() && out != nil {
		c.fail(out[0], "a name is for one type", "write the name of the tool")
		return out[:1]
	}
	return out
}

// begins reports whether the place begins with the name of a tool.
func (one *choice) begins(t *tool) bool { return strings.HasPrefix(one.Key, t.wire+"/") }

// nearer reports whether t is a better match than the tool found so far. A tool that is
// followed by args or result is, and of two such tools the one with the longer name.
func (one *choice) nearer(t *tool) bool {
	side := func(t *tool) bool {
		word, _, _ := strings.Cut(one.Key[len(t.wire)+1:], "/")
		return word == "args" || word == "result"
	}
	if side(t) != side(one.tool) {
		return side(t)
	}
	return len(t.wire) > len(one.tool.wire)
}

func (c *choices) find(one *choice, tools []*tool) {
	var names []string
	for _, t := range tools {
		names = append(names, t.wire)
		if one.begins(t) && (one.tool == nil || one.nearer(t)) {
			one.tool = t
		}
	}
	switch {
	case one.tool == nil:
		name, _, _ := strings.Cut(one.Key, "/")
		c.fail(one, "the server has no tool "+quote(name), known(name, names))
	case !one.tool.wanted:
		c.fail(one, "the tool "+quote(one.tool.wire)+" is left out by include and exclude", "remove the entry")
	default:
		c.split(one, one.Key[len(one.tool.wire)+1:])
	}
}

// split takes a place apart, behind its tool.
func (c *choices) split(one *choice, place string) {
	steps := strings.Split(place, "/")
	if steps[0] != "args" && steps[0] != "result" {
		c.fail(one, "after the tool comes args or result, not "+quote(steps[0]), "")
		return
	}
	one.word = steps[0]
	for _, s := range steps[1:] {
		one.steps = append(one.steps, jsontext.UnescapePointer(s))
	}
}

// fail notes what is wrong with an entry, which does nothing then. Without a step it says
// how places are written.
func (c *choices) fail(one *choice, reason, step string) {
	if one.wrong != nil {
		return
	}
	place := fmt.Sprintf("servers.%s.types.%s: ", clean(c.server), quote(one.Key))
	if one.At != "" {
		place = one.At + ": " + place
	}
	step = cmp.Or(step, "write a path such as list_issues/args/page, or list_issues/args/labels/items")
	one.wrong = hint.New(place+reason, step)
}

// known suggests the name that was meant, or else lists the existing ones.
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
		c.fail(one, "no schema is known for the result of the tool "+quote(one.tool.wire),
			"give one under results:, or remove the entry")
	}
	return one.tool.resulted
}

// override gives numbers of a tool the types that were chosen. Its schemas are there. It
// may be called for several tools at a time.
func (c *choices) override(t *tool) {
	taken := map[typeUse]*choice{}
	for _, one := range c.of[t] {
		b := c.side(one)
		if b == nil {
			continue
		}
		spots := c.spots(b, one)
		var wrong, step string
		applied := false
		for _, s := range spots {
			var why, next string
			if one.Value == openWord {
				why, next = unclose(b, s)
			} else {
				why, next = retype(one, b, s, taken)
			}
			if applied = applied || why == ""; why != "" {
				wrong, step = why, next
			}
		}
		if !applied && len(spots) > 0 {
			c.fail(one, wrong, step)
		}
	}
}

// retype gives one number its type, or says why not and what to do. Arguments may be of any type whose values are
// numbers that the schema may allow; what a result holds is checked when it is decoded,
// so that a number that its type does not hold is an error and never another number.
// Taken are the numbers of the tool that others were about.
func retype(one *choice, b *side, s spot, taken map[typeUse]*choice) (why, step string) {
	r := s.ref
	first := taken[s.typeUse]
	to := numberType(one.Value)
	switch {
	case first != nil && first.Value == one.Value:
		return quote(first.Key) + " says the same of it", "keep one of the two"
	case first != nil:
		return quote(first.Key) + " says " + first.Value + " of it", "keep one of the two"
	case r.Kind != ir.Number && (r.Kind != ir.Basic || r.Name == "string" || r.Name == "bool"):
		return "it is " + whatIs(r) + ", and " + one.Value + " is a type of numbers",
			"name the place of a number, or remove the entry"
	case r.Kind == to.Kind && r.Name == to.Name:
		return "it is " + one.Value + " by itself", "remove the entry"
	}
	taken[s.typeUse] = one
	note := ""
	switch {
	case to.Kind == ir.Number:
		note = `Exact, such as json.Number("12.50").`
	case b.results && (to.Name != "float64" || s.owner == b):
		note = "A number that no " + to.Name + " holds is an error."
	}
	s.set(to, note)
	return "", ""
}

// unclose gives one object room for members that its schema does not declare.
func unclose(b *side, s spot) (why, step string) {
	if b.results {
		return "an object of a result keeps all members by itself", "remove the entry"
	}
	if s.ref.Kind != ir.Named || s.ref.Decl.Kind != ir.Struct {
		return "it is " + whatIs(s.ref) + ", and open is for an object with declared members",
			"name the place of such an object, or remove the entry"
	}
	d := byType(slices.Values(b.decls))[s.ref.Decl]
	switch {
	case d.t.Extra != nil:
		return "it has room for other members by itself", "remove the entry"
	case undeclared(d.v).IsBool(false):
		return "its schema forbids other members", "remove the entry"
	}
	d.t.Extra = b.untyped()
	d.notes = append(d.notes, "Extra takes members that the schema does not declare, since mcpgen.yaml opens the type.")
	return "", ""
}

// whatIs describes a type in messages.
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
