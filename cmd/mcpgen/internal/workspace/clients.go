package workspace

// This file writes what other programs have to be told of a server.

import (
	"encoding/json"
	"strings"
)

// clientEntry is what clients have to be told of one server: how to start it, or where
// it is.
type clientEntry struct {
	Command string            `json:"command,omitempty"`
	Args    []string          `json:"args,omitempty"`
	Type    string            `json:"type,omitempty"`
	URL     string            `json:"url,omitempty"`
	Headers map[string]string `json:"headers,omitempty"`
}

// clientFiles is an entry in the files of the programs that most people use. What a
// file calls the list of its servers is all that differs.
func clientFiles(name string, entry clientEntry) string {
	var b strings.Builder
	most := ".mcp.json (Claude Code), .cursor/mcp.json, .gemini/settings.json"
	if entry.URL == "" { // Claude Desktop takes no address from its file
		most += ", claude_desktop_config.json"
	}
	for _, f := range []struct{ files, member string }{
		{most, "mcpServers"},
		{".vscode/mcp.json", "servers"},
	} {
		text, err := json.MarshalIndent(map[string]map[string]clientEntry{f.member: {name: entry}}, "  ", "  ")
		if err != nil {
			continue // texts can be written
		}
		b.WriteString(f.files + ":\n\n  " + string(text) + "\n\n")
	}
	return strings.TrimRight(b.String(), "\n")
}
