package attach

import (
	"encoding/json"
	"fmt"
	"net/http"
	"os/exec"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/mcpgen/mcpgen/golden/testserver"
	"github.com/mcpgen/mcpgen/runtime"
	"github.com/mcpgen/mcpgen/runtime/endpoint"
	"github.com/mcpgen/mcpgen/runtime/protocol"
)

// callArgs are sent and come back.
type callArgs struct {
	Text string `json:"text"`
	N    int    `json:"n"`
}

// benched is a server to be called, and the SDK's way to it.
type benched struct {
	server    endpoint.Server
	transport func() mcp.Transport
	tool      string
}

// BenchmarkCall compares a call through a host with the same call through the
// SDK's session alone, marshalled and unmarshalled by hand: over stdio, and over
// HTTP with answers in one piece and in a stream.
func BenchmarkCall(b *testing.B) {
	s := sdkServer()
	servers := map[string]benched{"stdio": {
		endpoint.Server{Name: "s", Launch: &endpoint.Process{Command: testserver.Program(), Args: []string{"echo"}}},
		func() mcp.Transport {
			return &mcp.CommandTransport{Command: exec.Command(testserver.Program(), "echo")}
		}, "echo",
	}}
	for name, json := range map[string]bool{"http": true, "stream": false} {
		url := serveHTTP(b, mcp.NewStreamableHTTPHandler(func(*http.Request) *mcp.Server { return s }, &mcp.StreamableHTTPOptions{JSONResponse: json}))
		servers[name] = benched{endpoint.Server{Name: "s", Launch: &endpoint.Address{URL: url}}, func() mcp.Transport {
			// With the connections that its callers need: the default keeps two.
			transport := http.DefaultTransport.(*http.Transport).Clone()
			transport.MaxIdleConnsPerHost = 128
			return &mcp.StreamableClientTransport{Endpoint: url, HTTPClient: &http.Client{Transport: transport}, DisableStandaloneSSE: true}
		}, "exact"}
	}
	for name, c := range servers {
		for _, callers := range []int{1, 8, 64} {
			b.Run(fmt.Sprintf("%s/host/%d", name, callers), func(b *testing.B) { benchHost(b, c, callers) })
			b.Run(fmt.Sprintf("%s/sdk/%d", name, callers), func(b *testing.B) { benchSDK(b, c, callers) })
		}
	}
}

// callConcurrently has some callers make b.N calls.
func callConcurrently(b *testing.B, callers int, call func(i int) bool) {
	b.ReportAllocs()
	b.ResetTimer()
	var next atomic.Int64
	var all sync.WaitGroup
	for range callers {
		all.Go(func() {
			for i := int(next.Add(1)); i <= b.N; i = int(next.Add(1)) {
				if !call(i) {
					b.Errorf("call %d did not get the answer that it wants", i)
					return
				}
			}
		})
	}
	all.Wait()
	b.StopTimer()
}

func benchHost(b *testing.B, c benched, callers int) {
	h, err := Connect(b.Context(), []endpoint.Server{c.server}, nil)
	if err != nil || h.Err() != nil {
		b.Fatal(err, h.Err())
	}
	defer h.Close()
	callConcurrently(b, callers, func(i int) bool {
		data, _ := json.Marshal(callArgs{"hello", i})
		res, err := h.Invoke(b.Context(), runtime.Request{Server: "s", Method: protocol.MethodCallTool, Name: c.tool, Args: data})
		var out callArgs
		return err == nil && json.Unmarshal(res.Structured, &out) == nil && out.N == i
	})
}

func benchSDK(b *testing.B, c benched, callers int) {
	sess, err := mcp.NewClient(&mcp.Implementation{Name: "b", Version: "1"}, nil).Connect(b.Context(), c.transport(), nil)
	if err != nil {
		b.Fatal(err)
	}
	defer sess.Close()
	callConcurrently(b, callers, func(i int) bool {
		res, err := sess.CallTool(b.Context(), &mcp.CallToolParams{Name: c.tool, Arguments: callArgs{"hello", i}})
		if err != nil {
			return false
		}
		data, _ := json.Marshal(res.StructuredContent)
		var out callArgs
		return json.Unmarshal(data, &out) == nil && out.N == i
	})
}
