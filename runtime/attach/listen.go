// Being told of changes since 2026-07-28: a request that stays open, and on which
// the server speaks. Before that servers speak unasked.

package attach

import (
	"context"
	"encoding/json"
	"errors"
	"time"

	"github.com/mcpgen/mcpgen/runtime"
	"github.com/mcpgen/mcpgen/runtime/attach/internal/wire"
)

const (
	methodListen      = "subscriptions/listen"
	notifyTools       = "notifications/tools/list_changed"
	listenPause       = time.Second // before a stream that ended is opened again, doubling
	listenPauseMax    = time.Minute
	listenPauseReturn = time.Minute // a stream that was open for so long begins with the first pause again
)

// listener is a carrier on which a request can stay open. What the server says
// meanwhile reaches the session as any notification does.
type listener interface {
	// listen sends a request of the method subscriptions/listen and returns when
	// it has ended: with the context's error, with that of the server, or with
	// nil or another error if the stream ended and may be opened again.
	listen(ctx context.Context, params json.RawMessage) error
}

// listen keeps a stream open for as long as the session lives. Whenever it was
// closed something may have been missed, so that the tools are listed afresh.
func (h *Host) listen(ctx context.Context, s *slot, sess *session, l listener) {
	r := &request{method: methodListen, meta: sess.meta, members: []member{
		{"notifications", json.RawMessage(`{"toolsListChanged":true}`)},
	}}
	params := r.params("")
	wait := listenPause
	for {
		opened := time.Now()
		err := l.listen(ctx, params)
		var rpc *runtime.RPCError
		if errors.As(err, &rpc) {
			h.settings.log.Debug("the server does not tell of changes", "server", s.server.Name, "error", sess.mask(rpc.Error()))
			return // tools are listed afresh from time to time all the same
		}
		if time.Since(opened) >= listenPauseReturn {
			wait = listenPause
		}
		if !sess.lives(ctx, wait) {
			return
		}
		sess.noteChange()
		wait = min(2*wait, listenPauseMax)
	}
}

// announces reports whether the server declares that it tells of changes of its
// tools.
func (h *hello) announces() bool {
	var caps struct {
		Tools struct {
			ListChanged bool `json:"listChanged"`
		} `json:"tools"`
	}
	return json.Unmarshal(h.capabilities, &caps) == nil && caps.Tools.ListChanged
}

func (w *wired) listen(ctx context.Context, params json.RawMessage) error {
	_, err := w.conn.Call(ctx, methodListen, params, wire.CallOptions{})
	return err
}
