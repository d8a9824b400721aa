package impact

// Loading of the module: first who imports what, then the types of those that
// depend on a generated package, and of no others.

import (
	"bufio"
	"cmp"
	"context"
	"fmt"
	"go/ast"
	"go/parser"
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
	l := &loader{dir: moduleOf(dir), root: root, tags: o.Tags, env: o.Env, paths: paths, ours: map[string]bool{}, problems: map[Problem]bool{}, texts: map[string][]string{}}
	if l.env == nil {
		l.env = os.Environ()
	}
	return l, nil
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
// files that are not generated, with their types.
func (l *loader) load(ctx context.Context) ([]*packages.Package, error) {
	l.rewrites = rewrites(ctx, l.dir, l.env)
	all, err := packages.Load(l.config(ctx, packages.NeedName|packages.NeedFiles|packages.NeedImports), "./...")
	if err = cmp.Or(ctx.Err(), err); err != nil {
		return nil, fmt.Errorf("%s: the packages of the module cannot be listed: %w", l.dir, err)
	}
	wanted := l.dependents(all)
	if len(wanted) == 0 {
		return nil, nil
	}
	const types = packages.NeedName | packages.NeedFiles | packages.NeedCompiledGoFiles | packages.NeedImports |
		packages.NeedTypes | packages.NeedTypesSizes | packages.NeedSyntax | packages.NeedTypesInfo
	loaded, err := packages.Load(l.config(ctx, types), wanted...)
	if err = cmp.Or(ctx.Err(), err); err != nil {
		return nil, fmt.Errorf("%s: the packages of the module cannot be loaded: %w", l.dir, err)
	}
	for _, p := range loaded {
		for _, e := range p.Errors {
			l.failed(p, e)
		}
	}
	return loaded, nil
}

// dependents returns the import paths to load.
func (l *loader) dependents(all []*packages.Package) []string {
	known := map[*packages.Package]bool{}
	var depends func(p *packages.Package) bool
	depends = func(p *packages.Package) bool {
		if yes, ok := known[p]; ok {
			return yes
		}
		known[p] = l.paths[p.PkgPath]
		for _, imported := range p.Imports {
			if depends(imported) {
				known[p] = true
			}
		}
		return known[p]
	}
	var out []string
	for _, p := range all {
		if depends(p) || len(p.Imports) == 0 { // else it cannot use our code
			for _, e := range p.Errors {
				l.failed(p, e)
			}
		}
		l.excluded(p)
		path := strings.TrimSuffix(p.PkgPath, "_test")
		if !strings.HasSuffix(p.ID, ".test") && depends(p) && l.hasOwn(p) && !slices.Contains(out, path) {
			out = append(out, path)
		}
	}
	slices.Sort(out)
	return out
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

// excluded names the files that build constraints leave out and that import a
// generated package.
func (l *loader) excluded(p *packages.Package) {
	for _, name := range p.IgnoredFiles {
		if filepath.Ext(name) != ".go" || l.generated(name) {
			continue
		}
		f, err := parser.ParseFile(token.NewFileSet(), name, nil, parser.ImportsOnly)
		if f == nil || err != nil && f.Name == nil {
			continue
		}
		if slices.ContainsFunc(f.Imports, l.importsOurs) {
			l.problem(name, 0, "not looked at: build constraints leave it out; name its tags, or look at it by hand")
		}
	}
}

func (l *loader) importsOurs(spec *ast.ImportSpec) bool {
	path, err := strconv.Unquote(spec.Path.Value)
	return err == nil && l.paths[path]
}

// failed notes an error of loading.
func (l *loader) failed(p *packages.Package, e packages.Error) {
	if strings.HasPrefix(e.Msg, "# ") {
		return // the compiler's words: the type checker says the same with its position
	}
	name, line := splitPosition(e.Pos)
	if name == "" {
		name = p.ID
		if len(p.GoFiles) > 0 {
			name = p.GoFiles[0]
		}
		line = 0
	}
	l.problem(name, line, e.Msg)
}

// splitPosition takes file:line:column apart.
func splitPosition(pos string) (string, int) {
	name, rest := pos, ""
	for range 2 {
		i := strings.LastIndexByte(name, ':')
		if i < 0 {
			break
		}
		n, err := strconv.Atoi(name[i+1:])
		if err != nil {
			break
		}
		name, rest = name[:i], strconv.Itoa(n)
	}
	if name == "-" {
		return "", 0
	}
	line, err := strconv.Atoi(rest)
	if err != nil {
		return name, 0
	}
	return name, line
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
