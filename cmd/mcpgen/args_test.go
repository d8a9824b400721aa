package main

import (
	"io"
	"strings"
	"testing"
)

// TestFlagKinds finds a flag that takes a value in one command and none in another: it
// could not stand before its command.
func TestFlagKinds(t *testing.T) {
	app := newApp(io.Discard, io.Discard, "mcpgen")
	known := takesValue(app.Flags)
	for _, c := range app.Commands {
		for name, value := range takesValue(c.Flags) {
			if c.Name == "serve" && name == "tools" {
				continue // see parseLine
			}
			if before, ok := known[name]; ok && before != value {
				t.Errorf("mcpgen %s --%s takes a value: %t, want %t, as elsewhere", c.Name, name, value, before)
			}
			known[name] = value
		}
	}
}

func TestArrange(t *testing.T) {
	tests := []struct{ typed, want string }{
		{"mcpgen", "mcpgen"},
		{"mcpgen generate", "mcpgen generate"},
		{"mcpgen generate --frozen --config x.yaml", "mcpgen --config x.yaml generate --frozen"},
		{"mcpgen --frozen generate", "mcpgen generate --frozen"},
		{"mcpgen --json call a/b --args {}", "mcpgen call --json --args {} a/b"},
		{"mcpgen --args {} call a/b", "mcpgen call --args {} a/b"},
		{"mcpgen call a/b --args={} --quiet", "mcpgen --quiet call --args={} a/b"},
		{"mcpgen call --args - a/b", "mcpgen call --args - a/b"},
		{"mcpgen update a b --dry-run --servers a,b", "mcpgen --servers a,b update --dry-run a b"},
		{"mcpgen call --args {} -- --odd-name", "mcpgen call --args {} -- --odd-name"},
		{"mcpgen check --nonsense", "mcpgen check --nonsense"},
		{"mcpgen serve --tools search --quiet", "mcpgen --quiet serve --tools search"},
		{"mcpgen status --tools", "mcpgen status --tools"},
		{"mcpgen --tools status", "mcpgen status --tools"},
		{"mcpgen --nonsense check", "mcpgen check --nonsense"},
		{"mcpgen check -h", "mcpgen help check"},
		{"mcpgen --help --quiet check x", "mcpgen help check"},
		{"mcpgen policy grant --help", "mcpgen help policy"},
		{"mcpgen help policy grant", "mcpgen help policy"},
		{"mcpgen help nonsense", "mcpgen nonsense"},
		{"mcpgen -h", "mcpgen help"},
		{"mcpgen call --args --help x", "mcpgen call --args --help x"},
		{"mcpgen call -- --help", "mcpgen call -- --help"},
		{"mcpgen --version", "mcpgen version"},
		{"mcpgen trust-project --yes app", "mcpgen trust --yes add app"},
		{"mcpgen --json trust-status", "mcpgen trust --json status"},
		{"mcpgen untrust-project", "mcpgen trust remove"},
		{"mcpgen trust-project --help", "mcpgen help trust"},
		{"mcpgen check --timeout", "mcpgen --timeout"},
		{"mcpgen call a/b --args", "mcpgen call --args"},
	}
	for _, tt := range tests {
		app := newApp(io.Discard, io.Discard, "mcpgen")
		if got := strings.Join(reorderArgs(app, strings.Fields(tt.typed)), " "); got != tt.want {
			t.Errorf("reorderArgs(%q)\ngot  %s\nwant %s", tt.typed, got, tt.want)
		}
	}
}
