package impact

// Code that uses the names of today. It is type-checked against the packages of
// before, where it compiles, so that what else has changed since hides nothing.

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"go/ast"
	"go/format"
	"go/token"
	"go/types"
	"maps"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/mcpgen/mcpgen/generator"
	"github.com/mcpgen/mcpgen/generator/internal/code"
	"github.com/mcpgen/mcpgen/internal/ruleid"
	"github.com/mcpgen/mcpgen/internal/safetext"
	"github.com/mcpgen/mcpgen/schema/drift"
)

// rewrite is a file of the module that uses renamed names.
type rewrite struct {
	Path          string // absolute
	File          string // relative to the root of the options, with slashes
	Before, After []byte
}

// Fixed is the result of [Fix].
type Fixed struct {
	Rewrites []rewrite // in order of their files
	// Maybe are items and members that the module uses, and that may have another name:
	// to be named to Fix by who knows it.
	Maybe []offer
	// Left are the lines that stay broken, with what broke them.
	Left []leftBroken
	// Problems are what could not be read, and what has to be rewritten by hand.
	Problems []Problem
	// Uses are the names that the module uses once it is rewritten.
	Uses InUse
}

// leftBroken are lines that a change breaks and no rewrite repairs: they do not compile, or send
// or read what is not there any more.
type leftBroken struct {
	Server string
	Change drift.Change // with the call sites that stay broken
}

// Fix returns the files of the module that have to be rewritten, since the server gave
// tools, members or values other names, or wants values in another form. Nothing is
// written, and what stands on disk of the generated packages does not count; the code is read as of o.Before. What
// is in sure is renamed even if it does not look like it.
//
// A tool counts as renamed if that is certain or likely, a member if nothing but its
// name changed and it resembles the one before, a value of an enum if it is spelled
// much like one that is gone. Methods of the module that have name and signature of a
// generated one, in interfaces and in what implements them, are rewritten, too. A value is
// written in another form, such as new("p"), where a field may be left out now, or may hold more than
// before. Other names of types and constants become their declared names, unless the
// package has its names by place for users elsewhere.
//
// A line that compiles and reads what a result no longer has is left while its declaration is that of
// base, the code that was written for o.Before. Without a known base none is.
//
// The error is that nothing could be loaded at all, or that of ctx.
func Fix(ctx context.Context, o Options, base Base, sure ...Rename) (*Fixed, error) {
	declared := map[string]bool{}
	for _, s := range o.After.Servers {
		declared[s.Name] = !s.PlaceNames
	}
	before, err := placedAsImported(ctx, o)
	if err != nil {
		return nil, err
	}
	o.Before, o.After = withPlaceNames(before), withPlaceNames(o.After)
	known, err := findRenames(ctx, o.Before, o.After, sure, declared)
	if err != nil {
		return nil, err
	}
	changes := findQueries(known.tables, known.report)
	if len(known.names)+len(known.values)+len(known.maybe)+len(known.packages)+len(changes) == 0 {
		return &Fixed{Uses: func(string, string) bool { return false }}, nil
	}
	paths := map[string]bool{}
	for path := range known.packages {
		paths[path] = true
	}
	for _, s := range o.Before.Servers {
		paths[importPath(o.Before, s)] = true
	}
	for _, s := range o.After.Servers { // one may have another package now
		paths[importPath(o.After, s)] = true
	}
	l, err := o.newLoader(paths)
	if err != nil {
		return nil, err
	}
	if l.Overlay, err = asBefore(ctx, l, o); err != nil {
		return nil, err
	}
	loaders, err := l.LoadAll(ctx)
	if err != nil {
		return nil, err
	}
	out := &Fixed{}
	var byHand map[Problem]bool
	units := code.Read(loaders)
	out.Rewrites, out.Maybe, byHand = rewriteAll(l, units, known)
	after, err := o.newLoader(paths)
	if err != nil {
		return nil, err
	}
	if after.Overlay, err = generated(ctx, after, o, o.After); err != nil {
		return nil, err
	}
	for _, r := range out.Rewrites {
		after.Overlay[r.Path] = r.After
	}
	again, err := after.LoadAll(ctx)
	if err != nil {
		return nil, err
	}
	now := collect(after, code.Read(again), inBranch(known.tables))
	out.Uses = now.inUse(known.tables)
	out.Left = left(after, again, collect(l, units, known.tables), now, known, changes, base)
	said := func(p Problem) bool {
		return slices.ContainsFunc(out.Left, func(l leftBroken) bool {
			return slices.ContainsFunc(l.Change.CallSites, func(s drift.CallSite) bool {
				at := fmt.Sprintf("%s:%d: ", p.File, p.Line)
				return s.Error != "" && (s.File == p.File && s.Line == p.Line || strings.HasPrefix(s.Error, at))
			})
		})
	}
	for _, p := range slices.DeleteFunc(after.Problems(), said) {
		byHand[p] = true
	}
	out.Problems = slices.SortedFunc(maps.Keys(byHand), code.ByPlace)
	return out, nil
}

// left puts what does not compile after a rewrite down to the changes, and adds the lines that compile and send
// refused values, or read a result as the base does. Uses are for the earlier packages, now for the new ones.
func left(l *code.Loader, loaders []*code.Loader, uses, now *collector, known *renaming,
	changes []queried, base Base) []leftBroken {
	f := &fit{base: base, root: l.Root, decls: map[string][]decl{}}
	for _, h := range changes {
		h.change.CallSites = h.sites(uses) // lines stay where they are
	}
	var failures []code.Failure
	for _, at := range loaders {
		for _, f := range at.Broken() {
			if !slices.ContainsFunc(failures, f.Same) {
				failures = append(failures, f)
			}
		}
	}
	blame(l, uses, known.tables, changes, failures, known.report)
	for _, h := range changes {
		h.dropCompiling(uses, failures)
		h.decide(now)
	}
	var out []leftBroken
	for _, s := range known.report.Servers {
		for _, c := range s.Changes {
			compiles := c.Severity == drift.Breaking && !c.Possible
			c.CallSites = slices.DeleteFunc(c.CallSites, func(s drift.CallSite) bool {
				repaired := c.Rule.Part() == drift.Results && !(base.Known && f.untouched(s))
				return s.Error == "" && (s.Kind != drift.SiteBreaks || !compiles || repaired)
			})
			if len(c.CallSites) > 0 && !known.rewrites(c) {
				out = append(out, leftBroken{s.Server, c})
			}
		}
	}
	return out
}

// rewrites reports whether what a change breaks was rewritten, or is left to a person for
// another reason.
func (r *renaming) rewrites(c drift.Change) bool {
	for _, values := range r.values {
		if c.Rule.Touch() == ruleid.TouchValueGone && values[string(c.Before)] != "" {
			return true
		}
	}
	return c.Rule.Renames() && !c.Possible
}

// asBefore holds the earlier generated packages, in place of the ones on disk. Those that
// are in another folder now are in both.
func asBefore(ctx context.Context, l *code.Loader, o Options) (map[string][]byte, error) {
	was := both(o.Before, o.After)
	return generated(ctx, l, o, was, placedAs(was, o.After))
}

// generated holds the packages of some sides, in place of the ones on disk.
func generated(ctx context.Context, l *code.Loader, o Options, sides ...generator.Options) (map[string][]byte, error) {
	base, err := filepath.Abs(cmp.Or(o.Dir, "."))
	if err != nil {
		return nil, err
	}
	overlay, folders := map[string][]byte{}, map[string]bool{}
	for _, side := range sides {
		made, err := generator.Generate(ctx, side)
		if err != nil {
			return nil, err
		}
		for _, f := range made.Files {
			// The shim and examples know no names.
			if path.Ext(f.Path) == ".go" && path.Dir(f.Path) != o.After.Output && !strings.HasSuffix(f.Path, "_test.go") {
				file := filepath.Join(base, filepath.FromSlash(f.Path))
				overlay[file], l.Ours[file] = f.Data, true
				folders[filepath.Dir(file)] = true
			}
		}
	}
	for dir := range folders {
		files, err := filepath.Glob(filepath.Join(dir, "*.go"))
		if err != nil {
			return nil, err
		}
		for _, file := range files {
			if overlay[file] == nil && l.IsGenerated(file) {
				overlay[file] = nothing()
			}
		}
	}
	return overlay, nil
}

// placedAs returns options for the same packages at the places of other.
func placedAs(o, other generator.Options) generator.Options {
	o.Output, o.ImportPath = other.Output, other.ImportPath
	o.Servers = slices.Clone(o.Servers)
	for i, s := range o.Servers {
		at := slices.IndexFunc(other.Servers, func(t generator.Server) bool { return t.Name == s.Name })
		o.Servers[i].Package = other.Servers[at].Package
	}
	return o
}

// edit replaces bytes of a file.
type edit struct {
	from, to int
	text     string
}

// rewriteAll rewrites all files, each once: a package and its tests share them. It also
// returns what is in use and may have another name, and what is left to a person.
func rewriteAll(l *code.Loader, units []*code.Unit, known *renaming) ([]rewrite, []offer, map[Problem]bool) {
	edits, maybe, left := map[string][]edit{}, map[offer]bool{}, map[Problem]bool{}
	for _, u := range units {
		for _, f := range u.Files {
			r := &rewriter{Unit: u, loader: l, known: known, maybe: maybe, left: left, pkg: u.Package[f]}
			r.file(f)
			file := u.Fset.PositionFor(f.Package, false).Filename
			edits[file] = append(edits[file], r.edits...)
		}
	}
	var out []rewrite
	for _, file := range slices.Sorted(maps.Keys(edits)) {
		data, err := os.ReadFile(file)
		if err != nil {
			l.Problem(file, 0, err.Error())
			continue
		}
		if after := apply(data, edits[file]); string(after) != string(data) {
			out = append(out, rewrite{Path: file, File: l.Relative(file), Before: data, After: after})
		}
	}
	byText := func(a, b offer) int { return cmp.Compare(a.String(), b.String()) }
	return out, slices.SortedFunc(maps.Keys(maybe), byText), left
}

// apply makes edits, and formats what was formatted before.
func apply(data []byte, edits []edit) []byte {
	slices.SortFunc(edits, func(a, b edit) int {
		return cmp.Or(cmp.Compare(a.from, b.from), cmp.Compare(a.to, b.to), cmp.Compare(a.text, b.text))
	})
	var out []byte
	at := 0
	for _, e := range slices.Compact(edits) {
		if e.from < at || e.to > len(data) {
			continue // another name for the same place
		}
		out = append(append(out, data[at:e.from]...), e.text...)
		at = e.to
	}
	out = append(out, data[at:]...)
	if was, err := format.Source(data); err == nil && string(was) == string(data) {
		if formatted, err := format.Source(out); err == nil {
			return formatted
		}
	}
	return out
}

// rewriter finds the names of one file.
type rewriter struct {
	*code.Unit
	loader *code.Loader
	known  *renaming
	maybe  map[offer]bool   // in use
	left   map[Problem]bool // what has to be renamed by hand
	pkg    *types.Package
	edits  []edit
}

func (r *rewriter) file(f *ast.File) {
	for _, spec := range f.Imports {
		r.imported(f, spec)
	}
	ast.PreorderStack(f, nil, func(n ast.Node, stack []ast.Node) bool {
		if id, ok := n.(*ast.Ident); ok {
			for _, obj := range []types.Object{r.Info.Uses[id], r.Info.Defs[id]} {
				if now := r.now(obj); now != "" && now != id.Name {
					r.rename(id, obj, now, stack[len(stack)-1])
					break
				}
			}
			r.missing(id, stack)
		}
		switch n := n.(type) {
		case *ast.CompositeLit:
			for field, value := range r.FieldValues(n) {
				r.reform(f, field, value)
			}
		case *ast.Ident:
			if value, ok := r.Assigned(n); ok && value != nil {
				if field, ok := r.Info.Uses[n].(*types.Var); ok {
					r.reform(f, field, value)
				}
			}
		}
		if e, ok := n.(ast.Expr); ok {
			r.value(e, stack[len(stack)-1])
		}
		return true
	})
}

// rename gives an identifier another name, unless that means something else there.
func (r *rewriter) rename(id *ast.Ident, obj types.Object, now string, parent ast.Node) {
	if r.taken(id, obj, now, parent) {
		r.byHand(id, now+" is something else here: rename "+id.Name+" by hand")
		return
	}
	r.replace(id, now)
}

// taken reports whether a name is found elsewhere than in a generated package where an
// identifier stands: beside a promoted field or method, as another method of a stand-in,
// or in a scope around a name of a dot import.
func (r *rewriter) taken(id *ast.Ident, obj types.Object, now string, parent ast.Node) bool {
	var recv types.Type
	sel, _ := parent.(*ast.SelectorExpr)
	f, isFunc := obj.(*types.Func)
	switch {
	case sel != nil && sel.Sel == id && r.Info.Selections[sel] != nil && len(r.Info.Selections[sel].Index()) > 1:
		recv = r.Info.Selections[sel].Recv()
	case isFunc && f.Signature().Recv() != nil && !r.loader.Paths[f.Pkg().Path()]:
		recv = f.Signature().Recv().Type()
	case sel == nil && obj.Parent() != nil && obj.Pkg() != r.pkg:
		_, other := r.pkg.Scope().Innermost(id.Pos()).LookupParent(now, id.Pos())
		return other != nil && r.now(other) == ""
	}
	if recv == nil {
		return false
	}
	other, _, _ := types.LookupFieldOrMethod(recv, true, r.pkg, now)
	return other != nil && r.now(other) == ""
}

func (r *rewriter) byHand(n ast.Node, reason string) {
	at := r.Fset.Position(n.Pos())
	r.left[Problem{File: r.loader.Relative(at.Filename), Line: at.Line, Reason: safetext.Line(reason)}] = true
}

// imported rewrites the import of a package that has another path. Where its new name
// means something else in the file, the old one stays, as the import's own.
func (r *rewriter) imported(f *ast.File, spec *ast.ImportSpec) {
	was, err := strconv.Unquote(spec.Path.Value)
	to, moved := r.known.packages[was]
	if err != nil || !moved {
		return
	}
	now, name := strconv.Quote(to.path), to.name
	pkg, _ := r.Info.Implicits[spec].(*types.PkgName)
	if pkg == nil || pkg.Name() == name { // the import names it, or it is called the same
		r.replace(spec.Path, now)
		return
	}
	taken := pkg.Pkg().Scope().Lookup(name) != nil
	var uses []*ast.Ident
	ast.Inspect(f, func(n ast.Node) bool {
		if id, ok := n.(*ast.Ident); ok {
			taken = taken || id.Name == name
			if r.Info.Uses[id] == pkg {
				uses = append(uses, id)
			}
		}
		return true
	})
	if taken {
		now, uses = pkg.Name()+" "+now, nil
	}
	r.replace(spec.Path, now)
	for _, id := range uses {
		r.replace(id, name)
	}
}

func (r *rewriter) replace(n ast.Node, text string) { r.between(n.Pos(), n.End(), text) }

func (r *rewriter) between(from, to token.Pos, text string) {
	at := r.Fset.PositionFor(from, false).Offset
	r.edits = append(r.edits, edit{at, at + int(to-from), text})
}

// now returns an object's new name; "" if it has none.
func (r *rewriter) now(obj types.Object) string {
	switch obj := obj.(type) {
	case *types.Var:
		if n := r.Field(obj); n.Path != "" {
			r.guess(n)
			return r.known.names[n]
		}
		if obj.Embedded() {
			return r.known.names[r.Written(obj.Type())]
		}
	case *types.Func:
		r.guess(r.Func(obj))
		now := r.known.names[r.Func(obj)]
		if sig := obj.Signature(); now == "" && sig.Variadic() && sig.Params().Len() == 3 {
			now = r.known.names[r.StandIn(obj)]
		}
		if now != "" && r.Fake(obj) != "" {
			return "On" + now
		}
		return now
	case *types.TypeName, *types.Const:
		n := r.Declared(obj)
		r.guess(n)
		return r.known.names[n]
	}
	return ""
}

// guess notes a name that may be another one now.
func (r *rewriter) guess(n name) {
	if o, ok := r.known.maybe[n]; ok {
		r.maybe[o] = true
	}
}

// value rewrites a literal that is a value of an enum. A constant of another type that is converted to
// the enum is left to a person: other code may use the constant for something else.
func (r *rewriter) value(e ast.Expr, parent ast.Node) {
	tv := r.Info.Types[e]
	if tv.Type == nil || tv.Value == nil {
		return
	}
	values := r.known.values[r.Type(tv.Type)]
	now, ok := values[jsonOf(tv.Value)]
	if sum, part := parent.(*ast.BinaryExpr); !ok || part && sum.Op == token.ADD {
		return
	}
	switch e := e.(type) {
	case *ast.BasicLit:
		var text string
		if json.Unmarshal([]byte(now), &text) == nil {
			r.replace(e, strconv.Quote(text))
		}
		return
	case *ast.Ident, *ast.SelectorExpr:
		if c, ok := r.Info.Uses[lastOf(e)].(*types.Const); !ok || types.Identical(c.Type(), tv.Type) {
			return
		}
	case *ast.CallExpr:
		if len(e.Args) != 1 || types.Identical(r.Info.TypeOf(e.Args[0]), tv.Type) {
			return
		}
	case *ast.BinaryExpr:
	default:
		return
	}
	r.byHand(e, fmt.Sprintf("rename the value %s to %s by hand", jsonOf(tv.Value), now))
}
