package attach

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"os"
	"path/filepath"
	goruntime "runtime"
	"slices"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/mcpgen/mcpgen/internal/stage"
	"github.com/mcpgen/mcpgen/runtime"
	"github.com/mcpgen/mcpgen/runtime/endpoint"
	"github.com/mcpgen/mcpgen/runtime/protocol"
)

// checkEnded checks that a process has ended.
func checkEnded(t *testing.T, pid int) {
	t.Helper()
	for deadline := time.Now().Add(5 * time.Second); time.Now().Before(deadline); time.Sleep(5 * time.Millisecond) {
		if p, err := os.FindProcess(pid); err != nil || p.Signal(syscall.Signal(0)) != nil {
			return
		}
		// Whose parent was killed waits for another one to take note of its end.
		stat, err := os.ReadFile("/proc/" + strconv.Itoa(pid) + "/stat")
		if err == nil && strings.HasPrefix(string(stat[bytes.LastIndexByte(stat, ')')+1:]), " Z") {
			return
		}
	}
	t.Errorf("process %d lives on", pid)
}

// tracedServer gives a server a trace file, and returns what reads its events.
func tracedServer(t *testing.T, args ...string) (endpoint.Server, func(event string) []map[string]json.RawMessage) {
	t.Helper()
	path := filepath.Join(t.TempDir(), "trace")
	return processServer(t, append(args, "-trace", path)...), func(event string) []map[string]json.RawMessage { return eventsIn(t, path, event) }
}

// eventsIn returns the events of one kind in a trace.
func eventsIn(t *testing.T, path, event string) []map[string]json.RawMessage {
	t.Helper()
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	var found []map[string]json.RawMessage
	for line := range strings.Lines(string(data)) {
		if !strings.HasSuffix(line, "\n") {
			break // it is being written
		}
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

// methodsOf are the methods of traced messages.
func methodsOf(events []map[string]json.RawMessage) []string {
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
		s, events := tracedServer(t, "echo")
		h := connectReady(t, s)
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
		checkEnded(t, st.PID)
		// Seed 000-08: the order of a handshake.
		want := []string{"server/discover", "initialize", "notifications/initialized", "tools/list", "tools/call", "tools/call"}
		if got := methodsOf(events("message")); !slices.Equal(got, want) {
			t.Errorf("messages %q, want %q", got, want)
		}
	})
}

func TestBadArgumentsAreNotSent(t *testing.T) {
	h := connectReady(t, processServer(t, "echo"))
	for _, args := range []string{"[]", "1", "{", `{"a":1} {}`, "null"} {
		_, err := callTool(t.Context(), h, "echo", args)
		var ce *runtime.CallError
		if !errors.Is(err, runtime.ErrInvalidArgs) || !errors.As(err, &ce) || ce.Sent || ce.Stage != stage.Encode {
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

func TestFaultE03CannotBeStarted(t *testing.T) {
	dir := t.TempDir()
	plain := filepath.Join(dir, "plain")
	if err := os.WriteFile(plain, []byte("text"), 0o600); err != nil {
		t.Fatal(err)
	}
	for name, s := range map[string]endpoint.Server{
		"missing":        {Launch: &endpoint.Process{Command: "no-such-server-anywhere"}},
		"directory":      {Launch: &endpoint.Process{Command: dir}},
		"not executable": {Launch: &endpoint.Process{Command: plain}},
		"no such folder": {Launch: &endpoint.Process{Command: "sh", Dir: filepath.Join(dir, "none")}},
	} {
		s.Name = "s"
		err := connectFailing(t, s)
		if err.Stage != stage.Start {
			t.Errorf("%s: %v", name, err)
		}
		checkError(t, err, processOf(s).Command)
	}
}

func TestMissingVariable(t *testing.T) {
	s := processServer(t, "echo")
	processOf(s).Env = append(processOf(s).Env, endpoint.Var{Name: "API_KEY", Value: "${API_KEY}"})
	s.Expand = func(_ endpoint.Field, text string, lookup endpoint.Lookup) (string, error) {
		if text != "${API_KEY}" {
			return text, nil
		}
		if v, ok := lookup(endpoint.Reference{Name: "API_KEY"}); ok {
			return v, nil
		}
		return "", errors.New("the variable API_KEY is not set: set it")
	}
	h := connectAll(t, &Options{LookupEnv: func(string) (string, bool) { return "", false }}, s)
	st := h.Status()[0]
	var se *ServerError
	if !errors.As(st.Err, &se) || se.Stage != stage.Configure || strings.Count(st.Err.Error(), `server "s"`) != 1 {
		t.Errorf("error %v", st.Err)
	}
	checkError(t, st.Err, "API_KEY is not set")
}

func TestAllowEmpty(t *testing.T) {
	s := processServer(t, "no-tools")
	s.AllowEmpty = true
	h := connectReady(t, s)
	if snap, _, err := h.Snapshot(t.Context(), "s", nil); err != nil || len(snap.Tools) != 0 || len(h.Status()[0].Problems) != 0 {
		t.Errorf("%v, %v", snap, err)
	}
}

func TestFaultF06RoundsOverStdio(t *testing.T) {
	s, events := tracedServer(t, "modern-mrtr")
	var log strings.Builder
	h := connectAll(t, &Options{Logger: slog.New(slog.NewTextHandler(&log, nil))}, s)
	_, err := callTool(t.Context(), h, "echo", `{"text":"x"}`)
	var ie *InputError
	if !errors.As(err, &ie) {
		t.Errorf("error %v", err)
	}
	calls := 0
	for _, m := range methodsOf(events("message")) {
		if m == "tools/call" {
			calls++
		}
	}
	if calls != 10 || !strings.Contains(log.String(), "Your password?") {
		t.Errorf("%d calls, log %q", calls, log.String())
	}
}

func TestFaultE05TheLossIsSeen(t *testing.T) {
	states := make(chan State, 10)
	h := connectAll(t, &Options{OnEvent: onState(func(_ string, s State) { states <- s })}, processServer(t, "crash-on-call"))
	if _, err := callTool(t.Context(), h, "echo", "{}"); err == nil {
		t.Fatal("the call has no error, want that of a server that crashes")
	}
	var got []State
	for range 3 {
		select {
		case s := <-states:
			got = append(got, s)
		case <-time.After(5 * time.Second):
			t.Fatalf("states %v", got)
		}
	}
	if !slices.Equal(got, []State{Connecting, Ready, Lost}) {
		t.Errorf("states %v", got)
	}
	checkError(t, h.Err(), "exit status 7", `server "s": session: `)
	if _, err := callTool(t.Context(), h, "echo", "{}"); !errors.Is(err, runtime.ErrUnavailable) {
		t.Errorf("the call that restarts it, and that it crashes at: %v", err)
	}
	_, err := callTool(t.Context(), h, "echo", "{}")
	var ce *runtime.CallError
	if !errors.Is(err, runtime.ErrUnavailable) || !errors.As(err, &ce) || ce.Stage != stage.Connect || ce.Sent {
		t.Errorf("error %v", err)
	}
}

func TestFaultE12FrozenServer(t *testing.T) {
	noLeaks(t, func() {
		s := processServer(t, "no-read")
		s.Timeout.Call = 500 * time.Millisecond
		h := connectReady(t, s)
		_, err := callTool(t.Context(), h, "echo", `{"text":"`+strings.Repeat("x", 4<<20)+`"}`)
		if !errors.Is(err, runtime.ErrTimeout) {
			t.Errorf("error %v", err)
		}
		_ = h.Close()
	})
}

// TestFault/E13 to E15: servers that do not want to end, and what they started,
// also as a session of its own; all are gone within the time of Close.
func TestFaultE13E14E15Close(t *testing.T) {
	t.Parallel()
	var servers []endpoint.Server
	trace := filepath.Join(t.TempDir(), "trace")
	for i, mode := range []string{"ignore-eof", "ignore-sigterm", "grandchild", "echo", "ignore-sigterm", "wrapper", "daemon"} {
		if mode == "daemon" && goruntime.GOOS != "linux" {
			continue // elsewhere nobody tells whose child a session was
		}
		servers = append(servers, withName(processServer(t, mode, "-trace", trace), fmt.Sprint(mode, i)))
	}
	h := connectAll(t, nil, servers...)
	if err := h.Err(); err != nil {
		t.Fatal(err)
	}
	_ = h.Close()
	data, err := os.ReadFile(trace)
	if err != nil {
		t.Fatal(err)
	}
	seen := 0
	for line := range strings.Lines(string(data)) {
		var e struct {
			Event      string
			PID, Child int
		}
		if err := json.Unmarshal([]byte(line), &e); err != nil {
			t.Fatal(err)
		}
		if e.Event == "start" || e.Event == "child" {
			seen++
			checkEnded(t, cmp.Or(e.Child, e.PID))
		}
	}
	if want := len(servers) + 1; seen < want {
		t.Errorf("%d processes were seen, want %d", seen, want)
	}
}

// TestFault/E20, seeds 000-10 and 001-26: a slow or broken server holds nobody
// up.
func TestFaultE20Isolation(t *testing.T) {
	t.Parallel()
	servers := []endpoint.Server{processServer(t, "never-init"), processServer(t, "crash-on-start")}
	servers[0].Name, servers[1].Name = "never", "crash"
	servers[0].Timeout.Start = 8 * time.Second
	for i := range 8 {
		s := processServer(t, "echo")
		s.Name = fmt.Sprint("echo", i)
		servers = append(servers, s)
	}
	var mu sync.Mutex
	var ended []string
	h := connectAll(t, &Options{OnEvent: onState(func(server string, state State) {
		mu.Lock()
		defer mu.Unlock()
		if state != Connecting {
			ended = append(ended, server)
		}
	})}, servers...)
	if len(ended) != 10 || ended[9] != "never" {
		t.Errorf("the slow one is not last: %v", ended)
	}
	err := h.Err()
	checkError(t, err, `server "never"`, `server "crash"`, "EVIL_API_KEY")
	if n := strings.Count(err.Error(), "\n"); n != 1 {
		t.Errorf("%d lines: %v", n+1, err)
	}
	for i, st := range h.Status() {
		if st.Server != servers[i].Name {
			t.Errorf("%s in place of %s", st.Server, servers[i].Name)
		}
	}
}

func TestFaultE22Reorder(t *testing.T) {
	h := connectReady(t, processServer(t, "reorder", "-delay", "5ms"))
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
	h := connectReady(t, processServer(t, "hang-on-call"))
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
	t.Parallel()
	s, events := tracedServer(t, "late-response", "-delay", "1s")
	h := connectReady(t, s)
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
	if !slices.Contains(methodsOf(events("message")), "notifications/cancelled") {
		t.Errorf("the server got %q, want notifications/cancelled among them", methodsOf(events("message")))
	}
}

func TestFaultF15Progress(t *testing.T) {
	var got []float64
	_, err := connectReady(t, processServer(t, "progress")).Invoke(t.Context(), runtime.Request{Server: "s", Method: protocol.MethodCallTool, Name: "echo",
		Args: json.RawMessage(`{"text":"x"}`), Options: runtime.Options{OnProgress: func(p runtime.Progress) { got = append(got, p.Progress) }}})
	if err != nil || len(got) != 10 || !slices.IsSorted(got) {
		t.Errorf("progress %v, %v", got, err)
	}
}

// TestFault/E04: arguments are never given to a shell.
func TestFaultE04NoShell(t *testing.T) {
	dir := t.TempDir()
	s := processServer(t, "echo", "-state", "$(touch EVIL)", "-canary", "x; touch EVIL")
	processOf(s).Dir = dir
	_ = connectReady(t, s)
	if _, err := os.Stat(filepath.Join(dir, "EVIL")); err == nil {
		t.Error("the file EVIL is there, so a shell ran, want none")
	}
}

func TestSecretsAreMasked(t *testing.T) {
	s := processServer(t, "crash-on-start")
	processOf(s).Env = append(processOf(s).Env, endpoint.Var{Name: "WORD", Value: "$WORD"})
	s.Expand = func(_ endpoint.Field, text string, lookup endpoint.Lookup) (string, error) {
		if v, ok := strings.CutPrefix(text, "$"); ok {
			value, _ := lookup(endpoint.Reference{Name: v})
			return value, nil
		}
		return text, nil
	}
	h := connectAll(t, &Options{LookupEnv: func(string) (string, bool) { return "EVIL_API_KEY", true }}, s)
	if err := h.Err(); err == nil || strings.Contains(err.Error(), "EVIL_API_KEY") || !strings.Contains(err.Error(), "*** is not set") {
		t.Errorf("error %v", err)
	}
	processOf(s).Args = []string{"progress"}
	h = connectAll(t, &Options{LookupEnv: func(string) (string, bool) { return "step 7", true }}, s)
	var said []string
	_, err := h.Invoke(t.Context(), runtime.Request{Server: "s", Method: protocol.MethodCallTool, Name: "echo",
		Args: json.RawMessage(`{"text":"x"}`), Options: runtime.Options{OnProgress: func(p runtime.Progress) { said = append(said, p.Message) }}})
	if err != nil || !slices.Contains(said, "***") || !slices.Contains(said, "step 8") || slices.Contains(said, "step 7") {
		t.Errorf("progress %q, %v", said, err)
	}
}
