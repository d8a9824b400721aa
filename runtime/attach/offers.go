// The tools of a host as programs register them: named, pinned, and only those
// that may be called.

package attach

import (
	"bytes"
	"cmp"
	"slices"
	"sync"

	"github.com/mcpgen/mcpgen/runtime"
	"github.com/mcpgen/mcpgen/runtime/attach/internal/quote"
	"github.com/mcpgen/mcpgen/runtime/naming"
)

// Tools returns the tools that may be called now, as a registry wants them: those of
// [Options.Native] first, then servers in the order of [Host.Status], and the tools of
// each in the order of their names. They call through the host, so through its
// middleware.
//
// Of a server with a manifest these are the generated tools, with their pinned
// texts and schemas, less those that are quarantined; what is new there stays
// hidden unless the mode is [DriftWarn] or [DriftOff]. Of other servers they are
// the listed ones, as they are listed, named by [Options.Naming]; a call carries
// the hash of what was listed, so that a tool which changes between being shown
// and being called is reported. Tools of servers that have failed, and those that run
// as tasks only, are left out. Of a server that is not started yet
// ([Options.Lazy]) they are the generated ones.
//
// Tools that ask for one name each get a suffix of their own wire name, a generated
// one keeps the name it was generated with, and an event of kind
// [runtime.EventNotice] names them: see [naming.Assign]. A name never passes to
// another tool while the servers offer the same, whichever of them are up.
//
// The error is of [Options.Naming], where no name can be made by it.
func (h *Host) Tools() ([]runtime.Tool, error) {
	var all []runtime.Tool
	for _, t := range h.native {
		all = append(all, offer{Tool: t})
	}
	for _, s := range h.all() {
		offers, err := h.offersOf(s)
		if err != nil {
			return nil, err
		}
		for _, o := range offers {
			all = append(all, o)
		}
	}
	return all, nil
}

// Specs describes the tools of one server that [Host.Tools] returns; those of
// [Options.Native] for "". Nil: no server has the name, or it has none now.
func (h *Host) Specs(server string) []runtime.Spec {
	var specs []runtime.Spec
	if server == "" {
		for _, t := range h.native {
			specs = append(specs, t.Spec())
		}
		return specs
	}
	s := h.serverState(server)
	if s == nil {
		return nil
	}
	offers, err := h.offersOf(s)
	if err != nil {
		return nil // names that cannot be made are for Tools to report
	}
	for _, o := range offers {
		specs = append(specs, o.Spec())
	}
	return specs
}

// About is what is said of the use of a server.
type About struct {
	Description  string // by its configuration; "" if that says nothing
	Instructions string // by the server, or by its manifest if it has one; not made fit to be shown
}

// About returns what is said of the use of a server that is ready, or not started
// yet; false for any other.
func (h *Host) About(server string) (about About, ok bool) {
	s := h.serverState(server)
	if s == nil {
		return about, false
	}
	about.Description = s.server.Description
	if x := s.offered(); x != nil && x.unlisted {
		about.Instructions = x.pinned.instructions
		return about, true
	}
	sess, err := s.get()
	if err != nil {
		return about, false
	}
	x := sess.tools.Load()
	about.Instructions = sess.handshake.instructions
	if x.pinned != nil && x.mode != DriftOff {
		about.Instructions = x.pinned.instructions
	}
	about.Instructions = sess.mask(about.Instructions)
	return about, true
}

// offer is a tool with what it was listed as.
type offer struct {
	runtime.Tool
	pin  string
	name string // in place of the one that it was generated with; "" is that one
	id   string
}

func (o offer) Spec() runtime.Spec {
	spec := o.Tool.Spec()
	spec.Name, spec.ID = cmp.Or(o.name, spec.Name), cmp.Or(o.id, spec.ID)
	return spec
}

// offers are the offers of one listing, made when first asked for and when other
// servers make other names necessary.
type offers struct {
	mu    sync.Mutex
	names []string // that the list was made with
	list  []offer
}

// offersOf returns the tools of one server that may be called.
func (h *Host) offersOf(s *serverState) ([]offer, error) {
	for range 3 { // what is listed anew meanwhile has no name yet
		x := s.offered()
		if x == nil {
			return nil, nil
		}
		assigned, err := h.toolNames()
		if err != nil {
			return nil, err
		}
		var names []string
		for _, p := range x.pairs(s.server.Name) {
			names = append(names, assigned[p])
		}
		if !slices.Contains(names, "") {
			return x.offers.named(names, func() []offer { return x.offer(h, s.server.Name, assigned) }), nil
		}
	}
	return nil, nil // it is detached, or lists other tools all the time: an event follows
}

// named returns the offers under these names.
func (o *offers) named(names []string, offer func() []offer) []offer {
	o.mu.Lock()
	defer o.mu.Unlock()
	if o.list == nil || !slices.Equal(o.names, names) {
		o.list, o.names = offer(), names
	}
	return o.list
}

// toolNames are the names of all tools that the servers of a host list, made anew
// when one of them lists others.
type toolNames struct {
	mu       sync.Mutex
	of       []*toolIndex
	assigned map[naming.Pair]string
	reported map[string]bool // clashes
}

// toolNames names the tools of all servers, also of those that are down: a name
// must not go to another tool because its own is away.
func (h *Host) toolNames() (map[naming.Pair]string, error) {
	states := h.all()
	listed := make([]*toolIndex, len(states))
	for i, s := range states {
		s.mu.Lock()
		if listed[i] = s.listed; listed[i] == nil {
			listed[i] = s.expected
		}
		s.mu.Unlock()
	}
	t := &h.names
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.assigned != nil && slices.Equal(t.of, listed) {
		return t.assigned, nil
	}
	var pairs []naming.Pair
	held := map[naming.Pair]string{}
	for _, t := range h.native {
		pair := naming.Pair{Tool: t.Spec().Name}
		pairs, held[pair] = append(pairs, pair), pair.Tool
	}
	for i, s := range states {
		if pinned := h.pinned(s.server.Name); pinned != nil {
			for pair, name := range pinned.names(s.server.Name) {
				pairs, held[pair] = append(pairs, pair), name
			}
		}
		if listed[i] != nil {
			pairs = append(pairs, listed[i].pairs(s.server.Name)...)
		}
	}
	assigned, clashes, err := naming.Assign(h.settings.Naming, pairs, held)
	if err != nil {
		return nil, err
	}
	for _, c := range clashes {
		if text := quote.Line(c.String(), 1000); !t.reported[text] {
			if t.reported == nil || len(t.reported) > maxReported {
				t.reported = map[string]bool{}
			}
			t.reported[text] = true
			h.notifier.event(runtime.Event{Kind: runtime.EventNotice, Detail: text})
		}
	}
	t.of, t.assigned = listed, assigned
	return assigned, nil
}

// maxReported bounds the clashes that a host remembers to have reported.
const maxReported = 1000

// names are the names that generated tools were generated with.
func (p *pinnedServer) names(server string) map[naming.Pair]string {
	out := map[naming.Pair]string{}
	for _, m := range p.manifests {
		for _, pin := range m.Pins() {
			pair := naming.Pair{Server: server, Tool: pin.Tool}
			if _, given := out[pair]; !given {
				out[pair] = pin.Name
			}
		}
	}
	return out
}

// pairs are the listed tools and the pinned ones, as far as they can be called at
// all.
func (x *toolIndex) pairs(server string) []naming.Pair {
	var out []naming.Pair
	for _, name := range x.names() {
		if !x.items[name].asTask && (x.pinned == nil || x.showsNew() || x.pinned.surface.knows(name)) {
			out = append(out, naming.Pair{Server: server, Tool: name})
		}
	}
	return out
}

// showsNew reports whether tools that no manifest knows are offered.
func (x *toolIndex) showsNew() bool {
	return x.pinned == nil || x.mode == DriftWarn || x.mode == DriftOff
}

// offered returns the listing of a server that is there, or is being brought
// back, and what is expected of one that was left unstarted; nil of one that is
// not there.
func (s *serverState) offered() *toolIndex {
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

func (x *toolIndex) offer(h *Host, server string, names map[naming.Pair]string) []offer {
	list := []offer{}
	given := map[string]bool{}
	if x.pinned != nil {
		for _, m := range x.pinned.manifests {
			pins := m.Pins()
			for i, t := range m.Tools(h) {
				if tool := pins[i].Tool; x.usable(tool) && !given[tool] {
					given[tool] = true
					list = append(list, offer{t, pins[i].Pin, names[naming.Pair{Server: server, Tool: tool}], h.settings.Naming.Qualify(server, tool)})
				}
			}
		}
	}
	if x.showsNew() {
		list = append(list, x.live(h, server, names)...)
	}
	return list
}

// live returns the tools that no manifest knows, as they are listed.
func (x *toolIndex) live(h *Host, server string, names map[naming.Pair]string) []offer {
	var (
		pinned []runtime.Pinned
		raw    [][]byte
	)
	for _, name := range x.names() {
		if !x.usable(name) || x.pinned != nil && x.pinned.surface.knows(name) {
			continue
		}
		hash, _, err := x.contract(name)
		if err != nil {
			hash = "" // what has no hash cannot be compared
		}
		pinned = append(pinned, runtime.Pinned{Tool: name, Name: names[naming.Pair{Server: server, Tool: name}], Pin: hash})
		raw = append(raw, x.items[name].item.Raw)
	}
	listing := `{"tools":[` + string(bytes.Join(raw, []byte(","))) + `]}` // the server's bytes
	var list []offer
	for i, t := range runtime.NewManifest(server, listing, pinned...).Tools(h) {
		list = append(list, offer{Tool: t, pin: pinned[i].Pin, id: h.settings.Naming.Qualify(server, pinned[i].Tool)})
	}
	return list
}
