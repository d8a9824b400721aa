package gateway

import (
	"encoding/json"
	"testing"

	"github.com/mcpgen/mcpgen/runtime"
	"github.com/mcpgen/mcpgen/runtime/attach"
	"github.com/mcpgen/mcpgen/runtime/endpoint"
	"github.com/mcpgen/mcpgen/runtime/protocol"
)

// BenchmarkCall makes calls through a gateway over HTTP to a process, and of that process
// alone: the difference in allocations is the gateway and one HTTP call. make bench
// compares times.
func BenchmarkCall(b *testing.B) {
	host := func(opts *attach.Options, s endpoint.Server) *attach.Host {
		h, err := attach.Connect(b.Context(), []endpoint.Server{s}, opts)
		if err == nil {
			err = h.Err()
		}
		if err != nil {
			b.Fatal(err)
		}
		b.Cleanup(func() { _ = h.Close() })
		return h
	}
	direct := host(nil, processServer(b, "s", "exact"))
	g, err := New(direct, nil)
	if err != nil {
		b.Fatal(err)
	}
	b.Cleanup(func() { _ = g.Close() })
	handler, err := g.Handler(nil)
	if err != nil {
		b.Fatal(err)
	}
	url := serveHandler(b, handler)
	call := func(h *attach.Host, name string) func(*testing.B) {
		return func(b *testing.B) {
			b.ReportAllocs()
			b.RunParallel(func(calls *testing.PB) {
				for calls.Next() {
					req := runtime.Request{Server: "s", Method: protocol.MethodCallTool, Name: name, Args: json.RawMessage(`{"n":1}`)}
					if res, err := req.Do(b.Context(), h); err != nil || res.IsError {
						b.Error(res, err)
					}
				}
			})
		}
	}
	b.Run("direct", call(direct, "exact"))
	for _, protocol := range eras {
		through := host(&attach.Options{Protocols: map[string]string{"s": protocol}}, endpoint.Server{Name: "s", Launch: &endpoint.Address{URL: url}})
		b.Run(protocol, call(through, "s__exact"))
	}
}
