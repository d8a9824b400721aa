package code

// Files that build constraints leave out: the module is read once more for a system and
// with tags that take them in.

import (
	"bytes"
	"context"
	"go/ast"
	"go/build"
	"go/build/constraint"
	"go/parser"
	"go/token"
	"io"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"golang.org/x/tools/go/packages"
)

// target is a platform and build tags.
type target struct {
	os, arch, tags string // the tags separated by commas
	cgo            bool
}

// maxTargets bounds how often the module is read because of files that are left out.
const maxTargets = 8

// LoadAll loads the packages of the module as they are built here, and as they are built
// where files belong that are left out here. Those are the loaders behind l, and their
// problems are those of such files, noted in l. Packages of the paths in also are only
// listed. The error is that nothing could be loaded, or that of ctx.
func (l *Loader) LoadAll(ctx context.Context, also ...string) ([]*Loader, error) {
	var err error
	if l.loaded, err = l.load(ctx, also...); err != nil {
		return nil, err
	}
	skip := func(name string) {
		l.Problem(name, 0, "not looked at: build constraints leave it out; look at it by hand")
		l.identifiers(name)
	}
	out := []*Loader{l}
	files := map[target][]string{}
	for _, name := range slices.Sorted(maps.Keys(l.leftOut)) {
		t, ok := l.targetOf(name)
		if _, known := files[t]; ok && (known || len(files) < maxTargets) {
			files[t] = append(files[t], name)
			continue
		}
		skip(name)
	}
	for t, names := range files {
		other, err := New(t.options(l.Options))
		if err != nil {
			return nil, err
		}
		other.Overlay, other.Ours = l.Overlay, l.Ours
		if other.loaded, err = other.load(ctx, also...); err != nil {
			return nil, err
		}
		for _, name := range names {
			if other.leftOut[name] {
				skip(name)
			}
		}
		for p := range other.problems {
			if slices.ContainsFunc(names, func(name string) bool { return l.Relative(name) == p.File }) {
				l.problems[p] = true
			}
		}
		maps.Copy(l.Unsearched, other.Unsearched)
		out = append(out, other)
	}
	return out, nil
}

func (t target) options(o Options) Options {
	o.Progress = nil
	o.Env = append(slices.Clone(o.Env), "GOOS="+t.os, "GOARCH="+t.arch)
	if t.cgo {
		o.Env = append(o.Env, "CGO_ENABLED=1")
	}
	o.Tags = strings.FieldsFunc(t.tags, func(r rune) bool { return r == ',' })
	return o
}

// targets are systems and processors, the usual ones first.
func targets() [][2]string {
	return [][2]string{
		{build.Default.GOOS, build.Default.GOARCH},
		{"linux", "amd64"}, {"windows", "amd64"}, {"darwin", "arm64"}, {"linux", "arm64"}, {"windows", "arm64"}, {"darwin", "amd64"},
		{"freebsd", "amd64"}, {"openbsd", "amd64"}, {"netbsd", "amd64"}, {"js", "wasm"}, {"wasip1", "wasm"}, {"android", "arm64"},
		{"ios", "arm64"}, {"solaris", "amd64"}, {"plan9", "amd64"}, {"aix", "ppc64"}, {"linux", "386"}, {"linux", "arm"},
	}
}

// targetOf finds what a file that is left out is built for. A file that is not part of any
// build, by the tag ignore, has none.
func (l *Loader) targetOf(name string) (target, bool) {
	data, err := l.content(name)
	if err != nil {
		return target{}, false
	}
	f, err := parser.ParseFile(token.NewFileSet(), name, data, parser.ImportsOnly|parser.ParseComments)
	if err != nil {
		return target{}, false
	}
	more := tagsOf(f)
	cgo := slices.Contains(more, "cgo") || slices.ContainsFunc(f.Imports, func(s *ast.ImportSpec) bool { return s.Path.Value == `"C"` })
	more = slices.DeleteFunc(more, reserved)
	for _, with := range [][]string{l.Tags, slices.Compact(slices.Sorted(slices.Values(append(slices.Clone(l.Tags), more...))))} {
		for _, t := range targets() {
			c := build.Default
			c.GOOS, c.GOARCH, c.BuildTags, c.CgoEnabled = t[0], t[1], with, cgo
			c.OpenFile = func(string) (io.ReadCloser, error) { return io.NopCloser(bytes.NewReader(data)), nil }
			if ok, err := c.MatchFile(filepath.Dir(name), filepath.Base(name)); ok && err == nil {
				return target{t[0], t[1], strings.Join(with, ","), cgo}, true
			}
		}
	}
	return target{}, false
}

// tagsOf returns the tags in the build constraint of a file.
func tagsOf(f *ast.File) []string {
	var out []string
	for _, group := range f.Comments {
		for _, c := range group.List {
			if c.Pos() > f.Package || !constraint.IsGoBuild(c.Text) {
				continue
			}
			if expr, err := constraint.Parse(c.Text); err == nil {
				expr.Eval(func(tag string) bool { out = append(out, tag); return false })
			}
		}
	}
	return out
}

// reserved reports whether a tag is not one to be set.
func reserved(tag string) bool {
	return slices.Contains([]string{"ignore", "cgo", "unix", "gc", "gccgo"}, tag) || strings.HasPrefix(tag, "go1.") ||
		slices.ContainsFunc(targets(), func(t [2]string) bool { return t[0] == tag || t[1] == tag })
}

// excluded notes the files that build constraints leave out and that import a generated
// package. The files are in listed packages, or in folders of modules without a listed package.
func (l *Loader) excluded(all []*packages.Package, dirs []string) {
	listed := map[string]bool{} // folders
	for _, p := range all {
		for _, name := range append(slices.Clone(p.GoFiles), p.IgnoredFiles...) {
			listed[filepath.Dir(name)] = true
		}
		for _, name := range p.IgnoredFiles {
			l.leaveOut(name)
		}
	}
	alone := func(name string) {
		if !listed[filepath.Dir(name)] {
			l.leaveOut(name)
		}
	}
	goFiles(dirs, alone)
	for name := range l.Overlay { // some are not on disk
		alone(name)
	}
}

// goFiles calls f for the Go files of the modules in dirs, in all folders that the go command looks into. It
// skips what cannot be read.
func goFiles(dirs []string, f func(name string)) {
	visit := func(name string, d fs.DirEntry, err error) error {
		switch base := filepath.Base(name); {
		case err != nil:
			return nil
		case d.IsDir() && slices.Contains(dirs, name):
		case strings.HasPrefix(base, ".") || strings.HasPrefix(base, "_") || d.IsDir() && (base == "testdata" || base == "vendor" || base == "node_modules"):
			if d.IsDir() {
				return fs.SkipDir
			}
		case !d.IsDir():
			if filepath.Ext(name) == ".go" {
				f(name)
			}
		default:
			if _, err := os.Lstat(filepath.Join(name, "go.mod")); err == nil {
				return fs.SkipDir
			}
		}
		return nil
	}
	for _, dir := range dirs {
		_ = filepath.WalkDir(dir, visit)
	}
}

// Importers returns the lines of the module, and of the others in its workspace, that import
// one of the Paths or the fake of one, sorted. It reads all files that are not generated.
func (l *Loader) Importers(ctx context.Context) []Problem {
	l.EachImport(ctx, func(name string, line int, path string) {
		if l.isOurs(path) {
			l.Problem(name, line, "imports "+strconv.Quote(path))
		}
	})
	return l.Problems()
}

// EachImport calls f for each import of the module, and of the others in its workspace. It reads all files that are
// not generated.
func (l *Loader) EachImport(ctx context.Context, f func(file string, line int, path string)) {
	goFiles(append([]string{l.Dir}, l.askGo(ctx)...), func(name string) {
		fset := token.NewFileSet()
		file, _ := parser.ParseFile(fset, name, nil, parser.ImportsOnly)
		if file == nil || l.IsGenerated(name) {
			return
		}
		for _, spec := range file.Imports {
			if path, err := strconv.Unquote(spec.Path.Value); err == nil {
				f(name, fset.Position(spec.Pos()).Line, path)
			}
		}
	})
}

func (l *Loader) leaveOut(name string) {
	if filepath.Ext(name) != ".go" || strings.HasPrefix(filepath.Base(name), ".") || strings.HasPrefix(filepath.Base(name), "_") || l.IsGenerated(name) {
		return
	}
	data, err := l.content(name)
	if err != nil {
		return
	}
	f, err := parser.ParseFile(token.NewFileSet(), name, data, parser.ImportsOnly)
	if f == nil || err != nil && f.Name == nil {
		return
	}
	calls := slices.ContainsFunc(f.Imports, func(s *ast.ImportSpec) bool { return isOfRuntime(strings.Trim(s.Path.Value, "`\"")) }) && l.mentions(name)
	if calls || slices.ContainsFunc(f.Imports, l.importsOurs) {
		l.leftOut[name] = true
	}
}
