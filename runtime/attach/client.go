// The SDK's client: one per server, which offers nothing and declines what it
// is asked for.

package attach

import (
	"context"
	"encoding/json"
	"fmt"
	"log/slog"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/mcpgen/mcpgen/runtime/attach/internal/quote"
)

// clientName is what servers are told.
const clientName = "mcpgen"

// newClient returns a client that advertises no capability.
func (o *opener) newClient() *mcp.Client {
	opts := &mcp.ClientOptions{
		Capabilities:   &mcp.ClientCapabilities{},
		MultiRoundTrip: &mcp.MultiRoundTripOptions{Disabled: true}, // ours is the same on every transport
		Logger:         slog.New(slog.DiscardHandler),              // what it would say is in the errors
	}
	if !o.quiet {
		//lint:ignore SA1019 servers of all revisions before 2026-07-28 log this way
		opts.LoggingMessageHandler = o.onLog
	}
	client := mcp.NewClient(&mcp.Implementation{Name: clientName, Version: o.Version}, opts)
	client.AddReceivingMiddleware(o.decline)
	return client
}

// decline answers an elicitation with "decline", which is kinder than an error:
// the server may go on without. No handler is set, since that would advertise
// the capability.
func (o *opener) decline(next mcp.MethodHandler) mcp.MethodHandler {
	return func(ctx context.Context, method string, req mcp.Request) (mcp.Result, error) {
		if method != elicitation {
			return next(ctx, method, req)
		}
		message := ""
		if p, ok := req.GetParams().(*mcp.ElicitParams); ok && p != nil {
			message = p.Message
		}
		o.declined(message)
		return &mcp.ElicitResult{Action: "decline"}, nil
	}
}

// declined notes a declined elicitation in one line.
func (o *opener) declined(message string) {
	message = quote.Mask(quote.Line(message, 200), o.resolved.Secrets)
	o.log.Warn(fmt.Sprintf("MCP server %q requested elicitation (message: %s); declined (no interactive UI)", o.server.Name, message))
}

// onLog passes the server's own log on.
func (o *opener) onLog(ctx context.Context, req *mcp.LoggingMessageRequest) {
	if req.Params == nil {
		return
	}
	text, ok := req.Params.Data.(string)
	if !ok {
		data, err := json.Marshal(req.Params.Data)
		if err != nil {
			return
		}
		text = string(data)
	}
	text = quote.Mask(quote.Line(text, 2000), o.resolved.Secrets)
	o.log.LogAttrs(ctx, level(req.Params.Level), text,
		slog.String("server", o.server.Name), slog.String("logger", quote.Line(req.Params.Logger, 100)))
}

//lint:ignore SA1019 servers of all revisions before 2026-07-28 log this way
func level(l mcp.LoggingLevel) slog.Level {
	switch l {
	case "debug":
		return slog.LevelDebug
	case "warning":
		return slog.LevelWarn
	case "error", "critical", "alert", "emergency":
		return slog.LevelError
	}
	return slog.LevelInfo
}
