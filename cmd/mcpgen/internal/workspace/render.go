package workspace

import (
	"cmp"
	"fmt"
	"maps"
	"os"
	"path"
	"path/filepath"
	"slices"

	"golang.org/x/mod/modfile"

	"github.com/mcpgen/mcpgen/cmd/mcpgen/internal/console"
	"github.com/mcpgen/mcpgen/cmd/mcpgen/internal/locks"
	"github.com/mcpgen/mcpgen/cmd/mcpgen/internal/starter"
	"github.com/mcpgen/mcpgen/generator"
	"github.com/mcpgen/mcpgen/internal/hint"
	"github.com/mcpgen/mcpgen/internal/safetext"
	"github.com/mcpgen/mcpgen/runtime/config"
	"github.com/mcpgen/mcpgen/runtime/endpoint"
	"github.com/mcpgen/mcpgen/schema"
	"github.com/mcpgen/mcpgen/schema/lockfile"
)

// Rendered holds the files of a draft, and the warnings about them.
type Rendered struct {
	files    []generator.File // generated packages, snapshots, observed shapes, lock
	warnings []generator.Warning
	Tools    []generator.Tool
}

// rendered adds the files that the generator does not make.
func (w *Workspace) rendered(d *Draft, out *generator.Output, clashes []generator.Warning) *Rendered {
	files := append(out.Files, generator.File{Path: locks.Name, Data: w.lockFile(d)})
	files = append(files, w.observedFiles(d.Snapshots)...)
	for _, name := range slices.Sorted(maps.Keys(d.Snapshots)) {
		if tree := d.trees[name]; tree != nil {
			files = append(files, generator.File{Path: w.TreePath(name), Data: tree})
		}
	}
	warnings := slices.Concat(out.Warnings, w.resultWarnings(d.Snapshots), w.choiceWarnings(d.Snapshots), w.lapsed(w.Lock, d.Lock, w.Formerly, false), clashes)
	return &Rendered{files: files, warnings: warnings, Tools: out.Tools}
}

// choiceWarnings returns a warning for each server whose tools are all left out by the configuration,
// unless that is explicit.
func (w *Workspace) choiceWarnings(snapshots map[string]*schema.Snapshot) []generator.Warning {
	var out []generator.Warning
	for _, name := range slices.Sorted(maps.Keys(snapshots)) {
		choice, tools := w.generatorServer(name, nil, nil), snapshots[name].Tools
		if len(tools) > 0 && !slices.Contains(choice.Exclude, "*") && !slices.ContainsFunc(tools, func(it schema.Item) bool { return choice.Selects(it.Name) }) {
			out = append(out, generator.Warning{Server: name, Reason: "include and exclude leave out all of its tools"})
		}
	}
	return out
}

func (w *Workspace) generatorServer(name string, s *schema.Snapshot, locked *lockfile.LockedServer) generator.Server {
	b := w.Project.Build[name]
	types := make([]generator.TypeChoice, len(b.Types))
	for i, t := range b.Types {
		types[i] = generator.TypeChoice(t)
	}
	return generator.Server{
		Name: name, Package: cmp.Or(w.Packages[name], b.Package), Snapshot: s, Locked: locked,
		Include: b.Include, Exclude: b.Exclude, Rename: b.Rename, RenameAt: b.RenameAt, Types: types,
		Results: w.given[name].of(s), PlaceNames: b.PlaceNames,
	}
}

// about prefixes an error with the configuration file, if there is one.
func about(project *config.Project, err error) error {
	if project.Path == "" {
		return err
	}
	return fmt.Errorf("%s: %w", project.Path, err)
}

// importPath returns the import path of the output folder, by the nearest go.mod.
func importPath(project *config.Project, root string) (string, error) {
	out := filepath.Join(root, filepath.FromSlash(project.Output))
	file, err := starter.GoMod(out)
	if err != nil {
		return "", err
	}
	data, err := os.ReadFile(file)
	if err != nil {
		return "", err
	}
	module := modfile.ModulePath(data)
	if module == "" {
		return "", hint.With(fmt.Errorf("%s: no module line", file), "run go mod init MODULE")
	}
	rel, err := filepath.Rel(filepath.Dir(file), out)
	return path.Join(module, filepath.ToSlash(rel)), err
}

// program returns the command that starts mcpgen in the output folder: the tool of the module, or mcpgen.
func program(project *config.Project, root string) string {
	return cmp.Or(starter.Tool(filepath.Join(root, filepath.FromSlash(project.Output))), "mcpgen")
}

func (w *Workspace) warn(warnings []generator.Warning, each bool) {
	con := w.Options.Console
	switch {
	case len(warnings) == 0:
	case each || con.Verbose:
		for _, warning := range warnings {
			con.Warn("%v", warning.Err())
		}
	default:
		countWarnings(w.Options.Console, len(warnings))
	}
}

// countWarnings prints the number of warnings that were listed before.
func countWarnings(con *console.Console, n int) {
	if n > 0 {
		con.Note("%s typed more loosely than the schema, or left out: --verbose lists them", safetext.Count(n, "place"))
	}
}

// lockFile returns the lock to write, with the files that currently configure the servers. If the lock
// changes anyway, launches that an older version locked only as a hash become readable.
func (w *Workspace) lockFile(d *Draft) []byte {
	lock := &lockfile.Lock{Revision: d.Lock.Revision, Servers: maps.Clone(d.Lock.Servers)}
	each := func(edit func(s endpoint.Server, l *lockfile.LockedServer)) {
		for _, s := range w.Project.Servers {
			if l := lock.Servers[s.Name]; l != nil && d.Snapshots[s.Name] != nil {
				own := *l
				edit(s, &own)
				lock.Servers[s.Name] = &own
			}
		}
	}
	each(func(s endpoint.Server, l *lockfile.LockedServer) {
		// If a project has several configurations (--config), the locked one is kept.
		if now := config.LockSource(s.Source, w.Root); now.Dialect != "" || l.Source.Dialect != "" || now.Scope != l.Source.Scope {
			l.Source = now
		}
		pins := generator.PinnedServer(l)
		pins.Include, pins.Exclude = nil, nil
		for _, d := range w.Project.Definitions {
			if l.Source.Scope == lockfile.ScopeUser && d.Server.Name == s.Name && d.Server.Source == s.Source {
				pins.Include, pins.Exclude = d.Include, d.Exclude
			}
		}
		generator.PinServer(l, pins)
	})
	data := lock.Encode()
	if w.Locked && string(data) == string(w.Lock.Encode()) {
		return data
	}
	each(func(s endpoint.Server, l *lockfile.LockedServer) {
		if _, same := config.SameLaunch(l.Launch, s, w.Root); same && l.Launch.HashOnly() {
			l.Launch = config.LockLaunch(s, w.Root)
		}
	})
	return lock.Encode()
}
