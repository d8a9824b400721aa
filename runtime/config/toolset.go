// The choice of a program's own tools, as the flags --tools and --no-tools make
// it.

package config

import (
	"slices"
	"strings"

	"github.com/mcpgen/mcpgen/runtime/endpoint"
)

// Toolset is which tools an agent gets. The zero value is all of them.
type Toolset struct {
	Names []string // of the program's own tools; none is all. It says nothing about servers
	None  bool     // no tools at all, those of servers included
}

// Native reports whether the program's own tool of this name is in the set.
// Names are compared in small letters, without _ and -: web_fetch,
// webfetch and Web-Fetch are one.
func (t Toolset) Native(name string) bool {
	if t.None {
		return false
	}
	same := func(n string) bool { return canonicalTool(n) == canonicalTool(name) }
	return len(t.Names) == 0 || slices.ContainsFunc(t.Names, same)
}

// Servers are the servers to attach: all of them, or none where there are to be
// no tools, so that nothing is started or dialled.
func (t Toolset) Servers(all []endpoint.Server) []endpoint.Server {
	if t.None {
		return nil
	}
	return all
}

// canonicalTool is a tool's name as it is compared.
func canonicalTool(name string) string {
	return strings.NewReplacer("_", "", "-", "").Replace(strings.ToLower(name))
}
