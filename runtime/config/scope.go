// The selection of servers for one run.

package config

import (
	"slices"
	"strings"

	"github.com/mcpgen/mcpgen/runtime/endpoint"
)

// ScopeVariables returns the environment variables that name the servers of a run: mcpgen's own, and the
// one that tallow passes to the agents that it starts.
func ScopeVariables() []string { return []string{"MCPGEN_SERVERS", "PI_MCP_SERVERS"} }

// scopeNames splits a text at commas. Spaces around names, empty parts and duplicates are dropped;
// without a name the result is nil.
func scopeNames(text string) []string {
	var names []string
	for name := range strings.SplitSeq(text, ",") {
		if name = strings.TrimSpace(name); name != "" && !slices.Contains(names, name) {
			names = append(names, name)
		}
	}
	return names
}

// Scope returns the names that all of [ScopeVariables] have, except blank ones. Nil means all servers: no
// variable is set. A value of only commas selects no server.
func Scope(lookup func(name string) (string, bool)) []string {
	var scope []string
	for _, variable := range ScopeVariables() {
		text, _ := lookup(variable)
		if strings.TrimSpace(text) == "" {
			continue
		}
		names := append([]string{}, scopeNames(text)...)
		if scope != nil {
			names = slices.DeleteFunc(names, func(name string) bool { return !slices.Contains(scope, name) })
		}
		scope = names
	}
	return scope
}

// Only returns the enabled servers with these names, in their order in p, and the names that no
// configured server has. Nil means all servers.
func (p *Project) Only(names []string) (servers []endpoint.Server, unknown []string) {
	if names == nil {
		return p.Servers, nil
	}
	for _, s := range p.Servers {
		if slices.Contains(names, s.Name) {
			servers = append(servers, s)
		}
	}
	for _, name := range names {
		known := slices.ContainsFunc(p.Servers, func(s endpoint.Server) bool { return s.Name == name })
		if !known && !slices.Contains(p.Disabled, name) {
			unknown = append(unknown, name)
		}
	}
	return servers, unknown
}
