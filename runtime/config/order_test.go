package config

import (
	"slices"
	"testing"
)

// Servers are in the order of their files: those of mcpgen.yaml first, then those of
// its imports.
func TestOrderOfServers(t *testing.T) {
	t.Chdir(t.TempDir())
	const stdio = "\n      transport: Stdio\n      command: x"
	writeFile(t, "manifest.yaml", manifestHead+"spec:\n  mcp_servers:\n    - name: zeta"+stdio+"\n    - name: alpha"+stdio+"\n    - name: mid"+stdio+"\n")
	writeFile(t, ".mcp.json", `{"mcpServers": {"zeta": {"command": "x"}, "alpha": {"command": "x"}, "mid": {"command": "x"}}}`)
	writeFile(t, "config.toml", "[mcp_servers.zeta]\ncommand = \"x\"\n[mcp_servers.alpha]\ncommand = \"x\"\n[mcp_servers.mid]\ncommand = \"x\"\n")
	for _, file := range []string{"manifest.yaml", ".mcp.json", "config.toml"} {
		p, err := LoadServers(file)
		if err != nil {
			t.Fatal(err)
		}
		if got := namesOf(p.Servers); got != "zeta alpha mid" {
			t.Errorf("%s: got %s", file, got)
		}
	}
	writeFile(t, "mcpgen.yaml", `version: 1
import: [.mcp.json]
servers:
  own: {command: x}
  mid: {enabled: false}
  another: {command: x}
  alpha: {lazy: true}
`)
	p, err := Load("mcpgen.yaml")
	if err != nil {
		t.Fatal(err)
	}
	if got := namesOf(p.Servers); got != "own another zeta alpha" || !slices.Equal(p.Disabled, []string{"mid"}) {
		t.Errorf("mcpgen.yaml: got %s, without %v", got, p.Disabled)
	}
}
