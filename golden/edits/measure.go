package main

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"go/ast"
	"go/importer"
	"go/parser"
	"go/token"
	"go/types"
	"io"
	"maps"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"reflect"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/mcpgen/mcpgen/generator"
	"github.com/mcpgen/mcpgen/golden/project"
	"github.com/mcpgen/mcpgen/schema"
	"github.com/mcpgen/mcpgen/schema/lockfile"
)

// outcome is what an edit does to generated code.
type outcome struct {
	edit
	listing, code int      // lines that changed
	broken        []string // uses that stop compiling though what they use is still there
	renamed       []string // names that are new though nothing was added
}

// ratio is how many lines of code change for one of the listing.
func (o outcome) ratio() float64 { return float64(o.code) / float64(max(1, o.listing)) }

// meter measures edits.
type meter struct {
	fset     *token.FileSet
	importer types.Importer
}

const importPath = "example.com/app/mcp"

// newMeter finds what generated packages import.
func newMeter(ctx context.Context) (*meter, error) {
	const module = "github.com/mcpgen/mcpgen/runtime"
	out, err := exec.CommandContext(ctx, "go", "list", "-export", "-deps", "-f", "{{.ImportPath}}={{.Export}}",
		module, module+"/codec", module+"/format", "embed", "iter").Output()
	if err != nil {
		return nil, fmt.Errorf("go list: %w", err)
	}
	files := map[string]string{}
	for line := range strings.Lines(string(out)) {
		name, file, _ := strings.Cut(strings.TrimSpace(line), "=")
		files[name] = file
	}
	m := &meter{fset: token.NewFileSet()}
	m.importer = importer.ForCompiler(m.fset, "gc", func(path string) (io.ReadCloser, error) {
		if files[path] == "" {
			return nil, fmt.Errorf("%s is not imported by generated code", path)
		}
		return os.Open(files[path])
	})
	return m, nil
}

// version is a server and what is generated for it.
type version struct {
	server  generator.Server
	listing []byte
	code    map[string][]byte
	types   *types.Package
	tools   map[string][]string // by Go name: the tools that it is for
}

func (m *meter) version(ctx context.Context, before generator.Server, s *schema.Snapshot) (*version, error) {
	server, err := project.Update(before, s)
	if err != nil {
		return nil, err
	}
	opts := generator.Options{Output: "mcp", ImportPath: importPath, Servers: []generator.Server{server}}
	out, err := generator.Generate(ctx, opts)
	if err != nil {
		return nil, err
	}
	v := &version{server: server, listing: lockfile.EncodeSnapshot(server.Snapshot), code: map[string][]byte{}, tools: map[string][]string{}}
	symbols, err := generator.Symbols(ctx, opts)
	if err != nil {
		return nil, err
	}
	for _, sym := range symbols[0].Symbols {
		v.tools[sym.Go] = append(v.tools[sym.Go], sym.Item)
	}
	var files []*ast.File
	name := ""
	for _, f := range out.Files {
		if !strings.HasSuffix(f.Path, ".go") || path.Dir(f.Path) == "mcp" {
			continue
		}
		v.code[path.Base(f.Path)] = f.Data
		if strings.HasSuffix(f.Path, "_test.go") {
			continue
		}
		name = path.Base(path.Dir(f.Path))
		parsed, err := parser.ParseFile(m.fset, f.Path, f.Data, parser.SkipObjectResolution)
		if err != nil {
			return nil, err
		}
		files = append(files, parsed)
	}
	conf := types.Config{Importer: m.importer}
	v.types, err = conf.Check(importPath+"/"+name, m.fset, files, nil)
	return v, err
}

// undefined is the type checker's error about a name, or a field or method of a type, that is
// gone.
var undefined = regexp.MustCompile(`undefined: \w+\.(\w+)|\.(\w+) undefined \(type \*?\w+\.(\w+) has`)

// removed reports whether an error is about a name that was for no tool but the edited one.
func (v *version) removed(message string, e edit) bool {
	m := undefined.FindStringSubmatch(message)
	if !e.removes || m == nil {
		return false
	}
	name, member, of := m[1], m[2], m[3]
	tools := v.tools[cmp.Or(name, of+"."+member)]
	switch {
	case tools != nil:
	case of == "Client":
		tools = v.tools[member]
	default: // a method
		tools = v.tools[of]
	}
	return len(tools) > 0 && !slices.ContainsFunc(tools, func(tool string) bool { return tool != e.where })
}

// uses returns the lines of a program for before that do not compile with after.
func (m *meter) uses(before, after *version, e edit) (broken []string, err error) {
	source := project.Consumer(before.types)
	lines := bytes.Split(source, []byte("\n"))
	f, err := parser.ParseFile(m.fset, "consumer.go", source, parser.SkipObjectResolution)
	if err != nil {
		return nil, err
	}
	found := map[int]string{}
	conf := types.Config{
		Importer: with{m.importer, after.types},
		Error: func(err error) {
			var of types.Error
			if errors.As(err, &of) && of.Fset.Position(of.Pos).Filename == "consumer.go" && !before.removed(of.Msg, e) {
				found[of.Fset.Position(of.Pos).Line] = of.Msg
			}
		},
	}
	_, _ = conf.Check("consumer", m.fset, []*ast.File{f}, nil)
	for _, line := range slices.Sorted(maps.Keys(found)) {
		broken = append(broken, string(lines[line-1])+": "+found[line])
	}
	return append(broken, moved(before.types.Scope(), after.types.Scope())...), nil
}

// moved returns the constants and fields that compile and are another value or member.
func moved(before, after *types.Scope) []string {
	var out []string
	for _, name := range before.Names() {
		switch was := before.Lookup(name).(type) {
		case *types.Const:
			if now, ok := after.Lookup(name).(*types.Const); ok && was.Exported() && was.Val().ExactString() != now.Val().ExactString() {
				out = append(out, fmt.Sprintf("%s: was %s, is %s", name, was.Val(), now.Val()))
			}
		case *types.TypeName:
			now := after.Lookup(name)
			if now == nil {
				continue
			}
			tags := tagsOf(now.Type())
			for field, tag := range tagsOf(was.Type()) {
				if is, ok := tags[field]; ok && is != tag {
					out = append(out, fmt.Sprintf("%s.%s: was %q, is %q", name, field, tag, is))
				}
			}
		}
	}
	return out
}

// tagsOf are the names of the members of a struct, by field.
func tagsOf(t types.Type) map[string]string {
	out := map[string]string{}
	if s, ok := t.Underlying().(*types.Struct); ok {
		for i := range s.NumFields() {
			out[s.Field(i).Name()], _, _ = strings.Cut(reflect.StructTag(s.Tag(i)).Get("json"), ",")
		}
	}
	return out
}

// with is an importer that knows one more package.
type with struct {
	types.Importer
	one *types.Package
}

func (w with) Import(path string) (*types.Package, error) {
	if path == w.one.Path() {
		return w.one, nil
	}
	return w.Importer.Import(path)
}

// measure makes edits of a server and measures each.
func (m *meter) measure(ctx context.Context, s *schema.Snapshot, count int, seed uint64) ([]outcome, error) {
	before, err := m.version(ctx, generator.Server{}, s)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", s.Server, err)
	}
	made, err := edits(before.server.Snapshot, count, seed)
	if err != nil {
		return nil, err
	}
	var out []outcome
	for _, e := range made {
		after, err := m.version(ctx, before.server, e.after)
		if err != nil {
			return nil, fmt.Errorf("%s: %s in %s: %w", s.Server, e.kind, e.where, err)
		}
		o := outcome{edit: e}
		if o.listing, o.code, err = changed(ctx, before, after); err != nil {
			return nil, err
		}
		if o.broken, err = m.uses(before, after, e); err != nil {
			return nil, err
		}
		if e.removes {
			o.renamed = slices.DeleteFunc(after.types.Scope().Names(), func(name string) bool {
				return !token.IsExported(name) || before.types.Scope().Lookup(name) != nil
			})
		}
		out = append(out, o)
	}
	return out, nil
}

// changed counts the lines of the listing and of the code that differ in more than white
// space, by which gofmt aligns what is around a change.
func changed(ctx context.Context, before, after *version) (listing, code int, err error) {
	dir, err := os.MkdirTemp("", "edits")
	if err != nil {
		return 0, 0, err
	}
	defer func() { err = errors.Join(err, os.RemoveAll(dir)) }()
	write := func(name string, data []byte) {
		file := filepath.Join(dir, name)
		err = errors.Join(err, os.MkdirAll(filepath.Dir(file), 0o777), os.WriteFile(file, data, 0o666))
	}
	for side, v := range map[string]*version{"a": before, "b": after} {
		write(side+"/listing", v.listing)
		for name, data := range v.code {
			write(side+"/"+name, data)
		}
	}
	if err != nil {
		return 0, 0, err
	}
	cmd := exec.CommandContext(ctx, "git", "diff", "--no-index", "-w", "--numstat", "a", "b")
	cmd.Dir = dir
	out, err := cmd.Output()
	if exit, ok := errors.AsType[*exec.ExitError](err); ok && exit.ExitCode() == 1 {
		err = nil
	}
	for line := range strings.Lines(string(out)) {
		fields := strings.Fields(line)
		added, _ := strconv.Atoi(fields[0])
		removed, _ := strconv.Atoi(fields[1])
		if strings.Contains(line, "listing") {
			listing += added + removed
		} else {
			code += added + removed
		}
	}
	return listing, code, err
}
