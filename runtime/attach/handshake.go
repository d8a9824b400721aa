// What a server says of itself in the handshake, as bytes.

package attach

import (
	"encoding/json"
	"strings"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/mcpgen/mcpgen/internal/jsontext"
	"github.com/mcpgen/mcpgen/runtime/attach/internal/quote"
)

// handshakeResult is what a server says of itself in the handshake.
type handshakeResult struct {
	identity     json.RawMessage // serverInfo; nil if absent
	capabilities json.RawMessage
	instructions string
	name         string // of identity, fit to be shown
	version      string
}

// parseHandshake reads the result of initialize or server/discover. What has the
// wrong type counts as absent.
func parseHandshake(raw json.RawMessage) handshakeResult {
	h := handshakeResult{
		identity:     present(jsontext.Member(raw, "serverInfo")),
		capabilities: present(jsontext.Member(raw, "capabilities")),
		instructions: jsontext.Text(jsontext.Member(raw, "instructions")),
	}
	if info := present(jsontext.Member(jsontext.Member(raw, "_meta"), mcp.MetaKeyServerInfo)); info != nil {
		h.identity = info
	}
	h.name, h.version = shown(h.identity, "name"), shown(h.identity, "version")
	return h
}

// present returns nil for a member that is absent or null.
func present(raw json.RawMessage) json.RawMessage {
	if len(raw) == 0 || string(raw) == "null" {
		return nil
	}
	return raw
}

func shown(raw json.RawMessage, member string) string {
	return quote.Line(jsontext.Text(jsontext.Member(raw, member)), 200)
}

// has reports whether the server declares a capability, or an extension, whose name
// has a slash.
func (h *handshakeResult) has(capability string) bool {
	in := h.capabilities
	if strings.Contains(capability, "/") {
		in = jsontext.Member(in, "extensions")
	}
	return present(jsontext.Member(in, capability)) != nil
}
