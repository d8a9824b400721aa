// Command readme stands for server-everything when README is tested, so that
// no network is needed. It offers the tools of a recorded listing and answers
// the two that README calls, in the words of the real server.
package main

import (
	"context"
	"encoding/json"
	"fmt"
	"log"
	"os"

	"github.com/modelcontextprotocol/go-sdk/mcp"
)

func main() {
	if err := run(os.Args[1]); err != nil {
		log.Fatal(err)
	}
}

// listing is the part of a recorded surface that is served.
type listing struct {
	Tools []*mcp.Tool `json:"tools"`
}

func run(file string) error {
	data, err := os.ReadFile(file)
	if err != nil {
		return err
	}
	var recorded listing
	if err := json.Unmarshal(data, &recorded); err != nil {
		return err
	}
	server := mcp.NewServer(&mcp.Implementation{Name: "mcp-servers/everything", Version: "2.0.0"}, nil)
	for _, tool := range recorded.Tools {
		server.AddTool(tool, answer)
	}
	return server.Run(context.Background(), &mcp.StdioTransport{})
}

func answer(_ context.Context, req *mcp.CallToolRequest) (*mcp.CallToolResult, error) {
	var args struct {
		A, B     float64
		Location string
	}
	if err := json.Unmarshal(req.Params.Arguments, &args); err != nil {
		return nil, err
	}
	text := func(s string) []mcp.Content { return []mcp.Content{&mcp.TextContent{Text: s}} }
	switch {
	case req.Params.Name == "get-sum":
		return &mcp.CallToolResult{Content: text(fmt.Sprintf("The sum of %v and %v is %v.", args.A, args.B, args.A+args.B))}, nil
	case req.Params.Name == "get-structured-content" && args.Location == "Chicago":
		weather := `{"temperature":36,"conditions":"Light rain / drizzle","humidity":82}`
		return &mcp.CallToolResult{Content: text(weather), StructuredContent: json.RawMessage(weather)}, nil
	}
	return nil, fmt.Errorf("README does not call %s with %s", req.Params.Name, req.Params.Arguments)
}
