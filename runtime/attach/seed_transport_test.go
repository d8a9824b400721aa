package attach

// Rows about how calls travel: handshakes, framing, streams, processes.

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/mcpgen/mcpgen/golden/testserver"
	mcpruntime "github.com/mcpgen/mcpgen/runtime"
	"github.com/mcpgen/mcpgen/runtime/endpoint"
	"github.com/mcpgen/mcpgen/runtime/naming"
	"github.com/mcpgen/mcpgen/runtime/protocol"
)

func transportSeeds() map[string]func(*testing.T) {
	return map[string]func(*testing.T){
		"001-37": TestErrorBodiesAreTold,
		"002-17": stdioAttach,
		"002-20": testFraming,
		"002-21": testCorrelation,
		"002-22": noOrphans,
		"003-05": bareNames,
		"003-14": sseWorks,
		"003-15": abortPerPost,
		"003-16": sseStop,
		"003-17": endpointWait,
		"003-18": noLateResolution,
		"004-22": testCancelled,
	}
}

func stdioAttach(t *testing.T) {
	s, calls := tracedServer(t, "echo")
	h := connectAll(t, &Options{Protocols: map[string]string{"s": legacy}}, s)
	if got := methodsOf(calls("message")); !slices.Equal(got, []string{"initialize", "notifications/initialized", "tools/list"}) || h.Status()[0].Tools != 1 {
		t.Errorf("sent %v", got)
	}
}

func corpusFile(t *testing.T, name string) string {
	t.Helper()
	path, err := filepath.Abs(filepath.Join("..", "..", "golden", "corpus", "servers", name))
	if err != nil {
		t.Fatal(err)
	}
	return path
}

// One message a line, also where the arguments hold line breaks.
func testFraming(t *testing.T) {
	s, calls := tracedServer(t, "echo")
	h := connectReady(t, s)
	res, err := callTool(t.Context(), h, "echo", "{\n\"text\":\r\n \"a\\nb\"\n}")
	if err != nil || !strings.Contains(string(res.Structured), `a\nb`) {
		t.Fatalf("%v, %v", res, err)
	}
	for _, e := range calls("message") {
		var m map[string]json.RawMessage
		if err := json.Unmarshal(e["message"], &m); err != nil || string(m["jsonrpc"]) != `"2.0"` {
			t.Errorf("line %s: %v", e["message"], err)
		}
	}
}

// Answers find their calls in any order, and what belongs to no call is dropped.
func testCorrelation(t *testing.T) {
	t.Run("out of order", TestFaultE22Reorder)
	for _, mode := range []string{"noise-json", "noise-stdout", "dup-response"} {
		h := connectReady(t, processServer(t, mode))
		for range 3 {
			if err := echo(t.Context(), h); err != nil {
				t.Errorf("%s: %v", mode, err)
			}
		}
	}
}

func bareNames(t *testing.T) {
	s, calls := tracedServer(t, "replay", corpusFile(t, "filesystem.json"))
	s.Name = "filesystem"
	h := connectAll(t, nil, s)
	server, tool, ok := naming.MCPDoubleUnderscore.Split("mcp__filesystem__read_file")
	if !ok {
		t.Fatal("Split of mcp__filesystem__read_file is not ok")
	}
	if _, err := h.Invoke(t.Context(), mcpruntime.Request{Server: server, Method: protocol.MethodCallTool, Name: tool, Args: json.RawMessage(`{"path":"x"}`)}); err != nil {
		t.Fatal(err)
	}
	all := calls("message")
	if last := string(all[len(all)-1]["message"]); !strings.Contains(last, `"name":"read_file"`) {
		t.Errorf("sent %s", last)
	}
}

// overSSE describes the test server over the older transport, with a handler
// before it.
func overSSE(t *testing.T, mode string, before func(w http.ResponseWriter, r *http.Request) bool) endpoint.Server {
	t.Helper()
	inner := newStand(t, mode)
	s := inner.server("/sse", endpoint.SSE)
	if before == nil {
		return s
	}
	next := inner.srv.Handler
	addressOf(s).URL = serveHTTP(t, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if !before(w, r) {
			next.ServeHTTP(w, r)
		}
	})) + "/sse"
	return s
}

func sseWorks(t *testing.T) {
	s := overSSE(t, "echo", func(w http.ResponseWriter, r *http.Request) bool {
		if r.Header.Get("X-Key") == "k" {
			return false
		}
		http.Error(w, "no key", http.StatusForbidden)
		return true
	})
	addressOf(s).Headers = []endpoint.Var{{Name: "X-Key", Value: "k"}}
	h := connectReady(t, s)
	if err := echo(t.Context(), h); err != nil {
		t.Error(err)
	}
	if st := h.Status()[0]; st.Transport != endpoint.SSE {
		t.Errorf("transport %s", st.Transport)
	}
}

// hungPosts answers no calls: their posts wait until the client has gone.
func hungPosts(posts, aborted *atomic.Int64) func(http.ResponseWriter, *http.Request) bool {
	return func(_ http.ResponseWriter, r *http.Request) bool {
		if r.Method != http.MethodPost {
			return false
		}
		body, err := io.ReadAll(r.Body)
		r.Body = io.NopCloser(bytes.NewReader(body))
		if err != nil || !bytes.Contains(body, []byte("tools/call")) {
			return false
		}
		posts.Add(1)
		<-r.Context().Done()
		aborted.Add(1)
		return true
	}
}

// Each post has its own end: the time of the call is that of the request.
func abortPerPost(t *testing.T) {
	var posts, aborted atomic.Int64
	s := overSSE(t, "echo", hungPosts(&posts, &aborted))
	s.Timeout.Call = 100 * time.Millisecond
	h := connectReady(t, s)
	if err := echo(t.Context(), h); !errors.Is(err, mcpruntime.ErrTimeout) {
		t.Errorf("error %v", err)
	}
	eventually(t, "the end of the request", func() bool { return posts.Load() == 1 && aborted.Load() == 1 })
	if st := h.Status()[0]; st.State != Ready {
		t.Errorf("the session is lost: %v", st.Err)
	}
}

// The end of the session ends the stream and all posts.
func sseStop(t *testing.T) {
	var posts, aborted atomic.Int64
	s := overSSE(t, "echo", hungPosts(&posts, &aborted))
	noLeaks(t, func() {
		h := connectReady(t, s)
		errs := make(chan error, 3)
		for range 3 {
			go func() { errs <- echo(t.Context(), h) }()
		}
		eventually(t, "three posts", func() bool { return posts.Load() == 3 })
		_ = h.Close()
		for range 3 {
			if err := <-errs; !errors.Is(err, mcpruntime.ErrNotAttached) {
				t.Errorf("error %v", err)
			}
		}
		eventually(t, "the end of the requests", func() bool { return aborted.Load() == 3 })
	})
}

// A stream that never says where to post ends with the time to start.
func endpointWait(t *testing.T) {
	closed := make(chan struct{})
	url := serveHTTP(t, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "text/event-stream")
		_, _ = fmt.Fprint(w, ": open\n\n")
		_ = http.NewResponseController(w).Flush()
		<-r.Context().Done()
		close(closed)
	}))
	s := endpoint.Server{Name: "s", Launch: &endpoint.Address{URL: url + "/sse", Transport: endpoint.SSE}, Restart: endpoint.RestartNever}
	s.Timeout.Start = 300 * time.Millisecond
	h := connectAll(t, nil, s)
	checkError(t, h.Err(), "timeout.start")
	select {
	case <-closed:
	case <-time.After(testTimeout):
		t.Errorf("%v after the end of the call its connection is still open", testTimeout)
	}
}

// A late answer belongs to nobody, and nothing waits for it.
func noLateResolution(t *testing.T) {
	h := connectReady(t, overSSE(t, "late-response", nil))
	sess, err := h.serverState("s").get()
	if err != nil {
		t.Fatal(err)
	}
	for range 2 {
		_, err := h.Invoke(t.Context(), mcpruntime.Request{Server: "s", Method: protocol.MethodCallTool, Name: "echo", Args: json.RawMessage(`{"text":"late"}`),
			Options: mcpruntime.Options{Timeout: 20 * time.Millisecond}})
		if !errors.Is(err, mcpruntime.ErrTimeout) {
			t.Errorf("error %v", err)
		}
	}
	soon, cancel := context.WithTimeout(t.Context(), testTimeout)
	defer cancel()
	if sess.Drain(soon); soon.Err() != nil {
		t.Fatal("calls still wait")
	}
	res, err := callTool(t.Context(), h, "echo", `{"text":"right"}`)
	if err != nil || !strings.Contains(string(res.Structured), "right") {
		t.Errorf("%v, %v", res, err)
	}
}

func testCancelled(t *testing.T) {
	s, calls := tracedServer(t, "hang-on-call")
	h := connectReady(t, s)
	ctx, stop := context.WithCancel(t.Context())
	var once sync.WaitGroup
	once.Go(func() {
		if err := echo(ctx, h); !errors.Is(err, context.Canceled) {
			t.Errorf("error %v", err)
		}
	})
	eventually(t, "the call", func() bool { return slices.Contains(methodsOf(calls("message")), "tools/call") })
	stop()
	once.Wait()
	eventually(t, "the word of it", func() bool { return slices.Contains(methodsOf(calls("message")), "notifications/cancelled") })
}

// asClient makes this test binary a program that attaches and then waits to be
// killed, or interrupted: then it closes its host.
const asClient = "MCPGEN_ATTACH_TEST_CLIENT"

// clientMain attaches to the test server in a mode, and says so.
func clientMain(args []string) int {
	s := endpoint.Server{Name: "s", Launch: &endpoint.Process{Command: testserver.Program(), Args: args}}
	h, err := Connect(context.Background(), []endpoint.Server{s}, nil)
	if err != nil || h.Err() != nil {
		fmt.Fprintln(os.Stderr, err, h.Err())
		return 2
	}
	interrupted, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	fmt.Println("ready")
	select {
	case <-interrupted.Done():
		_ = h.Close()
		return 130
	case <-time.After(time.Minute):
		return 3
	}
}

// A program that is killed leaves no server, and nothing that a server started, also
// in a session of its own.
func noOrphans(t *testing.T) {
	if runtime.GOOS != "linux" {
		t.Skip("elsewhere the end of standard input is all that a server hears")
	}
	exe, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	for _, mode := range []string{"echo", "ignore-eof", "ignore-sigterm", "wrapper", "grandchild", "daemon", "double-fork"} {
		t.Run(mode, func(t *testing.T) {
			t.Parallel()
			trace := filepath.Join(t.TempDir(), "trace")
			cmd := exec.CommandContext(t.Context(), exe, mode, "-trace", trace)
			cmd.Env = append(os.Environ(), asClient+"=1")
			out, err := cmd.StdoutPipe()
			if err == nil {
				err = cmd.Start()
			}
			if err != nil {
				t.Fatal(err)
			}
			if _, err := fmt.Fscanln(out, new(string)); err != nil {
				t.Fatal(err)
			}
			if err := cmd.Process.Kill(); err != nil {
				t.Fatal(err)
			}
			_ = cmd.Wait() // it was killed
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
				for _, pid := range []int{e.PID, e.Child} {
					if pid != 0 && e.Event != "message" {
						seen++
						checkEnded(t, pid)
					}
				}
			}
			if want := map[string]int{"grandchild": 2, "daemon": 2, "double-fork": 2}[mode]; seen < max(1, want) {
				t.Errorf("%d processes were seen", seen)
			}
		})
	}
}
