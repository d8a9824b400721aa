package gateway

import (
	"context"
	"errors"
	"fmt"
	"net/http/httptest"
	"regexp"
	"strings"
	"testing"

	"github.com/mcpgen/mcpgen/runtime"
	"github.com/mcpgen/mcpgen/runtime/event"
	"github.com/mcpgen/mcpgen/runtime/protocol"
)

// scrape returns the metrics, each of which is a line of the format, once.
func scrape(t *testing.T, g *Gateway) string {
	t.Helper()
	w := httptest.NewRecorder()
	g.ServeMetrics(w, httptest.NewRequest("GET", "/metrics", nil))
	line := regexp.MustCompile(`^(# (HELP|TYPE) [a-z_]+ .+|([a-z_]+(\{[a-z_]+="(\\[\\"n]|[^"\\\n])*"(,[a-z_]+="(\\[\\"n]|[^"\\\n])*")*\})?) [0-9.e+-]+)$`)
	seen := map[string]bool{}
	for _, text := range strings.Split(strings.TrimSuffix(w.Body.String(), "\n"), "\n") {
		m := line.FindStringSubmatch(text)
		if m == nil {
			t.Errorf("not a line of the format: %q", text)
			continue
		}
		if m[3] != "" && seen[m[3]] {
			t.Errorf("%s stands twice", m[3])
		}
		seen[m[3]] = true
	}
	return w.Body.String()
}

// What a gateway does is in its metrics: calls by server, tool and outcome, also refused
// ones.
func TestMetrics(t *testing.T) {
	m := new(Metrics)
	host := openGateway(t, nil, nil, processServer(t, "s", "exact")).host
	g, err := New(host, &Options{Metrics: m})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = g.Close() })
	scrape(t, g)
	call := func(server, method, name string, res *runtime.Result, err error) {
		invoker := m.Middleware()(runtime.InvokerFunc(func(context.Context, runtime.Request) (*runtime.Result, error) { return res, err }))
		_, _ = invoker.Invoke(t.Context(), runtime.Request{Server: server, Method: method, Name: name})
	}
	ok := &runtime.Result{}
	call("s", protocol.MethodCallTool, "exact", nil, runtime.ErrTimeout) // it is named before it has answered
	call("s", protocol.MethodCallTool, "exact", ok, nil)
	call("s", protocol.MethodCallTool, "exact", ok, nil)
	call("s", protocol.MethodCallTool, "exact", &runtime.Result{IsError: true}, nil)
	call("s", protocol.MethodCallTool, "exact", nil, fmt.Errorf("x: %w", runtime.ErrDenied))
	call("s", protocol.MethodCallTool, "guessed", nil, runtime.ErrDenied)
	call("s", protocol.MethodCallTool, "exact", nil, &runtime.RPCError{Code: -32603})
	call("s", protocol.MethodCallTool, "exact", nil, &runtime.RPCError{Code: 7})
	call("s", protocol.MethodGetPrompt, "p", ok, nil)
	call("s", protocol.MethodReadResource, "file:///a", ok, nil)
	client := dialClient(t, g, legacy)
	client.must("ping", `{}`)
	client.must("tools/call", `{"name":"s__exact","arguments":{"n":1}}`)
	if _, err := client.request("tools/call", `{"name":"s__guessed","arguments":{}}`); err == nil {
		t.Error("there is no such tool")
	}
	m.Event(event.Event{Server: "s", Kind: event.Attached})
	m.Event(event.Event{Server: "s", Kind: event.Failed})
	got := scrape(t, g)
	const (
		called  = `mcpgen_server="s",mcp_method_name="tools/call",gen_ai_operation_name="execute_tool"`
		exact   = called + `,gen_ai_tool_name="exact"`
		session = `,mcp_protocol_version="2025-11-25",network_transport="pipe"`
	)
	for _, want := range []string{
		`# HELP mcp_client_operation_duration_seconds The duration of the MCP request`,
		`_count{` + exact + session + `} 2`, `_bucket{` + exact + session + `,le="0.01"} 2`, `_bucket{` + exact + session + `,le="+Inf"} 2`,
		`_bucket{` + exact + session + `,error_type="tool_error",le="300"} 1`,
		`_count{` + exact + session + `,error_type="timeout"} 1`,
		`mcp_server_operation_duration_seconds_count{mcp_method_name="ping"} 1`,
		`mcp_server_operation_duration_seconds_count{mcp_method_name="tools/call",gen_ai_operation_name="execute_tool",gen_ai_tool_name="s__exact"} 1`,
		`mcp_server_operation_duration_seconds_count{mcp_method_name="tools/call",gen_ai_operation_name="execute_tool",error_type="-32602"} 1`,
		`_count{` + exact + session + `,error_type="denied"} 1`,
		`_count{` + called + session + `,error_type="denied"} 1`,
		`_count{` + exact + session + `,error_type="-32603",rpc_response_status_code="-32603"} 1`,
		`_count{` + exact + session + `,error_type="_OTHER",rpc_response_status_code="_OTHER"} 1`,
		`gen_ai_prompt_name="p"` + session + `} 1`, `_count{mcpgen_server="s",mcp_method_name="resources/read"` + session + `} 1`,
		`mcp_client_session_duration_seconds_count{mcpgen_server="s",error_type="unavailable"} 1`,
		"mcpgen_sessions 1\n", `mcpgen_server_state{mcpgen_server="s",state="`,
	} {
		checkContains(t, got, want)
	}
	checkLacks(t, got, "guessed", "file:///a")
}

// Resources that were read, of which there may be any number, take no room of tools.
func TestMetricsOfResources(t *testing.T) {
	m := new(Metrics)
	for i := range maxSeries {
		observe(m, runtime.Request{Server: "s", Method: protocol.MethodReadResource, Name: fmt.Sprint("note://", i)}, nil, nil)
	}
	observe(m, callOfEcho, nil, nil)
	var b strings.Builder
	m.write(&b)
	checkContains(t, b.String(), `gen_ai_tool_name="echo"`)
}

// Names are bounded, and none of them ends a line, a label or the reading.
func TestHostileMetrics(t *testing.T) {
	m := new(Metrics)
	g := openGateway(t, nil, &Options{Metrics: m}, processServer(t, "s", "exact"))
	call := func(server, name string, err error) {
		_, _ = m.Middleware()(runtime.InvokerFunc(func(context.Context, runtime.Request) (*runtime.Result, error) { return nil, err })).Invoke(t.Context(), runtime.Request{Server: server, Method: protocol.MethodCallTool, Name: name})
	}
	for _, name := range []string{"a\"} 1\nevil 2", "a\\", "a\u200b", "a", "\xff", strings.Repeat("x", 10000), "\u202eb"} {
		call("a\"\n\\\xff", name, nil)
	}
	for i := range 3 * maxSeries {
		call("s", fmt.Sprint("t", i), nil)
		call("s", fmt.Sprint("u", i), errors.New("x"))
	}
	got := scrape(t, g)
	if len(m.histograms) > maxSeries+1 || len(m.known) > maxSeries || len(got) > 10<<20 {
		t.Errorf("%d series, %d names, %d bytes", len(m.histograms), len(m.known), len(got))
	}
	checkContains(t, got, `_count{mcpgen_server="_OTHER"} `)
	checkLacks(t, got, "\nevil", "\u202e", "\u200b")
}
