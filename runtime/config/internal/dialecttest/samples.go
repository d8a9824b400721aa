// Package dialecttest holds samples of every dialect for tests. Tests fail for a dialect without a
// sample.
package dialecttest

// Samples returns a project file with a server named a for each dialect that has project files.
func Samples() map[string]string {
	const servers, mcpServers = `{"servers": {"a": {"command": "x"}}}`, `{"mcpServers": {"a": {"command": "x"}}}`
	return map[string]string{
		"scarab":          "apiVersion: scarab/v1\nkind: AgentManifest\nmetadata: {name: a}\nspec: {mcp_servers: [{name: a, transport: Stdio, command: x}]}\n",
		"codex":           "[mcp_servers.a]\ncommand = \"x\"\n",
		"opencode-agents": `{"a": {"type": "local", "command": ["x"]}}`,
		"opencode":        `{"mcp": {"a": {"type": "local", "command": ["x"]}}}`,
		"crush":           `{"mcp": {"a": {"type": "stdio", "command": "x"}}}`,
		"zed":             `{"context_servers": {"a": {"source": "custom", "command": "x", "args": []}}}`,
		"mcporter":        mcpServers,
		"claude-code":     mcpServers, "cursor": mcpServers, "gemini": mcpServers,
		"copilot-cli": mcpServers, "tallow": mcpServers, "kiro": mcpServers,
		"coreagent": `{"version": 1, "servers": {"a": {"transport": "stdio", "command": "x"}}}`,
		"vscode":    `{"servers": {"a": {"type": "stdio", "command": "x"}}}`,
		"indusr":    servers,
	}
}
