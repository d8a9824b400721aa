package inputs

// Name collisions of tools in registries, and of Go packages. Locked names stay; a new tool or package
// gets a suffix, which is then locked.

import (
	"cmp"
	"maps"
	"slices"
	"strings"

	"github.com/mcpgen/mcpgen/cmd/mcpgen/internal/console"
	"github.com/mcpgen/mcpgen/cmd/mcpgen/internal/judging"
	"github.com/mcpgen/mcpgen/generator"
	"github.com/mcpgen/mcpgen/internal/hint"
	"github.com/mcpgen/mcpgen/runtime/codec"
	"github.com/mcpgen/mcpgen/runtime/config"
	"github.com/mcpgen/mcpgen/runtime/naming"
	"github.com/mcpgen/mcpgen/schema"
	"github.com/mcpgen/mcpgen/schema/lockfile"
	"github.com/mcpgen/mcpgen/schema/view"
)

// Qualify returns the registry name of each tool of each server, and the clashes. Tools that the
// configuration leaves out are in no registry, so they have no name and no clash.
func (in *Servers) Qualify(snapshots map[string]*schema.Snapshot) (
	map[string]map[string]string, []naming.Clash, error,
) {
	var pairs []naming.Pair
	for _, server := range slices.Sorted(maps.Keys(snapshots)) {
		choice := in.Server(server, nil, nil)
		for _, t := range snapshots[server].Tools {
			if choice.Selects(t.Name) {
				pairs = append(pairs, naming.Pair{Server: server, Tool: t.Name})
			}
		}
	}
	assigned, clashes, err := in.Assign(pairs)
	if err != nil {
		return nil, nil, about(in.Project, err)
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
func (in *Servers) Assign(pairs []naming.Pair) (map[naming.Pair]string, []naming.Clash, error) {
	held := map[naming.Pair]string{}
	for _, name := range in.Project.Native {
		p := naming.Pair{Tool: name}
		pairs, held[p] = append(pairs, p), name
	}
	for _, p := range pairs {
		item, locked := in.Lock.Servers[p.Server].Items(schema.KindTool)[p.Tool]
		switch plain, renamed := PlainName(in.Project, p), renamed(in.Project, p); {
		case !locked:
		case item.Suffix == "":
			held[p] = plain
		case renamed != "":
			held[p] = renamed
		default:
			held[p] = naming.Suffixed(plain, item.Suffix)
		}
	}
	names, clashes, err := naming.Assign(in.Project.Naming, pairs, held)
	if err != nil {
		return nil, nil, err
	}
	again := false
	for _, c := range clashes {
		for i, p := range c.Tools {
			if renamed := renamed(in.Project, p); renamed != "" && c.Names[i] != PlainName(in.Project, p) {
				held[p], again = renamed, true
			}
		}
	}
	if again {
		return naming.Assign(in.Project.Naming, pairs, held)
	}
	return names, clashes, nil
}

// PlainName returns the name of a tool without regard to collisions.
func PlainName(project *config.Project, p naming.Pair) string {
	return naming.Portable(project.Naming.Qualify(p.Server, p.Tool))
}

// renamed returns the qualified name that the configuration gives a tool, or "".
func renamed(project *config.Project, p naming.Pair) string {
	name := project.Build[p.Server].Rename[p.Tool]
	if name == "" {
		return ""
	}
	return PlainName(project, naming.Pair{Server: p.Server, Tool: name})
}

// Pinned returns the lock entry of a server with the suffixes of its tools and of its package, so that
// these stay when the colliding name is gone.
func (in *Servers) Pinned(
	server string, locked *lockfile.LockedServer, names map[string]string,
) *lockfile.LockedServer {
	out := *locked
	out.Tools = maps.Clone(locked.Tools)
	for tool, item := range out.Tools {
		plain, name := PlainName(in.Project, naming.Pair{Server: server, Tool: tool}), names[tool]
		suffix := name[strings.LastIndexByte(name, '_')+1:]
		if name != plain && len(suffix) < naming.MaxLen && name == naming.Suffixed(plain, suffix) {
			item.Suffix = suffix
		}
		out.Tools[tool] = item
	}
	if in.Suffixed(server) {
		pins := generator.PinnedServer(&out)
		pins.Package = in.Packages[server]
		generator.PinServer(&out, pins)
	}
	return &out
}

// Manifests returns the locked items of the selected servers in the form of their generated packages: the
// selected tools, under their configured names. It is an error if a snapshot differs from the lock.
func (in *Servers) Manifests(con *console.Console) ([]*codec.Manifest, error) {
	snapshots, err := in.LockedSnapshots()
	if err != nil {
		return nil, err
	}
	names, clashes, err := in.Qualify(snapshots)
	if err != nil {
		return nil, err
	}
	for _, c := range clashes {
		con.Warn("%v", ClashError(c))
	}
	prompts, err := promptNames(in.Project, in.Lock)
	if err != nil {
		return nil, err
	}
	var manifests []*codec.Manifest
	for _, server := range slices.Sorted(maps.Keys(snapshots)) {
		locked := in.Lock.Servers[server]
		var refs []codec.ItemRef
		for _, t := range snapshots[server].Tools {
			if name := names[server][t.Name]; name != "" {
				item := locked.Tools[t.Name]
				ref := codec.ItemRef{Server: server, Name: t.Name, Qualified: name, Pin: item.Contract, Place: item.Place}
				refs = append(refs, ref)
			}
		}
		for _, kind := range []schema.Kind{schema.KindPrompt, schema.KindResource, schema.KindTemplate} {
			for _, it := range *snapshots[server].List(kind) {
				item := locked.Items(kind)[it.Name]
				ref := codec.ItemRef{Server: server, Kind: string(kind), Name: it.Name, Pin: item.Contract, Place: item.Place}
				if kind == schema.KindPrompt {
					ref.Qualified = prompts[naming.Pair{Server: server, Tool: it.Name}]
				}
				refs = append(refs, ref)
			}
		}
		text := string(lockfile.EncodeSnapshot(snapshots[server]))
		manifests = append(manifests, codec.NewManifest(server, text, refs...).LaunchedAs(locked.Launch.Hash))
	}
	return manifests, nil
}

// ClashStep is the next step for a clash of tools.
const ClashStep = "to choose another name, add the tool under tools.rename"

// ClashError returns the error about a clash of tools.
func ClashError(c naming.Clash) error { return hint.New(c.String(), ClashStep) }

// Tokens estimates how many tokens of definitions a model reads for each server: of the selected tools
// that are shown. A nil shown means all.
func (in *Servers) Tokens(current map[string]*schema.Snapshot, shown func(server, tool string) bool) map[string]int {
	snapshots := map[string]*schema.Snapshot{}
	maps.Copy(snapshots, current)
	for _, s := range in.Project.Servers {
		if snapshots[s.Name] == nil && in.Lock.Servers[s.Name] != nil {
			if locked, err := in.Snapshot(s.Name); err == nil { // the report has the error
				snapshots[s.Name] = locked
			}
		}
	}
	names, _, err := in.Qualify(snapshots)
	if err != nil {
		names = nil // use the plain names
	}
	spent := map[string]int{}
	for server, s := range snapshots {
		selection := in.Server(server, nil, nil)
		for _, it := range s.Tools {
			tool, _, err := schema.ParseTool(it.Raw)
			if err == nil && selection.Selects(it.Name) && (shown == nil || shown(server, it.Name)) {
				name := cmp.Or(names[server][it.Name], naming.Portable(in.Project.Naming.Qualify(server, it.Name)))
				spent[server] += view.Tokens(view.Size(tool, name))
			}
		}
	}
	return spent
}

// KeepDecisions copies the parts of a lock entry that do not depend on the server: package, suffixes and
// acceptances.
func KeepDecisions(before, now *lockfile.LockedServer) {
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
