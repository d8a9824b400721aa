package impact

// Which Go names a place in a definition has, before and after.

import (
	"context"
	"encoding/json"
	"slices"
	"strings"

	"github.com/mcpgen/mcpgen/generator"
	"github.com/mcpgen/mcpgen/generator/internal/decide"
	"github.com/mcpgen/mcpgen/generator/internal/gotext"
	"github.com/mcpgen/mcpgen/schema"
	"github.com/mcpgen/mcpgen/schema/drift"
)

// table holds the names of one generated package.
type table struct {
	server        string // configured name
	path          string // of the package
	pathAfter     string // "" if it is not known
	was, now      index
	unknown       bool              // now is not known before the code runs
	same          map[string]string // wire names of tools that are called otherwise now
	afterSnapshot *schema.Snapshot  // nil if it is not known
}

// index finds the names of a package as it is at one time.
type index struct {
	symbols []decide.Symbol
	names   map[string]decide.Symbol // by Go name
	count   map[string]int           // by Go name: the items that have it
	items   map[itemID]itemIndex
}

// itemIndex finds the names of one item.
type itemIndex struct {
	symbols  []decide.Symbol
	names    map[string]decide.Symbol   // by Go name
	pointers map[string][]decide.Symbol // by JSON pointer
}

type itemID struct {
	kind schema.Kind
	name string
}

func idOf(s decide.Symbol) itemID { return itemID{s.Kind, s.Item} }

func newIndex(symbols []decide.Symbol) index {
	x := index{symbols: symbols, names: map[string]decide.Symbol{}, count: map[string]int{}, items: map[itemID]itemIndex{}}
	for _, s := range symbols {
		it, known := x.items[idOf(s)]
		if !known {
			it.names, it.pointers = map[string]decide.Symbol{}, map[string][]decide.Symbol{}
		}
		if _, again := it.names[s.Go]; !again {
			x.count[s.Go]++
		}
		it.symbols = append(it.symbols, s)
		x.names[s.Go], it.names[s.Go] = s, s
		for _, p := range s.Pointers {
			it.pointers[p] = append(it.pointers[p], s)
		}
		x.items[idOf(s)] = it
	}
	return x
}

// tables makes the tables of all servers, by configured name.
func tables(ctx context.Context, o Options) (map[string]*table, error) {
	before, err := generator.Symbols(ctx, o.Before)
	if err != nil {
		return nil, err
	}
	after, err := generator.Symbols(ctx, o.After)
	if len(o.After.Servers) == 0 {
		after, err = nil, nil
	}
	if err != nil {
		return nil, err
	}
	out := map[string]*table{}
	for _, s := range before {
		t := &table{
			server: s.Server, path: s.Import, was: newIndex(s.Symbols), unknown: true,
			afterSnapshot: serverOf(o.After, s.Server),
		}
		if i := slices.IndexFunc(after, func(n generator.ServerSymbols) bool { return n.Server == s.Server }); i >= 0 {
			t.now, t.unknown, t.pathAfter = newIndex(after[i].Symbols), false, after[i].Import
		}
		t.same = drift.RenamedTools(serverOf(o.Before, s.Server), t.afterSnapshot)
		out[s.Server] = t
	}
	return out, nil
}

func serverOf(o generator.Options, name string) *schema.Snapshot {
	for _, s := range o.Servers {
		if s.Name == name {
			return s.Snapshot
		}
	}
	return nil
}

// at returns the names for a place, or for the nearest enclosing place that has names.
func (t *table) at(id itemID, pointer string) []decide.Symbol {
	pointers := t.was.items[id].pointers
	for p := pointer; ; p = above(p) {
		if found := pointers[p]; len(found) > 0 || p == "" {
			return found
		}
	}
}

// of returns the symbols of one role.
func of(symbols []decide.Symbol, role decide.Role) []decide.Symbol {
	return slices.DeleteFunc(slices.Clone(symbols), func(s decide.Symbol) bool { return s.Role != role })
}

// gone reports whether a name will not exist, or will mean something else. A constant
// whose value changes is not gone.
func (t *table) gone(s decide.Symbol) bool {
	if t.unknown {
		return false
	}
	now, ok := t.becomes(s)
	return !ok || now.Role != s.Role || s.Role == decide.RoleConst && now.Type != t.resolve(s.Type)
}

// becomes returns what a name will be. One that several items have is looked for in the
// same item only.
func (t *table) becomes(s decide.Symbol) (decide.Symbol, bool) {
	if now, ok := t.now.items[t.after(idOf(s))].names[s.Go]; ok || t.was.count[s.Go] > 1 {
		return now, ok
	}
	now, ok := t.now.names[s.Go]
	return now, ok
}

// after returns the identity of an item after the change.
func (t *table) after(id itemID) itemID {
	if now := t.same[id.name]; now != "" && id.kind == schema.KindTool {
		id.name = now
	}
	return id
}

// resolve returns the text of a type with other names of types replaced by the names that
// are declared after the change. Symbols have both kinds of names.
func (t *table) resolve(text string) string {
	return gotext.Rename(text, func(name string) string {
		for range len(t.now.names) {
			of := t.now.names[name].Of
			if of == "" {
				break
			}
			name = of
		}
		return name
	})
}

// retyped reports whether a name will be gone or have another type.
func (t *table) retyped(s decide.Symbol) bool {
	now, _ := t.becomes(s)
	return t.gone(s) || !t.unknown && now.Type != t.resolve(s.Type)
}

// reshaped reports whether a struct will have other fields, or fields in another order.
func (t *table) reshaped(name string) bool {
	fields := func(symbols []decide.Symbol, resolve func(string) string) (list []string) {
		for _, f := range of(symbols, decide.RoleField) {
			if text := f.Go + " " + resolve(f.Type); owner(f) == name && !slices.Contains(list, text) { // items share structs
				list = append(list, text)
			}
		}
		return list
	}
	same := func(text string) string { return text }
	return !t.unknown && !slices.Equal(fields(t.was.symbols, t.resolve), fields(t.now.symbols, same))
}

// renames reports whether any name will be gone or have another type: the lock of the same definitions can have other
// names.
func (t *table) renames() bool { return slices.ContainsFunc(t.was.symbols, t.retyped) }

// itemAfter returns the definition of an item after the change; nil if it is gone or unknown.
func (t *table) itemAfter(id itemID) json.RawMessage {
	if t.afterSnapshot == nil {
		return nil
	}
	for it := range t.afterSnapshot.Items() {
		if (itemID{it.Kind, it.Name}) == t.after(id) {
			return it.Raw
		}
	}
	return nil
}

// itemHash returns the full hash of a symbol's item after the change, or the hash of null if the item is gone.
func (t *table) itemHash(s decide.Symbol) string {
	raw := t.itemAfter(idOf(s))
	if raw == nil {
		raw = json.RawMessage("null")
	}
	hash, _ := schema.FullHash(raw) // "" of what cannot be read
	return hash
}

// owner returns the struct of a field.
func owner(field decide.Symbol) string {
	name, _, _ := strings.Cut(field.Go, ".")
	return name
}
