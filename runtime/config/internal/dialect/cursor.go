// Cursor: .cursor/mcp.json.

package dialect

import (
	"github.com/mcpgen/mcpgen/runtime/config/internal/texts"
)

// cursor is the dialect of .cursor/mcp.json.
func cursor() Dialect {
	return Dialect{
		Name: "cursor", shared: true,
		names:  []string{".cursor/mcp.json", "Cursor/User/mcp.json"},
		folder: []string{".cursor"},
		files:  []place{project(".cursor/mcp.json"), home(".cursor/mcp.json"), appData("Cursor/User/mcp.json")},
		rows:   "mcpServers",
		keys: common([]rowKey{
			transportKey("transport"), {"envFile", setEnvFile}, {"cwd", setCwd},
			{"description", setDescription}, {"enabled", setEnabled}, {"disabled", setDisabled},
			{"auth", object([]rowKey{{"CLIENT_ID", setClientID}, {"CLIENT_SECRET", setClientSecret}, {"scopes", setScopes}})},
		}, grants("autoApprove", "alwaysAllow")),
		finish: decide, vars: func(f *File) *texts.Syntax { return editorVars(f.builtins()) }, start: startWorkspace,
	}
}
