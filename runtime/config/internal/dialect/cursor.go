// Cursor: .cursor/mcp.json.

package dialect

import (
	"github.com/mcpgen/mcpgen/runtime/config/internal/texts"
	"github.com/mcpgen/mcpgen/runtime/config/internal/tree"
)

// cursor is .cursor/mcp.json.
func cursor() Dialect {
	return Dialect{
		Name: "cursor", shared: true,
		path:   func(p parts) bool { return p.end(".cursor/mcp.json", "Cursor/User/mcp.json") },
		sniff:  has("mcpServers", nil),
		folder: []string{".cursor"},
		files: func(m Machine) []Location {
			return []Location{
				{Path: m.Join(m.Dir, ".cursor/mcp.json"), Scope: ScopeProject},
				{Path: m.Join(m.Home, ".cursor/mcp.json"), Scope: ScopeUser},
				{Path: m.appData("Cursor/User/mcp.json"), Scope: ScopeUser},
			}
		},
		read: in("mcpServers"),
		keys: concat([]rowKey{
			transportKey("type"), transportKey("transport"), commandKey("command"), argsKey(), envKey("env"), envFileKey(), cwdKey(),
			urlKey("url"), headersKey("headers"), {"auth", cursorAuth}, descriptionKey(), enabledKey(), disabledKey(),
		}, grants("autoApprove", "alwaysAllow")),
		finish: decide, vars: func(f *File) *texts.Syntax { return editorVars(f.builtins()) },
		inherit: whole(), start: startWorkspace, Merge: FirstWins,
	}
}

func cursorAuth(e *entry, v *tree.Node, at tree.Path) {
	e.object(v, at, []rowKey{clientIDKey("CLIENT_ID"), clientSecretKey("CLIENT_SECRET"), scopesKey("scopes")})
}
