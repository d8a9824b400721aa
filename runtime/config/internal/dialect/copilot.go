// Copilot CLI: mcp-config.json, and .github/mcp.json of a project.

package dialect

import (
	"strings"
	"time"

	"github.com/mcpgen/mcpgen/runtime/config/internal/texts"
	"github.com/mcpgen/mcpgen/runtime/config/internal/tree"
)

// copilot is mcp-config.json. A project's .mcp.json, which Copilot CLI reads as
// well, is that of claudeCode.
func copilot() Dialect {
	return Dialect{
		Name: "copilot-cli", shared: true,
		path:   func(p parts) bool { return p.end(".copilot/mcp-config.json", ".github/mcp.json") },
		sniff:  has("mcpServers", nil),
		folder: []string{".github", ".copilot"},
		files: func(m Machine) []Location {
			folder := m.Join(m.Home, ".copilot")
			if moved := m.lookup("COPILOT_HOME"); moved != "" {
				folder = moved
			}
			return []Location{
				{Path: m.Join(m.Dir, ".github/mcp.json"), Scope: ScopeProject},
				{Path: m.Join(folder, "mcp-config.json"), Scope: ScopeUser},
			}
		},
		read: in("mcpServers"),
		keys: concat([]rowKey{
			transportKey("type"), commandKey("command"), argsKey(), envKey("env"), cwdKey(), urlKey("url"), headersKey("headers"),
			{"tools", copilotTools}, callKey("timeout", time.Millisecond), descriptionKey(), enabledKey(), disabledKey(),
			clientIDKey("oauthClientId"), scopesKey("oauthScopes"),
		}, quiet("source", "filterMapping", "isDefaultServer", "displayName", "oauthPublicClient")),
		finish: func(e *entry) {
			if strings.EqualFold(e.word(), "local") {
				programOnly(e)
				return
			}
			decide(e)
		},
		vars: vars(func() *texts.Syntax {
			x := claudeVars()
			x.Unset = texts.Emptied
			return x
		}),
		inherit: whole(), start: startWorkspace, Merge: FirstWins,
	}
}

// copilotTools are the tools that a server has: "*" is all of them.
func copilotTools(e *entry, v *tree.Node, at tree.Path) {
	if v.Kind == tree.List && len(v.List) == 1 && v.List[0].Kind == tree.String && v.List[0].Text == "*" {
		return
	}
	includeKey("tools").set(e, v, at)
}
