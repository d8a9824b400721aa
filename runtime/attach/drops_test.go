package attach

// Servers that send more than they may.

import (
	"bytes"
	"encoding/json"
	"errors"
	"log/slog"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/mcpgen/mcpgen/runtime"
	"github.com/mcpgen/mcpgen/runtime/endpoint"
	"github.com/mcpgen/mcpgen/runtime/event"
	"github.com/mcpgen/mcpgen/runtime/protocol"
)

// logged is a log that a test reads.
type logged struct {
	mu sync.Mutex
	b  bytes.Buffer
}

func (l *logged) Write(b []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.b.Write(b)
}

// count returns how many lines have a text in them.
func (l *logged) count(text string) int {
	l.mu.Lock()
	defer l.mu.Unlock()
	return strings.Count(l.b.String(), text)
}

// An answer that is too large fails its call; the process, and what others ask of
// it, go on.
func TestOversizedAnswerCostsItsCall(t *testing.T) {
	t.Parallel()
	s := processServer(t, "giant-result", "-size", "4MiB")
	s.Limits.Message = 1 << 20
	log, told := new(logged), new(events)
	h := connectAll(t, &Options{Logger: slog.New(slog.NewTextHandler(log, nil)), OnEvent: told.add}, s)
	pid := h.Status()[0].PID
	for range 3 {
		checkError(t, echo(t.Context(), h), "limits.message", "1048576")
		if _, err := h.Invoke(t.Context(), runtime.Request{Server: "s", Method: protocol.MethodReadResource, Name: "x:/y"}); err != nil {
			t.Errorf("another request: %v", err)
		}
	}
	st := h.Status()[0]
	if st.State != Ready || st.PID != pid || st.Restarts != 0 || st.Dropped != (Dropped{Oversized: 3}) {
		t.Errorf("status %+v", st)
	}
	if log.count("limits.message") != 1 || told.count(event.Notice) != 1 {
		t.Errorf("told %d times and %d times: %s", log.count("limits.message"), told.count(event.Notice), &log.b)
	}
}

// A server gets as many lines into the log as it may in a minute, whether it logs or
// asks for input; how many were left out is said.
func TestLogFlood(t *testing.T) {
	t.Parallel()
	for mode, line := range map[string]string{"log-flood": "evil line", "elicit-flood": "requested elicitation"} {
		t.Run(mode, func(t *testing.T) {
			t.Parallel()
			const flood, lines = 500, 60
			s := processServer(t, mode, "-n", "500")
			s.Limits.Log = lines
			log, told, clk := new(logged), new(events), newFakeClock()
			h := connectAll(t, &Options{Logger: slog.New(slog.NewTextHandler(log, nil)), OnEvent: told.add, clock: clk.clock()}, s)
			if err := echo(t.Context(), h); err != nil {
				t.Fatal(err)
			}
			// What may be logged is counted before it is written.
			eventually(t, "all is dropped or written", func() bool { return h.Status()[0].Dropped.Log == flood-lines && log.count(line) >= lines })
			if n := log.count(line); n != lines || log.count("limits.log") != 1 {
				t.Errorf("%d lines", n)
			}
			if n := told.count(event.Elicitation); n > lines {
				t.Errorf("%d events", n)
			}
			clk.advance(2 * time.Second)
			if err := echo(t.Context(), h); err != nil {
				t.Fatal(err)
			}
			eventually(t, "all is dropped or written", func() bool { return h.Status()[0].Dropped.Log == 2*flood-lines-2 && log.count(line) >= lines+2 })
			if n := log.count(line); n != lines+2 || log.count("mcpgen did not log 440 lines") != 1 {
				t.Errorf("%d lines after two seconds: %s", n, &log.b)
			}
		})
	}
}

// An idle server that sends without end is held up, and what it says in the end is
// heard.
func TestIdleFlood(t *testing.T) {
	t.Parallel()
	s := processServer(t, "idle-flood", "-n", "40", "-size", "256KiB")
	s.Limits.Queue, s.Limits.Log = 1<<20, 10
	log, told := new(logged), new(events)
	h := connectAll(t, &Options{Logger: slog.New(slog.NewTextHandler(log, nil)), OnEvent: told.add, clock: newFakeClock().clock()}, s)
	if err := echo(t.Context(), h); err != nil {
		t.Error(err)
	}
	eventually(t, "the last notification", func() bool { return told.count(event.ListChanged) > 0 })
	if st := h.Status()[0]; st.Dropped != (Dropped{Log: 30}) || log.count("level=INFO") != 10 {
		t.Errorf("status %+v", st)
	}
}

// A limit that is not met is told with the server's place.
func TestLimitsAreChecked(t *testing.T) {
	for _, text := range []string{`{"Queue":-1}`, `{"Memory":-1}`, `{"Log":-1}`} {
		s := processServer(t, "echo")
		if err := json.Unmarshal([]byte(text), &s.Limits); err != nil {
			t.Fatal(err)
		}
		if _, err := Connect(t.Context(), []endpoint.Server{s}, nil); err == nil || errors.Is(err, runtime.ErrUnavailable) {
			t.Errorf("%s: %v", text, err)
		}
	}
}

// Many calls at once whose answers are large share the memory of their server and of
// the host: each has its turn, and its own outcome.
func TestLargeAnswersShareMemory(t *testing.T) {
	if testing.Short() {
		t.Skip("a load: make test-race runs it")
	}
	t.Parallel()
	const message = 1 << 20
	for name, c := range map[string]struct {
		args []string
		web  bool
		want string // in the error; "" is none
	}{
		"giant-event":  {[]string{"giant-event", "-size", "4MiB"}, true, "limits.message"},
		"large events": {[]string{"giant-result", "-size", "900KiB"}, true, ""},
		"large bodies": {[]string{"giant-result", "-size", "900KiB", "-json"}, true, ""},
		"too large":    {[]string{"giant-result", "-size", "4MiB", "-json"}, true, "limits.message"},
		"stdio":        {[]string{"giant-result", "-size", "900KiB"}, false, ""},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			server := func(name string) endpoint.Server {
				s := processServer(t, c.args...)
				if c.web {
					s = httpServer(t, c.args...)
				}
				s.Limits.Message, s.Limits.Memory = message, 5*message
				return withName(s, name)
			}
			h := connectAll(t, &Options{Memory: 6 * message}, server("s"), server("z"))
			var all sync.WaitGroup
			for i := range 20 {
				all.Go(func() {
					_, err := h.Invoke(t.Context(), runtime.Request{Server: []string{"s", "z"}[i%2], Method: protocol.MethodCallTool, Name: "echo", Args: json.RawMessage(`{}`)})
					if (err == nil) != (c.want == "") || err != nil && !strings.Contains(err.Error(), c.want) {
						t.Errorf("error %v", err)
					}
				})
			}
			all.Wait()
			for _, st := range h.Status() {
				if st.PeakMemory == 0 || st.PeakMemory > 4*message {
					t.Errorf("%s: %d bytes at the same time", st.Server, st.PeakMemory)
				}
			}
			if peak := h.settings.large.Peak(); peak == 0 || peak > 6*message {
				t.Errorf("%d bytes at the same time", peak)
			}
		})
	}
}
