// Package impact finds whom drift breaks: the lines of a Go module that a change of a server touches, found by
// type information, and the changes of the generated packages' Go API.
//
// [Find] runs the go command to load the module. [Source] touches neither
// network nor disk.
package impact

import (
	"cmp"
	"context"
	"slices"
	"strings"

	"github.com/mcpgen/mcpgen/generator"
	"github.com/mcpgen/mcpgen/generator/internal/code"
	"github.com/mcpgen/mcpgen/internal/ruleid"
	"github.com/mcpgen/mcpgen/schema/drift"
)

// Options configure the search.
type Options struct {
	// Dir is a folder of the module; "" is the working directory.
	Dir string
	// Root is the folder that call sites' files are relative to; "" is Dir.
	Root string
	// Before is what the generated packages on disk were made from, and After
	// what they would be made from once the drift is accepted. With an After of
	// no servers every type of which the schema changed counts as another one.
	Before, After generator.Options
	// Tags are build tags, as go build -tags has them. Files that import a generated
	// package and that build constraints leave out are looked at as they are built for
	// another system, or with other tags; those that are built for none are problems.
	Tags []string
	// Env is the environment of the go command; nil is that of the process.
	Env []string
	// Progress is called with what is being done, in a few words, each time that is
	// something else. Nil is nothing.
	Progress func(text string)
}

// Problem is the reason why a part of the module was not fully searched. Files are relative to the root of the
// options.
type Problem = code.Problem

// newLoader is a loader of the module for the packages of some paths, and items by their names.
func (o Options) newLoader(paths map[string]bool, names ...string) (*code.Loader, error) {
	return code.New(code.Options{
		Dir: o.Dir, Root: o.Root, Tags: o.Tags, Env: o.Env, Progress: o.Progress, Paths: paths, Names: names})
}

// loader is a loader of the module for packages by their tables.
func (o Options) loader(known map[string]*table) (*code.Loader, error) {
	paths := map[string]bool{}
	var names []string
	for _, t := range known {
		paths[t.path] = true
		for id := range t.was.items {
			names = append(names, id.name)
		}
	}
	return o.newLoader(paths, names...)
}

// Importers returns the lines of the module, and of the others in its workspace, that import
// one of the paths or the fake of one, sorted. It reads all files that are not generated, even
// if they are not built here or do not compile. It ignores Before and After of the options. The
// error is that of the working directory.
func Importers(ctx context.Context, o Options, paths ...string) ([]Problem, error) {
	set := map[string]bool{}
	for _, path := range paths {
		set[path] = true
	}
	l, err := o.newLoader(set)
	if err != nil {
		return nil, err
	}
	return l.Importers(ctx), nil
}

// Find fills the CallSites of the changes of report: lines of the module that do
// not compile any more, are refused, or read something else than before, sorted
// by file and line. A line is named once for each change. Generated files do not
// count. Nothing is loaded if no change can touch a line and no text changed, and else only packages
// that depend on a generated one, and what those import.
//
// The module is type-checked against what would be generated, too: what the compiler
// says of a line is in its call site, and the Effect of the change is then
// [drift.Breaks]. What no change of the report is about is added to it, as
// [drift.SourceIncompatible]. A change of the Go API whose names stand in files that
// could not be searched has the effect [drift.MayBreak]. [drift.Report.Weigh] makes
// severities of effects. Changed texts are marked as read if the module hands tools to
// models, or may.
//
// Problems are what could not be looked at: the call sites are those of the rest.
// The error is that nothing could be loaded at all, or that of ctx; every change of
// the Go API may break then.
func Find(ctx context.Context, o Options, report *drift.Report) ([]Problem, error) {
	known, err := tables(ctx, o)
	if err != nil {
		report.Read()
		return nil, err
	}
	changes := findQueries(known, report)
	if len(changes) == 0 && !report.HasTexts() {
		return nil, nil
	}
	l, err := o.loader(known)
	if err != nil {
		return nil, err
	}
	return search(ctx, l, known, changes, o, report)
}

// search does the work of Find for changes that can touch a line.
func search(ctx context.Context, l *code.Loader, known map[string]*table, changes []queried,
	o Options, report *drift.Report) ([]Problem, error) {
	var files map[string][]code.Source
	var imports []string
	var afterErr error
	if len(changes) > 0 {
		files, imports, afterErr = sourcesOf(ctx, o.After)
	}
	loaders, err := l.LoadAll(ctx, imports...)
	if err != nil || handsTools(loaders, l.Problems()) {
		report.Read()
	}
	if err != nil {
		mayBreak(changes, nil)
		return l.Problems(), err
	}
	uses := collect(l, code.Read(loaders), known)
	outdated := uses.outdated(changes)
	for _, h := range changes {
		h.change.CallSites = h.sites(uses)
	}
	switch {
	case outdated:
		mayBreak(changes, nil)
	case afterErr == nil && files != nil:
		afterErr = compile(ctx, known, changes, uses, loaders, files, report)
	}
	if ctx.Err() != nil {
		return nil, ctx.Err()
	}
	if afterErr != nil {
		l.Problem("", 0, "it is not known what compiles once the changes are accepted: "+afterErr.Error())
		mayBreak(changes, nil)
	}
	mayBreak(changes, l.Unsearched)
	return l.Problems(), nil
}

// handsTools reports whether the module hands tools to models, or may: code that was not
// searched may.
func handsTools(loaders []*code.Loader, unsearched []Problem) bool {
	return len(unsearched) > 0 || code.HandsTools(loaders)
}

// compile finds out which lines do not compile once the drift is accepted.
func compile(ctx context.Context, known map[string]*table, changes []queried, uses *collector,
	loaders []*code.Loader, files map[string][]code.Source, report *drift.Report) error {
	l := loaders[0]
	l.Say("compiling against what would be generated")
	var failures []code.Failure
	for _, at := range loaders {
		found, err := at.Failures(ctx, files)
		if err != nil {
			return err
		}
		for _, f := range found {
			if !slices.ContainsFunc(failures, f.Same) {
				failures = append(failures, f)
			}
		}
	}
	others := blame(l, uses, known, changes, failures, report)
	for _, at := range loaders { // a line that does not compile now is unknown
		failures = append(failures, at.Broken()...)
	}
	for _, h := range changes {
		h.dropCompiling(uses, failures)
	}
	for _, f := range others {
		l.Problem(f.File, f.Line, "does not compile once the changes are accepted: "+f.Message)
	}
	return nil
}

// MayBreak gives every change of report that is one of the Go API the effect
// [drift.MayBreak], and says of texts that models may read them: the module is not
// searched. The error is that of [generator.Symbols].
func MayBreak(ctx context.Context, o Options, report *drift.Report) error {
	report.Read()
	known, err := tables(ctx, o)
	if err != nil {
		return err
	}
	mayBreak(findQueries(known, report), nil)
	return nil
}

// mayBreak is about the changes of the Go API that are not known to break a line. Of
// those it takes the ones about a name that may stand in code which was not searched;
// nil is any name.
func mayBreak(changes []queried, unsearched map[string]bool) {
	for _, h := range changes {
		may := func(q query) bool {
			name := q.symbol.Go[strings.LastIndexByte(q.symbol.Go, '.')+1:]
			return h.retyped(q.symbol) && (unsearched == nil || unsearched[name])
		}
		if h.change.Effect == "" && slices.ContainsFunc(h.queries, may) {
			h.change.Effect = drift.MayBreak
		}
	}
}

// queried is a change with the uses to search for.
type queried struct {
	*table
	change  *drift.Change
	queries []query
}

// findQueries returns the changes that can touch a line of Go.
func findQueries(known map[string]*table, report *drift.Report) []queried {
	var out []queried
	for i := range report.Servers {
		s := &report.Servers[i]
		t := known[s.Server]
		if t == nil {
			continue
		}
		for j := range s.Changes {
			c := &s.Changes[j]
			c.CallSites, c.Effect = nil, ""
			if queries := t.match(*c); len(queries) > 0 {
				out = append(out, queried{t, c, queries})
			}
		}
	}
	return out
}

// dropCompiling removes lines that are listed only because they might not compile, but do compile. A
// line that is also listed for another reason gets the kind of that reason if it sends an argument: the
// value may be allowed. A line that reads keeps its kind.
func (h queried) dropCompiling(c *collector, failures []code.Failure) {
	if h.change.Rule.Touch() < ruleid.TouchValue && h.change.Rule != drift.SourceIncompatible {
		return // names of before may be kept
	}
	meant := h
	meant.queries = nil
	for _, q := range h.queries {
		meant.queries = append(meant.queries, q.compiling())
	}
	sites := meant.sites(c)
	var out []drift.CallSite
	for _, s := range h.change.CallSites {
		here := func(f code.Failure) bool { return f.File == s.File && f.Line == s.Line }
		fails := s.Error != "" || slices.ContainsFunc(failures, here)
		i := slices.IndexFunc(sites, onLine(s))
		if !fails && i >= 0 && h.change.Rule.Part() == drift.Arguments {
			s.Kind = sites[i].Kind
		}
		if fails || i >= 0 {
			out = append(out, s)
		}
	}
	h.change.CallSites = out
}

// sites are the lines that have what a change is looking for. Of what is looked for on a
// line, that counts which breaks it for certain.
func (h queried) sites(c *collector) []drift.CallSite {
	type found struct {
		kind   drift.SiteKind
		rank   int
		symbol string
	}
	best := map[line]found{}
	for _, q := range h.queries {
		for _, u := range c.uses[name{Path: h.path, Name: q.symbol.Go}] {
			if !q.wants(u) {
				continue
			}
			at, f := line{u.file, u.line}, found{q.kind(u), q.rank, cmp.Or(u.symbol, q.symbol.Go)}
			old, ok := best[at]
			order := cmp.Or(cmp.Compare(f.kind, old.kind), cmp.Compare(f.rank, old.rank), cmp.Compare(f.symbol, old.symbol))
			if !ok || order < 0 {
				best[at] = f
			}
		}
	}
	var out []drift.CallSite
	for at, f := range best {
		site := drift.CallSite{File: at.file, Line: at.line, Symbol: f.symbol, Kind: f.kind}
		site.Source = c.source(at.file, at.line)
		out = append(out, site)
	}
	slices.SortFunc(out, bySite)
	return out
}

// line is a line of the module.
type line struct {
	file string
	line int
}

// onLine reports of a call site whether it is on the line of s.
func onLine(s drift.CallSite) func(drift.CallSite) bool {
	return func(o drift.CallSite) bool { return o.File == s.File && o.Line == s.Line }
}

// bySite sorts lines.
func bySite(a, b drift.CallSite) int {
	return cmp.Or(cmp.Compare(a.File, b.File), cmp.Compare(a.Line, b.Line), cmp.Compare(a.Symbol, b.Symbol))
}

// compiling is a query about code that compiles: of what the compiler would refuse it wants
// requests alone.
func (q query) compiling() query {
	wants, named := q.wants, q.named
	q.wants = func(u use) bool { return wants(u) && (!named || u.mode == requests) }
	return q
}

// kind says whether a use breaks, or may: a value that is not known may be one that is
// refused, and a struct that other code sets fields of may have what it lacks.
func (q query) kind(u use) drift.SiteKind {
	if q.doubt == always || q.doubt == byValue && !u.sure ||
		q.doubt == byArgs && u.args == "" || u.mode == builds && u.sends {
		return drift.SiteCalls
	}
	return drift.SiteBreaks
}
