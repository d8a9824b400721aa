// The level from which on servers send what they log.

package attach

import (
	"context"
	"sync"
)

// SetLogLevel sets the lowest level of the log messages that servers send, such as
// warning, for ready servers and for servers that become ready later. It returns when the
// ready ones have answered, within [logLevelTime] or until ctx ends. Servers since 2026-07-28
// are not asked: there each request says what its caller wants (_meta, logLevel), see
// [runtime.WithMeta]. Without a level each server decides.
func (h *Host) SetLogLevel(ctx context.Context, level string) {
	h.keeper.logLevel.Store(&level)
	var asked sync.WaitGroup
	for _, s := range h.all() {
		for _, s := range append(s.callers.of(func(asker) bool { return true }), s) {
			if sess, err := s.get(); err == nil {
				asked.Go(func() { h.keeper.sendLogLevel(ctx, sess) })
			}
		}
	}
	asked.Wait()
}
