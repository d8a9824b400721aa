package collector

import (
	"bufio"
	"flag"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"go.opentelemetry.io/collector/component"
	"go.opentelemetry.io/collector/confmap"
	"go.opentelemetry.io/collector/confmap/provider/yamlprovider"
	"go.opentelemetry.io/collector/exporter"
	"go.opentelemetry.io/collector/exporter/otlphttpexporter"
	"go.opentelemetry.io/collector/otelcol"
	"go.opentelemetry.io/collector/pdata/pcommon"
	"go.opentelemetry.io/collector/pdata/plog"
	"go.opentelemetry.io/collector/pdata/pmetric"
	"go.opentelemetry.io/collector/pdata/ptrace"
	"go.opentelemetry.io/collector/receiver"
	"go.opentelemetry.io/collector/receiver/otlpreceiver"
	"go.opentelemetry.io/collector/service/telemetry"
	"go.uber.org/zap"
)

// fromCaller is what blocks say of a span's parent, which those of a program do not.
var fromCaller = regexp.MustCompile(`(?m), (root|below .*)$`)

var update = flag.Bool("update", false, "rewrite the golden")

// sink is the end of the collector: it has what the collector sends on.
type sink struct {
	mu      sync.Mutex
	spans   []ptrace.Traces
	metrics []pmetric.Metrics
	logs    []plog.Logs
}

// ServeHTTP implements [http.Handler].
func (s *sink) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	body, err := io.ReadAll(r.Body)
	s.mu.Lock()
	defer s.mu.Unlock()
	switch r.URL.Path {
	case "/v1/traces":
		var all ptrace.Traces
		if all, err = new(ptrace.JSONUnmarshaler).UnmarshalTraces(body); err == nil {
			s.spans = append(s.spans, all)
		}
	case "/v1/metrics":
		var all pmetric.Metrics
		if all, err = new(pmetric.JSONUnmarshaler).UnmarshalMetrics(body); err == nil {
			s.metrics = append(s.metrics, all)
		}
	case "/v1/logs":
		var all plog.Logs
		if all, err = new(plog.JSONUnmarshaler).UnmarshalLogs(body); err == nil {
			s.logs = append(s.logs, all)
		}
	}
	if err != nil {
		http.Error(w, err.Error(), http.StatusBadRequest)
	}
}

// collect runs the collector until the test ends, and returns its address.
func collect(t *testing.T, next string) string {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	address := l.Addr().String()
	if err := l.Close(); err != nil {
		t.Fatal(err)
	}
	config := `yaml:
receivers: {otlp: {protocols: {http: {endpoint: "` + address + `"}}}}
exporters: {otlp_http: {endpoint: "` + next + `", encoding: json, compression: none, sending_queue: {enabled: false}, retry_on_failure: {enabled: false}}}
service:
  pipelines:
    traces: {receivers: [otlp], exporters: [otlp_http]}
    metrics: {receivers: [otlp], exporters: [otlp_http]}
    logs: {receivers: [otlp], exporters: [otlp_http]}
`
	c, err := otelcol.NewCollector(otelcol.CollectorSettings{
		BuildInfo: component.BuildInfo{Command: "collector"}, LoggingOptions: []zap.Option{zap.IncreaseLevel(zap.WarnLevel)}, DisableGracefulShutdown: true,
		Factories: func() (otelcol.Factories, error) {
			receivers, err := otelcol.MakeFactoryMap[receiver.Factory](otlpreceiver.NewFactory())
			if err != nil {
				return otelcol.Factories{}, err
			}
			exporters, err := otelcol.MakeFactoryMap[exporter.Factory](otlphttpexporter.NewFactory())
			return otelcol.Factories{Receivers: receivers, Exporters: exporters, Telemetry: telemetry.NewFactory(func() component.Config { return &struct{}{} })}, err
		},
		ConfigProviderSettings: otelcol.ConfigProviderSettings{ResolverSettings: confmap.ResolverSettings{
			URIs: []string{config}, ProviderFactories: []confmap.ProviderFactory{yamlprovider.NewFactory()},
		}},
	})
	if err != nil {
		t.Fatal(err)
	}
	ended := make(chan error, 1)
	go func() { ended <- c.Run(t.Context()) }()
	for c.GetState() != otelcol.StateRunning {
		select {
		case err := <-ended:
			t.Fatal(err)
		case <-time.After(10 * time.Millisecond):
		}
	}
	t.Cleanup(func() {
		c.Shutdown()
		if err := <-ended; err != nil {
			t.Error(err)
		}
	})
	return "http://" + address
}

// run carries out a command in a folder.
func run(t *testing.T, dir, name string, args ...string) {
	t.Helper()
	cmd := exec.Command(name, args...)
	cmd.Dir = dir
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("%s %s: %v\n%s", name, strings.Join(args, " "), err, out)
	}
}

const config = `version: 1
output: mcp
servers:
  weather: {command: ./server, env: {MCPGEN_OTEL_TEST_SERVER: "${env:STATE}"}, protocol: "2025-11-25", timeout: {call: 3s}}
policy: {denied: visible, allow: ["tool:*/*", "prompt:*/*", "resource:*/*"], deny: ["tool:weather/forbidden"]}
`

// The caller's trace.
const (
	callerTrace = "0af7651916cd43dd8448eb211c80319c"
	callerSpan  = "b7ad6b7169203331"
)

// uri finds the URI of the resource, which names its server.
var uri = regexp.MustCompile(`"uri":("[^"]*")`)

// TestCollector makes calls through mcpgen serve that end in the ways of runtime/otel's test,
// with the server of that test. The differences from that test's goldens have these reasons:
// No call is cancelled here. The caller does not record one of the calls of echo. In values, a
// tool that has not answered yet has no name, since callers may invent names. The tool that
// drifts is another one, and the server comes back.
func TestCollector(t *testing.T) {
	root, err := filepath.Abs(filepath.Join("..", ".."))
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	mcpgen := filepath.Join(dir, "mcpgen")
	run(t, root, "go", "build", "-buildvcs=false", "-o", mcpgen, "./cmd/mcpgen")
	run(t, filepath.Join(root, "runtime", "otel"), "go", "test", "-c", "-o", filepath.Join(dir, "server"), ".")
	for name, text := range map[string]string{"mcpgen.yaml": config, "go.mod": "module example.com/app\n"} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	for name, value := range map[string]string{"HOME": t.TempDir(), "XDG_CONFIG_HOME": t.TempDir(), "STATE": "1"} {
		t.Setenv(name, value)
	}
	run(t, dir, mcpgen, "update", "--yes")
	t.Setenv("STATE", "changed")

	received := new(sink)
	end := httptest.NewServer(received)
	defer end.Close()
	address := collect(t, end.URL)
	cmd := exec.Command(mcpgen, "serve", "--otlp", address)
	cmd.Dir, cmd.Stderr = dir, t.Output()
	in, err := cmd.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	answers := bufio.NewScanner(out)
	answers.Buffer(nil, 1<<20)
	request := func(method, params string) string {
		t.Helper()
		fmt.Fprintf(in, `{"jsonrpc":"2.0","id":1,"method":%q,"params":%s}`+"\n", method, params)
		for answers.Scan() {
			if strings.Contains(answers.Text(), `"id":1`) {
				return answers.Text()
			}
		}
		t.Fatal("no answer: ", answers.Err())
		return ""
	}
	call := func(tool, flags string) string {
		t.Helper()
		return request("tools/call", fmt.Sprintf(`{"name":"weather__%s","arguments":{"secret":"planted-argument"},"_meta":{"traceparent":"00-%s-%s-%s","tracestate":"a=1"}}`, tool, callerTrace, callerSpan, flags))
	}
	request("initialize", `{"protocolVersion":"2025-11-25","capabilities":{},"clientInfo":{"name":"t","version":"1"}}`)
	fmt.Fprintln(in, `{"jsonrpc":"2.0","method":"notifications/initialized"}`)
	sent := call("echo", "01")
	if !strings.Contains(call("echo", "00"), "00-"+callerTrace) {
		t.Error("the server does not get the caller's trace")
	}
	request("prompts/get", `{"name":"weather__hello"}`)
	request("resources/read", `{"uri":`+uri.FindStringSubmatch(request("resources/list", `{}`))[1]+`}`)
	for _, tool := range []string{"refuse", "forbidden", "changed", "sleep", "fail", "crash", "echo"} {
		call(tool, "01")
	}
	if err := in.Close(); err != nil {
		t.Fatal(err)
	}
	if err := cmd.Wait(); err != nil {
		t.Fatal(err)
	}
	end.Close()
	got := received.blocks(t, sent)
	compare(t, "received.txt", got)

	otel := filepath.Join(root, "runtime", "otel", "testdata")
	programs := append(blocksOf(t, filepath.Join(otel, "calls.txt")), blocksOf(t, filepath.Join(otel, "events.txt"))...)
	for i := range got {
		got[i] = fromCaller.ReplaceAllString(got[i], "")
	}
	compare(t, "differences.txt", append(without("gateway", got, programs), without("program", programs, got)...))
}

// without returns the blocks of one that are not in the other, as often as they are missing.
func without(name string, one, other []string) (rest []string) {
	other = slices.Clone(other)
	for _, b := range one {
		if i := slices.Index(other, b); i >= 0 {
			other = slices.Delete(other, i, i+1)
		} else {
			rest = append(rest, "only the "+name+": "+b)
		}
	}
	return rest
}

// compare compares blocks with a golden, or writes it.
func compare(t *testing.T, name string, blocks []string) {
	t.Helper()
	path, got := filepath.Join("testdata", name), strings.Join(blocks, "")
	if strings.Contains(got, "planted-argument") {
		t.Error("an argument is recorded")
	}
	if *update {
		if err := os.WriteFile(path, []byte(got), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	if want := strings.Join(blocksOf(t, path), ""); got != want {
		t.Errorf("%s: got\n%s\nwant\n%s", name, got, want)
	}
}

// blocksOf returns the blocks of a golden: lines, each with the indented lines that follow.
func blocksOf(t *testing.T, path string) (blocks []string) {
	t.Helper()
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	for line := range strings.Lines(string(data)) {
		if strings.HasPrefix(line, " ") {
			blocks[len(blocks)-1] += line
		} else {
			blocks = append(blocks, line)
		}
	}
	return blocks
}

// blocks returns what was received, in the form of runtime/otel's goldens: spans in order of
// their ends, values, logs.
func (s *sink) blocks(t *testing.T, sent string) (blocks []string) {
	t.Helper()
	s.mu.Lock()
	defer s.mu.Unlock()
	names, isSent := map[pcommon.SpanID]string{}, false
	for _, all := range s.spans {
		for _, span := range all.ResourceSpans().At(0).ScopeSpans().At(0).Spans().All() {
			names[span.SpanID()] = span.Name()
			isSent = isSent || span.Kind() == ptrace.SpanKindClient && strings.Contains(sent, "00-"+callerTrace+"-"+span.SpanID().String()+"-01")
		}
	}
	if !isSent {
		t.Errorf("the server is sent %s", sent)
	}
	for _, all := range s.spans {
		of := all.ResourceSpans().At(0)
		if len(blocks) == 0 {
			blocks = append(blocks, block("resource", of.Resource().Attributes()), "scope "+of.ScopeSpans().At(0).Scope().Name()+"\n")
		}
		for _, span := range of.ScopeSpans().At(0).Spans().All() {
			from := ", root"
			if above := names[span.ParentSpanID()]; above != "" {
				from = ", below " + above
			} else if span.ParentSpanID().String() == callerSpan && span.TraceID().String() == callerTrace && span.TraceState().AsRaw() == "a=1" {
				from = ", below the caller"
			} else if !span.ParentSpanID().IsEmpty() || span.TraceState().AsRaw() != "" {
				t.Errorf("%s has another parent", span.Name())
			}
			blocks = append(blocks, block(fmt.Sprintf("span %q %s %s %s%s", span.Name(), strings.ToLower(span.Kind().String()), span.Status().Code(), span.Status().Message(), from), span.Attributes()))
			if took := span.EndTimestamp().AsTime().Sub(span.StartTimestamp().AsTime()); took <= 0 || took > 10*time.Second || span.Events().Len() > 0 {
				t.Errorf("%s takes %s", span.Name(), took)
			}
		}
	}
	for _, m := range s.metrics[len(s.metrics)-1].ResourceMetrics().At(0).ScopeMetrics().At(0).Metrics().All() {
		points := m.Histogram().DataPoints()
		blocks = append(blocks, fmt.Sprintf("metric %s %s\n  bounds %v\n", m.Name(), m.Unit(), points.At(0).ExplicitBounds().AsRaw()))
		var values []string
		for _, p := range points.All() {
			values = append(values, block(fmt.Sprintf("value × %d", p.Count()), p.Attributes()))
			var counted uint64
			for _, n := range p.BucketCounts().All() {
				counted += n
			}
			if counted != p.Count() || p.Sum() <= 0 || p.Timestamp() <= p.StartTimestamp() || m.Histogram().AggregationTemporality() != pmetric.AggregationTemporalityCumulative || m.Description() == "" {
				t.Errorf("%s: %+v", m.Name(), p)
			}
		}
		slices.Sort(values)
		blocks = append(blocks, values...)
	}
	var logs []string
	for _, all := range s.logs {
		for _, l := range all.ResourceLogs().At(0).ScopeLogs().At(0).LogRecords().All() {
			head := "log " + l.EventName() + " " + l.SeverityText()
			if !l.SpanID().IsEmpty() {
				head += " in " + names[l.SpanID()]
			}
			logs = append(logs, block(head, l.Attributes()))
			if l.Timestamp() == 0 || l.Body().AsString() != "" || (l.SeverityText() == "WARN") != (l.SeverityNumber() == plog.SeverityNumberWarn) {
				t.Errorf("%s has no time, or a text", l.EventName())
			}
		}
	}
	slices.Sort(logs)
	return append(blocks, logs...)
}

// block returns a line and lines of attributes, in order.
func block(line string, attributes pcommon.Map) string {
	var lines []string
	for key, value := range attributes.All() {
		lines = append(lines, "  "+key+" = "+value.AsString()+"\n")
	}
	slices.Sort(lines)
	return line + "\n" + strings.Join(lines, "")
}
