// Traces, metrics and logs in the data model of OpenTelemetry, as OTLP writes it in JSON.

package gateway

import (
	"encoding/json"
	"fmt"
	"maps"
	"math/rand/v2"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/mcpgen/mcpgen/internal/jsontext"
	"github.com/mcpgen/mcpgen/internal/safetext"
	"github.com/mcpgen/mcpgen/runtime"
	"github.com/mcpgen/mcpgen/runtime/internal/semconv"
)

// attributes are written as a list of KeyValue.
type attributes []semconv.Attribute

// maxValue bounds names and values, which callers choose, in bytes.
const maxValue = 1024

// bounded cuts values: what waits for the collector keeps them.
func bounded(all []semconv.Attribute) attributes {
	for i := range all {
		all[i].Value = safetext.Cut(all[i].Value, maxValue)
	}
	return all
}

// MarshalJSON implements [json.Marshaler].
func (all attributes) MarshalJSON() ([]byte, error) {
	text := []byte{'['}
	for i, a := range all {
		if i > 0 {
			text = append(text, ',')
		}
		text = jsontext.AppendString(append(text, `{"key":`...), a.Key)
		text = jsontext.AppendString(append(text, `,"value":{"stringValue":`...), a.Value)
		text = append(text, '}', '}')
	}
	return append(text, ']'), nil
}

// span is a Span.
type span struct {
	TraceID    string     `json:"traceId"`
	SpanID     string     `json:"spanId"`
	State      string     `json:"traceState,omitempty"`
	ParentID   string     `json:"parentSpanId,omitempty"`
	Flags      uint32     `json:"flags"`
	Name       string     `json:"name"`
	Kind       int        `json:"kind"`
	Start      int64      `json:"startTimeUnixNano,string"`
	End        int64      `json:"endTimeUnixNano,string"`
	Attributes attributes `json:"attributes"`
	Status     struct {
		Code int `json:"code,omitempty"`
	} `json:"status"`
}

// The numbers of the data model.
const (
	kindServer    = 2
	kindClient    = 3
	statusError   = 2
	cumulative    = 2
	flagSampled   = 1
	flagsOfTrace  = 3      // sampled, and random
	flagsOfSender = 1 << 8 // it is known whether the parent is remote
	flagRemote    = 1 << 9 // the parent is remote
)

// traceparent is the form of W3C Trace Context, Level 2. Later versions may be longer.
var traceparent = regexp.MustCompile(`^([0-9a-f]{2})-([0-9a-f]{32})-([0-9a-f]{16})-([0-9a-f]{2})(-.*)?$`)

// begin begins the span of a request, below the caller's span if there is one, and puts
// its context into the request.
func (x *exporter) begin(kind int, req *runtime.Request) *span {
	if x == nil {
		return nil
	}
	s := &span{Kind: kind, TraceID: fmt.Sprintf("%016x%016x", rand.Uint64(), rand.Uint64()), SpanID: fmt.Sprintf("%016x", rand.Uint64()), Flags: flagSampled}
	meta := maps.Clone(req.Options.Meta)
	if meta == nil {
		meta = map[string]json.RawMessage{}
	}
	text := func(name string) (value string) {
		_ = json.Unmarshal(meta[name], &value) // a value that is not text is as if it were missing
		return value
	}
	p := traceparent.FindStringSubmatch(text("traceparent"))
	if p != nil && p[1] != "ff" && (p[1] != "00" || p[5] == "") && strings.Trim(p[2], "0") != "" && strings.Trim(p[3], "0") != "" {
		flags, _ := strconv.ParseUint(p[4], 16, 8)
		s.TraceID, s.ParentID, s.Flags = p[2], p[3], uint32(flags)&flagsOfTrace
		if s.State = text("tracestate"); len(s.State) > 512 || strings.ContainsFunc(s.State, func(r rune) bool { return r < ' ' || r > '~' }) {
			s.State = ""
		}
	}
	if s.State == "" {
		delete(meta, "tracestate")
	}
	meta["traceparent"] = fmt.Appendf(nil, `"00-%s-%s-%02x"`, s.TraceID, s.SpanID, s.Flags)
	req.Options.Meta = meta
	return s
}

// end ends a span. If the caller does not record its trace, there is no span.
func (x *exporter) end(s *span, name string, began, ended time.Time, common []semconv.Attribute, apart semconv.Attribute, failed bool) {
	if x == nil {
		return
	}
	if failed && s.Kind == kindClient { // the caller's request failed for that
		x.log(s, semconv.Failure(common), ended)
	}
	if s.Flags&flagSampled == 0 {
		return
	}
	s.Name, s.Start, s.End = safetext.Cut(name, maxValue), began.UnixNano(), ended.UnixNano()
	if s.Flags |= flagsOfSender; s.ParentID != "" {
		s.Flags |= flagRemote
	}
	if failed {
		s.Status.Code = statusError
	}
	if apart.Key != "" {
		common = append(common, apart)
	}
	s.Attributes = append(s.Attributes, bounded(common)...)
	x.push(&x.spans, s)
}

// logRecord is a LogRecord.
type logRecord struct {
	Time       int64            `json:"timeUnixNano,string"`
	Observed   int64            `json:"observedTimeUnixNano,string"`
	Severity   semconv.Severity `json:"severityNumber"`
	Text       string           `json:"severityText"`
	Attributes attributes       `json:"attributes"`
	Flags      uint32           `json:"flags"`
	TraceID    string           `json:"traceId,omitempty"`
	SpanID     string           `json:"spanId,omitempty"`
	Name       string           `json:"eventName"`
}

// log writes a log, in the context of a span unless that is nil.
func (x *exporter) log(s *span, l semconv.Log, at time.Time) {
	if x == nil {
		return
	}
	r := &logRecord{Time: at.UnixNano(), Observed: time.Now().UnixNano(), Severity: l.Severity, Text: "WARN", Attributes: bounded(l.Attributes), Name: l.Name}
	if l.Severity == semconv.Error {
		r.Text = "ERROR"
	}
	if s != nil {
		r.TraceID, r.SpanID, r.Flags = s.TraceID, s.SpanID, s.Flags
	}
	x.push(&x.logs, r)
}

// metric is a Metric.
type metric struct {
	Name        string `json:"name"`
	Description string `json:"description"`
	Unit        string `json:"unit"`
	Histogram   struct {
		Points      []dataPoint `json:"dataPoints"`
		Temporality int         `json:"aggregationTemporality"`
	} `json:"histogram"`
}

// dataPoint is a HistogramDataPoint.
type dataPoint struct {
	Attributes attributes `json:"attributes"`
	Start      int64      `json:"startTimeUnixNano,string"`
	Time       int64      `json:"timeUnixNano,string"`
	Count      uint64     `json:"count,string"`
	Sum        float64    `json:"sum"`
	Counts     []string   `json:"bucketCounts"`
	Bounds     []float64  `json:"explicitBounds"`
}

// points returns all histograms as they are now.
func (m *Metrics) points(began time.Time) (all []any) {
	m.mu.Lock()
	defer m.mu.Unlock()
	var last *metric
	for _, key := range slices.Sorted(maps.Keys(m.histograms)) {
		h := m.histograms[key]
		if last == nil || last.Name != h.name {
			last = &metric{Name: h.name, Description: semconv.Description(h.name), Unit: "s"}
			last.Histogram.Temporality = cumulative
			all = append(all, last)
		}
		p := dataPoint{Attributes: h.attributes, Start: began.UnixNano(), Time: time.Now().UnixNano(), Sum: h.sum, Bounds: semconv.Buckets()}
		for _, n := range h.counts {
			p.Count += n
			p.Counts = append(p.Counts, strconv.FormatUint(n, 10))
		}
		last.Histogram.Points = append(last.Histogram.Points, p)
	}
	return all
}
