package impact

// Loading of the module: first who imports what, then the types of those that
// depend on a generated package, and of no others.

import (
	"bufio"
	"cmp"
	"context"
	"fmt"
	"go/ast"
	"go/scanner"
	"go/token"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"golang.org/x/tools/go/packages"

	"github.com/mcpgen/mcpgen/generator"
	"github.com/mcpgen/mcpgen/internal/safetext"
)

// loader loads packages of one module.
type loader struct {
	dir      string // of the module
	root     string // what files are relative to
	tags     []string
	env      []string
	rewrites bool              // loading would change go.mod, if it were allowed to
	overlay  map[string][]byte // files that are read in place of those on disk
	paths    map[string]bool   // of the generated packages
	ours     map[string]bool   // files that are generated, by name
	problems map[Problem]bool
	texts    map[string][]string // files that lines were asked of, by their names in reports
	progress func(text string)   // nil shows nothing
	checker  *checker            // of what was loaded
	depends  func(p *packages.Package) bool
	loaded   []*packages.Package // what load returned
	leftOut  map[string]bool     // files that build constraints leave out, and that import a generated package
	// unsearched are the identifiers of files that could not be searched, or not
	// wholly: a name that is not among them is not used there.
	unsearched map[string]bool
}

func newLoader(o Options, paths map[string]bool) (*loader, error) {
	dir, err := filepath.Abs(cmp.Or(o.Dir, "."))
	if err != nil {
		return nil, err
	}
	root, err := filepath.Abs(cmp.Or(o.Root, o.Dir, "."))
	if err != nil {
		return nil, err
	}
	l := &loader{dir: moduleOf(dir), root: root, tags: o.Tags, env: o.Env, paths: paths, ours: map[string]bool{}, problems: map[Problem]bool{}, texts: map[string][]string{}, progress: o.Progress, leftOut: map[string]bool{}, unsearched: map[string]bool{}}
	if l.env == nil {
		l.env = os.Environ()
	}
	return l, nil
}

// say tells what is being done.
func (l *loader) say(text string) {
	if l.progress != nil {
		l.progress(text)
	}
}

// moduleOf is the folder of the go.mod above dir, or dir.
func moduleOf(dir string) string {
	for at := dir; ; {
		if _, err := os.Stat(filepath.Join(at, "go.mod")); err == nil {
			return at
		}
		up := filepath.Dir(at)
		if up == at {
			return dir
		}
		at = up
	}
}

func (l *loader) config(ctx context.Context, mode packages.LoadMode) *packages.Config {
	c := &packages.Config{Context: ctx, Dir: l.dir, Env: l.env, Mode: mode, Tests: true, Fset: token.NewFileSet(), Overlay: l.overlay}
	if len(l.tags) > 0 {
		c.BuildFlags = []string{"-tags=" + strings.Join(l.tags, ",")}
	}
	if l.rewrites {
		c.BuildFlags = append(c.BuildFlags, "-mod=readonly")
	}
	return c
}

// rewrites reports whether the go command, as it is set up here, brings go.mod and
// go.sum up to date whenever it loads packages.
func rewrites(ctx context.Context, dir string, env []string) bool {
	cmd := exec.CommandContext(ctx, "go", "env", "GOFLAGS")
	cmd.Dir, cmd.Env = dir, env
	flags, err := cmd.Output()
	return err == nil && slices.ContainsFunc(strings.Fields(string(flags)), func(f string) bool {
		return strings.Trim(strings.TrimLeft(f, `-'"`), `'"`) == "mod=mod"
	})
}

// load returns the packages of the module that depend on generated ones and have
// files that are not generated, with their types; packages of the paths in also are
// only listed. Nothing is compiled: see [checker].
func (l *loader) load(ctx context.Context, also ...string) ([]*packages.Package, error) {
	l.say("listing the packages of the module")
	l.rewrites = rewrites(ctx, l.dir, l.env)
	const mode = packages.NeedName | packages.NeedFiles | packages.NeedImports | packages.NeedDeps | packages.NeedModule | packages.NeedTypesSizes
	all, err := packages.Load(l.config(ctx, mode), append([]string{"./..."}, also...)...)
	if err = cmp.Or(ctx.Err(), err); err != nil {
		return nil, fmt.Errorf("%s: the packages of the module cannot be listed: %w", l.dir, err)
	}
	wanted := l.dependents(all)
	if len(wanted) == 0 {
		return nil, nil
	}
	l.checker = newChecker(wanted, l.overlay)
	l.say("reading what uses the generated packages: " + strconv.Itoa(len(l.checker.order)) + " packages")
	if err := l.checker.run(ctx); err != nil {
		return nil, err
	}
	for _, p := range wanted {
		done := l.checker.done[p.ID]
		p.Fset, p.Syntax, p.Types, p.TypesInfo = l.checker.fset, done.files, done.types, done.info
		for _, e := range done.errors {
			p.Errors = append(p.Errors, e)
			l.failed(p, e)
		}
		if len(p.Errors) > 0 {
			l.identifiers(p.GoFiles...)
		}
	}
	return wanted, nil
}

// dependents returns the packages to look at, with their tests.
func (l *loader) dependents(all []*packages.Package) []*packages.Package {
	l.depends = dependsOn(l.paths)
	l.excluded(all)
	var own []string // import paths
	for _, p := range all {
		if l.depends(p) || len(p.Imports) == 0 { // else it cannot use our code
			for _, e := range p.Errors {
				l.failed(p, e)
			}
		}
		path := strings.TrimSuffix(p.PkgPath, "_test")
		if !strings.HasSuffix(p.ID, ".test") && l.depends(p) && l.hasOwn(p) && !slices.Contains(own, path) {
			own = append(own, path)
		}
	}
	var out []*packages.Package
	for _, p := range all {
		if !strings.HasSuffix(p.ID, ".test") && slices.Contains(own, strings.TrimSuffix(p.PkgPath, "_test")) {
			out = append(out, p)
		}
	}
	slices.SortFunc(out, func(a, b *packages.Package) int { return strings.Compare(a.ID, b.ID) })
	return out
}

// dependsOn returns whether a package is one of those with a path, or depends on one.
func dependsOn(paths map[string]bool) func(p *packages.Package) bool {
	known := map[*packages.Package]bool{}
	var depends func(p *packages.Package) bool
	depends = func(p *packages.Package) bool {
		if yes, ok := known[p]; ok {
			return yes
		}
		known[p] = paths[p.PkgPath]
		for _, imported := range p.Imports {
			if depends(imported) {
				known[p] = true
			}
		}
		return known[p]
	}
	return depends
}

// hasOwn reports whether a package has a file that is not generated.
func (l *loader) hasOwn(p *packages.Package) bool {
	return slices.ContainsFunc(p.GoFiles, func(name string) bool { return !l.generated(name) })
}

// generated reports whether a file is one of ours.
func (l *loader) generated(name string) bool {
	yes, ok := l.ours[name]
	if !ok {
		yes = firstLine(name) == generator.Header
		l.ours[name] = yes
	}
	return yes
}

func firstLine(name string) string {
	f, err := os.Open(name)
	if err != nil {
		return ""
	}
	defer f.Close()
	line, _ := bufio.NewReaderSize(f, 256).ReadString('\n')
	return strings.TrimRight(line, "\r\n")
}

// identifiers notes what stands in files, however broken they are.
func (l *loader) identifiers(names ...string) {
	for _, name := range names {
		data, err := os.ReadFile(name)
		if err != nil {
			continue // it is a problem of its own
		}
		var s scanner.Scanner
		s.Init(token.NewFileSet().AddFile(name, -1, len(data)), data, func(token.Position, string) {}, 0)
		for {
			_, tok, text := s.Scan()
			if tok == token.EOF {
				break
			}
			if tok == token.IDENT {
				l.unsearched[text] = true
			}
		}
	}
}

func (l *loader) importsOurs(spec *ast.ImportSpec) bool {
	path, err := strconv.Unquote(spec.Path.Value)
	return err == nil && l.paths[path]
}

func (l *loader) failed(p *packages.Package, e packages.Error) {
	if strings.HasPrefix(e.Msg, "# ") {
		return // the compiler's words: the type checker says the same with its position
	}
	name, line, _ := position(e.Pos)
	if name == "" {
		name = p.ID
		if len(p.GoFiles) > 0 {
			name = p.GoFiles[0]
		}
		line = 0
	}
	l.problem(name, line, e.Msg)
}

// position takes file:line:column apart.
func position(pos string) (name string, line, column int) {
	var numbers []int
	name = pos
	for range 2 {
		i := strings.LastIndexByte(name, ':')
		if i < 0 {
			break
		}
		n, err := strconv.Atoi(name[i+1:])
		if err != nil {
			break
		}
		name, numbers = name[:i], append(numbers, n)
	}
	if name == "-" {
		return "", 0, 0
	}
	slices.Reverse(numbers)
	numbers = append(numbers, 0, 0)
	return name, numbers[0], numbers[1]
}

func (l *loader) problem(name string, line int, reason string) {
	reason, _, _ = strings.Cut(strings.TrimSpace(reason), "\n")
	l.problems[Problem{File: l.relative(name), Line: line, Reason: safetext.Line(reason)}] = true
}

// relative is a file as reports name it.
func (l *loader) relative(name string) string {
	if !filepath.IsAbs(name) {
		return filepath.ToSlash(name)
	}
	rel, err := filepath.Rel(l.root, name)
	if err != nil {
		return filepath.ToSlash(name)
	}
	return filepath.ToSlash(rel)
}

// maxSource bounds a line as it is shown, in characters.
const maxSource = 200

// source is a line of a file as it may be shown, "" if it cannot be read.
func (l *loader) source(file string, line int) string {
	lines, ok := l.texts[file]
	if !ok {
		path := filepath.FromSlash(file)
		if !filepath.IsAbs(path) {
			path = filepath.Join(l.root, path)
		}
		if data, err := os.ReadFile(path); err == nil {
			lines = strings.Split(string(data), "\n")
		}
		l.texts[file] = lines
	}
	if line < 1 || line > len(lines) {
		return ""
	}
	text := []rune(safetext.Line(strings.TrimSpace(lines[line-1])))
	if len(text) > maxSource {
		return string(text[:maxSource-1]) + "…"
	}
	return string(text)
}

// sorted returns the problems in order of position.
func (l *loader) sorted() []Problem {
	var out []Problem
	for p := range l.problems {
		out = append(out, p)
	}
	slices.SortFunc(out, func(a, b Problem) int {
		return cmp.Or(cmp.Compare(a.File, b.File), cmp.Compare(a.Line, b.Line), cmp.Compare(a.Reason, b.Reason))
	})
	return out
}
