// The files of tallow: mcpServers of its settings.

package dialect

import (
	"slices"
	"time"

	"github.com/mcpgen/mcpgen/runtime/endpoint"
	"github.com/mcpgen/mcpgen/runtime/naming"
)

// tallow is the dialect of mcpServers in tallow's settings. A trusted project's file overrides the
// user's.
func tallow() Dialect {
	return Dialect{
		Name: "tallow", shared: true,
		names:  []string{".tallow/settings.json"},
		folder: []string{".tallow"},
		files:  []place{project(".tallow/settings.json"), home(".tallow/settings.json")},
		rows:   "mcpServers", keys: common(),
		finish: func(e *entry) {
			switch {
			case e.said.Value != nil:
				decide(e)
			case e.url && !e.command:
				e.fail(e.n, e.at, "a url without a type", `write "type": "sse" beside it`)
			default:
				programOnly(e)
			}
			e.Server.Timeout.Call = 120 * time.Second
		},
		start: startWorkspace, restart: endpoint.RestartOnce, Lenient: true, merge: overlay,
		Naming: naming.MCPDoubleUnderscore, Gate: GateAll,
		decides: tallowKeys(), beside: slices.Concat(keysOf(tallowKeys(), ".tallow/settings.local.json"), []Counted{
			{Path: ".tallow/hooks.json"}, {Path: ".tallow/agents", Tree: true},
		}),
		Guides:   []string{"documentation"},
		Commands: []string{"mcp"},
	}
}

// tallowKeys returns the settings that tallow's own trust in a project covers.
func tallowKeys() []string {
	return []string{"plugins", "hooks", "mcpServers", "packages", "permissions", "shellInterpolation"}
}
