package attach

import (
	"context"
	"crypto/tls"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/mcpgen/mcpgen/golden/testserver"
	"github.com/mcpgen/mcpgen/runtime"
	"github.com/mcpgen/mcpgen/runtime/endpoint"
	"github.com/mcpgen/mcpgen/runtime/event"
	"github.com/mcpgen/mcpgen/runtime/protocol"
)

// countingServer is a foreign origin that counts who comes.
func countingServer(t *testing.T) (string, *atomic.Int64) {
	n := new(atomic.Int64)
	return serveHTTP(t, http.HandlerFunc(func(http.ResponseWriter, *http.Request) { n.Add(1) })), n
}

// Faults over HTTP that no server can be attached through.
func TestFaultHTTPStart(t *testing.T) {
	t.Parallel()
	foreign, visits := countingServer(t)
	for _, c := range []struct {
		id, mode  string
		transport endpoint.Transport
		is        error
		want      []string
	}{
		{"G02", "no-headers", endpoint.HTTP, runtime.ErrTimeout, []string{"timeout.start"}},
		{"G02", "slow-body", endpoint.HTTP, runtime.ErrTimeout, []string{"timeout.start"}},
		{"G03", "gzip-bomb", endpoint.HTTP, nil, []string{"limits.message"}},
		{"G04", "redirect", endpoint.HTTP, nil, []string{"another origin", foreign}},
		{"G04", "redirect-loop", endpoint.HTTP, nil, []string{"redirects more than"}},
		{"G04", "redirect-meta", endpoint.HTTP, nil, []string{"another origin", "169.254.169.254"}},
		{"G04", "redirect-file", endpoint.HTTP, nil, []string{"another origin", "file://"}},
		{"G05", "endpoint-elsewhere", endpoint.SSE, nil, []string{"another origin"}},
		{"G06", "unauthorized", endpoint.Auto, runtime.ErrAuth, []string{"401", "sign in first", "Authorization"}},
		{"G07", "html", endpoint.HTTP, nil, []string{"200 OK", "text/html", `"Sign in evil"`}},
		{"G07", "empty-body", endpoint.HTTP, nil, []string{"not JSON"}},
		{"G07", "octets", endpoint.HTTP, nil, []string{"application/octet-stream"}},
		{"G07", "internal-error", endpoint.HTTP, runtime.ErrUnavailable, []string{"500", "stack trace evil"}},
		{"G07", "forbidden", endpoint.HTTP, runtime.ErrAuth, []string{"403", "forbidden"}},
		{"G08", "unavailable", endpoint.HTTP, runtime.ErrUnavailable, []string{"503", "86400", "down for maintenance"}},
		{"F07", "init-error", endpoint.HTTP, runtime.ErrRPC, []string{"cannot initialize: evil"}},
		{"F07", "bad-version", endpoint.HTTP, nil, []string{"1999-01-01"}},
		{"F07", "list-error", endpoint.HTTP, runtime.ErrRPC, []string{"cannot list: evil"}},
		{"F07", "list-error", endpoint.SSE, runtime.ErrRPC, []string{"cannot list: evil"}},
		{"D03", "stuck-cursor", endpoint.HTTP, nil, []string{"again and again"}},
	} {
		t.Run(fmt.Sprint(c.id, "/", c.mode, c.transport), func(t *testing.T) {
			t.Parallel()
			s := httpServer(t, c.mode, "-canary", foreign, "-size", "8MiB")
			addressOf(s).Transport, s.Limits.Message, s.Timeout.Start = c.transport, 1<<20, time.Minute
			addressOf(s).Headers = []endpoint.Var{{Name: "Authorization", Value: "Bearer not-for-others"}}
			if c.is == runtime.ErrTimeout {
				s.Timeout.Start = time.Second
			}
			if c.transport == endpoint.SSE {
				addressOf(s).URL = strings.TrimSuffix(addressOf(s).URL, "/mcp") + "/sse"
			}
			err := connectFailing(t, s)
			if c.is != nil && !errors.Is(err, c.is) {
				t.Errorf("error %v is not %v", err, c.is)
			}
			checkError(t, err, append(c.want, `server "s": `)...)
			if strings.Contains(err.Error(), "not-for-others") {
				t.Errorf("the header is in the error: %v", err)
			}
		})
	}
	t.Cleanup(func() {
		if n := visits.Load(); n > 0 {
			t.Errorf("the foreign origin was reached %d times", n)
		}
	})
}

// What becomes of calls over HTTP; the session lives on.
func TestFaultHTTPCalls(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		id, mode string
		is       error
		want     []string
		lost     bool
	}{
		{"G03", "giant-event", runtime.ErrUnavailable, []string{"limits.message"}, false},
		{"G09", "drop-call", runtime.ErrUnavailable, []string{"closed the connection"}, false},
		{"F08", "wrong-id", errAny, nil, false},
		{"F08", "null-id", errAny, nil, false},
		{"F08", "string-id", nil, nil, false},
		{"F09", "both", runtime.ErrRPC, []string{"and an error"}, false},
		{"F11", "hang-on-call", runtime.ErrTimeout, nil, false},
		{"F12", "elicit", nil, []string{"decline"}, false},
		{"F15", "progress-wrong", nil, nil, false},
		{"F16", "rpc-error", runtime.ErrRPC, nil, false},
		{"F18", "unknown-content", nil, nil, false},
		{"D13", "progress-flood", nil, nil, false},
		{"G01", "no-stream", nil, nil, false},
		{"G02", "hang-call", runtime.ErrTimeout, []string{"timeout.call"}, false},
		{"G02", "endless-stream", runtime.ErrTimeout, []string{"timeout.call"}, false},
		{"G02", "silent-stream", nil, nil, false},
		{"G03", "header-flood", runtime.ErrUnavailable, []string{"header"}, false},
		{"G08", "flaky", runtime.ErrUnavailable, []string{"503", "overloaded", "try again"}, false},
		{"G09", "reset", runtime.ErrUnavailable, []string{"closed the connection"}, false},
		{"G09", "drop-event", runtime.ErrUnavailable, []string{"broke again and again"}, false},
		{"G09", "closing-stream", nil, nil, false},
		{"G11", "odd-session", nil, nil, false},
	} {
		t.Run(c.id+"/"+c.mode, func(t *testing.T) {
			t.Parallel()
			s := httpServer(t, c.mode, "-size", "8MiB", "-n", "2000")
			s.Timeout.Call, s.Limits.Message = time.Second, 1<<20
			if c.is == runtime.ErrUnavailable || strings.HasSuffix(c.mode, "flood") {
				s.Timeout.Call = 20 * time.Second
			}
			h := connectReady(t, s)
			req := runtime.Request{Server: "s", Method: protocol.MethodCallTool, Name: firstTool(h), Args: json.RawMessage(`{"text":"x"}`),
				Options: runtime.Options{OnProgress: func(runtime.Progress) {}}}
			res, err := h.Invoke(t.Context(), req)
			switch {
			case c.is == nil && err != nil:
				t.Error(err)
			case c.is != nil && err == nil:
				t.Errorf("no error but %s", res.Raw)
			case c.is != nil:
				if c.is != errAny && !errors.Is(err, c.is) {
					t.Errorf("error %v is not %v", err, c.is)
				}
				checkError(t, err, c.want...)
			}
			if st := h.Status()[0]; st.State != Ready {
				t.Errorf("the session did not survive: %v", st.Err)
			}
			if _, _, err := h.Snapshot(t.Context(), "s", nil); err != nil {
				t.Error(err)
			}
			if strings.HasPrefix(c.id, "G") && c.mode != "hang-call" && c.mode != "giant-event" { // those do it again
				if err := echo(t.Context(), h); err != nil {
					t.Errorf("the next call: %v", err)
				}
			}
		})
	}
}

// TestFault/G09: a server that asks to be asked again at once is not asked more
// often than is decent.
func TestFaultG09RetryZero(t *testing.T) {
	path := filepath.Join(t.TempDir(), "trace")
	s := httpServer(t, "retry-zero", "-trace", path)
	addressOf(s).Transport, s.Timeout.Call = endpoint.HTTP, 20*time.Second
	h := connectReady(t, s)
	began := time.Now()
	err := echo(t.Context(), h)
	took := time.Since(began)
	if !errors.Is(err, runtime.ErrUnavailable) {
		t.Errorf("error %v", err)
	}
	data, readErr := os.ReadFile(path)
	if readErr != nil {
		t.Fatal(readErr)
	}
	if n := strings.Count(string(data), `"method":"GET"`); float64(n) > 2+10*took.Seconds() {
		t.Errorf("%d requests for a stream in %v", n, took)
	}
	if err := echo(t.Context(), h); err != nil {
		t.Errorf("the next call: %v", err)
	}
}

// TestFault/G05 and F12: what a server says to open is not opened.
func TestFaultF12Pages(t *testing.T) {
	for _, s := range []endpoint.Server{processServer(t, "elicit-url"), httpServer(t, "elicit-url")} {
		opened := false
		h := connectAll(t, &Options{Logger: slog.New(slog.DiscardHandler), Input: answering(Handlers{Elicit: func(context.Context, string, ElicitRequest) (ElicitResult, error) {
			opened = true
			return ElicitResult{Action: ElicitAccept}, nil
		}})}, s)
		res, err := callTool(t.Context(), h, firstTool(h), "{}")
		if err != nil || !strings.Contains(string(res.Raw), "decline") || opened {
			t.Errorf("%+v, %v, opened %v", res, err, opened)
		}
	}
}

// TestFault/G08: a server that refuses every second request.
func TestFaultG08TooMany(t *testing.T) {
	h := connectAll(t, nil, httpServer(t, "too-many"))
	checkError(t, h.Err(), "429", "try again")
}

// TestFault/G10: a session that the server forgot. It did not act on the call
// that it answered so: that is sent again in a new session.
func TestFaultG10LostSession(t *testing.T) {
	h := connectReady(t, httpServer(t, "lost-session", "-n", "2"))
	for i := range 5 {
		if _, err := callTool(t.Context(), h, "echo", `{"text":"x"}`); err != nil {
			t.Fatalf("call %d: %v", i, err)
		}
	}
	st := h.Status()[0]
	if st.State != Ready || st.Restarts == 0 {
		t.Errorf("status %+v", st)
	}
	checkError(t, st.LastErr, "no longer knows this session")
}

// A call whose time is up while it waits for a server says why that is gone.
func TestLateCallSaysWhatTheServerIsMissing(t *testing.T) {
	handler, err := testserver.Handler("echo")
	if err != nil {
		t.Fatal(err)
	}
	web := httptest.NewServer(handler)
	h := connectReady(t, endpoint.Server{Name: "s", Launch: &endpoint.Address{URL: web.URL + "/mcp"}})
	web.CloseClientConnections()
	web.Close()
	eventually(t, "a call that waits", func() bool {
		_, err = h.Invoke(t.Context(), runtime.Request{Server: "s", Method: protocol.MethodCallTool, Name: "echo", Options: runtime.Options{Timeout: 50 * time.Millisecond}})
		return errors.Is(err, runtime.ErrTimeout)
	})
	if !errors.Is(err, runtime.ErrUnavailable) {
		t.Error(err)
	}
	checkError(t, err, "not ready within 50ms", "its last error: server \"s\": ", "connection")
}

// TestFault/G11: no insecure default.
func TestFaultG11SelfSigned(t *testing.T) {
	h, err := testserver.Handler("echo")
	if err != nil {
		t.Fatal(err)
	}
	s := httptest.NewUnstartedServer(h)
	s.TLS = &tls.Config{MinVersion: tls.VersionTLS12}
	s.Config.ErrorLog = nil
	s.StartTLS()
	t.Cleanup(s.Close)
	failure := connectFailing(t, endpoint.Server{Name: "s", Launch: &endpoint.Address{URL: s.URL + "/mcp"}})
	checkError(t, failure, s.Listener.Addr().String(), "certificate")
}

// TestFault/G12: addresses that mean nothing here start nothing.
func TestFaultG12Addresses(t *testing.T) {
	for _, url := range []string{"file:///etc/passwd", "gopher://h/", "javascript:alert(1)", "http://user:hunter22@h/"} {
		_, err := Connect(t.Context(), []endpoint.Server{{Name: "s", Launch: &endpoint.Address{URL: url}}}, nil)
		checkError(t, err, `server "s"`)
		if strings.Contains(err.Error(), "hunter22") {
			t.Errorf("the password is in the error: %v", err)
		}
	}
}

func TestConfigurationThatMeansNothing(t *testing.T) {
	started := false
	_, err := Connect(t.Context(), []endpoint.Server{
		{Name: "a", Launch: &endpoint.Process{Command: "x"}, Source: endpoint.Source{Path: "m.yaml", Line: 3}},
		{Name: "a", Launch: &endpoint.Process{Command: "y"}, Source: endpoint.Source{Path: "m.yaml", Line: 9}},
		{Name: "b"},
		{Name: "c", Launch: &endpoint.Address{}},
		{Launch: &endpoint.Process{Command: "x"}},
		{Name: "d", Launch: &endpoint.Process{Command: "x"}, Timeout: endpoint.Timeouts{Call: -1}},
		{Name: "e", Launch: &endpoint.Process{Command: "x"}, Limits: endpoint.Limits{Pages: -1}},
	}, &Options{OnEvent: func(event.Event) { started = true }})
	checkError(t, err, `m.yaml:9: server "a": the name is duplicated, first at m.yaml:3`,
		`server "b"`, `server "c"`, `server ""`, `server "d": timeout`, `server "e": limits`)
	if started {
		t.Error("a server was started, want none: the configuration has faults")
	}
	h, err := Connect(t.Context(), nil, nil)
	if err != nil || h.Err() != nil || len(h.Status()) != 0 || h.Close() != nil {
		t.Errorf("no servers: %v", err)
	}
}

// The context of Connect bounds the attaching only.
func TestConnectContextIsNotTheSessions(t *testing.T) {
	for name, start := range sdkServers() {
		t.Run(name, func(t *testing.T) {
			s, _ := start(t)
			ctx, cancel := context.WithCancel(t.Context())
			h, err := Connect(ctx, []endpoint.Server{s}, nil)
			if err != nil {
				t.Fatal(err)
			}
			defer h.Close()
			cancel()
			time.Sleep(50 * time.Millisecond)
			if _, err := callTool(t.Context(), h, "exact", "{}"); err != nil {
				t.Error(err)
			}
		})
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	h, err := Connect(ctx, []endpoint.Server{processServer(t, "echo")}, nil)
	if err != nil || h.Err() == nil {
		t.Errorf("%v, %v", err, h.Err())
	}
	_ = h.Close()
}

// TestSeed/001-37: the error inside a body that is not a success is told.
func TestErrorBodiesAreTold(t *testing.T) {
	url := serveHTTP(t, http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "application/json")
		w.WriteHeader(http.StatusForbidden)
		_, _ = fmt.Fprint(w, `{"jsonrpc":"2.0","id":null,"error":{"code":-32001,"message":"the token lacks the scope repo"}}`)
	}))
	checkError(t, connectFailing(t, endpoint.Server{Name: "s", Launch: &endpoint.Address{URL: url}}), "403", "the token lacks the scope repo")
}
