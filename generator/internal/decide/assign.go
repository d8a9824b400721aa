package decide

// Who gets which name. First those whose names are fixed: by the user, by the
// lock. Then everything of the tools that the lock knows, then what is new, so
// that nothing new takes a name away. Within each of the two: functions, the
// types of arguments and results, nested types, constants; each in byte order.

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"slices"

	"github.com/mcpgen/mcpgen/generator/internal/ir"
	"github.com/mcpgen/mcpgen/internal/jsontext"
	"github.com/mcpgen/mcpgen/schema"
)

// assigner names the items of one package.
type assigner struct {
	server  string
	scope   *scope
	tools   []*tool
	kept    map[itemID]map[string]string // names that items had before, not binding
	fixed   map[*string]bool             // has its name already
	errs    []error
	renamed map[string]string // Go name -> the wire name of the tool that the user gave it to
}

// naming is who asked for what and got what.
type naming struct {
	scope string // the struct of a field, "" for the package
	base  string // the name asked for
	name  string
}

// item is something that needs a name at the top level of the package.
type item struct {
	t     *tool
	key   string // place in the definition, as in the lock
	who   string // in words
	base  string
	into  *string
	types bool // named after its tool
}

func newAssigner(server string, tools []*tool, kept map[itemID]map[string]string) *assigner {
	return &assigner{
		server: server, tools: tools, kept: kept,
		scope:   packageScope().reserve("a method that go vet knows", vetMethods()...),
		fixed:   map[*string]bool{},
		renamed: map[string]string{},
	}
}

// run names everything. The error names all names that cannot be given.
func (a *assigner) run() error {
	a.renames()
	a.each(func(items []item) { a.give(items, givenName) }, a.those(func(t *tool) bool { return len(t.given) > 0 }))
	a.each(func(items []item) { a.give(items, a.keptName) }, a.those(func(t *tool) bool { return len(a.kept[t.id()]) > 0 }))
	a.each(a.free, a.those(func(t *tool) bool { return t.known }))
	a.each(a.free, a.those(func(t *tool) bool { return !t.known }))
	for _, t := range a.tools {
		for _, d := range t.decls() {
			a.fields(t, d)
		}
	}
	return errors.Join(a.errs...)
}

// those returns the tools for which is holds.
func (a *assigner) those(is func(*tool) bool) []*tool {
	return slices.DeleteFunc(slices.Clone(a.tools), func(t *tool) bool { return !is(t) })
}

// each calls f for the items of tools, step by step: types are called after their
// tools, and constants after their types.
func (a *assigner) each(f func([]item), tools []*tool) {
	for _, step := range []func(*tool) []item{functions, roots, nested, constantItems} {
		for _, t := range tools {
			f(step(t))
		}
	}
}

func roots(t *tool) []item {
	return typeItems(t, (*decl).isRoot, func(d *decl) string { return d.side.word })
}

func nested(t *tool) []item {
	return typeItems(t, func(d *decl) bool { return !d.isRoot() }, func(d *decl) string {
		return join(d.side.word, d.place().name)
	})
}

// typeItems are the types of t that want a name, in byte order of their places.
func typeItems(t *tool, want func(*decl) bool, suffix func(*decl) string) []item {
	var out []item
	for _, d := range t.decls() {
		if want(d) {
			out = append(out, item{
				t: t, key: d.key(), who: "a type of " + t.who(),
				base: join(t.goName, suffix(d)), into: &d.t.Go, types: true,
			})
		}
	}
	slices.SortStableFunc(out, func(x, y item) int { return cmp.Compare(x.key, y.key) })
	return out
}

// constantItems are what is called after a type: the constants of t's enums, in
// byte order of their values, and what unions keep the other values in.
func constantItems(t *tool) []item {
	var out []item
	for _, d := range t.decls() {
		var own []item
		texts := map[string]string{} // by key
		for i := range d.t.Consts {
			text := constantText(d.values[i])
			key := d.key() + "/" + jsontext.EscapePointer(d.values[i])
			texts[key] = text
			own = append(own, item{
				t: t, key: key, who: "a constant of " + t.who(),
				base: join(d.t.Go, part(text)), into: &d.t.Consts[i].Go, types: true,
			})
		}
		slices.SortStableFunc(own, func(x, y item) int { return cmp.Compare(texts[x.key], texts[y.key]) })
		out = append(out, own...)
		if d.t.Kind == ir.Union {
			out = append(out, item{
				t: t, key: d.key() + "/other", who: "a type of the tool " + quote(t.wire),
				base: join(d.t.Go, "Other"), into: &d.t.Other, types: true,
			})
		}
	}
	return out
}

// isRoot reports whether d is what the side's schema itself describes.
func (d *decl) isRoot() bool { return d.side.rootType() == d.t }

// rootType is the declared type of what the side's schema describes, nil if that
// is a list, a map or a scalar.
func (b *side) rootType() *ir.Type {
	ref := b.root
	if ref.Kind == ir.Pointer {
		ref = ref.Elem
	}
	if ref.Kind != ir.Named {
		return nil
	}
	return ref.Decl
}

// key is where the lock keeps the name of the type: at the keyword "type" of its
// schema, whether or not that is there. The schema's own place is that of a
// field.
func (d *decl) key() string { return d.side.at + d.pointer + "/type" }

// renames gives tools the names that the user chose.
func (a *assigner) renames() {
	for _, t := range a.tools {
		if t.rename == "" {
			continue
		}
		who := "the tool " + quote(t.wire)
		if holder, taken := a.scope.holder(t.rename); taken {
			a.errs = append(a.errs, fmt.Errorf("servers.%s.tools.rename.%s: the name %s is taken by %s; choose another",
				clean(a.server), clean(t.wire), t.rename, holder))
			continue
		}
		a.scope.claim(t.rename, who)
		a.renamed[t.rename] = t.wire
		a.settle(item{t: t, base: t.rename, into: &t.goName}, t.rename)
	}
}

// givenName is the name that the lock gives an item, "" if none.
func givenName(it item) string {
	name := it.t.given[it.key]
	if name == "" || !it.types || it.t.rename == "" {
		return name
	}
	return replacePrefix(name, it.t)
}

// replacePrefix moves a name that was locked under the tool's own name to the
// name that the user chose since.
func replacePrefix(name string, t *tool) string {
	was := t.given[""]
	if was == "" {
		was = exported(t.wire)
	}
	if len(name) > len(was) && name[:len(was)] == was {
		return t.rename + name[len(was):]
	}
	return name
}

// keptName is the name that an item had before.
func (a *assigner) keptName(it item) string {
	if checkGiven(a.kept[it.t.id()][it.key]) != nil {
		return ""
	}
	return a.kept[it.t.id()][it.key]
}

// give gives items the names that are theirs already. A locked name that cannot
// be given is an error, a kept one is forgotten.
func (a *assigner) give(items []item, named func(item) string) {
	for _, it := range items {
		name := named(it)
		if name == "" || a.fixed[it.into] || a.lostToRename(it, name) {
			continue
		}
		err := checkGiven(name)
		if holder, taken := a.scope.holder(name); err == nil && taken {
			err = fmt.Errorf("the name %s is taken by %s", name, holder)
		}
		switch {
		case err == nil:
			a.scope.claim(name, it.who)
			a.settle(it, name)
		case it.t.given[it.key] != "":
			a.errs = append(a.errs, a.lockError(it.t, it.key, err))
			a.fixed[it.into] = true
		}
	}
}

// lostToRename reports whether the user gave the name of it to a tool. For an
// item that is generated this is an error: silently it would get another name,
// and code that uses the old one would call the other tool.
func (a *assigner) lostToRename(it item, name string) bool {
	by, ok := a.renamed[name]
	if ok && it.t.wanted {
		a.errs = append(a.errs, fmt.Errorf("servers.%s.tools.rename.%s: the name %s is that of %s; choose another, or rename that too",
			clean(a.server), clean(by), name, it.who))
	}
	return ok
}

func (a *assigner) lockError(t *tool, key string, err error) error {
	return fmt.Errorf("mcpgen.lock: servers.%s.%s.%s.names %s: %w; restore the lock from version control or run mcpgen update %s",
		clean(a.server), t.list(), clean(t.wire), quote(key), err, clean(a.server))
}

// free gives the remaining items the names that they ask for, or numbers.
func (a *assigner) free(items []item) {
	for _, it := range items {
		if a.fixed[it.into] {
			continue
		}
		a.lostToRename(it, shorten(it.base))
		a.settle(it, a.scope.unique(it.base, it.who))
	}
}

// settle writes a name down.
func (a *assigner) settle(it item, name string) {
	*it.into = name
	a.fixed[it.into] = true
}

// fields names the fields of one struct.
func (a *assigner) fields(t *tool, d *decl) {
	s := fieldScope()
	members := slices.SortedStableFunc(slices.Values(d.members), func(x, y *member) int {
		return cmp.Or(order(x.f.Untagged, y.f.Untagged), cmp.Compare(x.f.Wire, y.f.Wire))
	})
	take := func(m *member, name string) error {
		if name == "" || m.f.Go != "" {
			return nil
		}
		if err := checkGiven(name); err != nil {
			return err
		}
		if holder, taken := s.holder(name); taken {
			return fmt.Errorf("the name %s is taken by %s", name, holder)
		}
		s.claim(name, m.who())
		m.f.Go = name
		return nil
	}
	for _, m := range members {
		if err := take(m, t.given[m.key]); err != nil {
			a.errs = append(a.errs, a.lockError(t, m.key, err))
		}
	}
	for _, m := range members {
		_ = take(m, a.kept[t.id()][m.key]) // a name that is gone is not missed
	}
	for _, m := range members {
		if m.f.Go == "" {
			m.f.Go = s.unique(m.asked(), m.who())
		}
	}
}

// order puts false before true.
func order(x, y bool) int {
	switch {
	case x == y:
		return 0
	case y:
		return -1
	}
	return 1
}

// asked is the name that a field wants.
func (m *member) asked() string {
	if m.name != "" {
		return m.name
	}
	return exported(m.f.Wire)
}

// who is the member in words.
func (m *member) who() string {
	if m.name != "" {
		return "the item " + m.name
	}
	return "the member " + quote(m.f.Wire)
}

// names returns what every item of a tool was called, by place.
func (t *tool) names() map[string]naming {
	out := map[string]naming{}
	for _, step := range []func(*tool) []item{functions, roots, nested, constantItems} {
		for _, it := range step(t) {
			out[it.key] = naming{base: shorten(it.base), name: *it.into}
		}
	}
	for _, d := range t.decls() {
		for _, m := range d.members {
			out[m.key] = naming{scope: d.key(), base: m.asked(), name: m.f.Go}
		}
	}
	return out
}

// all returns all names, by item and place.
func (a *assigner) all() map[itemID]map[string]string {
	out := map[itemID]map[string]string{}
	for _, t := range a.tools {
		out[t.id()] = map[string]string{}
		for key, n := range t.names() {
			out[t.id()][key] = n.name
		}
	}
	return out
}

// locked returns the names that have to be written down, by kind and item: the
// numbered ones, and within an item also the one that the others were numbered
// behind. Without any it is nil.
func (a *assigner) locked() map[schema.Kind]map[string]map[string]string {
	var out map[schema.Kind]map[string]map[string]string
	for _, t := range a.tools {
		names := t.names()
		contested := map[naming]bool{}
		for _, n := range names {
			if n.name != n.base {
				contested[naming{scope: n.scope, base: n.base}] = true
			}
		}
		pins := map[string]string{}
		for key, n := range names {
			if n.name != n.base || key != "" && contested[naming{scope: n.scope, base: n.base}] {
				pins[key] = n.name
			}
		}
		if len(pins) > 0 {
			if out == nil {
				out = map[schema.Kind]map[string]map[string]string{}
			}
			if out[t.itemKind()] == nil {
				out[t.itemKind()] = map[string]map[string]string{}
			}
			out[t.itemKind()][t.wire] = pins
		}
	}
	return out
}

// constantText is what a constant is called after: the text of a string, the
// spelling of anything else.
func constantText(value string) string {
	var text string
	if value[0] == '"' && json.Unmarshal([]byte(value), &text) == nil {
		return text
	}
	return value
}
