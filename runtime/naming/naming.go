// Package naming joins a server and a tool into one qualified name, and splits such
// names. Names for a model always match ^[A-Za-z_][A-Za-z0-9_-]{0,63}$, in every
// scheme.
//
// A [Scheme] gives a tool its identity, such as mcp.github.list_prs; [Portable] turns
// it into the name for a model, mcp_github_list_prs. [Assign] does both for a set of
// tools, and only its result is unambiguous. That result also maps names back
// exactly, while [Scheme.Split] can only guess if the server has the separator in its
// own name.
package naming

import (
	"fmt"
	"slices"
	"strings"
)

// A Scheme joins a server and a tool into one name. The zero value is
// [DoubleUnderscore].
type Scheme string

// The schemes. A scheme is exact if Split is the inverse of Qualify.
const (
	// Dot is mcp.server.tool. Exact unless the server has a dot, which Assign
	// refuses.
	Dot Scheme = "dot"
	// Underscore is server_tool, with each rune of both outside [A-Za-z0-9_] replaced
	// by an underscore. Exact if the server consists only of [A-Za-z0-9], and the
	// tool of [A-Za-z0-9_].
	Underscore Scheme = "underscore"
	// DoubleUnderscore is server__tool, the default. Exact unless the server has
	// two underscores in a row or one at its end.
	DoubleUnderscore Scheme = "double-underscore"
	// MCPDoubleUnderscore is mcp__server__tool. Exact under the same condition as
	// DoubleUnderscore.
	MCPDoubleUnderscore Scheme = "mcp-double-underscore"
	// Bare is the tool alone. It cannot be split.
	Bare Scheme = "bare"
)

// The fixed parts of names.
const (
	dotPrefix  = "mcp."
	mcpPrefix  = "mcp__"
	doubleMark = "__"
)

// schemes returns all schemes, in the order of the documentation.
func schemes() []Scheme {
	return []Scheme{Dot, Underscore, DoubleUnderscore, MCPDoubleUnderscore, Bare}
}

// ParseScheme returns the scheme with a name; "" is [DoubleUnderscore]. The error
// lists the valid names.
func ParseScheme(name string) (Scheme, error) {
	if name == "" {
		return DoubleUnderscore, nil
	}
	if s := Scheme(name); slices.Contains(schemes(), s) {
		return s, nil
	}
	var names []string
	for _, s := range schemes() {
		names = append(names, string(s))
	}
	return "", fmt.Errorf("unknown naming %q: use one of %s", name, strings.Join(names, ", "))
}

// Qualify returns the name of a server's tool. The server "" means native tools,
// whose names are unchanged in every scheme. A server's ID counts as its name: see
// [Plain]. An unknown scheme qualifies as [DoubleUnderscore] does. The result may not
// be portable.
func (s Scheme) Qualify(server, tool string) string {
	if server == "" {
		return tool
	}
	server = Plain(server)
	switch s {
	case Dot:
		return dotPrefix + server + "." + tool
	case Underscore:
		return sanitize(server) + "_" + sanitize(tool)
	case MCPDoubleUnderscore:
		return mcpPrefix + server + doubleMark + tool
	case Bare:
		return tool
	}
	return server + doubleMark + tool
}

// Split splits a qualified name at the first separator that is not at its beginning.
// Without one, ok is false and tool is the whole name: a native tool, or a name of
// another scheme.
//
// Qualifying the result of a successful Split always gives the same name. Splitting a
// qualified name gives the same server only if the scheme is exact: see the
// constants.
func (s Scheme) Split(name string) (server, tool string, ok bool) {
	rest, mark := name, doubleMark
	switch s {
	case Dot:
		rest, ok = strings.CutPrefix(name, dotPrefix)
		mark = "."
	case Underscore:
		mark, ok = "_", true
	case MCPDoubleUnderscore:
		rest, ok = strings.CutPrefix(name, mcpPrefix)
	case Bare:
	default:
		ok = true
	}
	at := strings.Index(rest, mark)
	if !ok || at <= 0 {
		return "", name, false
	}
	server, tool = rest[:at], rest[at+len(mark):]
	if s == Underscore && sanitize(name) != name {
		return "", name, false // no server and tool have this name
	}
	return server, tool, true
}

// sanitize replaces each rune outside [A-Za-z0-9_] by an underscore.
func sanitize(name string) string {
	return strings.Map(func(r rune) rune {
		if isWord(r) {
			return r
		}
		return '_'
	}, name)
}

// isWord reports whether r is in [A-Za-z0-9_].
func isWord(r rune) bool {
	return r == '_' || ('0' <= r && r <= '9') || ('A' <= r && r <= 'Z') || ('a' <= r && r <= 'z')
}
