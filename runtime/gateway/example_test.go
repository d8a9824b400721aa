package gateway_test

import (
	"context"
	"fmt"
	"log"
	"net/http"
	"net/http/httptest"

	"github.com/mcpgen/mcpgen/runtime/gateway"
	"github.com/mcpgen/mcpgen/runtime/live"
	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// A client in the same process sees the tools of all servers as those of one.
func ExampleGateway_Transport() {
	ctx := context.Background()
	weather := mcp.NewServer(&mcp.Implementation{Name: "weather", Version: "1"}, nil)
	mcp.AddTool(weather, &mcp.Tool{Name: "forecast"}, func(context.Context, *mcp.CallToolRequest, struct{}) (*mcp.CallToolResult, any, error) {
		return &mcp.CallToolResult{Content: []mcp.Content{&mcp.TextContent{Text: "Rain."}}}, nil, nil
	})
	url := httptest.NewServer(mcp.NewStreamableHTTPHandler(func(*http.Request) *mcp.Server { return weather }, nil))
	defer url.Close()

	host, err := live.Open(ctx, live.Options{Config: fmt.Appendf(nil, "version: 1\nservers: {weather: {url: %q}}\n", url.URL)})
	if err != nil {
		log.Fatal(err)
	}
	defer host.Close()
	gw, err := gateway.New(host.Host, &gateway.Options{View: host.View})
	if err != nil {
		log.Fatal(err)
	}
	defer gw.Close()

	session, err := mcp.NewClient(&mcp.Implementation{Name: "agent", Version: "1"}, nil).Connect(ctx, gw.Transport(), nil)
	if err != nil {
		log.Fatal(err)
	}
	defer session.Close()
	list, err := session.ListTools(ctx, nil)
	if err != nil {
		log.Fatal(err)
	}
	for _, tool := range list.Tools {
		fmt.Println(tool.Name)
	}
	// Output: weather__forecast
}
