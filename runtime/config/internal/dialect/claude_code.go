// Claude Code: .mcp.json and similar files.

package dialect

import (
	"github.com/mcpgen/mcpgen/internal/tree"
	"github.com/mcpgen/mcpgen/runtime/config/internal/texts"
)

// claudeCode is the dialect of .mcp.json and similar files.
func claudeCode() Dialect {
	user := home(".claude.json").movedBy("CLAUDE_CONFIG_DIR")
	return Dialect{
		Name: "claude-code", shared: true,
		names: []string{".mcp.json", ".claude.json", "managed-mcp.json"},
		sniff: func(root *tree.Node) bool {
			return has("mcpServers", nil)(root) || has("projects", hasKey("mcpServers"))(root)
		},
		files: []place{on(map[string]place{
			"darwin":  file(ScopeManaged, "/Library/Application Support/ClaudeCode/managed-mcp.json"),
			"windows": file(ScopeManaged, `C:\Program Files\ClaudeCode\managed-mcp.json`),
		}, file(ScopeManaged, "/etc/claude-code/managed-mcp.json")), user.as(ScopeLocal), project(".mcp.json"), user},
		decides: []string{"mcpServers", "servers", "inputs"},
		beside: append(keysOf([]string{
			"hooks", "permissions", "mcpServers", "enableAllProjectMcpServers",
			"enabledMcpjsonServers", "disabledMcpjsonServers",
		}, ".claude/settings.json", ".claude/settings.local.json"), Counted{Path: ".claude/agents", Tree: true}),
		rows: "mcpServers",
		read: readClaude,
		keys: common([]rowKey{
			transportKey("transport"), {"enabled", setEnabled}, {"disabled", setDisabled}, {"description", setDescription},
			{"headersHelper", noted("mcpgen runs no shell for headers", "write them into headers",
				"define the server in mcpgen.yaml")},
			{"oauth", object([]rowKey{{"clientId", setClientID}, {"clientSecret", setClientSecret}, {"scopes", setScopes},
				{"authServerMetadataUrl", setMetadata}, {"callbackPort", setPort}})},
		}, quiet("alwaysLoad")),
		finish: func(e *entry) {
			if e.Server.Name == "workspace" {
				e.Left = "the name workspace is reserved in Claude Code, which skips it"
				return
			}
			decide(e)
		},
		vars: claudeVars, start: startWorkspace, Managed: true,
	}
}

// readClaude reads a user's servers for one project, then the user's servers for all projects. A search
// reads the two scopes separately.
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
	f.mapping(root)
}

func setMetadata(e *entry, v *tree.Node, at tree.Path) {
	e.auth("metadata_url", &e.address.Auth.MetadataURL, v, at)
}

// claudeVars expands ${NAME} and ${NAME:-default}.
func claudeVars(*File) *texts.Syntax {
	return &texts.Syntax{Forms: []texts.Form{{Open: "${", Close: "}", Name: texts.VariableName, Defaults: true}}}
}
