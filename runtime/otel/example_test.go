package otel_test

import (
	"context"

	"go.opentelemetry.io/otel/log/global"
	"go.opentelemetry.io/otel/sdk/log"
	"go.opentelemetry.io/otel/sdk/metric"
	"go.opentelemetry.io/otel/sdk/trace"

	api "go.opentelemetry.io/otel"
	"go.opentelemetry.io/otel/propagation"

	"github.com/mcpgen/mcpgen/runtime"
	"github.com/mcpgen/mcpgen/runtime/attach"
	"github.com/mcpgen/mcpgen/runtime/codec"
	"github.com/mcpgen/mcpgen/runtime/endpoint"
	"github.com/mcpgen/mcpgen/runtime/live"
	"github.com/mcpgen/mcpgen/runtime/otel"
)

// connect attaches to the servers of mcpgen.yaml. Manifests are mcp.Manifests(), spans,
// values and logs are any exporters, such as those of OTLP.
func connect(ctx context.Context, manifests []*codec.Manifest, spans trace.SpanExporter, values metric.Exporter, logs log.Exporter) (*live.Host, error) {
	api.SetTracerProvider(trace.NewTracerProvider(trace.WithBatcher(spans)))
	api.SetMeterProvider(metric.NewMeterProvider(metric.WithReader(metric.NewPeriodicReader(values))))
	global.SetLoggerProvider(log.NewLoggerProvider(log.WithProcessor(log.NewBatchProcessor(logs))))
	api.SetTextMapPropagator(propagation.TraceContext{})

	var host *live.Host
	options := otel.Options{Session: func(server string) (string, endpoint.Transport) { return host.Session(server) }}
	host, err := live.Open(ctx, live.Options{
		Manifests: manifests,
		Outer:     []runtime.Middleware{otel.Middleware(options)},
		Attach:    attach.Options{OnEvent: otel.Events(options)},
	})
	return host, err
}

func Example() { _ = connect }
