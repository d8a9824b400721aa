package decide

// What every tool, prompt, resource and template is on its way into a package:
// something with a name on the wire, hashes and names in the lock, and Go names.

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"iter"
	"slices"
	"strings"

	"github.com/mcpgen/mcpgen/generator/internal/ir"
	"github.com/mcpgen/mcpgen/internal/gopkg"
	"github.com/mcpgen/mcpgen/internal/jsontext"
	"github.com/mcpgen/mcpgen/schema"
)

// item is the part that tools, prompts, resources and templates have in common.
type item struct {
	kind  schema.Kind
	wire  string
	pkg   string            // what names of the package need not begin with
	caps  capitals          // what the server writes in capitals
	pin   string            // contract hash
	place int               // see [lockfile.LockedItem]
	given map[string]string // Go names from the lock
	known bool              // the lock has it

	isLocked func() bool // its definition is the locked one, as far as is known

	wanted bool   // include and exclude let it through
	rename string // the Go name that the user chose, or ""
	doc    ir.Doc // the server's words, without a sentence of ours

	changes  bool // the server says when resources change
	numbered bool // it shares its functions with others: see [numberedSet]

	functions []*function  // the first one names the item
	sides     []*side      // arguments or variables, then the result; empty if it has no types
	shapes    []*shapeName // short names that were given at a place of the item

	words vocabulary      // see [item.vocabulary]; nil before it is first asked for
	keep  []string        // names by place that the lock lists
	kept  map[string]bool // the same as they are in code
	every bool            // has all names by place, listed or not
}

// function is a Go function of an item.
type function struct {
	key    string // place in the definition, as in the lock
	base   string // the Go name that is its own
	short  string // the same without the name of the package, if that was in it: what it asks for first
	goName string
	lost   bool // its name in the lock was taken back: see [givenTwice]
}

// name is the Go name of the function; "" if f is nil.
func (f *function) name() string {
	if f == nil {
		return ""
	}
	return f.goName
}

// ItemID identifies an item of a server.
type ItemID struct {
	Kind schema.Kind
	Name string // wire name, URI or URI template
}

// newItem begins an item that the server lists. It reports false if the item
// cannot be used.
func newItem(in Input, kind schema.Kind, listed schema.Item, w *warner) (item, bool) {
	locked, known := in.Locked.Items(kind)[listed.Name]
	pin := locked.Contract
	if pin == "" {
		var err error
		if pin, err = schema.ContractHash(kind, listed.Raw); err != nil {
			w.add(listed.Name, "", "left out: "+err.Error())
			return item{}, false
		}
	}
	isLocked := func() bool {
		full, err := schema.FullHash(listed.Raw)
		return locked.Full == "" || err == nil && full == locked.Full
	}
	return item{
		isLocked: isLocked, pkg: gopkg.Of(in.Name), caps: in.caps, kind: kind, wire: listed.Name, pin: pin,
		place: locked.Place, given: Pinned(locked).Names, known: known, wanted: true,
		changes: subscribes(in.Snapshot.Capabilities)}, true
}

// readItems reads a listing in byte order. Items that cannot be used are left out
// with a warning.
func readItems[T any](in Input, kind schema.Kind, items []schema.Item, w *warner,
	read func(item, json.RawMessage, *warner) *T) []*T {
	own := newWarner(in.Name, kind)
	var out []*T
	for _, listed := range distinct(items, func(string) *warner { return own }) {
		if it, ok := newItem(in, kind, listed, own); ok {
			if x := read(it, listed.Raw, own); x != nil {
				out = append(out, x)
			}
		}
	}
	w.takeAll(own)
	return out
}

// distinct returns the items in byte order, one for each name. It warns of the
// others.
func distinct(items []schema.Item, warns func(name string) *warner) []schema.Item {
	items = slices.Clone(items)
	slices.SortStableFunc(items, func(a, b schema.Item) int {
		return cmp.Or(cmp.Compare(a.Name, b.Name), bytes.Compare(a.Raw, b.Raw))
	})
	return slices.CompactFunc(items, func(a, b schema.Item) bool {
		if a.Name == b.Name {
			warns(a.Name).add(a.Name, "", "the server lists this name twice, and mcpgen uses only one definition",
				"ask the server's author to rename one of the two")
		}
		return a.Name == b.Name
	})
}

func (it *item) id() ItemID { return ItemID{it.kind, it.wire} }

// goName is the Go name of the item's first function.
func (it *item) goName() string { return it.functions[0].goName }

// asks adds a function and returns it. It asks for verb, name and word joined, where verb and
// word may be empty. Its short name has no name of the package at the begin, or after a verb at
// the begin.
func (it *item) asks(key, verb, name, word string) *function {
	name = it.caps.spell(name)
	f := &function{key: key, base: capital(suffixed(join(verb, name), word))}
	short := withoutPackage(it.pkg, name)
	if words := splitCase([]rune(name)); short == name && len(words) > 2 && isVerb(words[0]) {
		short = words[0] + withoutPackage(it.pkg, strings.Join(words[1:], ""))
	}
	if short != name {
		f.short = suffixed(join(verb, short), word)
	}
	it.functions = append(it.functions, f)
	return f
}

// who describes the item in messages.
func (it *item) who() string {
	if it.kind == schema.KindTemplate {
		return "the resource template " + quote(it.wire)
	}
	return "the " + string(it.kind) + " " + quote(it.wire)
}

// decls yields the types to declare, arguments first.
func (it *item) decls() iter.Seq[*decl] {
	return func(yield func(*decl) bool) {
		for _, b := range it.sides {
			for _, d := range b.decls {
				if !yield(d) {
					return
				}
			}
		}
	}
}

// addSide begins the types of a schema of the item. Word ends their names, and at
// is the place of the schema in the definition.
func (it *item) addSide(ctx context.Context, w *warner, word, at string, raw json.RawMessage) *side {
	b := newSide(ctx, &source{w: w, it: it, word: word, at: at, results: word == "Result"}, parse(w, it.wire, at, raw))
	it.sides = append(it.sides, b)
	return b
}

// label reads the members that prompts, resources and templates have in common. It
// returns the member name, or "".
func (it *item) label(raw json.RawMessage) string {
	member := func(name string) string { return jsontext.Text(jsontext.Member(raw, name)) }
	var notes []string
	if mime := member("mimeType"); mime != "" {
		notes = append(notes, "MIME type: "+plain(mime)+".")
	}
	it.doc = text(cmp.Or(member("description"), member("title")), notes)
	return member("name")
}

// argument is an argument that is a text, or a list of them.
type argument struct {
	name, description string
	list, required    bool
}

// takes gives the item its arguments: one struct, named after the item and word.
func (it *item) takes(w *warner, word, at string, args []argument) {
	var properties, required []string
	for _, arg := range args {
		form := `"type":"string"`
		if arg.list {
			form = `"type":"array","items":{"type":"string"}`
		}
		properties = append(properties, fmt.Sprintf(`%s:{"description":%s,%s}`, quoted(arg.name), quoted(arg.description), form))
		if arg.required {
			required = append(required, quoted(arg.name))
		}
	}
	raw := fmt.Sprintf(`{"type":"object","properties":{%s},"required":[%s]}`,
		strings.Join(properties, ","), strings.Join(required, ","))
	it.addSide(context.Background(), w, word, at, json.RawMessage(raw)).args()
}

// document writes the docs of the item's types, and returns the one that holds
// its arguments.
func (it *item) document(lead string) *ir.Type {
	for d := range it.decls() {
		d.t.Doc = ir.Doc{Lead: fmt.Sprintf("%s %s %s.", d.t.Go, lead, it.who()), Notes: d.notes}
		for _, m := range d.members {
			m.f.Doc = fieldDoc(d.side.views, m)
		}
	}
	return it.sides[0].root.Decl
}

// docOf documents a function of the item: what it does with the item, and then the
// server's words.
func (it *item) docOf(f *function, does string) ir.Doc {
	doc := it.doc
	doc.Lead = f.goName + " " + does + " " + it.who() + "."
	return doc
}

// subscribes reports whether a server says when its resources change.
func subscribes(capabilities json.RawMessage) bool {
	return string(jsontext.Member(jsontext.Member(capabilities, "resources"), "subscribe")) == "true"
}

// capable reports whether a server declares a capability.
func capable(capabilities json.RawMessage, what string) bool {
	said := string(jsontext.Member(capabilities, what))
	return said != "" && said != "null" && said != "false"
}
