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
	"strings"
	"sync"

	"golang.org/x/tools/go/packages"
)

// checker type-checks packages and what they depend on. Of the latter it leaves out
// the bodies of functions.
type checker struct {
	fset    *token.FileSet
	own     map[string]bool // IDs of the packages that are wanted with their bodies
	order   []*packages.Package
	at      map[string]int // in order, by ID
	done    map[string]*checked
	overlay map[string][]byte // files that are read in place of those on disk
	// with are sources that stand for those on disk, by import path.
	with map[string][]Source
	ours func(name string) bool // whether a file on disk is a generated one
	// before has what does not depend on with; nil if with is empty.
	before *checker
}

// Source is a file that is not on disk.
type Source struct {
	Name string
	Data []byte
}

// checked is a package that was type-checked.
type checked struct {
	ready  chan struct{} // closed once the rest is there
	types  *types.Package
	files  []*ast.File
	info   *types.Info // of wanted packages
	errors []packages.Error
}

func newChecker(wanted []*packages.Package, overlay map[string][]byte) *checker {
	c := &checker{overlay: overlay, fset: token.NewFileSet(), own: map[string]bool{}, at: map[string]int{}, done: map[string]*checked{}}
	for _, p := range wanted {
		c.own[p.ID] = true
	}
	for _, p := range wanted {
		c.add(p, map[string]bool{}, func(*packages.Package) bool { return true })
	}
	return c
}

// again is a checker of the same packages with other sources in place of the generated
// ones. What does not depend on those is taken over.
func (c *checker) again(wanted []*packages.Package, with map[string][]Source, ours func(name string) bool, depends func(*packages.Package) bool) *checker {
	out := &checker{fset: c.fset, own: c.own, at: map[string]int{}, done: map[string]*checked{}, with: with, ours: ours, before: c}
	for _, p := range wanted {
		out.add(p, map[string]bool{}, depends)
	}
	return out
}

// add puts a package behind those that it imports. A package that imports itself, in
// whatever way, does so without types.
func (c *checker) add(p *packages.Package, above map[string]bool, want func(*packages.Package) bool) {
	if _, known := c.at[p.ID]; known || above[p.ID] || !want(p) {
		return
	}
	above[p.ID] = true
	for _, imported := range p.Imports {
		c.add(imported, above, want)
	}
	delete(above, p.ID)
	c.at[p.ID] = len(c.order)
	c.order = append(c.order, p)
	c.done[p.ID] = &checked{ready: make(chan struct{})}
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
			for _, imported := range p.Imports {
				if at, ok := c.at[imported.ID]; ok && at < i {
					<-c.done[imported.ID].ready
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
	done.files = c.parse(p, own, done)
	conf := types.Config{
		Importer: importerFunc(func(path string) (*types.Package, error) { return c.imported(p, path, at) }),
		Sizes:    p.TypesSizes, FakeImportC: true, IgnoreFuncBodies: !own,
		Error: func(err error) { done.failed(c.fset, err) },
	}
	if p.Module != nil && p.Module.GoVersion != "" {
		conf.GoVersion = "go" + p.Module.GoVersion
	}
	if own {
		done.info = &types.Info{
			Types: map[ast.Expr]types.TypeAndValue{}, Defs: map[*ast.Ident]types.Object{}, Uses: map[*ast.Ident]types.Object{},
			Implicits: map[ast.Node]types.Object{}, Selections: map[*ast.SelectorExpr]*types.Selection{}, Scopes: map[ast.Node]*types.Scope{},
			Instances: map[*ast.Ident]types.Instance{}, FileVersions: map[*ast.File]string{},
		}
	}
	done.types, _ = conf.Check(p.PkgPath, c.fset, done.files, done.info) // its error is the first of those that were noted
}

func (c *checker) parse(p *packages.Package, own bool, done *checked) []*ast.File {
	mode := parser.SkipObjectResolution
	if own {
		mode |= parser.AllErrors | parser.ParseComments
	}
	var out []*ast.File
	add := func(name string, data any) {
		f, err := parser.ParseFile(c.fset, name, data, mode)
		if err != nil {
			done.failed(c.fset, err)
		}
		if f != nil {
			out = append(out, f)
		}
	}
	if with := c.with[p.PkgPath]; with != nil {
		for _, s := range with {
			add(s.Name, s.Data)
		}
		for _, f := range c.before.done[p.ID].files {
			if !c.ours(c.fset.Position(f.Package).Filename) {
				out = append(out, f)
			}
		}
		return out
	}
	if c.before != nil {
		return c.before.done[p.ID].files
	}
	for _, name := range p.GoFiles {
		if data, ok := c.overlay[name]; ok {
			add(name, data)
		} else {
			add(name, nil)
		}
	}
	return out
}

// imported is a package that another one imports.
func (c *checker) imported(p *packages.Package, path string, at int) (*types.Package, error) {
	found := p.Imports[path]
	if found == nil && c.with[p.PkgPath] != nil { // other sources may import other packages
		if i := slices.IndexFunc(c.before.order, func(o *packages.Package) bool { return o.ID == path }); i >= 0 {
			found = c.before.order[i]
		}
	}
	if found != nil {
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
	}
	return nil, fmt.Errorf("could not import %s", path)
}

type importerFunc func(path string) (*types.Package, error)

// Import implements [types.Importer].
func (i importerFunc) Import(path string) (*types.Package, error) { return i(path) }

// failed notes an error of the parser or the type checker.
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
