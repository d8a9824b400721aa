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

// codeMethodNotFound is JSON-RPC's.
const codeMethodNotFound = -32601

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
	waived   context.Context // ends when the probe is given up
	waive    context.CancelFunc
}

func observe(t mcp.Transport) *observer {
	o := &observer{inner: t, pending: map[jsonrpc.ID]string{}, results: map[string]json.RawMessage{}, answered: map[string]bool{}}
	o.waived, o.waive = context.WithCancel(context.Background())
	return o
}

// refusal returns what the SDK is given in place of an answer to a probe that
// was given up, once. The SDK then asks in the old way, of the same process: one
// that is slow to start, as npx is while it installs, is not killed for it, and
// finds both requests when it is ready.
func (o *observer) refusal() (jsonrpc.Message, bool) {
	o.mu.Lock()
	defer o.mu.Unlock()
	for id, method := range o.pending {
		if method == methodDiscover {
			o.pending[id] = "" // its answer, should it come, is dropped
			return &jsonrpc.Response{ID: id, Error: &jsonrpc.Error{Code: codeMethodNotFound, Message: errProbe.Error()}}, true
		}
	}
	return nil, false
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

// hasAnswered reports whether the server said anything to the handshake.
func (o *observer) hasAnswered() bool {
	return o.isAnswered(methodDiscover) || o.isAnswered(methodInitialize)
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

// Read keeps their results, and answers a probe that was given up.
func (c *observed) Read(ctx context.Context) (jsonrpc.Message, error) {
	for {
		msg, err := c.read(ctx)
		if err != nil && ctx.Err() == nil && c.observer.waived.Err() != nil {
			if refusal, ok := c.observer.refusal(); ok {
				return refusal, nil
			}
		}
		resp, ok := msg.(*jsonrpc.Response)
		if err != nil || !ok || !c.observer.note(resp) {
			return msg, err
		}
	}
}

// read reads one message. Until the probe is given up, giving it up ends the
// read.
func (c *observed) read(ctx context.Context) (jsonrpc.Message, error) {
	if c.observer.waived.Err() != nil {
		if refusal, ok := c.observer.refusal(); ok {
			return refusal, nil
		}
		return c.Connection.Read(ctx)
	}
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	defer context.AfterFunc(c.observer.waived, cancel)()
	return c.Connection.Read(ctx)
}

// note keeps the answer to a request of the handshake. It reports whether that
// is an answer that nobody waits for any more.
func (o *observer) note(resp *jsonrpc.Response) (late bool) {
	o.mu.Lock()
	method, ok := o.pending[resp.ID]
	delete(o.pending, resp.ID)
	if method != "" {
		o.answered[method] = true
	}
	o.mu.Unlock()
	if method != "" && resp.Error == nil {
		o.record(method, resp.Result)
	}
	return ok && method == ""
}
