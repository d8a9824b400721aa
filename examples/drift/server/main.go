// Command server is the MCP server of this example: a board of tickets that
// speaks MCP over standard input and output.
//
// It has two surfaces. The first is what the committed code was generated
// against. The second is an upgrade that a client did not ask for: arguments,
// results and whole tools differ.
package main

import (
	"context"
	_ "embed"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"os"

	"github.com/modelcontextprotocol/go-sdk/mcp"
)

//go:embed surface1.json
var surface1 []byte

//go:embed surface2.json
var surface2 []byte

func main() {
	surface := flag.String("surface", os.Getenv("TICKETS_SURFACE"), "surface to serve: 1 or 2 (default: $TICKETS_SURFACE, else 1)")
	flag.Parse()
	if err := run(*surface); err != nil {
		fmt.Fprintln(os.Stderr, "tickets:", err)
		os.Exit(1)
	}
}

// run serves one session over standard input and output, until the client hangs
// up.
func run(surface string) error {
	text, version := surface1, "1.0.0"
	switch surface {
	case "", "1":
	case "2":
		text, version = surface2, "2.0.0"
	default:
		return fmt.Errorf("there is no surface %q: use 1 or 2", surface)
	}
	var tools []*mcp.Tool
	if err := json.Unmarshal(text, &tools); err != nil {
		return err
	}
	server := mcp.NewServer(&mcp.Implementation{Name: "tickets", Version: version}, nil)
	handlers := newBoard(surface == "2").handlers()
	for _, tool := range tools {
		handle := handlers[tool.Name]
		if handle == nil {
			return fmt.Errorf("the tool %s is listed, and nothing carries it out", tool.Name)
		}
		server.AddTool(tool, func(_ context.Context, req *mcp.CallToolRequest) (*mcp.CallToolResult, error) {
			return answer(handle(req.Params.Arguments)), nil
		})
	}
	return server.Run(context.Background(), &mcp.StdioTransport{})
}

// answer makes a result: text stays text, everything else is structured. An error
// is one of the tool.
func answer(out any, err error) *mcp.CallToolResult {
	if err != nil {
		return &mcp.CallToolResult{IsError: true, Content: []mcp.Content{&mcp.TextContent{Text: err.Error()}}}
	}
	if text, ok := out.(string); ok {
		return &mcp.CallToolResult{Content: []mcp.Content{&mcp.TextContent{Text: text}}}
	}
	raw, err := json.Marshal(out)
	if err != nil {
		return answer(nil, errors.New("the result cannot be written"))
	}
	return &mcp.CallToolResult{StructuredContent: json.RawMessage(raw), Content: []mcp.Content{&mcp.TextContent{Text: string(raw)}}}
}
