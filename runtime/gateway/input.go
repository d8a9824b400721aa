// Requests of servers, passed to the callers whose calls they belong to.

package gateway

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"log/slog"
	"slices"
	"sync"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/mcpgen/mcpgen/internal/jsontext"
	"github.com/mcpgen/mcpgen/runtime/attach"
	"github.com/mcpgen/mcpgen/runtime/endpoint"
)

// Input passes requests of servers, for input of a person or a model's answer, to the
// caller whose call they belong to. Give the same Input to a host and its gateway:
//
//	input := new(gateway.Input)
//	host, err := live.Open(ctx, live.Options{Attach: attach.Options{Input: input}})
//	gw, err := gateway.New(host.Host, &gateway.Options{View: host.View, Input: input})
//
// Before 2026-07-28, servers do not say which call a request belongs to. The request
// then goes to the one session with calls in progress at the server, or in the
// server's session of that caller ([attach.Options.Callers]). If several sessions
// have such calls, the request is declined: the call of one caller must not be shown
// to another. The zero value is ready to use.
type Input struct {
	mu      sync.Mutex
	flights map[string][]*flight // by server
}

// Offers implements [attach.Input]. Whether a caller can be asked is only known in
// its call.
func (*Input) Offers() endpoint.Offers {
	return endpoint.Offers{Forms: true, Pages: true, Sampling: true}
}

// enter records that a call is in progress. The returned function records its end. A
// nil c records nothing.
func (c *Input) enter(f *flight) (leave func()) {
	if c == nil {
		return func() {}
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.flights == nil {
		c.flights = map[string][]*flight{}
	}
	c.flights[f.server] = append(c.flights[f.server], f)
	return func() {
		c.mu.Lock()
		defer c.mu.Unlock()
		c.flights[f.server] = slices.DeleteFunc(c.flights[f.server], func(other *flight) bool { return other == f })
	}
}

// of returns the call that a request of a server belongs to; nil if it is unknown.
func (c *Input) of(ctx context.Context, server string) *flight {
	if f, ok := ctx.Value(flightKey{}).(*flight); ok {
		return f
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	caller := attach.CallerOf(ctx)
	var asks *flight
	for _, f := range c.flights[server] {
		switch {
		case caller != "" && f.caller != caller, f.waits.Load(): // a call that waits for its caller is not the one
		case asks == nil:
			asks = f
		case asks.session != f.session || f.isModern():
			return nil
		}
	}
	return asks
}

// Methods of requests that servers send.
const (
	elicitation = "elicitation/create"
	sampling    = "sampling/createMessage"
)

// Answer implements [attach.Input]: it asks the caller whose call the request belongs
// to.
func (c *Input) Answer(ctx context.Context, server, method string, params json.RawMessage) (answer json.RawMessage, declined string, err error) {
	if string(jsontext.Member(params, "mode")) == `""` { // the SDK's types write "" for a missing mode
		params = jsontext.AppendMember(nil, params, `"mode"`, func(b []byte) []byte { return append(b, `"form"`...) })
	}
	f := c.of(ctx, server)
	why := "it is not known which caller's call it belongs to"
	if f != nil {
		if why = f.cannot(method, params); why == "" {
			answer, err = f.ask(ctx, method, params)
			return answer, "", err
		}
	}
	if method == elicitation {
		return nil, why, nil
	}
	return nil, "", &jsonrpc.Error{Code: jsonrpc.CodeMethodNotFound, Message: why}
}

// cannot returns why a caller cannot be asked during a call; "" if it can.
func (f *flight) cannot(method string, params json.RawMessage) string {
	if why := f.lacks(method, params); why != "" {
		return why
	}
	if f.isModern() && f.asks == nil {
		return "the caller's next round may reach another gateway, and only servers of revision 2026-07-28 can continue there"
	}
	return ""
}

// lacks returns what a caller cannot answer; "" if it can.
func (f *flight) lacks(method string, params json.RawMessage) string {
	caps := cmp.Or(f.caps, &mcp.ClientCapabilities{})
	//lint:ignore SA1019 servers of all revisions before 2026-07-28 ask this way
	if method == sampling && caps.Sampling == nil {
		return "the caller has no model to ask"
	}
	if method == elicitation {
		switch e := caps.Elicitation; {
		case e == nil:
			return "the caller does not accept requests for input"
		case modeOf(params) == "url" && e.URL == nil:
			return "the caller does not open pages"
		}
	}
	return ""
}

// modeOf returns how a person is asked for input; "" means by a form.
func modeOf(params json.RawMessage) string { return jsontext.Text(jsontext.Member(params, "mode")) }

// ask sends a question to a caller, and returns the answer.
func (f *flight) ask(ctx context.Context, method string, params json.RawMessage) (json.RawMessage, error) {
	if f.isModern() {
		return f.askInRound(ctx, method, params)
	}
	raw := withRaw(ctx, params)
	var res any
	var err error
	if method == elicitation {
		res, err = f.session.Elicit(raw, &mcp.ElicitParams{Mode: modeOf(params)}) // the SDK only needs the mode
	} else {
		//lint:ignore SA1019 servers of all revisions before 2026-07-28 ask this way
		res, err = f.session.CreateMessageWithTools(raw, &mcp.CreateMessageWithToolsParams{})
	}
	if err != nil {
		return nil, err
	}
	return marshal(res)
}

// errAsked is the error of a caller that left while it was asked.
var errAsked = errors.New("the caller did not answer")

// Handler returns a handler of logs for [attach.Options.Logger]. It passes what
// servers log during a call to the call's caller, if the caller is known and wants
// logs, and everything to next.
func (c *Input) Handler(next slog.Handler) slog.Handler { return logHandler{next, c} }

type logHandler struct {
	next  slog.Handler
	input *Input
}

// Enabled implements [slog.Handler]: callers have their own levels.
func (h logHandler) Enabled(context.Context, slog.Level) bool { return true }

// Handle implements [slog.Handler].
func (h logHandler) Handle(ctx context.Context, r slog.Record) error {
	if said := attach.LogOf(ctx); said != nil {
		var server string
		r.Attrs(func(a slog.Attr) bool {
			if a.Key == "server" {
				server = a.Value.String()
			}
			return server == ""
		})
		if f := h.input.of(ctx, server); f != nil {
			f.log(server, said)
		}
	}
	if !h.next.Enabled(ctx, r.Level) {
		return nil
	}
	return h.next.Handle(ctx, r)
}

// WithAttrs implements [slog.Handler].
func (h logHandler) WithAttrs(attrs []slog.Attr) slog.Handler {
	return logHandler{h.next.WithAttrs(attrs), h.input}
}

// WithGroup implements [slog.Handler].
func (h logHandler) WithGroup(name string) slog.Handler {
	return logHandler{h.next.WithGroup(name), h.input}
}

// log passes a log message of a server to a caller, with its level and its data
// unchanged.
func (f *flight) log(server string, said json.RawMessage) {
	name, level := server, jsontext.Text(jsontext.Member(said, "level"))
	if logger := jsontext.Text(jsontext.Member(said, "logger")); logger != "" {
		name += "/" + logger
	}
	switch level {
	case "debug", "info", "notice", "warning", "error", "critical", "alert", "emergency":
	default:
		level = "info"
	}
	data := jsontext.Member(said, "data")
	if data == nil {
		data = []byte("null")
	}
	//lint:ignore SA1019 callers of all revisions before 2026-07-28 are notified this way
	_ = f.session.Log(f.ctx, &mcp.LoggingMessageParams{Level: mcp.LoggingLevel(level), Logger: name, Data: json.RawMessage(data)}) // it may have ended
}
