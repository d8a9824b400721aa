// Crush: mcp of crush.json. Its shell scripts, crushrc, are programs and are not read.

package dialect

import (
	"strings"
	"time"

	"github.com/mcpgen/mcpgen/internal/tree"
	"github.com/mcpgen/mcpgen/runtime/config/internal/texts"
)

// crush is the dialect of crush.json.
func crush() Dialect {
	return Dialect{
		Name:  "crush",
		names: []string{"crush.json", ".crush.json"},
		sniff: has("mcp", func(n *tree.Node) bool { return stringIn(n.Value("type"), "stdio", "http", "sse") }),
		files: []place{project(".crush.json", "crush.json"), xdg("crush/crush.json").movedBy("CRUSH_GLOBAL_CONFIG")},
		rows:  "mcp",
		keys: common([]rowKey{
			{"disabled", setDisabled}, {"enabled_tools", setInclude}, {"disabled_tools", setExclude},
			{"timeout", setStart(time.Second)},
			{"oauth_client_id", setClientID}, {"oauth_client_secret", setClientSecret},
			{"oauth_callback_port", setPort}, {"oauth", setOAuth},
		}),
		finish: finishCrush, vars: crushVars, start: startWorkspace,
	}
}

// finishCrush excludes servers with command substitutions, which only a shell can run.
func finishCrush(e *entry) {
	for _, t := range e.texts {
		if strings.Contains(t.Text, "$(") || strings.Contains(t.Text, "`") {
			e.Left = "one of its values is the output of a shell command, which mcpgen does not run"
			return
		}
	}
	decide(e)
}

// crushVars expands $NAME, ${NAME} and ${NAME:-default} as a shell does.
func crushVars(*File) *texts.Syntax {
	return &texts.Syntax{Escape: `\`, Unset: texts.Empty, Forms: []texts.Form{
		{Open: "${", Close: "}", Name: texts.VariableName, Defaults: true, EmptyIs: true},
		{Open: "$", Name: texts.VariableName},
	}}
}
