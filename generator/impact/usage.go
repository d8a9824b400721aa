package impact

// How a module uses generated packages, as a record without its code: another project
// can say with it whom a change breaks.

import (
	"cmp"
	"context"
	"fmt"
	"maps"
	"slices"

	"github.com/mcpgen/mcpgen/generator"
	"github.com/mcpgen/mcpgen/generator/internal/code"
	"github.com/mcpgen/mcpgen/generator/internal/decide"
	"github.com/mcpgen/mcpgen/schema"
	"github.com/mcpgen/mcpgen/schema/drift"
)

// Usage is how a module uses one item of a server.
type Usage struct {
	Kind  schema.Kind `json:"kind"`
	Name  string      `json:"name"`  // of the item
	Lines int         `json:"lines"` // that use it
	Uses  []usedName  `json:"uses"`
}

// usedName is one way in which lines use a name of a generated package.
type usedName struct {
	Symbol string      `json:"symbol"`           // as the module calls it
	Role   decide.Role `json:"role"`             // of the symbol
	At     string      `json:"at"`               // JSON pointer into the item's definition
	Value  string      `json:"value,omitempty"`  // of a constant: its JSON value in the definition
	Mode   string      `json:"mode"`             // such as calls or reads
	Fields []string    `json:"fields,omitempty"` // of a struct that is built: the fields that are given a value
	Whole  bool        `json:"whole,omitempty"`  // all fields are
	Sends  bool        `json:"sends,omitempty"`  // what is sent is not known by fields
	Reads  bool        `json:"reads,omitempty"`  // what is read is not known by fields
	Lines  int         `json:"lines"`
}

// modeNames are the names of modes in records.
var modeNames = [...]string{
	refers: "refers", calls: "calls", drops: "drops", fakes: "fakes", reads: "reads", writes: "writes",
	converts: "converts", builds: "builds", copies: "copies", requests: "requests",
}

// Used returns how the module uses the packages of o.Before, by server and sorted, and
// whether it hands tools to models, or may. [Find] returns the same problems.
func Used(ctx context.Context, o Options) (used map[string][]Usage, models bool, problems []Problem, err error) {
	o.After = generator.Options{}
	known, err := tables(ctx, o)
	if err != nil {
		return nil, false, nil, err
	}
	l, err := o.loader(known)
	if err != nil {
		return nil, false, nil, err
	}
	loaders, err := l.LoadAll(ctx)
	if err != nil {
		return nil, false, l.Problems(), err
	}
	c := collect(l, code.Read(loaders), known)
	used = map[string][]Usage{}
	for server, t := range known {
		for id := range t.was.items {
			if u := t.used(c, id); u.Lines > 0 {
				used[server] = append(used[server], u)
			}
		}
		slices.SortFunc(used[server], func(a, b Usage) int {
			return cmp.Or(cmp.Compare(a.Kind, b.Kind), cmp.Compare(a.Name, b.Name))
		})
	}
	return used, handsTools(loaders, l.Problems()), l.Problems(), nil
}

// used is how an item is used.
func (t *table) used(c *collector, id itemID) Usage {
	m := &matcher{table: t, id: id}
	all, ways := map[line]bool{}, map[string]map[line]bool{}
	uses := map[string]usedName{}
	for _, s := range t.was.items[id].symbols {
		for _, u := range c.uses[name{Path: t.path, Name: s.Go}] {
			if !m.reaches(u) {
				continue
			}
			one := usedName{
				Symbol: cmp.Or(u.symbol, s.Go), Role: s.Role, At: s.Pointers[0], Value: s.Value, Mode: modeNames[u.mode],
				Fields: slices.Sorted(maps.Keys(u.fields)), Whole: u.whole, Sends: u.sends, Reads: u.reads,
			}
			key := fmt.Sprintf("%#v", one)
			if ways[key] == nil {
				uses[key], ways[key] = one, map[line]bool{}
			}
			at := line{u.file, u.line}
			all[at], ways[key][at] = true, true
		}
	}
	out := Usage{Kind: id.kind, Name: id.name, Lines: len(all)}
	for _, key := range slices.Sorted(maps.Keys(uses)) {
		one := uses[key]
		one.Lines = len(ways[key])
		out.Uses = append(out.Uses, one)
	}
	return out
}

// Touched fills the CallSites of the changes of report as [Find] does, for a module
// whose code is not here: CallSites have no File, and Line is the number of lines. The
// record has no values that the module sends, so a change of valid arguments may break
// the module, or may not. [generator.Symbols] returns the same errors.
func Touched(ctx context.Context, o Options, server string, used []Usage, report *drift.Report) error {
	known, err := tables(ctx, o)
	if err != nil {
		return err
	}
	t := known[server]
	if t == nil {
		return nil
	}
	c := &collector{uses: map[name][]use{}}
	var lines []int // numbers of lines; the line of a use is a position in it, from 1
	for _, item := range used {
		for _, u := range item.Uses {
			n := slices.Index(modeNames[:], u.Mode)
			if n < 0 {
				continue // of a newer version
			}
			lines = append(lines, u.Lines)
			one := use{
				line: len(lines), mode: mode(n), symbol: u.Symbol, fields: map[string]bool{},
				whole: u.Whole, sends: u.Sends, reads: u.Reads,
			}
			for _, f := range u.Fields {
				one.fields[f] = true
			}
			for _, s := range t.was.items[itemID{item.Kind, item.Name}].symbols {
				if s.Role == u.Role && s.Value == u.Value && slices.Contains(s.Pointers, u.At) {
					at := name{Path: t.path, Name: s.Go}
					c.uses[at] = append(c.uses[at], one)
				}
			}
		}
	}
	for _, h := range findQueries(known, report) {
		h.change.CallSites = h.sites(c)
		for i := range h.change.CallSites {
			site := &h.change.CallSites[i]
			site.Line = lines[site.Line-1]
		}
	}
	return nil
}
