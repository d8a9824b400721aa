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
	"github.com/mcpgen/mcpgen/cmd/mcpgen/internal/inputs"
	"github.com/mcpgen/mcpgen/cmd/mcpgen/internal/locks"
	"github.com/mcpgen/mcpgen/cmd/mcpgen/internal/starter"
	"github.com/mcpgen/mcpgen/generator"
	"github.com/mcpgen/mcpgen/internal/hint"
	"github.com/mcpgen/mcpgen/internal/safetext"
	"github.com/mcpgen/mcpgen/runtime/config"
	"github.com/mcpgen/mcpgen/runtime/endpoint"
	"github.com/mcpgen/mcpgen/runtime/naming"
	"github.com/mcpgen/mcpgen/schema/lockfile"
)

// Rendered holds the files of a draft, and the warnings about them.
type Rendered struct {
	files    []generator.File // generated packages, snapshots, observed shapes, lock
	warnings []generator.Warning
	Tools    []generator.Tool
}

// rendered adds the files that the generator does not make.
func (d *Draft) rendered(out *generator.Output, clashes []generator.Warning) *Rendered {
	files := append(out.Files, generator.File{Path: locks.Name, Data: d.lockFile()})
	files = append(files, d.in.ObservedFiles(d.Snapshots)...)
	for _, name := range slices.Sorted(maps.Keys(d.Snapshots)) {
		if tree := d.trees[name]; tree != nil {
			files = append(files, generator.File{Path: d.in.TreePath(name), Data: tree})
		}
	}
	warnings := slices.Concat(out.Warnings, d.in.ResultWarnings(d.Snapshots), d.in.ChoiceWarnings(d.Snapshots),
		lapsed(d.in, d.in.Lock, d.Lock, d.in.Formerly, false), clashes)
	return &Rendered{files: files, warnings: warnings, Tools: out.Tools}
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

func warn(con *console.Console, warnings []generator.Warning, each bool) {
	switch {
	case len(warnings) == 0:
	case each || con.Verbose:
		for _, warning := range warnings {
			con.Warn("%v", warning.Err())
		}
	default:
		countWarnings(con, len(warnings))
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
func (d *Draft) lockFile() []byte {
	lock := &lockfile.Lock{Revision: d.Lock.Revision, Servers: maps.Clone(d.Lock.Servers)}
	each := func(edit func(s endpoint.Server, l *lockfile.LockedServer)) {
		for _, s := range d.in.Project.Servers {
			if l := lock.Servers[s.Name]; l != nil && d.Snapshots[s.Name] != nil {
				own := *l
				edit(s, &own)
				lock.Servers[s.Name] = &own
			}
		}
	}
	each(func(s endpoint.Server, l *lockfile.LockedServer) {
		// If a project has several configurations (--config), the locked one is kept.
		now := config.LockSource(s.Source, d.in.Root)
		if now.Dialect != "" || l.Source.Dialect != "" || now.Scope != l.Source.Scope {
			l.Source = now
		}
		if now, same := config.SameLaunch(l.Launch, s, d.in.Root); same && !l.Launch.HashOnly() {
			l.Launch = now // people read its text, and only its hash decides
		}
		pins := generator.PinnedServer(l)
		pins.Include, pins.Exclude = nil, nil
		for _, d := range d.in.Project.Definitions {
			if l.Source.Scope == lockfile.ScopeUser && d.Server.Name == s.Name && d.Server.Source == s.Source {
				pins.Include, pins.Exclude = d.Include, d.Exclude
			}
		}
		generator.PinServer(l, pins)
	})
	data := lock.Encode()
	if d.in.Locked && string(data) == string(d.in.Lock.Encode()) {
		return data
	}
	each(func(s endpoint.Server, l *lockfile.LockedServer) {
		if _, same := config.SameLaunch(l.Launch, s, d.in.Root); same && l.Launch.HashOnly() {
			l.Launch = config.LockLaunch(s, d.in.Root)
		}
	})
	return lock.Encode()
}

// clashWarnings returns warnings about new collisions of names.
func (d *Draft) clashWarnings(clashes []naming.Clash) []generator.Warning {
	var out []generator.Warning
	for _, c := range clashes {
		server := cmp.Or(c.Tools[0].Server, c.Tools[len(c.Tools)-1].Server) // native tools, without a server, come first
		out = append(out, generator.Warning{Server: server, Reason: c.String(), Step: inputs.ClashStep})
	}
	for _, name := range slices.Sorted(maps.Keys(d.Snapshots)) {
		if d.newPackage(name) {
			out = append(out, generator.Warning{Server: name, Reason: d.packageClash(name), Step: packageStep})
		}
	}
	return out
}

// newPackage reports whether a server's package gets its suffix now.
func (d *Draft) newPackage(server string) bool {
	return d.in.Suffixed(server) && generator.PinnedServer(d.in.Lock.Servers[server]).Package == ""
}

func (d *Draft) packageClash(server string) string {
	return fmt.Sprintf("another server uses the package %q, so the package of this server is %q",
		d.in.Project.Build[server].Package, d.in.Packages[server])
}

// refuse calls fail for the servers that would get a suffix. It reports whether there are any.
func (d *Draft) refuse(clashes []naming.Clash) bool {
	wrong := map[string][]error{}
	for _, c := range clashes {
		for i, p := range c.Tools {
			if c.Names[i] != c.Name {
				wrong[p.Server] = append(wrong[p.Server], inputs.ClashError(c))
			}
		}
	}
	for name := range d.Snapshots {
		if d.newPackage(name) {
			wrong[name] = append(wrong[name], hint.New(name+": "+d.packageClash(name), packageStep))
		}
	}
	return d.failAll(wrong)
}

const packageStep = "choose another package name with the key package"
