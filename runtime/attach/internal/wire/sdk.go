// The SDK's part of a connection: its requests are calls like all others, with ids
// that cannot be guessed.

package wire

import (
	"context"
	"encoding/json"
	"errors"
	"io"
	"sync"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/mcpgen/mcpgen/runtime"
)

// sdkConn is both the transport and the connection of the SDK.
type sdkConn struct {
	c       *Conn
	answers chan jsonrpc.Message // not read by the SDK yet

	mu      sync.Mutex
	results map[string]json.RawMessage // of the handshake, by method; nil for an error
}

// sdkAnswers is how many answers may wait for the SDK. It makes the requests of the
// handshake, and one that listens.
const sdkAnswers = 16

// Methods with special treatment: the handshakes, and the cancellation of a request.
const (
	MethodInitialize = "initialize"
	MethodDiscover   = "server/discover"
	MethodCancelled  = "notifications/cancelled"
)

var (
	_ mcp.Transport  = (*sdkConn)(nil)
	_ mcp.Connection = (*sdkConn)(nil)
)

// Connect implements [mcp.Transport].
func (s *sdkConn) Connect(context.Context) (mcp.Connection, error) { return s, nil }

// SessionID implements [mcp.Connection]: there is no ID.
func (s *sdkConn) SessionID() string { return "" }

// Close implements [mcp.Connection].
func (s *sdkConn) Close() error { return s.c.Close() }

// Write implements [mcp.Connection]. A request that fails gets an error as its
// answer, since an error of Write would end the SDK's session. The context of a
// request reports its cancellation, and the link notifies the peer.
func (s *sdkConn) Write(ctx context.Context, msg jsonrpc.Message) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	if err := s.c.Err(); err != nil {
		return err
	}
	r, ok := msg.(*jsonrpc.Request)
	switch {
	case !ok, r.Method == MethodCancelled: // answers are not expected: the SDK gets no requests
		return nil
	case r.IsCall():
		go s.call(ctx, r)
		return nil
	}
	message, err := jsonrpc.EncodeMessage(r)
	if err != nil {
		return err
	}
	return s.c.link.Send(ctx, r.Method, message)
}

// call makes a request of the SDK, and delivers the answer to the SDK. If the
// connection ends, the SDK learns so from Read.
func (s *sdkConn) call(ctx context.Context, r *jsonrpc.Request) {
	result, err := s.c.Call(ctx, r.Method, r.Params, CallOptions{sdk: r.Method})
	answer := &jsonrpc.Response{ID: r.ID, Result: result}
	rpc, isRPC := errors.AsType[*runtime.RPCError](err)
	if err == nil || isRPC {
		s.note(r.Method, result)
	}
	switch {
	case s.c.Err() != nil:
		return
	case isRPC: // the SDK negotiates by such errors
		answer.Error = errors.Join(err, &jsonrpc.Error{Code: rpc.Code, Message: rpc.Message, Data: rpc.Data})
	case err != nil:
		answer.Error = err
	}
	select {
	case s.answers <- answer:
	case <-s.c.Done():
	}
}

// note keeps the answer to a request of the handshake.
func (s *sdkConn) note(method string, result json.RawMessage) {
	if method != MethodInitialize && method != MethodDiscover {
		return
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.results[method] = result
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
		return nil, io.EOF // waiting answers are dropped
	}
	select {
	case msg := <-s.answers:
		return msg, nil
	default:
		return nil, s.c.Err()
	}
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

// Discovered returns the result of the probe, even if it came after the probe was refused;
// nil if there is none.
func (c *Conn) Discovered() json.RawMessage {
	c.sdk.mu.Lock()
	defer c.sdk.mu.Unlock()
	return c.sdk.results[MethodDiscover]
}

// HasAnswered reports whether the peer answered a request of the handshake.
func (c *Conn) HasAnswered() bool {
	c.sdk.mu.Lock()
	defer c.sdk.mu.Unlock()
	return len(c.sdk.results) > 0
}

// RefuseProbe fails the SDK's probe if it has no answer yet. See Discovered for later
// answers.
func (c *Conn) RefuseProbe(why error) {
	c.mu.Lock()
	var open uint64
	for id, p := range c.calls {
		if p.sdk == MethodDiscover {
			open, c.late = id, id
		}
	}
	c.mu.Unlock()
	c.Refuse(open, why)
}

// isLateProbe reports whether an answer is the first one to the refused probe.
func (c *Conn) isLateProbe(id uint64) bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	if id == 0 || id != c.late {
		return false
	}
	c.late = 0
	return true
}
