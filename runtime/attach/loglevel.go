// The level from which on servers send what they log.

package attach

import (
	"context"

	"github.com/mcpgen/mcpgen/runtime/attach/internal/wire"
)

// SetLogLevel asks servers for log messages of a level, such as warning, and above.
// It asks the connected servers, without waiting for answers, and each server that
// connects later. Servers since 2026-07-28 are not asked: there each request has the
// level of its caller (_meta, logLevel; see [runtime.WithMeta]). Without a call of
// SetLogLevel each server decides.
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
