// What a server sends without being asked, on its way to the SDK: bounded in bytes,
// since the SDK queues without a bound whatever it reads.
//
// The SDK handles notifications in order. Behind each message it is sent a marker, a
// request of ours that the server never sees: its answer, which goes nowhere, says
// that everything before it has been handled. A request of the server counts until
// it is answered.
//
// A stream may end before the SDK has read what was written for it, and there is no
// telling how far it came. What is not confirmed by then goes on counting, until the
// answer to its marker after all, or to a marker that was made later: once a stream
// has ended, the SDK has queued all that it has read of it.

package httpx

import (
	"encoding/json"
	"net/http"
	"sync"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"

	"github.com/mcpgen/mcpgen/runtime/attach/internal/budget"
	"github.com/mcpgen/mcpgen/runtime/attach/internal/wire"
)

// inbox is what the SDK of one session has been sent. Its methods are safe for
// concurrent use.
type inbox struct {
	queue *budget.Queue
	ids   wire.IDs // of markers

	mu     sync.Mutex
	last   uint64               // number of the last marker
	open   map[jsonrpc.ID]*sent // without an answer
	strays int                  // of them, how many belong to streams that ended
	missed bool                 // no marker for the strays is under way
	way    any                  // the stream of the last marker for them
}

// sent is a request, of the server or a marker, that the SDK was sent.
type sent struct {
	size    int64  // given back when it is handled
	by      any    // the stream that it was written to; nil where that does not matter any more
	ended   uint64 // the last marker when that stream ended; 0 if it has not
	request *sent  // that a marker stands behind; nil where it stands behind a notification, and for requests
}

func newInbox(limit int64) *inbox {
	return &inbox{queue: budget.NewQueue(limit), ids: wire.NewIDs(), open: map[jsonrpc.ID]*sent{}}
}

// accept takes the bytes of a message that is to be written to a stream, and returns
// the marker to write behind it. Where there is no room it waits a moment, or until
// done. It is nil for a message that has to be dropped.
func (b *inbox) accept(by any, r *jsonrpc.Request, size int64, done <-chan struct{}) (marker []byte) {
	size += 2 * wire.Overhead
	if b.repeats(r) || !b.queue.Wait(done, size) {
		return nil
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	behind := &sent{size: size, by: by}
	if r.IsCall() {
		behind.size = wire.Overhead
		behind.request = &sent{size: size - wire.Overhead, by: by}
		b.open[r.ID] = behind.request
	}
	b.last++
	b.open[b.id(b.last)] = behind
	return b.marker(b.last)
}

// repeats reports whether a request has the id of one that is not answered yet: the
// SDK would answer neither.
func (b *inbox) repeats(r *jsonrpc.Request) bool {
	b.mu.Lock()
	defer b.mu.Unlock()
	return r.IsCall() && b.open[r.ID] != nil
}

func (b *inbox) id(n uint64) jsonrpc.ID {
	id, _ := jsonrpc.MakeID(b.ids.Text(n)) // a string always can be one
	return id
}

func (b *inbox) marker(n uint64) []byte {
	return append(b.ids.Append([]byte(`{"jsonrpc":"2.0","id":`), n), `,"method":"ping"}`...)
}

// reclaim returns a marker for what streams that ended have left; nil for nothing,
// or if one is under way.
func (b *inbox) reclaim(by any) []byte {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.strays == 0 || !b.missed {
		return nil
	}
	b.missed, b.way = false, by
	b.last++
	return b.marker(b.last)
}

// ended notes that nothing more of a stream will be read.
func (b *inbox) ended(by any) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.way == by {
		b.missed, b.way = true, nil
	}
	for _, s := range b.open {
		if s.by == by {
			s.by, s.ended = nil, b.last
			b.strays++
			b.missed = true
		}
	}
}

// answered notes what the SDK answers. It is true for a marker.
func (b *inbox) answered(raw json.RawMessage) (marker bool) {
	n, marker := b.ids.Number(raw)
	var v any
	if json.Unmarshal(raw, &v) != nil {
		return marker
	}
	id, err := jsonrpc.MakeID(v)
	if err != nil {
		return marker
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	if s := b.open[id]; s != nil {
		b.handled(id, s)
		if r := s.request; r != nil && r.ended > 0 {
			r.ended = 0
			b.strays--
		} else if r != nil {
			r.by = nil
		}
	}
	if !marker || b.strays == 0 {
		return marker
	}
	for id, s := range b.open {
		if s.ended > 0 && s.ended < n {
			b.handled(id, s)
		}
	}
	return marker
}

// handled gives back what a request stands for; mu is held.
func (b *inbox) handled(id jsonrpc.ID, s *sent) {
	delete(b.open, id)
	b.queue.Give(s.size)
	if s.ended > 0 {
		b.strays--
	}
}

// swallowed is the answer to a message that is for nobody.
func swallowed(req *http.Request) *http.Response {
	resp := ok(req)
	resp.Status, resp.StatusCode, resp.Body = "202 Accepted", http.StatusAccepted, http.NoBody
	return resp
}
