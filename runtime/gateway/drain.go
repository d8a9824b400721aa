// Draining: the SDK drops the answers to calls in progress when it closes a session,
// so the gateway closes sessions only after their answers have been written.

package gateway

import (
	"context"
	"encoding/json"
	"errors"
	"io"
	"net/http"
	"sync"
	"sync/atomic"
	"time"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// busy counts the requests that have no answer yet.
type busy struct {
	n    atomic.Int64
	idle news // it was zero
}

func (b *busy) add(n int) {
	if b.n.Add(int64(n)) == 0 {
		b.idle.wake()
	}
}

// wait returns when all requests are answered, or after d. It reports whether all are
// answered.
func (b *busy) wait(d time.Duration) bool {
	idle := b.idle.next()
	if b.n.Load() == 0 {
		return true
	}
	select {
	case <-idle:
		return true
	case <-time.After(d):
		return false
	}
}

// errEnding refuses requests while the gateway is ending.
var errEnding = &jsonrpc.Error{Code: jsonrpc.CodeInternalError, Message: "the gateway is ending: call again in a moment", Data: []byte(`{"kind":"unavailable","sent":false}`)}

// aborted is how long answers may take to be written after all calls were ended.
const aborted = time.Second

// Close accepts no new calls, gives calls in progress [Options.Drain] to end, and
// ends all sessions. It returns when the last call has ended. The host stays open.
// The error is always nil.
func (g *Gateway) Close() error {
	g.closing.Do(func() {
		g.draining.Store(true)
		g.stop()
		if !g.busy.wait(g.opts.Drain) {
			g.abort()
			g.busy.wait(aborted)
		}
		g.abort()
		var ending sync.WaitGroup
		for s := range g.server.Sessions() {
			ending.Go(func() { _ = s.Close() }) // it ends in any case
		}
		ending.Wait()
		g.going.Wait()
	})
	return nil
}

// counted is a transport that counts requests until their answers are written.
type counted struct {
	mcp.Transport
	busy  *busy
	drain time.Duration
}

// Connect implements [mcp.Transport].
func (t counted) Connect(ctx context.Context) (mcp.Connection, error) {
	conn, err := t.Transport.Connect(ctx)
	if err != nil {
		return nil, err
	}
	return &countedConn{Connection: conn, all: t.busy, drain: t.drain, open: map[jsonrpc.ID]bool{}}, nil
}

type countedConn struct {
	mcp.Connection
	all   *busy // of the gateway
	own   busy
	drain time.Duration
	mu    sync.Mutex
	open  map[jsonrpc.ID]bool // requests without an answer, true until they are cancelled; nil once it is closed
}

// Read implements [mcp.Connection]. The end of the input ends the session only when
// all requests are answered: the SDK writes nothing after it.
func (c *countedConn) Read(ctx context.Context) (jsonrpc.Message, error) {
	m, err := c.Connection.Read(ctx)
	if err != nil {
		if errors.Is(err, io.EOF) {
			c.own.wait(c.drain)
		}
		c.end()
		return m, err
	}
	r, ok := m.(*jsonrpc.Request)
	if ok && r.Method == cancelled {
		c.cancel(r.Params)
	}
	if ok && r.IsCall() {
		extra := &mcp.RequestExtra{Header: http.Header{ownKey: {}}}
		keepDropped(extra.Header, r.Params)
		r.Extra = extra
	}
	if ok && r.IsCall() && r.Method != listening {
		c.mu.Lock()
		defer c.mu.Unlock()
		if _, twice := c.open[r.ID]; c.open != nil && !twice {
			c.open[r.ID] = true
			c.count(1)
		}
	}
	return m, nil
}

// cancelled is the notification that an answer is not wanted any more.
const cancelled = "notifications/cancelled"

// unsentAnswer returns the answer to requests that callers cancelled. The SDK has to get
// one, and over HTTP also writes it: [timedWriter] recognizes its random text.
func unsentAnswer() *jsonrpc.Error { return &jsonrpc.Error{Message: newID()} }

// cancel notes the request that a caller cancelled.
func (c *countedConn) cancel(params json.RawMessage) {
	var p struct {
		RequestID any `json:"requestId"`
	}
	if json.Unmarshal(params, &p) != nil {
		return
	}
	id, err := jsonrpc.MakeID(p.RequestID)
	c.mu.Lock()
	defer c.mu.Unlock()
	if _, ok := c.open[id]; ok && err == nil {
		c.open[id] = false
	}
}

// Write implements [mcp.Connection]. A request that was cancelled gets no answer
// (specification, basic/utilities/cancellation).
func (c *countedConn) Write(ctx context.Context, m jsonrpc.Message) error {
	r, ok := m.(*jsonrpc.Response)
	if !ok {
		return c.Connection.Write(ctx, m)
	}
	if fault, coded := errors.AsType[*jsonrpc.Error](r.Error); r.Error != nil && (!coded || fault.Code == 0) { // the SDK's, about requests before initialize
		m = &jsonrpc.Response{ID: r.ID, Error: &jsonrpc.Error{Code: jsonrpc.CodeInvalidRequest, Message: r.Error.Error()}}
	}
	c.mu.Lock()
	wanted, open := c.open[r.ID]
	c.mu.Unlock()
	var err error
	if wanted || !open {
		err = c.Connection.Write(ctx, m)
	}
	if open {
		c.mu.Lock()
		defer c.mu.Unlock()
		if _, open := c.open[r.ID]; open {
			delete(c.open, r.ID)
			c.count(-1)
		}
	}
	return err
}

// Close implements [mcp.Connection].
func (c *countedConn) Close() error {
	c.end()
	return c.Connection.Close()
}

// end drops the open requests, whose answers have no reader left.
func (c *countedConn) end() {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.count(-len(c.open))
	c.open = nil
}

func (c *countedConn) count(n int) {
	c.own.add(n)
	c.all.add(n)
}

// listening is a request whose answer comes when its session ends.
const listening = "subscriptions/listen"

var errClosed = errors.New("gateway: it is closed")
