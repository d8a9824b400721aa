package live_test

import (
	"slices"
	"testing"

	"github.com/mcpgen/mcpgen/runtime/live"
)

// PI_MCP_SERVERS scopes a program as it scopes a command.
func TestTallowScope(t *testing.T) {
	project(t, map[string]string{"../home/.tallow/settings.json": `{"mcpServers": {
  "slack": {"command": PROGRAM, "args": ["echo"]}, "github": {"command": PROGRAM, "args": ["echo"]}, "linear": {"command": PROGRAM, "args": ["echo"]}}}`})
	for value, want := range map[string][]string{"slack, github": {"github", "slack"}, "": {"github", "linear", "slack"}, ",": nil} {
		t.Setenv("PI_MCP_SERVERS", value)
		host := open(t, live.Options{System: "tallow"})
		got := attached(host)
		if slices.Sort(got); !slices.Equal(got, want) {
			t.Errorf("%q: %q are attached, want %q", value, got, want)
		}
	}
}
