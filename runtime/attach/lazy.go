// Servers that are started when they are first needed, or in the background.

package attach

import (
	"context"

	"github.com/mcpgen/mcpgen/runtime"
	"github.com/mcpgen/mcpgen/runtime/attach/internal/quote"
	"github.com/mcpgen/mcpgen/runtime/endpoint"
	"github.com/mcpgen/mcpgen/runtime/event"
	"github.com/mcpgen/mcpgen/schema"
)

// Listings keeps what servers listed, from one run of a program to the next. Its methods
// are safe for concurrent use.
type Listings interface {
	// Load returns a server's last listing under the same configuration and with the same
	// declared capabilities. One without tools is not known.
	Load(server endpoint.Server, declared endpoint.Offers) Listing
	// Store keeps a listing for Load.
	Store(server endpoint.Server, declared endpoint.Offers, l Listing)
}

// Listing is what a server offered when it was used last.
type Listing struct {
	Instructions string        // of the server
	Tools        []schema.Item // in the server's order
}

// storeListing keeps the listing of a lazy server that has no manifest.
func (l *lister) storeListing(s *serverState, sess *session, x *toolIndex) {
	if s.server.Lazy && l.settings.Listings != nil && x.pinned == nil && len(x.items) > 0 {
		declared, _ := l.settings.offers(s.server)
		l.settings.Listings.Store(s.server, declared, Listing{quote.Mask(sess.handshake.instructions, sess.secrets()), x.items.inOrder()})
	}
}

// leave leaves a server unstarted; its expected tools are shown.
func (k *keeper) leave(s *serverState) {
	s.mu.Lock()
	s.set(Unstarted, nil, event.Event{Kind: event.Unstarted, Tools: s.expected.items.names()})
	s.finishReconnect(nil)
	s.mu.Unlock()
	s.notifier.notify()
}

// expect shows the tools of a server's manifest until its tools are listed. A lazy
// server without a manifest is shown with the tools of its last use. It returns false
// if neither is known.
func (l *lister) expect(s *serverState) bool {
	x := &toolIndex{items: index{}, unlisted: true}
	x.mode, x.log, x.pinned = l.settings.Drift, l.settings.log, l.pinned(s.server.Name)
	if x.pinned != nil {
		x.instructions = x.pinned.Instructions()
		tasks := runsTasks(x.pinned.Handshake())
		for name, item := range x.pinned.Tools() {
			x.items[name] = &indexedItem{item: item}
			if tasks {
				x.items[name].tasks = taskSupportOf(item.Raw)
			}
		}
	} else if s.server.Lazy && l.settings.Listings != nil {
		declared, _ := l.settings.offers(s.server)
		last := l.settings.Listings.Load(s.server, declared)
		x.instructions = last.Instructions
		for i, item := range last.Tools {
			x.items[item.Name] = &indexedItem{item: item, place: i}
		}
	}
	if x.pinned == nil && len(x.items) == 0 {
		return false
	}
	s.mu.Lock()
	s.expected = x
	s.mu.Unlock()
	return true
}

// startLocked begins to attach a server that was left unstarted; mu is held.
func (k *keeper) startLocked(s *serverState) *reconnect {
	a := &reconnect{done: make(chan struct{})}
	s.reconnecting = a
	s.spawnLocked(func() {
		k.connecting(s)
		k.attach(s.life, s, func() {})
	})
	return a
}

// current returns the session of a server. An unstarted server is started and waited
// for; a lost server is not reconnected.
func (k *keeper) current(ctx context.Context, s *serverState) (*session, error) {
	s.mu.Lock()
	first := s.expected != nil && s.listed == nil && (s.status.State == Unstarted || s.status.State == Connecting)
	s.mu.Unlock()
	if first {
		ct := newCallTime(ctx, s.server, runtime.Options{Timeout: -1}) // bounded by the start timeout
		defer ct.stop()
		return k.session(ct, s)
	}
	return s.get()
}
