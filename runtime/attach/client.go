// The SDK's client: one per server, for the handshake. What servers ask and say is not its
// business.

package attach

import (
	"context"
	"log/slog"

	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// clientName is the name of this client in handshakes.
const clientName = "mcpgen"

// newClient returns a client that advertises what the program answers. Since 2026-07-28
// the SDK subscribes to what somebody hears: that is why it has handlers.
func (o *opener) newClient() *mcp.Client {
	return mcp.NewClient(&mcp.Implementation{Name: clientName, Version: o.Version}, &mcp.ClientOptions{
		Capabilities:               o.handlers.capabilities(),
		Logger:                     slog.New(slog.DiscardHandler), // what it would say is in the errors
		ToolListChangedHandler:     func(context.Context, *mcp.ToolListChangedRequest) {},
		PromptListChangedHandler:   func(context.Context, *mcp.PromptListChangedRequest) {},
		ResourceListChangedHandler: func(context.Context, *mcp.ResourceListChangedRequest) {},
	})
}
