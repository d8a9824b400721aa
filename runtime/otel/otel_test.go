package otel_test

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"os"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"go.opentelemetry.io/otel/attribute"
	"go.opentelemetry.io/otel/propagation"
	"go.opentelemetry.io/otel/sdk/log"
	"go.opentelemetry.io/otel/sdk/metric"
	"go.opentelemetry.io/otel/sdk/metric/metricdata"
	"go.opentelemetry.io/otel/sdk/trace"
	"go.opentelemetry.io/otel/sdk/trace/tracetest"

	"github.com/mcpgen/mcpgen/runtime"
	"github.com/mcpgen/mcpgen/runtime/attach"
	"github.com/mcpgen/mcpgen/runtime/endpoint"
	"github.com/mcpgen/mcpgen/runtime/event"
	"github.com/mcpgen/mcpgen/runtime/otel"
	"github.com/mcpgen/mcpgen/runtime/policy"
	"github.com/mcpgen/mcpgen/runtime/protocol"
)

var update = flag.Bool("update", false, "rewrite the golden")

// asServer makes this test binary the server, also for golden/collector. With the value
// changed, the tool changed needs an argument.
const asServer = "MCPGEN_OTEL_TEST_SERVER"

func TestMain(m *testing.M) {
	if os.Getenv(asServer) != "" {
		serve()
	}
	os.Exit(m.Run())
}

// serve is an MCP server over stdio. Its tools are what can become of a call.
func serve() {
	type object = map[string]any
	lines := bufio.NewScanner(os.Stdin)
	for lines.Scan() {
		var m struct {
			ID     json.RawMessage
			Method string
			Params struct {
				Name string
				Meta object `json:"_meta"`
			}
		}
		if err := json.Unmarshal(lines.Bytes(), &m); err != nil || m.ID == nil {
			continue
		}
		text := []any{object{"type": "text", "text": fmt.Sprint(m.Params.Meta["traceparent"], " ", m.Params.Meta["own"])}}
		answer := object{"jsonrpc": "2.0", "id": m.ID}
		switch m.Method + " " + m.Params.Name {
		case "initialize ":
			answer["result"] = object{"protocolVersion": "2025-11-25", "capabilities": object{"tools": object{}, "prompts": object{}, "resources": object{}},
				"serverInfo": object{"name": "weather", "version": "1"}}
		case "tools/list ":
			tools := []any{}
			for _, name := range []string{"echo", "refuse", "sleep", "crash", "fail", "forbidden", "changed"} {
				schema := object{"type": "object"}
				if name == os.Getenv(asServer) {
					schema["required"], schema["properties"] = []string{"x"}, object{"x": object{"type": "string"}}
				}
				tools = append(tools, object{"name": name, "inputSchema": schema})
			}
			answer["result"] = object{"tools": tools}
		case "prompts/list ":
			answer["result"] = object{"prompts": []any{object{"name": "hello"}}}
		case "resources/list ":
			answer["result"] = object{"resources": []any{object{"uri": "note://1", "name": "note"}}}
		case "resources/templates/list ":
			answer["result"] = object{"resourceTemplates": []any{}}
		case "tools/call echo":
			answer["result"] = object{"content": text}
		case "tools/call refuse":
			answer["result"] = object{"content": text, "isError": true}
		case "tools/call sleep":
			continue
		case "tools/call crash":
			os.Exit(3)
		case "prompts/get hello":
			answer["result"] = object{"messages": []any{}}
		case "resources/read ":
			answer["result"] = object{"contents": []any{object{"uri": "note://1", "text": "x"}}}
		default:
			answer["error"] = object{"code": -32000, "message": "no, with planted-argument in it"}
		}
		line, err := json.Marshal(answer)
		if err != nil {
			os.Exit(1)
		}
		fmt.Printf("%s\n", line)
	}
	os.Exit(0)
}

// TestCalls compares the spans and values of calls that end in every way with a golden.
func TestCalls(t *testing.T) {
	exe, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	spans := tracetest.NewInMemoryExporter()
	reader := metric.NewManualReader()
	logs := &records{}
	var host *attach.Host
	options := otel.Options{
		TracerProvider: trace.NewTracerProvider(trace.WithSyncer(spans)),
		MeterProvider:  metric.NewMeterProvider(metric.WithReader(reader)),
		LoggerProvider: log.NewLoggerProvider(log.WithProcessor(log.NewSimpleProcessor(logs))),
		Propagator:     propagation.TraceContext{},
		Session:        func(server string) (string, endpoint.Transport) { return host.Session(server) },
	}
	telemetry := otel.Middleware(options)
	gate, err := policy.New(policy.Config{Allow: []string{"tool:*/*", "prompt:*/*", "resource:*/*"}, Deny: []string{"tool:weather/forbidden"}}, nil)
	if err != nil {
		t.Fatal(err)
	}
	host, err = attach.Connect(t.Context(), []endpoint.Server{{
		Name: "weather", Launch: &endpoint.Process{Command: exe, Env: []endpoint.Var{{Name: asServer, Value: "1"}}},
	}}, &attach.Options{
		Middleware: []runtime.Middleware{telemetry, gate.Middleware()}, OnEvent: otel.Events(options),
		Protocols: map[string]string{"weather": "2025-11-25"},
	})
	if err != nil {
		t.Fatal(err)
	}
	defer host.Close()
	if err := host.Err(); err != nil {
		t.Fatal(err)
	}

	given := map[string]json.RawMessage{"own": json.RawMessage(`"kept"`), "traceparent": json.RawMessage(`"another"`)}
	res := call(t, host, runtime.Request{Method: protocol.MethodCallTool, Name: "echo", Options: runtime.Options{Meta: given}}, nil)
	span := spans.GetSpans()[0].SpanContext
	if want := fmt.Sprintf("00-%s-%s-01 kept", span.TraceID(), span.SpanID()); res.Text() != want {
		t.Errorf("the server was sent %q, want %q", res.Text(), want)
	}
	if len(given) != 2 || string(given["traceparent"]) != `"another"` {
		t.Errorf("the caller's own is another by now: %s", given)
	}
	call(t, host, runtime.Request{Method: protocol.MethodGetPrompt, Name: "hello"}, nil)
	call(t, host, runtime.Request{Method: protocol.MethodReadResource, Name: "note://1"}, nil)
	if !call(t, host, runtime.Request{Method: protocol.MethodCallTool, Name: "refuse"}, nil).IsError {
		t.Error("the tool did not refuse")
	}
	call(t, host, runtime.Request{Method: protocol.MethodCallTool, Name: "forbidden"}, runtime.ErrDenied)
	call(t, host, runtime.Request{Method: protocol.MethodCallTool, Name: "changed", Pin: "sha256:another"}, runtime.ErrDrift)
	call(t, host, runtime.Request{Method: protocol.MethodCallTool, Name: "sleep", Options: runtime.Options{Timeout: 50 * time.Millisecond}}, runtime.ErrTimeout)
	call(t, host, runtime.Request{Method: protocol.MethodCallTool, Name: "fail"}, runtime.ErrRPC)
	call(t, host, runtime.Request{Method: protocol.MethodCallTool, Name: "crash"}, runtime.ErrUnavailable)
	call(t, host, runtime.Request{Method: protocol.MethodCallTool, Name: "echo"}, nil) // in a second session
	stopped, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := host.Invoke(stopped, runtime.Request{Server: "weather", Method: protocol.MethodCallTool, Name: "echo"}); !errors.Is(err, context.Canceled) {
		t.Errorf("got %v", err)
	}
	host.Close()

	var b strings.Builder
	for _, s := range spans.GetSpans().Snapshots() {
		fmt.Fprintf(&b, "span %q %s %s %s\n", s.Name(), s.SpanKind(), s.Status().Code, s.Status().Description)
		write(&b, s.Attributes())
		if len(s.Events()) > 0 {
			t.Errorf("%s has events", s.Name())
		}
	}
	values(t, &b, reader)
	logs.write(t, &b, spans)
	compare(t, "testdata/calls.txt", b.String())
}

// TestEvents writes what happens to servers between calls, without a text of theirs.
func TestEvents(t *testing.T) {
	logs := &records{}
	f := otel.Events(otel.Options{LoggerProvider: log.NewLoggerProvider(log.WithProcessor(log.NewSimpleProcessor(logs)))})
	said := errors.New("planted-argument")
	for _, e := range []event.Event{
		{Kind: event.Attached}, {Kind: event.Drift, Tool: "echo", State: "changed", Detail: said.Error()},
		{Kind: event.Failed, Err: said}, {Kind: event.Unavailable, Err: said}, {Kind: event.Detached},
	} {
		e.Server, e.Time = "weather", time.Now()
		f(e)
	}
	var b strings.Builder
	logs.write(t, &b, tracetest.NewInMemoryExporter())
	compare(t, "testdata/events.txt", b.String())
}

// call carries out a request of the one server.
func call(t *testing.T, host runtime.Invoker, req runtime.Request, want error) *runtime.Result {
	t.Helper()
	req.Server, req.Args = "weather", json.RawMessage(`{"secret":"planted-argument"}`)
	if req.Method == protocol.MethodReadResource {
		req.Args = nil
	}
	res, err := host.Invoke(t.Context(), req)
	if !errors.Is(err, want) {
		t.Fatalf("%s %s: %v, want %v", req.Method, req.Name, err, want)
	}
	return res
}

// values writes what was measured, without the times.
func values(t *testing.T, b *strings.Builder, reader *metric.ManualReader) {
	t.Helper()
	var all metricdata.ResourceMetrics
	if err := reader.Collect(t.Context(), &all); err != nil {
		t.Fatal(err)
	}
	for _, s := range all.ScopeMetrics {
		for _, m := range s.Metrics {
			fmt.Fprintf(b, "metric %s %s\n", m.Name, m.Unit)
			points := m.Data.(metricdata.Histogram[float64]).DataPoints
			fmt.Fprintf(b, "  bounds %v\n", points[0].Bounds)
			var texts []string
			for _, p := range points {
				var point strings.Builder
				fmt.Fprintf(&point, "value × %d\n", p.Count)
				write(&point, p.Attributes.ToSlice())
				texts = append(texts, point.String())
			}
			slices.Sort(texts)
			b.WriteString(strings.Join(texts, ""))
		}
	}
}

// records is an exporter of logs that keeps them.
type records struct {
	mu  sync.Mutex
	all []log.Record
}

func (r *records) Export(_ context.Context, all []log.Record) error {
	r.mu.Lock()
	defer r.mu.Unlock()
	for _, one := range all {
		r.all = append(r.all, one.Clone())
	}
	return nil
}

func (*records) Shutdown(context.Context) error   { return nil }
func (*records) ForceFlush(context.Context) error { return nil }

// write writes the logs, those of calls with the name of the span that they belong to.
func (r *records) write(t *testing.T, b *strings.Builder, spans *tracetest.InMemoryExporter) {
	t.Helper()
	r.mu.Lock()
	defer r.mu.Unlock()
	var texts []string
	for _, one := range r.all {
		var text strings.Builder
		of := ""
		for _, s := range spans.GetSpans() {
			if one.SpanID() == s.SpanContext.SpanID() && one.TraceID() == s.SpanContext.TraceID() {
				of = " in " + s.Name
			}
		}
		fmt.Fprintf(&text, "log %s %s%s\n", one.EventName(), one.SeverityText(), of)
		var attributes []attribute.KeyValue
		one.WalkAttributes(func(a attribute.KeyValue) bool {
			attributes = append(attributes, a)
			return true
		})
		write(&text, attributes)
		if one.Timestamp().IsZero() || one.Body().AsString() != "" {
			t.Errorf("%s has no time, or a text", one.EventName())
		}
		texts = append(texts, text.String())
	}
	slices.Sort(texts)
	b.WriteString(strings.Join(texts, ""))
}

func write(b *strings.Builder, attributes []attribute.KeyValue) {
	slices.SortFunc(attributes, func(x, y attribute.KeyValue) int { return strings.Compare(string(x.Key), string(y.Key)) })
	for _, a := range attributes {
		fmt.Fprintf(b, "  %s = %s\n", a.Key, a.Value.Emit())
	}
}

func compare(t *testing.T, path, got string) {
	t.Helper()
	if strings.Contains(got, "planted-argument") {
		t.Error("an argument is recorded")
	}
	if *update {
		if err := os.WriteFile(path, []byte(got), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if got != string(want) {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
}

// TestNothingSet makes calls with the zero options, in a program that has set nothing.
func TestNothingSet(t *testing.T) {
	var sent runtime.Request
	inner := runtime.InvokerFunc(func(_ context.Context, req runtime.Request) (*runtime.Result, error) {
		sent = req
		return &runtime.Result{}, nil
	})
	inv := otel.Middleware(otel.Options{})(inner)
	for _, server := range []string{"", "weather"} {
		if _, err := inv.Invoke(t.Context(), runtime.Request{Server: server, Method: protocol.MethodCallTool, Name: "echo"}); err != nil || sent.Server != server || sent.Options.Meta != nil {
			t.Errorf("sent %+v, %v", sent, err)
		}
	}
}

// TestNative wants no span of a tool that is a Go function.
func TestNative(t *testing.T) {
	spans := tracetest.NewSpanRecorder()
	inv := otel.Middleware(otel.Options{TracerProvider: trace.NewTracerProvider(trace.WithSpanProcessor(spans))})(runtime.InvokerFunc(
		func(context.Context, runtime.Request) (*runtime.Result, error) { return &runtime.Result{}, nil }))
	if _, err := inv.Invoke(t.Context(), runtime.Request{Method: protocol.MethodCallTool, Name: "clock"}); err != nil || len(spans.Ended()) != 0 {
		t.Errorf("%v, %d spans", err, len(spans.Ended()))
	}
}

// TestParent wants the span of a call below that of the program, and without one below
// that of the client on whose behalf a gateway makes it.
func TestParent(t *testing.T) {
	const client = "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01"
	spans := tracetest.NewSpanRecorder()
	provider := trace.NewTracerProvider(trace.WithSpanProcessor(spans))
	inv := otel.Middleware(otel.Options{TracerProvider: provider, Propagator: propagation.TraceContext{}})(runtime.InvokerFunc(
		func(context.Context, runtime.Request) (*runtime.Result, error) { return &runtime.Result{}, nil }))
	within, outer := provider.Tracer("test").Start(t.Context(), "agent")
	for _, ctx := range []context.Context{t.Context(), within} {
		req := runtime.Request{Server: "s", Method: protocol.MethodCallTool, Name: "echo"}.With(runtime.WithMeta("traceparent", json.RawMessage(`"`+client+`"`)))
		if _, err := inv.Invoke(ctx, req); err != nil {
			t.Fatal(err)
		}
	}
	got := []string{spans.Ended()[0].Parent().SpanID().String(), spans.Ended()[1].Parent().SpanID().String()}
	if want := []string{"b7ad6b7169203331", outer.SpanContext().SpanID().String()}; !slices.Equal(got, want) {
		t.Errorf("the parents are %q, want %q", got, want)
	}
}
