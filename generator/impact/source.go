package impact

// What the Go APIs before and after have in common: source compatibility.

import (
	"cmp"
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/mcpgen/mcpgen/generator"
	"github.com/mcpgen/mcpgen/generator/internal/decide"
	"github.com/mcpgen/mcpgen/schema/drift"
)

// Source compares the Go APIs that are generated before and after, and returns by
// server what user code meets: [drift.SourceIncompatible] for what does not
// compile any more, and [drift.SourceZeroValue] for what compiles and sends or
// reads a zero value. Each names the item and the place in its definition; hand
// them to [drift.Report.Add], which gives them their severities. Servers that are
// on one side only are left out, and so is what is new.
//
// It touches neither network nor disk. The errors are those of [generator.Symbols].
func Source(ctx context.Context, before, after generator.Options) (map[string][]drift.Change, error) {
	known, err := tables(ctx, Options{Before: both(before, after), After: both(after, before)})
	if err != nil {
		return nil, err
	}
	out := map[string][]drift.Change{}
	for server, t := range known {
		c := &comparison{table: t, found: map[string]bool{}}
		c.compareNames()
		c.compareTypes()
		c.zeros()
		slices.SortFunc(c.changes, compareChanges)
		out[server] = c.changes
	}
	return out, nil
}

// both keeps the servers of o that other has too.
func both(o, other generator.Options) generator.Options {
	o.Servers = slices.DeleteFunc(slices.Clone(o.Servers), func(s generator.Server) bool {
		return !slices.ContainsFunc(other.Servers, func(t generator.Server) bool { return t.Name == s.Name })
	})
	return o
}

// comparison compares one package.
type comparison struct {
	*table
	found   map[string]bool // names that are incompatible, each reported once
	changes []drift.Change
}

// compareTypes compares what the names alone do not say: whether values can be compared,
// and which types are variants of which unions.
func (c *comparison) compareTypes() {
	for _, name := range slices.Sorted(maps.Keys(c.was.names)) {
		was, now := c.was.names[name], c.now.names[name]
		if was.Role != decide.RoleType || now.Role != decide.RoleType {
			continue
		}
		if was.Comparable && !now.Comparable {
			c.incompatible(was, "values cannot be compared with == any more")
		}
		if was.Variants != nil && now.Variants != nil {
			c.variants(was, now)
		}
	}
}

// variants looks for types that are no longer variants of a union.
func (c *comparison) variants(was, now decide.Symbol) {
	for _, name := range slices.Sorted(maps.Keys(c.was.names)) {
		old, next := c.was.names[name], c.now.names[name]
		if slices.Contains(was.Variants, cmp.Or(old.Of, old.Go)) && next.Role == decide.RoleType &&
			!slices.Contains(now.Variants, cmp.Or(next.Of, next.Go)) {
			c.incompatible(old, "is not a variant of "+was.Go+" any more")
		}
	}
}

// compareNames compares the names and the types that they are written with.
func (c *comparison) compareNames() {
	for _, sym := range c.was.symbols {
		now, ok := c.now.names[sym.Go]
		switch {
		case c.elsewhere(sym):
		case !ok || now.Role != sym.Role || now.Kind != sym.Kind:
			c.incompatible(sym, "removed")
		case c.resolve(sym.Type) != now.Type:
			c.incompatible(sym, fmt.Sprintf("changed from %s to %s", sym.Type, now.Type))
		case sym.Role == decide.RoleType && sym.Of != "" && c.resolve(sym.Of) != c.resolve(sym.Go):
			c.incompatible(sym, "is not the type "+sym.Of+" any more")
		case sym.Role == decide.RoleConst && now.Value != sym.Value:
			c.incompatible(sym, fmt.Sprintf("value changed from %s to %s", sym.Value, now.Value))
		}
	}
}

// elsewhere reports whether a name that several items share is still there, and not of
// this item: what it is now is then about the others.
func (c *comparison) elsewhere(s decide.Symbol) bool {
	name := declaredName(s)
	if c.was.count[name] < 2 || c.now.names[name].Role != decide.RoleType {
		return false
	}
	_, here := c.now.items[c.after(idOf(s))].names[name]
	return !here
}

// declaredName returns the type that a symbol belongs to, or the symbol's own name.
func declaredName(s decide.Symbol) string {
	switch s.Role {
	case decide.RoleField:
		return owner(s)
	case decide.RoleConst:
		return s.Type
	}
	return s.Go
}

func (c *comparison) incompatible(s decide.Symbol, words string) {
	if c.found[s.Go] || s.Go == "" || s.Role == decide.RoleField && c.found[owner(s)] && c.now.names[owner(s)].Go == "" {
		return
	}
	c.found[s.Go] = true
	c.add(drift.SourceIncompatible, s, s.Go+": "+words)
}

// zeros looks for fields whose zero value has a new meaning for code that does not set or
// check them.
func (c *comparison) zeros() {
	for _, s := range of(c.now.symbols, decide.RoleField) {
		if old, ok := c.was.names[s.Go]; !ok && s.Required && !s.Result && c.was.names[owner(s)].Go != "" {
			c.add(drift.SourceZeroValue, s, s.Go+" is new and always sent: code that does not know it sends "+zeroOf(s.Type))
		} else if ok && s.Required && !old.Required && !s.Result {
			c.add(drift.SourceZeroValue, s, s.Go+" was left out if it was not set: now "+zeroOf(s.Type)+" is sent")
		}
	}
	for _, s := range of(c.was.symbols, decide.RoleField) {
		if now, ok := c.now.names[s.Go]; ok && s.Result && s.Required && !now.Required && now.Type == s.Type {
			c.add(drift.SourceZeroValue, s, s.Go+" was always there and may be missing: code that reads it gets "+zeroOf(s.Type))
		}
	}
}

// zeroOf describes the zero value of a type.
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

func (c *comparison) add(rule drift.Rule, s decide.Symbol, message string) {
	change := c.change(rule, s, message)
	change.Severity = drift.Breaking // class and severity as [drift.Report.Add] sets them
	c.changes = append(c.changes, change)
}

// change is a change of the Go API.
func (t *table) change(rule drift.Rule, s decide.Symbol, message string) drift.Change {
	return drift.Change{
		Rule: rule, Class: drift.ClassSource, Kind: s.Kind, Name: s.Item, Path: s.Pointers[0],
		Message: message, Go: s.Go, Hash: t.itemHash(s),
	}
}

func compareChanges(a, b drift.Change) int {
	return cmp.Or(cmp.Compare(a.Kind, b.Kind), cmp.Compare(a.Name, b.Name), cmp.Compare(a.Path, b.Path),
		cmp.Compare(a.Rule.String(), b.Rule.String()), cmp.Compare(a.Message, b.Message))
}
