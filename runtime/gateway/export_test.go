package gateway

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/mcpgen/mcpgen/runtime"
	"github.com/mcpgen/mcpgen/runtime/attach"
	"github.com/mcpgen/mcpgen/runtime/event"
	"github.com/mcpgen/mcpgen/runtime/internal/semconv"
	"github.com/mcpgen/mcpgen/runtime/protocol"
)

// The messages of opentelemetry-proto that a gateway sends, by the names of their fields in
// JSON. A body with another name, or with a number in place of a text, does not decode.
type (
	keyValues []struct {
		Key   string `json:"key"`
		Value struct {
			StringValue string `json:"stringValue"`
		} `json:"value"`
	}
	wireResource struct {
		Attributes keyValues `json:"attributes"`
	}
	wireScope struct {
		Name string `json:"name"`
	}
	wireSpan struct {
		TraceID      string    `json:"traceId"`
		SpanID       string    `json:"spanId"`
		TraceState   string    `json:"traceState"`
		ParentSpanID string    `json:"parentSpanId"`
		Flags        uint32    `json:"flags"`
		Name         string    `json:"name"`
		Kind         int       `json:"kind"`
		Start        int64     `json:"startTimeUnixNano,string"`
		End          int64     `json:"endTimeUnixNano,string"`
		Attributes   keyValues `json:"attributes"`
		Status       struct {
			Code int `json:"code"`
		} `json:"status"`
	}
	wireLog struct {
		Time       int64     `json:"timeUnixNano,string"`
		Observed   int64     `json:"observedTimeUnixNano,string"`
		Severity   int       `json:"severityNumber"`
		Text       string    `json:"severityText"`
		Attributes keyValues `json:"attributes"`
		Flags      uint32    `json:"flags"`
		TraceID    string    `json:"traceId"`
		SpanID     string    `json:"spanId"`
		EventName  string    `json:"eventName"`
	}
	wirePoint struct {
		Attributes     keyValues `json:"attributes"`
		Start          int64     `json:"startTimeUnixNano,string"`
		Time           int64     `json:"timeUnixNano,string"`
		Count          uint64    `json:"count,string"`
		Sum            float64   `json:"sum"`
		BucketCounts   []string  `json:"bucketCounts"`
		ExplicitBounds []float64 `json:"explicitBounds"`
	}
	wireMetric struct {
		Name        string `json:"name"`
		Description string `json:"description"`
		Unit        string `json:"unit"`
		Histogram   struct {
			DataPoints  []wirePoint `json:"dataPoints"`
			Temporality int         `json:"aggregationTemporality"`
		} `json:"histogram"`
	}
	wireRequest struct {
		ResourceSpans []struct {
			Resource   wireResource `json:"resource"`
			ScopeSpans []struct {
				Scope wireScope  `json:"scope"`
				Spans []wireSpan `json:"spans"`
			} `json:"scopeSpans"`
		} `json:"resourceSpans"`
		ResourceLogs []struct {
			Resource  wireResource `json:"resource"`
			ScopeLogs []struct {
				Scope      wireScope `json:"scope"`
				LogRecords []wireLog `json:"logRecords"`
			} `json:"scopeLogs"`
		} `json:"resourceLogs"`
		ResourceMetrics []struct {
			Resource     wireResource `json:"resource"`
			ScopeMetrics []struct {
				Scope   wireScope    `json:"scope"`
				Metrics []wireMetric `json:"metrics"`
			} `json:"scopeMetrics"`
		} `json:"resourceMetrics"`
	}
)

// String returns the attributes as a line, in order.
func (all keyValues) String() string {
	var texts []string
	for _, a := range all {
		texts = append(texts, a.Key+"="+a.Value.StringValue)
	}
	return strings.Join(texts, " ")
}

// testCollector answers requests of an exporter, in the process itself.
type testCollector struct {
	t        *testing.T
	mu       sync.Mutex
	answer   func(w http.ResponseWriter, r *http.Request) // nil: 200
	refuse   error                                        // of connections
	requests []string                                     // paths
	at       []time.Time
	spans    []wireSpan
	logs     []wireLog
	metrics  []wireMetric // of the last request
	resource string
	header   http.Header
	bodies   []byte
}

// RoundTrip implements [http.RoundTripper].
func (c *testCollector) RoundTrip(r *http.Request) (*http.Response, error) {
	c.mu.Lock()
	c.requests, c.at = append(c.requests, r.URL.Path), append(c.at, time.Now())
	refuse := c.refuse
	c.mu.Unlock()
	if refuse != nil {
		return nil, refuse
	}
	w := httptest.NewRecorder()
	c.ServeHTTP(w, r)
	if err := r.Context().Err(); err != nil {
		return nil, err
	}
	return w.Result(), nil
}

// ServeHTTP implements [http.Handler]. It takes what a request has if the answer is 200.
func (c *testCollector) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	rec := httptest.NewRecorder()
	c.mu.Lock()
	answer := c.answer
	c.mu.Unlock()
	if answer != nil {
		answer(rec, r)
	}
	if r.Context().Err() != nil {
		return
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	for name, values := range rec.Header() {
		w.Header()[name] = values
	}
	w.WriteHeader(rec.Code)
	_, _ = w.Write(rec.Body.Bytes())
	if rec.Code != http.StatusOK {
		return
	}
	var body bytes.Buffer
	if _, err := body.ReadFrom(r.Body); err != nil {
		c.t.Error(err)
	}
	c.bodies, c.header = append(c.bodies, body.Bytes()...), r.Header
	var req wireRequest
	decoder := json.NewDecoder(&body)
	decoder.DisallowUnknownFields()
	if err := decoder.Decode(&req); err != nil {
		c.t.Errorf("%s: %v", r.URL.Path, err)
	}
	switch {
	case r.URL.Path == "/base/v1/traces" && len(req.ResourceSpans) == 1:
		c.resource, c.spans = req.ResourceSpans[0].Resource.Attributes.String(), append(c.spans, req.ResourceSpans[0].ScopeSpans[0].Spans...)
	case r.URL.Path == "/base/v1/logs" && len(req.ResourceLogs) == 1:
		c.logs = append(c.logs, req.ResourceLogs[0].ScopeLogs[0].LogRecords...)
	case r.URL.Path == "/base/v1/metrics" && len(req.ResourceMetrics) == 1:
		c.metrics = req.ResourceMetrics[0].ScopeMetrics[0].Metrics
	default:
		c.t.Errorf("%s is not the path of %+v", r.URL.Path, req)
	}
}

// count returns how many requests there were.
func (c *testCollector) count() int {
	synctest.Wait()
	c.mu.Lock()
	defer c.mu.Unlock()
	return len(c.requests)
}

// exportTo returns metrics that send to c, what stops them, and their log.
func exportTo(t *testing.T, c *testCollector, variables map[string]string) (m *Metrics, stop func(), log *lockedBuffer) {
	t.Helper()
	m, log = new(Metrics), new(lockedBuffer)
	setVariables(t, variables)
	x, err := m.newExporter("http://user:secret-password@collector.example/base?key=secret-query", "v1", slog.New(slog.NewTextHandler(log, nil)))
	if err != nil {
		t.Fatal(err)
	}
	c.t, x.client.Transport, m.otlp = t, c, x
	return m, x.start(), log
}

// setVariables sets the variables that an exporter reads.
func setVariables(t *testing.T, variables map[string]string) {
	t.Helper()
	for _, name := range []string{"OTEL_EXPORTER_OTLP_HEADERS", "OTEL_SERVICE_NAME", "OTEL_RESOURCE_ATTRIBUTES"} {
		t.Setenv(name, variables[name])
	}
}

// observe carries out a request that has an outcome, and returns the request that the server would get.
func observe(m *Metrics, req runtime.Request, res *runtime.Result, err error) (sent runtime.Request) {
	_, _ = m.Middleware()(runtime.InvokerFunc(func(_ context.Context, req runtime.Request) (*runtime.Result, error) {
		sent = req
		return res, err
	})).Invoke(context.Background(), req)
	return sent
}

var callOfEcho = runtime.Request{Server: "s", Method: protocol.MethodCallTool, Name: "echo", Args: json.RawMessage(`{"x":"planted-argument"}`)}

// Export sends traces, logs and metrics over HTTP, without arguments, results and texts of
// errors.
func TestExport(t *testing.T) {
	c := &testCollector{t: t}
	srv := httptest.NewServer(c)
	defer srv.Close()
	m := new(Metrics)
	setVariables(t, map[string]string{
		"OTEL_EXPORTER_OTLP_HEADERS": "Authorization=Bearer%20a%2Cb, x-team = tools ,", "OTEL_SERVICE_NAME": "gw", "OTEL_RESOURCE_ATTRIBUTES": "service.name=no,deployment.environment.name=test%20%C3%A9",
	})
	var log bytes.Buffer
	stop, err := m.Export(srv.URL+"/base/", "v1", slog.New(slog.NewTextHandler(&log, nil)))
	if err != nil {
		t.Fatal(err)
	}
	text := &runtime.Result{Raw: json.RawMessage(`{"content":[{"type":"text","text":"planted-argument"}]}`)}
	observe(m, callOfEcho, text, nil)
	observe(m, callOfEcho, text, nil)
	observe(m, callOfEcho, &runtime.Result{IsError: true}, nil)
	observe(m, callOfEcho, nil, fmt.Errorf("planted-argument: %w", runtime.ErrDenied))
	observe(m, callOfEcho, nil, &runtime.RPCError{Code: 7, Message: "planted-argument"})
	observe(m, runtime.Request{Server: "s", Method: protocol.MethodReadResource, Name: "note://1"}, text, nil)
	observe(m, runtime.Request{Method: protocol.MethodCallTool, Name: "go"}, text, nil)
	m.Event(event.Event{Kind: event.Attached, Server: "s", Time: time.Unix(1, 0)})
	m.Event(event.Event{Kind: event.Failed, Server: "s", Time: time.Unix(1, 15e8), Err: errors.New("planted-argument")})
	m.Event(event.Event{Kind: event.Drift, Server: "s", Time: time.Unix(2, 0), Tool: "echo", State: "changed", Detail: "planted-argument"})
	stop()
	stop()

	var got []string
	for _, s := range c.spans {
		got = append(got, fmt.Sprint("span ", s.Name, ": ", s.Attributes, ", kind ", s.Kind, ", status ", s.Status.Code, ", flags ", s.Flags))
		if s.End < s.Start || time.Since(time.Unix(0, s.Start)).Abs() > time.Minute || len(s.TraceID) != 32 || len(s.SpanID) != 16 || s.ParentSpanID != "" {
			t.Errorf("%+v", s)
		}
	}
	for _, l := range c.logs {
		within := slices.IndexFunc(c.spans, func(s wireSpan) bool { return s.SpanID == l.SpanID && s.TraceID == l.TraceID })
		got = append(got, fmt.Sprint("log ", l.EventName, ": ", l.Attributes, ", ", l.Severity, " ", l.Text, ", of span ", within, ", flags ", l.Flags))
	}
	for _, x := range c.metrics {
		got = append(got, fmt.Sprint("metric ", x.Name, " ", x.Unit, ", temporality ", x.Histogram.Temporality, ", described ", x.Description != ""))
		for _, p := range x.Histogram.DataPoints {
			got = append(got, fmt.Sprint("point ", p.Attributes, ": ", p.Count, " ", p.BucketCounts, len(p.ExplicitBounds)))
			if p.Time < p.Start || time.Since(time.Unix(0, p.Start)) > time.Minute || p.Sum <= 0 {
				t.Errorf("%+v", p)
			}
		}
	}
	const call = "mcpgen.server=s mcp.method.name=tools/call gen_ai.operation.name=execute_tool gen_ai.tool.name=echo"
	const first = " [1 0 0 0 0 0 0 0 0 0 0 0 0 0 0] 14"
	want := []string{
		"span tools/call echo: " + call + ", kind 3, status 0, flags 257",
		"span tools/call echo: " + call + ", kind 3, status 0, flags 257",
		"span tools/call echo: " + call + " error.type=tool_error, kind 3, status 2, flags 257",
		"span tools/call echo: " + call + " error.type=denied, kind 3, status 2, flags 257",
		"span tools/call echo: " + call + " error.type=7 rpc.response.status_code=7, kind 3, status 2, flags 257",
		"span resources/read: mcpgen.server=s mcp.method.name=resources/read mcp.resource.uri=note://1, kind 3, status 0, flags 257",
		"log mcpgen.call.failed: " + call + " error.type=tool_error, 13 WARN, of span 2, flags 1",
		"log mcpgen.call.failed: " + call + " error.type=denied, 13 WARN, of span 3, flags 1",
		"log mcpgen.call.failed: " + call + " error.type=7 rpc.response.status_code=7, 13 WARN, of span 4, flags 1",
		"log mcpgen.server.failed: mcpgen.server=s error.type=unavailable, 17 ERROR, of span -1, flags 0",
		"log mcpgen.tool.drift: mcpgen.server=s gen_ai.tool.name=echo mcpgen.tool.state=changed, 13 WARN, of span -1, flags 0",
		"metric mcp.client.operation.duration s, temporality 2, described true",
		"point mcpgen.server=s mcp.method.name=resources/read: 1" + first,
		"point " + call + ": 2" + strings.Replace(first, "1", "2", 1),
		"point " + call + " error.type=_OTHER rpc.response.status_code=_OTHER: 1" + first,
		"point " + call + " error.type=denied: 1" + first,
		"point " + call + " error.type=tool_error: 1" + first,
		"metric mcp.client.session.duration s, temporality 2, described true",
		"point mcpgen.server=s error.type=unavailable: 1 [0 0 0 0 0 0 0 1 0 0 0 0 0 0 0] 14",
	}
	if !slices.Equal(got, want) {
		t.Errorf("got\n%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
	if want := "deployment.environment.name=test é service.name=gw service.version=v1"; c.resource != want {
		t.Errorf("resource %q, want %q", c.resource, want)
	}
	for name, want := range map[string]string{"Authorization": "Bearer a,b", "X-Team": "tools", "Content-Type": "application/json", "User-Agent": "mcpgen/v1"} {
		if got := c.header.Get(name); got != want {
			t.Errorf("%s: %q, want %q", name, got, want)
		}
	}
	checkLacks(t, string(c.bodies)+log.String(), "planted-argument")
	if log.Len() > 0 {
		t.Errorf("logged %s", log.String())
	}
}

// The span of a request is below the caller's, as W3C Trace Context has it in _meta, and the
// server gets the context of the span.
func TestExportParent(t *testing.T) {
	const trace, parent = "0af7651916cd43dd8448eb211c80319c", "b7ad6b7169203331"
	for _, tc := range []struct {
		what, traceparent, tracestate string
		root                          bool
		flags, state                  string
	}{
		{"a caller that records", "00-" + trace + "-" + parent + "-01", "a=1,b=2", false, "01", "a=1,b=2"},
		{"a caller that does not", "00-" + trace + "-" + parent + "-00", "", false, "00", ""},
		{"flags of the future", "00-" + trace + "-" + parent + "-ff", "", false, "03", ""},
		{"a version of the future", "01-" + trace + "-" + parent + "-01-x", "", false, "01", ""},
		{"a state that is too long", "00-" + trace + "-" + parent + "-01", strings.Repeat("x", 513), false, "01", ""},
		{"a state of two lines", "00-" + trace + "-" + parent + "-01", "a=1\nb", false, "01", ""},
		{"nothing", "", "", true, "01", ""},
		{"a state alone", "", "a=1", true, "01", ""},
		{"too much", "00-" + trace + "-" + parent + "-01-x", "a=1", true, "01", ""},
		{"no version", "ff-" + trace + "-" + parent + "-01", "a=1", true, "01", ""},
		{"no trace", "00-" + strings.Repeat("0", 32) + "-" + parent + "-01", "", true, "01", ""},
		{"no span", "00-" + trace + "-" + strings.Repeat("0", 16) + "-01", "", true, "01", ""},
		{"capitals", "00-" + strings.ToUpper(trace) + "-" + parent + "-01", "", true, "01", ""},
	} {
		c := &testCollector{}
		m, stop, _ := exportTo(t, c, nil)
		given := map[string]json.RawMessage{"own": json.RawMessage(`"kept"`), "traceparent": json.RawMessage(`5`)}
		if tc.traceparent != "" {
			given["traceparent"] = quote(tc.traceparent)
		}
		if tc.tracestate != "" {
			given["tracestate"] = quote(tc.tracestate)
		}
		req := callOfEcho
		req.Options.Meta = given
		before := fmt.Sprint(given)
		sent := observe(m, req, nil, runtime.ErrDenied).Options.Meta
		stop()
		var header, state string
		_, _ = json.Unmarshal(sent["traceparent"], &header), json.Unmarshal(sent["tracestate"], &state)
		parts := strings.Split(header, "-")
		if len(parts) != 4 || parts[0] != "00" || (parts[1] == trace) == tc.root || parts[2] == parent || parts[3] != tc.flags || state != tc.state || string(sent["own"]) != `"kept"` || fmt.Sprint(given) != before {
			t.Errorf("%s: the server gets %s", tc.what, sent)
			continue
		}
		if tc.flags == "00" {
			if len(c.spans) != 0 {
				t.Errorf("%s: %+v", tc.what, c.spans)
			}
		} else if s := c.spans[0]; s.TraceID != parts[1] || s.SpanID != parts[2] || (s.ParentSpanID != parent) != tc.root || s.TraceState != tc.state || (s.Flags>>8 == 3) == tc.root {
			t.Errorf("%s: %+v", tc.what, s)
		}
		if l := c.logs[0]; l.TraceID != parts[1] || l.SpanID != parts[2] {
			t.Errorf("%s: %+v", tc.what, l)
		}
	}
}

// A request of a caller is a span, below the caller's, and above those of the requests to
// servers, whose server gets the span's context.
func TestExportReceived(t *testing.T) {
	c := &testCollector{t: t}
	m, stop, _ := exportTo(t, c, nil)
	g := openGateway(t, &attach.Options{Middleware: []runtime.Middleware{m.Middleware()}}, &Options{Metrics: m}, processServer(t, "s", "exact"))
	for _, protocol := range eras {
		client := dialClient(t, g, protocol)
		client.must("tools/call", `{"name":"s__exact","arguments":{"n":1},"_meta":{"traceparent":"00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01"}}`)
		client.must("tools/list", `{}`)
	}
	stop()
	received, sent := map[string]wireSpan{}, 0
	for _, s := range c.spans {
		if s.Kind == kindServer && s.Name == "tools/call s__exact" {
			received[s.SpanID] = s
			if s.ParentSpanID != "00f067aa0ba902b7" || !strings.Contains(s.Attributes.String(), "gen_ai.tool.name=s__exact") {
				t.Errorf("received: %+v", s)
			}
		}
	}
	for _, s := range c.spans {
		if s.Kind == kindClient {
			sent++
			if at, ok := received[s.ParentSpanID]; !ok || at.TraceID != s.TraceID || s.Name != "tools/call exact" {
				t.Errorf("sent: %+v", s)
			}
		}
	}
	if len(received) != 2 || sent != 2 {
		t.Errorf("%d received, %d sent", len(received), sent)
	}
}

// The spans of a session's requests have its ID, which serves its own caller alone. Where
// callers show no token, the ID would serve everyone, so it is hashed. Metrics have neither.
func TestExportSession(t *testing.T) {
	for _, auth := range []*Auth{twoCallers(t), nil} {
		c := &testCollector{t: t}
		m, stop, _ := exportTo(t, c, nil)
		g := openGateway(t, nil, &Options{Metrics: m}, processServer(t, "s", "exact"))
		url, _ := serveHTTP(t, g, &HandlerOptions{Auth: auth})
		token := []string{"Authorization", "Bearer " + annToken}
		_, _, headers := postJSON(t, url+Path, initialize, token...)
		id := headers.Get(sessionHeader)
		session := append(token, sessionHeader, id, "Mcp-Protocol-Version", legacy)
		postJSON(t, url+Path, `{"jsonrpc":"2.0","method":"notifications/initialized"}`, session...)
		for n := range 2 { // with the SDK, and without
			postJSON(t, url+Path, callOf(n, "s__exact", `{"n":1}`), session...)
		}
		body, modernHeader := modernCall("s__exact", `{"n":1}`)
		postJSON(t, url+Path, body, append(modernHeader, session[:4]...)...)
		stop()
		want := "mcp.session.id=" + id
		if auth == nil {
			want = "mcp.session.id=sha256:"
		}
		with, without := 0, 0
		for _, s := range c.spans {
			switch has := strings.Contains(s.Attributes.String(), want); {
			case s.Kind != kindServer:
			case has:
				with++
			default:
				without++
			}
			if auth == nil && strings.Contains(s.Attributes.String(), id) {
				t.Errorf("%s has the ID", s.Name)
			}
		}
		if with != 3 || without != 1 || id == "" {
			t.Errorf("%d spans with %s, %d without", with, want, without)
		}
		for _, m := range c.metrics {
			for _, p := range m.Histogram.DataPoints {
				if strings.Contains(p.Attributes.String(), "session.id") {
					t.Errorf("a metric has %s", p.Attributes)
				}
			}
		}
	}
}

func quote(text string) json.RawMessage {
	raw, _ := json.Marshal(text)
	return raw
}

// A full batch is sent at once, the rest every five seconds, and metrics every minute.
func TestExportBatches(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c := &testCollector{}
		m, stop, log := exportTo(t, c, nil)
		defer stop()
		check := func(what string, spans int, requests ...string) {
			t.Helper()
			synctest.Wait()
			c.mu.Lock()
			defer c.mu.Unlock()
			if len(c.spans) != spans || !slices.Equal(c.requests, requests) {
				t.Errorf("%s: %d spans by %q", what, len(c.spans), c.requests)
			}
			c.requests = nil
		}
		for range maxBatch - 1 {
			observe(m, callOfEcho, nil, nil)
		}
		check("less than a batch", 0)
		observe(m, callOfEcho, nil, nil)
		check("a batch", maxBatch, "/base/v1/traces")
		for range 100 {
			observe(m, callOfEcho, nil, nil)
		}
		check("a part of one", maxBatch)
		time.Sleep(sendEvery)
		check("five seconds", maxBatch+100, "/base/v1/traces")
		time.Sleep(measureEvery)
		check("a minute", maxBatch+100, "/base/v1/metrics")
		if p := c.metrics[0].Histogram.DataPoints[0]; p.Count != maxBatch+100 || p.BucketCounts[0] != fmt.Sprint(maxBatch+100) {
			t.Errorf("%+v", p)
		}
		if log.String() != "" {
			t.Errorf("logged %s", log.String())
		}
	})
}

// What a collector cannot take now is sent later, with growing pauses or after the pause
// that it asks for. What it refuses is lost.
func TestExportRetries(t *testing.T) {
	date := func() string { return time.Now().Add(10 * time.Minute).UTC().Format(http.TimeFormat) }
	for _, tc := range []struct {
		what   string
		answer func(w http.ResponseWriter, r *http.Request)
		refuse error
		least  time.Duration // of the first pause
		retry  bool
		log    string
	}{
		{"no connection", nil, errors.New("connection refused"), sendEvery, true, "connection refused"},
		{"429", status(429, ""), nil, sendEvery, true, "429 Too Many Requests"},
		{"502", status(502, ""), nil, sendEvery, true, "502 Bad Gateway"},
		{"503 for seconds", status(503, "300"), nil, 5 * time.Minute, true, "503 Service Unavailable"},
		{"504 until a date", func(w http.ResponseWriter, r *http.Request) { status(504, date())(w, r) }, nil, 10*time.Minute - time.Second, true, "504 Gateway Timeout"},
		{"503 for ever", status(503, "99999999999"), nil, time.Hour, true, "503 Service Unavailable"},
		{"503 and nonsense", status(503, "-5"), nil, sendEvery, true, "503 Service Unavailable"},
		{"400", status(400, ""), nil, 0, false, "400 Bad Request"},
		{"401", status(401, ""), nil, 0, false, "401 Unauthorized"},
		{"500", status(500, ""), nil, 0, false, "500 Internal Server Error"},
		{"a redirect", func(w http.ResponseWriter, r *http.Request) {
			http.Redirect(w, r, "/other", http.StatusTemporaryRedirect)
		}, nil, 0, false, "307 Temporary Redirect"},
	} {
		t.Run(tc.what, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				c := &testCollector{answer: tc.answer, refuse: tc.refuse}
				m, stop, log := exportTo(t, c, nil)
				defer stop()
				observe(m, callOfEcho, nil, nil)
				time.Sleep(sendEvery + time.Millisecond)
				if !tc.retry {
					time.Sleep(30 * time.Second)
					if n := c.count(); n != 1 {
						t.Errorf("%d requests", n)
					}
				} else {
					for c.count() < 4 {
						time.Sleep(time.Second)
					}
					if first := c.at[1].Sub(c.at[0]); first < tc.least || first > tc.least+sendEvery {
						t.Errorf("asked again after %s, want about %s", first, tc.least)
					}
					if last := c.at[3].Sub(c.at[2]); last > max(maxPause, tc.least)+time.Second {
						t.Errorf("paused for %s", last)
					}
				}
				checkContains(t, log.String(), tc.log, "to=http://collector.example/base", "OTEL_EXPORTER_OTLP_HEADERS")
				before := strings.Count(log.String(), "cannot be sent")
				c.mu.Lock()
				c.answer, c.refuse = nil, nil
				c.mu.Unlock()
				observe(m, callOfEcho, nil, nil)
				time.Sleep(2 * time.Hour)
				synctest.Wait()
				if want := map[bool]int{true: 2, false: 1}[tc.retry]; len(c.spans) != want {
					t.Errorf("%d spans, want %d", len(c.spans), want)
				}
				if again := strings.Count(log.String(), "is sent again"); before == 0 || again != before || strings.Count(log.String(), "cannot be sent") != before || before > 2 {
					t.Errorf("logged %s", log.String())
				}
				if lost := strings.Contains(log.String(), "are lost\" count=1"); lost == tc.retry {
					t.Errorf("logged %s", log.String())
				}
			})
		})
	}
}

// status answers with a status, and a Retry-After.
func status(code int, after string) func(http.ResponseWriter, *http.Request) {
	return func(w http.ResponseWriter, _ *http.Request) {
		if after != "" {
			w.Header().Set("Retry-After", after)
		}
		w.WriteHeader(code)
	}
}

// A collector that does not answer costs calls nothing, and the memory of full queues. What
// does not fit is counted, and the end waits five seconds.
func TestExportHangs(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var hang atomic.Bool
		hang.Store(true)
		c := &testCollector{}
		c.answer = func(_ http.ResponseWriter, r *http.Request) {
			if hang.Load() {
				<-r.Context().Done()
			}
		}
		m, stop, log := exportTo(t, c, nil)
		began := time.Now()
		for range 3 * maxQueue {
			observe(m, callOfEcho, nil, runtime.ErrDenied)
		}
		m.otlp.mu.Lock()
		if time.Since(began) > 0 || len(m.otlp.spans.items) > maxQueue || len(m.otlp.logs.items) > maxQueue {
			t.Errorf("%s, %d spans, %d logs", time.Since(began), len(m.otlp.spans.items), len(m.otlp.logs.items))
		}
		m.otlp.mu.Unlock()
		time.Sleep(10 * time.Minute)
		if n := strings.Count(log.String(), "are lost"); n != 1 || strings.Count(log.String(), "cannot be sent") != 1 {
			t.Errorf("logged %s", log.String())
		}
		hang.Store(false)
		time.Sleep(2 * time.Minute)
		synctest.Wait()
		if len(c.spans) != maxQueue || len(c.logs) != maxQueue {
			t.Errorf("%d spans and %d logs", len(c.spans), len(c.logs))
		}
		hang.Store(true)
		observe(m, callOfEcho, nil, nil)
		began = time.Now()
		stop()
		if took := time.Since(began); took != lastFlush {
			t.Errorf("the end took %s", took)
		}
		checkContains(t, log.String(), "are lost\" count=1\n")
	})
}

// A collector that is slower than the calls gets their metrics too.
func TestExportBehind(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c := &testCollector{}
		m, stop, _ := exportTo(t, c, nil)
		c.answer = func(_ http.ResponseWriter, r *http.Request) {
			time.Sleep(sendEvery)
			if time.Since(m.otlp.measured) < 2*measureEvery { // else it would never end
				for range maxBatch {
					observe(m, callOfEcho, nil, nil)
				}
			}
		}
		for range maxBatch {
			observe(m, callOfEcho, nil, nil)
		}
		time.Sleep(measureEvery + 6*sendEvery)
		c.count()
		c.mu.Lock()
		if !slices.Contains(c.requests, "/base/v1/metrics") {
			t.Errorf("%d requests, none of them metrics", len(c.requests))
		}
		c.mu.Unlock()
		stop()
	})
}

// Long names, which callers choose, are not kept while they wait.
func TestExportLongNames(t *testing.T) {
	m := new(Metrics)
	x, err := m.newExporter("http://collector.example", "v1", slog.New(slog.DiscardHandler))
	if err != nil {
		t.Fatal(err)
	}
	m.otlp = x
	long := strings.Repeat("x", 1<<20)
	observe(m, runtime.Request{Server: "s", Method: protocol.MethodCallTool, Name: long}, nil, runtime.ErrDenied)
	observe(m, runtime.Request{Server: "s", Method: protocol.MethodReadResource, Name: long}, nil, runtime.ErrDenied)
	m.Event(event.Event{Kind: event.Drift, Server: "s", Tool: long})
	for _, item := range slices.Concat(x.spans.items, x.logs.items) {
		kept, name := attributes(nil), ""
		switch item := item.(type) {
		case *span:
			kept, name = item.Attributes, item.Name
		case *logRecord:
			kept = item.Attributes
		}
		for _, a := range append(kept, semconv.Attribute{Key: "name", Value: name}) {
			if len(a.Value) > 2*maxValue {
				t.Errorf("%T: %s has %d bytes", item, a.Key, len(a.Value))
			}
		}
	}
	if len(x.spans.items) != 2 || len(x.logs.items) != 3 {
		t.Errorf("%d spans, %d logs", len(x.spans.items), len(x.logs.items))
	}
}

// What a collector answers is logged once, without headers and passwords, which it may
// repeat.
func TestExportSecrets(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c := &testCollector{answer: func(w http.ResponseWriter, r *http.Request) {
			fmt.Fprintf(w, `{"partialSuccess":{"rejectedSpans":"2","errorMessage":"too\u202emany of %s"}}`, r.Header.Get("Authorization"))
		}}
		m, stop, log := exportTo(t, c, map[string]string{"OTEL_EXPORTER_OTLP_HEADERS": "Authorization=secret-token,x-empty="})
		for range 3 {
			observe(m, callOfEcho, nil, nil)
			time.Sleep(2 * sendEvery)
		}
		synctest.Wait()
		checkContains(t, log.String(), "rejectedSpans:2", "to=http://collector.example/base/v1/traces")
		if n := strings.Count(log.String(), "\n"); n != 1 {
			t.Errorf("%d lines: %s", n, log.String())
		}
		c.mu.Lock()
		c.refuse = errors.New("Authorization: secret-token")
		c.mu.Unlock()
		observe(m, callOfEcho, nil, nil)
		stop()
		checkContains(t, log.String(), "cannot be sent")
		checkLacks(t, log.String(), "secret", "\u202e")
	})
}

// What cannot mean anything is refused, and not repeated: it may be a secret.
func TestExportRefusals(t *testing.T) {
	for _, tc := range []struct{ endpoint, headers, resource, want string }{
		{"localhost:4318", "", "", "not an http or https URL: write a URL such as http://127.0.0.1:4318"},
		{"", "", "", "not an http or https URL"},
		{"grpc://secret", "", "", "not an http or https URL"},
		{"http://", "", "", "not an http or https URL"},
		{"http://a/%zz", "", "", "not an http or https URL"},
		{"http://a", "a=b,secret", "", "OTEL_EXPORTER_OTLP_HEADERS: pair 2 cannot be read: write NAME=VALUE"},
		{"http://a", "=secret", "", "OTEL_EXPORTER_OTLP_HEADERS: pair 1"},
		{"http://a", "a=%secret", "", "OTEL_EXPORTER_OTLP_HEADERS: pair 1"},
		{"http://a", "", "a", "OTEL_RESOURCE_ATTRIBUTES: pair 1"},
	} {
		setVariables(t, map[string]string{"OTEL_EXPORTER_OTLP_HEADERS": tc.headers, "OTEL_RESOURCE_ATTRIBUTES": tc.resource})
		_, err := new(Metrics).Export(tc.endpoint, "v1", slog.New(slog.DiscardHandler))
		if err == nil || !strings.Contains(err.Error(), tc.want) || strings.Contains(err.Error(), "secret") {
			t.Errorf("%+v: %v", tc, err)
		}
	}
}
