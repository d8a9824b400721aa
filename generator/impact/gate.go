package impact

// This file checks whether the code of a branch fits what the branch accepts.

import (
	"bytes"
	"cmp"
	"context"
	"go/ast"
	"go/parser"
	"go/scanner"
	"go/token"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/mcpgen/mcpgen/generator/internal/code"
	"github.com/mcpgen/mcpgen/generator/internal/decide"
	"github.com/mcpgen/mcpgen/schema/drift"
)

// Base is the Go code that a branch began with, where it is known: by their absolute names
// the files that the branch changed, removed or, as nil, added.
type Base struct {
	Known bool
	Files map[string][]byte
}

// fitting is the result of [Fit] other than call sites.
type fitting struct {
	// Repaired are the lines of the base that break by a change and do not break by it
	// in the branch, by server and in order of position.
	Repaired map[string][]drift.CallSite
	// Problems are what could not be looked at, and lines that do not compile for another
	// reason than a generated name; New are those that the base does not have.
	Problems, New []Problem
}

// Fit fills the CallSites of the changes of report with the lines of a branch that do not
// fit o.After, the surfaces of its generated packages. These lines do not compile, certainly send
// or read what is refused, or may do so and stand in a function with the code of the base,
// comments and formatting apart. Without a known base every function counts as such. Only
// changes that are breaking or undecided have lines that compile. Effects and texts that models
// read are as [Find] leaves them. If only texts changed, a module that does not load is a
// problem, not an error.
//
// The error is that of loading, or of ctx.
func Fit(ctx context.Context, o Options, base Base, report *drift.Report) (*fitting, error) {
	known, err := tables(ctx, o)
	if err != nil {
		return nil, err
	}
	// Without the unknown ones that stand: such a package is another server's.
	maps.DeleteFunc(known, func(_ string, t *table) bool { return t.unknown && o.stands(t.path) })
	out := &fitting{Repaired: map[string][]drift.CallSite{}}
	broken := clone(report)
	if renamed := slices.ContainsFunc(slices.Collect(maps.Values(known)), (*table).renames); !renamed && len(findQueries(known, broken)) == 0 {
		if report.HasTexts() {
			out.Problems, err = readers(ctx, o, known, report)
		}
		return out, err
	}
	was := map[Problem]bool{}
	if base.Known {
		problems, err := asBase(ctx, o, base, known, broken)
		if err != nil {
			return nil, err
		}
		for _, p := range problems {
			p.Line = 0 // others may have been added above it
			was[p] = true
		}
	}
	f := &fit{base: base, decls: map[string][]decl{}}
	if out.Problems, err = f.find(ctx, o, known, report); err != nil {
		return nil, err
	}
	out.Problems = f.claim(broken, report, out.Problems)
	for _, p := range out.Problems {
		if at := p; base.Known {
			if at.Line = 0; !was[at] {
				out.New = append(out.New, p)
			}
		}
	}
	f.repaired(broken, report, out.Problems, out.Repaired)
	return out, nil
}

// readers finds out for a report without other changes whether models read the texts.
func readers(ctx context.Context, o Options, before map[string]*table, report *drift.Report) ([]Problem, error) {
	known := inBranch(before)
	l, err := o.loader(known)
	if err != nil {
		return nil, err
	}
	problems, err := search(ctx, l, known, nil, o, report)
	if err != nil && ctx.Err() == nil {
		return append(problems, Problem{Reason: err.Error()}), nil
	}
	return problems, err
}

// clone returns a report whose call sites can be set independently of those of r.
func clone(r *drift.Report) *drift.Report {
	out := &drift.Report{Verdict: r.Verdict, Servers: slices.Clone(r.Servers)}
	for i := range out.Servers {
		out.Servers[i].Changes = slices.Clone(out.Servers[i].Changes)
	}
	return out
}

// asBase runs Find on the code of the base.
func asBase(ctx context.Context, o Options, base Base, known map[string]*table,
	report *drift.Report) ([]Problem, error) {
	l, err := o.loader(known)
	if err != nil {
		return nil, err
	}
	if l.Overlay, err = asBefore(ctx, l, o); err != nil {
		return nil, err
	}
	for file, data := range base.Files {
		switch {
		case l.Overlay[file] != nil || l.Ours[file]:
		case data == nil:
			l.Overlay[file] = nothing()
		default:
			l.Overlay[file] = data
		}
	}
	return search(ctx, l, known, findQueries(known, report), o, report)
}

// nothing returns a file that no build includes.
func nothing() []byte { return []byte("//go:build ignore\n\npackage ignored\n") }

// fit examines the code of the branch.
type fit struct {
	base  Base
	root  string
	line  func(file string, line int) string
	decls map[string][]decl // by file, as it is in the branch
}

// decl is a declaration.
type decl struct {
	name     string // of a function, with its receiver; "" for others
	from, to int    // lines
	tokens   string
}

// inBranch returns tables with the import paths that the generated packages of the branch have.
func inBranch(before map[string]*table) map[string]*table {
	known := map[string]*table{}
	for server, t := range before {
		now := *t
		if t.pathAfter != "" {
			now.path = t.pathAfter
		}
		known[server] = &now
	}
	return known
}

// find fills the call sites, and marks texts that models read.
func (f *fit) find(ctx context.Context, o Options, before map[string]*table, report *drift.Report) ([]Problem, error) {
	known := inBranch(before)
	changes := findQueries(known, report)
	l, err := o.loader(known)
	if err != nil {
		return nil, err
	}
	f.root, f.line = l.Root, l.Line
	loaders, err := l.LoadAll(ctx)
	if err != nil {
		return nil, err
	}
	uses := collect(l, code.Read(loaders), known)
	var failures []code.Failure
	for _, at := range loaders {
		failures = append(failures, at.Broken()...)
	}
	for _, h := range changes {
		h.change.CallSites = h.sites(uses)
	}
	others := blame(l, uses, known, changes, failures, report)
	for _, h := range changes {
		if !h.unknown { // else the server is gone, and no use of it compiles
			h.asAfter()
		}
		hold := h.sites(uses)
		h.change.CallSites = slices.DeleteFunc(h.change.CallSites, func(s drift.CallSite) bool { return s.Error == "" })
		for _, s := range hold {
			failing := slices.ContainsFunc(h.change.CallSites, onLine(s))
			weighs := h.change.Severity.AtLeast(drift.Unknown) || h.change.SafeBound()
			if !failing && weighs && (s.Kind == drift.SiteBreaks || f.untouched(s)) {
				h.change.CallSites = append(h.change.CallSites, s)
			}
		}
		slices.SortFunc(h.change.CallSites, bySite)
	}
	problems := slices.DeleteFunc(l.Problems(), func(p Problem) bool {
		at := func(f code.Failure) bool { return f.File == p.File && f.Line == p.Line }
		return slices.ContainsFunc(failures, at) && !slices.ContainsFunc(others, at)
	})
	if handsTools(loaders, problems) {
		report.Read()
	}
	return problems, nil
}

// stands reports whether the module has a generated package with this path.
func (o Options) stands(path string) bool {
	dir, ok := strings.CutPrefix(path, o.After.ImportPath+"/")
	files, _ := os.ReadDir(filepath.Join(o.Dir, filepath.FromSlash(o.After.Output), dir))
	return ok && slices.ContainsFunc(files, func(f os.DirEntry) bool { return strings.HasSuffix(f.Name(), ".go") })
}

// asAfter makes queries about code that compiles against what is generated after the
// change: what the compiler would refuse is not looked for, and names are those of after.
func (h *queried) asAfter() {
	var out []query
	for _, q := range h.queries {
		if q = q.compiling(); q.results {
			q.doubt = always // what it compiles with is read as it is now
		}
		for _, name := range h.namesAfter(q.symbol) {
			q.symbol.Go = name
			out = append(out, q)
		}
	}
	h.queries = out
}

// decide marks the lines that break for certain by what is known of them once the code is rewritten.
func (h queried) decide(now *collector) {
	if h.unknown {
		return
	}
	t := *h.table
	t.path = cmp.Or(t.pathAfter, t.path)
	h.table = &t
	h.asAfter()
	sites := h.sites(now)
	for i := range h.change.CallSites {
		s := &h.change.CallSites[i]
		if at := slices.IndexFunc(sites, onLine(*s)); at >= 0 {
			s.Kind = min(s.Kind, sites[at].Kind)
		}
	}
}

// namesAfter are the names that a symbol has after the change: its own, else those of what
// stands for the same place of the item.
func (t *table) namesAfter(s decide.Symbol) []string {
	if _, ok := t.becomes(s); ok {
		return []string{s.Go}
	}
	out := []string{s.Go} // requests are found by the names of before
	shared := func(pointer string) bool { return slices.Contains(s.Pointers, pointer) }
	for _, now := range t.now.items[t.after(idOf(s))].symbols {
		if now.Role == s.Role && now.Value == s.Value && slices.ContainsFunc(now.Pointers, shared) {
			out = append(out, now.Go)
		}
	}
	return out
}

// untouched reports whether the declaration around a line of the branch also exists in the base.
func (f *fit) untouched(s drift.CallSite) bool {
	name := filepath.Join(f.root, filepath.FromSlash(s.File))
	d, ok := declAt(f.declarations(name), s.Line)
	if _, changed := f.base.Files[name]; !changed || !ok {
		return true
	}
	for file, data := range f.base.Files {
		if data != nil && filepath.Dir(file) == filepath.Dir(name) && slices.ContainsFunc(declarations(data), d.same) {
			return true
		}
	}
	return false
}

// kept reports whether the branch has a declaration of a file of the base, in any file of that folder.
func (f *fit) kept(name string, d decl) bool {
	_, changed := f.base.Files[name]
	return !changed || slices.ContainsFunc(slices.Collect(maps.Keys(f.base.Files)), func(file string) bool {
		return filepath.Dir(file) == filepath.Dir(name) && slices.ContainsFunc(f.declarations(file), d.same)
	})
}

// declarations returns the declarations of a file of the branch.
func (f *fit) declarations(name string) []decl {
	if _, known := f.decls[name]; !known {
		data, _ := os.ReadFile(name) // no declarations without it
		f.decls[name] = declarations(data)
	}
	return f.decls[name]
}

func (d decl) same(o decl) bool { return d.tokens == o.tokens }

func declAt(all []decl, line int) (decl, bool) {
	i := slices.IndexFunc(all, func(d decl) bool { return d.from <= line && line <= d.to })
	if i < 0 {
		return decl{}, false
	}
	return all[i], true
}

// declarations returns the declarations of a file, as far as it can be parsed.
func declarations(data []byte) []decl {
	fset := token.NewFileSet()
	parsed, _ := parser.ParseFile(fset, "", data, parser.SkipObjectResolution) // what could be read of it
	if parsed == nil {
		return nil
	}
	var out []decl
	for _, d := range parsed.Decls {
		from, to := fset.Position(d.Pos()), fset.Position(d.End())
		one := decl{from: from.Line, to: to.Line, tokens: tokensOf(data[from.Offset:min(to.Offset, len(data))])}
		if fn, ok := d.(*ast.FuncDecl); ok {
			one.name = fn.Name.Name
			if fn.Recv != nil && len(fn.Recv.List) > 0 {
				recv := fn.Recv.List[0].Type
				one.name = tokensOf(data[fset.Position(recv.Pos()).Offset:fset.Position(recv.End()).Offset]) + one.name
			}
		}
		out = append(out, one)
	}
	return out
}

// tokensOf returns source without comments and formatting.
func tokensOf(data []byte) string {
	var s scanner.Scanner
	s.Init(token.NewFileSet().AddFile("", -1, len(data)), data, func(token.Position, string) {}, 0)
	var out bytes.Buffer
	comma := false
	for {
		_, tok, text := s.Scan()
		if tok == token.EOF {
			return out.String()
		}
		if closes := tok == token.RPAREN || tok == token.RBRACE || tok == token.RBRACK; comma && !closes {
			out.WriteString(",\x00")
		}
		if comma = tok == token.COMMA; !comma && tok != token.SEMICOLON {
			out.WriteString(tok.String() + text + "\x00")
		}
	}
}

// claim gives a change the lines that do not compile by it in the base and are left in the branch as they
// were. A name that is gone tells not whose it was: that of an embedded field, or of a package with a dot
// import. It returns the other problems.
func (f *fit) claim(was, now *drift.Report, problems []Problem) []Problem {
	return slices.DeleteFunc(problems, func(p Problem) bool {
		claimed := false
		each(was, func(server string, c *drift.Change, s drift.CallSite) {
			if claimed || s.Error == "" || s.File != p.File || s.Source != f.line(p.File, p.Line) {
				return
			}
			claimed = true
			s.Line, s.Error = p.Line, p.Reason
			at := slices.IndexFunc(now.Servers, func(o drift.ServerReport) bool { return o.Server == server })
			changes := &now.Servers[at].Changes
			i := slices.IndexFunc(*changes, func(o drift.Change) bool { return changeKey(server, &o) == changeKey(server, c) })
			if i < 0 {
				i = len(*changes)
				*changes = append(*changes, *c)
				(*changes)[i].CallSites = nil
			}
			change := &(*changes)[i]
			change.Effect = drift.Breaks
			if !slices.ContainsFunc(change.CallSites, onLine(s)) {
				change.CallSites = append(change.CallSites, s)
				slices.SortFunc(change.CallSites, bySite)
			}
		})
		return claimed
	})
}

// repaired collects the lines that break in the base and not in the branch. A line still breaks
// if the branch has a finding for the same change in the same function, or a finding or a problem
// with the same text. A line that compiles in the base is not repaired if its declaration is the same:
// the compiler does not say that it fits.
func (f *fit) repaired(was, now *drift.Report, problems []Problem, out map[string][]drift.CallSite) {
	left := map[string]bool{}
	for _, p := range problems {
		left[p.File+"\x00"+f.line(p.File, p.Line)] = true
	}
	each(now, func(server string, c *drift.Change, s drift.CallSite) {
		left[s.File+"\x00"+s.Source] = true
		if d, ok := declAt(f.declarations(filepath.Join(f.root, filepath.FromSlash(s.File))), s.Line); ok {
			left[changeKey(server, c)+filepath.Dir(s.File)+"\x00"+d.name] = true
		}
	})
	bases := map[string][]decl{}
	each(was, func(server string, c *drift.Change, s drift.CallSite) {
		name := filepath.Join(f.root, filepath.FromSlash(s.File))
		weighs := c.Severity.AtLeast(drift.Unknown) && !c.Rule.Renames() || c.SafeBound() // an old name may stay
		if s.Kind != drift.SiteBreaks || s.Error == "" && !weighs {
			return
		}
		if _, known := bases[name]; !known {
			data, changed := f.base.Files[name]
			if !changed {
				data, _ = os.ReadFile(name)
			}
			bases[name] = declarations(data)
		}
		d, _ := declAt(bases[name], s.Line)
		if s.Error == "" && f.kept(name, d) || left[s.File+"\x00"+s.Source] ||
			left[changeKey(server, c)+filepath.Dir(s.File)+"\x00"+d.name] ||
			slices.ContainsFunc(out[server], onLine(s)) {
			return
		}
		out[server] = append(out[server], s)
	})
	for server := range maps.Keys(out) {
		slices.SortFunc(out[server], bySite)
	}
}

// each calls do for every call site of a report.
func each(r *drift.Report, do func(server string, c *drift.Change, s drift.CallSite)) {
	for _, s := range r.Servers {
		for i := range s.Changes {
			for _, site := range s.Changes[i].CallSites {
				do(s.Server, &s.Changes[i], site)
			}
		}
	}
}

func changeKey(server string, c *drift.Change) string {
	return strings.Join([]string{server, string(c.Kind), c.Name, c.Rule.String(), c.Path, ""}, "\x00")
}
