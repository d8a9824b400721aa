package attach

import (
	"bytes"
	"context"
	"encoding/json"
	"flag"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/mcpgen/mcpgen/golden/testserver"
	mcpruntime "github.com/mcpgen/mcpgen/runtime"
	"github.com/mcpgen/mcpgen/runtime/endpoint"
	"github.com/mcpgen/mcpgen/runtime/event"
	"github.com/mcpgen/mcpgen/runtime/protocol"
)

// asEliciting makes this test binary a server that elicits.
const asEliciting = "MCPGEN_ATTACH_TEST_ELICITING"

func TestMain(m *testing.M) {
	if os.Getenv(asEliciting) != "" {
		_ = elicitingServer().Run(context.Background(), &mcp.StdioTransport{}) // until its client goes
		os.Exit(0)
	}
	if os.Getenv(asClient) != "" {
		os.Exit(clientMain(os.Args[1:]))
	}
	// These tests wait for processes more than they work.
	flag.Parse()
	if err := flag.Set("test.parallel", "6"); err != nil {
		panic(err)
	}
	if f := flag.Lookup("test.fuzz"); f != nil && f.Value.String() != "" {
		os.Exit(m.Run()) // fuzzing listens for signals to its end
	}
	os.Exit(testserver.Run(func() int { return runWithoutLeftovers(m.Run) }))
}

// runWithoutLeftovers runs the tests, and fails them if they leave a process, a file or a
// goroutine behind.
func runWithoutLeftovers(run func() int) int {
	http.DefaultTransport.(*http.Transport).CloseIdleConnections()
	before := runtime.NumGoroutine()
	if code := run(); code != 0 {
		return code
	}
	var left string
	for deadline := time.Now().Add(testTimeout); time.Now().Before(deadline); time.Sleep(20 * time.Millisecond) {
		http.DefaultTransport.(*http.Transport).CloseIdleConnections()
		left = ""
		if n := runtime.NumGoroutine(); n > before {
			stacks := make([]byte, 1<<20)
			left = fmt.Sprintf("%d goroutines, %d before\n%s", n, before, stacks[:runtime.Stack(stacks, true)])
		}
		children, _ := filepath.Glob("/proc/self/task/*/children")
		for _, path := range children {
			if pids, err := os.ReadFile(path); err == nil && len(pids) > 0 {
				left += fmt.Sprintf("processes %s\n", pids)
			}
		}
		if left == "" {
			return 0
		}
	}
	fmt.Fprintln(os.Stderr, "the tests leave behind:", left)
	return 1
}

// processServer describes the test server as a process in one of its modes.
func processServer(t *testing.T, args ...string) endpoint.Server {
	t.Helper()
	return endpoint.Server{Name: "s", Launch: &endpoint.Process{Command: testserver.Program(), Args: args}}
}

// processOf and addressOf are the launch of a server, to be changed in place.
func processOf(s endpoint.Server) *endpoint.Process { return s.Launch.(*endpoint.Process) }

func addressOf(s endpoint.Server) *endpoint.Address { return s.Launch.(*endpoint.Address) }

// serveHTTP runs a handler for one test.
func serveHTTP(t testing.TB, h http.Handler) string {
	t.Helper()
	s := httptest.NewServer(h)
	t.Cleanup(func() {
		s.CloseClientConnections()
		s.Close()
	})
	return s.URL
}

// httpServer describes the test server over HTTP in this process.
func httpServer(t *testing.T, args ...string) endpoint.Server {
	t.Helper()
	h, err := testserver.Handler(args...)
	if err != nil {
		t.Fatal(err)
	}
	return endpoint.Server{Name: "s", Launch: &endpoint.Address{URL: serveHTTP(t, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		// A handler hears that its client has gone only once the body is read.
		body, err := io.ReadAll(r.Body)
		if err != nil {
			return
		}
		r.Body = io.NopCloser(bytes.NewReader(body))
		h.ServeHTTP(w, r)
	})) + "/mcp"}}
}

// connectAll attaches to servers and closes them with the test.
func connectAll(t *testing.T, opts *Options, servers ...endpoint.Server) *Host {
	t.Helper()
	h, err := Connect(t.Context(), servers, opts)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = h.Close() })
	return h
}

// onState calls f for each change of the state of a server.
func onState(f func(server string, state State)) func(event.Event) {
	return func(e event.Event) {
		switch e.Kind {
		case event.Notice:
			if e.State != string(Connecting) {
				return
			}
		case event.Unstarted, event.Attaching, event.Attached, event.Failed,
			event.Restarting, event.Reconnecting, event.Detached:
		default:
			return
		}
		f(e.Server, State(e.State))
	}
}

// connectReady attaches to one server, which must come up.
func connectReady(t *testing.T, s endpoint.Server) *Host {
	t.Helper()
	h := connectAll(t, nil, s)
	if err := h.Err(); err != nil {
		t.Fatal(err)
	}
	return h
}

// connectFailing attaches to one server, which must not come up.
func connectFailing(t *testing.T, s endpoint.Server) *ServerError {
	t.Helper()
	h := connectAll(t, nil, s, withName(httpServer(t, "echo"), "z"))
	st := h.Status()[0]
	se, ok := st.Err.(*ServerError)
	if !ok || st.State != Failed {
		t.Fatalf("state %s, error %v", st.State, st.Err)
	}
	if _, err := callTool(t.Context(), h, "echo", "{}"); err == nil {
		t.Error("a call of a server that failed has no error, want one")
	}
	if err := callOf(t.Context(), h, "z"); err != nil {
		t.Errorf("the other server: %v", err)
	}
	return se
}

func callTool(ctx context.Context, h *Host, tool, args string) (*mcpruntime.Result, error) {
	return h.Invoke(ctx, mcpruntime.Request{Server: "s", Method: protocol.MethodCallTool, Name: tool, Args: json.RawMessage(args)})
}

// checkError checks that an error names everything that it should, and is clean.
func checkError(t *testing.T, err error, want ...string) {
	t.Helper()
	if err == nil {
		t.Fatalf("no error, want one with %q", want)
	}
	for _, w := range want {
		if !strings.Contains(err.Error(), w) {
			t.Errorf("error %q lacks %q", err, w)
		}
	}
	if strings.ContainsAny(err.Error(), "\x1b\x00\u202e") {
		t.Errorf("error %q is not clean", err)
	}
}

// noLeaks checks that goroutines and open files are as before when f is over.
func noLeaks(t *testing.T, f func()) {
	t.Helper()
	http.DefaultTransport.(*http.Transport).CloseIdleConnections()
	goroutines, files := runtime.NumGoroutine(), openFiles(t)
	f()
	deadline := time.Now().Add(5 * time.Second)
	for time.Now().Before(deadline) {
		if runtime.NumGoroutine() <= goroutines && len(openFiles(t)) <= len(files) {
			return
		}
		time.Sleep(20 * time.Millisecond)
	}
	stacks := make([]byte, 1<<20)
	stacks = stacks[:runtime.Stack(stacks, true)]
	t.Errorf("goroutines %d → %d, files %v → %v\n%s", goroutines, runtime.NumGoroutine(), files, openFiles(t), stacks)
}

func openFiles(t *testing.T) []string {
	t.Helper()
	entries, err := os.ReadDir("/proc/self/fd")
	if err != nil {
		return nil // not Linux: goroutines alone are counted
	}
	var open []string
	for _, e := range entries {
		to, err := os.Readlink("/proc/self/fd/" + e.Name())
		if err == nil && to != "/proc/self/fd" && !strings.HasPrefix(to, "/proc/") {
			open = append(open, to)
		}
	}
	slices.Sort(open)
	return open
}
