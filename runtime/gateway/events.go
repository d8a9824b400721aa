// The events of streams, for callers that resume them.

package gateway

import (
	"context"
	"errors"
	"iter"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/mcpgen/mcpgen/internal/jsontext"
)

// Bounds of the events that are kept, in bytes.
const (
	eventsOfCaller = 10 << 20
	eventsOfAll    = 128 << 20 // with many callers, each has an equal part
)

// callerEvents are the events of one caller. Each has its own, so that no caller can displace
// the events of another one.
type callerEvents struct {
	*mcp.MemoryEventStore
	sessions int
}

// share bounds the events of each caller; mu is held.
func (t *sessionTable) share() {
	for _, own := range t.events {
		own.SetMaxBytes(min(eventsOfCaller, eventsOfAll/len(t.events)))
	}
}

// Open implements [mcp.EventStore]. The first stream of a session has no name. It is opened for
// the request that begins the session, before the caller can know the session's ID.
func (t *sessionTable) Open(ctx context.Context, session, stream string) error {
	t.mu.Lock()
	defer t.mu.Unlock()
	if s, ok := ctx.Value(beginning{}).(*heldSession); ok && stream == "" && s.events == nil {
		delete(t.by, s.id)
		s.id = session
		t.by[session] = s
		if s.events = t.events[s.caller]; s.events == nil {
			s.events = &callerEvents{MemoryEventStore: mcp.NewMemoryEventStore(nil)}
			t.events[s.caller] = s.events
			t.share()
		}
		s.events.sessions++
	}
	s := t.by[session]
	if s == nil || s.events == nil {
		return errors.New("the session has ended")
	}
	return s.events.Open(ctx, session, stream)
}

// Append implements [mcp.EventStore]. The SDK stores the answer to a request before it sends
// the answer. From then on, the caller may use the ID again.
func (t *sessionTable) Append(ctx context.Context, session, stream string, data []byte) error {
	if id := jsontext.Present(jsontext.Member(data, "id")); id != nil && jsontext.Member(data, "method") == nil {
		t.answered(session, textOf(id))
	}
	if own := t.eventsOf(session); own != nil {
		return own.Append(ctx, session, stream, data)
	}
	return nil // it has ended
}

// After implements [mcp.EventStore].
func (t *sessionTable) After(ctx context.Context, session, stream string, index int) iter.Seq2[[]byte, error] {
	if own := t.eventsOf(session); own != nil {
		return own.After(ctx, session, stream, index)
	}
	return func(yield func([]byte, error) bool) { yield(nil, mcp.ErrEventsPurged) }
}

// eventsOf returns the events of a session's caller; nil if the session is not known.
func (t *sessionTable) eventsOf(session string) *callerEvents {
	t.mu.Lock()
	defer t.mu.Unlock()
	if s := t.by[session]; s != nil {
		return s.events
	}
	return nil
}

// SessionClosed implements [mcp.EventStore]: nothing is kept of a session that has ended.
func (t *sessionTable) SessionClosed(ctx context.Context, session string) error {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.drop(ctx, session)
}

// drop forgets a session; mu is held.
func (t *sessionTable) drop(ctx context.Context, session string) error {
	s := t.by[session]
	delete(t.by, session)
	if s == nil || s.events == nil {
		return nil
	}
	if s.events.sessions--; s.events.sessions == 0 {
		delete(t.events, s.caller)
		t.share()
	}
	return s.events.SessionClosed(ctx, session)
}
