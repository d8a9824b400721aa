package serving

import (
	"errors"
	"slices"
	"strings"
	"testing"

	"github.com/mcpgen/mcpgen/internal/hint"
	"github.com/mcpgen/mcpgen/runtime"
	"github.com/mcpgen/mcpgen/runtime/attach"
	"github.com/mcpgen/mcpgen/runtime/config"
)

// A caller without a token for a server is told of by the command that stores one.
func TestMissingCallerToken(t *testing.T) {
	t.Setenv("HOME", t.TempDir())
	t.Setenv("XDG_CONFIG_HOME", t.TempDir())
	_, err := callerTokens(&config.Project{Dir: t.TempDir()})(t.Context(), attach.AuthTarget{Server: "hub", Caller: "anna smith"})
	with, ok := errors.AsType[hint.Stepper](err)
	if !errors.Is(err, runtime.ErrAuth) || !ok || !strings.Contains(err.Error(), `the secret "hub/anna smith"`) || !slices.ContainsFunc(with.NextSteps(), func(step string) bool { return strings.Contains(step, "mcpgen secrets set 'hub/anna smith'") }) {
		t.Errorf("got %v", err)
	}
}

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

// A command that finds secrets gets no name that a shell or a path would interpret.
func TestPlainNames(t *testing.T) {
	for name, want := range map[string]bool{
		"anna": true, "anna@example.com": true, "spiffe://example.com/a": true, "a..b": true,
		"auth0|1": false, "$(id)": false, "a b": false, "../x": false, "x/..": false, "`id`": false, "a;b": false,
	} {
		if isPlainName(name) != want {
			t.Errorf("%q: want %t", name, want)
		}
	}
}
