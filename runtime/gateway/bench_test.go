package gateway

import (
	"context"
	"encoding/json"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
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

// BenchmarkMetrics measures what it costs to measure a call, and to send it.
func BenchmarkMetrics(b *testing.B) {
	next := runtime.InvokerFunc(func(context.Context, runtime.Request) (*runtime.Result, error) { return new(runtime.Result), nil })
	sent := new(Metrics)
	srv := httptest.NewServer(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) { _, _ = io.Copy(io.Discard, r.Body) }))
	defer srv.Close()
	stop, err := sent.Export(srv.URL, "v1", slog.New(slog.DiscardHandler))
	if err != nil {
		b.Fatal(err)
	}
	defer stop()
	for name, m := range map[string]*Metrics{"metrics": new(Metrics), "otlp": sent} {
		b.Run(name, func(b *testing.B) {
			inv := m.Middleware()(next)
			b.ReportAllocs()
			for b.Loop() {
				_, _ = inv.Invoke(b.Context(), callOfEcho)
			}
		})
	}
}
