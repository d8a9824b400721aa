// What a server says of itself in the handshake, as bytes.

package attach

import (
	"context"
	"encoding/json"
	"sync"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/mcpgen/mcpgen/runtime/attach/internal/quote"
)

// The methods of the handshakes.
const (
	methodInitialize = "initialize"
	methodDiscover   = "server/discover"
)

// hello is the result of a handshake.
type hello struct {
	identity     json.RawMessage // serverInfo; nil if absent
	capabilities json.RawMessage
	instructions string
	name         string // of identity, fit to be shown
	version      string
}

// parseHello reads the result of initialize or server/discover. What has the
// wrong type counts as absent.
func parseHello(raw json.RawMessage) hello {
	var m struct {
		Info         json.RawMessage            `json:"serverInfo"`
		Capabilities json.RawMessage            `json:"capabilities"`
		Instructions json.RawMessage            `json:"instructions"`
		Meta         map[string]json.RawMessage `json:"_meta"`
	}
	_ = json.Unmarshal(raw, &m)
	h := hello{identity: present(m.Info), capabilities: present(m.Capabilities)}
	if info := present(m.Meta[mcp.MetaKeyServerInfo]); info != nil {
		h.identity = info
	}
	_ = json.Unmarshal(m.Instructions, &h.instructions)
	var info struct {
		Name    json.RawMessage `json:"name"`
		Version json.RawMessage `json:"version"`
	}
	_ = json.Unmarshal(h.identity, &info)
	h.name, h.version = shown(info.Name), shown(info.Version)
	return h
}

// present returns nil for a member that is absent or null.
func present(raw json.RawMessage) json.RawMessage {
	if len(raw) == 0 || string(raw) == "null" {
		return nil
	}
	return raw
}

func shown(raw json.RawMessage) string {
	var s string
	_ = json.Unmarshal(raw, &s)
	return quote.Line(s, 200)
}

// has reports whether the server declares a capability.
func (h *hello) has(capability string) bool {
	var m map[string]json.RawMessage
	return json.Unmarshal(h.capabilities, &m) == nil && present(m[capability]) != nil
}

// observer stands between the SDK's session and a transport of ours, and keeps
// the results of the handshake.
type observer struct {
	inner mcp.Transport

	mu       sync.Mutex
	pending  map[jsonrpc.ID]string
	results  map[string]json.RawMessage
	answered map[string]bool // with a result or an error
}

func observe(t mcp.Transport) *observer {
	return &observer{inner: t, pending: map[jsonrpc.ID]string{}, results: map[string]json.RawMessage{}, answered: map[string]bool{}}
}

// record keeps the result of one of the handshake's methods.
func (o *observer) record(method string, result []byte) {
	o.mu.Lock()
	defer o.mu.Unlock()
	if method == methodInitialize || method == methodDiscover {
		o.results[method] = append(json.RawMessage(nil), result...)
		o.answered[method] = true
	}
}

// isAnswered reports whether the server said anything to a method.
func (o *observer) isAnswered(method string) bool {
	o.mu.Lock()
	defer o.mu.Unlock()
	return o.answered[method]
}

// hello returns what the server said of itself: in the handshake that led to
// the session, which is the last one that succeeded.
func (o *observer) hello() hello {
	o.mu.Lock()
	defer o.mu.Unlock()
	if raw, ok := o.results[methodInitialize]; ok {
		return parseHello(raw)
	}
	return parseHello(o.results[methodDiscover])
}

// Connect implements [mcp.Transport].
func (o *observer) Connect(ctx context.Context) (mcp.Connection, error) {
	conn, err := o.inner.Connect(ctx)
	if err != nil {
		return nil, err
	}
	return &observed{Connection: conn, observer: o}, nil
}

type observed struct {
	mcp.Connection
	observer *observer
}

// Write notes the requests of the handshake.
func (c *observed) Write(ctx context.Context, msg jsonrpc.Message) error {
	if req, ok := msg.(*jsonrpc.Request); ok && req.IsCall() {
		c.observer.mu.Lock()
		c.observer.pending[req.ID] = req.Method
		c.observer.mu.Unlock()
	}
	return c.Connection.Write(ctx, msg)
}

// Read keeps their results.
func (c *observed) Read(ctx context.Context) (jsonrpc.Message, error) {
	msg, err := c.Connection.Read(ctx)
	if resp, ok := msg.(*jsonrpc.Response); ok && err == nil {
		c.observer.mu.Lock()
		method := c.observer.pending[resp.ID]
		delete(c.observer.pending, resp.ID)
		c.observer.answered[method] = true
		c.observer.mu.Unlock()
		if resp.Error == nil {
			c.observer.record(method, resp.Result)
		}
	}
	return msg, err
}
