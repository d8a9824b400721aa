// The tools of a host for registration by a program: named, pinned, and only those
// that may be called.

package agent

import (
	"bytes"
	"cmp"
	"slices"

	"github.com/mcpgen/mcpgen/internal/safetext"
	"github.com/mcpgen/mcpgen/runtime"
	"github.com/mcpgen/mcpgen/runtime/attach"
	"github.com/mcpgen/mcpgen/runtime/attach/pinned"
	"github.com/mcpgen/mcpgen/runtime/codec"
	"github.com/mcpgen/mcpgen/runtime/naming"
)

// Tools returns the tools that a model may call now, for a registry: first
// [Options.Native], then the servers in the order of [attach.Host.Status], and the
// tools of each in the server's order. They call through the host, and so through its
// middleware.
//
// For a server with a manifest, these are the generated tools with their pinned texts
// and schemas, without quarantined tools; new tools are hidden unless the mode is
// [attach.DriftWarn] or [attach.DriftOff]. For other servers, they are the listed
// tools, named by [Options.Naming]; their calls carry the hash of the listed
// definition, so that a tool which changes between listing and call is reported.
// Tools of failed servers, and tools that only run as tasks, are left out. For a
// server that is not ready yet (lazy servers, [attach.Options.Background]), they are
// the generated tools.
//
// Tools that [Options.Shows] hides are left out; a call of such a tool is refused
// like any other.
//
// If several tools have the same name, each gets a suffix from its wire name, a
// generated tool keeps its generated name, and an event of kind [event.Notice] lists
// them: see [naming.Assign]. While the servers offer the same tools, a name never
// passes to another tool, even if some servers are down.
//
// The error is for an [Options.Naming] that cannot name a tool.
func (v *View) Tools() ([]runtime.Tool, error) {
	list, err := v.shown()
	return asTools(list), err
}

// Everything returns the tools of [View.Tools], and the tools that are hidden from
// the model of this program. It is for callers that decide for others which tools to
// hide.
func (v *View) Everything() ([]runtime.Tool, error) {
	list, err := v.all()
	return asTools(list), err
}

func asTools(list []offer) []runtime.Tool {
	tools := make([]runtime.Tool, len(list))
	for i, o := range list {
		tools[i] = o
	}
	return tools
}

// shown returns the tools that the model of this program is shown.
func (v *View) shown() ([]offer, error) {
	all, err := v.all()
	return slices.DeleteFunc(all, func(o offer) bool { return !v.showsTool(o.Spec()) }), err
}

func (v *View) all() ([]offer, error) {
	var all []offer
	for _, t := range v.native {
		all = append(all, offer{Tool: t})
	}
	for _, status := range v.host.Status() {
		list, err := v.offersOf(status.Server)
		if err != nil {
			return nil, err
		}
		all = append(all, list...)
	}
	return all, nil
}

// Specs describes the tools of one server that [View.Everything] returns; with "",
// the tools of [Options.Native]. It returns nil for an unknown server, or if there
// are no tools.
func (v *View) Specs(server string) []runtime.Spec {
	var specs []runtime.Spec
	if server == "" {
		for _, t := range v.native {
			specs = append(specs, t.Spec())
		}
		return specs
	}
	list, err := v.offersOf(server)
	if err != nil {
		return nil // Tools reports names that cannot be made
	}
	for _, o := range list {
		specs = append(specs, o.Spec())
	}
	return specs
}

// offer is a tool with the definition hash and the names that it has here.
type offer struct {
	runtime.Tool
	pin  string
	name string // replaces the generated name; "" keeps it
	id   string
}

func (o offer) Spec() runtime.Spec {
	spec := o.Tool.Spec()
	spec.Name, spec.ID = cmp.Or(o.name, spec.Name), cmp.Or(o.id, spec.ID)
	return spec
}

// named returns the tool as registries get it: the program's own, unless the view gave it another name.
func (o offer) named() runtime.Tool {
	if o.name == "" {
		return o.Tool
	}
	return o
}

// offers are the tools of one server. They are made when first requested, and again
// when the server's tools or the necessary names change.
type offers struct {
	of    attach.Offered
	names []string
	list  []offer
}

// offersOf returns the tools of one server that may be called.
func (v *View) offersOf(server string) (list []offer, err error) {
	v.locked(func() { list, err = v.offersLocked(server) })
	return list, err
}

// locked calls f with mu held, and then reports the clashes that f found: the
// program's event function may itself ask for tools.
func (v *View) locked(f func()) {
	v.mu.Lock()
	f()
	clashes := v.clashes
	v.clashes = nil
	v.mu.Unlock()
	for _, text := range clashes {
		v.host.Notice(text, nil)
	}
}

func (v *View) offersLocked(server string) ([]offer, error) {
	for range 3 { // a tool that is listed meanwhile has no name yet
		o, present := v.host.Offered(server)
		if !present {
			return nil, nil
		}
		assigned, err := v.assign()
		if err != nil {
			return nil, err
		}
		var names []string
		for _, tool := range o.Names() {
			names = append(names, assigned[naming.Pair{Server: server, Tool: tool}])
		}
		if slices.Contains(names, "") {
			continue
		}
		known := v.offers[server]
		if known.list == nil || known.of != o || !slices.Equal(known.names, names) {
			known = offers{o, names, v.offer(o, server, assigned)}
			v.offers[server] = known
		}
		return known.list, nil
	}
	return nil, nil // it is detached, or lists other tools all the time: an event follows
}

// names holds the names of all tools that the servers of a host list. They are made
// again when a server lists other tools.
type names struct {
	of       []attach.Offered
	assigned map[naming.Pair]string
}

// assign names the tools of all servers, even of servers that are down: a name must
// not pass to another tool while its owner is away. mu is held.
func (v *View) assign() (map[naming.Pair]string, error) {
	var servers []string
	var offered []attach.Offered
	for _, status := range v.host.Status() {
		o, _ := v.host.Offered(status.Server)
		servers, offered = append(servers, status.Server), append(offered, o)
	}
	if v.names.assigned != nil && slices.Equal(v.names.of, offered) {
		return v.names.assigned, nil
	}
	var pairs []naming.Pair
	held := map[naming.Pair]string{}
	for _, t := range v.native {
		pair := naming.Pair{Tool: t.Spec().Name}
		pairs, held[pair] = append(pairs, pair), pair.Tool
	}
	for i, server := range servers {
		for _, m := range pinned.Manifests(v.host.Judge(), server) {
			for _, ref := range m.Refs() {
				pair := naming.Pair{Server: server, Tool: ref.Name}
				if _, given := held[pair]; !given {
					pairs, held[pair] = append(pairs, pair), ref.Qualified
				}
			}
		}
		for _, tool := range offered[i].Names() {
			pairs = append(pairs, naming.Pair{Server: server, Tool: tool})
		}
	}
	assigned, clashes, err := naming.Assign(v.opts.Naming, pairs, held)
	if err != nil {
		return nil, err
	}
	for _, c := range clashes {
		if text := safetext.Words(c.String(), 1000); !v.reported[text] {
			if len(v.reported) > maxReported {
				clear(v.reported)
			}
			v.reported[text] = true
			v.clashes = append(v.clashes, text)
		}
	}
	v.names = names{offered, assigned}
	return assigned, nil
}

// maxReported bounds how many reported clashes a view remembers.
const maxReported = 1000

// offer makes the tools of one server: the generated ones, and listed tools that no
// manifest has.
func (v *View) offer(o attach.Offered, server string, assigned map[naming.Pair]string) []offer {
	list := []offer{}
	given := map[string]bool{}
	add := func(m *codec.Manifest, refs []codec.ItemRef, named bool) {
		for i, t := range m.Tools(v.host) {
			tool := refs[i].Name
			if !o.Allows(tool) || given[tool] {
				continue
			}
			given[tool] = true
			made := offer{Tool: t, pin: refs[i].Pin, id: v.opts.Naming.Qualify(server, tool)}
			if named {
				made.name = assigned[naming.Pair{Server: server, Tool: tool}]
			}
			list = append(list, made)
		}
	}
	for _, m := range pinned.Manifests(v.host.Judge(), server) {
		add(m, m.Refs(), true)
	}
	var (
		listed []codec.ItemRef
		raw    [][]byte
	)
	for _, tool := range o.Names() {
		if o.Allows(tool) && !o.IsGenerated(tool) {
			listed = append(listed, codec.ItemRef{Name: tool, Qualified: assigned[naming.Pair{Server: server, Tool: tool}], Pin: o.Contract(tool)})
			raw = append(raw, o.Definition(tool))
		}
	}
	listing := `{"tools":[` + string(bytes.Join(raw, []byte(","))) + `]}` // the server's bytes
	add(codec.NewManifest(server, listing, listed...), listed, false)
	return list
}
