package config_test

import (
	"path/filepath"
	"strings"
	"testing"

	"github.com/mcpgen/mcpgen/runtime/config"
)

// A file of core-agent without a server is told of with the form of its system's file,
// whether it was named or the system.
func TestWithoutServers(t *testing.T) {
	t.Parallel()
	const step = `write it as {"version": 1, "servers": {"name": {"transport": "stdio", "command": "…"}}}`
	for _, text := range []string{"", " \n", "{}", `{"version":1}`, `{"version":1,"servers":{}}`} {
		dir := writeFolder(t, map[string]string{".agents/mcp.json": text})
		path := filepath.Join(dir, ".agents", "mcp.json")
		if _, err := config.LoadServers(path); err == nil || !strings.HasPrefix(err.Error(), path+":") || !strings.HasSuffix(err.Error(), step) {
			t.Errorf("%q, named: %v", text, err)
		}
		p, err := config.Environment{Dir: dir}.LoadServers("coreagent")
		said := ""
		if err != nil {
			said = err.Error()
		} else {
			said = strings.Join(notesOf(p.Notices), "\n")
		}
		if !strings.HasPrefix(said, path+":") || !strings.HasSuffix(said, step) || strings.Count(said, "\n") > 0 {
			t.Errorf("%q, by its system: %s", text, said)
		}
	}
}
