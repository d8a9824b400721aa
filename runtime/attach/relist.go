// Listing the tools of a live session again: when the server reports a change, when
// an error suggests one, and at regular intervals.

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

// defaultRefresh is the default of [Options.Refresh].
const defaultRefresh = 5 * time.Minute

const (
	// settleTime is how long the host waits for further reports before it lists
	// changed tools: some servers report a change for each tool.
	settleTime = 250 * time.Millisecond
	// relistGap is the shortest time between a listing and the next one that the
	// server causes.
	relistGap = time.Second
)

// refresh lists the tools again at intervals and when the server reports a change,
// until ctx or the session ends.
func (l *lister) refresh(ctx context.Context, s *serverState, sess *session) {
	var due <-chan time.Time
	if every := l.settings.Refresh; every > 0 {
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
			l.settings.notifier.event(event.Event{Kind: event.ListChanged, Server: s.server.Name, State: string(Ready)})
			if wire.Pause(ctx, sess.done(), settleTime) != nil {
				return
			}
			select {
			case <-sess.changed: // the listing that follows has these changes
			default:
			}
		}
		if err := l.relist(ctx, s, sess, sess.tools.Load(), nil); err != nil && ctx.Err() == nil {
			l.noteStale(s, err)
		}
		if wire.Pause(ctx, sess.done(), relistGap) != nil {
			return
		}
	}
}

// noteStale reports that the old listing stays in use.
func (l *lister) noteStale(s *serverState, err error) {
	l.settings.notifier.event(event.Event{Kind: event.Notice, Server: s.server.Name, State: string(Ready), Err: err,
		Detail: "the tools could not be listed afresh: " + err.Error()})
}

// relist lists the tools of a session again, within the start timeout, judges them
// and then uses the new listing for calls; the other items that calls needed follow. It waits for a listing in progress. It
// does nothing if the listing is no longer the one seen, or if want returns false. If
// it fails, the previous listing stays. The error is a *ServerError or the context's.
func (l *lister) relist(ctx context.Context, s *serverState, sess *session, seen *toolIndex, want func() bool) error {
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
			before := sess.tools.Load()
			l.judge(s, x)
			l.show(s, sess, x)
			sess.judgeItemsAgain(ctx, before, x)
		}
		return err
	})
}

// show makes a listing the current one.
func (l *lister) show(s *serverState, sess *session, x *toolIndex) {
	s.mu.Lock()
	before := sess.tools.Swap(x)
	if !x.flaps() && !x.offersSame(before) {
		sess.asked.restart()
	}
	if s.session == sess {
		s.listed = x
		s.note(listingEvents(before, x)...)
		l.prove(s)
	}
	s.mu.Unlock()
	l.storeListing(s, sess, x)
	s.notifier.notify()
}

// listingEvents returns what a listing changes. The tools of the first listing, which
// has none before it, and those of listings that alternate are not reported one by one.
func listingEvents(before, after *toolIndex) []event.Event {
	drift := driftEvents(before, after)
	if before == nil || before.flaps() && after.flaps() {
		return drift
	}
	var events []event.Event
	for _, name := range after.items.names() {
		if old, had := before.items[name]; !had {
			events = append(events, event.Event{Kind: event.ToolAdded, Tool: name})
		} else if !bytes.Equal(old.item.Raw, after.items[name].item.Raw) {
			events = append(events, event.Event{Kind: event.ToolChanged, Tool: name})
		}
	}
	for _, name := range before.items.names() {
		if after.items[name] == nil {
			events = append(events, event.Event{Kind: event.ToolRemoved, Tool: name})
		}
	}
	return append(events, drift...)
}

// The error codes of servers for calls that do not match their tools: unknown method
// or tool, invalid parameters, arguments that are missing in the headers.
var staleCodes = [...]int64{jsonrpc.CodeMethodNotFound, jsonrpc.CodeInvalidParams, mcp.CodeHeaderMismatch}

// mayBeStale reports whether an error suggests that a tool, or an item with a pin, has
// changed since it was listed.
func mayBeStale(req runtime.Request, err error) bool {
	rpc, ok := errors.AsType[*runtime.RPCError](err)
	return (req.Method == protocol.MethodCallTool || req.Pin != "") && ok && slices.Contains(staleCodes[:], rpc.Code)
}

// recheckListing lists the tools again after an answer that suggests that the listing
// seen is stale. A call that is judged, by its pin or a manifest, waits for the new
// listing, and its error says whether drift was the reason. Calls request at most one
// such listing a second; within that second the next listing shows the change.
func (l *lister) recheckListing(ct *callTime, s *serverState, sess *session, seen *toolIndex, req runtime.Request) error {
	if req.Pin == "" && seen.verdicts == nil {
		wire.Wake(sess.changed)
		return nil
	}
	err := l.relist(ct.ctx, s, sess, seen, func() bool { return sess.asked.due(s.now(), false) })
	if sameListing(sess.tools.Load(), seen) {
		wire.Wake(sess.changed)
	}
	if err != nil {
		return nil //nolint:nilerror // what the server said to the call is what counts
	}
	return sess.judgeRequest(ct, req)
}

// admit returns whether a request may be sent, and the listing that decides. A
// refused request may have the server listed again before it fails, at growing
// intervals: the listing may come from another version of the server than the
// answers. It does not wait for listings that other calls request.
func (l *lister) admit(ct *callTime, s *serverState, sess *session, req runtime.Request) (*toolIndex, error) {
	seen := sess.tools.Load()
	err := sess.judgeRequest(ct, req)
	if !errors.Is(err, runtime.ErrDrift) || !sess.asked.due(s.now(), true) {
		return seen, err
	}
	if l.relist(ct.ctx, s, sess, seen, nil) != nil {
		return seen, err // the refusal remains
	}
	return sess.tools.Load(), sess.judgeRequest(ct, req)
}
