// Metrics in the text format of Prometheus.

package gateway

import (
	"cmp"
	"context"
	"fmt"
	"maps"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/mcpgen/mcpgen/internal/safetext"
	"github.com/mcpgen/mcpgen/runtime"
	"github.com/mcpgen/mcpgen/runtime/internal/errortype"
	"github.com/mcpgen/mcpgen/runtime/protocol"
)

// Metrics counts the requests of a host to its servers. The zero value is ready; its
// methods are safe for concurrent use. The names are those of the semantic conventions
// for MCP, as package runtime/otel has them, in the spelling of Prometheus.
type Metrics struct {
	mu        sync.Mutex
	durations map[series]*durations
	known     map[series]bool // items that a server has answered for
}

// series are the labels of one histogram.
type series struct{ server, method, name, failure string }

// buckets are the upper bounds of durations that the conventions give, in seconds.
var buckets = [...]float64{0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1, 2, 5, 10, 30, 60, 120, 300}

// durations is one histogram.
type durations struct {
	counts [len(buckets) + 1]uint64 // of each bucket alone; the last one has no bound
	sum    float64
}

// Limits of labels, which servers and callers choose.
const (
	maxSeries = 2000
	maxLabel  = 128 // bytes
	other     = "_OTHER"
)

// Middleware returns middleware that counts requests. It should be the first one, such
// as live.Options.Outer, so that it also counts refused requests.
func (m *Metrics) Middleware() runtime.Middleware {
	return func(next runtime.Invoker) runtime.Invoker {
		return runtime.InvokerFunc(func(ctx context.Context, req runtime.Request) (*runtime.Result, error) {
			start := time.Now()
			res, err := next.Invoke(ctx, req)
			m.count(req, errortype.Of(res, err), time.Since(start).Seconds())
			return res, err
		})
	}
}

// count counts a request. Names that no server has answered for are left out, and errors
// of servers beyond those of JSON-RPC and MCP are one: callers and servers may use any
// number of them.
func (m *Metrics) count(req runtime.Request, failure string, seconds float64) {
	s := series{server: req.Server, method: req.Method, name: safetext.Words(req.Name, maxLabel), failure: failure}
	if code, err := strconv.Atoi(failure); err == nil && (code < -32800 || code > -32000) {
		s.failure = other
	}
	if req.Method == protocol.MethodReadResource || req.Method == protocol.MethodSubscribe || req.Method == protocol.MethodComplete {
		s.name = "" // there may be any number
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.durations == nil {
		m.durations, m.known = map[series]*durations{}, map[series]bool{}
	}
	item := series{server: s.server, name: s.name}
	if (failure == "" || failure == "tool_error") && len(m.known) < maxSeries {
		m.known[item] = true
	}
	if !m.known[item] {
		s.name = ""
	}
	if m.durations[s] == nil && len(m.durations) >= maxSeries {
		s = series{server: other}
	}
	d := m.durations[s]
	if d == nil {
		d = &durations{}
		m.durations[s] = d
	}
	at, _ := slices.BinarySearch(buckets[:], seconds)
	d.counts[at]++
	d.sum += seconds
}

// ServeMetrics answers a Prometheus server: durations of requests to servers, the states
// of servers, sessions, and requests in progress. It names servers, tools and prompts,
// and asks for no token: serve it to operators alone.
func (g *Gateway) ServeMetrics(w http.ResponseWriter, _ *http.Request) {
	var b strings.Builder
	g.opts.Metrics.write(&b)
	b.WriteString("# HELP mcpgen_server_state The state of each server.\n# TYPE mcpgen_server_state gauge\n")
	for _, st := range g.host.Status() {
		fmt.Fprintf(&b, "mcpgen_server_state{%s,%s} 1\n", label("mcpgen_server", st.Server), label("state", string(st.State)))
	}
	sessions := 0
	for range g.server.Sessions() {
		sessions++
	}
	g.busy.mu.Lock()
	open := g.busy.n
	g.busy.mu.Unlock()
	fmt.Fprintf(&b, "# HELP mcpgen_sessions Sessions of callers.\n# TYPE mcpgen_sessions gauge\nmcpgen_sessions %d\n", sessions)
	fmt.Fprintf(&b, "# HELP mcpgen_requests_in_progress Requests of callers without an answer.\n# TYPE mcpgen_requests_in_progress gauge\nmcpgen_requests_in_progress %d\n", open)
	w.Header().Set("Content-Type", "text/plain; version=0.0.4; charset=utf-8")
	_, _ = w.Write([]byte(b.String()))
}

// write writes the histograms, in the order of their labels.
func (m *Metrics) write(b *strings.Builder) {
	if m == nil {
		return
	}
	const name = "mcp_client_operation_duration_seconds"
	fmt.Fprintf(b, "# HELP %s The duration of requests to servers.\n# TYPE %s histogram\n", name, name)
	m.mu.Lock()
	defer m.mu.Unlock()
	for _, s := range slices.SortedFunc(maps.Keys(m.durations), func(a, b series) int {
		return cmp.Or(cmp.Compare(a.server, b.server), cmp.Compare(a.method, b.method), cmp.Compare(a.name, b.name), cmp.Compare(a.failure, b.failure))
	}) {
		labels, d, total := s.labels(), m.durations[s], uint64(0)
		for i, n := range d.counts {
			bound := "+Inf"
			if total += n; i < len(buckets) {
				bound = strconv.FormatFloat(buckets[i], 'g', -1, 64)
			}
			fmt.Fprintf(b, "%s_bucket{%s,le=\"%s\"} %d\n", name, labels, bound, total)
		}
		fmt.Fprintf(b, "%s_sum{%s} %g\n%s_count{%s} %d\n", name, labels, d.sum, name, labels, total)
	}
}

// labels returns the labels of a histogram. Without a value a label is left out.
func (s series) labels() string {
	item := "gen_ai_tool_name"
	if s.method == protocol.MethodGetPrompt {
		item = "gen_ai_prompt_name"
	}
	all := []string{label("mcpgen_server", s.server)}
	for _, l := range [][2]string{{"mcp_method_name", s.method}, {item, s.name}, {"error_type", s.failure}} {
		if l[1] != "" {
			all = append(all, label(l[0], l[1]))
		}
	}
	return strings.Join(all, ",")
}

// label returns a label.
func label(name, value string) string {
	return name + `="` + strings.NewReplacer(`\`, `\\`, `"`, `\"`, "\n", `\n`).Replace(strings.ToValidUTF8(value, "\uFFFD")) + `"`
}
