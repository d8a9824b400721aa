// Following a resource over the sessions of its server. What is done over one of them is
// for [Options.Updates].

package attach

import (
	"context"
	"encoding/json"
	"errors"

	"github.com/mcpgen/mcpgen/internal/jsontext"
	"github.com/mcpgen/mcpgen/internal/stage"
	"github.com/mcpgen/mcpgen/runtime"
	"github.com/mcpgen/mcpgen/runtime/attach/internal/wire"
)

// Updates follows resources over one session: see [Options.Updates].
type Updates interface {
	// Tell is called when the server says that a resource, or a part of it, is another; ""
	// is any. It must not block.
	Tell(uri string)
	// Follow follows a resource: updated is called at the beginning and whenever the
	// resource may be another, until ctx or the session ends. The error says why it
	// ended; nil is the end of the session.
	Follow(ctx context.Context, s UpdateSession, uri string, updated func()) error
}

// UpdateSession is what [Updates] knows of a session.
type UpdateSession struct {
	IsModern bool            // it speaks 2026-07-28 or later
	Done     <-chan struct{} // closed when it has ended
	Closing  func() bool     // this side ends it
	// Send makes a request with one parameter, and waits for its end.
	Send func(ctx context.Context, method, param string, value json.RawMessage) error
}

var (
	// errNoUpdates is a server that cannot be followed.
	errNoUpdates error = &failure{
		text: "the server does not say when resources change (its capabilities have no resources.subscribe): read the resource again when you need it",
		errs: []error{runtime.ErrUnavailable},
	}
	// errNoFollowing is a program that follows nothing.
	errNoFollowing error = &failure{
		text: "nothing in this program follows resources: set attach.Options.Updates to updates.New of the package runtime/attach/updates",
		errs: []error{runtime.ErrUnavailable},
	}
)

// noteAcknowledged is the beginning of a stream of notifications.
const noteAcknowledged = "notifications/subscriptions/acknowledged"

// follow follows a resource until the context ends, over as many sessions as that takes.
func (h *Host) follow(ct *callTime, state *serverState, req runtime.Request) delivery {
	if h.settings.Updates == nil {
		return delivery{stage: stage.Route, err: errNoFollowing}
	}
	ctx, cancel := context.WithCancel(ct.ctx)
	defer cancel()
	defer context.AfterFunc(state.life, cancel)()
	updated := req.Options.OnUpdated
	if updated == nil {
		updated = func() {}
	}
	for {
		sess, err := h.session(ct, state)
		if err != nil {
			return delivery{stage: stage.Connect, err: err}
		}
		if !sess.handshake.subscribes() {
			return delivery{sess: sess, stage: stage.Route, err: errNoUpdates}
		}
		if err := sess.judgeRequest(ct, req); err != nil {
			return delivery{sess: sess, stage: stage.Drift, err: err}
		}
		err = sess.updates.Follow(ctx, sess.forUpdates(), req.Name, updated)
		if state.life.Err() != nil {
			return delivery{sess: sess, stage: stage.Route, err: errDetached}
		}
		if lost := (*wire.LostError)(nil); err == nil || errors.As(err, &lost) || errors.Is(err, wire.ErrClosed) {
			select {
			case <-sess.done():
				continue // the next session follows it
			case <-ctx.Done():
			}
		}
		return delivery{sess: sess, stage: stage.Receive, sent: true, err: sess.explain(ct, err)}
	}
}

func (s *session) forUpdates() UpdateSession {
	return UpdateSession{
		IsModern: s.isModern(), Done: s.done(), Closing: s.closing.Load,
		Send: func(ctx context.Context, method, param string, value json.RawMessage) error {
			_, _, err := s.roundTrips(ctx, &request{method: method, members: []member{{param, value}}})
			return err
		},
	}
}

// subscribes reports whether a server says when resources change.
func (h *handshakeResult) subscribes() bool {
	return string(jsontext.Member(jsontext.Member(h.capabilities, "resources"), "subscribe")) == "true"
}
