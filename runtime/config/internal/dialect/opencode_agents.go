// OpenCode's .agents/mcp.json.

package dialect

import (
	"github.com/mcpgen/mcpgen/internal/tree"
)

// openCodeAgents is the dialect of OpenCode's .agents/mcp.json, in which every member is a server.
// core-agent has another form of this file.
func openCodeAgents() Dialect {
	d := openCodeRows()
	d.Name = "opencode-agents"
	d.folder = []string{".agents"}
	d.names, d.example = []string{".agents/mcp.json"}, `{"name": {"type": "local", "command": ["…"]}}`
	d.sniff = func(root *tree.Node) bool {
		for _, m := range root.Members {
			if m.Name != "$schema" && !isOpenCode(m.Value) {
				return false
			}
		}
		return len(root.Without("$schema").Members) > 0
	}
	d.files = []place{project(".agents/mcp.json"), home(".agents/mcp.json")}
	// Broken files belong to core-agent, which has files with the same names and reports their errors.
	d.owns = func(f *File) bool { return f.isMapping() && d.sniff(f.root) }
	d.read = func(f *File, root *tree.Node) { f.rowsAt(root.Without("$schema"), "", false) }
	return d
}
