// Claude Desktop: claude_desktop_config.json.

package dialect

// claudeDesktop is claude_desktop_config.json.
func claudeDesktop() Dialect {
	return Dialect{
		Name: "claude-desktop", shared: true,
		path:  func(p parts) bool { return p.end("claude_desktop_config.json") },
		sniff: has("mcpServers", nil),
		files: func(m Machine) []Location {
			files := []Location{{Path: m.appData("Claude/claude_desktop_config.json"), Scope: ScopeUser}}
			if m.OS != "windows" && m.OS != "darwin" {
				files = append(files, Location{Path: m.appData("claude/claude_desktop_config.json"), Scope: ScopeUser})
			}
			return files
		},
		read: in("mcpServers"),
		keys: []rowKey{transportKey("type"), commandKey("command"), argsKey(), envKey("env"), urlKey("url"), headersKey("headers"),
			disabledKey(), descriptionKey()},
		finish: decide, inherit: whole(), Merge: FirstWins,
	}
}
