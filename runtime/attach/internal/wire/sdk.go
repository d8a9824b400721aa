// The SDK's side of a connection.

package wire

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
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
	marker    jsonrpc.ID // which no request of the server can have

	mu      sync.Mutex
	in      inbox
	waiting map[uint64]jsonrpc.ID // requests of the SDK without an answer, by the number of their id on the wire
}

var (
	_ mcp.Transport  = (*sdkConn)(nil)
	_ mcp.Connection = (*sdkConn)(nil)
)

func newSDKConn(c *Conn) *sdkConn {
	marker, _ := jsonrpc.MakeID(c.ids.Text(0)) // a string always can be an id
	return &sdkConn{c: c, marker: marker, in: newInbox(c.opts.MaxUnasked), waiting: map[uint64]jsonrpc.ID{}}
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

// Write implements [mcp.Connection].
func (s *sdkConn) Write(ctx context.Context, msg jsonrpc.Message) error {
	if r, ok := msg.(*jsonrpc.Response); ok && s.handled(r) {
		return nil
	}
	if err := ctx.Err(); err != nil {
		return err
	}
	if err := s.c.Err(); err != nil {
		return err
	}
	if r, ok := msg.(*jsonrpc.Request); ok {
		return s.request(ctx, r)
	}
	return s.c.link.write(ctx, msg)
}

// Close implements [mcp.Connection].
func (s *sdkConn) Close() error { return s.c.Close() }

// request sends a request or notification under an id that cannot be guessed:
// the SDK counts.
func (s *sdkConn) request(ctx context.Context, r *jsonrpc.Request) error {
	out := *r
	switch {
	case r.IsCall():
		s.c.mu.Lock()
		n := s.c.nextID()
		s.c.mu.Unlock()
		s.mu.Lock()
		s.waiting[n] = r.ID
		s.mu.Unlock()
		var err error
		if out.ID, err = jsonrpc.MakeID(s.c.ids.Text(n)); err != nil {
			return err
		}
	case r.Method == "notifications/cancelled":
		out.Params = s.cancelled(r.Params)
	}
	return s.c.link.write(ctx, &out)
}

// cancelled forgets the request that a notification of the SDK cancels, and puts
// its id on the wire into the notification.
func (s *sdkConn) cancelled(params json.RawMessage) json.RawMessage {
	from, to := memberAt(params, `"requestId"`)
	if from < 0 {
		return params
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	for n, id := range s.waiting {
		if raw, err := json.Marshal(id.Raw()); err == nil && string(raw) == string(params[from:to]) {
			delete(s.waiting, n)
			return appendMember(nil, params, `"requestId"`, func(dst []byte) []byte { return s.c.ids.Append(dst, n) })
		}
	}
	return params
}

// answered takes out the request of the SDK with this number on the wire. It is
// false if there is none, or not any more.
func (s *sdkConn) answered(n uint64) (jsonrpc.ID, bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	id, ok := s.waiting[n]
	delete(s.waiting, n)
	return id, ok
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
