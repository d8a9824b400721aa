// Copilot CLI: mcp-config.json, and .github/mcp.json of a project.

package dialect

import (
	"strings"
	"time"

	"github.com/mcpgen/mcpgen/internal/tree"
	"github.com/mcpgen/mcpgen/runtime/config/internal/texts"
)

// copilot is the dialect of mcp-config.json. Copilot CLI also reads a project's .mcp.json, which
// claudeCode covers.
func copilot() Dialect {
	return Dialect{
		Name: "copilot-cli", shared: true,
		names:  []string{".copilot/mcp-config.json", ".github/mcp.json"},
		folder: []string{".github", ".copilot"},
		files:  []place{project(".github/mcp.json"), home(".copilot/mcp-config.json").movedBy("COPILOT_HOME")},
		rows:   "mcpServers",
		keys: common([]rowKey{
			{"cwd", setCwd}, {"tools", copilotTools}, {"timeout", setCall(time.Millisecond)}, {"description", setDescription},
			{"enabled", setEnabled}, {"disabled", setDisabled}, {"oauthClientId", setClientID}, {"oauthScopes", setScopes},
		}, quiet("source", "filterMapping", "isDefaultServer", "displayName", "oauthPublicClient")),
		finish: func(e *entry) {
			if strings.EqualFold(e.word(), "local") {
				programOnly(e)
				return
			}
			decide(e)
		},
		vars: func(f *File) *texts.Syntax {
			x := claudeVars(f)
			x.Unset = texts.Empty
			return x
		},
		start: startWorkspace,
	}
}

// copilotTools reads the list of a server's tools; "*" means all.
func copilotTools(e *entry, v *tree.Node, at tree.Path) {
	if v.Kind == tree.List && len(v.List) == 1 && v.List[0].Kind == tree.String && v.List[0].Text == "*" {
		return
	}
	setInclude(e, v, at)
}
