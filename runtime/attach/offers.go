// The tools of a host as programs register them: named, pinned, and only those
// that may be called.

package attach

import (
	"bytes"
	"errors"
	"fmt"
	"sync"

	"github.com/mcpgen/mcpgen/runtime"
	"github.com/mcpgen/mcpgen/runtime/naming"
)

// Tools returns the tools that may be called now, servers and tools in the order
// of their names, as a registry wants them. They call through the host, so
// through its middleware.
//
// Of a server with a manifest these are the generated tools, with their pinned
// texts and schemas, less those that are quarantined; what is new there stays
// hidden unless the mode is [DriftWarn] or [DriftOff]. Of other servers they are
// the listed ones, as they are listed, named by [Options.Naming]; a call carries
// the hash of what was listed, so that a tool which changes between being shown
// and being called is told. Tools of servers that have failed, and those that run
// as tasks only, are left out. Of a server that is not started yet
// ([Options.Lazy]) they are the generated ones.
//
// The error names all tools that meet in one name; there are no tools then.
func (h *Host) Tools() ([]runtime.Tool, error) {
	var (
		all  []runtime.Tool
		errs []error
		by   = map[string]runtime.Spec{}
	)
	for _, s := range h.all() {
		offers, err := h.offersOf(s)
		errs = append(errs, err)
		for _, o := range offers {
			spec := o.Spec()
			if first, taken := by[spec.Name]; taken {
				errs = append(errs, fmt.Errorf("tools: %q is the name of %s and of %s: rename one, or use another naming scheme", spec.Name,
					naming.Pair{Server: first.Server, Tool: first.Tool}, naming.Pair{Server: spec.Server, Tool: spec.Tool}))
				continue
			}
			by[spec.Name] = spec
			all = append(all, o)
		}
	}
	if err := errors.Join(errs...); err != nil {
		return nil, err
	}
	return all, nil
}

// offer is a tool with what it was listed as.
type offer struct {
	runtime.Tool
	pin string
}

// offers are the offers of one listing, made when first asked for.
type offers struct {
	once sync.Once
	list []offer
	err  error
}

// offersOf returns the tools of one server that may be called.
func (h *Host) offersOf(s *slot) ([]offer, error) {
	x := s.offered()
	if x == nil {
		return nil, nil
	}
	x.offers.once.Do(func() { x.offers.list, x.offers.err = x.offer(h, s.server.Name, h.settings.Naming) })
	return x.offers.list, x.offers.err
}

// offered returns the listing of a server that is there, or is being brought
// back, and what is expected of one that was left unstarted; nil of one that is
// not there.
func (s *slot) offered() *toolIndex {
	s.mu.Lock()
	defer s.mu.Unlock()
	switch s.status.State {
	case Ready, Lost, Connecting, Unstarted:
		if s.listed == nil {
			return s.expected
		}
		return s.listed
	}
	return nil
}

// usable reports whether calls of a tool are let through.
func (x *toolIndex) usable(tool string) bool {
	t := x.items[tool]
	return t != nil && !t.asTask && (x.unlisted || x.mode.allows(x.verdict(tool).State))
}

func (x *toolIndex) offer(h *Host, server string, scheme naming.Scheme) ([]offer, error) {
	var list []offer
	given := map[string]bool{}
	if x.pinned != nil {
		for _, m := range x.pinned.manifests {
			pins := m.Pins()
			for i, t := range m.Tools(h) {
				if name := pins[i].Tool; x.usable(name) && !given[name] {
					given[name] = true
					list = append(list, offer{t, pins[i].Pin})
				}
			}
		}
		if x.mode != DriftWarn && x.mode != DriftOff {
			return list, nil
		}
	}
	live, err := x.live(h, server, scheme)
	return append(list, live...), err
}

// live returns the tools that no manifest knows, as they are listed.
func (x *toolIndex) live(h *Host, server string, scheme naming.Scheme) ([]offer, error) {
	var (
		pairs []naming.Pair
		raw   [][]byte
	)
	for _, name := range x.names() {
		if x.usable(name) && (x.pinned == nil || !x.pinned.surface.knows(name)) {
			pairs = append(pairs, naming.Pair{Server: server, Tool: name})
			raw = append(raw, x.items[name].item.Raw)
		}
	}
	names, err := naming.Assign(scheme, pairs)
	if err != nil {
		return nil, err
	}
	listing := `{"tools":[` + string(bytes.Join(raw, []byte(","))) + `]}` // the server's bytes
	var pinned []runtime.Pinned
	for _, p := range pairs {
		hash, _, err := x.contract(p.Tool)
		if err != nil {
			hash = "" // what has no hash cannot be compared
		}
		pinned = append(pinned, runtime.Pinned{Tool: p.Tool, Name: names[p], Pin: hash})
	}
	var list []offer
	for i, t := range runtime.NewManifest(server, listing, pinned...).Tools(h) {
		list = append(list, offer{t, pinned[i].Pin})
	}
	return list, nil
}
