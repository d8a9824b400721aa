// Servers that start when they are first needed, or that nobody waits for.

package attach

import (
	"context"

	"github.com/mcpgen/mcpgen/runtime"
	"github.com/mcpgen/mcpgen/runtime/event"
)

// isLazy reports whether a server waits for its first call or listing. One without
// a manifest does not: nobody would know of its tools.
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

// expect has a server shown with the tools of its manifests until they are listed.
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

// startLocked begins to attach a server that nobody has needed so far; mu is held.
func (h *Host) startLocked(s *serverState) *reconnect {
	a := &reconnect{done: make(chan struct{})}
	s.reconnecting = a
	s.spawnLocked(func() {
		h.connecting(s)
		h.attach(s.life, s, func() {})
	})
	return a
}

// current returns the session of a server. One that was left unstarted is started
// and waited for; what is lost is not brought back.
func (h *Host) current(ctx context.Context, s *serverState) (*session, error) {
	s.mu.Lock()
	first := s.expected != nil && s.listed == nil && (s.status.State == Unstarted || s.status.State == Connecting)
	s.mu.Unlock()
	if first {
		ct := newCallTime(ctx, s.server, runtime.Options{Timeout: -1}) // bounded by its own start
		defer ct.stop()
		return h.session(ct, s)
	}
	return s.get()
}
