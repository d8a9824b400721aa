package workspace

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"os"
	"path"
	"path/filepath"
	"slices"

	"github.com/mcpgen/mcpgen/generator"
	"github.com/mcpgen/mcpgen/runtime/naming"
	"github.com/mcpgen/mcpgen/schema"
	"golang.org/x/mod/modfile"
)

// rendered is what is to be on disk, and what to say about it.
type rendered struct {
	files    []generator.File // generated packages, snapshots, observed shapes, lock
	warnings []generator.Warning
	tools    []generator.Tool
}

// render makes all files of the project.
func (w *Workspace) render(ctx context.Context, lock *schema.Lock, snapshots map[string]*schema.Snapshot, strict bool) (*rendered, error) {
	out, err := w.output(ctx, lock, snapshots, strict)
	if err != nil {
		return nil, err
	}
	files := append(out.Files, generator.File{Path: LockName, Data: w.lockFile(lock)})
	files = append(files, w.observedFiles(lock)...)
	warnings := append(out.Warnings, w.resultWarnings(snapshots)...)
	return &rendered{files: files, warnings: warnings, tools: out.Tools}, nil
}

// output runs the generator over every server of the lock.
func (w *Workspace) output(ctx context.Context, lock *schema.Lock, snapshots map[string]*schema.Snapshot, strict bool) (*generator.Output, error) {
	opts, err := w.generatorOptions(lock, snapshots, strict)
	if err != nil {
		return nil, err
	}
	out, err := generator.Generate(ctx, opts)
	return out, unless(ctx, err)
}

// generatorOptions are what the generator works from.
func (w *Workspace) generatorOptions(lock *schema.Lock, snapshots map[string]*schema.Snapshot, strict bool) (generator.Options, error) {
	opts := generator.Options{Output: w.Project.Output, Strict: strict, Fakes: w.Project.Fakes, Docs: w.Project.Docs}
	var err error
	if opts.ImportPath, err = w.importPath(); err != nil {
		return opts, fail(ExitUsage, err)
	}
	qualified, err := w.qualify(snapshots)
	if err != nil {
		return opts, fail(ExitUsage, err)
	}
	for _, name := range slices.Sorted(maps.Keys(lock.Servers)) {
		s := w.generatorServer(name, snapshots[name], lock.Servers[name])
		s.Names = qualified[name]
		opts.Servers = append(opts.Servers, s)
	}
	if len(opts.Servers) == 0 {
		return opts, fail(ExitUsage, fmt.Errorf("%s: no server to generate for: add one under the key servers", w.Project.Path))
	}
	return opts, nil
}

func (w *Workspace) generatorServer(name string, s *schema.Snapshot, locked *schema.LockedServer) generator.Server {
	b := w.Project.Build[name]
	return generator.Server{
		Name: name, Package: b.Package, Snapshot: s, Locked: locked,
		Include: b.Include, Exclude: b.Exclude, Rename: b.Rename,
		Results: w.given[name].of(s),
	}
}

// qualify gives each tool of each server its name in a registry. Two tools in
// one name are an error. Tools that the configuration leaves out are in no
// registry, so they have no name and are in nobody's way.
func (w *Workspace) qualify(snapshots map[string]*schema.Snapshot) (map[string]map[string]string, error) {
	var pairs []naming.Pair
	for _, server := range slices.Sorted(maps.Keys(snapshots)) {
		choice := w.generatorServer(server, nil, nil)
		for _, t := range snapshots[server].Tools {
			if choice.Selects(t.Name) {
				pairs = append(pairs, naming.Pair{Server: server, Tool: t.Name})
			}
		}
	}
	assigned, err := naming.Assign(w.Project.Naming, pairs)
	if err != nil {
		return nil, w.about(err)
	}
	out := map[string]map[string]string{}
	for pair, name := range assigned {
		if out[pair.Server] == nil {
			out[pair.Server] = map[string]string{}
		}
		out[pair.Server][pair.Tool] = name
	}
	return out, nil
}

// about puts the configuration before an error that is about it, if it is a file.
func (w *Workspace) about(err error) error {
	if w.Project.Path == "" {
		return err
	}
	return fmt.Errorf("%s: %w", w.Project.Path, err)
}

// importPath returns the import path of the output folder, by the go.mod above
// it.
func (w *Workspace) importPath() (string, error) {
	out := filepath.Join(w.Root, filepath.FromSlash(w.Project.Output))
	for dir := out; ; {
		data, err := os.ReadFile(filepath.Join(dir, "go.mod"))
		if err == nil {
			module := modfile.ModulePath(data)
			if module == "" {
				return "", fmt.Errorf("%s: no module line: run go mod init", filepath.Join(dir, "go.mod"))
			}
			rel, err := filepath.Rel(dir, out)
			if err != nil {
				return "", err
			}
			return path.Join(module, filepath.ToSlash(rel)), nil
		}
		if !errors.Is(err, os.ErrNotExist) {
			return "", err
		}
		parent := filepath.Dir(dir)
		if parent == dir {
			return "", fmt.Errorf("%s: no go.mod in it or above it: run go mod init first", w.Root)
		}
		dir = parent
	}
}

// write writes all files, or none, and gives the warnings: each one when
// something changed, their number when all stays as it was.
func (w *Workspace) write(ctx context.Context, r *rendered) (*generator.Report, error) {
	report, err := generator.Write(ctx, w.Root, r.files, generator.WriteOptions{Prune: []string{w.Project.Output}})
	if err == nil {
		w.warn(r.warnings, len(report.Written) > 0)
	}
	if ctx.Err() != nil {
		return report, context.Cause(ctx)
	}
	return report, fail(ExitUsage, err)
}

func (w *Workspace) warn(warnings []generator.Warning, each bool) {
	con := w.opts.Console
	switch {
	case len(warnings) == 0:
	case each || con.Verbose:
		for _, warning := range warnings {
			con.Warn("%s", warning)
		}
	default:
		w.countWarnings(len(warnings))
	}
}

// countWarnings tells of warnings that were listed before.
func (w *Workspace) countWarnings(n int) {
	if n > 0 {
		w.opts.Console.Note("%d places are typed more loosely than their schema, or left out: --verbose lists them", n)
	}
}

// compare says which files on disk are not what would be written.
func (w *Workspace) compare(files []generator.File) ([]generator.Stale, error) {
	stale, err := generator.Compare(w.Root, files, generator.WriteOptions{Prune: []string{w.Project.Output}, Base: w.tree})
	return stale, fail(ExitUsage, err)
}
