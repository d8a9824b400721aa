// What the servers of a host offer, for whatever makes tools of it.

package attach

import (
	"cmp"
	"encoding/json"
	"strings"

	"github.com/mcpgen/mcpgen/runtime/endpoint"
	"github.com/mcpgen/mcpgen/runtime/event"
)

// Offered is what one server offers by one listing, or by its manifests if it is not
// started yet. The zero value offers nothing. Two are equal if nothing has changed
// between them.
type Offered struct{ listing *toolIndex }

// Offered returns what a server offers. Present is false of one that has failed, was
// closed or is not attached; what it offered last is returned all the same.
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

// isPresent reports whether a server is there, is being brought back, or was left
// unstarted; mu is held.
func (s *serverState) isPresent() bool {
	return s.status.State != Failed && s.status.State != Closed
}

// offered returns the listing of a server that is present; nil of any other.
func (s *serverState) offered() *toolIndex {
	s.mu.Lock()
	defer s.mu.Unlock()
	if !s.isPresent() {
		return nil
	}
	return cmp.Or(s.listed, s.expected)
}

// Names returns the names of the tools that may be shown, in the server's order. Those that
// are new to the server's manifest are left out, unless the mode is [DriftWarn] or
// [DriftOff].
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

// Allows reports whether a tool is offered, and calls of it are let through.
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

// Definition returns a tool that is offered, as it was listed.
func (o Offered) Definition(tool string) json.RawMessage { return o.listing.items[tool].item.Raw }

// Contract returns the contract hash of a tool; "" of one without.
func (o Offered) Contract(tool string) string {
	hash, _, err := o.listing.items.contract(tool)
	if err != nil {
		return "" // what has no hash cannot be compared
	}
	return hash
}

// Resources returns what the configuration of a server says of its resources; "" of one
// that is not attached.
func (h *Host) Resources(server string) endpoint.Resources {
	if s := h.serverState(server); s != nil {
		return s.server.Resources
	}
	return ""
}

// Judge returns [Options.Judge]: pinned.Manifests reads the manifests that it goes by.
func (h *Host) Judge() Judge { return h.settings.Judge }

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
		about.Instructions = x.pinned.Instructions()
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
	about.Instructions = sess.mask(about.Instructions)
	return about, true
}

// Notice reports an event of kind [event.Notice], as what goes wrong beside
// calls is reported. Err may be nil.
func (h *Host) Notice(detail string, err error) {
	h.notifier.event(event.Event{Kind: event.Notice, Detail: strings.Join(strings.Fields(detail), " "), Err: err})
}
