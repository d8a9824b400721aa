package generator

// The pages: what people read instead of code. They follow from the decisions that
// the code follows from, by package textgen.

import (
	"cmp"
	"context"
	"io/fs"
	"os"
	"path"
	"regexp"
	"slices"
	"strings"

	"github.com/mcpgen/mcpgen/generator/internal/decide"
	"github.com/mcpgen/mcpgen/generator/internal/gogen"
	"github.com/mcpgen/mcpgen/generator/internal/ir"
	"github.com/mcpgen/mcpgen/generator/internal/textgen"
	"github.com/mcpgen/mcpgen/internal/pagefacts"
)

// The values of [Options.Docs] that make pages.
const (
	docsMarkdown = "markdown" // for a forge
	docsHTML     = "html"     // for a browser, with an index over all servers
)

// IndexName is the name of a catalogue's first page.
const IndexName = textgen.IndexName

// Catalogue makes the HTML pages over all servers with all of opts.Facts: [IndexName],
// one about modules that use servers if there are any, and a page for each server, with
// paths relative to the catalogue's folder. It makes no code. The errors are those of [Generate].
func Catalogue(ctx context.Context, opts Options) ([]File, error) {
	made, err := decided(ctx, opts)
	if err != nil {
		return nil, err
	}
	title := project(opts)
	index, err := textgen.HTMLIndex(title, made.packages, opts.Facts)
	if err != nil {
		return nil, err
	}
	files := []File{{Path: IndexName, Data: index}}
	if opts.Facts.Consumers != nil {
		page, err := textgen.HTMLConsumers(title, made.packages, opts.Facts)
		if err != nil {
			return nil, err
		}
		files = append(files, File{Path: textgen.ConsumersName, Data: page})
	}
	for _, p := range made.packages {
		page, err := textgen.HTMLPage(title, opts.ImportPath+"/"+p.Name, p, opts.Facts)
		if err != nil {
			return nil, err
		}
		files = append(files, File{Path: path.Join(p.Name, textgen.HTMLName(p)), Data: page})
	}
	return files, nil
}

// pageLink is a link of an index to a page, or to an item on it.
var pageLink = regexp.MustCompile(`href="([^"#]+\.html)["#]`)

// WriteCatalogue is [Write] for the files of [Catalogue]. It removes the pages that only the replaced
// index leads to, and leaves those of other catalogues below root.
func WriteCatalogue(ctx context.Context, root string, files []File) (*Report, error) {
	if err := Recover(ctx, root); err != nil {
		return nil, err
	}
	dir, err := os.OpenRoot(root)
	if err != nil {
		return nil, err
	}
	defer dir.Close()
	var opts WriteOptions
	index, _ := dir.ReadFile(IndexName) // Write reports an index that is not readable
	for _, m := range pageLink.FindAllSubmatch(index, -1) {
		if page := string(m[1]); fs.ValidPath(page) && !slices.Contains(opts.Prune, page) {
			opts.Prune = append(opts.Prune, page)
		}
	}
	return Write(ctx, root, files, opts)
}

// project is the import path of the folder that the output lies in: the module's, for
// a project in the module's root.
func project(opts Options) string {
	return cmp.Or(strings.TrimSuffix(strings.TrimSuffix(opts.ImportPath, opts.Output), "/"), opts.ImportPath)
}

// configured are the facts that follow from the configuration alone.
func configured(f pagefacts.Facts) pagefacts.Facts {
	out := pagefacts.Facts{Policy: f.Policy, Items: make(map[pagefacts.ItemID]pagefacts.ItemFacts, len(f.Items))}
	for id, item := range f.Items {
		out.Items[id] = pagefacts.ItemFacts{Access: item.Access}
	}
	return out
}

// pageBeside makes the page in the folder of a server's code.
func pageBeside(opts Options, p *ir.Package) ([]gogen.File, error) {
	switch opts.Docs {
	case docsMarkdown:
		page, err := textgen.Page(p)
		return []gogen.File{{Name: textgen.PageName(p), Data: page}}, err
	case docsHTML:
		page, err := textgen.HTMLPage(project(opts), opts.ImportPath+"/"+p.Name, p, configured(opts.Facts))
		return []gogen.File{{Name: textgen.HTMLName(p), Data: page}}, err
	}
	return nil, nil
}

// pagesOver makes the files of the output folder that are about all servers: the
// index for a forge, that for a browser, and what says which files are generated. A
// server that is kept is listed as far as its snapshot says.
func pagesOver(ctx context.Context, opts Options, packages []*ir.Package, shim string) ([]File, error) {
	all := slices.Clone(packages)
	for _, k := range opts.Kept {
		p := &ir.Package{Server: k.Server, Name: k.Package}
		if k.Listed != nil {
			// What it is wrong about may be why the server is kept.
			if decided, _, err := decide.Package(ctx, decide.Input{Server: *k.Listed, Past: true}); err == nil {
				p = decided
			} else if ctx.Err() != nil {
				return nil, ctx.Err()
			}
		}
		all = append(all, p)
	}
	slices.SortFunc(all, func(a, b *ir.Package) int { return strings.Compare(a.Server, b.Server) })
	readme, err := textgen.Index(all, opts.Docs == docsMarkdown)
	if err != nil {
		return nil, err
	}
	out := []File{{Path: path.Join(opts.Output, textgen.ReadmeName), Data: readme, Yields: true}}
	if opts.Docs == docsHTML {
		index, err := textgen.HTMLIndex(project(opts), all, configured(opts.Facts))
		if err != nil {
			return nil, err
		}
		out = append(out, File{Path: path.Join(opts.Output, IndexName), Data: index})
	}
	return append(out, File{Path: path.Join(opts.Output, textgen.AttributesName), Data: textgen.Attributes(shim, all, gogen.Names), Yields: true}), nil
}
