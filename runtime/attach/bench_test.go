package attach

import (
	"encoding/json"
	"net/http"
	"os"
	"os/exec"
	"testing"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/mcpgen/mcpgen/runtime"
	"github.com/mcpgen/mcpgen/runtime/endpoint"
)

// BenchmarkCall compares a call through a host with the same call through the
// SDK's session alone, marshalled and unmarshalled by hand.
func BenchmarkCall(b *testing.B) {
	s := sdkServer()
	url := web(b, mcp.NewStreamableHTTPHandler(func(*http.Request) *mcp.Server { return s }, &mcp.StreamableHTTPOptions{JSONResponse: true}))
	exe, err := os.Executable()
	if err != nil {
		b.Fatal(err)
	}
	for name, c := range map[string]struct {
		server    endpoint.Server
		transport func() mcp.Transport
		tool      string
	}{
		"stdio": {
			endpoint.Server{Name: "s", Command: exe, Args: []string{"echo"}, Env: []endpoint.Var{{Name: asServer, Value: "1"}}},
			func() mcp.Transport {
				cmd := exec.Command(exe, "echo")
				cmd.Env = append(os.Environ(), asServer+"=1")
				return &mcp.CommandTransport{Command: cmd}
			}, "echo"},
		"http": {
			endpoint.Server{Name: "s", URL: url},
			func() mcp.Transport {
				return &mcp.StreamableClientTransport{Endpoint: url, DisableStandaloneSSE: true}
			}, "exact"},
	} {
		type args struct {
			Text string `json:"text"`
			N    int    `json:"n"`
		}
		b.Run(name+"/host", func(b *testing.B) {
			h, err := Connect(b.Context(), []endpoint.Server{c.server}, nil)
			if err != nil || h.Err() != nil {
				b.Fatal(err, h.Err())
			}
			defer h.Close()
			b.ReportAllocs()
			b.ResetTimer()
			for i := range b.N {
				data, _ := json.Marshal(args{"hello", i})
				res, err := h.Invoke(b.Context(), runtime.Request{Server: "s", Method: runtime.MethodCallTool, Name: c.tool, Args: data})
				var out args
				if err != nil || json.Unmarshal(res.Structured, &out) != nil || out.N != i {
					b.Fatal(err)
				}
			}
		})
		b.Run(name+"/sdk", func(b *testing.B) {
			sess, err := mcp.NewClient(&mcp.Implementation{Name: "b", Version: "1"}, nil).Connect(b.Context(), c.transport(), nil)
			if err != nil {
				b.Fatal(err)
			}
			defer sess.Close()
			b.ReportAllocs()
			b.ResetTimer()
			for i := range b.N {
				res, err := sess.CallTool(b.Context(), &mcp.CallToolParams{Name: c.tool, Arguments: args{"hello", i}})
				if err != nil {
					b.Fatal(err)
				}
				data, _ := json.Marshal(res.StructuredContent)
				var out args
				if json.Unmarshal(data, &out) != nil || out.N != i {
					b.Fatal("wrong answer")
				}
			}
		})
	}
}
