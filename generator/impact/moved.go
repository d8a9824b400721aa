package impact

// This file finds imports of generated packages from their former folder. If no earlier lock of that folder is known,
// the imports are the only trace of it.

import (
	"context"
	"maps"
	"path"
	"slices"
	"strings"

	"github.com/mcpgen/mcpgen/generator"
)

// placedAsImported returns o.Before, with the output folder that code of the module imports its packages from. It
// changes only if packages are imported from a folder of the module that has none.
func placedAsImported(ctx context.Context, o Options) (generator.Options, error) {
	before := o.Before
	l, err := o.newLoader(nil)
	prefix, below := strings.CutSuffix(o.After.ImportPath, o.After.Output)
	if err != nil || !below {
		return before, err
	}
	packages := map[string]bool{}
	for _, side := range []generator.Options{o.Before, o.After} {
		for _, s := range side.Servers {
			packages[path.Base(importPath(side, s))] = true
		}
	}
	from := map[string]string{} // folders by what is imported from them
	l.EachImport(ctx, func(_ string, _ int, imported string) {
		folder, ok := strings.CutPrefix(imported, prefix)
		output := path.Dir(folder)
		switch base := path.Base(folder); {
		case !ok || folder == o.After.Output || strings.HasPrefix(folder, o.After.Output+"/"):
			return
		case packages[base]:
		case packages[path.Base(output)] && base == path.Base(output)+"test":
			output = path.Dir(output)
		case base == path.Base(o.After.Output):
			output = folder
		default:
			return
		}
		if output != "." {
			from[imported] = output
		}
	})
	var outputs []string
	for _, imported := range l.Missing(ctx, slices.Sorted(maps.Keys(from))...) {
		outputs = append(outputs, from[imported])
	}
	if len(outputs) > 0 && !slices.Contains(outputs, before.Output) {
		before.Output, before.ImportPath = outputs[0], prefix+outputs[0]
	}
	return before, nil
}
