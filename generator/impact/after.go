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
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"

	"golang.org/x/tools/go/packages"

	"github.com/mcpgen/mcpgen/generator"
	"github.com/mcpgen/mcpgen/internal/safetext"
	"github.com/mcpgen/mcpgen/schema/drift"
)

// sourcesOf are the Go files that would be generated, by import path, and the paths of
// other packages that they import.
func sourcesOf(ctx context.Context, o generator.Options) (files map[string][]source, imports []string, err error) {
	if len(o.Servers) == 0 {
		return nil, nil, nil
	}
	out, err := generator.Generate(ctx, o)
	if err != nil {
		return nil, nil, err
	}
	files = map[string][]source{}
	for _, f := range out.Files {
		dir, ok := strings.CutPrefix(path.Dir(f.Path), o.Output)
		if !ok || dir == "" || path.Ext(f.Path) != ".go" {
			continue // the package over all servers is the same for any surfaces
		}
		files[o.ImportPath+dir] = append(files[o.ImportPath+dir], source{f.Path, f.Data})
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

// failure is a line that compiles now and does not once the drift is accepted.
type failure struct {
	file         string
	line, column int
	decl         int // the line that the declaration around it begins on
	message      string
}

// same reports whether two failures are at one place.
func (f failure) same(o failure) bool {
	return o.file == f.file && o.line == f.line && o.column == f.column
}

// failures type-checks the packages against what would be generated. The error says
// why that could not be done.
func (l *loader) failures(ctx context.Context, loaded []*packages.Package, files map[string][]source) ([]failure, error) {
	after := l.checker.again(loaded, files, l.generated, l.depends)
	if err := after.run(ctx); err != nil {
		return nil, err
	}
	for _, p := range after.order {
		for _, e := range after.done[p.ID].errors {
			if name, _, _ := position(e.Pos); slices.ContainsFunc(files[p.PkgPath], func(s source) bool { return s.name == name }) {
				return nil, fmt.Errorf("the generated package %s could not be checked: %s: %s", p.PkgPath, e.Pos, e.Msg)
			}
		}
	}
	var out []failure
	for _, p := range loaded {
		type place struct {
			name string
			line int
		}
		known := map[place]bool{} // lines that do not compile now
		for _, e := range l.checker.done[p.ID].errors {
			name, line, _ := position(e.Pos)
			known[place{name, line}] = true
		}
		for _, e := range after.done[p.ID].errors {
			f := failure{message: safetext.Line(qualified().ReplaceAllString(e.Msg, "$1."))}
			name, line, column := position(e.Pos)
			if known[place{name, line}] || name == "" || l.generated(name) {
				continue
			}
			f.file, f.line, f.column, f.decl = l.relative(name), line, column, declarationAt(p, name, line)
			if !slices.ContainsFunc(out, f.same) {
				out = append(out, f)
			}
		}
	}
	slices.SortStableFunc(out, func(a, b failure) int {
		return cmp.Or(strings.Compare(a.file, b.file), cmp.Compare(a.line, b.line), cmp.Compare(a.column, b.column))
	})
	return out, nil
}

// qualified matches the path of a package in an error, where go/types writes it out
// because another package has the same name.
var qualified = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`"(?:[^"\s]*/)?([^"/\s]+)"\.`) })

// declarationAt is the line that the declaration around a line begins on.
func declarationAt(p *packages.Package, name string, line int) int {
	for _, f := range p.Syntax {
		if p.Fset.Position(f.Package).Filename != name {
			continue
		}
		for _, d := range f.Decls {
			if from, to := p.Fset.Position(d.Pos()).Line, p.Fset.Position(d.End()).Line; from <= line && line <= to {
				return from
			}
		}
	}
	return 0
}

// blame puts each failure down to the changes that it comes from: their lines get what
// the compiler says. It returns changes of the Go API for failures that no change of
// the report is about, by server.
func blame(l *loader, uses *collector, known map[string]*table, changes []queried, failures []failure) map[string][]drift.Change {
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
	out := map[string][]drift.Change{}
	for _, f := range failures {
		cause, ok := b.cause(f)
		if !ok {
			l.problem(f.file, f.line, "does not compile once the changes are accepted: "+f.message)
			continue
		}
		if b.mark(cause, f) {
			continue
		}
		t := b.byPath[cause.path]
		sym := t.was.names[cause.name.name]
		if b.isNamed(cause.path, sym.Item, f) {
			continue
		}
		change := drift.Change{
			Rule: drift.SourceIncompatible, Class: drift.ClassSource, Kind: sym.Kind, Name: sym.Item, Go: sym.Go,
			Message: f.meaning(sym.Go), Effect: drift.Breaks,
			Hash:      t.itemHash(sym),
			CallSites: []drift.CallSite{{File: f.file, Line: f.line, Symbol: sym.Go, Source: l.source(f.file, f.line), Error: f.message}},
		}
		if len(sym.Pointers) > 0 {
			change.Path = sym.Pointers[0]
		}
		out[t.server] = append(out[t.server], change)
	}
	return out
}

// meaning is what a failure says of a Go name. The compiler's own words stand with the
// line.
func (f failure) meaning(name string) string {
	if strings.HasPrefix(f.message, "undefined: ") && strings.HasSuffix(f.message, "."+name) {
		return "the Go name " + name + " is gone"
	}
	return "the Go type of " + name + " differs"
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
	t := b.byPath[n.path]
	return t != nil && t.was.names[n.name].Go != "" && (t.retyped(t.was.names[n.name]) || u.mode == copies || u.mode == builds && u.whole)
}

// cause is the use that a failure comes from: the last one up to its position in the
// same declaration, else one behind it on its line.
func (b *blaming) cause(f failure) (named, bool) {
	var best named
	found := false
	for _, n := range b.byFile[f.file] {
		before := cmp.Or(cmp.Compare(n.line, f.line), cmp.Compare(n.column, f.column)) <= 0
		switch {
		case before && n.decl == f.decl:
			if at := cmp.Or(cmp.Compare(n.line, best.line), cmp.Compare(n.column, best.column)); !found || at >= 0 || best.line == f.line && best.column > f.column {
				best, found = n, true
			}
		case n.line == f.line && !found:
			best, found = n, true
		}
	}
	return best, found
}

// isNamed reports whether a change of an item names the line of a failure already: a
// call of a tool that is gone has arguments whose type is gone, too.
func (b *blaming) isNamed(path, item string, f failure) bool {
	return slices.ContainsFunc(b.changes, func(h queried) bool {
		return h.path == path && h.change.Name == item && slices.ContainsFunc(h.change.CallSites, func(s drift.CallSite) bool {
			return s.File == f.file && s.Line == f.line && s.Error != ""
		})
	})
}

// mark gives what the compiler says to the changes that look for a use: to those that
// are breaking anyway if there are any, else to all. It reports whether there are any.
func (b *blaming) mark(cause named, f failure) bool {
	var found []queried
	for _, h := range b.changes {
		if h.path == cause.path && slices.ContainsFunc(h.queries, func(q query) bool { return q.symbol.Go == cause.name.name && q.wants(cause.use) }) {
			found = append(found, h)
		}
	}
	breaking := slices.DeleteFunc(slices.Clone(found), func(h queried) bool { return h.change.Severity != drift.Breaking })
	if len(breaking) > 0 {
		found = breaking
	}
	text := f.message
	if f.line != cause.line || f.file != cause.file {
		text = fmt.Sprintf("%s:%d: %s", f.file, f.line, f.message)
	}
	marked := false
	for _, h := range found {
		for i := range h.change.CallSites {
			if s := &h.change.CallSites[i]; s.File == cause.file && s.Line == cause.line {
				marked = true
				h.change.Effect = drift.Breaks
				s.Error = cmp.Or(s.Error, text)
			}
		}
	}
	return marked
}
