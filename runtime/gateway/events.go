// The events of streams, for callers that resume them.

package gateway

import (
	"context"
	"errors"
	"iter"
	"sync"

	"github.com/modelcontextprotocol/go-sdk/auth"
	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// Bounds of the events that are kept, in bytes.
const (
	eventsOfCaller = 10 << 20
	eventsOfAll    = 128 << 20 // with many callers, each has an equal part
)

// callerEvents is an [mcp.EventStore] with a store for each caller, so that one caller cannot
// displace the events of another caller.
type callerEvents struct {
	mu       sync.Mutex
	callers  map[string]*eventsOf
	sessions map[string]string // callers by session
}

// eventsOf are the events of one caller.
type eventsOf struct {
	*mcp.MemoryEventStore
	sessions int
}

func newCallerEvents() *callerEvents {
	return &callerEvents{callers: map[string]*eventsOf{}, sessions: map[string]string{}}
}

// of returns the events of a session's caller; nil if the session is not known.
func (e *callerEvents) of(session string) *eventsOf {
	e.mu.Lock()
	defer e.mu.Unlock()
	if caller, known := e.sessions[session]; known {
		return e.callers[caller]
	}
	return nil
}

// share bounds the events of each caller; mu is held.
func (e *callerEvents) share() {
	for _, own := range e.callers {
		own.SetMaxBytes(min(eventsOfCaller, eventsOfAll/len(e.callers)))
	}
}

// Open implements [mcp.EventStore]. The first stream of a session has no name, and is opened for
// the request that begins the session.
func (e *callerEvents) Open(ctx context.Context, session, stream string) error {
	e.mu.Lock()
	defer e.mu.Unlock()
	caller, known := e.sessions[session]
	if !known && stream != "" {
		return errors.New("the session has ended")
	}
	if !known {
		caller = userOf(auth.TokenInfoFromContext(ctx))
		if e.callers[caller] == nil {
			e.callers[caller] = &eventsOf{MemoryEventStore: mcp.NewMemoryEventStore(nil)}
			e.share()
		}
		e.sessions[session] = caller
		e.callers[caller].sessions++
	}
	return e.callers[caller].Open(ctx, session, stream)
}

// Append implements [mcp.EventStore].
func (e *callerEvents) Append(ctx context.Context, session, stream string, data []byte) error {
	if own := e.of(session); own != nil {
		return own.Append(ctx, session, stream, data)
	}
	return nil // it has ended
}

// After implements [mcp.EventStore].
func (e *callerEvents) After(ctx context.Context, session, stream string, index int) iter.Seq2[[]byte, error] {
	if own := e.of(session); own != nil {
		return own.After(ctx, session, stream, index)
	}
	return func(yield func([]byte, error) bool) { yield(nil, mcp.ErrEventsPurged) }
}

// SessionClosed implements [mcp.EventStore].
func (e *callerEvents) SessionClosed(ctx context.Context, session string) error {
	e.mu.Lock()
	defer e.mu.Unlock()
	caller, known := e.sessions[session]
	if !known {
		return nil
	}
	delete(e.sessions, session)
	own := e.callers[caller]
	if own.sessions--; own.sessions == 0 {
		delete(e.callers, caller)
		if len(e.callers) > 0 {
			e.share()
		}
	}
	return own.SessionClosed(ctx, session)
}
