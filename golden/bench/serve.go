package main

// The server of the measurements: this program itself, with the SDK's server, so
// that both sides of a comparison call the same one.

import (
	"context"
	"encoding/json"
	"flag"
	"fmt"
	"net"
	"net/http"
	"os"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/mcpgen/mcpgen/golden/cases/memory"
)

// lifetime bounds every server, so that one that is lost does not stay.
const lifetime = 10 * time.Minute

// serve runs the server over standard input and output, or with -http over HTTP:
// then the first line it prints is its URL.
func serve(args []string) int {
	flags := flag.NewFlagSet("serve", flag.ExitOnError)
	overHTTP := flags.Bool("http", false, "serve over HTTP")
	_ = flags.Parse(args) // exits on an error
	time.AfterFunc(lifetime, func() { os.Exit(99) })
	s := graphServer()
	var err error
	if *overHTTP {
		err = serveHTTP(s)
	} else {
		err = s.Run(context.Background(), &mcp.StdioTransport{})
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, "bench serve:", err)
		return 1
	}
	return 0
}

// graphServer has the tools of the package memory. Each returns its arguments,
// which is what create_entities is declared to do.
func graphServer() *mcp.Server {
	s := mcp.NewServer(&mcp.Implementation{Name: "memory-server", Version: "1"}, nil)
	m := memory.Manifest()
	for _, p := range m.Pins() {
		var t mcp.Tool
		if err := json.Unmarshal(m.Definition(p.Tool), &t); err != nil {
			panic(err) // the snapshot is in this repository
		}
		s.AddTool(&t, func(_ context.Context, r *mcp.CallToolRequest) (*mcp.CallToolResult, error) {
			return &mcp.CallToolResult{Content: []mcp.Content{}, StructuredContent: r.Params.Arguments}, nil
		})
	}
	return s
}

func serveHTTP(s *mcp.Server) error {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return err
	}
	fmt.Printf("http://%s\n", l.Addr())
	h := mcp.NewStreamableHTTPHandler(func(*http.Request) *mcp.Server { return s }, &mcp.StreamableHTTPOptions{JSONResponse: true})
	return http.Serve(l, h)
}
