// Metrics of requests and sessions, in the text format of Prometheus.

package gateway

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"github.com/mcpgen/mcpgen/internal/safetext"
	"github.com/mcpgen/mcpgen/runtime"
	"github.com/mcpgen/mcpgen/runtime/event"
	"github.com/mcpgen/mcpgen/runtime/internal/semconv"
	"github.com/mcpgen/mcpgen/runtime/protocol"
)

// Metrics measures the requests of a host to its servers, and its sessions with them. The
// zero value is ready; its methods are safe for concurrent use. The names are those of the
// semantic conventions for MCP, as package runtime/otel has them. A nil one measures nothing.
type Metrics struct {
	mu         sync.Mutex
	histograms map[string]*histogram // by name and attributes
	known      map[[2]string]bool    // servers and items that they have answered for
	sessions   semconv.Sessions
	gateway    atomic.Pointer[Gateway]
	otlp       *exporter // nil: nothing is sent
}

// histogram is the durations with the same attributes.
type histogram struct {
	name       string
	attributes []semconv.Attribute
	counts     []uint64 // of each bucket alone; the last one has no bound
	sum        float64
}

// Limits of attributes, which servers and callers choose.
const (
	maxSeries = 2000
	maxLabel  = 128 // bytes
	other     = "_OTHER"
)

// Middleware returns middleware that measures requests. It should be the first one, such
// as live.Options.Outer, so that it also measures refused requests. Calls of Go functions
// are not requests to servers.
func (m *Metrics) Middleware() runtime.Middleware {
	if m == nil {
		return nil
	}
	return func(next runtime.Invoker) runtime.Invoker {
		return runtime.InvokerFunc(func(ctx context.Context, req runtime.Request) (*runtime.Result, error) {
			if req.Server == "" {
				return next.Invoke(ctx, req)
			}
			name, attributes, apart := semconv.Request(req)
			s := m.otlp.begin(kindClient, &req)
			began := time.Now()
			res, err := next.Invoke(ctx, req)
			ended := time.Now()
			if g := m.gateway.Load(); g != nil {
				attributes = append(attributes, semconv.Session(g.host.Session(req.Server))...)
			}
			failure, outcome := semconv.Outcome(res, err)
			attributes = append(attributes, outcome...)
			m.count(req, failure, attributes, ended.Sub(began).Seconds())
			m.otlp.end(s, name, began, ended, attributes, apart, failure != "")
			return res, err
		})
	}
}

// Event measures the session that an event of the host ends. With [Metrics.Export], failures
// of servers and drift are logs. Call Event for each event, as attach.Options.OnEvent.
func (m *Metrics) Event(e event.Event) {
	if m == nil {
		return
	}
	if seconds, attributes, ok := m.sessions.Ended(e); ok {
		m.add(semconv.SessionDuration, attributes, seconds)
	}
	if l, ok := semconv.Event(e); ok {
		m.otlp.log(nil, l, e.Time)
	}
}

// count counts a request. It leaves out names that no server has listed or answered for, and
// counts error codes outside of JSON-RPC and MCP as one: their number has no bound.
func (m *Metrics) count(req runtime.Request, failure string, attributes []semconv.Attribute, seconds float64) {
	item := [2]string{req.Server, safetext.Words(req.Name, maxLabel)}
	named := slices.ContainsFunc(attributes, func(a semconv.Attribute) bool { return a.Key == semconv.ToolName || a.Key == semconv.PromptName })
	m.mu.Lock()
	if m.known == nil {
		m.known = map[[2]string]bool{}
	}
	if named && (failure == "" || failure == "tool_error") && len(m.known) < maxSeries {
		m.known[item] = true
	}
	known := m.known[item]
	m.mu.Unlock()
	if g := m.gateway.Load(); g != nil && !known && req.Method == protocol.MethodCallTool {
		known = g.view.Name(req.Server, req.Name) != ""
	}
	m.add(semconv.OperationDuration, labelled(attributes, known), seconds)
}

// labelled returns the attributes for a histogram.
func labelled(attributes []semconv.Attribute, isKnown bool) []semconv.Attribute {
	out := make([]semconv.Attribute, 0, len(attributes))
	for _, a := range attributes {
		switch a.Key {
		case semconv.ToolName, semconv.PromptName:
			if !isKnown {
				continue
			}
			a.Value = safetext.Words(a.Value, maxLabel)
		case semconv.ErrorType, semconv.StatusCode:
			if code, err := strconv.Atoi(a.Value); err == nil && (code < -32800 || code > -32000) {
				a.Value = other
			}
		}
		out = append(out, a)
	}
	return out
}

// add adds a duration to a histogram.
func (m *Metrics) add(name string, attributes []semconv.Attribute, seconds float64) {
	m.mu.Lock()
	defer m.mu.Unlock()
	var space [512]byte
	key := appendKey(space[:0], name, attributes)
	if m.histograms[string(key)] == nil && len(m.histograms) >= maxSeries {
		attributes = []semconv.Attribute{{Key: semconv.Server, Value: other}}
		key = appendKey(space[:0], name, attributes)
	}
	h := m.histograms[string(key)]
	if h == nil {
		if m.histograms == nil {
			m.histograms = map[string]*histogram{}
		}
		h = &histogram{name, attributes, make([]uint64, len(semconv.Buckets())+1), 0}
		m.histograms[string(key)] = h
	}
	at, _ := slices.BinarySearch(semconv.Buckets(), seconds)
	h.counts[at]++
	h.sum += seconds
}

// appendKey appends the key of a histogram.
func appendKey(key []byte, name string, attributes []semconv.Attribute) []byte {
	key = append(key, name...)
	for _, a := range attributes {
		key = append(append(append(append(key, 0), a.Key...), '='), a.Value...)
	}
	return key
}

// write writes the histograms, in the order of their keys.
func (m *Metrics) write(b *strings.Builder) {
	if m == nil {
		return
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	described := ""
	for _, key := range slices.Sorted(maps.Keys(m.histograms)) {
		h, buckets, total := m.histograms[key], semconv.Buckets(), uint64(0)
		name := strings.ReplaceAll(h.name, ".", "_") + "_seconds"
		if name != described {
			fmt.Fprintf(b, "# HELP %s %s\n# TYPE %s histogram\n", name, semconv.Description(h.name), name)
			described = name
		}
		var all []string
		for _, a := range h.attributes {
			all = append(all, label(strings.ReplaceAll(a.Key, ".", "_"), a.Value))
		}
		labels := strings.Join(all, ",")
		for i, n := range h.counts {
			bound := "+Inf"
			if total += n; i < len(buckets) {
				bound = strconv.FormatFloat(buckets[i], 'g', -1, 64)
			}
			fmt.Fprintf(b, "%s_bucket{%s,le=\"%s\"} %d\n", name, labels, bound, total)
		}
		fmt.Fprintf(b, "%s_sum{%s} %g\n%s_count{%s} %d\n", name, labels, h.sum, name, labels, total)
	}
}

// label returns a label.
func label(name, value string) string {
	return name + `="` + strings.NewReplacer(`\`, `\\`, `"`, `\"`, "\n", `\n`).Replace(strings.ToValidUTF8(value, "\uFFFD")) + `"`
}
