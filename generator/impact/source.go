package impact

// What the Go APIs before and after have in common: source compatibility.

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"go/types"
	"slices"
	"strings"

	"github.com/mcpgen/mcpgen/generator"
	"github.com/mcpgen/mcpgen/schema"
	"github.com/mcpgen/mcpgen/schema/drift"
)

// Source compares the Go APIs that are generated before and after, and returns by
// server what user code meets: [drift.SourceIncompatible] for what does not
// compile any more, and [drift.SourceZeroValue] for what compiles and sends or
// reads a zero value. Each names the item and the place in its definition; hand
// them to [drift.Report.Add], which gives them their severities. Servers that are
// on one side only are left out, and so is what is new.
//
// It touches neither network nor disk. The errors are those of
// [generator.Symbols] and [generator.APIs].
func Source(ctx context.Context, before, after generator.Options) (map[string][]drift.Change, error) {
	before, after = both(before, after), both(after, before)
	was, err := generator.Symbols(ctx, before)
	if err != nil {
		return nil, err
	}
	now, err := generator.Symbols(ctx, after)
	if err != nil {
		return nil, err
	}
	apis, err := generator.APIs(ctx, before, after)
	if err != nil {
		return nil, err
	}
	out := map[string][]drift.Change{}
	for i, s := range was { // both are sorted by the same names
		c := &comparison{
			was: byName(s), now: byName(now[i]), found: map[string]bool{}, after: serverOf(after, s.Server),
			same:   drift.RenamedTools(serverOf(before, s.Server), serverOf(after, s.Server)),
			shared: map[string]bool{}, items: itemsOf(now[i]),
		}
		for name, items := range itemsOf(s) {
			c.shared[name] = len(items) > 1
		}
		c.symbols(s.Symbols)
		c.types(apis[0][s.Server], apis[1][s.Server])
		c.zeros(s, now[i])
		slices.SortFunc(c.changes, compareChanges)
		out[s.Server] = c.changes
	}
	return out, nil
}

// both keeps the servers of o that other has, too.
func both(o, other generator.Options) generator.Options {
	o.Servers = slices.DeleteFunc(slices.Clone(o.Servers), func(s generator.Server) bool {
		return !slices.ContainsFunc(other.Servers, func(t generator.Server) bool { return t.Name == s.Name })
	})
	return o
}

func byName(s generator.ServerSymbols) map[string]generator.Symbol {
	out := make(map[string]generator.Symbol, len(s.Symbols))
	for _, sym := range s.Symbols {
		out[sym.Go] = sym
	}
	return out
}

// comparison compares one package.
type comparison struct {
	was, now map[string]generator.Symbol
	after    *schema.Snapshot
	same     map[string]string          // tools under another name
	found    map[string]bool            // names that are incompatible, each reported once
	shared   map[string]bool            // types of several items, before
	items    map[string]map[string]bool // of each type, afterwards
	changes  []drift.Change
}

// types compares what the names alone do not say: whether values can be compared,
// and which types are variants of which unions.
func (c *comparison) types(was, now *types.Package) {
	for _, name := range was.Scope().Names() {
		old, ok := was.Scope().Lookup(name).(*types.TypeName)
		sym, known := c.was[name]
		next, there := now.Scope().Lookup(name).(*types.TypeName)
		if !ok || !known || !there {
			continue
		}
		if types.Comparable(old.Type()) && !types.Comparable(next.Type()) {
			c.incompatible(sym, "values cannot be compared with == any more")
		}
		if types.IsInterface(old.Type()) && types.IsInterface(next.Type()) {
			c.variants(old, next)
		}
	}
}

// variants looks for types that are no longer variants of a union.
func (c *comparison) variants(old, next *types.TypeName) {
	in := func(union, variant *types.TypeName) bool {
		return types.Implements(variant.Type(), union.Type().Underlying().(*types.Interface))
	}
	for _, name := range old.Pkg().Scope().Names() {
		variant, ok := old.Pkg().Scope().Lookup(name).(*types.TypeName)
		now, there := next.Pkg().Scope().Lookup(name).(*types.TypeName)
		if ok && there && !types.IsInterface(variant.Type()) && in(old, variant) && !in(next, now) {
			c.incompatible(c.was[name], "is not a variant of "+old.Name()+" any more")
		}
	}
}

// symbols compares the names and the types that they are written with.
func (c *comparison) symbols(was []generator.Symbol) {
	for _, sym := range was {
		now, ok := c.now[sym.Go]
		switch {
		case c.elsewhere(sym):
		case !ok || now.Role != sym.Role || now.Kind != sym.Kind:
			c.incompatible(sym, "removed")
		case c.resolve(sym.Type) != now.Type:
			c.incompatible(sym, fmt.Sprintf("changed from %s to %s", sym.Type, now.Type))
		case sym.Role == generator.SymbolType && sym.Of != "" && c.resolve(sym.Of) != c.resolve(sym.Go):
			c.incompatible(sym, "is not the type "+sym.Of+" any more")
		case sym.Role == generator.SymbolConst && now.Value != sym.Value:
			c.incompatible(sym, fmt.Sprintf("value changed from %s to %s", sym.Value, now.Value))
		}
	}
}

// resolve is the text of a type with the names that are declared afterwards, where it
// has others of the same types.
func (c *comparison) resolve(text string) string { return resolve(text, c.now) }

// elsewhere reports whether a name that several items share is still there, and not of
// this item: what it is now is then about the others.
func (c *comparison) elsewhere(s generator.Symbol) bool {
	name := declaredName(s)
	item := cmp.Or(c.same[s.Item], s.Item)
	return c.shared[name] && c.items[name] != nil && !c.items[name][item]
}

// declaredName is the type that a symbol belongs to, or its own name.
func declaredName(s generator.Symbol) string {
	switch s.Role {
	case generator.SymbolField:
		return owner(s)
	case generator.SymbolConst:
		return s.Type
	}
	return s.Go
}

// itemsOf are the items that each declared name is of.
func itemsOf(s generator.ServerSymbols) map[string]map[string]bool {
	out := map[string]map[string]bool{}
	for _, sym := range of(s.Symbols, generator.SymbolType) {
		if out[sym.Go] == nil {
			out[sym.Go] = map[string]bool{}
		}
		out[sym.Go][sym.Item] = true
	}
	return out
}

func (c *comparison) incompatible(s generator.Symbol, words string) {
	if c.found[s.Go] || s.Go == "" || s.Role == generator.SymbolField && c.found[owner(s)] && c.now[owner(s)].Go == "" {
		return
	}
	c.found[s.Go] = true
	c.add(drift.SourceIncompatible, s, s.Go+": "+words)
}

// zeros looks for fields that code leaves alone, and that mean something else for
// it now.
func (c *comparison) zeros(was, now generator.ServerSymbols) {
	for _, s := range of(now.Symbols, generator.SymbolField) {
		if old, ok := c.was[s.Go]; !ok && s.Required && !s.Result && c.was[owner(s)].Go != "" {
			c.add(drift.SourceZeroValue, s, s.Go+" is new and always sent: code that does not know it sends "+zeroOf(s.Type))
		} else if ok && s.Required && !old.Required && !s.Result {
			c.add(drift.SourceZeroValue, s, s.Go+" was left out if it was not set: now "+zeroOf(s.Type)+" is sent")
		}
	}
	for _, s := range of(was.Symbols, generator.SymbolField) {
		if now, ok := c.now[s.Go]; ok && s.Result && s.Required && !now.Required && now.Type == s.Type {
			c.add(drift.SourceZeroValue, s, s.Go+" was always there and may be missing: code that reads it gets "+zeroOf(s.Type))
		}
	}
}

// zeroOf is the zero value of a type in words.
func zeroOf(text string) string {
	switch {
	case text == "string" || text == "json.Number":
		return `""`
	case text == "bool":
		return "false"
	case strings.HasPrefix(text, "[]"):
		return "an empty list"
	case strings.HasPrefix(text, "map["):
		return "an empty object"
	case strings.HasPrefix(text, "*") || text == "any":
		return "null"
	case text == "int" || text == "int64" || text == "uint64" || text == "float64":
		return "0"
	}
	return "the zero value"
}

func (c *comparison) add(rule string, s generator.Symbol, message string) {
	change := drift.Change{ // the class and the severity are those of [drift.Report.Add], too
		Rule: rule, Class: drift.ClassSource, Severity: drift.Breaking, Kind: s.Kind, Name: s.Item,
		Message: message, Go: s.Go, Hash: itemHash(c.after, c.same, s),
	}
	if len(s.Pointers) > 0 {
		change.Path = s.Pointers[0]
	}
	c.changes = append(c.changes, change)
}

func compareChanges(a, b drift.Change) int {
	return cmp.Or(cmp.Compare(a.Kind, b.Kind), cmp.Compare(a.Name, b.Name), cmp.Compare(a.Path, b.Path), cmp.Compare(a.Rule, b.Rule), cmp.Compare(a.Message, b.Message))
}

// itemHash is the full hash of a symbol's item after the change, that of null if it
// is gone. Same are tools under other names.
func itemHash(after *schema.Snapshot, same map[string]string, s generator.Symbol) string {
	name := s.Item
	if now := same[name]; now != "" && s.Kind == schema.KindTool {
		name = now
	}
	raw := json.RawMessage("null")
	if after != nil {
		for it := range after.Items() {
			if it.Kind == s.Kind && it.Name == name {
				raw = it.Raw
			}
		}
	}
	hash, err := schema.FullHash(raw)
	if err != nil {
		return ""
	}
	return hash
}
