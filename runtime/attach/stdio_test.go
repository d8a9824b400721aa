package attach

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/mcpgen/mcpgen/runtime"
	"github.com/mcpgen/mcpgen/runtime/endpoint"
)

// gone checks that a process has ended.
func gone(t *testing.T, pid int) {
	t.Helper()
	for range 100 {
		if syscall.Kill(pid, 0) != nil {
			return
		}
		time.Sleep(20 * time.Millisecond)
	}
	t.Errorf("process %d lives on", pid)
}

// traced gives a server a trace file, and returns what reads its events.
func traced(t *testing.T, args ...string) (endpoint.Server, func(event string) []map[string]json.RawMessage) {
	t.Helper()
	path := filepath.Join(t.TempDir(), "trace")
	return process(t, append(args, "-trace", path)...), func(event string) []map[string]json.RawMessage {
		t.Helper()
		data, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		var found []map[string]json.RawMessage
		for line := range strings.Lines(string(data)) {
			var e map[string]json.RawMessage
			if err := json.Unmarshal([]byte(line), &e); err != nil {
				t.Fatal(err)
			}
			if string(e["event"]) == strconv.Quote(event) {
				found = append(found, e)
			}
		}
		return found
	}
}

// methods are the methods of traced messages.
func methods(events []map[string]json.RawMessage) []string {
	var all []string
	for _, e := range events {
		var m struct {
			Method string `json:"method"`
		}
		_ = json.Unmarshal(e["message"], &m) // what has no method has none
		all = append(all, m.Method)
	}
	return all
}

func TestStdio(t *testing.T) {
	noLeaks(t, func() {
		s, events := traced(t, "echo")
		h := ready(t, s)
		st := h.Status()[0]
		if st.State != Ready || st.Transport != endpoint.Stdio || st.Protocol != legacy || st.Name != "testserver" || st.Tools != 1 || st.PID == 0 {
			t.Errorf("status %+v", st)
		}
		const args = "{\"text\":\"a\",\n\"big\":9007199254740993,\"one\":1.0,\"exp\":1e400,\"html\":\"<&>\"}"
		res, err := callTool(t.Context(), h, "echo", args)
		if err != nil {
			t.Fatal(err)
		}
		if want := strings.ReplaceAll(args, "\n", ""); string(res.Structured) != want {
			t.Errorf("got %s\nwant %s", res.Structured, want)
		}
		if _, err := callTool(t.Context(), h, "echo", ""); err != nil {
			t.Error(err)
		}
		_ = h.Close()
		gone(t, st.PID)
		// Seed 000-08: the order of a handshake.
		want := []string{"server/discover", "initialize", "notifications/initialized", "tools/list", "tools/call", "tools/call"}
		if got := methods(events("message")); !slices.Equal(got, want) {
			t.Errorf("messages %q, want %q", got, want)
		}
	})
}

func TestBadArgumentsAreNotSent(t *testing.T) {
	h := ready(t, process(t, "echo"))
	for _, args := range []string{"[]", "1", "{", `{"a":1} {}`, "null"} {
		_, err := callTool(t.Context(), h, "echo", args)
		var ce *runtime.CallError
		if !errors.Is(err, runtime.ErrInvalidArgs) || !errors.As(err, &ce) || ce.Sent || ce.Stage != runtime.StageEncode {
			t.Errorf("%s: %v", args, err)
		}
	}
	_, err := h.Invoke(t.Context(), runtime.Request{Server: "nobody"})
	if !errors.Is(err, runtime.ErrNotAttached) {
		t.Error(err)
	}
	_, err = h.Invoke(t.Context(), runtime.Request{Server: "s", Method: "tools/list"})
	if !errors.Is(err, runtime.ErrInvalidArgs) {
		t.Error(err)
	}
}

// The faults of servers that do not come up.
func TestFaultStart(t *testing.T) {
	short := endpoint.Timeouts{Start: time.Second}
	for _, c := range []struct {
		id, mode string
		timeout  endpoint.Timeouts
		stage    string
		want     []string
	}{
		{"E01", "crash-on-start", endpoint.Timeouts{}, StageHandshake, []string{"exit status 3", "EVIL_API_KEY is not set"}},
		{"E02", "crash-on-init", endpoint.Timeouts{}, StageHandshake, []string{"exit status 3", "cannot open the database"}},
		{"E02", "crash-on-list", endpoint.Timeouts{}, StageList, []string{"exit status 7", "panic while listing"}},
		{"D07", "slow-init", short, StageHandshake, []string{"timed out", "1s", "timeout.start"}},
		{"D08", "never-init", short, StageHandshake, []string{"timed out", "timeout.start"}},
		{"D09", "slow-list", short, StageList, []string{"timed out", "timeout.start"}},
		{"D09", "slow-drip", short, StageList, []string{"timed out"}},
		{"F07", "bad-version", endpoint.Timeouts{}, StageHandshake, []string{"1999-01-01"}},
		{"F07", "init-error", endpoint.Timeouts{}, StageHandshake, []string{"cannot initialize: evil"}},
		{"F07", "list-error", endpoint.Timeouts{}, StageList, []string{"cannot list: evil"}},
		{"D06", "cursor-error", endpoint.Timeouts{}, StageList, []string{"cursor expired"}},
		{"D03", "stuck-cursor", endpoint.Timeouts{}, StageList, []string{"stuck", "again and again"}},
		{"D03", "endless-cursor", endpoint.Timeouts{}, StageList, []string{"limits.pages"}},
		{"D04", "empty-pages", endpoint.Timeouts{}, StageList, []string{"again and again"}},
		{"D10", "giant-list", endpoint.Timeouts{}, StageList, []string{"limits.message"}},
		{"B01", "dup-tools", endpoint.Timeouts{}, StageList, []string{"more than one tool of the same name"}},
		{"F07", "null-list", endpoint.Timeouts{}, StageList, []string{`no array "tools"`}},
		{"F07", "no-list", endpoint.Timeouts{}, StageList, []string{`no array "tools"`}},
	} {
		t.Run(c.id+"/"+c.mode, func(t *testing.T) {
			t.Parallel()
			s := process(t, c.mode)
			s.Source = endpoint.Source{Path: "mcpgen.yaml", Line: 7}
			s.Timeout, s.Limits = c.timeout, endpoint.Limits{Message: 1 << 20, Pages: 50}
			begin := time.Now()
			err := failed(t, s)
			if d := time.Since(begin); d > 10*time.Second {
				t.Errorf("took %v", d)
			}
			says(t, err, append(c.want, `mcpgen.yaml:7: server "s": `+c.stage+": ")...)
			if err.Stage != c.stage {
				t.Errorf("stage %s", err.Stage)
			}
		})
	}
}

func TestFaultE03CannotBeStarted(t *testing.T) {
	dir := t.TempDir()
	plain := filepath.Join(dir, "plain")
	if err := os.WriteFile(plain, []byte("text"), 0o600); err != nil {
		t.Fatal(err)
	}
	for name, s := range map[string]endpoint.Server{
		"missing":        {Command: "no-such-server-anywhere"},
		"directory":      {Command: dir},
		"not executable": {Command: plain},
		"no such folder": {Command: "sh", Dir: filepath.Join(dir, "none")},
	} {
		s.Name = "s"
		err := failed(t, s)
		if err.Stage != StageStart {
			t.Errorf("%s: %v", name, err)
		}
		says(t, err, s.Command)
	}
}

func TestMissingVariable(t *testing.T) {
	s := process(t, "echo")
	s.Env = append(s.Env, endpoint.Var{Name: "API_KEY", Value: "${API_KEY}"})
	s.Expand = func(_ endpoint.Field, text string, lookup func(string) (string, bool)) (string, error) {
		if text != "${API_KEY}" {
			return text, nil
		}
		if v, ok := lookup("API_KEY"); ok {
			return v, nil
		}
		return "", errors.New("the variable API_KEY is not set: set it")
	}
	h := connected(t, &Options{LookupEnv: func(string) (string, bool) { return "", false }}, s)
	st := h.Status()[0]
	var se *ServerError
	if !errors.As(st.Err, &se) || se.Stage != StageConfigure || strings.Count(st.Err.Error(), `server "s"`) != 1 {
		t.Errorf("error %v", st.Err)
	}
	says(t, st.Err, "API_KEY is not set")
}

// What the listings of odd servers come to.
func TestFaultListings(t *testing.T) {
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
		{"A", "no-tools", 0, []string{"lists no tools"}},
		{"F01", "noise-stdout", 1, nil},
		{"F01", "noise-json", 1, nil},
		{"F01", "noise-crlf", 1, nil},
		{"D12", "noise-stderr-flood", 1, nil},
	} {
		t.Run(c.id+"/"+c.mode, func(t *testing.T) {
			t.Parallel()
			h := ready(t, process(t, c.mode))
			st := h.Status()[0]
			if c.tools >= 0 && st.Tools != c.tools {
				t.Errorf("%d tools, want %d", st.Tools, c.tools)
			}
			for _, want := range c.problems {
				if !strings.Contains(fmt.Sprint(st.Problems), want) {
					t.Errorf("problems %v lack %q", st.Problems, want)
				}
			}
			if strings.HasPrefix(c.mode, "noise-") && c.mode != "noise-stderr-flood" && c.mode != "noise-crlf" && st.SkippedLines == 0 {
				t.Error("nothing was counted")
			}
			snap, _, err := h.Snapshot(t.Context(), "s")
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

func TestAllowEmpty(t *testing.T) {
	s := process(t, "no-tools")
	s.AllowEmpty = true
	h := ready(t, s)
	if snap, _, err := h.Snapshot(t.Context(), "s"); err != nil || len(snap.Tools) != 0 || len(h.Status()[0].Problems) != 0 {
		t.Errorf("%v, %v", snap, err)
	}
}

// Protocol revisions, and how many processes they cost.
func TestFaultRevisions(t *testing.T) {
	for _, c := range []struct {
		id, mode, remembered string
		protocol             string
		starts               int
	}{
		{"F03", "discover-silent", "", legacy, 2},
		{"F03", "discover-silent", legacy, legacy, 1},
		{"F04", "discover-exit", "", legacy, 2},
		{"F04", "discover-exit", "2025-06-18", "2025-06-18", 1},
		{"F04", "discover-exit", modern, legacy, 2},
		{"F05", "modern", "", modern, 1},
		{"F05", "modern", modern, modern, 1},
		{"F05", "modern", legacy, modern, 2},
		{"F05", "echo", "1999-01-01", legacy, 1},
	} {
		t.Run(c.id+"/"+c.mode+c.remembered, func(t *testing.T) {
			t.Parallel()
			s, events := traced(t, c.mode)
			h := connected(t, &Options{Protocols: map[string]string{"s": c.remembered}}, s)
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
			if snap, _, err := h.Snapshot(t.Context(), "s"); err != nil || snap.Identity == nil || snap.ProtocolVersion != c.protocol {
				t.Errorf("snapshot %v, %v", snap, err)
			}
		})
	}
}

func TestFaultF06RoundsOverStdio(t *testing.T) {
	s, events := traced(t, "modern-mrtr")
	var log strings.Builder
	h := connected(t, &Options{Logger: slog.New(slog.NewTextHandler(&log, nil))}, s)
	_, err := callTool(t.Context(), h, "echo", `{"text":"x"}`)
	var ie *InputError
	if !errors.As(err, &ie) {
		t.Errorf("error %v", err)
	}
	calls := 0
	for _, m := range methods(events("message")) {
		if m == "tools/call" {
			calls++
		}
	}
	if calls != 10 || !strings.Contains(log.String(), "Your password?") {
		t.Errorf("%d calls, log %q", calls, log.String())
	}
}

// errAny is an error of whatever kind.
var errAny = errors.New("any")

// What becomes of calls when the server misbehaves.
func TestFaultCalls(t *testing.T) {
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
		{"F08", "string-id", nil, nil},
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
			s, events := traced(t, c.mode)
			s.Timeout.Call, s.Limits.Message = time.Second, 1<<20
			if strings.HasSuffix(c.mode, "flood") || c.is == runtime.ErrUnavailable {
				s.Timeout.Call = 20 * time.Second
			}
			h := ready(t, s)
			begin := time.Now()
			var progress int
			res, err := h.Invoke(t.Context(), runtime.Request{Server: "s", Method: runtime.MethodCallTool, Name: firstTool(h),
				Args: json.RawMessage(`{"text":"x"}`), Options: runtime.Options{OnProgress: func(runtime.Progress) { progress++ }}})
			if d := time.Since(begin); d > 15*time.Second {
				t.Errorf("took %v", d)
			}
			if c.mode == "close-stdin" {
				if err == nil {
					t.Error("no error")
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
				says(t, err, append(c.want, "s/")...)
			}
			if c.mode == "progress-wrong" && progress != 1 {
				t.Errorf("%d progress notifications, want 1", progress)
			}
			calls := 0
			for _, m := range methods(events("message")) {
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
	sess, err := h.slots["s"].get()
	if err != nil {
		return ""
	}
	for name := range sess.tools.items {
		return name
	}
	return ""
}

func TestFaultE05TheLossIsSeen(t *testing.T) {
	states := make(chan Status, 10)
	h := connected(t, &Options{OnStatus: func(s Status) { states <- s }}, process(t, "crash-on-call"))
	if _, err := callTool(t.Context(), h, "echo", "{}"); err == nil {
		t.Fatal("no error")
	}
	var got []State
	for range 3 {
		select {
		case s := <-states:
			got = append(got, s.State)
		case <-time.After(5 * time.Second):
			t.Fatalf("states %v", got)
		}
	}
	if !slices.Equal(got, []State{Connecting, Ready, Failed}) {
		t.Errorf("states %v", got)
	}
	says(t, h.Err(), "exit status 7", `server "s": session: `)
	_, err := callTool(t.Context(), h, "echo", "{}")
	var ce *runtime.CallError
	if !errors.Is(err, runtime.ErrUnavailable) || !errors.As(err, &ce) || ce.Stage != runtime.StageConnect || ce.Sent {
		t.Errorf("error %v", err)
	}
}

func TestFaultE12FrozenServer(t *testing.T) {
	noLeaks(t, func() {
		s := process(t, "no-read")
		s.Timeout.Call = 500 * time.Millisecond
		h := ready(t, s)
		begin := time.Now()
		_, err := callTool(t.Context(), h, "echo", `{"text":"`+strings.Repeat("x", 4<<20)+`"}`)
		if d := time.Since(begin); err == nil || d > 3*time.Second {
			t.Errorf("%v after %v", err, d)
		}
		_ = h.Close()
		if d := time.Since(begin); d > 8*time.Second {
			t.Errorf("Close ended after %v", d)
		}
	})
}

// TestFault/E13 and E14: servers that do not want to end, and what they started.
func TestFaultE13Close(t *testing.T) {
	var servers []endpoint.Server
	for i, mode := range []string{"ignore-eof", "ignore-sigterm", "grandchild", "echo", "ignore-sigterm"} {
		s := process(t, mode)
		s.Name = fmt.Sprint(mode, i)
		servers = append(servers, s)
	}
	noLeaks(t, func() {
		h := connected(t, nil, servers...)
		if err := h.Err(); err != nil {
			t.Fatal(err)
		}
		var pids []int
		for _, st := range h.Status() {
			pids = append(pids, st.PID)
		}
		begin := time.Now()
		_ = h.Close()
		if d := time.Since(begin); d > 6*time.Second {
			t.Errorf("Close took %v", d)
		}
		for _, pid := range pids {
			gone(t, pid)
		}
	})
}

// TestFault/E20, seeds 000-10 and 001-26: a slow or broken server holds nobody
// up.
func TestFaultE20Isolation(t *testing.T) {
	servers := []endpoint.Server{process(t, "never-init"), process(t, "crash-on-start")}
	servers[0].Name, servers[1].Name = "never", "crash"
	servers[0].Timeout.Start = 2 * time.Second
	for i := range 8 {
		s := process(t, "echo")
		s.Name = fmt.Sprint("echo", i)
		servers = append(servers, s)
	}
	var mu sync.Mutex
	readyAt := map[string]time.Duration{}
	begin := time.Now()
	h := connected(t, &Options{OnStatus: func(s Status) {
		mu.Lock()
		defer mu.Unlock()
		if s.State == Ready {
			readyAt[s.Server] = time.Since(begin)
		}
	}}, servers...)
	if len(readyAt) != 8 {
		t.Errorf("ready: %v", readyAt)
	}
	err := h.Err()
	says(t, err, `server "never"`, `server "crash"`, "EVIL_API_KEY")
	if n := strings.Count(err.Error(), "\n"); n != 1 {
		t.Errorf("%d lines: %v", n+1, err)
	}
	var names []string
	for _, st := range h.Status() {
		names = append(names, st.Server)
	}
	if !slices.IsSorted(names) {
		t.Errorf("order %v", names)
	}
}

func TestFaultE22Reorder(t *testing.T) {
	h := ready(t, process(t, "reorder", "-delay", "5ms"))
	var wg sync.WaitGroup
	for i := range 64 {
		wg.Go(func() {
			for j := range 20 {
				args := fmt.Sprintf(`{"text":"%d-%d"}`, i, j)
				res, err := callTool(t.Context(), h, "echo", args)
				if err != nil || string(res.Structured) != args {
					t.Errorf("%s: %v, %v", args, res, err)
					return
				}
			}
		})
	}
	wg.Wait()
}

func TestFaultE24CloseDoesNotWait(t *testing.T) {
	h := ready(t, process(t, "hang-on-call"))
	done := make(chan error, 1)
	go func() {
		_, err := callTool(t.Context(), h, "echo", "{}")
		done <- err
	}()
	time.Sleep(50 * time.Millisecond)
	_ = h.Close()
	if err := <-done; !errors.Is(err, runtime.ErrNotAttached) {
		t.Errorf("error %v", err)
	}
}

func TestFaultF10Cancelled(t *testing.T) {
	s, events := traced(t, "late-response")
	h := ready(t, s)
	ctx, cancel := context.WithTimeout(t.Context(), 50*time.Millisecond)
	defer cancel()
	if _, err := callTool(ctx, h, "echo", "{}"); !errors.Is(err, context.DeadlineExceeded) {
		t.Errorf("error %v", err)
	}
	for i := range 3 {
		args := fmt.Sprintf(`{"text":"%d"}`, i)
		if res, err := callTool(t.Context(), h, "echo", args); err != nil || string(res.Structured) != args {
			t.Errorf("%v, %v", res, err)
		}
	}
	if !slices.Contains(methods(events("message")), "notifications/cancelled") {
		t.Error("the server was not told")
	}
}

func TestFaultF15Progress(t *testing.T) {
	var got []float64
	_, err := ready(t, process(t, "progress")).Invoke(t.Context(), runtime.Request{Server: "s", Method: runtime.MethodCallTool, Name: "echo",
		Args: json.RawMessage(`{"text":"x"}`), Options: runtime.Options{OnProgress: func(p runtime.Progress) { got = append(got, p.Progress) }}})
	if err != nil || len(got) != 10 || !slices.IsSorted(got) {
		t.Errorf("progress %v, %v", got, err)
	}
}

// TestFault/E04: arguments are never given to a shell.
func TestFaultE04NoShell(t *testing.T) {
	dir := t.TempDir()
	s := process(t, "echo", "-state", "$(touch EVIL)", "-canary", "x; touch EVIL")
	s.Dir = dir
	_ = ready(t, s)
	if _, err := os.Stat(filepath.Join(dir, "EVIL")); err == nil {
		t.Error("a shell ran")
	}
}

func TestSecretsAreMasked(t *testing.T) {
	s := process(t, "crash-on-start")
	s.Env = append(s.Env, endpoint.Var{Name: "WORD", Value: "$WORD"})
	s.Expand = func(_ endpoint.Field, text string, lookup func(string) (string, bool)) (string, error) {
		if v, ok := strings.CutPrefix(text, "$"); ok {
			value, _ := lookup(v)
			return value, nil
		}
		return text, nil
	}
	h := connected(t, &Options{LookupEnv: func(string) (string, bool) { return "EVIL_API_KEY", true }}, s)
	if err := h.Err(); err == nil || strings.Contains(err.Error(), "EVIL_API_KEY") || !strings.Contains(err.Error(), "*** is not set") {
		t.Errorf("error %v", err)
	}
}
