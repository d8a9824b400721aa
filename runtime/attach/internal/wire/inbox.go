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
	"time"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
)

const (
	batch    = 64 << 10        // bytes that the SDK is handed before a marker
	overhead = 512             // what a message costs beside its bytes
	roomTime = 2 * time.Second // how long the reader waits for room
)

// inbox is guarded by sdkConn.mu.
type inbox struct {
	limit   int64
	answers []jsonrpc.Message // to requests of the SDK, which bound them
	unasked []*jsonrpc.Request
	held    int64                // bytes of unasked, and of what the SDK has not handled yet
	handed  int64                // bytes that the SDK has been handed since the last marker
	marked  int64                // bytes that the marker stands for
	marking bool                 // a marker is under way
	open    map[jsonrpc.ID]int64 // requests of the server that the SDK has not answered: their bytes
	full    bool                 // there was no room in time
	news    chan struct{}        // there is something to read; holds one
	room    chan struct{}        // there may be room; holds one
}

func newInbox(limit int64) inbox {
	return inbox{limit: limit, open: map[jsonrpc.ID]int64{}, news: make(chan struct{}, 1), room: make(chan struct{}, 1)}
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
// waits a moment, which holds up the reader and so the server, then it is dropped.
// Before there is a session nobody makes room, and after a message for which there
// was none in time the next ones do not wait either.
func (s *sdkConn) accept(r *jsonrpc.Request) {
	timer := time.NewTimer(roomTime)
	defer timer.Stop()
	for wait := true; ; {
		taken, mayWait := s.offer(r)
		if taken {
			signal(s.in.news)
			return
		}
		if !wait || !mayWait {
			s.c.drop(Drops{Unasked: 1}, errNoRoom)
			return
		}
		select {
		case <-s.in.room:
		case <-s.c.done:
			return
		case <-timer.C:
			wait = false
			s.mu.Lock()
			s.in.full = true
			s.mu.Unlock()
		}
	}
}

// offer takes a message if there is room.
func (s *sdkConn) offer(r *jsonrpc.Request) (taken, mayWait bool) {
	size := sizeOf(r)
	s.mu.Lock()
	defer s.mu.Unlock()
	if r.IsCall() {
		if _, twice := s.in.open[r.ID]; twice {
			return false, false // the SDK would answer neither
		}
	}
	if s.in.held+size > s.in.limit {
		return false, s.connected.Load() && !s.in.full && size <= s.in.limit
	}
	s.in.full = false
	s.in.held += size
	s.in.unasked = append(s.in.unasked, r)
	if r.IsCall() {
		s.in.open[r.ID] = size
	}
	return true, false
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
	case in.handed >= batch:
		in.marking, in.marked, in.handed = true, in.handed, 0
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
	defer s.mu.Unlock()
	if marker = r.ID == s.marker; marker {
		s.in.held -= s.in.marked
		s.in.marked, s.in.marking = 0, false
	} else {
		s.in.held -= s.in.open[r.ID]
		delete(s.in.open, r.ID)
	}
	signal(s.in.news)
	signal(s.in.room)
	return marker
}

// Read implements [mcp.Connection].
func (s *sdkConn) Read(ctx context.Context) (jsonrpc.Message, error) {
	for {
		over := false
		select {
		case <-s.c.done:
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
		case <-s.c.done:
		case <-ctx.Done():
			return nil, ctx.Err()
		}
	}
}
