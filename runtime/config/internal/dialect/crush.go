// Crush: mcp of crush.json. Its shell scripts, crushrc, are programs and are not
// read.

package dialect

import (
	"strings"
	"time"

	"github.com/mcpgen/mcpgen/runtime/config/internal/texts"
	"github.com/mcpgen/mcpgen/runtime/config/internal/tree"
)

// crush is crush.json.
func crush() Dialect {
	return Dialect{
		Name:  "crush",
		path:  func(p parts) bool { return p.end("crush.json", ".crush.json") },
		sniff: has("mcp", func(n *tree.Node) bool { return stringIn(n.Value("type"), "stdio", "http", "sse") }),
		files: func(m Machine) []Location {
			user := m.Join(m.xdgConfig(), "crush/crush.json")
			if folder := m.lookup("CRUSH_GLOBAL_CONFIG"); folder != "" {
				user = m.Join(folder, "crush.json")
			}
			return []Location{
				{Path: m.Join(m.Dir, ".crush.json"), Scope: ScopeProject},
				{Path: m.Join(m.Dir, "crush.json"), Scope: ScopeProject},
				{Path: user, Scope: ScopeUser},
			}
		},
		read: in("mcp"),
		keys: []rowKey{
			transportKey("type"), commandKey("command"), argsKey(), envKey("env"), urlKey("url"), headersKey("headers"),
			disabledKey(), includeKey("enabled_tools"), excludeKey("disabled_tools"), startKey("timeout", time.Second),
			clientIDKey("oauth_client_id"), clientSecretKey("oauth_client_secret"), portKey("oauth_callback_port"), oauthKey("oauth"),
		},
		finish: finishCrush, vars: vars(crushVars), inherit: whole(), start: startWorkspace, Merge: FirstWins,
	}
}

// finishCrush leaves out what a shell would have to run.
func finishCrush(e *entry) {
	for _, t := range e.texts {
		if strings.Contains(t.Text, "$(") || strings.Contains(t.Text, "`") {
			e.Left = "a text of it is the output of a command, which mcpgen does not run"
			return
		}
	}
	decide(e)
}

// crushVars are $NAME, ${NAME} and ${NAME:-default}, as a shell reads them.
func crushVars() *texts.Syntax {
	return &texts.Syntax{Escape: `\`, Unset: texts.Emptied, Forms: []texts.Form{
		{Open: "${", Close: "}", Name: texts.VariableName, Defaults: true, EmptyIs: true},
		{Open: "$", Name: texts.VariableName},
	}}
}
