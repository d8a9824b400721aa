// The files of indusr: .indusvx/mcp.json and three of the user.

package dialect

import (
	"cmp"
	"slices"

	"github.com/mcpgen/mcpgen/internal/tree"
	"github.com/mcpgen/mcpgen/runtime/naming"
)

// indusr is the dialect of .indusvx/mcp.json. Problems in it are never errors.
func indusr() Dialect {
	return Dialect{
		Name: "indusr",
		names: []string{
			".indusvx/mcp.json", "indusvx/mcp.json", ".indusvx/agent/mcp.json", ".indusvx/agent/mcp-servers.json",
		},
		sniff: func(root *tree.Node) bool {
			servers := root.Value("servers")
			if servers == nil || root.Value("mcpServers") != nil {
				return false
			}
			typed := func(n *tree.Node) bool { return n.Value("type") != nil || n.Value("transport") != nil }
			for _, m := range servers.Members {
				if typed(m.Value) {
					return false
				}
			}
			return (servers.Kind == tree.List || servers.Kind == tree.Map) && !slices.ContainsFunc(servers.List, typed)
		},
		folder: []string{".indusvx"}, example: `{"servers": {"name": {"command": "…"}}}`,
		files: []place{
			project(".indusvx/mcp.json"),
			below(ScopeUser, func(m Machine) string {
				return cmp.Or(m.lookup("XDG_CONFIG_HOME"), m.Join(m.Home, ".config"))
			}, "indusvx/mcp.json"),
			home(".indusvx/agent/mcp.json", ".indusvx/agent/mcp-servers.json"),
		},
		read: func(f *File, root *tree.Node) {
			if servers := root.Value("servers"); servers != nil {
				f.rowsAt(servers, "servers", true)
			} else {
				f.Note(root.Pos, "", "no servers in it, so it defines none")
			}
		},
		keys: common([]rowKey{{"enabled", setEnabled}, {"description", setDescription}})[1:], // its rows have no type
		// indusr itself uses SSE for a URL. Here streamable HTTP is tried first.
		finish: urlWins, start: startWorkspace, Lenient: true, merge: Concatenate,
		kinds: map[string]tree.Kind{
			"command": tree.String, "args": tree.List, "env": tree.Map, "url": tree.String, "headers": tree.Map,
			"enabled": tree.Bool, "description": tree.String,
		},
		Naming: naming.DoubleUnderscore, Gate: GateNobody, Flag: true,
	}
}
