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
	var m struct {
		Info         json.RawMessage            `json:"serverInfo"`
		Capabilities json.RawMessage            `json:"capabilities"`
		Instructions json.RawMessage            `json:"instructions"`
		Meta         map[string]json.RawMessage `json:"_meta"`
	}
	_ = json.Unmarshal(raw, &m)
	h := handshakeResult{identity: present(m.Info), capabilities: present(m.Capabilities)}
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

// has reports whether the server declares a capability, or an extension, whose name
// has a slash.
func (h *handshakeResult) has(capability string) bool {
	in := h.capabilities
	if strings.Contains(capability, "/") {
		in = jsontext.Member(in, "extensions")
	}
	return present(jsontext.Member(in, capability)) != nil
}
