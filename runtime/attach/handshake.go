// The handshake: the SDK's client that makes it, and the server's description of
// itself.

package attach

import (
	"context"
	"encoding/json"
	"log/slog"
	"strings"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/mcpgen/mcpgen/internal/jsontext"
	"github.com/mcpgen/mcpgen/internal/safetext"
)

// clientName is the name of this client in handshakes.
const clientName = "mcpgen"

// newClient returns a client that declares what the program answers. The handlers are
// empty: since 2026-07-28 the SDK subscribes to the notifications that have one.
func (o *opener) newClient() *mcp.Client {
	return mcp.NewClient(&mcp.Implementation{Name: clientName, Version: o.Version}, &mcp.ClientOptions{
		Capabilities:               o.handlers.capabilities(),
		Logger:                     slog.New(slog.DiscardHandler), // the errors have the same text
		ToolListChangedHandler:     func(context.Context, *mcp.ToolListChangedRequest) {},
		PromptListChangedHandler:   func(context.Context, *mcp.PromptListChangedRequest) {},
		ResourceListChangedHandler: func(context.Context, *mcp.ResourceListChangedRequest) {},
	})
}

// handshakeResult holds what a server reports about itself in the handshake.
type handshakeResult struct {
	identity     json.RawMessage // serverInfo; nil if absent
	capabilities json.RawMessage
	instructions string
	name         string // of identity, fit to be shown
	version      string
}

// parseHandshake reads the result of initialize or server/discover. A member of the
// wrong type counts as absent.
func parseHandshake(raw json.RawMessage) handshakeResult {
	h := handshakeResult{
		identity:     jsontext.Present(jsontext.Member(raw, "serverInfo")),
		capabilities: jsontext.Present(jsontext.Member(raw, "capabilities")),
		instructions: jsontext.Text(jsontext.Member(raw, "instructions")),
	}
	if info := jsontext.Present(jsontext.Member(jsontext.Member(raw, "_meta"), mcp.MetaKeyServerInfo)); info != nil {
		h.identity = info
	}
	h.name, h.version = shown(h.identity, "name"), shown(h.identity, "version")
	return h
}

func shown(raw json.RawMessage, member string) string {
	return safetext.Words(jsontext.Text(jsontext.Member(raw, member)), 200)
}

// has reports whether the server declares a capability or an extension. The name of
// an extension has a slash.
func (h *handshakeResult) has(capability string) bool {
	in := h.capabilities
	if strings.Contains(capability, "/") {
		in = jsontext.Member(in, "extensions")
	}
	return jsontext.Present(jsontext.Member(in, capability)) != nil
}
