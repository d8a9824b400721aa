package live_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log"
	"net/http"
	"net/http/httptest"

	"github.com/mcpgen/mcpgen/runtime"
	"github.com/mcpgen/mcpgen/runtime/live"
	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// serveWeather is a server with two tools, at a URL.
func serveWeather() *httptest.Server {
	server := mcp.NewServer(&mcp.Implementation{Name: "weather", Version: "1"}, nil)
	type args struct {
		Place string `json:"place"`
	}
	for _, name := range []string{"forecast", "make_rain"} {
		mcp.AddTool(server, &mcp.Tool{Name: name}, func(_ context.Context, _ *mcp.CallToolRequest, a args) (*mcp.CallToolResult, any, error) {
			return &mcp.CallToolResult{Content: []mcp.Content{&mcp.TextContent{Text: "Rain in " + a.Place + "."}}}, nil, nil
		})
	}
	return httptest.NewServer(mcp.NewStreamableHTTPHandler(func(*http.Request) *mcp.Server { return server }, nil))
}

// A program with an mcpgen.yaml in its folder calls live.Connect(ctx, mcp.Manifests()...).
// Open takes the configuration from elsewhere, here from a text.
func ExampleOpen() {
	ctx, url := context.Background(), serveWeather()
	defer url.Close()
	host, err := live.Open(ctx, live.Options{Config: fmt.Appendf(nil, `
version: 1
servers: {weather: {url: %q}}
policy: {allow: ["tool:weather/forecast"]}
`, url.URL)})
	if err != nil { // the configuration is wrong; a server that fails is in host.Err()
		log.Fatal(err)
	}
	defer host.Close()
	result, err := host.Call(ctx, "weather__forecast", json.RawMessage(`{"place":"Oslo"}`))
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(result.Text())
	_, err = host.Call(ctx, "weather__make_rain", json.RawMessage(`{"place":"Oslo"}`))
	fmt.Println(errors.Is(err, runtime.ErrDenied))
	// Output:
	// Rain in Oslo.
	// true
}
