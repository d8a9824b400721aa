// Claude Code: .mcp.json and its kin.

package dialect

import (
	"github.com/mcpgen/mcpgen/runtime/config/internal/texts"
	"github.com/mcpgen/mcpgen/runtime/config/internal/tree"
	"github.com/mcpgen/mcpgen/runtime/endpoint"
)

// claudeCode is .mcp.json and its kin.
func claudeCode() Dialect {
	return Dialect{
		Name: "claude-code", shared: true,
		path: func(p parts) bool { return p.end(".mcp.json", ".claude.json", "managed-mcp.json") },
		sniff: func(root *tree.Node) bool {
			return has("mcpServers", nil)(root) || has("projects", hasKey("mcpServers"))(root)
		},
		files: claudeFiles,
		read:  readClaude,
		keys: []rowKey{
			transportKey("type"), transportKey("transport"), commandKey("command"), argsKey(), envKey("env"),
			urlKey("url"), headersKey("headers"), {"oauth", claudeOAuth}, enabledKey(), disabledKey(), descriptionKey(),
			noted("headersHelper", "mcpgen runs no shell for headers; write them into headers, or define the server in mcpgen.yaml"),
			{"alwaysLoad", func(*entry, *tree.Node, tree.Path) {}},
		},
		finish: func(e *entry) {
			if e.Server.Name == "workspace" {
				e.Left = "the name workspace is reserved in Claude Code, which skips it"
				return
			}
			decide(e)
		},
		vars: vars(claudeVars), inherit: whole(), start: startWorkspace, Merge: FirstWins, Managed: true,
	}
}

func claudeFiles(m Machine) []Location {
	user := m.Join(m.Home, ".claude.json")
	if folder := m.lookup("CLAUDE_CONFIG_DIR"); folder != "" {
		user = m.Join(folder, ".claude.json")
	}
	managed := "/etc/claude-code/managed-mcp.json"
	switch m.OS {
	case "darwin":
		managed = "/Library/Application Support/ClaudeCode/managed-mcp.json"
	case "windows":
		managed = `C:\Program Files\ClaudeCode\managed-mcp.json`
	}
	return []Location{
		{Path: managed, Scope: ScopeManaged},
		{Path: user, Scope: ScopeLocal},
		{Path: m.Join(m.Dir, ".mcp.json"), Scope: ScopeProject},
		{Path: user, Scope: ScopeUser},
	}
}

// readClaude reads a user's servers for one project, then those for all. A
// search asks for each of them by its scope.
func readClaude(f *File, root *tree.Node) {
	scope, found := f.Scope, false
	if projects := root.Value("projects"); projects != nil && (scope == ScopeLocal || !f.Searched) {
		for _, m := range projects.Members {
			if servers := m.Value.Value("mcpServers"); servers != nil && f.m.Dir != "" && f.m.same(m.Name, f.m.Dir) {
				f.Scope, f.workspace, found = ScopeLocal, f.m.Dir, true
				f.rowsAt(servers, tree.Path("projects").Key(m.Name).Key("mcpServers"), false)
			}
		}
		f.Scope = scope
	}
	if scope == ScopeLocal && f.Searched || found && root.Value("mcpServers") == nil {
		return
	}
	in("mcpServers")(f, root)
}

func claudeOAuth(e *entry, v *tree.Node, at tree.Path) {
	e.object(v, at, []rowKey{
		clientIDKey("clientId"), clientSecretKey("clientSecret"), scopesKey("scopes"),
		authText("authServerMetadataUrl", "metadata_url", func(a *endpoint.Auth) *string { return &a.MetadataURL }),
		portKey("callbackPort"),
	})
}

// claudeVars are ${NAME} and ${NAME:-default}.
func claudeVars() *texts.Syntax {
	return &texts.Syntax{Forms: []texts.Form{{Open: "${", Close: "}", Name: texts.VariableName, Defaults: true}}}
}
