package decide

// Assigning names. Names that the user or the lock fixes come first, then those of
// the items in the lock, then those of new items, so that a new item never takes the
// name of an existing one. Within each of the two: functions, the
// types of arguments and results, nested types, constants; each in byte order.

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/mcpgen/mcpgen/generator/internal/ir"
	"github.com/mcpgen/mcpgen/internal/hint"
	"github.com/mcpgen/mcpgen/internal/jsontext"
	"github.com/mcpgen/mcpgen/internal/parallel"
	"github.com/mcpgen/mcpgen/schema"
)

// assigner names the items of one package.
type assigner struct {
	server   string
	scope    *scope
	items    []*item
	kept     map[ItemID]map[string]string // names that items had before, not binding
	errs     []error
	renamed  map[string]string // Go name -> the wire name of the tool that the user gave it to
	renameAt map[string]string // see Server.RenameAt
	lenient  bool              // short names in the lock that cannot be given are forgotten
	shapes   []*shape
	chosen   *choices
	stayed   stayed
	twice    []givenTwice

	functions beside                  // what the functions of all items ask for
	variants  map[*ir.Type][]*ir.Type // see siblings; nil before it is first asked for
}

// naming is the name that an identifier or a field asked for, and the one it got.
type naming struct {
	scope string // the struct of a field, "" for the package
	base  string // the name asked for
	name  string
}

// identifier is a function, type or constant that needs a name at the top level of
// the package, or a field that needs one in its struct.
type identifier struct {
	of    *item
	key   string // place in the definition, as in the lock
	who   string // in words
	base  string
	plain string // of a constant: its name if it were the only value
	// short is asked for first, and pinned. Of a function it is the name without that of the
	// package; of a constant that is a URL, the words in which it differs from the others. It may be "".
	short string
	into  *string
	types bool // named after a function or type of the item

	function bool
	field    bool // of a struct, which is its scope
	lost     bool // see [function]
}

func newAssigner(server string, items []*item, kept map[ItemID]map[string]string, chosen *choices) *assigner {
	return &assigner{
		server: server, items: items, kept: kept, lenient: kept != nil, chosen: chosen,
		scope:   packageScope().reserve("a method that go vet knows", vetMethods()...),
		renamed: map[string]string{},
	}
}

// run names everything. The error names all names that cannot be given.
func (a *assigner) run() error {
	a.functions = functionNames(a.items)
	a.errs = nameFields(a.server, a.items, a.kept)
	find := &finder{items: a.items, kept: a.kept}
	find.findChanged()
	a.shapes = find.shapes()
	a.stayed = find.stayed(a.shapes)
	a.locateChoices()
	a.renames()
	a.takeBackFunctions()
	a.each(func(ids []identifier) { a.give(ids, givenName) }, a.those(func(it *item) bool { return len(it.given) > 0 }))
	a.ownNames()
	a.lockedShapes()
	a.each(func(ids []identifier) { a.give(ids, a.keptName) },
		a.those(func(it *item) bool { return len(a.kept[it.id()]) > 0 }))
	a.keptShapes()
	a.each(a.free, a.those(func(it *item) bool { return it.known }))
	a.each(a.free, a.those(func(it *item) bool { return !it.known }))
	a.newShapes()
	a.likes()
	return errors.Join(a.errs...)
}

// those returns the items that satisfy is.
func (a *assigner) those(is func(*item) bool) []*item {
	return slices.DeleteFunc(slices.Clone(a.items), func(it *item) bool { return !is(it) })
}

// each calls f for the identifiers of items, step by step: types are named after
// their functions, and constants after their types. No two are named at the same time.
func (a *assigner) each(f func([]identifier), items []*item) {
	for _, step := range []func(*item) []identifier{functions, roots, nested, typeMembers} {
		ids := make([][]identifier, len(items))
		_ = parallel.Each(context.Background(), len(items), func(i int) error {
			ids[i] = step(items[i])
			return nil
		})
		for _, of := range ids {
			f(of)
		}
	}
}

// ownNames names the functions of the items in the lock, and the types of their arguments and results: the lock lists
// only names that differ from the names of the items themselves. Functions whose names were taken back come last.
func (a *assigner) ownNames() {
	known := a.those(func(it *item) bool { return it.known })
	kept := func(it *item) []identifier {
		return slices.DeleteFunc(functions(it), func(id identifier) bool { return id.lost })
	}
	for _, step := range []func(*item) []identifier{kept, functions, roots} {
		for _, it := range known {
			ids := step(it)
			a.give(ids, a.keptName)
			a.free(ids)
		}
	}
}

// ownerOf describes the item that has an unlisted name, or returns "".
func (a *assigner) ownerOf(name string) string {
	for _, it := range a.those(func(it *item) bool { return it.known }) {
		for _, id := range append(functions(it), roots(it)...) {
			if *id.into == name && it.given[id.key] == "" {
				return id.who
			}
		}
	}
	return ""
}

func functions(it *item) []identifier {
	var out []identifier
	for _, f := range it.functions {
		out = append(out, identifier{
			of: it, key: f.key, who: it.who(), base: f.base, short: f.short, into: &f.goName, function: true, lost: f.lost,
		})
	}
	return out
}

func roots(it *item) []identifier {
	return typeIdentifiers(it, (*decl).isRoot)
}

func nested(it *item) []identifier {
	return typeIdentifiers(it, func(d *decl) bool { return !d.isRoot() })
}

// typeIdentifiers are the types of the item that want a name, in byte order of their places.
func typeIdentifiers(it *item, want func(*decl) bool) []identifier {
	var out []identifier
	for d := range it.decls() {
		if want(d) {
			out = append(out, identifier{
				of: it, key: d.key(typeKey), who: "a type of " + it.who(),
				base: d.asks(), into: &d.t.Go, types: true,
			})
		}
	}
	slices.SortStableFunc(out, func(x, y identifier) int { return cmp.Compare(x.key, y.key) })
	return out
}

// typeMembers are what is named after a type, in byte order of the types' places: the
// constants of the item's enums, in that of their values, and the types that unions keep other values in.
func typeMembers(it *item) []identifier {
	var out []identifier
	for _, d := range inOrder(it.decls()) {
		out = append(out, d.identifiers(d.key(typeKey), d.t)...)
	}
	return out
}

// givenName is the name that the lock gives an identifier, or "".
func givenName(id identifier) string {
	name := id.of.given[id.key]
	if name == "" || !id.types || id.of.rename == "" {
		return name
	}
	return replacePrefix(name, id.of)
}

// replacePrefix moves a name that was locked under the tool's own name to the
// name that the user chose since.
func replacePrefix(name string, it *item) string {
	was := it.given[""]
	if was == "" {
		was = it.functions[0].base
	}
	if len(name) > len(was) && name[:len(was)] == was {
		return it.rename + name[len(was):]
	}
	return name
}

// keptName is the name that an identifier had before, or "".
func (a *assigner) keptName(id identifier) string {
	name := a.kept[id.of.id()][id.key]
	if name == "" || checkGiven(name) != nil {
		return ""
	}
	return name
}

// give gives identifiers the names that are theirs already. A locked name that cannot
// be given is an error, a kept one is forgotten.
func (a *assigner) give(ids []identifier, named func(identifier) string) {
	if !slices.ContainsFunc(ids, func(id identifier) bool { return named(id) != "" }) {
		return
	}
	names := beside{}
	for _, id := range ids {
		names.ask(id.key, id.base)
		if id.short != "" && !id.function {
			names.ask(id.key, id.short)
		}
	}
	for _, id := range ids {
		name := named(id)
		if name == "" || *id.into != "" || a.lostToRename(id, name) {
			continue
		}
		if reason := a.misplaced(id, name, names); reason != "" {
			a.refuse(id.of, id.key, reason)
			continue
		}
		err := a.scope.claimable(name)
		switch {
		case err == nil:
			a.scope.claim(name, id.who)
			*id.into = name
		case id.of.given[id.key] != "":
			a.errs = append(a.errs, lockError(a.server, id.of, id.key, err))
			*id.into = name // one error for each
		}
	}
}

// lostToRename reports whether the user gave the name of id to a tool. For an
// item that is generated this is an error: silently it would get another name,
// and code that uses the old one would call the other tool.
func (a *assigner) lostToRename(id identifier, name string) bool {
	by, ok := a.renamed[name]
	if ok && id.of.wanted {
		err := fmt.Errorf("%sthe name %s belongs to %s", a.placeOfRename(by), name, id.who)
		a.errs = append(a.errs, hint.With(err, "choose another", "rename that too"))
	}
	return ok
}

// lockError returns the error of a name in the lock. By default, its steps repair the lock.
func lockError(server string, it *item, key string, err error, steps ...string) error {
	at := lockPlace(server, it.kind, it.wire) + "/go/names/" + jsontext.EscapePointer(key)
	if steps == nil {
		steps = []string{"restore the lock from version control", "remove that name and run mcpgen generate"}
	}
	return lockErrorAt(at, err.Error(), steps...)
}

func lockErrorAt(at, reason string, steps ...string) error {
	return hint.With(fmt.Errorf("mcpgen.lock: %w", &schema.Error{Pointer: at, Reason: reason}), steps...)
}

// free gives the remaining identifiers the names that they ask for, or numbers.
func (a *assigner) free(ids []identifier) {
	for _, id := range ids {
		if *id.into == "" {
			base, others := a.first(id), beside(nil)
			if id.function {
				others = a.functions
			}
			a.lostToRename(id, shorten(base))
			*id.into = a.scope.unique(base, id.who, others)
		}
	}
}

// first is the name that an identifier asks for: the short one if it is new and nothing else
// has or asks for that name. A function gets it unless the lock has whole names of functions.
func (a *assigner) first(id identifier) string {
	_, taken := a.scope.holder(shorten(id.short))
	switch {
	case id.short == "" || taken:
		return id.base
	case !id.function && (!id.of.known || a.kept[id.of.id()] != nil): // what is not new is named before
		return id.short
	case id.of.known || len(a.functions[shorten(id.short)]) > 1:
		return id.base
	}
	whole := 0
	for _, it := range a.items {
		if f := it.functions[0]; it.known && f.short != "" && f.goName == f.short {
			return id.short
		} else if it.known && f.short != "" {
			whole++
		}
	}
	if whole > 0 {
		return id.base
	}
	return id.short
}

// named are all names of the item, by place, before types are declared under short
// ones.
func (it *item) named() map[string]naming {
	out := map[string]naming{}
	for _, step := range []func(*item) []identifier{functions, roots, nested, typeMembers} {
		for _, id := range step(it) {
			out[id.key] = naming{base: shorten(id.base), name: *id.into}
			if it.numbered {
				out[id.key] = naming{name: *id.into} // the lock has it in any case
			}
		}
	}
	for d := range it.decls() {
		for _, m := range d.members {
			out[m.key] = naming{scope: d.key(typeKey), base: m.asked(it.caps), name: m.f.Go}
		}
		if d.like != "" {
			out[d.key(likeKey)] = naming{name: d.like}
		}
		if d.unnamed {
			out[d.key(placedKey)] = naming{name: d.t.Go}
		}
	}
	for _, n := range it.shapes {
		for _, key := range n.keys() {
			out[key] = naming{name: n.t.Go}
		}
		if n.origin != "" {
			out[n.home.key(originKey)] = naming{name: n.origin}
		}
		for _, id := range n.members() {
			out[id.key] = naming{base: shorten(id.base), name: *id.into}
		}
	}
	return out
}

// all returns all names, by item and place. A short name stands at every place of its type.
// The result also describes each type, and marks required members.
func (a *assigner) all() map[ItemID]map[string]string {
	out := map[ItemID]map[string]string{}
	for _, it := range a.items {
		names := map[string]string{}
		for key, n := range it.named() {
			names[key] = n.name
		}
		for d := range it.decls() {
			names[d.key(ownKey)] = d.describeOwn()
			for _, m := range d.members {
				if m.f.Presence == ir.Required {
					names[m.requiredKey()] = m.f.Go
				}
			}
		}
		out[it.id()] = names
	}
	for _, s := range a.shapes {
		if len(s.names) == 0 {
			continue
		}
		n := s.names[0]
		for _, d := range s.occurrences {
			names := out[d.side.it.id()]
			if names[d.key(shapeKey)] != "" {
				continue
			}
			names[d.key(shapeKey)] = n.t.Go
			for _, id := range n.members() {
				names[d.key(shapeKey)+strings.TrimPrefix(id.key, n.home.key(shapeKey))] = *id.into
			}
		}
	}
	return out
}
