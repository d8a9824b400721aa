// The form tool.invoke:mcp.<server>.<tool> of scarab's capabilities.

package policy

import (
	"slices"
	"strings"

	"github.com/mcpgen/mcpgen/internal/hint"
)

// invokeForm is tool.invoke:mcp.<segments>. Any number of segments may be the
// server's, since servers and tools may have dots in their names.
type invokeForm struct {
	segments []string // after mcp
	splits   []split
	owner    *string // as in namespacedForm
}

// split is one way to divide the segments into a server and a tool.
type split struct{ server, tool glob }

func parseInvoke(text string) (form, error) {
	segments := strings.Split(text, ".")
	if slices.Contains(segments, "") {
		return nil, hint.New("a segment is empty", "write tool.invoke:mcp.<server>.<tool>, with * for any")
	}
	switch first := segments[0]; {
	case len(segments) == 1 && (first == "*" || first == "**"):
		return ownForm{aboutTool, anyText(), anyText()}, nil // includes native tools
	case strings.ContainsAny(first, `*?[\`):
		return nil, hint.New("a pattern in the first segment could also match things that are not MCP servers",
			"write tool.invoke:mcp.… or tool.invoke:*")
	case first != "mcp":
		return nil, &foreignRule{known: true,
			reason: "it matches no tool of an MCP server: rules for these tools begin with tool.invoke:mcp."}
	case len(segments) == 1:
		return nil, hint.New("a server is missing", "write tool.invoke:mcp.<server>.<tool>",
			"for all servers, write tool.invoke:mcp.*")
	}
	f := invokeForm{segments: segments[1:]}
	if err := f.split(); err != nil {
		return nil, err
	}
	return f, nil
}

// split divides the segments in every possible way.
func (f *invokeForm) split() error {
	add := func(server, tool []string) error {
		var s split
		var err error
		// A star in a server's last segment crosses segments only at the end of the
		// rule.
		if s.server, err = parseGlob(strings.Join(server, "."), tool == nil, '.'); err != nil {
			return err
		}
		if tool == nil {
			tool = []string{"**"}
		}
		if s.tool, err = parseGlob(strings.Join(tool, "."), true, '.'); err != nil {
			return err
		}
		f.splits = append(f.splits, s)
		return nil
	}
	if len(f.segments) == 1 {
		if !strings.HasSuffix(f.segments[0], "*") {
			return hint.New("a tool is missing", "for all tools of the server, write tool.invoke:mcp."+f.segments[0]+".*")
		}
		return add(f.segments, nil)
	}
	for i := range f.segments {
		if i > 0 {
			if err := add(f.segments[:i], f.segments[i:]); err != nil {
				return err
			}
		}
		if f.segments[i] == "**" { // it may end inside the tool's name
			if err := add(f.segments[:i+1], f.segments[i:]); err != nil {
				return err
			}
		}
	}
	return nil
}

func (f invokeForm) match(t target, deny bool) bool {
	if t.kind != aboutTool || t.server == "" || !deny && f.owner != nil && *f.owner != t.server {
		return false
	}
	return slices.ContainsFunc(f.splits, func(s split) bool {
		return s.server.match(t.server) && s.tool.match(t.name)
	})
}

func (f invokeForm) whole(server string) bool {
	if server == "" || f.owner != nil && *f.owner != server {
		return false
	}
	return slices.ContainsFunc(f.splits, func(s split) bool {
		return s.tool.all() && s.server.match(server)
	})
}
