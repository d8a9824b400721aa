// The level from which on servers send what they log.

package attach

import (
	"context"

	"github.com/mcpgen/mcpgen/runtime/attach/internal/wire"
)

// SetLogLevel has servers send what they log from a level on, such as warning: those that
// are connected and those that will be. It does not wait for them. Servers since 2026-07-28
// are not asked: each request says what its caller wants (_meta, logLevel), as
// [runtime.WithMeta] puts it there. Without a level each server decides.
func (h *Host) SetLogLevel(level string) {
	h.logLevel.Store(&level)
	for _, s := range h.all() {
		if sess, err := s.get(); err == nil {
			s.spawn(func() { h.sendLogLevel(s, sess) })
		}
	}
}

// sendLogLevel asks a server for its log from the level on that counts. An error is no
// matter: then the server decides.
func (h *Host) sendLogLevel(s *serverState, sess *session) {
	level := h.logLevel.Load()
	if level == nil || sess.isModern() || !sess.handshake.has("logging") {
		return
	}
	ctx, cancel := context.WithTimeout(s.life, s.server.Timeout.WithDefaults().Start)
	defer cancel()
	_, _ = sess.Call(ctx, "logging/setLevel", []byte(`{"level":`+string(quoted(*level))+`}`), wire.CallOptions{})
}
