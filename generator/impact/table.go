package impact

// Which Go names a place in a definition has, before and after.

import (
	"context"
	"regexp"
	"slices"
	"strings"
	"sync"

	"github.com/mcpgen/mcpgen/generator"
	"github.com/mcpgen/mcpgen/schema"
	"github.com/mcpgen/mcpgen/schema/drift"
)

// table is the names of one generated package.
type table struct {
	path          string // of the package
	items         map[itemID][]generator.Symbol
	pointers      map[itemID]map[string][]generator.Symbol // by JSON pointer
	after         map[string]generator.Symbol              // what the names will be, by Go name
	afterItems    map[itemID]map[string]generator.Symbol   // the same, by item
	shared        map[string]int                           // by Go name: the items that have it
	afterPointers map[itemID]map[string][]generator.Symbol // as pointers, afterwards
	names         map[string]generator.Symbol              // by Go name
	unknown       bool                                     // not known before the code runs
	same          map[string]string                        // wire names of tools that are called otherwise now
	afterSnapshot *schema.Snapshot                         // nil if it is not known
}

type itemID struct {
	kind drift.Kind
	name string
}

// idOf is the item that a symbol is of.
func idOf(s generator.Symbol) itemID { return itemID{s.Kind, s.Item} }

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
		t := &table{path: s.Import, shared: map[string]int{}, names: map[string]generator.Symbol{}, items: map[itemID][]generator.Symbol{}, pointers: map[itemID]map[string][]generator.Symbol{}}
		for _, sym := range s.Symbols {
			t.add(sym)
		}
		t.expect(s.Server, after)
		t.afterSnapshot = serverOf(o.After, s.Server)
		t.same = drift.RenamedTools(serverOf(o.Before, s.Server), serverOf(o.After, s.Server))
		out[s.Server] = t
	}
	return out, nil
}

func (t *table) add(sym generator.Symbol) {
	id := idOf(sym)
	if !slices.ContainsFunc(t.items[id], func(s generator.Symbol) bool { return s.Go == sym.Go }) {
		t.shared[sym.Go]++
	}
	t.items[id] = append(t.items[id], sym)
	t.names[sym.Go] = sym
	index(t.pointers, sym)
}

func index(byPointer map[itemID]map[string][]generator.Symbol, sym generator.Symbol) {
	id := idOf(sym)
	if byPointer[id] == nil {
		byPointer[id] = map[string][]generator.Symbol{}
	}
	for _, p := range sym.Pointers {
		byPointer[id][p] = append(byPointer[id][p], sym)
	}
}

// expect remembers what the names of a server will be.
func (t *table) expect(server string, after []generator.ServerSymbols) {
	i := slices.IndexFunc(after, func(s generator.ServerSymbols) bool { return s.Server == server })
	if i < 0 {
		t.unknown = true
		return
	}
	t.after, t.afterPointers = map[string]generator.Symbol{}, map[itemID]map[string][]generator.Symbol{}
	t.afterItems = map[itemID]map[string]generator.Symbol{}
	for _, sym := range after[i].Symbols {
		id := idOf(sym)
		if t.afterItems[id] == nil {
			t.afterItems[id] = map[string]generator.Symbol{}
		}
		t.after[sym.Go], t.afterItems[id][sym.Go] = sym, sym
		index(t.afterPointers, sym)
	}
}

func serverOf(o generator.Options, name string) *schema.Snapshot {
	for _, s := range o.Servers {
		if s.Name == name {
			return s.Snapshot
		}
	}
	return nil
}

// at returns the names that stand for a place, or for the nearest place above it
// that has any.
func (t *table) at(id itemID, pointer string) []generator.Symbol {
	pointers := t.pointers[id]
	for p := pointer; ; p = above(p) {
		if found := pointers[p]; len(found) > 0 || p == "" {
			return found
		}
	}
}

// of keeps the symbols of one role.
func of(symbols []generator.Symbol, role generator.SymbolRole) []generator.Symbol {
	return slices.DeleteFunc(slices.Clone(symbols), func(s generator.Symbol) bool { return s.Role != role })
}

// gone reports whether a name will not be there, or be something else. A constant
// of another value is what it was.
func (t *table) gone(s generator.Symbol) bool {
	if t.unknown {
		return false
	}
	now, ok := t.now(s)
	return !ok || now.Role != s.Role || s.Role == generator.SymbolConst && now.Type != resolve(s.Type, t.after)
}

// now is what a name will be. One that several items have is looked for in the same
// item: what it is in another says nothing.
func (t *table) now(s generator.Symbol) (generator.Symbol, bool) {
	id := idOf(s)
	if now := t.same[id.name]; now != "" && id.kind == drift.KindTool {
		id.name = now
	}
	if now, ok := t.afterItems[id][s.Go]; ok || t.shared[s.Go] > 1 {
		return now, ok
	}
	now, ok := t.after[s.Go]
	return now, ok
}

// resolve is the text of a type with the names that are declared, where it has others of
// the same types. Symbols has both.
func resolve(text string, symbols map[string]generator.Symbol) string {
	return identifier().ReplaceAllStringFunc(text, func(name string) string {
		for range len(symbols) {
			of := symbols[name].Of
			if of == "" {
				break
			}
			name = of
		}
		return name
	})
}

// identifier matches the names in the text of a type.
var identifier = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`[\pL_][\pL\pN_]*`) })

// retyped reports whether a name will be gone or of another type.
func (t *table) retyped(s generator.Symbol) bool {
	now, _ := t.now(s)
	return t.gone(s) || !t.unknown && now.Type != resolve(s.Type, t.after)
}

// owner is the struct of a field.
func owner(field generator.Symbol) string {
	name, _, _ := strings.Cut(field.Go, ".")
	return name
}
