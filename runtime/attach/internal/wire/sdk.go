// The SDK's side of a connection.

package wire

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strconv"
	"sync"
	"sync/atomic"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// sdkConn is both the transport and the connection that the SDK sees.
type sdkConn struct {
	c         *Conn
	connected atomic.Bool
	in        chan jsonrpc.Message

	mu      sync.Mutex
	waiting map[int64]bool // requests of the SDK without an answer
}

var (
	_ mcp.Transport  = (*sdkConn)(nil)
	_ mcp.Connection = (*sdkConn)(nil)
)

// inbox is how many messages may wait for the SDK.
const inbox = 64

func newSDKConn(c *Conn) *sdkConn {
	return &sdkConn{c: c, in: make(chan jsonrpc.Message, inbox), waiting: map[int64]bool{}}
}

// Connect implements [mcp.Transport].
func (s *sdkConn) Connect(context.Context) (mcp.Connection, error) {
	if s.connected.Swap(true) {
		return nil, errors.New("the connection has a session already")
	}
	return s, nil
}

// SessionID implements [mcp.Connection]: there is none here.
func (s *sdkConn) SessionID() string { return "" }

// Read implements [mcp.Connection].
func (s *sdkConn) Read(ctx context.Context) (jsonrpc.Message, error) {
	select {
	case msg := <-s.in:
		return msg, nil
	default:
	}
	select {
	case msg := <-s.in:
		return msg, nil
	case <-ctx.Done():
		return nil, ctx.Err()
	case <-s.c.done:
		if err := s.c.Err(); !errors.Is(err, ErrClosed) {
			return nil, err
		}
		return nil, io.EOF
	}
}

// Write implements [mcp.Connection].
func (s *sdkConn) Write(ctx context.Context, msg jsonrpc.Message) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	if err := s.c.Err(); err != nil {
		return err
	}
	if r, ok := msg.(*jsonrpc.Request); ok {
		s.sent(r)
	}
	return s.c.link.write(ctx, msg)
}

// Close implements [mcp.Connection].
func (s *sdkConn) Close() error { return s.c.Close() }

// sent keeps account of the requests that wait for an answer.
func (s *sdkConn) sent(r *jsonrpc.Request) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if id, ok := r.ID.Raw().(int64); ok {
		s.waiting[id] = true
		return
	}
	if r.Method == "notifications/cancelled" {
		var p struct{ RequestID int64 }
		if json.Unmarshal(r.Params, &p) == nil {
			delete(s.waiting, p.RequestID)
		}
	}
}

// answered finds the request that an id belongs to. A server may have made a
// string or a float of the number. It is false if there is none.
func (s *sdkConn) answered(raw []byte) (jsonrpc.ID, bool) {
	var text string
	if json.Unmarshal(raw, &text) != nil {
		text = string(raw)
	}
	n, err := strconv.ParseInt(text, 10, 64)
	if err != nil {
		f, err := strconv.ParseFloat(text, 64)
		if n = int64(f); err != nil || float64(n) != f {
			return jsonrpc.ID{}, false
		}
	}
	s.mu.Lock()
	known := s.waiting[n]
	delete(s.waiting, n)
	s.mu.Unlock()
	if !known {
		return jsonrpc.ID{}, false
	}
	id, err := jsonrpc.MakeID(float64(n))
	return id, err == nil
}

// accept puts a message where the SDK finds it. Before there is a session, the
// messages that have no place are dropped.
func (s *sdkConn) accept(msg jsonrpc.Message) {
	select {
	case s.in <- msg:
		return
	default:
	}
	if !s.connected.Load() {
		return
	}
	select {
	case s.in <- msg:
	case <-s.c.done:
	}
}

// maxExact is where a float64 stops telling integers apart.
const maxExact = 1 << 53

// requestID reads the id of a server's request. An answer carries it back, so
// one that the SDK cannot hold exactly is refused.
func requestID(raw []byte) (jsonrpc.ID, error) {
	if raw[0] == '"' {
		var s string
		if err := json.Unmarshal(raw, &s); err != nil {
			return jsonrpc.ID{}, err
		}
		return jsonrpc.MakeID(s)
	}
	n, err := strconv.ParseInt(string(raw), 10, 64)
	if err != nil || n > maxExact || n < -maxExact {
		return jsonrpc.ID{}, fmt.Errorf("request id %.20s is no integer that can be kept", raw)
	}
	return jsonrpc.MakeID(float64(n))
}
