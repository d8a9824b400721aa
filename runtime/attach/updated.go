// Subscriptions to resources that last over several sessions of a server.

package attach

import (
	"context"
	"errors"

	"github.com/mcpgen/mcpgen/internal/jsontext"
	"github.com/mcpgen/mcpgen/internal/stage"
	"github.com/mcpgen/mcpgen/runtime"
	"github.com/mcpgen/mcpgen/runtime/attach/internal/wire"
)

// errNoUpdates is the error of a server that does not report changed resources.
var errNoUpdates error = &failure{
	text: "the server does not say when resources change (its capabilities have no resources.subscribe): read the resource again when you need it",
	errs: []error{runtime.ErrUnavailable},
}

// noteAcknowledged begins a stream of notifications.
const noteAcknowledged = "notifications/subscriptions/acknowledged"

// follow subscribes to a resource until the context ends, over any number of
// sessions.
func (i innermost) follow(ct *callTime, state *serverState, req runtime.Request) delivery {
	ctx, cancel := context.WithCancel(ct.ctx)
	defer cancel()
	defer context.AfterFunc(state.life, cancel)()
	updated := req.Options.OnUpdated
	if updated == nil {
		updated = func() {}
	}
	for {
		sess, err := i.h.keeper.session(ct, state)
		if err != nil {
			return delivery{stage: stage.Connect, err: err}
		}
		if !sess.handshake.subscribes() {
			return delivery{sess: sess, stage: stage.Route, err: errNoUpdates}
		}
		if _, err := i.h.keeper.admit(ct, state, sess, req); err != nil {
			return delivery{sess: sess, stage: stage.Drift, err: err}
		}
		err = sess.updates.follow(ctx, sess, req.Name, updated)
		if state.life.Err() != nil {
			return delivery{sess: sess, stage: stage.Route, err: errDetached}
		}
		if lost := (*wire.LostError)(nil); err == nil || errors.As(err, &lost) || errors.Is(err, wire.ErrClosed) {
			select {
			case <-sess.done():
				continue // the next session subscribes again
			case <-ctx.Done():
			}
		}
		return delivery{sess: sess, stage: stage.Receive, sent: true, err: sess.explain(ct, err)}
	}
}

// subscribes reports whether a server reports changed resources.
func (h *handshakeResult) subscribes() bool {
	return string(jsontext.Member(jsontext.Member(h.capabilities, "resources"), "subscribe")) == "true"
}
