// The selection of a program's own tools by the flags --tools and --no-tools.

package config

import (
	"slices"
	"strings"

	"github.com/mcpgen/mcpgen/runtime/endpoint"
)

// Toolset selects the tools of an agent. The zero value selects all.
type Toolset struct {
	Names []string // of the program's own tools; empty means all. It does not affect servers
	None  bool     // no tools at all, not even tools of servers
}

// Native reports whether the program's own tool with this name is in the set. Names are compared in lower
// case, without _ and -: web_fetch, webfetch and Web-Fetch are the same.
func (t Toolset) Native(name string) bool {
	if t.None {
		return false
	}
	same := func(n string) bool { return canonicalTool(n) == canonicalTool(name) }
	return len(t.Names) == 0 || slices.ContainsFunc(t.Names, same)
}

// Servers returns the servers to attach: all, or nil if no tools are selected, so that no server is
// started or dialled.
func (t Toolset) Servers(all []endpoint.Server) []endpoint.Server {
	if t.None {
		return nil
	}
	return all
}

// canonicalTool returns the form of a tool's name that is compared.
func canonicalTool(name string) string {
	return strings.NewReplacer("_", "", "-", "").Replace(strings.ToLower(name))
}
