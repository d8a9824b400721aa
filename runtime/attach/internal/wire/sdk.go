// The SDK's side of a connection.

package wire

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"sync"
	"sync/atomic"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/mcpgen/mcpgen/internal/jsontext"
)

// sdkConn is both the transport and the connection that the SDK sees.
type sdkConn struct {
	c         *Conn
	connected atomic.Bool
	marker    jsonrpc.ID // which no request of the server can have

	mu      sync.Mutex
	in      inbox
	waiting map[uint64]sdkCall         // requests of the SDK without an answer, by the number of their id on the wire
	results map[string]json.RawMessage // of the handshake, by method; nil for an error
}

// sdkCall is a request of the SDK.
type sdkCall struct {
	id     jsonrpc.ID
	method string
}

// Methods that are more than passed on: the handshakes, and the end of a request.
const (
	MethodInitialize = "initialize"
	MethodDiscover   = "server/discover"
	MethodCancelled  = "notifications/cancelled"
)

var (
	_ mcp.Transport  = (*sdkConn)(nil)
	_ mcp.Connection = (*sdkConn)(nil)
)

func newSDKConn(c *Conn) *sdkConn {
	marker, _ := jsonrpc.MakeID(c.ids.Text(0)) // a string always can be an id
	return &sdkConn{c: c, marker: marker, in: newInbox(c.opts.MaxUnasked), waiting: map[uint64]sdkCall{}, results: map[string]json.RawMessage{}}
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
	return s.c.link.Send(ctx, msg)
}

// Close implements [mcp.Connection].
func (s *sdkConn) Close() error { return s.c.Close() }

// request sends a request or notification. A request gets an id that cannot be
// guessed: the SDK counts. Why it could not be sent is its answer, since an error
// here would end the SDK's session.
func (s *sdkConn) request(ctx context.Context, r *jsonrpc.Request) error {
	if !r.IsCall() {
		out := *r
		if r.Method == MethodCancelled {
			out.Params = s.cancelled(r.Params)
		}
		return s.c.link.Send(ctx, &out)
	}
	s.c.mu.Lock()
	n := s.c.nextID()
	s.c.mu.Unlock()
	s.mu.Lock()
	s.waiting[n] = sdkCall{r.ID, r.Method}
	s.mu.Unlock()
	if _, err := s.c.link.Call(ctx, &Request{ID: n, Method: r.Method, Params: r.Params, ids: s.c.ids}); err != nil {
		s.c.Refuse(n, err)
	}
	return nil
}

// cancelled forgets the request that a notification of the SDK cancels, and puts
// its id on the wire into the notification.
func (s *sdkConn) cancelled(params json.RawMessage) json.RawMessage {
	from, to := jsontext.MemberAt(params, `"requestId"`)
	if from < 0 {
		return params
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	for n, call := range s.waiting {
		if raw, err := json.Marshal(call.id.Raw()); err == nil && string(raw) == string(params[from:to]) {
			delete(s.waiting, n)
			return jsontext.AppendMember(nil, params, `"requestId"`, func(dst []byte) []byte { return s.c.ids.Append(dst, n) })
		}
	}
	return params
}

// answered takes out the request of the SDK with this number on the wire, and keeps
// the answer if it is one of the handshake; nil means none. It is false if there is no
// such request, or not any more.
func (s *sdkConn) answered(n uint64, a *answer) (jsonrpc.ID, bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	call, ok := s.waiting[n]
	delete(s.waiting, n)
	if a != nil && (call.method == MethodInitialize || call.method == MethodDiscover) {
		s.results[call.method] = a.result
	}
	return call.id, ok
}

func (s *sdkConn) awaits(n uint64) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	_, ok := s.waiting[n]
	return ok
}

// Handshake returns the result of the handshake that led to the session, as it was
// sent; nil if there is none.
func (c *Conn) Handshake() json.RawMessage {
	c.sdk.mu.Lock()
	defer c.sdk.mu.Unlock()
	if result := c.sdk.results[MethodInitialize]; result != nil {
		return result
	}
	return c.sdk.results[MethodDiscover]
}

// HasAnswered reports whether the peer said anything to one of these methods of the
// handshake.
func (c *Conn) HasAnswered(methods ...string) bool {
	c.sdk.mu.Lock()
	defer c.sdk.mu.Unlock()
	return slices.ContainsFunc(methods, func(m string) bool {
		_, ok := c.sdk.results[m]
		return ok
	})
}

// GiveUp refuses the SDK's request of this method; nobody waits for the answer any
// more.
func (c *Conn) GiveUp(method string, why error) {
	c.sdk.mu.Lock()
	var open []uint64
	for n, call := range c.sdk.waiting {
		if call.method == method {
			open = append(open, n)
		}
	}
	c.sdk.mu.Unlock()
	for _, n := range open {
		c.Refuse(n, why)
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
		return jsonrpc.ID{}, fmt.Errorf("request id %.20s is not an integer that can be kept", raw)
	}
	return jsonrpc.MakeID(float64(n))
}
