package impact

// Names by place that code uses: those are listed in the lock, and no others.

import (
	"context"
	"go/ast"
	"slices"

	"github.com/mcpgen/mcpgen/generator"
	"github.com/mcpgen/mcpgen/generator/internal/code"
)

// InUse reports whether the module uses, or may use, a name of the package of a server. A
// name in a file that could not be searched may be in use. Server is the configured name.
type InUse func(server, name string) bool

// NamesInUse finds the names of the packages of o.Before that the module uses, including
// names by place that the packages on disk do not have. It ignores o.After. It returns an
// error if no package could be loaded, or if ctx has ended.
func NamesInUse(ctx context.Context, o Options) (InUse, error) {
	o.Before = withPlaceNames(o.Before)
	o.After = o.Before
	known, err := tables(ctx, o)
	if err != nil {
		return nil, err
	}
	l, err := o.loader(known)
	if err != nil {
		return nil, err
	}
	if l.Overlay, err = generated(ctx, l, o, o.Before); err != nil {
		return nil, err
	}
	loaders, err := l.LoadAll(ctx)
	if err != nil {
		return nil, err
	}
	return collect(l, code.Read(loaders), known).inUse(known), nil
}

// inUse looks at what was collected.
func (c *collector) inUse(known map[string]*table) InUse {
	return func(server, short string) bool {
		t := known[server]
		if t == nil || c.loader.Unsearched[short] {
			return true
		}
		return len(c.uses[name{Path: t.path, Name: short}]) > 0 || len(c.uses[name{Path: t.pathAfter, Name: short}]) > 0
	}
}

// withPlaceNames are options for packages with all names by place.
func withPlaceNames(o generator.Options) generator.Options {
	o.Servers = slices.Clone(o.Servers)
	for i := range o.Servers {
		o.Servers[i].PlaceNames = true
	}
	return o
}

// missing rewrites a name that the package of before does not have.
func (r *rewriter) missing(id *ast.Ident, stack []ast.Node) {
	if len(stack) < 2 || r.Info.Uses[id] != nil || r.Info.Defs[id] != nil {
		return
	}
	if now := r.known.names[r.Missing(id, stack[len(stack)-1], stack[len(stack)-2])]; now != "" {
		r.replace(id, now)
	}
}
