package impact

// What the compiler says of the module once the drift is accepted: its packages are
// type-checked once more, with the generated packages as they would be, and each error
// that is new is put down to the change that it comes from.

import (
	"cmp"
	"context"
	"fmt"
	"go/parser"
	"go/token"
	"path"
	"slices"
	"strconv"
	"strings"

	"github.com/mcpgen/mcpgen/generator"
	"github.com/mcpgen/mcpgen/generator/internal/code"
	"github.com/mcpgen/mcpgen/schema/drift"
)

// sourcesOf are the Go files that would be generated, by import path, and the paths of
// other packages that they import.
func sourcesOf(ctx context.Context, o generator.Options) (files map[string][]code.Source, imports []string, err error) {
	if len(o.Servers) == 0 {
		return nil, nil, nil
	}
	out, err := generator.Generate(ctx, o)
	if err != nil {
		return nil, nil, err
	}
	files = map[string][]code.Source{}
	for _, f := range out.Files {
		dir, ok := strings.CutPrefix(path.Dir(f.Path), o.Output)
		if !ok || dir == "" || path.Ext(f.Path) != ".go" || strings.HasSuffix(f.Path, "_test.go") {
			continue // the package over all servers is the same for any surfaces; examples have no users
		}
		files[o.ImportPath+dir] = append(files[o.ImportPath+dir], code.Source{Name: f.Path, Data: f.Data})
		parsed, err := parser.ParseFile(token.NewFileSet(), f.Path, f.Data, parser.ImportsOnly)
		if err != nil {
			return nil, nil, err
		}
		for _, spec := range parsed.Imports {
			if name, err := strconv.Unquote(spec.Path.Value); err == nil && !slices.Contains(imports, name) {
				imports = append(imports, name)
			}
		}
	}
	imports = slices.DeleteFunc(imports, func(name string) bool { return files[name] != nil })
	return files, imports, nil
}

// blame finds the changes that cause each failure: their lines get the compiler's message.
// A failure without a change adds one to the report, of the Go API; the changes point into
// the report again. It returns the failures that no generated name causes.
func blame(l *code.Loader, uses *collector, known map[string]*table, changes []queried,
	failures []code.Failure, report *drift.Report) []code.Failure {
	b := &blaming{collector: uses, changes: changes, byPath: map[string]*table{}, byFile: map[string][]named{}}
	for _, t := range known {
		b.byPath[t.path] = t
	}
	for n, list := range uses.uses {
		for _, u := range list {
			if b.breaks(n, u) {
				b.byFile[u.file] = append(b.byFile[u.file], named{n, u})
			}
		}
	}
	for _, list := range b.byFile {
		slices.SortStableFunc(list, func(x, y named) int {
			return cmp.Or(strings.Compare(x.Path, y.Path), strings.Compare(x.name.Name, y.name.Name))
		})
	}
	out := map[string][]drift.Change{}
	var others []code.Failure
	for _, f := range failures {
		cause, ok := b.cause(f)
		if !ok {
			others = append(others, f)
			continue
		}
		if b.mark(cause, f) {
			continue
		}
		t := b.byPath[cause.Path]
		sym := t.was.names[cause.name.Name]
		if b.isNamed(cause.Path, sym.Item, f) {
			continue
		}
		change := t.change(drift.SourceIncompatible, sym, meaning(f, sym.Go))
		change.Effect = drift.Breaks
		change.CallSites = []drift.CallSite{{File: f.File, Line: f.Line, Symbol: sym.Go, Source: l.Line(f.File, f.Line),
			Error: f.Message, Step: t.step(sym, cause.mode), Kind: drift.SiteBreaks}}
		if i := slices.IndexFunc(out[t.server], func(c drift.Change) bool {
			return c.Kind == change.Kind && c.Name == change.Name && c.Message == change.Message
		}); i >= 0 {
			known := &out[t.server][i]
			known.CallSites = append(known.CallSites, change.CallSites...)
			continue
		}
		out[t.server] = append(out[t.server], change)
	}
	moved := map[*drift.Change]*drift.Change{}
	for i := range report.Servers {
		s := &report.Servers[i]
		old := s.Changes
		s.Changes = append(s.Changes, out[s.Server]...)
		for j := range old {
			moved[&old[j]] = &s.Changes[j]
		}
	}
	for i := range changes {
		changes[i].change = moved[changes[i].change]
	}
	return others
}

// meaning says in words what a failure means for a Go name. The report prints the compiler's
// message beside it.
func meaning(f code.Failure, name string) string {
	if saysGone(f, name) {
		return "the Go name " + name + " is gone"
	}
	return "the Go type of " + name + " differs"
}

// saysGone reports whether a failure is that a package has no such name.
func saysGone(f code.Failure, name string) bool {
	return strings.HasPrefix(f.Message, "undefined: ") && strings.HasSuffix(f.Message, "."+name)
}

// blaming finds causes.
type blaming struct {
	*collector
	changes []queried
	byPath  map[string]*table // by path of the package
	byFile  map[string][]named
}

// named is a use of a name.
type named struct {
	name
	use
}

// breaks reports whether a use may not compile any more.
func (b *blaming) breaks(n name, u use) bool {
	t := b.byPath[n.Path]
	return t != nil &&
		t.was.names[n.Name].Go != "" &&
		(t.retyped(t.was.names[n.Name]) || (u.mode == copies || u.mode == builds && u.whole) && t.reshaped(n.Name))
}

// cause is the use that a failure comes from. On its line, that is the use whose name the failure has, since a rewrite
// may have moved the others; else the last use up to its position, or the first use after it. Without a use on its
// line, it is the last use before it in the same declaration.
func (b *blaming) cause(f code.Failure) (named, bool) {
	const far = 1 << 40
	distance := func(n named) int {
		switch gone := f.Column - n.column; {
		case n.line == f.Line && saysGone(f, n.name.Name):
			return max(gone, -gone) - far
		case n.line == f.Line && gone >= 0:
			return gone
		case n.line == f.Line:
			return far - gone
		case n.line < f.Line && n.decl == f.Decl:
			return 2*far + (f.Line-n.line)<<20 - n.column
		}
		return 4 * far
	}
	var best named
	least := 4*far - 1
	for _, n := range b.byFile[f.File] {
		if d := distance(n); d <= least {
			best, least = n, d
		}
	}
	return best, least < 4*far-1
}

// isNamed reports whether a change of an item names the line of a failure already: a
// call of a tool that is gone has arguments whose type is gone, too.
func (b *blaming) isNamed(path, item string, f code.Failure) bool {
	return slices.ContainsFunc(b.changes, func(h queried) bool {
		at := func(s drift.CallSite) bool { return s.File == f.File && s.Line == f.Line && s.Error != "" }
		return h.path == path && h.change.Name == item && slices.ContainsFunc(h.change.CallSites, at)
	})
}

// mark gives what the compiler says to the changes that look for a use: to those that
// are breaking anyway if there are any, else to all. It reports whether there are any.
func (b *blaming) mark(cause named, f code.Failure) bool {
	var found []queried
	wants := func(q query) bool { return q.symbol.Go == cause.name.Name && q.wants(cause.use) }
	for _, h := range b.changes {
		if h.path == cause.Path && slices.ContainsFunc(h.queries, wants) {
			found = append(found, h)
		}
	}
	breaking := slices.DeleteFunc(slices.Clone(found), func(h queried) bool { return h.change.Severity != drift.Breaking })
	if len(breaking) > 0 {
		found = breaking
	}
	text := f.Message
	if f.Line != cause.line || f.File != cause.file {
		text = fmt.Sprintf("%s:%d: %s", f.File, f.Line, f.Message)
	}
	marked := false
	for _, h := range found {
		for i := range h.change.CallSites {
			if s := &h.change.CallSites[i]; s.File == cause.file && s.Line == cause.line {
				marked = true
				h.change.Effect = drift.Breaks
				s.Error, s.Kind = cmp.Or(s.Error, text), drift.SiteBreaks
				s.Step = cmp.Or(s.Step, h.step(h.was.names[cause.name.Name], cause.mode))
			}
		}
	}
	return marked
}
