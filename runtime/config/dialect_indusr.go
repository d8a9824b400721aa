// The files of indusr: .indusvx/mcp.json and three of the user.

package config

import (
	"slices"

	"github.com/mcpgen/mcpgen/runtime/config/internal/tree"
	"github.com/mcpgen/mcpgen/runtime/endpoint"
	"github.com/mcpgen/mcpgen/runtime/naming"
)

// indusr is .indusvx/mcp.json. Nothing in it is ever an error.
func indusr() dialect {
	return dialect{
		name: "indusr",
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
		files: indusrFiles,
		read: func(f *serverFile, root *tree.Node) {
			if servers := root.Value("servers"); servers != nil {
				f.rowsAt(servers, "servers", true)
			} else {
				f.notice(root.Pos, "", "no servers in it, so it has none")
			}
		},
		keys: []rowKey{commandKey("command"), argsKey(), envKey("env"), urlKey("url"), headersKey("headers"), enabledKey(), descriptionKey()},
		// Its own transport for a URL is SSE; the newer one is tried before it.
		finish: urlWins(endpoint.Auto), vars: noVars, inherit: whole(), start: startWorkspace, lenient: true, coerce: true, merge: lastCounts,
		naming: naming.DoubleUnderscore, asked: true,
	}
}

func indusrFiles(env Environment) []file {
	config := env.lookup("XDG_CONFIG_HOME")
	if config == "" {
		config = env.join(env.Home, ".config")
	}
	return []file{
		{path: env.join(env.Dir, ".indusvx/mcp.json"), scope: scopeProject},
		{path: env.join(config, "indusvx/mcp.json"), scope: scopeUser},
		{path: env.join(env.Home, ".indusvx/agent/mcp.json"), scope: scopeUser},
		{path: env.join(env.Home, ".indusvx/agent/mcp-servers.json"), scope: scopeUser},
	}
}
