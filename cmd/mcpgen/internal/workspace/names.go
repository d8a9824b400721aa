package workspace

// Name collisions of tools in registries, and of Go packages. Locked names stay; a new tool or package
// gets a suffix, which is then locked.

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/mcpgen/mcpgen/cmd/mcpgen/internal/judging"
	"github.com/mcpgen/mcpgen/generator"
	"github.com/mcpgen/mcpgen/internal/hint"
	"github.com/mcpgen/mcpgen/runtime/codec"
	"github.com/mcpgen/mcpgen/runtime/config"
	"github.com/mcpgen/mcpgen/runtime/naming"
	"github.com/mcpgen/mcpgen/schema"
	"github.com/mcpgen/mcpgen/schema/lockfile"
)

// qualify returns the registry name of each tool of each server, and the clashes. Tools that the
// configuration leaves out are in no registry, so they have no name and no clash.
func (w *Workspace) qualify(snapshots map[string]*schema.Snapshot) (map[string]map[string]string, []naming.Clash, error) {
	var pairs []naming.Pair
	for _, server := range slices.Sorted(maps.Keys(snapshots)) {
		choice := w.generatorServer(server, nil, nil)
		for _, t := range snapshots[server].Tools {
			if choice.Selects(t.Name) {
				pairs = append(pairs, naming.Pair{Server: server, Tool: t.Name})
			}
		}
	}
	assigned, clashes, err := w.Assign(pairs)
	if err != nil {
		return nil, nil, about(w.Project, err)
	}
	out := map[string]map[string]string{}
	for pair, name := range assigned {
		if out[pair.Server] == nil {
			out[pair.Server] = map[string]string{}
		}
		out[pair.Server][pair.Tool] = name
	}
	return out, clashes, nil
}

// promptNames returns the names of all locked prompts, also of servers that are not selected: a name does
// not pass to another server's prompt when servers come and go.
func promptNames(project *config.Project, lock *lockfile.Lock) (map[naming.Pair]string, error) {
	var pairs []naming.Pair
	for server, locked := range lock.Servers {
		for prompt := range locked.Items(schema.KindPrompt) {
			pairs = append(pairs, naming.Pair{Server: server, Tool: prompt})
		}
	}
	names, _, err := naming.Assign(project.Naming, pairs, nil)
	if err != nil {
		return nil, about(project, err)
	}
	return names, nil
}

// Assign names tools. A locked tool keeps its name. If a tool would get a suffix, its name under rename
// in the configuration is used instead.
func (w *Workspace) Assign(pairs []naming.Pair) (map[naming.Pair]string, []naming.Clash, error) {
	held := map[naming.Pair]string{}
	for _, name := range w.Project.Native {
		p := naming.Pair{Tool: name}
		pairs, held[p] = append(pairs, p), name
	}
	for _, p := range pairs {
		item, locked := w.Lock.Servers[p.Server].Items(schema.KindTool)[p.Tool]
		switch plain, renamed := plainName(w.Project, p), renamed(w.Project, p); {
		case !locked:
		case item.Suffix == "":
			held[p] = plain
		case renamed != "":
			held[p] = renamed
		default:
			held[p] = naming.Suffixed(plain, item.Suffix)
		}
	}
	names, clashes, err := naming.Assign(w.Project.Naming, pairs, held)
	if err != nil {
		return nil, nil, err
	}
	again := false
	for _, c := range clashes {
		for i, p := range c.Tools {
			if renamed := renamed(w.Project, p); renamed != "" && c.Names[i] != plainName(w.Project, p) {
				held[p], again = renamed, true
			}
		}
	}
	if again {
		return naming.Assign(w.Project.Naming, pairs, held)
	}
	return names, clashes, nil
}

// plainName returns the name of a tool without regard to collisions.
func plainName(project *config.Project, p naming.Pair) string {
	return naming.Portable(project.Naming.Qualify(p.Server, p.Tool))
}

// renamed returns the qualified name that the configuration gives a tool, or "".
func renamed(project *config.Project, p naming.Pair) string {
	name := project.Build[p.Server].Rename[p.Tool]
	if name == "" {
		return ""
	}
	return plainName(project, naming.Pair{Server: p.Server, Tool: name})
}

// pinned returns the lock entry of a server with the suffixes of its tools and of its package, so that
// these stay when the colliding name is gone.
func (w *Workspace) pinned(server string, locked *lockfile.LockedServer, names map[string]string) *lockfile.LockedServer {
	out := *locked
	out.Tools = maps.Clone(locked.Tools)
	for tool, item := range out.Tools {
		plain, name := plainName(w.Project, naming.Pair{Server: server, Tool: tool}), names[tool]
		if suffix := name[strings.LastIndexByte(name, '_')+1:]; name != plain && len(suffix) < naming.MaxLen && name == naming.Suffixed(plain, suffix) {
			item.Suffix = suffix
		}
		out.Tools[tool] = item
	}
	if w.Suffixed(server) {
		pins := generator.PinnedServer(&out)
		pins.Package = w.Packages[server]
		generator.PinServer(&out, pins)
	}
	return &out
}

// keepDecisions copies the parts of a lock entry that do not depend on the server: package, suffixes and
// acceptances.
func keepDecisions(before, now *lockfile.LockedServer) {
	if before == nil {
		return
	}
	pins := generator.PinnedServer(before)
	pins.Capitals = generator.PinnedServer(now).Capitals
	generator.PinServer(now, pins)
	now.Accepted = before.Accepted
	if now.Store == "" && judging.SameSurface(before, now) {
		now.Store = before.Store
	}
	for _, kind := range schema.Kinds() {
		items := now.Items(kind)
		for name, item := range items {
			was := before.Items(kind)[name]
			item.Suffix, item.Accepted = was.Suffix, was.Accepted
			items[name] = item
		}
	}
}

// clashWarnings returns warnings about new collisions of names.
func (d *Draft) clashWarnings(clashes []naming.Clash) []generator.Warning {
	var out []generator.Warning
	for _, c := range clashes {
		server := cmp.Or(c.Tools[0].Server, c.Tools[len(c.Tools)-1].Server) // native tools, without a server, come first
		out = append(out, generator.Warning{Server: server, Reason: c.String(), Step: clashStep})
	}
	for _, name := range slices.Sorted(maps.Keys(d.Snapshots)) {
		if d.w.newPackage(name) {
			out = append(out, generator.Warning{Server: name, Reason: d.w.packageClash(name), Step: packageStep})
		}
	}
	return out
}

// newPackage reports whether a server's package gets its suffix now.
func (w *Workspace) newPackage(server string) bool {
	l := w.Lock.Servers[server]
	return w.Suffixed(server) && (generator.PinnedServer(l).Package == "")
}

func (w *Workspace) packageClash(server string) string {
	return fmt.Sprintf("another server uses the package %q, so the package of this server is %q",
		w.Project.Build[server].Package, w.Packages[server])
}

// The next steps for clashes of tools and packages.
const (
	clashStep   = "to choose another name, add the tool under tools.rename"
	packageStep = "choose another package name with the key package"
)

func clashError(c naming.Clash) error { return hint.New(c.String(), clashStep) }

// refuse calls fail for the servers that would get a suffix. It reports whether there are any.
func (d *Draft) refuse(clashes []naming.Clash) bool {
	wrong := map[string][]error{}
	for _, c := range clashes {
		for i, p := range c.Tools {
			if c.Names[i] != c.Name {
				wrong[p.Server] = append(wrong[p.Server], clashError(c))
			}
		}
	}
	for name := range d.Snapshots {
		if d.w.newPackage(name) {
			wrong[name] = append(wrong[name], hint.New(name+": "+d.w.packageClash(name), packageStep))
		}
	}
	return d.failAll(wrong)
}

// Manifests returns the locked items of the selected servers in the form of their generated packages: the
// selected tools, under their configured names. It is an error if a snapshot differs from the lock.
func (w *Workspace) Manifests() ([]*codec.Manifest, error) {
	snapshots, err := w.LockedSnapshots()
	if err != nil {
		return nil, err
	}
	names, clashes, err := w.qualify(snapshots)
	if err != nil {
		return nil, err
	}
	for _, c := range clashes {
		w.Options.Console.Warn("%v", clashError(c))
	}
	prompts, err := promptNames(w.Project, w.Lock)
	if err != nil {
		return nil, err
	}
	var manifests []*codec.Manifest
	for _, server := range slices.Sorted(maps.Keys(snapshots)) {
		locked := w.Lock.Servers[server]
		var refs []codec.ItemRef
		for _, t := range snapshots[server].Tools {
			if name := names[server][t.Name]; name != "" {
				item := locked.Tools[t.Name]
				refs = append(refs, codec.ItemRef{Server: server, Name: t.Name, Qualified: name, Pin: item.Contract, Place: item.Place})
			}
		}
		for _, kind := range []schema.Kind{schema.KindPrompt, schema.KindResource, schema.KindTemplate} {
			for _, it := range *snapshots[server].List(kind) {
				item := locked.Items(kind)[it.Name]
				var name string
				if kind == schema.KindPrompt {
					name = prompts[naming.Pair{Server: server, Tool: it.Name}]
				}
				refs = append(refs, codec.ItemRef{Server: server, Kind: string(kind), Name: it.Name, Qualified: name, Pin: item.Contract, Place: item.Place})
			}
		}
		manifests = append(manifests, codec.NewManifest(server, string(lockfile.EncodeSnapshot(snapshots[server])), refs...).LaunchedAs(locked.Launch.Hash))
	}
	return manifests, nil
}
