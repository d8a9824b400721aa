package code

// Loading of a module: first who imports what, then the types of those that depend on
// a generated package or may call an item by its name, and of no others.

import (
	"bufio"
	"bytes"
	"cmp"
	"context"
	"fmt"
	"go/ast"
	"go/scanner"
	"go/token"
	"go/types"
	"maps"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"golang.org/x/tools/go/packages"

	"github.com/mcpgen/mcpgen/generator"
	"github.com/mcpgen/mcpgen/internal/hint"
	"github.com/mcpgen/mcpgen/internal/safetext"
)

// Options configure the loading of a module.
type Options struct {
	// Dir is a folder of the module; "" is the working directory.
	Dir string
	// Root is the folder that file names are relative to; "" is Dir.
	Root string
	// Tags are build tags. Env is the environment of the go command; nil is that of
	// the process.
	Tags, Env []string
	// Progress is called with what is being done. Nil is nothing.
	Progress func(text string)
	// Paths are the import paths of the generated packages.
	Paths map[string]bool
	// Names are wire names of items. A package that imports the runtime counts, too, if
	// one of them stands in its files.
	Names []string
}

// Problem is the reason why a part of the module was not fully searched.
type Problem struct {
	File   string // relative to Root, with slashes; "" if it is about no file
	Line   int    // 0 if it is about no line
	Reason string // one printable line
}

// Loader loads packages of one module, and of the others in its workspace, for one system
// and with one set of tags.
type Loader struct {
	Options
	// Overlay are files that are read in place of those on disk, by name; Ours says of
	// files by name whether they are generated, where that is known before they are read.
	Overlay map[string][]byte
	Ours    map[string]bool
	// Unsearched are the identifiers of files that could not be searched, or not
	// wholly: a name that is not among them is not used there.
	Unsearched map[string]bool

	rewrites bool        // loading would change go.mod, if it were allowed to
	noCache  bool        // the go command has no module cache, and then refuses an overlay
	sizes    types.Sizes // of the platform; nil if it is unknown
	problems map[Problem]bool
	texts    map[string][]string // files that lines were asked of, by their names in reports
	checker  *checker            // of what was loaded
	depends  func(p *packages.Package) bool
	loaded   []*packages.Package // what load returned
	leftOut  map[string]bool     // files that build constraints leave out, and that import a generated package
}

// New returns a loader that has loaded nothing. The error is that of the working
// directory.
func New(o Options) (*Loader, error) {
	dir, err := filepath.Abs(cmp.Or(o.Dir, "."))
	if err != nil {
		return nil, err
	}
	if o.Root, err = filepath.Abs(cmp.Or(o.Root, o.Dir, ".")); err != nil {
		return nil, err
	}
	o.Dir = moduleOf(dir)
	if o.Env == nil {
		o.Env = os.Environ()
	}
	return &Loader{Options: o, Ours: map[string]bool{}, Unsearched: map[string]bool{}, problems: map[Problem]bool{}, texts: map[string][]string{}, leftOut: map[string]bool{}}, nil
}

// Say reports the current activity to Progress.
func (l *Loader) Say(text string) {
	if l.Progress != nil {
		l.Progress(text)
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

func (l *Loader) config(ctx context.Context, mode packages.LoadMode) *packages.Config {
	c := &packages.Config{Context: ctx, Dir: l.Dir, Env: l.Env, Mode: mode, Tests: true, Fset: token.NewFileSet(), Overlay: l.Overlay}
	if len(l.Tags) > 0 {
		c.BuildFlags = []string{"-tags=" + strings.Join(l.Tags, ",")}
	}
	if l.rewrites {
		c.BuildFlags = append(c.BuildFlags, "-mod=readonly")
	}
	return c
}

// askGo asks the go command how it is set up here. It sets sizes, noCache, and rewrites: whether go.mod and
// go.sum are brought up to date whenever packages are loaded. It returns the folders of the other modules that the
// go.work of this module uses; nil if there is none.
func (l *Loader) askGo(ctx context.Context) (others []string) {
	set := l.ask(ctx, "env", "GOFLAGS", "GOARCH", "GOWORK", "GOMODCACHE")
	l.rewrites = slices.ContainsFunc(strings.Fields(set[0]), func(f string) bool {
		return strings.Trim(strings.TrimLeft(f, `-'"`), `'"`) == "mod=mod"
	})
	if len(set) < 4 {
		return nil
	}
	l.sizes, l.noCache = types.SizesFor("gc", set[1]), set[3] == ""
	if set[2] == "" || set[2] == "off" {
		return nil
	}
	all := l.ask(ctx, "list", "-m", "-f", "{{.Dir}}")
	own, err := os.Stat(l.Dir)
	others = slices.DeleteFunc(slices.Clone(all), func(dir string) bool {
		info, statErr := os.Stat(dir)
		return err != nil || statErr != nil || os.SameFile(own, info)
	})
	if len(others) == len(all) { // the workspace does not use this module
		return nil
	}
	return others
}

// ask returns the lines that the go command prints.
func (l *Loader) ask(ctx context.Context, args ...string) []string {
	cmd := exec.CommandContext(ctx, "go", args...)
	cmd.Dir, cmd.Env = l.Dir, l.Env
	out, _ := cmd.Output() // an error of the go command comes back from listing the packages
	return strings.Split(strings.TrimSuffix(string(out), "\n"), "\n")
}

// Missing returns the import paths that neither this module nor one that it requires has.
func (l *Loader) Missing(ctx context.Context, paths ...string) []string {
	if len(paths) == 0 {
		return nil
	}
	out := l.ask(ctx, append([]string{"list", "-e", "-find", "-f", "{{if not .Dir}}{{.ImportPath}}{{end}}", "--"}, paths...)...)
	return slices.DeleteFunc(out, func(path string) bool { return path == "" })
}

// load returns the packages of the module that depend on generated ones and have
// files that are not generated, with their types; packages of the paths in also are
// only listed. Nothing is compiled: see [checker].
func (l *Loader) load(ctx context.Context, also ...string) ([]*packages.Package, error) {
	l.Say("listing the packages of the module")
	others := l.askGo(ctx)
	if l.noCache && len(l.Overlay) > 0 {
		return nil, hint.With(fmt.Errorf("%s: the go command has no module cache", l.Dir), "set HOME, GOPATH or GOMODCACHE")
	}
	patterns := []string{"./..."}
	for _, dir := range others {
		patterns = append(patterns, filepath.Join(dir, "..."))
	}
	const mode = packages.NeedName | packages.NeedFiles | packages.NeedImports | packages.NeedDeps | packages.NeedModule // NeedTypesSizes runs cgo
	all, err := packages.Load(l.config(ctx, mode), append(patterns, also...)...)
	if err = cmp.Or(ctx.Err(), err); err != nil {
		return nil, fmt.Errorf("%s: the packages of the module cannot be listed: %w", l.Dir, err)
	}
	wanted := l.dependents(all, append([]string{l.Dir}, others...))
	if len(wanted) == 0 {
		return nil, nil
	}
	extra := slices.DeleteFunc(slices.Clone(all), func(p *packages.Package) bool { return !slices.Contains(also, p.PkgPath) })
	l.checker = newChecker(ctx, wanted, extra, l.sizes, l.Overlay)
	l.Say("reading what uses the generated packages: " + strconv.Itoa(len(l.checker.order)) + " packages")
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

// dependents returns the packages to search, with their tests.
func (l *Loader) dependents(all []*packages.Package, dirs []string) []*packages.Package {
	l.depends = dependsOn(l.isOurs)
	l.excluded(all, dirs)
	var own []string // import paths
	for _, p := range all {
		if l.wants(p) || len(p.Imports) == 0 { // else it cannot use our code
			for _, e := range p.Errors {
				l.failed(p, e)
			}
		}
		path := strings.TrimSuffix(p.PkgPath, "_test")
		if !strings.HasSuffix(p.ID, ".test") && l.wants(p) && l.hasOwn(p) && !slices.Contains(own, path) {
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

// wants reports whether a package depends on a generated one, may call an item by its
// name, or has a host that may hand out tools.
func (l *Loader) wants(p *packages.Package) bool {
	if l.depends(p) {
		return true
	}
	if p.Module == nil || !p.Module.Main || isOfRuntime(p.PkgPath) {
		return false
	}
	of := false
	for path := range p.Imports {
		if path == RuntimePath+"/live" || forModels(path) { // they may hand out tools
			return true
		}
		of = of || isOfRuntime(path)
	}
	return of && slices.ContainsFunc(p.GoFiles, l.mentions)
}

// isOfRuntime reports whether an import path belongs to the runtime.
func isOfRuntime(path string) bool {
	return path == RuntimePath || strings.HasPrefix(path, RuntimePath+"/")
}

// content returns a file's content, from the overlay if that has the file.
func (l *Loader) content(file string) ([]byte, error) {
	if data, ok := l.Overlay[file]; ok {
		return data, nil
	}
	return os.ReadFile(file)
}

// mentions reports whether one of the names ends a text in a file.
func (l *Loader) mentions(file string) bool {
	data, _ := l.content(file) // an unreadable file is reported separately
	return slices.ContainsFunc(l.Names, func(name string) bool {
		return bytes.Contains(data, []byte(name+`"`)) || bytes.Contains(data, []byte(name+"`"))
	})
}

// dependsOn returns whether a package has one of some paths, or depends on one.
func dependsOn(has func(path string) bool) func(p *packages.Package) bool {
	known := map[*packages.Package]bool{}
	var depends func(p *packages.Package) bool
	depends = func(p *packages.Package) bool {
		if yes, ok := known[p]; ok {
			return yes
		}
		known[p] = has(p.PkgPath)
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
func (l *Loader) hasOwn(p *packages.Package) bool {
	return slices.ContainsFunc(p.GoFiles, func(name string) bool { return !l.IsGenerated(name) })
}

// IsGenerated reports whether mcpgen wrote a file.
func (l *Loader) IsGenerated(name string) bool {
	yes, ok := l.Ours[name]
	if !ok {
		if data, overlaid := l.Overlay[name]; overlaid {
			line, _, _ := bytes.Cut(data, []byte("\n"))
			yes = string(bytes.TrimRight(line, "\r")) == generator.Header
		} else {
			yes = firstLine(name) == generator.Header
		}
		l.Ours[name] = yes
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

// identifiers collects the identifiers of files, even of broken ones.
func (l *Loader) identifiers(names ...string) {
	for _, name := range names {
		data, err := l.content(name)
		if err != nil {
			continue // it is reported separately
		}
		var s scanner.Scanner
		s.Init(token.NewFileSet().AddFile(name, -1, len(data)), data, func(token.Position, string) {}, 0)
		for {
			_, tok, text := s.Scan()
			if tok == token.EOF {
				break
			}
			if tok == token.IDENT {
				l.Unsearched[text] = true
			}
		}
	}
}

func (l *Loader) importsOurs(spec *ast.ImportSpec) bool {
	path, err := strconv.Unquote(spec.Path.Value)
	return err == nil && l.isOurs(path)
}

// isOurs reports whether an import path is that of a generated package or of its fake. The fake of a
// removed server depends on nothing.
func (l *Loader) isOurs(name string) bool {
	of := path.Dir(name)
	return l.Paths[name] || l.Paths[of] && path.Base(name) == path.Base(of)+"test"
}

func (l *Loader) failed(p *packages.Package, e packages.Error) {
	if strings.HasPrefix(e.Msg, "# ") {
		return // the compiler's words: the type checker says the same with its position
	}
	name, line, _ := Position(e.Pos)
	if name == "" {
		name = p.ID
		if len(p.GoFiles) > 0 {
			name = p.GoFiles[0]
		}
		line = 0
	}
	l.Problem(name, line, e.Msg)
}

// Position takes file:line:column apart. The numbers are 0 if there are none.
func Position(pos string) (name string, line, column int) {
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

// Problem notes why a place was not looked at. Of the reason the first line counts.
func (l *Loader) Problem(name string, line int, reason string) {
	reason, _, _ = strings.Cut(strings.TrimSpace(reason), "\n")
	l.problems[Problem{File: l.Relative(name), Line: line, Reason: safetext.Line(reason)}] = true
}

// Relative is a file as reports name it.
func (l *Loader) Relative(name string) string {
	if !filepath.IsAbs(name) {
		return filepath.ToSlash(name)
	}
	rel, err := filepath.Rel(l.Root, name)
	if err != nil {
		return filepath.ToSlash(name)
	}
	return filepath.ToSlash(rel)
}

// maxSource bounds a line as it is shown, in characters.
const maxSource = 200

// Line is a line of a file as it may be shown, "" if it cannot be read.
func (l *Loader) Line(file string, line int) string {
	lines, ok := l.texts[file]
	if !ok {
		path := filepath.FromSlash(file)
		if !filepath.IsAbs(path) {
			path = filepath.Join(l.Root, path)
		}
		if data, err := l.content(path); err == nil {
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

// Problems returns what was noted, in order of position.
func (l *Loader) Problems() []Problem { return slices.SortedFunc(maps.Keys(l.problems), ByPlace) }

// ByPlace orders problems by position.
func ByPlace(a, b Problem) int {
	return cmp.Or(cmp.Compare(a.File, b.File), cmp.Compare(a.Line, b.Line), cmp.Compare(a.Reason, b.Reason))
}
