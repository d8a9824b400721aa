package main

// Calls through a gateway that measures and sends what it measures, against the same calls
// through one that does not. The collector is this process, and only reads.

import (
	"context"
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"

	"github.com/mcpgen/mcpgen/runtime"
	"github.com/mcpgen/mcpgen/runtime/attach"
	"github.com/mcpgen/mcpgen/runtime/endpoint"
	"github.com/mcpgen/mcpgen/runtime/gateway"
)

// telemetry measures calls with metrics alone, and with traces and logs, too.
func telemetry(ctx context.Context, b *bench) ([]row, error) {
	url, stop, err := b.replay(ctx)
	if err != nil {
		return nil, err
	}
	defer stop()
	collector := httptest.NewServer(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) { _, _ = io.Copy(io.Discard, r.Body) }))
	defer collector.Close()
	exported := new(gateway.Metrics)
	end, err := exported.Export(collector.URL, "bench", slog.Default())
	if err != nil {
		return nil, err
	}
	defer end()
	var sides []func(context.Context, int) error
	for _, m := range []*gateway.Metrics{nil, new(gateway.Metrics), exported} {
		host, err := attach.Connect(ctx, []endpoint.Server{{Name: "memory", Launch: &endpoint.Address{URL: url}}}, &attach.Options{Middleware: []runtime.Middleware{m.Middleware()}, OnEvent: m.Event})
		if err != nil {
			return nil, err
		}
		defer host.Close()
		gw, err := gateway.New(host, &gateway.Options{Metrics: m})
		if err != nil {
			return nil, err
		}
		defer gw.Close()
		handler, err := gw.Handler(nil)
		if err != nil {
			return nil, err
		}
		srv := httptest.NewServer(handler)
		defer srv.Close()
		client, err := hostOf(ctx, srv.URL+gateway.Path, "2026-07-28")
		if err != nil {
			return nil, err
		}
		defer client.Close()
		sides = append(sides, callOf(client, "memory__create_entities"))
	}
	var rows []row
	for _, n := range callers {
		costs, err := b.turns(ctx, n, sides)
		if err != nil {
			return rows, err
		}
		for i, what := range []string{"--metrics", "--otlp"} {
			name := fmt.Sprintf("%s, %d at a time: ", what, n)
			rows = append(rows, compared(name+"time", costs[i+1].micros, costs[0].micros, 1, "µs", 0), compared(name+"memory", costs[i+1].bytes, costs[0].bytes, 1e-3, "kB", 0))
		}
	}
	return rows, nil
}
