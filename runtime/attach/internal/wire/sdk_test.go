// The SDK's session and own calls on one connection, against real processes.

package wire

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"runtime"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/mcpgen/mcpgen/internal/jsontext"

	"github.com/mcpgen/mcpgen/golden/testserver"
	"github.com/mcpgen/mcpgen/runtime/attach/internal/proc"
	"github.com/mcpgen/mcpgen/runtime/endpoint"
)

func TestMain(m *testing.M) { os.Exit(testserver.Run(m.Run)) }

// startServer starts the test server and connects to it.
func startServer(t testing.TB, opts Options, args ...string) (*Conn, *proc.Process) {
	t.Helper()
	p, err := proc.Start(endpoint.Process{Command: testserver.Program(), Args: args}, 0)
	if err != nil {
		t.Fatal(err)
	}
	opts.Closed = func() error {
		select {
		case <-p.Done():
			return p.Err()
		case <-time.After(time.Second):
			return nil
		}
	}
	c := newCounted(p.Stdout(), p.Stdin(), opts)
	t.Cleanup(func() {
		_ = c.Close()
		ctx, cancel := context.WithCancel(context.Background())
		cancel() // at once
		if err := p.Shutdown(ctx); err != nil {
			t.Error(err)
		}
	})
	return c, p
}

// connectSDK connects the SDK.
func connectSDK(t testing.TB, tr mcp.Transport, version string, opts *mcp.ClientOptions) *mcp.ClientSession {
	t.Helper()
	client := mcp.NewClient(&mcp.Implementation{Name: "test", Version: "1"}, opts)
	ctx, cancel := context.WithTimeout(t.Context(), 20*time.Second)
	defer cancel()
	s, err := client.Connect(ctx, tr, &mcp.ClientSessionOptions{ProtocolVersion: version})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = s.Close() })
	return s
}

const legacyVersion = "2025-11-25"

// sharedModes are the faults that neither side may notice.
var sharedModes = []string{"echo", "noise-stdout", "noise-json", "noise-crlf", "batch", "dup-response", "reorder", "discover-silent", "noise-stderr-flood"}

func TestSharedWithSDK(t *testing.T) {
	for _, mode := range sharedModes {
		t.Run(mode, func(t *testing.T) {
			t.Parallel()
			c, _ := startServer(t, Options{}, mode, "-size", "1MiB")
			s := connectSDK(t, c.Transport(), legacyVersion, nil)
			var all sync.WaitGroup
			for i := range 8 {
				all.Go(func() {
					args := fmt.Sprintf(`{"text":"%d","n":9007199254740993}`, i)
					params := json.RawMessage(`{"name":"echo","arguments":` + args + `}`)
					result, err := c.Call(t.Context(), "tools/call", params, CallOptions{})
					if err != nil || !strings.Contains(string(result), `"structuredContent":`+args) {
						t.Errorf("own call: %s, %v", result, err)
					}
					answer, err := s.CallTool(t.Context(), &mcp.CallToolParams{Name: "echo", Arguments: map[string]any{"text": fmt.Sprint(i)}})
					if err != nil || answer.StructuredContent.(map[string]any)["text"] != fmt.Sprint(i) {
						t.Errorf("the SDK's call: %v, %v", answer, err)
					}
				})
			}
			all.Wait()
			tools, err := s.ListTools(t.Context(), nil)
			if err != nil || len(tools.Tools) != 1 {
				t.Errorf("listing: %v, %v", tools, err)
			}
			n, first := c.Skipped()
			if noisy := strings.HasPrefix(mode, "noise-") && mode != "noise-crlf" && mode != "noise-stderr-flood"; noisy != (n > 0) {
				t.Errorf("%d lines skipped, the first %q", n, first)
			}
		})
	}
}

func TestModernSession(t *testing.T) {
	c, _ := startServer(t, Options{}, "modern")
	s := connectSDK(t, c.Transport(), "", nil)
	if got := s.InitializeResult().ProtocolVersion; got != "2026-07-28" {
		t.Errorf("protocol %s", got)
	}
	if _, err := s.ListTools(t.Context(), nil); err != nil {
		t.Error(err)
	}
	params := json.RawMessage(`{"name":"echo","arguments":{"text":"x"},"_meta":{` +
		`"io.modelcontextprotocol/protocolVersion":"2026-07-28",` +
		`"io.modelcontextprotocol/clientInfo":{"name":"test","version":"1"},` +
		`"io.modelcontextprotocol/clientCapabilities":{}}}`)
	if result, err := c.Call(t.Context(), "tools/call", params, CallOptions{}); err != nil || !strings.Contains(string(result), `"complete"`) {
		t.Errorf("%s, %v", result, err)
	}
}

// A crash reaches both sides with its reason.
func TestCrashReason(t *testing.T) {
	for mode, want := range map[string]string{
		"crash-on-call": "exit status 7; stderr: evil: panic in a tool", "exit-on-call": "exit status 0",
		"crash-mid-line": "exit status 1; stderr: evil: out of memory", "close-stdout": "closed its output",
	} {
		t.Run(mode, func(t *testing.T) {
			t.Parallel()
			c, _ := startServer(t, Options{}, mode)
			s := connectSDK(t, c.Transport(), legacyVersion, nil)
			_, err := c.Call(t.Context(), "tools/call", json.RawMessage(`{"name":"echo"}`), CallOptions{})
			expectSent(t, err, true)
			if !strings.Contains(err.Error(), want) {
				t.Errorf("error %v, want %s", err, want)
			}
			if err := s.Wait(); err == nil || !strings.Contains(err.Error(), want) {
				t.Errorf("the session ended with %v", err)
			}
		})
	}
	c, _ := startServer(t, Options{}, "crash-on-init")
	client := mcp.NewClient(&mcp.Implementation{Name: "test", Version: "1"}, nil)
	_, err := client.Connect(t.Context(), c.Transport(), &mcp.ClientSessionOptions{ProtocolVersion: legacyVersion})
	if want := "exit status 3; stderr: evil: cannot open the database"; err == nil || !strings.Contains(err.Error(), want) {
		t.Errorf("connect: %v, want %s", err, want)
	}
}

func TestServerRequests(t *testing.T) {
	c, _ := startServer(t, Options{OnRequest: func(context.Context, string, json.RawMessage) (json.RawMessage, error) {
		return json.RawMessage(`{"action":"decline"}`), nil
	}}, "elicit")
	connectSDK(t, c.Transport(), legacyVersion, nil)
	result, err := c.Call(t.Context(), "tools/call", json.RawMessage(`{"name":"echo"}`), CallOptions{})
	if err != nil || !strings.Contains(string(result), "decline") {
		t.Errorf("%s, %v", result, err)
	}
}

// The SDK sees why a request of its own failed: the error object, by which it
// negotiates, and the error itself.
func TestSDKSeesErrors(t *testing.T) {
	c, p := connect(t, Options{})
	s, err := c.Transport().Connect(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	ask := func(n float64) *jsonrpc.Response {
		t.Helper()
		id, err := jsonrpc.MakeID(n)
		if err != nil {
			t.Fatal(err)
		}
		if err := s.Write(t.Context(), &jsonrpc.Request{ID: id, Method: MethodDiscover}); err != nil {
			t.Fatal(err)
		}
		g := p.next()
		if c.HasAnswered() {
			t.Error("HasAnswered is true before the answer, want false")
		}
		if n == 1 {
			c.RefuseProbe(io.ErrNoProgress)
			p.send(`{"jsonrpc":"2.0","id":%s,"result":{"late":1}}`+"\n", g.ID)
		} else {
			p.send(`{"jsonrpc":"2.0","id":%s,"error":{"code":-32022,"message":"no","data":{"supported":["x"]}}}`+"\n", g.ID)
		}
		msg, err := s.Read(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		return msg.(*jsonrpc.Response)
	}
	if r := ask(1); !errors.Is(r.Error, io.ErrNoProgress) {
		t.Errorf("given up: %+v", r)
	}
	for c.Discovered() == nil { // the late answer is kept, but the SDK does not get it
		runtime.Gosched()
	}
	c.sdk.results = map[string]json.RawMessage{}
	var object *jsonrpc.Error
	if r := ask(2); !errors.As(r.Error, &object) || object.Code != -32022 || string(object.Data) != `{"supported":["x"]}` || !c.HasAnswered() || c.Handshake() != nil {
		t.Errorf("refused: %+v", r)
	}
}

// The end of the SDK's context ends what it does, and no more.
func TestSDKContexts(t *testing.T) {
	c, _ := connect(t, Options{})
	s, err := c.Transport().Connect(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := s.Read(ctx); !errors.Is(err, context.Canceled) {
		t.Errorf("read: %v", err)
	}
	if err := s.Write(ctx, &jsonrpc.Request{Method: "ping"}); !errors.Is(err, context.Canceled) {
		t.Errorf("write: %v", err)
	}
}

func TestProgress(t *testing.T) {
	for mode, n := range map[string]string{"progress": "10", "progress-wrong": "1", "progress-flood": "5000"} {
		t.Run(mode, func(t *testing.T) {
			t.Parallel()
			others := make(chan string, 100)
			c, _ := startServer(t, Options{OnNotification: func(_ context.Context, method string, params json.RawMessage) {
				if method == methodProgress {
					others <- jsontext.Text(jsontext.Member(params, "progressToken"))
				}
			}}, mode, "-n", n)
			connectSDK(t, c.Transport(), legacyVersion, nil)
			if _, err := c.Call(t.Context(), "tools/call", json.RawMessage(`{"name":"echo"}`), CallOptions{}); err != nil {
				t.Error(err)
			}
			var seen []float64
			onProgress := func(params json.RawMessage) {
				var p struct{ Progress any }
				if err := json.Unmarshal(params, &p); err != nil {
					t.Error(err)
				}
				if n, ok := p.Progress.(float64); ok {
					seen = append(seen, n)
				}
			}
			if _, err := c.Call(t.Context(), "tools/call", json.RawMessage(`{"name":"echo"}`), CallOptions{OnProgress: onProgress}); err != nil {
				t.Error(err)
			}
			switch mode {
			case "progress":
				if want := "[1 2 3 4 5 6 7 8 9 10]"; fmt.Sprint(seen) != want {
					t.Errorf("progress %v, want %s", seen, want)
				}
			case "progress-wrong":
				if fmt.Sprint(seen) != "[1]" {
					t.Errorf("progress %v", seen)
				}
				if token := <-others; token != "nobody" {
					t.Errorf("there was progress for %v", token)
				}
			case "progress-flood":
				if len(seen) == 0 || seen[len(seen)-1] != 5000 {
					t.Errorf("%d progress notifications, the last is not the last", len(seen))
				}
			}
			for len(others) > 0 {
				if token := <-others; strings.HasPrefix(token, c.ids.prefix[1:]) {
					t.Errorf("there was progress for %v", token)
				}
			}
		})
	}
}
