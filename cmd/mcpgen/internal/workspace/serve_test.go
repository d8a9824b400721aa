package workspace

import (
	"strings"
	"testing"
)

// Claude Desktop starts servers, and takes no address from its file.
func TestClientFile(t *testing.T) {
	const desktop = "claude_desktop_config.json"
	if text, _ := clientFile("x", clientEntry{Command: "mcpgen"}); !strings.Contains(text, desktop) {
		t.Errorf("a command: %s", text)
	}
	if text, _ := clientFile("x", clientEntry{Type: "http", URL: "http://127.0.0.1:1/mcp"}); strings.Contains(text, desktop) {
		t.Errorf("an address: %s", text)
	}
}
