package ledger_test

// Ledgers of real hosts, with processes.

import (
	"context"
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/mcpgen/mcpgen/golden/testserver"
	"github.com/mcpgen/mcpgen/runtime"
	"github.com/mcpgen/mcpgen/runtime/agent"
	"github.com/mcpgen/mcpgen/runtime/attach"
	"github.com/mcpgen/mcpgen/runtime/endpoint"
	"github.com/mcpgen/mcpgen/runtime/ledger"
	"github.com/mcpgen/mcpgen/runtime/protocol"
)

func TestMain(m *testing.M) {
	if spec := os.Getenv(asWriter); spec != "" {
		runWriter(spec)
	}
	os.Exit(testserver.Run(m.Run))
}

// processServer describes the test server as a process in one of its modes.
func processServer(t *testing.T, name string, args ...string) endpoint.Server {
	t.Helper()
	return endpoint.Server{Name: name, Launch: &endpoint.Process{Command: testserver.Program(), Args: args}}
}

// attachRecorded attaches to servers, and records what they offer.
func attachRecorded(t *testing.T, from ledger.Ledger, servers ...endpoint.Server) (*attach.Host, *ledger.Recorder, error) {
	t.Helper()
	h, fault := attach.Connect(t.Context(), servers, &attach.Options{Refresh: -1})
	if fault != nil {
		return nil, nil, fault
	}
	t.Cleanup(func() { _ = h.Close() })
	r := ledger.NewRecorder(from, agent.NewView(h, nil).Tools)
	if err := r.Record(clock); err != nil {
		t.Fatal(err)
	}
	happened := h.Events(t.Context())
	go func() {
		for e := range happened {
			r.Event(e)
		}
	}()
	return h, r, nil
}

func eventually(t *testing.T, what string, f func() bool) {
	t.Helper()
	for deadline := time.Now().Add(10 * time.Second); time.Now().Before(deadline); time.Sleep(5 * time.Millisecond) {
		if f() {
			return
		}
	}
	t.Errorf("it did not come to this: %s", what)
}

// What attaching leads to: a ledger, a host, its status, what was enrolled, and a
// fault.
func seedAttach(t *testing.T) {
	from := ledgerOf(t, capabilityOf("other", "x"))
	before := encodeJSON(t, from)
	h, r, fault := attachRecorded(t, from, processServer(t, "a", "echo"), processServer(t, "b", "echo"))
	if fault != nil {
		t.Fatal(fault)
	}
	for _, st := range h.Status() {
		if st.State != attach.Ready {
			t.Errorf("%+v", st)
		}
	}
	wantNames(t, r.Ledger(), "a__echo", "b__echo")
	if encodeJSON(t, from) != before {
		t.Errorf("the ledger that was passed in is %s, want %s as before", encodeJSON(t, from), before)
	}
	empty, r, fault := attachRecorded(t, ledger.Ledger{})
	if fault != nil || len(empty.Status()) != 0 || len(r.Ledger().Log()) != 0 {
		t.Errorf("no servers: %v, %v, %v", fault, empty.Status(), r.Ledger().Log())
	}
}

// No server makes attaching fail; a configuration that means nothing does.
func seedInfallible(t *testing.T) {
	h, r, fault := attachRecorded(t, ledger.Ledger{}, processServer(t, "a", "exit-on-start"), endpoint.Server{Name: "b", Launch: &endpoint.Process{Command: "/no/such/program"}})
	if fault != nil || len(r.Ledger().Live()) != 0 {
		t.Fatalf("fault %v, live %v", fault, r.Ledger().Live())
	}
	for _, st := range h.Status() {
		if st.State != attach.Failed || st.Err == nil {
			t.Errorf("%+v", st)
		}
	}
	if _, _, fault := attachRecorded(t, ledger.Ledger{}, endpoint.Server{Name: "a"}); fault == nil {
		t.Error("a server without command and URL: no fault, want one")
	}
}

// Servers are withdrawn when they are detached, however they end.
func seedDetach(t *testing.T) {
	h, r, fault := attachRecorded(t, ledger.Ledger{}, processServer(t, "a", "ignore-sigterm"), processServer(t, "b", "echo"), processServer(t, "c", "echo"))
	if fault != nil {
		t.Fatal(fault)
	}
	wantNames(t, r.Ledger(), "a__echo", "b__echo", "c__echo")
	if err := h.Detach("a", "b"); err != nil {
		t.Errorf("the end of a server is an error: %v", err)
	}
	eventually(t, "a and b are withdrawn", func() bool { return slices.Equal(namesOf(r.Ledger()), []string{"c__echo"}) })
	if err := h.Close(); err != nil {
		t.Fatal(err)
	}
	eventually(t, "all are withdrawn", func() bool { return len(r.Ledger().Live()) == 0 })
	if log := r.Ledger().Log(); len(log) != 6 {
		t.Errorf("log %+v", log)
	}
}

// A tool that changes while the host lives is another one, with another key.
func TestLiveChange(t *testing.T) {
	h, r, fault := attachRecorded(t, ledger.Ledger{}, processServer(t, "s", "mutable"))
	if fault != nil {
		t.Fatal(fault)
	}
	wantNames(t, r.Ledger(), "s__echo", "s__mutate")
	before := r.Ledger().Live()[0].Key
	_, err := h.Invoke(t.Context(), runtime.Request{Server: "s", Method: protocol.MethodCallTool, Name: "mutate",
		Args: json.RawMessage(`{"remove":["echo"],"add":[{"name":"echo","inputSchema":{"type":"object"}}],"notify":1}`)})
	if err != nil {
		t.Fatal(err)
	}
	eventually(t, "echo is enrolled anew", func() bool {
		return slices.Equal(namesOf(r.Ledger()), []string{"s__mutate", "s__echo"}) && r.Ledger().Live()[1].Key != before
	})
	if log := r.Ledger().Log(); len(log) != 4 || log[2].Op != ledger.OpRetire || log[2].Key != before {
		t.Errorf("log %+v", log)
	}
}

// What was on offer can be read without a live server.
func seedReaders(t *testing.T) {
	h, r, fault := attachRecorded(t, ledger.Ledger{}, processServer(t, "a", "echo"), processServer(t, "b", "exit-on-start"))
	if fault != nil {
		t.Fatal(fault)
	}
	kept := r.Ledger()
	if err := h.Close(); err != nil {
		t.Fatal(err)
	}
	if got := h.Status(); len(got) != 2 || got[0].Server != "a" || got[0].State != attach.Closed || got[0].Tools != 1 {
		t.Errorf("status %+v", got)
	}
	if got := kept.Names("a"); len(got) != 1 || got[0] != "a__echo" || kept.Snapshot().ByServer["a"] != 1 || kept.Names("b") != nil {
		t.Errorf("names %q, counts %v", got, kept.Snapshot().ByServer)
	}
}

// A call through the bridge that is given up is given up by the server, too.
func seedCancelLive(t *testing.T) {
	trace := filepath.Join(t.TempDir(), "trace")
	h, r, fault := attachRecorded(t, ledger.Ledger{}, processServer(t, "a", "hang-on-call", "-trace", trace))
	if fault != nil {
		t.Fatal(fault)
	}
	tool := r.Ledger().Live()[0].Capability.Bridge(ledger.Through(h))
	ctx, cancel := context.WithCancel(t.Context())
	traced := func(what string) func() bool {
		return func() bool {
			data, err := os.ReadFile(trace)
			return err == nil && strings.Contains(string(data), what)
		}
	}
	ended := make(chan error)
	go func() {
		_, err := tool.Call(ctx, json.RawMessage(`{"text":"x"}`))
		ended <- err
	}()
	eventually(t, "the call arrives", traced(`"tools/call"`))
	cancel()
	if err := <-ended; !errors.Is(err, context.Canceled) {
		t.Errorf("got %v", err)
	}
	eventually(t, "the server hears of it", traced(`"notifications/cancelled"`))
	if _, err := capabilityOf("s", "t").Bridge(ledger.Through(nil)).Call(t.Context(), nil); !errors.Is(err, runtime.ErrNoInvoker) {
		t.Errorf("no invoker: %v", err)
	}
}
