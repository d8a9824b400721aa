// Servers that are started when they are first needed, or in the background.

package attach

import (
	"context"

	"github.com/mcpgen/mcpgen/runtime"
	"github.com/mcpgen/mcpgen/runtime/event"
)

// isLazy reports whether a server is started by its first call or listing. A server
// without a manifest is not lazy, since its tools would be unknown.
func (h *Host) isLazy(s *serverState) bool {
	return (s.server.Lazy || s.callers != nil) && h.pinned(s.server.Name) != nil
}

// leave leaves a server unstarted.
func (h *Host) leave(s *serverState) {
	h.expect(s)
	s.mu.Lock()
	s.set(Unstarted, nil, event.Event{Kind: event.Unstarted, Tools: s.expected.items.names()})
	s.finishReconnect(nil)
	s.mu.Unlock()
	s.notifier.notify()
}

// expect shows the tools of a server's manifest until its tools are listed.
func (h *Host) expect(s *serverState) {
	p := h.pinned(s.server.Name)
	if p == nil {
		return
	}
	x := &toolIndex{items: index{}, unlisted: true}
	x.mode, x.log, x.pinned = h.driftMode(), h.settings.log, p
	for name, item := range p.Tools() {
		x.items[name] = &indexedItem{item: item}
	}
	s.mu.Lock()
	s.expected = x
	s.mu.Unlock()
}

// startLocked begins to attach a server that was left unstarted; mu is held.
func (h *Host) startLocked(s *serverState) *reconnect {
	a := &reconnect{done: make(chan struct{})}
	s.reconnecting = a
	s.spawnLocked(func() {
		h.connecting(s)
		h.attach(s.life, s, func() {})
	})
	return a
}

// current returns the session of a server. An unstarted server is started and waited
// for; a lost server is not reconnected.
func (h *Host) current(ctx context.Context, s *serverState) (*session, error) {
	s.mu.Lock()
	first := s.expected != nil && s.listed == nil && (s.status.State == Unstarted || s.status.State == Connecting)
	s.mu.Unlock()
	if first {
		ct := newCallTime(ctx, s.server, runtime.Options{Timeout: -1}) // bounded by the start timeout
		defer ct.stop()
		return h.session(ct, s)
	}
	return s.get()
}
