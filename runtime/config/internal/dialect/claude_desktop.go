// Claude Desktop: claude_desktop_config.json.

package dialect

// claudeDesktop is the dialect of claude_desktop_config.json.
func claudeDesktop() Dialect {
	return Dialect{
		Name: "claude-desktop", shared: true,
		names: []string{"claude_desktop_config.json"},
		files: []place{
			appData("Claude/claude_desktop_config.json"),
			on(map[string]place{"windows": allOf(), "darwin": allOf()}, appData("claude/claude_desktop_config.json")),
		},
		rows: "mcpServers",
		keys: common([]rowKey{{"disabled", setDisabled}, {"description", setDescription}}), finish: decide,
	}
}
