package attach

// Tables of faults over stdio: one mode of the test server each.

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/mcpgen/mcpgen/internal/stage"
	"github.com/mcpgen/mcpgen/runtime"
	"github.com/mcpgen/mcpgen/runtime/endpoint"
	"github.com/mcpgen/mcpgen/runtime/protocol"
	"github.com/mcpgen/mcpgen/schema"
)

// The faults of servers that do not come up.
func TestFaultStart(t *testing.T) {
	t.Parallel()
	short := endpoint.Timeouts{Start: time.Second}
	started := endpoint.Timeouts{Start: 5 * time.Second} // the server is up by then, on a slow machine, too
	for _, c := range []struct {
		id, mode string
		timeout  endpoint.Timeouts
		stage    string
		want     []string
	}{
		{"E01", "crash-on-start", endpoint.Timeouts{}, stage.Handshake, []string{"exit status 3", "EVIL_API_KEY is not set", "run the command by hand"}},
		{"E02", "crash-on-init", endpoint.Timeouts{}, stage.Handshake, []string{"exit status 3", "cannot open the database"}},
		{"E02", "crash-on-list", endpoint.Timeouts{}, stage.List, []string{"exit status 7", "panic while listing"}},
		{"D07", "slow-init", short, stage.Handshake, []string{"timed out", "1s", "timeout.start"}},
		{"D08", "never-init", short, stage.Handshake, []string{"timed out", "timeout.start"}},
		{"D09", "slow-list", started, stage.List, []string{"timed out", "timeout.start"}},
		{"D09", "slow-drip", started, stage.List, []string{"timed out"}},
		{"F07", "bad-version", endpoint.Timeouts{}, stage.Handshake, []string{"1999-01-01"}},
		{"F07", "init-error", endpoint.Timeouts{}, stage.Handshake, []string{"cannot initialize: evil"}},
		{"F07", "list-error", endpoint.Timeouts{}, stage.List, []string{"cannot list: evil"}},
		{"D06", "cursor-error", endpoint.Timeouts{}, stage.List, []string{"cursor expired"}},
		{"D03", "stuck-cursor", endpoint.Timeouts{}, stage.List, []string{"stuck", "again and again"}},
		{"D03", "endless-cursor", endpoint.Timeouts{}, stage.List, []string{"limits.pages"}},
		{"D04", "empty-pages", endpoint.Timeouts{}, stage.List, []string{"again and again"}},
		{"D10", "giant-list", endpoint.Timeouts{}, stage.List, []string{"limits.message"}},
		{"F08", "pretty-init", short, stage.Handshake, []string{"timeout.start", "lines that are not messages", "an answer is one line"}},
		{"F08", "pretty-list", started, stage.List, []string{"timeout.start", "lines that are not messages", "outputSchema", "an answer is one line"}},
		{"F02", "noise-partial", endpoint.Timeouts{}, stage.Handshake, []string{"same line", "Loading {", "stderr"}},
		{"F07", "null-list", endpoint.Timeouts{}, stage.List, []string{`no array "tools"`}},
		{"F07", "no-list", endpoint.Timeouts{}, stage.List, []string{`no array "tools"`}},
	} {
		t.Run(c.id+"/"+c.mode, func(t *testing.T) {
			t.Parallel()
			s := processServer(t, c.mode, "-size", "4MiB")
			s.Source = endpoint.Source{Path: "mcpgen.yaml", Line: 7}
			s.Timeout, s.Limits = c.timeout, endpoint.Limits{Message: 1 << 20, Pages: 50}
			err := connectFailing(t, s)
			checkError(t, err, append(c.want, `mcpgen.yaml:7: server "s": `+c.stage+": ")...)
			if err.Stage != c.stage {
				t.Errorf("stage %s", err.Stage)
			}
		})
	}
}

// What the listings of odd servers come to.
func TestFaultListings(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		id, mode string
		tools    int
		problems []string
	}{
		{"D01", "huge-list", 5000, nil},
		{"D01", "huge-pages", 5000, nil},
		{"D04", "constant-cursor", 12, nil},
		{"D05", "empty-cursor", 4, nil},
		{"D06", "pagination", 12, nil},
		{"A", "null-tool", -1, []string{"left out"}},
		{"A", "nameless", -1, []string{"left out"}},
		{"A", "dup-keys", -1, nil},
		{"A", "odd-types", -1, nil},
		{"A", "big-numbers", -1, nil},
		{"A", "x-mcp-header", -1, nil},
		{"A", "deep-nest", 1, []string{"left out"}},
		{"A", "no-tools", 0, []string{"lists no tools"}},
		{"F01", "noise-stdout", 1, nil},
		{"F01", "noise-json", 1, nil},
		{"F01", "noise-crlf", 1, nil},
		{"D12", "noise-stderr-flood", 1, nil},
	} {
		t.Run(c.id+"/"+c.mode, func(t *testing.T) {
			t.Parallel()
			h := connectReady(t, processServer(t, c.mode))
			st := h.Status()[0]
			for _, p := range st.Problems {
				if len(p.Pointer) > 300 {
					t.Errorf("a place of %d bytes", len(p.Pointer))
				}
			}
			if c.tools >= 0 && st.Tools != c.tools {
				t.Errorf("%d tools, want %d", st.Tools, c.tools)
			}
			for _, want := range c.problems {
				if !strings.Contains(fmt.Sprint(st.Problems), want) {
					t.Errorf("problems %v lack %q", st.Problems, want)
				}
			}
			if strings.HasPrefix(c.mode, "noise-") && c.mode != "noise-stderr-flood" && c.mode != "noise-crlf" && st.SkippedLines == 0 {
				t.Error("SkippedLines is 0, want a count of the noise")
			}
			snap, _, err := h.Snapshot(t.Context(), "s", nil)
			if c.tools == 0 {
				if !errors.Is(err, ErrEmpty) {
					t.Errorf("snapshot of nothing: %v", err)
				}
				return
			}
			if err != nil || len(snap.Tools) != st.Tools {
				t.Errorf("snapshot: %v", err)
			}
		})
	}
}

// Protocol revisions, and how many processes they cost.
func TestFaultRevisions(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		id, mode, remembered string
		protocol             string
		starts               int
	}{
		{"F03", "discover-silent", "", legacy, 1},
		{"F03", "discover-silent", legacy, legacy, 1},
		{"F03", "discover-stuck", "", legacy, 2},
		{"F03", "slow-start", "", legacy, 1},
		{"F03", "slow-start-both", "", modern, 2},
		{"F03", "slow-start-both", legacy, legacy, 1},
		{"F04", "discover-exit", "", legacy, 2},
		{"F04", "discover-exit", "2025-06-18", "2025-06-18", 1},
		{"F04", "discover-exit", "2025-03-26", "2025-03-26", 1},
		{"F04", "discover-exit", "2024-11-05", "2024-11-05", 1},
		{"F04", "discover-exit", modern, legacy, 2},
		{"F05", "modern", "", modern, 1},
		{"F05", "modern", modern, modern, 1},
		{"F05", "modern", legacy, modern, 2},
		{"F05", "echo", "1999-01-01", legacy, 1},
	} {
		t.Run(c.id+"/"+c.mode+c.remembered, func(t *testing.T) {
			t.Parallel()
			if c.mode == "discover-stuck" && testing.Short() {
				t.Skip("waits for 30 s: make test-race runs it")
			}
			s, events := tracedServer(t, c.mode)
			if c.mode == "discover-stuck" {
				s.Timeout.Start = 45 * time.Second // the second process starts after two thirds of it, and has the rest
			}
			h := connectAll(t, &Options{Protocols: map[string]string{"s": c.remembered}}, s)
			st := h.Status()[0]
			if st.Err != nil || st.Protocol != c.protocol {
				t.Errorf("protocol %q, %v", st.Protocol, st.Err)
			}
			if res, err := callTool(t.Context(), h, "echo", `{"text":"x"}`); err != nil || res.IsError {
				t.Errorf("%v, %v", res, err)
			}
			if got := len(events("start")); got != c.starts {
				t.Errorf("%d processes, want %d", got, c.starts)
			}
			if snap, _, err := h.Snapshot(t.Context(), "s", nil); err != nil || snap.Identity == nil || snap.ProtocolVersion != c.protocol {
				t.Errorf("snapshot %v, %v", snap, err)
			}
		})
	}
}

// A program learns that a slow server has an older revision only because it is slow.
func TestSlowRevision(t *testing.T) {
	t.Parallel()
	if testing.Short() {
		t.Skip("waits for 16 s: make test-race runs it")
	}
	var log bytes.Buffer
	s := processServer(t, "slow-start-both", "-delay", "16s")
	s.Timeout.Start = 30 * time.Second // less than two starts
	h := connectAll(t, &Options{Logger: slog.New(slog.NewTextHandler(&log, nil))}, s)
	if st := h.Status()[0]; st.Protocol != legacy {
		t.Errorf("protocol %q, %v", st.Protocol, st.Err)
	}
	if want := "raise timeout.start, or set protocol: " + legacy; !strings.Contains(log.String(), want) {
		t.Errorf("log %s, want %q", log.String(), want)
	}
}

// errAny is an error of whatever kind.
var errAny = errors.New("any")

// What becomes of calls when the server misbehaves.
func TestFaultCalls(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		id, mode string
		is       error
		want     []string // in the error, or in the text of the result
	}{
		{"E05", "crash-on-call", runtime.ErrUnavailable, []string{"exit status 7", "panic in a tool"}},
		{"E06", "exit-on-call", runtime.ErrUnavailable, []string{"exit status 0"}},
		{"E06", "crash-mid-line", runtime.ErrUnavailable, []string{"exit status 1", "out of memory"}},
		{"E06", "close-stdout", runtime.ErrUnavailable, []string{"closed its output"}},
		{"E12", "close-stdin", nil, nil},
		{"F08", "wrong-id", runtime.ErrTimeout, nil},
		{"F08", "null-id", runtime.ErrTimeout, []string{"timeout.call", "wrote a line that is not a message", "invalid request", "with the id of its request"}},
		{"F08", "pretty-call", runtime.ErrTimeout, []string{"timeout.call", "lines that are not messages", "structuredContent", "an answer is one line"}},
		{"F09", "dup-response", nil, nil},
		{"F09", "both", errAny, []string{"both a result and an error"}},
		{"F11", "hang-on-call", runtime.ErrTimeout, []string{"timeout.call"}},
		{"F16", "rpc-error", runtime.ErrRPC, nil},
		{"D11", "giant-result", runtime.ErrUnavailable, []string{"limits.message"}},
		{"D13", "log-flood", nil, nil},
		{"D13", "request-flood", nil, nil},
		{"D13", "progress-flood", nil, nil},
		{"D14", "notify-flood", nil, nil},
		{"F12", "elicit", nil, []string{"decline"}},
		{"F12", "elicit-url", nil, []string{"decline"}},
		{"F12", "sampling", nil, []string{"error"}},
		{"F12", "roots", nil, nil},
		{"F14", "unknown-method", nil, []string{"-32601"}},
		{"F15", "progress-wrong", nil, nil},
		{"F18", "all-content", nil, nil},
		{"F18", "unknown-content", nil, nil},
	} {
		t.Run(c.id+"/"+c.mode, func(t *testing.T) {
			t.Parallel()
			s, events := tracedServer(t, c.mode, "-size", "4MiB", "-n", "2000")
			s.Timeout.Call, s.Limits.Message = time.Second, 1<<20
			if strings.HasSuffix(c.mode, "flood") || c.is == runtime.ErrUnavailable {
				s.Timeout.Call = 20 * time.Second
			}
			h := connectAll(t, nil, s, withName(httpServer(t, "echo"), "z"))
			if err := h.Err(); err != nil {
				t.Fatal(err)
			}
			defer func() { // whatever happened: the other server works, and the next call ends
				if err := callOf(t.Context(), h, "z"); err != nil {
					t.Errorf("the other server: %v", err)
				}
				err := echo(t.Context(), h)
				if c.is == nil && err != nil && c.mode != "close-stdin" || c.is == runtime.ErrUnavailable && !errors.Is(err, c.is) {
					t.Errorf("the next call: %v", err)
				}
			}()
			var progress int
			res, err := h.Invoke(t.Context(), runtime.Request{Server: "s", Method: protocol.MethodCallTool, Name: firstTool(h),
				Args: json.RawMessage(`{"text":"x"}`), Options: runtime.Options{OnProgress: func(runtime.Progress) { progress++ }}})
			if c.mode == "close-stdin" {
				if err == nil {
					t.Error("a server that closed its input: no error of the call, want one")
				}
				return
			}
			if c.is == nil {
				if err != nil {
					t.Fatal(err)
				}
				for _, want := range c.want {
					if !strings.Contains(string(res.Raw), want) {
						t.Errorf("result %s lacks %q", res.Raw, want)
					}
				}
			} else {
				if c.is != errAny && !errors.Is(err, c.is) {
					t.Errorf("error %v is not %v", err, c.is)
				}
				checkError(t, err, append(c.want, "s/")...)
			}
			if c.mode == "progress-wrong" && progress != 1 {
				t.Errorf("%d progress notifications, want 1", progress)
			}
			calls := 0 // one: nothing is sent again blindly
			for _, m := range methodsOf(events("message")) {
				if m == "tools/call" {
					calls++
				}
			}
			if calls != 1 && !strings.HasSuffix(c.mode, "flood") {
				t.Errorf("%d calls were sent", calls)
			}
		})
	}
}

// firstTool is a tool of the server.
func firstTool(h *Host) string {
	sess, err := h.serverState("s").get()
	if err != nil {
		return ""
	}
	for name := range sess.tools.Load().items {
		return name
	}
	return ""
}

// A name that a server gives to two tools costs these, and nothing else.
func TestFaultDuplicates(t *testing.T) {
	h := connectAll(t, nil, processServer(t, "dup-tools"))
	tools, err := viewOf(h).Tools()
	if err != nil || len(tools) != 1 || tools[0].Spec().Tool == "twin" {
		t.Errorf("%v, %v", specsOf(tools), err)
	}
	_, problems, err := h.Snapshot(t.Context(), "s", nil)
	if err != nil || !slices.ContainsFunc(problems, func(p schema.Problem) bool { return p.Name == "twin" && strings.Contains(p.Reason, "left out") }) {
		t.Errorf("%v, %v", problems, err)
	}
}

// A tool that appears beside one of the same name takes nothing from it: neither has
// the name that one had alone, also while a server is down.
func TestToolsThatMeetLater(t *testing.T) {
	a, b := processServer(t, "echo"), processServer(t, "echo")
	a.Name, b.Name = "a.x", "a_x"
	h := connectAll(t, nil, a)
	name := func(server string) string {
		t.Helper()
		tools, err := viewOf(h).Tools()
		if err != nil {
			t.Fatal(err)
		}
		for _, tool := range tools {
			if spec := tool.Spec(); spec.Server == server {
				return spec.Name
			}
		}
		return ""
	}
	alone := name("a.x")
	if alone != "a_x__echo" {
		t.Errorf("%q", alone)
	}
	if err := h.Attach(t.Context(), b); err != nil {
		t.Fatal(err)
	}
	first, second := name("a.x"), name("a_x")
	if first == alone || second == alone || first == second || first == "" || second == "" {
		t.Errorf("%q and %q, before %q", first, second, alone)
	}
	if again := name("a.x"); again != first {
		t.Errorf("%q, then %q", first, again)
	}
}
