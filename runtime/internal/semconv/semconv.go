// Package semconv describes requests and servers by OpenTelemetry's semantic conventions
// for MCP, for package gateway and for package otel, a module of its own. Where the
// conventions have no name, it starts with mcpgen.
package semconv

import (
	"context"
	"errors"
	"strconv"
	"sync"
	"time"

	"github.com/mcpgen/mcpgen/runtime"
	"github.com/mcpgen/mcpgen/runtime/endpoint"
	"github.com/mcpgen/mcpgen/runtime/event"
	"github.com/mcpgen/mcpgen/runtime/protocol"
)

// An Attribute is an attribute of a span, a value or a log.
type Attribute struct{ Key, Value string }

// The attributes whose values servers and callers choose.
const (
	ToolName   = "gen_ai.tool.name"
	PromptName = "gen_ai.prompt.name"
	ErrorType  = "error.type"
	StatusCode = "rpc.response.status_code"
)

// SessionID is the attribute with the session of a caller's request. It belongs to spans
// only.
const SessionID = "mcp.session.id"

// Server is the attribute with the configured name of a server. Without it, equal tools of
// two servers are one.
const Server = "mcpgen.server"

// Request returns the name of the span of a request, and its attributes. The attribute
// apart has one more, if it has a key. It belongs to the span only: it may have any number of values.
func Request(req runtime.Request) (name string, attributes []Attribute, apart Attribute) {
	name = req.Method
	attributes = make([]Attribute, 0, 10)
	if req.Server != "" { // requests of callers have none
		attributes = append(attributes, Attribute{Server, req.Server})
	}
	attributes = append(attributes, Attribute{"mcp.method.name", req.Method})
	switch req.Method {
	case protocol.MethodCallTool:
		attributes = append(attributes, Attribute{"gen_ai.operation.name", "execute_tool"})
		fallthrough
	case protocol.MethodGetTask, protocol.MethodAwaitTask, protocol.MethodUpdateTask, protocol.MethodCancelTask:
		name += " " + req.Name
		attributes = append(attributes, Attribute{ToolName, req.Name})
	case protocol.MethodGetPrompt:
		name += " " + req.Name
		attributes = append(attributes, Attribute{PromptName, req.Name})
	case protocol.MethodReadResource, protocol.MethodSubscribe:
		apart = Attribute{"mcp.resource.uri", req.Name}
	}
	return name, attributes, apart
}

// Session returns the attributes of a session with a server.
func Session(revision string, transport endpoint.Transport) (attributes []Attribute) {
	if revision != "" {
		attributes = append(attributes, Attribute{"mcp.protocol.version", revision})
	}
	switch transport {
	case endpoint.Stdio:
		attributes = append(attributes, Attribute{"network.transport", "pipe"})
	case endpoint.HTTP, endpoint.SSE:
		attributes = append(attributes, Attribute{"network.transport", "tcp"}, Attribute{"network.protocol.name", "http"})
	}
	return attributes
}

// Outcome returns the kind of a request's failure, which is "" if it succeeded, and the
// attributes of the outcome.
func Outcome(res *runtime.Result, err error) (failure string, attributes []Attribute) {
	if failure = errorType(res, err); failure != "" {
		attributes = append(attributes, Attribute{ErrorType, failure})
	}
	if answer, ok := errors.AsType[*runtime.RPCError](err); ok {
		attributes = append(attributes, Attribute{StatusCode, strconv.FormatInt(answer.Code, 10)})
	}
	return failure, attributes
}

// errorType returns the kind of a request's failure; "" if there is none. It is
// "tool_error" if the tool itself said no, the code if the server answered with an error,
// and else "denied", "drift", "timeout", "canceled", "invalid_arguments", "unauthorized",
// "not_attached", "unknown_tool", "unavailable", "decode" or "_OTHER".
func errorType(res *runtime.Result, err error) string {
	answer, answered := errors.AsType[*runtime.RPCError](err)
	_, refused := errors.AsType[*runtime.ToolError](err)
	if refused || err == nil && res != nil && res.IsError {
		return "tool_error"
	}
	if err == nil {
		return ""
	}
	for _, k := range []struct {
		err  error
		kind string
	}{
		{runtime.ErrDenied, "denied"}, {runtime.ErrDrift, "drift"}, {runtime.ErrRPC, ""}, {runtime.ErrTimeout, "timeout"}, {context.DeadlineExceeded, "timeout"},
		{context.Canceled, "canceled"}, {runtime.ErrInvalidArgs, "invalid_arguments"}, {runtime.ErrAuth, "unauthorized"}, {runtime.ErrNotAttached, "not_attached"},
		{runtime.ErrUnknownTool, "unknown_tool"}, {runtime.ErrUnavailable, unavailable}, {runtime.ErrDecode, "decode"},
	} {
		switch {
		case !errors.Is(err, k.err):
		case k.kind != "":
			return k.kind
		case answered:
			return strconv.FormatInt(answer.Code, 10)
		}
	}
	return "_OTHER"
}

// unavailable is the [ErrorType] of a lost server.
const unavailable = "unavailable"

// The histograms of durations, in seconds.
const (
	OperationDuration = "mcp.client.operation.duration"
	SessionDuration   = "mcp.client.session.duration"
	ServerDuration    = "mcp.server.operation.duration"
)

// Description returns the description of a histogram.
func Description(histogram string) string {
	switch histogram {
	case SessionDuration:
		return "The duration of the MCP session as observed on the MCP client."
	case ServerDuration:
		return "MCP request or notification duration as observed on the receiver " +
			"from the time it was received until the result or ack is sent."
	}
	return "The duration of the MCP request or notification as observed on the sender " +
		"from the time it was sent until the response or ack is received."
}

// Buckets returns the upper bounds of the buckets of each histogram.
func Buckets() []float64 {
	return []float64{0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1, 2, 5, 10, 30, 60, 120, 300}
}

// A Log is a log record. It has no text.
type Log struct {
	Name       string
	Severity   Severity
	Attributes []Attribute
}

// A Severity is a number of OpenTelemetry's data model of logs.
type Severity int

// The severities.
const (
	Warn  Severity = 13
	Error Severity = 17
)

// Failure returns the log of a request that failed.
func Failure(attributes []Attribute) Log { return Log{"mcpgen.call.failed", Warn, attributes} }

// Event returns the log of an event, if it has one.
func Event(e event.Event) (l Log, ok bool) {
	own := []Attribute{{Server, e.Server}}
	switch e.Kind {
	case event.Failed:
		return Log{"mcpgen.server.failed", Error, append(own, Attribute{ErrorType, unavailable})}, true
	case event.Unavailable:
		return Log{"mcpgen.server.unavailable", Error, append(own, Attribute{ErrorType, unavailable})}, true
	case event.Drift:
		return Log{"mcpgen.tool.drift", Warn, append(own, Attribute{ToolName, e.Tool}, Attribute{"mcpgen.tool.state", e.State})}, true
	}
	return Log{}, false
}

// Sessions measures sessions with servers. The zero value is ready; it is safe for
// concurrent use.
type Sessions struct {
	mu    sync.Mutex
	since map[sessionKey]time.Time
}

type sessionKey struct{ server, caller string }

// Ended returns the duration and the attributes of the session that an event ends, if it
// ends one.
func (s *Sessions) Ended(e event.Event) (seconds float64, attributes []Attribute, ok bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	key := sessionKey{e.Server, e.Caller}
	began, open := s.since[key]
	switch e.Kind {
	case event.Attached:
		if s.since == nil {
			s.since = map[sessionKey]time.Time{}
		}
		s.since[key] = e.Time
		return 0, nil, false
	case event.Failed, event.Detached:
	default:
		return 0, nil, false
	}
	delete(s.since, key)
	attributes = []Attribute{{Server, e.Server}}
	if e.Kind == event.Failed {
		attributes = append(attributes, Attribute{ErrorType, unavailable})
	}
	return e.Time.Sub(began).Seconds(), attributes, open
}
