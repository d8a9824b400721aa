// Kiro: .kiro/settings/mcp.json.

package dialect

import (
	"time"

	"github.com/mcpgen/mcpgen/runtime/config/internal/texts"
)

// kiro is the dialect of .kiro/settings/mcp.json, of the project and of the user. The project's file
// wins.
func kiro() Dialect {
	return Dialect{
		Name: "kiro", shared: true,
		names:  []string{".kiro/settings/mcp.json"},
		folder: []string{".kiro/settings", ".kiro"},
		files:  []place{project(".kiro/settings/mcp.json"), home(".kiro/settings/mcp.json")},
		rows:   "mcpServers",
		keys: common([]rowKey{
			{"timeout", setCall(time.Millisecond)}, {"disabled", setDisabled}, {"disabledTools", setExclude},
			{"oauth", noted("has no effect, because mcpgen itself signs in")},
		}, grants("autoApprove")),
		finish: decide, start: startWorkspace,
		vars: func(*File) *texts.Syntax {
			return &texts.Syntax{Forms: []texts.Form{{Open: "${", Close: "}", Name: texts.VariableName}}}
		},
	}
}
