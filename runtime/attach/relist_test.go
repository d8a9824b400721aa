package attach

// Tools that change while a session lives.

import (
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/mcpgen/mcpgen/internal/stage"
	"github.com/mcpgen/mcpgen/runtime"
	"github.com/mcpgen/mcpgen/runtime/endpoint"
	"github.com/mcpgen/mcpgen/runtime/event"
	"github.com/mcpgen/mcpgen/runtime/protocol"
)

// mutateServer changes what the server in the mode mutable offers.
func mutateServer(t *testing.T, h *Host, args string) {
	t.Helper()
	if res, err := callTool(t.Context(), h, "mutate", args); err != nil || res.IsError {
		t.Fatalf("%v, %v", res, err)
	}
}

const another = `{"name":"another","inputSchema":{"type":"object"}}`

// A server that says that its tools are others now is asked once, however often
// it says so; what changed is told.
func TestListChanged(t *testing.T) {
	t.Parallel()
	modernHTTP := httpServer(t, "mutable-modern")
	addressOf(modernHTTP).Transport = endpoint.HTTP
	plainHTTP := httpServer(t, "mutable")
	addressOf(plainHTTP).Transport = endpoint.HTTP
	sse := httpServer(t, "mutable")
	addressOf(sse).URL, addressOf(sse).Transport = strings.TrimSuffix(addressOf(sse).URL, "/mcp")+"/sse", endpoint.SSE
	for name, s := range map[string]endpoint.Server{
		"stdio":        processServer(t, "mutable"),
		"stdio modern": processServer(t, "mutable-modern"),
		"http":         plainHTTP,
		"http modern":  modernHTTP,
		"sse":          sse,
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			var told events
			h := connectAll(t, &Options{OnEvent: told.add, Refresh: -1}, s)
			eventually(t, "listening", func() bool { // since 2026-07-28 there is a moment before the server knows
				res, err := callTool(t.Context(), h, "mutate", `{"add":[`+another+`],"remove":["echo"],"replace":null,"notify":50}`)
				return err == nil && !res.IsError
			})
			eventually(t, "the listing", func() bool {
				return told.count(event.ToolAdded) == 1 && told.count(event.ToolRemoved) == 1
			})
			st := h.Status()[0]
			if st.Tools != 2 || told.count(event.ListChanged) != 1 {
				t.Errorf("%d tools, events %v", st.Tools, told.kinds("s"))
			}
			mutateServer(t, h, `{"remove":["another"],"add":[{"name":"another","description":"new","inputSchema":{"type":"object"}}],"notify":1}`)
			eventually(t, "the change", func() bool { return told.count(event.ToolChanged) == 1 })
		})
	}
}

// Thousands of such words cost a few listings.
func TestFaultD14NotifyFlood(t *testing.T) {
	t.Parallel()
	s, calls := tracedServer(t, "notify-flood", "-n", "5000")
	began := time.Now()
	h := connectAll(t, nil, s)
	listings := func() int { return strings.Count(strings.Join(methodsOf(calls("message")), " "), methodListTools) }
	for range 4 {
		if err := echo(t.Context(), h); err != nil {
			t.Fatal(err)
		}
	}
	eventually(t, "a listing", func() bool { return listings() > 1 })
	if n, most := listings(), 2+int(time.Since(began)/relistGap); n > most {
		t.Errorf("%d listings, at most %d", n, most)
	}
}

// Tools are listed afresh from time to time, also of servers that say nothing.
func TestRefresh(t *testing.T) {
	var told events
	h := connectAll(t, &Options{OnEvent: told.add, Refresh: 20 * time.Millisecond}, processServer(t, "mutable"))
	first := h.Status()[0].Listed
	mutateServer(t, h, `{"add":[`+another+`]}`)
	eventually(t, "the listing", func() bool { return told.count(event.ToolAdded) == 1 })
	if st := h.Status()[0]; !st.Listed.After(first) || st.Tools != 3 || told.count(event.ListChanged) != 0 {
		t.Errorf("status %+v, events %v", st, told.kinds("s"))
	}
}

// A listing that fails leaves the one before, and is told.
func TestRelistFails(t *testing.T) {
	var told events
	s := processServer(t, "mutable")
	s.Limits.Tools = 2
	h := connectAll(t, &Options{OnEvent: told.add, Refresh: -1}, s)
	mutateServer(t, h, `{"add":[`+another+`],"notify":1}`)
	eventually(t, "the notice", func() bool { return told.count(event.Notice) == 1 })
	if st := h.Status()[0]; st.State != Ready || st.Tools != 2 {
		t.Errorf("status %+v", st)
	}
	if err := echo(t.Context(), h); err != nil {
		t.Error(err)
	}
}

// An answer that does not fit the listing has the tools listed afresh before the
// caller hears of it: that the tool changed is what the caller has to know.
func TestDoubt(t *testing.T) {
	t.Parallel()
	for _, code := range []int{-32601, -32602, -32020} {
		t.Run(fmt.Sprint(code), func(t *testing.T) {
			t.Parallel()
			h := connectAll(t, &Options{Refresh: -1}, processServer(t, "mutable"))
			sess, err := h.serverState("s").get()
			if err != nil {
				t.Fatal(err)
			}
			pin, _, err := sess.tools.Load().items.contract("echo")
			if err != nil {
				t.Fatal(err)
			}
			call := func(pin string) error {
				_, err := h.Invoke(t.Context(), runtime.Request{Server: "s", Method: protocol.MethodCallTool, Name: "echo", Args: json.RawMessage(`{"text":"x"}`), Pin: pin})
				return err
			}
			if err := call(pin); err != nil {
				t.Fatal(err)
			}
			mutateServer(t, h, fmt.Sprintf(`{"remove":["echo"],"add":[{"name":"echo","inputSchema":{"type":"object","required":["other"],"properties":{"other":{"type":"integer"}}}}],"code":%d}`, code))
			var drift *runtime.DriftError
			var rpc *runtime.RPCError
			var ce *runtime.CallError
			if err := call(pin); !errors.As(err, &drift) || !errors.As(err, &rpc) || !errors.As(err, &ce) || !ce.Sent || ce.Stage != stage.Drift {
				t.Errorf("error %v", err)
			}
			if err := call(pin); !errors.As(err, &drift) || errors.As(err, &rpc) {
				t.Errorf("the next one is sent: %v", err)
			}
			if err := call(""); !errors.As(err, &rpc) || errors.Is(err, runtime.ErrDrift) {
				t.Errorf("without a pin: %v", err)
			}
			mutateServer(t, h, `{"code":0}`)
			if err := call(""); err != nil {
				t.Errorf("without a pin: %v", err)
			}
		})
	}
}

// An error that says nothing of the kind costs nothing.
func TestNoDoubt(t *testing.T) {
	s, calls := tracedServer(t, "mutable")
	h := connectAll(t, &Options{Refresh: -1}, s)
	mutateServer(t, h, `{"code":-32603}`)
	if err := echo(t.Context(), h); !errors.Is(err, runtime.ErrRPC) {
		t.Errorf("error %v", err)
	}
	if n := strings.Count(strings.Join(methodsOf(calls("message")), " "), methodListTools); n != 1 {
		t.Errorf("%d listings", n)
	}
}

// What a server says about how long its listing may be kept is not heard: the first
// snapshot has the listing of the start, and each other one asks the server.
func TestListingsAreNotKept(t *testing.T) {
	path := filepath.Join(t.TempDir(), "trace")
	for name, s := range map[string]endpoint.Server{
		"stdio": processServer(t, "modern", "-trace", path+"stdio"), "http": httpServer(t, "modern", "-trace", path+"http"),
	} {
		t.Run(name, func(t *testing.T) {
			h := connectReady(t, s)
			if p := h.Status()[0].Protocol; p != modern {
				t.Fatalf("protocol %q", p)
			}
			for range 3 {
				if _, _, err := h.Snapshot(t.Context(), "s", nil); err != nil {
					t.Fatal(err)
				}
			}
			data, err := os.ReadFile(path + name)
			if n := strings.Count(string(data), `"method":"tools/list"`); err != nil || n != 3 {
				t.Errorf("the server was asked %d times, %v", n, err)
			}
		})
	}
}
