// Logs of servers, passed to the callers whose calls they belong to.

package gateway

import (
	"context"
	"encoding/json"
	"log/slog"
	"slices"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/mcpgen/mcpgen/internal/jsontext"
	"github.com/mcpgen/mcpgen/runtime/attach"
)

// Handler returns a handler of logs for [attach.Options.Logger]. It passes what
// servers log during a call to the call's caller, if the caller is known, from the
// level on that it asked for, and everything to next.
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
		if calls, _ := h.input.of(ctx, server, said); calls != nil {
			calls.newest().log(server, said)
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
	if !slices.Contains(levels, level) {
		level = "info"
	}
	data := jsontext.Member(said, "data")
	if data == nil {
		data = []byte("null")
	}
	if f.session == nil { // its call asked for no logs: see [Gateway.direct]
		return
	}
	//lint:ignore SA1019 callers of all revisions before 2026-07-28 are notified this way
	_ = f.session.Log(f.stream(), &mcp.LoggingMessageParams{Level: mcp.LoggingLevel(level), Logger: name, Data: json.RawMessage(data)}) // it may have ended
}
