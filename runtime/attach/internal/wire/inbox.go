// What a server sends without being asked, on its way to the SDK: bounded in
// bytes, since the SDK queues without a bound whatever it is handed.
//
// The SDK handles notifications in order. After a batch of them it is handed a
// marker, a request of ours that its peer never sees: its answer says that
// everything before it has been handled. Until then the next ones wait here. A
// request of the server counts until its answer.

package wire

import (
	"context"
	"errors"
	"io"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"

	"github.com/mcpgen/mcpgen/runtime/attach/internal/budget"
)

const batch = 64 << 10 // bytes that the SDK is handed before a marker

// overhead is what a message costs beside its bytes, while it waits for the SDK.
const overhead = 512

// inbox is guarded by sdkConn.mu.
type inbox struct {
	queue   *budget.Queue     // of unasked, and of what the SDK has not handled yet
	answers []jsonrpc.Message // to requests of the SDK, which bound them
	unasked []*jsonrpc.Request
	handed  int64                // bytes that the SDK has been handed since the last marker
	marked  int64                // bytes that the marker stands for
	marking bool                 // a marker is under way
	pressed bool                 // there was no room: the next marker does not wait for a batch
	open    map[jsonrpc.ID]int64 // requests of the server that the SDK has not answered: their bytes
	news    chan struct{}        // there is something to read; holds one
}

func newInbox(limit int64) inbox {
	return inbox{queue: budget.NewQueue(limit), open: map[jsonrpc.ID]int64{}, news: make(chan struct{}, 1)}
}

func sizeOf(r *jsonrpc.Request) int64 { return int64(len(r.Params)+len(r.Method)) + overhead }

func signal(c chan struct{}) {
	select {
	case c <- struct{}{}:
	default: // it is known
	}
}

// answer hands the answer to a request of the SDK on.
func (s *sdkConn) answer(r *jsonrpc.Response) {
	s.mu.Lock()
	s.in.answers = append(s.in.answers, r)
	s.mu.Unlock()
	signal(s.in.news)
}

// accept queues a request or notification of the server. Where there is no room it
// waits a moment, then it is dropped. Before there is a session nobody makes room.
func (s *sdkConn) accept(r *jsonrpc.Request) {
	if s.repeats(r) || !s.hasRoom(sizeOf(r)) {
		s.c.Dropped(Drops{Unasked: 1}, budget.ErrFull)
		return
	}
	s.mu.Lock()
	s.in.unasked = append(s.in.unasked, r)
	if r.IsCall() {
		s.in.open[r.ID] = sizeOf(r)
	}
	s.mu.Unlock()
	signal(s.in.news)
}

// repeats reports whether a request has the id of one that is not answered yet: the
// SDK would answer neither.
func (s *sdkConn) repeats(r *jsonrpc.Request) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	_, twice := s.in.open[r.ID]
	return r.IsCall() && twice
}

// hasRoom takes the bytes of a message, if need be after a moment.
func (s *sdkConn) hasRoom(size int64) bool {
	if s.in.queue.Take(size) {
		return true
	}
	if !s.connected.Load() {
		return false
	}
	s.mu.Lock()
	s.in.pressed = true
	s.mu.Unlock()
	signal(s.in.news)
	return s.in.queue.Wait(s.c.ctx, size)
}

// next returns the next message for the SDK; nil if there is none for now.
func (s *sdkConn) next() jsonrpc.Message {
	s.mu.Lock()
	defer s.mu.Unlock()
	in := &s.in
	if len(in.answers) > 0 {
		msg := in.answers[0]
		in.answers = in.answers[1:]
		return msg
	}
	switch {
	case in.marking:
		return nil
	case in.handed >= batch, in.pressed && in.handed > 0 && len(in.unasked) == 0:
		in.marking, in.marked, in.handed, in.pressed = true, in.handed, 0, false
		return &jsonrpc.Request{ID: s.marker, Method: "ping"}
	case len(in.unasked) == 0:
		return nil
	}
	r := in.unasked[0]
	in.unasked[0] = nil
	in.unasked = in.unasked[1:]
	if !r.IsCall() {
		in.handed += sizeOf(r)
	}
	return r
}

// handled notes what the SDK answers. It is true for a marker, which goes nowhere.
func (s *sdkConn) handled(r *jsonrpc.Response) (marker bool) {
	s.mu.Lock()
	size := s.in.open[r.ID]
	if marker = r.ID == s.marker; marker {
		size, s.in.marked, s.in.marking = s.in.marked, 0, false
	}
	delete(s.in.open, r.ID)
	s.mu.Unlock()
	s.in.queue.Give(size)
	signal(s.in.news)
	return marker
}

// Read implements [mcp.Connection].
func (s *sdkConn) Read(ctx context.Context) (jsonrpc.Message, error) {
	for {
		over := false
		select {
		case <-s.c.Done():
			if over = true; errors.Is(s.c.Err(), ErrClosed) {
				return nil, io.EOF // of what waits, nothing is wanted any more
			}
		default:
		}
		if msg := s.next(); msg != nil {
			return msg, nil
		}
		if over {
			return nil, s.c.Err()
		}
		select {
		case <-s.in.news:
		case <-s.c.Done():
		case <-ctx.Done():
			return nil, ctx.Err()
		}
	}
}
