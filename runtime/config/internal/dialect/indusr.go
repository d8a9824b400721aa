// The files of indusr: .indusvx/mcp.json and three of the user.

package dialect

import (
	"slices"

	"github.com/mcpgen/mcpgen/runtime/config/internal/tree"
	"github.com/mcpgen/mcpgen/runtime/endpoint"
	"github.com/mcpgen/mcpgen/runtime/naming"
)

// indusr is .indusvx/mcp.json. Nothing in it is ever an error.
func indusr() Dialect {
	return Dialect{
		Name: "indusr",
		path: func(p parts) bool {
			return p.end(".indusvx/mcp.json", "indusvx/mcp.json", ".indusvx/agent/mcp.json", ".indusvx/agent/mcp-servers.json")
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
		folder: []string{".indusvx"},
		files:  indusrFiles,
		read: func(f *File, root *tree.Node) {
			if servers := root.Value("servers"); servers != nil {
				f.rowsAt(servers, "servers", true)
			} else {
				f.Note(root.Pos, "", "no servers in it, so it has none")
			}
		},
		keys: []rowKey{commandKey("command"), argsKey(), envKey("env"), urlKey("url"), headersKey("headers"), enabledKey(), descriptionKey()},
		// Its own transport for a URL is SSE; the newer one is tried before it.
		finish: urlWins(endpoint.Auto), inherit: whole(), start: startWorkspace, Lenient: true, coerce: true, Merge: LastCounts,
		Naming: naming.DoubleUnderscore, Asked: true, Flag: true,
	}
}

func indusrFiles(m Machine) []Location {
	config := m.lookup("XDG_CONFIG_HOME")
	if config == "" {
		config = m.Join(m.Home, ".config")
	}
	return []Location{
		{Path: m.Join(m.Dir, ".indusvx/mcp.json"), Scope: ScopeProject},
		{Path: m.Join(config, "indusvx/mcp.json"), Scope: ScopeUser},
		{Path: m.Join(m.Home, ".indusvx/agent/mcp.json"), Scope: ScopeUser},
		{Path: m.Join(m.Home, ".indusvx/agent/mcp-servers.json"), Scope: ScopeUser},
	}
}
