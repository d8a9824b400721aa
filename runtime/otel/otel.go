// Package otel gives the calls of a host traces, metrics and logs of OpenTelemetry, by the
// semantic conventions for MCP:
//
//	host, err := live.Open(ctx, live.Options{
//		Outer:  []runtime.Middleware{otel.Middleware(otel.Options{})},
//		Attach: attach.Options{OnEvent: otel.Events(otel.Options{})},
//	})
//
// Each request to a server is a span of kind client, named after its method and its
// tool or prompt, such as "tools/call list_prs", and one value of the histogram
// mcp.client.operation.duration. The context of the span goes to the server in the
// _meta of the request, by the propagator, and comes from there where a gateway carries
// out the request of a client. Outer stands before the policy, so that a
// refusal is a span, too; middleware of attach.Options does as well where there is no
// policy, or stands before it.
//
// The attributes are those of the conventions that the program knows of: mcp.method.name,
// gen_ai.operation.name, gen_ai.tool.name, gen_ai.prompt.name, mcp.resource.uri (of spans
// alone), error.type, rpc.response.status_code, and with [Options.Session]
// mcp.protocol.version, network.transport and network.protocol.name. One is beside them: mcpgen.server, the
// configured name of the server, without which equal tools of two servers are one.
//
// The attribute error.type is "tool_error" where the tool itself said no, the code where
// the server answered with an error of JSON-RPC, and else the kind of the failure:
// "denied", "drift", "timeout", "canceled", "invalid_arguments", "unauthorized",
// "not_attached", "unknown_tool", "unavailable", "decode", or "_OTHER".
//
// Arguments, results and the texts of errors are never recorded: servers quote arguments
// in their errors, so the status of a span has no description. IDs of sessions with
// servers are left out as well: a server may serve everyone who has one. Tools that are
// Go functions are no requests of MCP and pass as they are.
//
// The conventions are those of open-telemetry/semantic-conventions-genai,
// docs/gen-ai/mcp.md, at 0393513c (status: development). Of what happens to a server
// between calls they name the length of its sessions alone, and no logs. So the names of
// logs are mcpgen's own:
//
//	mcpgen.call.failed         WARN   a request failed, with the attributes and in the context of its span
//	mcpgen.tool.drift          WARN   a tool's judgement against its pin changed: gen_ai.tool.name, mcpgen.tool.state
//	mcpgen.server.failed       ERROR  a server did not start, or its session was lost
//	mcpgen.server.unavailable  ERROR  a lost server did not come back
package otel

import (
	"context"
	"encoding/json"
	"maps"
	"time"

	"go.opentelemetry.io/otel"
	"go.opentelemetry.io/otel/attribute"
	"go.opentelemetry.io/otel/codes"
	"go.opentelemetry.io/otel/log"
	"go.opentelemetry.io/otel/log/global"
	"go.opentelemetry.io/otel/metric"
	"go.opentelemetry.io/otel/propagation"
	"go.opentelemetry.io/otel/trace"

	"github.com/mcpgen/mcpgen/runtime"
	"github.com/mcpgen/mcpgen/runtime/endpoint"
	"github.com/mcpgen/mcpgen/runtime/event"
	"github.com/mcpgen/mcpgen/runtime/internal/semconv"
)

const scope = "github.com/mcpgen/mcpgen/runtime/otel"

// Options are where spans, values and logs go. The zero value takes what the program has set
// for the whole process, also if it sets that later.
type Options struct {
	TracerProvider trace.TracerProvider          // nil: otel.GetTracerProvider()
	MeterProvider  metric.MeterProvider          // nil: otel.GetMeterProvider()
	LoggerProvider log.LoggerProvider            // nil: global.GetLoggerProvider()
	Propagator     propagation.TextMapPropagator // nil: otel.GetTextMapPropagator(), which sends nothing until one is set
	// Session returns facts about the session with a server, and runs when a call has ended.
	// A program passes a function that calls its host's method Session, since the host is
	// made after its middleware. Nil means that spans have neither revision nor transport.
	Session func(server string) (protocol string, transport endpoint.Transport)
}

// histogram returns an instrument with the buckets that the conventions give all of them.
func (o *Options) histogram(name string) metric.Float64Histogram {
	provider := o.MeterProvider
	if provider == nil {
		provider = otel.GetMeterProvider()
	}
	h, err := provider.Meter(scope).Float64Histogram(name, metric.WithUnit("s"), metric.WithDescription(semconv.Description(name)),
		metric.WithExplicitBucketBoundaries(semconv.Buckets()...))
	if err != nil {
		otel.Handle(err) // and the histogram is one that does nothing
	}
	return h
}

// logger returns what logs are written with.
func (o *Options) logger() log.Logger {
	if o.LoggerProvider == nil {
		return global.GetLoggerProvider().Logger(scope)
	}
	return o.LoggerProvider.Logger(scope)
}

// emit writes one log.
func emit(ctx context.Context, logger log.Logger, l semconv.Log, at time.Time) {
	var r log.Record
	r.SetEventName(l.Name)
	r.SetTimestamp(at)
	r.SetSeverity(log.Severity(l.Severity))
	r.SetSeverityText(r.Severity().String())
	r.AddAttributes(attributesOf(l.Attributes...)...)
	logger.Emit(ctx, r)
}

// attributesOf returns attributes in the types of the API.
func attributesOf(all ...semconv.Attribute) (attributes []attribute.KeyValue) {
	for _, a := range all {
		attributes = append(attributes, attribute.String(a.Key, a.Value))
	}
	return attributes
}

// Events returns a function for the events of a host. Each session that ends is a value
// of the histogram mcp.client.session.duration, with mcpgen.server, and with the error.type
// "unavailable" where it was lost, such as by a crash. A server that fails and a tool that
// drifts are logs.
func Events(o Options) func(event.Event) {
	durations, logger, sessions := o.histogram(semconv.SessionDuration), o.logger(), new(semconv.Sessions)
	return func(e event.Event) {
		if seconds, attributes, ok := sessions.Ended(e); ok {
			durations.Record(context.Background(), seconds, metric.WithAttributes(attributesOf(attributes...)...))
		}
		if l, ok := semconv.Event(e); ok {
			emit(context.Background(), logger, l, e.Time)
		}
	}
}

// Middleware returns a middleware that records spans and values of requests, and logs of
// requests that failed.
func Middleware(o Options) runtime.Middleware {
	if o.TracerProvider == nil {
		o.TracerProvider = otel.GetTracerProvider()
	}
	if o.Propagator == nil {
		o.Propagator = otel.GetTextMapPropagator()
	}
	tracer, logger, durations := o.TracerProvider.Tracer(scope), o.logger(), o.histogram(semconv.OperationDuration)
	return func(next runtime.Invoker) runtime.Invoker {
		return runtime.InvokerFunc(func(ctx context.Context, req runtime.Request) (*runtime.Result, error) {
			if req.Server == "" {
				return next.Invoke(ctx, req)
			}
			if !trace.SpanContextFromContext(ctx).IsValid() {
				ctx = o.Propagator.Extract(ctx, texts(req.Options.Meta)) // of a caller of a gateway
			}
			name, attributes, apart := semconv.Request(req)
			ctx, span := tracer.Start(ctx, name, trace.WithSpanKind(trace.SpanKindClient), trace.WithAttributes(attributesOf(attributes...)...))
			defer span.End()
			if apart.Key != "" {
				span.SetAttributes(attributesOf(apart)...)
			}
			req.Options.Meta = o.meta(ctx, req.Options.Meta)
			start := time.Now()
			res, err := next.Invoke(ctx, req)
			failure, outcome := semconv.Outcome(res, err)
			end := append(o.session(req.Server), outcome...)
			span.SetAttributes(attributesOf(end...)...)
			attributes = append(attributes, end...)
			if failure != "" {
				span.SetStatus(codes.Error, "")
				emit(ctx, logger, semconv.Failure(attributes), time.Now())
			}
			durations.Record(ctx, time.Since(start).Seconds(), metric.WithAttributes(attributesOf(attributes...)...))
			return res, err
		})
	}
}

// meta returns the _meta of a request with the context of its span, in place of one that
// the caller gave.
func (o *Options) meta(ctx context.Context, given map[string]json.RawMessage) map[string]json.RawMessage {
	sent := propagation.MapCarrier{}
	o.Propagator.Inject(ctx, sent)
	all := maps.Clone(given)
	for key, value := range sent {
		text, err := json.Marshal(value)
		if err != nil {
			continue // no text has one
		}
		if all == nil {
			all = map[string]json.RawMessage{}
		}
		all[key] = text
	}
	return all
}

// texts returns the texts of a _meta.
func texts(meta map[string]json.RawMessage) propagation.MapCarrier {
	found := propagation.MapCarrier{}
	for key, value := range meta {
		var text string
		if json.Unmarshal(value, &text) == nil {
			found[key] = text
		}
	}
	return found
}

// session returns the attributes of the session with a server.
func (o *Options) session(server string) []semconv.Attribute {
	if o.Session == nil {
		return nil
	}
	return semconv.Session(o.Session(server))
}
