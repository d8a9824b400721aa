// Package mcpgo serves tools with the MCP server of mark3labs/mcp-go.
//
//	stop, err := host.Sync(mcpgo.Registrar{Server: server}, mcp.Tools(host)...)
//
// Schemas are served as they are, and integers beyond 2^53 in arguments arrive whole.
package mcpgo

import (
	"context"
	"encoding/base64"
	"encoding/json"

	"github.com/mark3labs/mcp-go/mcp"
	"github.com/mark3labs/mcp-go/server"

	"github.com/mcpgen/mcpgen/runtime"
	"github.com/mcpgen/mcpgen/runtime/adapters/internal/adapter"
	"github.com/mcpgen/mcpgen/runtime/protocol"
	"github.com/mcpgen/mcpgen/schema/view"
)

// Registrar registers tools with a server, which tells its clients of changes.
type Registrar struct{ Server *server.MCPServer }

// Register adds a tool, in place of one of its name. The error is for a tool without a
// name that models can call.
func (r Registrar) Register(t runtime.Tool) error {
	if _, err := adapter.New([]runtime.Tool{t}); err != nil {
		return err
	}
	spec := t.Spec()
	tool := mcp.NewToolWithRawSchema(spec.Name, spec.Description, adapter.Viewed(view.Object, spec))
	tool.Title, tool.RawOutputSchema = spec.Title, spec.OutputSchema
	if spec.Annotations != nil {
		if err := json.Unmarshal(spec.Annotations, &tool.Annotations); err != nil {
			tool.Annotations = mcp.ToolAnnotation{} // hints that cannot be read say nothing
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
	answer, err := adapter.Call(ctx, t, args)
	if err != nil {
		return nil, err
	}
	result := &mcp.CallToolResult{IsError: answer.IsError}
	for _, b := range answer.Blocks {
		if b.Type == protocol.ContentImage {
			result.Content = append(result.Content, mcp.NewImageContent(base64.StdEncoding.EncodeToString(b.Data), b.MIMEType))
		} else {
			result.Content = append(result.Content, mcp.NewTextContent(b.Text))
		}
	}
	if answer.Result != nil && answer.Result.Structured != nil {
		result.StructuredContent = answer.Result.Structured
	}
	return result, nil
}
