// Command mcpgo calls a tool of an MCP server over stdio with the client of mcp-go, and
// prints how many microseconds each call took: mcpgo CALLS ROUNDS TOOL COMMAND…
package main

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"strconv"
	"time"

	"github.com/mark3labs/mcp-go/client"
	"github.com/mark3labs/mcp-go/mcp"
)

func main() {
	if err := run(context.Background(), os.Args[1:]); err != nil {
		fmt.Fprintln(os.Stderr, "mcpgo:", err)
		os.Exit(1)
	}
}

func run(ctx context.Context, args []string) error {
	calls, err := strconv.Atoi(args[0])
	if err != nil {
		return err
	}
	rounds, err := strconv.Atoi(args[1])
	if err != nil {
		return err
	}
	c, err := client.NewStdioMCPClient(args[3], os.Environ(), args[4:]...)
	if err != nil {
		return err
	}
	defer c.Close()
	var hello mcp.InitializeRequest
	hello.Params.ProtocolVersion = mcp.LATEST_PROTOCOL_VERSION
	hello.Params.ClientInfo = mcp.Implementation{Name: "bench", Version: "1"}
	if _, err := c.Initialize(ctx, hello); err != nil {
		return err
	}
	var request mcp.CallToolRequest
	request.Params.Name, request.Params.Arguments = args[2], map[string]any{}
	for range rounds {
		start := time.Now()
		for range calls {
			result, err := c.CallTool(ctx, request)
			if err != nil {
				return err
			}
			data, err := json.Marshal(result.StructuredContent)
			if err != nil {
				return err
			}
			var graph struct{ Entities, Relations []any }
			if err := json.Unmarshal(data, &graph); err != nil {
				return err
			}
		}
		fmt.Println(float64(time.Since(start).Microseconds()) / float64(calls))
	}
	return nil
}
