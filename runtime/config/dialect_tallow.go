// The files of tallow: mcpServers of its settings.

package config

import (
	"time"

	"github.com/mcpgen/mcpgen/runtime/endpoint"
	"github.com/mcpgen/mcpgen/runtime/naming"
)

// tallow is mcpServers of its settings. A user's file comes first and a project's
// one overrides it, if the project is trusted.
func tallow() dialect {
	return dialect{
		name:  "tallow",
		path:  func(p parts) bool { return p.end(".tallow/settings.json") },
		sniff: has("mcpServers", nil),
		files: func(env Environment) []file {
			return []file{
				{path: env.join(env.Dir, ".tallow/settings.json"), scope: scopeProject},
				{path: env.join(env.Home, ".tallow/settings.json"), scope: scopeUser},
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
			e.server.Timeout.Call = 120 * time.Second
		},
		vars: noVars, inherit: whole(), start: startWorkspace, restart: endpoint.RestartOnce, lenient: true, merge: overlay,
		naming: naming.MCPDoubleUnderscore, gated: true, guides: []string{"documentation"},
		commands: []string{"mcp"},
	}
}
