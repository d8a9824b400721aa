// Package generator turns snapshots of MCP servers into typed Go packages.
//
// [Generate] is pure: snapshots, locks and options in, files out; it touches no
// network, disk or clock, and equal input gives equal bytes. [Write] is the only
// code that writes: all files or none, and never over a file that is not ours.
// Everything a server said is taken for hostile; nothing of it leaves comments
// and quoted literals.
package generator

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"path"
	"slices"
	"strings"
	"sync"

	"github.com/mcpgen/mcpgen/generator/internal/decide"
	"github.com/mcpgen/mcpgen/generator/internal/gogen"
	"github.com/mcpgen/mcpgen/generator/internal/gotext"
	"github.com/mcpgen/mcpgen/generator/internal/ir"
	"github.com/mcpgen/mcpgen/internal/gopkg"
	"github.com/mcpgen/mcpgen/internal/hint"
	"github.com/mcpgen/mcpgen/internal/pagefacts"
	"github.com/mcpgen/mcpgen/internal/parallel"
	"github.com/mcpgen/mcpgen/schema"
	"github.com/mcpgen/mcpgen/schema/lockfile"
)

// Options are the input of [Generate]. They are only read.
type Options struct {
	// Output is the folder of the generated packages: a slash path relative to the root of the written files,
	// never the root itself. Its last element names the shim's package.
	Output string
	// ImportPath is the import path of Output.
	ImportPath string
	// Command starts mcpgen in the folder Output, such as by go generate. "" is go tool mcpgen.
	Command string
	// Strict makes every warning an error.
	Strict bool
	// Past says that the servers are as they were locked once: what their Types say of what they
	// do not have is ignored.
	Past bool
	// Fakes adds a package with a fake server below each package, for tests. It
	// imports runtime/mcptest, and with it a validator of JSON Schema.
	Fakes bool
	// Docs adds pages to the code: "markdown", or "html" with an index over all servers. "" adds none.
	Docs string
	// Facts are shown on HTML pages. Call sites and history belong to [Catalogue], so that equal input
	// gives equal files.
	Facts pagefacts.Facts
	// Servers are the servers to generate, in any order.
	Servers []Server
	// Kept are servers whose existing packages stay unchanged; the package over all servers includes them.
	Kept []Kept
	// Base is what stands on the disk. A snapshot that is there already is not held in
	// memory a second time, which is a sixth of what 5,000 tools take. Nil is fine.
	Base *Tree
	// NamesOnly stops before any code is made: of the output there are only Warnings,
	// Shapes and Tools, without their Lines.
	NamesOnly bool
	// Progress is called after the code of a server is generated, one call at a time, with the number of finished
	// tools and of all tools. Nil disables it.
	Progress func(done, all int)
	// Restore returns the next steps for a server whose snapshot is not the locked one. Nil gives no steps.
	Restore func(server string) []string
}

// Kept is a server whose package is not generated again.
type Kept struct {
	Server  string // configured name
	Package string // Go package name
	// Listed is the server as it would be generated: the pages about all servers list
	// its tools. Nil means that its snapshot cannot be read, so its tools are unknown.
	Listed *Server
}

// ServerError is an error of one server; the other servers can be generated without it.
type ServerError struct {
	Server string // configured name
	Err    error  // names the server itself
}

// Error returns the text of Err.
func (e *ServerError) Error() string { return e.Err.Error() }

// Unwrap returns Err.
func (e *ServerError) Unwrap() error { return e.Err }

// Server is one server to generate a package for, from its snapshot, which has to be
// exactly what was locked.
type Server = decide.Server

func packageName(s Server) string { return cmp.Or(s.Package, gopkg.Of(s.Name)) }

// Output is the result of [Generate].
type Output struct {
	Files    []File // sorted by path
	Warnings []Warning
	Tools    []Tool // what code was generated for, by server and tool
	// Shapes are short names of types that the lock does not have, by server, tool and
	// place, and names to forget: write them into it with [LockShapes].
	Shapes []ShapeName
}

// File is one generated file.
type File struct {
	Path string // slash path, relative to the root
	Data []byte
	// Yields reports that an existing file of another owner at Path is kept and this file is not written.
	Yields bool
}

// Tool is a tool and its Go names.
type Tool struct {
	Server string // configured name
	Tool   string // wire name
	Go     GoTool
	Lines  int // of types.go for its arguments and its result
}

// GoTool is how Go code calls a tool.
type GoTool struct {
	Package string `json:"package"` // name
	Import  string `json:"import"`  // path
	Func    string `json:"func"`    // of the function, and of the method of Client
	Args    string `json:"args"`    // type, as written inside the package
	Result  string `json:"result"`  // type, as written inside the package
}

// Typed reports whether results have a generated type. Tools without a known result schema return the
// protocol's result.
func (g GoTool) Typed() bool { return g.Result != "*runtime.Result" }

// Warning is a construct that was omitted or typed more loosely than its schema.
type Warning = decide.Warning

// counter counts the tools of packages for Progress.
func (o *Options) counter(packages []*ir.Package) func(*ir.Package) {
	if o.Progress == nil {
		return func(*ir.Package) {}
	}
	all, done := 0, 0
	for _, p := range packages {
		all += len(p.Tools)
	}
	var mu sync.Mutex
	return func(p *ir.Package) {
		mu.Lock()
		defer mu.Unlock()
		done += len(p.Tools)
		o.Progress(done, all)
	}
}

// Generate makes the packages of all servers, and the package over them. It
// returns every error it finds, joined; each names the server and what to do, and
// is a [*ServerError] if it is about one server alone. A
// tool that cannot be generated, or not as exactly as its schema says, is a
// warning unless opts.Strict. When ctx ends it returns the error of ctx at once;
// opts may still be read for a moment then.
func Generate(ctx context.Context, opts Options) (*Output, error) {
	// 1 to 3: see decided.
	made, err := decided(ctx, opts)
	if err != nil {
		return nil, err
	}
	packages := made.packages
	// 4. Emit and check. The emitted files are parsed, compared with their plan and type-checked.
	emitted := make([][]gogen.File, len(packages))
	count := opts.counter(packages)
	if err := each(ctx, made.servers, func(i int, _ Server) (err error) {
		if opts.NamesOnly {
			return nil
		}
		emitted[i], err = emit(ctx, opts, packages[i], made.snapshots[i])
		count(packages[i])
		return err
	}); err != nil {
		return nil, err
	}
	// 5. Gather.
	out := &Output{}
	for i, p := range packages {
		for _, f := range emitted[i] {
			out.Files = append(out.Files, File{Path: path.Join(opts.Output, p.Name, f.Name), Data: f.Data})
		}
		out.Warnings = append(out.Warnings, made.warnings[i]...)
		out.Tools = append(out.Tools, toolsOf(opts, p, gogen.TypeLines(p, emitted[i]))...)
		out.Shapes = append(out.Shapes, p.Shapes...)
	}
	if opts.NamesOnly {
		return out, nil
	}
	shim, err := gogen.Shim(shimOf(opts, packages))
	if err != nil {
		return nil, err
	}
	over, err := pagesOver(ctx, opts, packages, shim.Name)
	if err != nil {
		return nil, err
	}
	out.Files = append(append(out.Files, File{Path: path.Join(opts.Output, shim.Name), Data: shim.Data}), over...)
	slices.SortFunc(out.Files, func(a, b File) int { return strings.Compare(a.Path, b.Path) })
	return out, nil
}

// decisions are the decisions about all servers, by index.
type decisions struct {
	servers   []Server // in order of their names
	snapshots [][]byte // as their files
	packages  []*ir.Package
	warnings  [][]decide.Warning
}

// decided carries out the steps of [Generate] before the first file is made.
func decided(ctx context.Context, opts Options) (*decisions, error) {
	// 1. What the user chose has to make sense before anything is read.
	servers, err := sorted(opts)
	if err != nil {
		return nil, err
	}
	// 2. Each snapshot must be the accepted one. From here on it is
	// what its file will hold, so that the run that captured it and all later
	// ones generate the same.
	texts := make([][]byte, len(servers))
	if err := each(ctx, servers, func(i int, s Server) error {
		verified := make(chan error, 1)
		go func() { verified <- verify(s, opts.Restore) }()
		old, _ := opts.Base.ReadFile(path.Join(opts.Output, packageName(s), "snapshot.json"))
		servers[i].Snapshot, texts[i] = lockfile.AsFile(s.Snapshot, old)
		return <-verified
	}); err != nil {
		return nil, err
	}
	// 3. Decide: names, types, docs.
	d := &decisions{servers: servers, snapshots: texts, packages: make([]*ir.Package, len(servers)), warnings: make([][]decide.Warning, len(servers))}
	if err := each(ctx, servers, func(i int, s Server) (err error) {
		d.packages[i], d.warnings[i], err = decide.Package(ctx, decide.Input{Server: s, Past: opts.Past, Strict: opts.Strict})
		servers[i].Snapshot = nil // as large as all that comes of it
		return err
	}); err != nil {
		return nil, err
	}
	return d, nil
}

// emit renders one package, and the pages and fakes that the options ask for.
func emit(ctx context.Context, opts Options, p *ir.Package, snapshot []byte) ([]gogen.File, error) {
	p.ImportPath = opts.ImportPath + "/" + p.Name
	files, err := gogen.Package(ctx, p, snapshot)
	if err != nil {
		return nil, err
	}
	if opts.Fakes {
		fake, err := gogen.Fake(ctx, p, p.ImportPath)
		if err != nil {
			return nil, err
		}
		files = append(files, fake)
	}
	page, err := pageBeside(opts, p)
	return append(files, page...), err
}

// AssignNames writes into s.Locked, which is not nil, the Go names that the lock has
// to remember when s is accepted: those that met another name. Before is what the lock has now and old the snapshot that it was
// made from, both nil for a server that was never locked: whatever had a name
// there keeps it. OldResults are the result schemas that were used with old.
func AssignNames(ctx context.Context, s Server, before *lockfile.LockedServer, old *schema.Snapshot, oldResults map[string]Result) error {
	locked := s.Locked
	s.Locked = before
	s.Snapshot, _ = lockfile.AsFile(s.Snapshot, nil)
	words := decide.Capitals(s.Snapshot, old, decide.PinnedServer(before).Capitals)
	names, err := decide.AssignNames(ctx, decide.Input{Server: s, ResultsBefore: oldResults, Capitals: words}, old)
	for _, kind := range schema.Kinds() {
		items := locked.Items(kind)
		for name, it := range items {
			pins := decide.Pinned(it)
			pins.Names = names[decide.ItemID{Kind: kind, Name: name}]
			items[name] = decide.WithPins(it, pins)
		}
	}
	pins := decide.PinnedServer(locked)
	pins.Capitals = words
	decide.PinServer(locked, pins)
	return err
}

func shimOf(opts Options, packages []*ir.Package) ir.Shim {
	s := ir.Shim{Name: OutputPackage(opts.Output), Command: cmp.Or(opts.Command, "go tool mcpgen")}
	for _, p := range packages {
		s.Packages = append(s.Packages, ir.ShimPackage{Server: p.Server, Name: p.Name, ImportPath: opts.ImportPath + "/" + p.Name})
	}
	for _, k := range opts.Kept {
		s.Packages = append(s.Packages, ir.ShimPackage{Server: k.Server, Name: k.Package, ImportPath: opts.ImportPath + "/" + k.Package})
	}
	slices.SortFunc(s.Packages, func(a, b ir.ShimPackage) int { return strings.Compare(a.Server, b.Server) })
	return s
}

func toolsOf(opts Options, p *ir.Package, lines map[string]int) []Tool {
	var out []Tool
	for _, t := range p.Tools {
		out = append(out, Tool{p.Server, t.Wire, GoTool{
			Package: p.Name, Import: opts.ImportPath + "/" + p.Name, Func: t.Go, Args: t.Args.Go, Result: gotext.ResultType(t.Result),
		}, lines[t.Wire]})
	}
	return out
}

// each runs f for all servers, a few at a time, and joins the errors in order.
// When ctx ends it returns its error at once: what cannot be interrupted, such as
// the formatting of a file, ends by itself soon after, and its result is ignored.
func each(ctx context.Context, servers []Server, f func(i int, s Server) error) error {
	done := make(chan error, 1)
	go func() {
		done <- parallel.Each(ctx, len(servers), func(i int) error {
			if err := f(i, servers[i]); err != nil {
				return &ServerError{servers[i].Name, err}
			}
			return nil
		})
	}()
	select {
	case <-ctx.Done():
		return ctx.Err()
	case err := <-done:
		return err
	}
}

// verify compares a snapshot with the lock and names every item that differs.
func verify(s Server, restore func(server string) []string) error {
	var errs []error
	if s.Snapshot.Server != s.Name {
		errs = append(errs, fmt.Errorf("%s: the snapshot belongs to server %q", s.Name, s.Snapshot.Server))
	}
	for _, d := range s.Locked.Verify(s.Snapshot) {
		what := string(d.Kind)
		if d.Name != "" {
			what = fmt.Sprintf("%s %q", d.Kind, d.Name)
		}
		errs = append(errs, fmt.Errorf("%s: %s %s", s.Name, what, difference(d.Change)))
	}
	if errs == nil {
		return errors.Join(verifyResults(s)...)
	}
	if restore != nil {
		last := len(errs) - 1 // all have the same steps
		errs[last] = hint.With(errs[last], restore(s.Name)...)
	}
	return errors.Join(errs...)
}

func difference(c lockfile.Change) string {
	return cmp.Or(map[lockfile.Change]string{
		lockfile.Added:      "is in the snapshot and not in the lock",
		lockfile.Removed:    "is in the lock and not in the snapshot",
		lockfile.Reworded:   "is not worded as it was locked",
		lockfile.Mismatched: "has hashes in the lock that do not belong together",
	}[c], "is not what was locked")
}

// sorted returns the servers of options that make sense: output must not depend on the order of
// the configuration.
func sorted(opts Options) ([]Server, error) {
	byName := func(a, b Server) int { return strings.Compare(a.Name, b.Name) }
	return slices.SortedFunc(slices.Values(opts.Servers), byName), checkOptions(opts)
}

func checkOptions(opts Options) error {
	var errs []error
	if reason := checkOutput(opts.Output); reason != "" {
		errs = append(errs, hint.With(fmt.Errorf("output %q: %s", opts.Output, reason), "choose another folder, such as internal/mcp"))
	}
	if !validImport(opts.ImportPath) {
		errs = append(errs, hint.With(fmt.Errorf("%q is not an import path", opts.ImportPath), "check the module line of go.mod", "rename a folder of this path that has other characters than letters, digits and ._~-"))
	}
	names, owners := map[string]bool{}, map[string]string{}
	for _, k := range opts.Kept {
		names[k.Server], owners[k.Package] = true, k.Server
	}
	for _, s := range opts.Servers {
		pkg := packageName(s)
		problem := func(step, format string, args ...any) {
			errs = append(errs, &ServerError{s.Name, hint.With(fmt.Errorf(format, args...), step)})
		}
		switch {
		case s.Name == "" || names[s.Name]:
			problem("give each server a name of its own", "server %q is duplicated, or has no name", s.Name)
		case gopkg.Reason(pkg) != "":
			problem("choose another package name with the key package", "%s: package %q: %s", s.Name, pkg, gopkg.Reason(pkg))
		case owners[pkg] != "":
			problem("choose another package name with the key package", "%s: package %q is already that of server %q", s.Name, pkg, owners[pkg])
		case s.Snapshot == nil || s.Locked == nil:
			problem("run mcpgen update "+s.Name, "%s: it was never locked", s.Name)
		}
		names[s.Name], owners[pkg] = true, s.Name
	}
	return errors.Join(errs...)
}

// validImport is strict enough to keep a path inside its quotes and its folder.
func validImport(importPath string) bool {
	for _, r := range importPath {
		if r <= ' ' || r > '~' || strings.ContainsRune("!\"#$%&'()*,:;<=>?[\\]^`{|}", r) {
			return false
		}
	}
	return importPath != "" && importPath == path.Clean(importPath) && importPath[0] != '/' && importPath[0] != '.'
}
