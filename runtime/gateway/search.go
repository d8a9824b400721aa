// Tool search: tools by which callers find the others, so that listings need not
// define them all.

package gateway

import (
	"context"
	"encoding/json"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/mcpgen/mcpgen/internal/jsontext"
	"github.com/mcpgen/mcpgen/runtime"
	"github.com/mcpgen/mcpgen/runtime/native"
)

// search holds find_tools, describe_tool and call_tool over the tools that a caller
// is shown. A nil search lists all tools.
type search []listedTool

// newSearch returns the search among tools.
func newSearch(b *toolbox) (s search, err error) {
	set := native.Search(func(ctx context.Context) ([]runtime.Tool, error) {
		var tools []runtime.Tool
		for _, t := range b.shownTo(callerOf(ctx)) {
			tools = append(tools, t.tool)
		}
		return tools, nil
	})
	for _, t := range set.Tools(set) {
		t = b.fit(t)
		def, err := b.definition(t.Spec(), true)
		if err != nil {
			return nil, err
		}
		s = append(s, listedTool{t, t.Spec().Name, def, def})
	}
	return s, nil
}

// tool returns the search tool with a name; nil for other names.
func (s search) tool(name string) runtime.Tool {
	for _, t := range s {
		if t.name == name {
			return t.tool
		}
	}
	return nil
}

// called returns the tool that a request calls, and its arguments, whose bytes are
// unchanged. For call_tool it returns the named tool, so that the call is treated like a
// call of that tool: a refusal is in the audit log, too.
func (s search) called(b *toolbox, p *mcp.CallToolParamsRaw) (name string, args json.RawMessage) {
	if s == nil || p.Name != native.CallToolName {
		return p.Name, p.Arguments
	}
	if json.Unmarshal(jsontext.Member(p.Arguments, "name"), &name) != nil || s.tool(name) != nil {
		return p.Name, p.Arguments
	}
	if b.list.Load().byName[name] == nil {
		return p.Name, p.Arguments
	}
	if args = jsontext.Member(p.Arguments, "arguments"); args == nil {
		args = json.RawMessage(`{}`)
	}
	return name, args
}
