package attach_test

import (
	"context"
	"encoding/json"
	"fmt"
	"log"
	"net/http"
	"net/http/httptest"

	"github.com/mcpgen/mcpgen/runtime"
	"github.com/mcpgen/mcpgen/runtime/attach"
	"github.com/mcpgen/mcpgen/runtime/endpoint"
	"github.com/mcpgen/mcpgen/runtime/protocol"
	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// serveWeather is a server with one tool, at a URL.
func serveWeather() *httptest.Server {
	server := mcp.NewServer(&mcp.Implementation{Name: "weather", Version: "1"}, nil)
	type args struct {
		Place string `json:"place"`
	}
	mcp.AddTool(server, &mcp.Tool{Name: "forecast"}, func(_ context.Context, _ *mcp.CallToolRequest, a args) (*mcp.CallToolResult, any, error) {
		return &mcp.CallToolResult{Content: []mcp.Content{&mcp.TextContent{Text: "Rain in " + a.Place + "."}}}, nil, nil
	})
	return httptest.NewServer(mcp.NewStreamableHTTPHandler(func(*http.Request) *mcp.Server { return server }, nil))
}

func ExampleConnect() {
	ctx, url := context.Background(), serveWeather()
	defer url.Close()
	host, err := attach.Connect(ctx, []endpoint.Server{
		{Name: "weather", Launch: &endpoint.Address{URL: url.URL}},
		{Name: "news", Launch: &endpoint.Process{Command: "no-such-program"}},
	}, nil)
	if err != nil { // the options are wrong; a server that fails is no error
		log.Fatal(err)
	}
	defer host.Close()
	for _, s := range host.Status() {
		fmt.Println(s.Server, s.State)
	}
	// Generated packages make such requests, with types.
	result, err := runtime.Request{
		Server: "weather", Method: protocol.MethodCallTool, Name: "forecast", Args: json.RawMessage(`{"place":"Oslo"}`),
	}.Do(ctx, host)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(result.Text())
	// Output:
	// weather ready
	// news failed
	// Rain in Oslo.
}
