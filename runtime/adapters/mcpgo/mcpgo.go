// Package mcpgo serves tools with the MCP server of mark3labs/mcp-go.
//
//	go get github.com/mcpgen/mcpgen/runtime/adapters/mcpgo@latest
//	go mod tidy
//
//	stop, err := host.Sync(mcpgo.Registrar{Server: server}, mcp.Tools(host)...)
//
// Schemas and the content of results are served as they are, and integers beyond 2^53 in arguments arrive whole.
package mcpgo

import (
	"context"
	"encoding/json"

	"github.com/mark3labs/mcp-go/mcp"
	"github.com/mark3labs/mcp-go/server"

	"github.com/mcpgen/mcpgen/runtime"
	"github.com/mcpgen/mcpgen/runtime/adapters/internal/adapter"
	"github.com/mcpgen/mcpgen/runtime/plain"
	"github.com/mcpgen/mcpgen/schema/view"
)

// Registrar registers tools with a server, which notifies its clients of changes.
type Registrar struct{ Server *server.MCPServer }

// Register adds a tool, or replaces the tool with the same name. The error is for a
// tool whose name is not valid for models.
func (r Registrar) Register(t runtime.Tool) error {
	if err := adapter.Check(t); err != nil {
		return err
	}
	spec := t.Spec()
	object, err := view.Object(spec.InputSchema)
	if err != nil {
		object.Schema = json.RawMessage(`{"type":"object"}`) // the server refuses the call
	}
	tool := mcp.NewToolWithRawSchema(spec.Name, spec.Description, object.Schema)
	tool.Title, tool.RawOutputSchema = spec.Title, spec.OutputSchema
	if spec.Annotations != nil {
		if err := json.Unmarshal(spec.Annotations, &tool.Annotations); err != nil {
			tool.Annotations = mcp.ToolAnnotation{} // unreadable hints are dropped
		}
	}
	r.Server.AddTool(tool, func(ctx context.Context, request mcp.CallToolRequest) (*mcp.CallToolResult, error) {
		return call(ctx, t, request)
	})
	return nil
}

// Unregister removes a tool.
func (r Registrar) Unregister(name string) error {
	r.Server.DeleteTools(name)
	return nil
}

// call carries out a request. A refusal is a result that is marked as an error.
func call(ctx context.Context, t runtime.Tool, request mcp.CallToolRequest) (*mcp.CallToolResult, error) {
	args := request.Params.RawArguments
	if args == nil {
		var err error
		if args, err = json.Marshal(request.Params.Arguments); err != nil {
			return nil, err
		}
	}
	answer, err := adapter.Call(ctx, adapter.TextOnly, t, args)
	if err != nil {
		return nil, err
	}
	result := &mcp.CallToolResult{IsError: answer.IsError}
	if answer.Result == nil {
		result.Content = []mcp.Content{mcp.NewTextContent(answer.Text)}
		return result, nil
	}
	for _, c := range answer.Result.Content {
		block, err := mcp.UnmarshalContent(c.Raw)
		if err != nil { // of a type that this library does not know
			block = mcp.NewTextContent(plain.Text(&runtime.Result{Content: []runtime.Content{c}}))
		}
		result.Content = append(result.Content, block)
	}
	if answer.Result.Structured != nil {
		result.StructuredContent = answer.Result.Structured
	}
	return result, nil
}
