// The SDK's side of a connection.

package wire

import (
	"context"
	"encoding/json"
	"errors"
	"io"
	"sync"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/mcpgen/mcpgen/internal/jsontext"
)

// sdkConn is both the transport and the connection that the SDK sees.
type sdkConn struct {
	c       *Conn
	answers chan jsonrpc.Message // which the SDK has not read yet

	mu      sync.Mutex
	waiting map[uint64]sdkCall         // requests of the SDK without an answer, by the number of their id on the wire
	results map[string]json.RawMessage // of the handshake, by method; nil for an error
}

// sdkAnswers is how many answers may wait for the SDK. It makes the requests of the
// handshake, and one that listens.
const sdkAnswers = 16

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
	return &sdkConn{c: c, answers: make(chan jsonrpc.Message, sdkAnswers), waiting: map[uint64]sdkCall{}, results: map[string]json.RawMessage{}}
}

// Connect implements [mcp.Transport].
func (s *sdkConn) Connect(context.Context) (mcp.Connection, error) {
	return s, nil
}

// SessionID implements [mcp.Connection]: there is none here.
func (s *sdkConn) SessionID() string { return "" }

// Write implements [mcp.Connection].
func (s *sdkConn) Write(ctx context.Context, msg jsonrpc.Message) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	if err := s.c.Err(); err != nil {
		return err
	}
	r, ok := msg.(*jsonrpc.Request)
	if !ok {
		return nil // the SDK is asked nothing
	}
	return s.request(ctx, r)
}

// deliver hands the answer to a request of the SDK on.
func (s *sdkConn) deliver(r *jsonrpc.Response) {
	select {
	case s.answers <- r:
	case <-s.c.Done():
	}
}

// Read implements [mcp.Connection].
func (s *sdkConn) Read(ctx context.Context) (jsonrpc.Message, error) {
	select {
	case msg := <-s.answers:
		return msg, nil
	case <-ctx.Done():
		return nil, ctx.Err()
	case <-s.c.Done():
	}
	if errors.Is(s.c.Err(), ErrClosed) {
		return nil, io.EOF // of what waits, nothing is wanted any more
	}
	select {
	case msg := <-s.answers:
		return msg, nil
	default:
		return nil, s.c.Err()
	}
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
		message, err := jsonrpc.EncodeMessage(&out)
		if err != nil {
			return err
		}
		return s.c.link.Send(ctx, r.Method, message)
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

// HasAnswered reports whether the peer said anything in the handshake.
func (c *Conn) HasAnswered() bool {
	c.sdk.mu.Lock()
	defer c.sdk.mu.Unlock()
	return len(c.sdk.results) > 0
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
