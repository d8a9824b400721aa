package impact

// Which items of its servers a module uses, whatever has changed.

import (
	"cmp"
	"context"
	"slices"
	"strings"

	"github.com/mcpgen/mcpgen/generator"
	"github.com/mcpgen/mcpgen/generator/internal/code"
	"github.com/mcpgen/mcpgen/generator/internal/decide"
	"github.com/mcpgen/mcpgen/schema"
	"github.com/mcpgen/mcpgen/schema/drift"
)

// Use is an item of a server that the module calls by its generated function.
type Use struct {
	Server string // configured name
	Kind   schema.Kind
	Item   string // wire name, URI or URI template
	Sites  []drift.CallSite
}

// Uses returns the items whose generated functions and methods the module calls or
// hands on, in order of server, kind and item. Generated files do not count, nor do
// tests, which play their servers themselves. Of the options, After counts for
// nothing.
//
// Problems are what could not be looked at: the uses are those of the rest. The
// error is that nothing could be loaded at all, or that of ctx.
func Uses(ctx context.Context, o Options) ([]Use, []Problem, error) {
	o.After = generator.Options{}
	known, err := tables(ctx, o)
	if err != nil {
		return nil, nil, err
	}
	if len(known) == 0 {
		return nil, nil, nil
	}
	l, err := o.loader(known)
	if err != nil {
		return nil, nil, err
	}
	loaders, err := l.LoadAll(ctx)
	if err != nil {
		return nil, l.Problems(), err
	}
	c := collect(l, code.Read(loaders), known)
	var out []Use
	for server, t := range known {
		for id, it := range t.was.items {
			if sites := c.callSites(t.path, of(it.symbols, decide.RoleFunc)); len(sites) > 0 {
				out = append(out, Use{Server: server, Kind: id.kind, Item: id.name, Sites: sites})
			}
		}
	}
	slices.SortFunc(out, func(a, b Use) int {
		return cmp.Or(cmp.Compare(a.Server, b.Server), cmp.Compare(a.Kind, b.Kind), cmp.Compare(a.Item, b.Item))
	})
	return out, l.Problems(), nil
}

// callSites returns the lines outside tests that name one of the functions.
func (c *collector) callSites(path string, functions []decide.Symbol) []drift.CallSite {
	var sites []drift.CallSite
	for _, f := range functions {
		for _, u := range c.uses[name{Path: path, Name: f.Go}] {
			site := drift.CallSite{File: u.file, Line: u.line, Symbol: cmp.Or(u.symbol, f.Go)}
			if u.mode != fakes && !strings.HasSuffix(u.file, "_test.go") && !slices.Contains(sites, site) {
				sites = append(sites, site)
			}
		}
	}
	slices.SortFunc(sites, bySite)
	return sites
}
