// What the servers of a host offer, for packages that present these tools.

package attach

import (
	"cmp"
	"encoding/json"
	"strings"

	"github.com/mcpgen/mcpgen/runtime/attach/internal/quote"
	"github.com/mcpgen/mcpgen/runtime/endpoint"
	"github.com/mcpgen/mcpgen/runtime/event"
)

// Offered holds the tools of one server: from its listing or, before the first
// listing, from its manifest. The zero value has no tools. Two values are equal if
// they are of the same listing.
type Offered struct{ listing *toolIndex }

// Offered returns what a server offers. Present is false if the server has failed,
// was closed or is not attached; its last offer is returned all the same.
func (h *Host) Offered(server string) (o Offered, present bool) {
	s := h.serverState(server)
	if s == nil {
		return Offered{}, false
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	o.listing = cmp.Or(s.listed, s.expected)
	return o, o.listing != nil && s.isPresent()
}

// isPresent reports whether a server is ready, starting, reconnecting or left
// unstarted; mu is held.
func (s *serverState) isPresent() bool {
	return s.status.State != Failed && s.status.State != Closed
}

// offered returns the listing of a server that is present, else nil.
func (s *serverState) offered() *toolIndex {
	s.mu.Lock()
	defer s.mu.Unlock()
	if !s.isPresent() {
		return nil
	}
	return cmp.Or(s.listed, s.expected)
}

// Names returns the names of the tools that may be shown, in the server's order.
// Tools that are not in the server's manifest are left out, unless the mode is
// [DriftWarn] or [DriftOff].
func (o Offered) Names() []string {
	x := o.listing
	if x == nil {
		return nil
	}
	showsNew := x.pinned == nil || x.mode == DriftWarn || x.mode == DriftOff
	var names []string
	for _, name := range x.items.names() {
		if showsNew || x.knows(name) {
			names = append(names, name)
		}
	}
	return names
}

// Allows reports whether a tool is offered and may be called.
func (o Offered) Allows(tool string) bool {
	x := o.listing
	if x == nil || x.items[tool] == nil {
		return false
	}
	return x.unlisted || x.mode.allows(x.verdict(tool).State)
}

// IsGenerated reports whether a manifest of the server has a tool.
func (o Offered) IsGenerated(tool string) bool {
	return o.listing != nil && o.listing.pinned != nil && o.listing.knows(tool)
}

// Definition returns the definition of a tool, as it was listed; nil if it is not
// offered.
func (o Offered) Definition(tool string) json.RawMessage {
	if o.listing == nil || o.listing.items[tool] == nil {
		return nil
	}
	return o.listing.items[tool].item.Raw
}

// Contract returns the contract hash of a tool; "" if it has none.
func (o Offered) Contract(tool string) string {
	hash, _, err := o.listing.items.contract(tool)
	if err != nil {
		return "" // without a hash it cannot be compared
	}
	return hash
}

// Drift returns the judgements about the tools of all servers that have a listing, by
// the current one: servers in the order of [Host.Status], and the tools of each
// sorted by name. A server that is reconnecting keeps its previous listing. Prompts,
// resources and templates are judged when a call with a pin requests them, and from
// then on with the tools of their server, for as long as its session lives. Those that
// are not as they were pinned follow these tools.
func (h *Host) Drift() []ToolDrift {
	var all []ToolDrift
	for _, s := range h.all() {
		if x := s.offered(); x != nil {
			all = append(all, x.drift(s.server.Name)...)
			all = append(all, x.itemDrift(s.server.Name)...)
		}
	}
	return all
}

// Resources returns how a server is configured to offer its resources; "" for a
// server that is not attached.
func (h *Host) Resources(server string) endpoint.Resources {
	if s := h.serverState(server); s != nil {
		return s.server.Resources
	}
	return ""
}

// Judge returns [Options.Judge]: pinned.Manifests reads its manifests.
func (h *Host) Judge() Judge { return h.settings.Judge }

// About describes what a server is for.
type About struct {
	Description  string // from its configuration; "" if it has none
	Instructions string // from its manifest, else from the server; not made fit to be shown
}

// About returns the description of a server that is ready or not started yet; false
// for any other.
func (h *Host) About(server string) (about About, ok bool) {
	s := h.serverState(server)
	if s == nil {
		return about, false
	}
	about.Description = s.server.Description
	if x := s.offered(); x != nil && x.unlisted {
		about.Instructions = x.instructions
		return about, true
	}
	sess, err := s.get()
	if err != nil {
		return about, false
	}
	x := sess.tools.Load()
	about.Instructions = sess.handshake.instructions
	if x.pinned != nil && x.mode != DriftOff {
		about.Instructions = x.pinned.Instructions()
	}
	about.Instructions = quote.Mask(about.Instructions, sess.secrets()) // models see it: no other server changes it
	return about, true
}

// Notice reports an event of kind [event.Notice]. It is for failures outside of
// calls. Err may be nil.
func (h *Host) Notice(detail string, err error) {
	h.notifier.event(event.Event{Kind: event.Notice, Detail: strings.Join(strings.Fields(detail), " "), Err: err})
}
