package code

// Type-checking of the module from its source. Nothing is compiled, so that it takes
// no longer with an empty build cache, as in CI, and can be done once more with the
// generated packages as they would be.

import (
	"context"
	"errors"
	"fmt"
	"go/ast"
	"go/parser"
	"go/scanner"
	"go/token"
	"go/types"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"sync"

	"golang.org/x/tools/go/packages"

	"github.com/mcpgen/mcpgen/internal/parallel"
)

// checker type-checks packages and what they depend on. Of the latter it leaves out
// the bodies of functions, and with them the packages that only those bodies use.
type checker struct {
	fset    *token.FileSet
	own     map[string]bool              // IDs of the packages that are wanted with their bodies
	listed  map[string]*packages.Package // what they depend on in whatever way, by ID
	order   []*packages.Package
	at      map[string]int // in order, by ID
	done    map[string]*checked
	sizes   types.Sizes       // nil if the platform is unknown
	overlay map[string][]byte // files that are read in place of those on disk
	// with replaces sources on disk, by import path.
	with map[string][]Source
	ours func(name string) bool // whether a file on disk is a generated one
	// before checks the packages that do not depend on with; nil if with is empty.
	before *checker
	want   func(*packages.Package) bool // whether a package is checked here, not taken from before
}

// Source is a file that is not on disk.
type Source struct {
	Name string
	Data []byte
}

// checked is a type-checked package.
type checked struct {
	ready  chan struct{} // closed once the rest is there
	types  *types.Package
	files  []*ast.File
	needs  []*packages.Package // what its types depend on
	info   *types.Info         // of wanted packages
	errors []packages.Error
}

// newChecker returns a checker of the wanted packages. Other sources in their place may import the extra ones.
func newChecker(ctx context.Context, wanted, extra []*packages.Package, sizes types.Sizes, overlay map[string][]byte) *checker {
	c := &checker{
		sizes: sizes, overlay: overlay, fset: token.NewFileSet(), own: map[string]bool{}, listed: map[string]*packages.Package{},
		at: map[string]int{}, done: map[string]*checked{}, want: func(*packages.Package) bool { return true },
	}
	for _, p := range wanted {
		c.own[p.ID] = true
	}
	packages.Visit(slices.Concat(extra, wanted), nil, func(p *packages.Package) { c.listed[p.ID] = p })
	c.read(ctx, wanted)
	return c
}

// again is a checker of the same packages with other sources in place of the generated
// ones. What does not depend on those is taken over.
func (c *checker) again(ctx context.Context, wanted []*packages.Package, with map[string][]Source, ours func(name string) bool, depends func(*packages.Package) bool) *checker {
	out := &checker{
		sizes: c.sizes, overlay: c.overlay, fset: c.fset, own: c.own, listed: c.listed, at: map[string]int{}, done: map[string]*checked{}, with: with, ours: ours, before: c,
		want: func(p *packages.Package) bool { return depends(p) || c.done[p.ID] == nil },
	}
	out.read(ctx, wanted)
	return out
}

// read parses packages and their dependencies, and sorts them.
func (c *checker) read(ctx context.Context, wanted []*packages.Package) {
	for from := wanted; len(from) > 0; {
		var found []*packages.Package
		for _, p := range from {
			if c.done[p.ID] == nil && c.want(p) {
				c.done[p.ID] = &checked{ready: make(chan struct{})}
				found = append(found, p)
			}
		}
		_ = parallel.Each(ctx, len(found), func(i int) error { // run returns the error of ctx
			c.parse(found[i])
			return nil
		})
		from = nil
		for _, p := range found {
			from = append(from, c.done[p.ID].needs...)
		}
	}
	for _, p := range wanted {
		c.add(p, map[string]bool{})
	}
}

// add puts a package behind those that it needs. A package that imports itself, in
// whatever way, does so without types.
func (c *checker) add(p *packages.Package, above map[string]bool) {
	if _, known := c.at[p.ID]; known || above[p.ID] || c.done[p.ID] == nil {
		return
	}
	above[p.ID] = true
	for _, needed := range c.done[p.ID].needs {
		c.add(needed, above)
	}
	delete(above, p.ID)
	c.at[p.ID] = len(c.order)
	c.order = append(c.order, p)
}

// run checks all packages, as many at a time as there are processors. The error is
// that of ctx.
func (c *checker) run(ctx context.Context) error {
	free := make(chan struct{}, runtime.GOMAXPROCS(0))
	var wg sync.WaitGroup
	for i, p := range c.order {
		wg.Go(func() {
			done := c.done[p.ID]
			defer close(done.ready)
			for _, needed := range done.needs {
				if at, ok := c.at[needed.ID]; ok && at < i {
					<-c.done[needed.ID].ready
				}
			}
			free <- struct{}{}
			defer func() { <-free }()
			if ctx.Err() == nil {
				c.check(p, i, done)
			}
		})
	}
	wg.Wait()
	return ctx.Err()
}

// check checks one package; what it imports is done.
func (c *checker) check(p *packages.Package, at int, done *checked) {
	if p.PkgPath == "unsafe" {
		done.types = types.Unsafe
		return
	}
	own := c.own[p.ID]
	conf := types.Config{
		Importer: importerFunc(func(path string) (*types.Package, error) { return c.imported(p, path, at) }),
		Sizes:    c.sizes, FakeImportC: true, IgnoreFuncBodies: !own,
		Error: func(err error) { done.failed(c.fset, err) },
	}
	if p.Module != nil && p.Module.GoVersion != "" {
		conf.GoVersion = "go" + p.Module.GoVersion
	}
	if own {
		done.info = newInfo()
	}
	done.types, _ = conf.Check(p.PkgPath, c.fset, done.files, done.info) // its error is the first of those that were noted
}

func newInfo() *types.Info {
	return &types.Info{
		Types: map[ast.Expr]types.TypeAndValue{}, Defs: map[*ast.Ident]types.Object{}, Uses: map[*ast.Ident]types.Object{},
		Implicits: map[ast.Node]types.Object{}, Selections: map[*ast.SelectorExpr]*types.Selection{},
		Instances: map[*ast.Ident]types.Instance{},
	}
}

// parse reads the files of a package, and what its types need.
func (c *checker) parse(p *packages.Package) {
	if p.PkgPath == "unsafe" {
		return
	}
	done, own := c.done[p.ID], c.own[p.ID]
	with := c.with[p.PkgPath]
	if with == nil && c.before != nil && c.before.done[p.ID] != nil {
		done.files, done.needs = c.before.done[p.ID].files, c.before.done[p.ID].needs
		return
	}
	mode := parser.SkipObjectResolution
	if own {
		mode |= parser.AllErrors | parser.ParseComments
	}
	add := func(name string, data any) {
		f, err := parser.ParseFile(c.fset, name, data, mode)
		if err != nil {
			done.failed(c.fset, err)
		}
		if f != nil {
			done.files = append(done.files, f)
		}
	}
	for _, s := range with {
		add(s.Name, s.Data)
	}
	for _, name := range p.GoFiles {
		if data, ok := c.overlay[name]; with != nil && c.ours(name) {
			continue
		} else if ok {
			add(name, data)
		} else {
			add(name, nil)
		}
	}
	for _, f := range done.files {
		used := namesOfPackages(f)
		for _, spec := range f.Imports {
			path, _ := strconv.Unquote(spec.Path.Value) // the parser saw to it
			imported := c.lookUp(p, path)
			if imported == nil {
				continue
			}
			name := imported.Name
			if spec.Name != nil {
				name = spec.Name.Name
			}
			if (own || name == "." || name == "" || used[name]) && !slices.Contains(done.needs, imported) {
				done.needs = append(done.needs, imported)
			}
		}
	}
}

// namesOfPackages are the names before the dots of a file outside of the bodies of its
// functions, those of packages among them.
func namesOfPackages(f *ast.File) map[string]bool {
	used := map[string]bool{}
	for _, d := range f.Decls {
		ast.Inspect(d, func(n ast.Node) bool {
			switch n := n.(type) {
			case *ast.BlockStmt:
				return false
			case *ast.SelectorExpr:
				if x, ok := n.X.(*ast.Ident); ok {
					used[x.Name] = true
				}
			}
			return true
		})
	}
	return used
}

// lookUp is the package that an import is of; nil if it was not listed. Other sources may
// import other packages than those on disk.
func (c *checker) lookUp(p *packages.Package, path string) *packages.Package {
	if found := p.Imports[path]; found != nil || c.with[p.PkgPath] == nil {
		return found
	}
	return c.listed[path]
}

// imported is a package that another one imports. One that no type needs is empty.
func (c *checker) imported(p *packages.Package, path string, at int) (*types.Package, error) {
	found := c.lookUp(p, path)
	if found == nil {
		return nil, fmt.Errorf("could not import %s", path)
	}
	if !slices.Contains(c.done[p.ID].needs, found) {
		empty := types.NewPackage(path, found.Name)
		empty.MarkComplete()
		return empty, nil
	}
	if i, ok := c.at[found.ID]; ok && i < at {
		if t := c.done[found.ID].types; t != nil {
			return t, nil
		}
	}
	if c.before != nil {
		if done := c.before.done[found.ID]; done != nil && done.types != nil {
			return done.types, nil
		}
	}
	return nil, fmt.Errorf("could not import %s", path)
}

type importerFunc func(path string) (*types.Package, error)

// Import implements [types.Importer].
func (i importerFunc) Import(path string) (*types.Package, error) { return i(path) }

// failed records an error of the parser or the type checker.
func (d *checked) failed(fset *token.FileSet, err error) {
	if list, ok := errors.AsType[scanner.ErrorList](err); ok {
		for _, e := range list {
			d.errors = append(d.errors, packages.Error{Pos: e.Pos.String(), Msg: e.Msg, Kind: packages.ParseError})
		}
		return
	}
	if e, ok := errors.AsType[types.Error](err); ok {
		d.errors = append(d.errors, packages.Error{Pos: fset.Position(e.Pos).String(), Msg: strings.TrimSpace(e.Msg), Kind: packages.TypeError})
		return
	}
	d.errors = append(d.errors, packages.Error{Pos: "-", Msg: err.Error(), Kind: packages.UnknownError})
}
