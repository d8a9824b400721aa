// Listing the tools of a live session afresh: when the server says that they have
// changed, when an error suggests it, and from time to time.

package attach

import (
	"bytes"
	"context"
	"errors"
	"slices"
	"time"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/mcpgen/mcpgen/runtime"
	"github.com/mcpgen/mcpgen/runtime/attach/internal/wire"
	"github.com/mcpgen/mcpgen/runtime/event"
	"github.com/mcpgen/mcpgen/runtime/protocol"
)

// DefaultRefresh is how often tools are listed afresh if [Options] names no
// other time.
const DefaultRefresh = 5 * time.Minute

const (
	// settleTime is how long a server that says that its tools changed
	// may go on saying so before they are listed: some say it at each tool.
	settleTime = 250 * time.Millisecond
	// relistGap is how long after a listing there is no other one for the
	// server's sake.
	relistGap = time.Second
)

// tend looks after a session until it ends: it notices the loss, and keeps the
// listing fresh.
func (h *Host) tend(s *serverState, sess *session) {
	h.refresh(s.life, s, sess)
	if s.life.Err() == nil {
		h.lost(s, sess)
	}
}

// refresh lists the tools afresh when there is reason to, until ctx or the
// session ends.
func (h *Host) refresh(ctx context.Context, s *serverState, sess *session) {
	var due <-chan time.Time
	if every := h.settings.Refresh; every > 0 {
		due = time.Tick(every)
	}
	for {
		select {
		case <-ctx.Done():
			return
		case <-sess.done():
			return
		case <-due:
		case <-sess.changed:
			h.notifier.event(event.Event{Kind: event.ListChanged, Server: s.server.Name, State: string(Ready)})
			if !sess.lives(ctx, settleTime) {
				return
			}
			select {
			case <-sess.changed: // they are in the listing that follows
			default:
			}
		}
		if err := h.relist(ctx, s, sess, sess.tools.Load(), nil); err != nil && ctx.Err() == nil {
			h.notifier.event(event.Event{Kind: event.Notice, Server: s.server.Name, State: string(Ready), Err: err,
				Detail: "the tools could not be listed afresh: " + err.Error()})
		}
		if !sess.lives(ctx, relistGap) {
			return
		}
	}
}

// lives waits; false if ctx or the session ends before.
func (s *session) lives(ctx context.Context, d time.Duration) bool {
	select {
	case <-time.After(d):
		return true
	case <-ctx.Done():
	case <-s.done():
	}
	return false
}

// relist lists the tools of a session afresh, within the start timeout, has them
// judged and then shows them to calls. Nothing is done if there is another
// listing by now than the one that was seen, or if want says no; what is on its
// way is waited for. The listing before stays where this one fails. The error is
// a *ServerError.
func (h *Host) relist(ctx context.Context, s *serverState, sess *session, seen *toolIndex, want func() bool) error {
	select {
	case sess.listing <- struct{}{}:
		defer func() { <-sess.listing }()
	case <-ctx.Done():
		return contextError(ctx)
	}
	if !sameListing(sess.tools.Load(), seen) || want != nil && !want() {
		return nil
	}
	return sess.listWithin(ctx, "the tools were not listed within %v", func(ctx context.Context) error {
		x, err := sess.takeTools(ctx)
		if err == nil {
			h.judge(s, x)
			h.show(s, sess, x)
		}
		return err
	})
}

// show makes a listing the one that counts.
func (h *Host) show(s *serverState, sess *session, x *toolIndex) {
	s.mu.Lock()
	before := sess.tools.Swap(x)
	if !x.flaps() && !x.offersSame(before) {
		sess.asked.restart()
	}
	if s.session == sess {
		s.listed = x
		s.compare(before, x)
		s.noteDrift(before, x)
		h.prove(s)
	}
	s.mu.Unlock()
	s.notifier.notify()
}

// compare notes the difference between two listings, unless the server alternates
// between them; mu is held.
func (s *serverState) compare(before, after *toolIndex) {
	if before.flaps() && after.flaps() {
		return
	}
	for _, name := range after.items.names() {
		if old, had := before.items[name]; !had {
			s.note(event.Event{Kind: event.ToolAdded, Tool: name})
		} else if !bytes.Equal(old.item.Raw, after.items[name].item.Raw) {
			s.note(event.Event{Kind: event.ToolChanged, Tool: name})
		}
	}
	for _, name := range before.items.names() {
		if after.items[name] == nil {
			s.note(event.Event{Kind: event.ToolRemoved, Tool: name})
		}
	}
}

// The error codes with which a server answers calls that do not fit its tools:
// unknown method or tool, invalid parameters, arguments that should have come as
// headers.
var staleCodes = [...]int64{jsonrpc.CodeMethodNotFound, jsonrpc.CodeInvalidParams, mcp.CodeHeaderMismatch}

// mayBeStale reports whether an error may mean that the tools are not those that
// were listed.
func mayBeStale(req runtime.Request, err error) bool {
	rpc, ok := errors.AsType[*runtime.RPCError](err)
	return req.Method == protocol.MethodCallTool && ok && slices.Contains(staleCodes[:], rpc.Code)
}

// recheckListing lists the tools afresh after an answer that suggests that the listing
// seen when the call was sent is stale. A call that is judged, by its pin or a
// manifest, waits for that, and its caller learns whether drift was the reason. A
// server is asked for at most one such listing a second; within that second the
// next listing shows it.
func (h *Host) recheckListing(ct *callTime, s *serverState, sess *session, seen *toolIndex, req runtime.Request) error {
	if req.Pin == "" && seen.verdicts == nil {
		wire.Wake(sess.changed)
		return nil
	}
	err := h.relist(ct.ctx, s, sess, seen, func() bool { return sess.asked.due(s.now(), false) })
	if sameListing(sess.tools.Load(), seen) {
		wire.Wake(sess.changed)
	}
	if err != nil {
		return nil //nolint:nilerror // what the server said to the call is what counts
	}
	return sess.judgeRequest(ct, req)
}

// admit says whether a request may be sent, and by which listing of tools. A refused call
// of a tool may have the tools listed afresh before it fails, at growing intervals: the
// listing by which it is refused may be of another version of the server than the one that
// answers now. What other calls ask for is not waited for.
func (h *Host) admit(ct *callTime, s *serverState, sess *session, req runtime.Request) (*toolIndex, error) {
	seen := sess.tools.Load()
	err := sess.judgeRequest(ct, req)
	if req.Method != protocol.MethodCallTool || !errors.Is(err, runtime.ErrDrift) || !sess.asked.due(s.now(), true) {
		return seen, err
	}
	if h.relist(ct.ctx, s, sess, seen, nil) != nil {
		return seen, err // the refusal stands
	}
	return sess.tools.Load(), sess.judgeRequest(ct, req)
}
