// The files of tallow: mcpServers of its settings.

package dialect

import (
	"time"

	"github.com/mcpgen/mcpgen/runtime/endpoint"
	"github.com/mcpgen/mcpgen/runtime/naming"
)

// tallow is mcpServers of its settings. A user's file comes first and a project's
// one overrides it, if the project is trusted.
func tallow() Dialect {
	return Dialect{
		Name: "tallow", shared: true,
		path:   func(p parts) bool { return p.end(".tallow/settings.json") },
		sniff:  has("mcpServers", nil),
		folder: []string{".tallow"},
		files: func(m Machine) []Location {
			return []Location{
				{Path: m.Join(m.Dir, ".tallow/settings.json"), Scope: ScopeProject},
				{Path: m.Join(m.Home, ".tallow/settings.json"), Scope: ScopeUser},
			}
		},
		read: in("mcpServers"),
		keys: []rowKey{transportKey("type"), commandKey("command"), argsKey(), envKey("env"), urlKey("url"), headersKey("headers")},
		finish: func(e *entry) {
			if e.said.Value == nil {
				programOnly(e)
			} else {
				decide(e)
			}
			e.Server.Timeout.Call = 120 * time.Second
		},
		inherit: whole(), start: startWorkspace, restart: endpoint.RestartOnce, Lenient: true, Merge: overlay,
		Naming: naming.MCPDoubleUnderscore, Gated: true, Guides: []string{"documentation"},
		Commands: []string{"mcp"},
	}
}
