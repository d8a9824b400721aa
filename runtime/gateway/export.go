// Sending telemetry by OTLP over HTTP, in JSON.

package gateway

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"maps"
	"math/rand/v2"
	"net/http"
	"net/url"
	"os"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/mcpgen/mcpgen/internal/hint"
	"github.com/mcpgen/mcpgen/internal/jsontext"
	"github.com/mcpgen/mcpgen/internal/safetext"
	"github.com/mcpgen/mcpgen/runtime/internal/semconv"
)

// Limits of telemetry.
const (
	maxQueue     = 2048 // spans, and as many logs
	maxBatch     = 512
	sendEvery    = 5 * time.Second
	measureEvery = time.Minute
	logLostEvery = time.Minute // at most so often
	maxPause     = time.Minute // after failures
	maxWait      = time.Hour   // if the collector asks for a pause
	lastFlush    = 5 * time.Second
)

// exporter sends telemetry in a goroutine, so that calls never wait for the collector.
type exporter struct {
	base     *url.URL
	header   http.Header
	resource attributes
	logger   *slog.Logger
	client   *http.Client
	points   func() []any
	full     chan struct{} // has a value when a batch is complete

	mu          sync.Mutex
	spans, logs queue
	lost        int // spans and logs that were dropped and not logged yet

	// Of the goroutine:
	metrics  queue
	measured time.Time
	logged   time.Time       // when lost spans and logs were logged
	failing  map[string]bool // by path; "" is the connection
	rejected map[string]bool // by path: whether it was logged that data was rejected
}

// queue has the items of one signal that are not sent yet.
type queue struct {
	path, kind, list string // v1/traces, Spans and spans
	items            []any
}

// Export also sends traces, metrics and logs by OTLP to a collector, such as
// http://127.0.0.1:4318, until stop is called, which sends the rest. Call Export before m is
// used. Each request of a caller is a span of kind server, below the traceparent in its _meta;
// each request to a server is a span of kind client below it, whose context the server gets.
// Nothing has arguments, results, texts of errors or session IDs. Failures go to the logger.
//
// The variables OTEL_EXPORTER_OTLP_HEADERS, OTEL_SERVICE_NAME and OTEL_RESOURCE_ATTRIBUTES
// are read; the version is that of the service.
func (m *Metrics) Export(endpoint, version string, logger *slog.Logger) (stop func(), err error) {
	if m.otlp, err = m.newExporter(endpoint, version, logger); err != nil {
		return nil, err
	}
	return m.otlp.start(), nil
}

// newExporter returns an exporter that is not started.
func (m *Metrics) newExporter(endpoint, version string, logger *slog.Logger) (*exporter, error) {
	base, err := url.Parse(endpoint)
	if err != nil || base.Host == "" || base.Scheme != "http" && base.Scheme != "https" {
		return nil, hint.New("gateway: the address of the collector is not an http or https URL", "write a URL such as http://127.0.0.1:4318")
	}
	began := time.Now()
	x := &exporter{
		base: base, header: http.Header{}, logger: logger, client: plainClient(nil), full: make(chan struct{}, 1),
		points: func() []any { return m.points(began) }, measured: began, failing: map[string]bool{}, rejected: map[string]bool{},
		spans:   queue{path: "v1/traces", kind: "Spans", list: "spans"},
		logs:    queue{path: "v1/logs", kind: "Logs", list: "logRecords"},
		metrics: queue{path: "v1/metrics", kind: "Metrics", list: "metrics"},
	}
	return x, x.configure(version)
}

// start sends telemetry until stop is called.
func (x *exporter) start() (stop func()) {
	ctx, cancel := context.WithCancel(context.Background())
	quit, ended := make(chan struct{}), make(chan struct{})
	go func() {
		defer close(ended)
		x.run(ctx, quit)
	}()
	return sync.OnceFunc(func() {
		defer time.AfterFunc(lastFlush, cancel).Stop()
		close(quit)
		<-ended
		cancel()
	})
}

// configure reads the headers and the resource.
func (x *exporter) configure(version string) error {
	const headers, resource = "OTEL_EXPORTER_OTLP_HEADERS", "OTEL_RESOURCE_ATTRIBUTES"
	sent, err := readPairs(headers, os.Getenv(headers))
	if err != nil {
		return err
	}
	for name, value := range sent {
		x.header.Set(name, value)
	}
	x.header.Set("Content-Type", "application/json")
	x.header.Set("User-Agent", "mcpgen/"+version)
	described, err := readPairs(resource, os.Getenv(resource))
	if err != nil {
		return err
	}
	all := map[string]string{"service.name": "mcpgen", "service.version": version}
	maps.Copy(all, described)
	if name := os.Getenv("OTEL_SERVICE_NAME"); name != "" {
		all["service.name"] = name
	}
	for _, key := range slices.Sorted(maps.Keys(all)) {
		x.resource = append(x.resource, semconv.Attribute{Key: key, Value: all[key]})
	}
	return nil
}

// readPairs reads a variable with a list such as a=b,c=d%20e.
func readPairs(variable, text string) (map[string]string, error) {
	all := map[string]string{}
	for i, pair := range strings.Split(text, ",") {
		name, value, ok := strings.Cut(pair, "=")
		if name = strings.TrimSpace(name); name == "" && !ok {
			continue
		}
		value, err := url.PathUnescape(strings.TrimSpace(value))
		if name == "" || !ok || err != nil { // the text may be a secret
			return nil, hint.With(fmt.Errorf("gateway: %s: pair %d cannot be read", variable, i+1), "write NAME=VALUE, with %2C for a comma and %25 for a percent sign")
		}
		all[name] = value
	}
	return all, nil
}

// push adds an item to a queue. A full queue drops it.
func (x *exporter) push(q *queue, item any) {
	x.mu.Lock()
	defer x.mu.Unlock()
	if len(q.items) >= maxQueue {
		x.lost++
		return
	}
	if q.items = append(q.items, item); len(q.items) >= maxBatch {
		select {
		case x.full <- struct{}{}:
		default:
		}
	}
}

// run sends telemetry until quit is closed, and then the rest.
func (x *exporter) run(ctx context.Context, quit <-chan struct{}) {
	for pause, failures := sendEvery, 0; ; {
		full := x.full
		if failures > 0 {
			full = nil
		}
		select {
		case <-quit:
			x.metrics.items = x.points()
			x.flush(ctx)
			x.mu.Lock()
			x.lost += len(x.spans.items) + len(x.logs.items)
			x.mu.Unlock()
			x.logLost()
			return
		case <-full:
		case <-time.After(pause):
		}
		if time.Since(x.measured) >= measureEvery {
			x.metrics.items, x.measured = x.points(), time.Now()
		}
		again, wait := x.flush(ctx)
		if time.Since(x.logged) >= logLostEvery {
			x.logLost()
		}
		if pause = sendEvery; again {
			failures++
			pause = min(sendEvery<<min(failures, 10), maxPause)
			pause = max(pause/2+rand.N(pause/2), wait)
		} else {
			failures = 0
		}
	}
}

// logLost logs how many spans and logs were lost.
func (x *exporter) logLost() {
	x.mu.Lock()
	defer x.mu.Unlock()
	if x.lost > 0 {
		x.logger.Warn("gateway: spans and logs were not sent, and are lost", "count", x.lost)
		x.lost, x.logged = 0, time.Now()
	}
}

// flush sends what waits, not much more. If again is true, a part of it still waits, for at least the
// given time.
func (x *exporter) flush(ctx context.Context) (again bool, wait time.Duration) {
	for _, q := range []*queue{&x.spans, &x.logs, &x.metrics} {
		for range maxQueue / maxBatch {
			x.mu.Lock()
			n := min(len(q.items), maxBatch)
			batch := q.items[:n:n]
			q.items = q.items[n:]
			x.mu.Unlock()
			if n == 0 {
				break
			}
			retry, after, err := x.send(ctx, q, batch)
			if err == nil {
				continue
			}
			x.mu.Lock()
			if retry {
				q.items = append(batch, q.items...)
				batch = q.items[min(len(q.items), maxQueue):]
				q.items = q.items[:len(q.items)-len(batch)]
			}
			if q != &x.metrics { // the next points include these
				x.lost += len(batch)
			}
			x.mu.Unlock()
			if retry {
				again, wait = true, max(wait, after)
				break
			}
		}
	}
	return again, wait
}

// send sends a batch. If it can be sent again, retry is true.
func (x *exporter) send(ctx context.Context, q *queue, batch []any) (retry bool, after time.Duration, err error) {
	scope := map[string]any{"scope": map[string]string{"name": "github.com/mcpgen/mcpgen/runtime/gateway"}, q.list: batch}
	body, err := jsontext.Marshal(map[string]any{"resource" + q.kind: []any{
		map[string]any{"resource": map[string]any{"attributes": x.resource}, "scope" + q.kind: []any{scope}},
	}})
	if err != nil {
		return false, 0, err // never: everything is text and numbers
	}
	req, err := http.NewRequestWithContext(ctx, http.MethodPost, x.base.JoinPath(q.path).String(), bytes.NewReader(body))
	if err != nil {
		return false, 0, err
	}
	req.Header = x.header
	res, err := x.client.Do(req)
	if err != nil {
		if of, ok := errors.AsType[*url.Error](err); ok {
			err = of.Err // the URL may have a password
		}
		x.note("", err)
		return true, 0, err
	}
	defer res.Body.Close()
	x.note("", nil)
	if res.StatusCode/100 == 2 {
		x.note(q.path, nil)
		x.readAnswer(q.path, res.Body)
		return false, 0, nil
	}
	err = errors.New(res.Status)
	x.note(q.path, err)
	if !slices.Contains([]int{http.StatusTooManyRequests, http.StatusBadGateway, http.StatusServiceUnavailable, http.StatusGatewayTimeout}, res.StatusCode) {
		return false, 0, err
	}
	text := res.Header.Get("Retry-After")
	if seconds, err := strconv.Atoi(text); err == nil {
		after = time.Duration(min(seconds, int(maxWait/time.Second))) * time.Second
	} else if at, err := http.ParseTime(text); err == nil {
		after = min(time.Until(at), maxWait)
	}
	return true, after, err
}

// readAnswer logs data that the collector rejected, once.
func (x *exporter) readAnswer(path string, body io.Reader) {
	var answer struct {
		Partial map[string]any `json:"partialSuccess"`
	}
	text, _ := io.ReadAll(io.LimitReader(body, 1<<20))
	if json.Unmarshal(text, &answer) != nil || len(answer.Partial) == 0 || x.rejected[path] {
		return
	}
	x.rejected[path] = true
	x.logger.Warn("gateway: the collector rejected telemetry", "to", x.shown(path), "answer", x.hide(fmt.Sprint(answer.Partial)))
}

// note logs that sending begins to fail, or works again.
func (x *exporter) note(path string, err error) {
	switch was := x.failing[path]; {
	case err != nil && !was:
		x.logger.Warn("gateway: telemetry cannot be sent: check that the collector runs, its address, and OTEL_EXPORTER_OTLP_HEADERS", "to", x.shown(path), "reason", x.hide(err.Error()))
	case err == nil && was:
		x.logger.Warn("gateway: telemetry is sent again", "to", x.shown(path))
	}
	x.failing[path] = err != nil
}

// shown returns a path of the collector for logs.
func (x *exporter) shown(path string) string {
	return (&url.URL{Scheme: x.base.Scheme, Host: x.base.Host, Path: x.base.Path}).JoinPath(path).String()
}

// hide returns a text of the collector for logs. It may repeat headers, which may be secrets.
func (x *exporter) hide(text string) string {
	for _, values := range x.header {
		if values[0] != "" {
			text = strings.ReplaceAll(text, values[0], "…")
		}
	}
	return safetext.Words(text, 300)
}
