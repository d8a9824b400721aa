package attach

// Connections that are lost, and calls that may be sent again.

import (
	"encoding/json"
	"errors"
	"net"
	"net/http"
	"slices"
	"testing"
	"time"

	"github.com/mcpgen/mcpgen/golden/testserver"
	"github.com/mcpgen/mcpgen/runtime"
	"github.com/mcpgen/mcpgen/runtime/endpoint"
	"github.com/mcpgen/mcpgen/runtime/event"
	"github.com/mcpgen/mcpgen/runtime/protocol"
)

// stand is an HTTP server that can go away and come back at its address.
type stand struct {
	addr string
	mode []string
	srv  *http.Server
}

func newStand(t *testing.T, mode ...string) *stand {
	t.Helper()
	s := &stand{addr: "127.0.0.1:0", mode: mode}
	s.open(t)
	t.Cleanup(s.shut)
	return s
}

func (s *stand) open(t *testing.T) {
	t.Helper()
	l, err := net.Listen("tcp", s.addr)
	if err != nil {
		t.Fatal(err)
	}
	handler, err := testserver.Handler(s.mode...)
	if err != nil {
		t.Fatal(err)
	}
	s.addr = l.Addr().String()
	s.srv = &http.Server{Handler: handler, ReadHeaderTimeout: time.Minute}
	go s.srv.Serve(l) //nolint:errcheck // it ends with shut
}

func (s *stand) shut() { _ = s.srv.Close() }

func (s *stand) server(path string, transport endpoint.Transport) endpoint.Server {
	return endpoint.Server{Name: "s", Launch: &endpoint.Address{URL: "http://" + s.addr + path, Transport: transport}}
}

// What is far away comes back by itself, after 1, 2 and 4 seconds, and calls
// wait for that.
func TestReconnect(t *testing.T) {
	for _, c := range []struct {
		path      string
		transport endpoint.Transport
	}{{"/mcp", endpoint.HTTP}, {"/sse", endpoint.SSE}} {
		t.Run(string(c.transport), func(t *testing.T) {
			t.Parallel()
			far := newStand(t, "echo")
			clk := newFakeClock()
			clk.hold = make(chan struct{})
			var told events
			h := connectAll(t, &Options{OnEvent: told.add, clock: clk.clock()}, far.server(c.path, c.transport))
			if err := echo(t.Context(), h); err != nil {
				t.Fatal(err)
			}
			far.shut()
			if c.transport == endpoint.SSE {
				lostState(t, h, Lost) // the stream tells
			}
			waiting := make(chan error, 1)
			go func() {
				err := echo(t.Context(), h)
				for err != nil && len(clk.waits()) == 0 && t.Context().Err() == nil { // on a connection that was still open
					err = echo(t.Context(), h)
				}
				waiting <- err
			}()
			eventually(t, "the first wait", func() bool { return len(clk.waits()) == 1 })
			clk.hold <- struct{}{} // it is still away
			eventually(t, "the second wait", func() bool { return len(clk.waits()) == 2 })
			far.open(t)
			clk.hold <- struct{}{}
			if err := <-waiting; err != nil {
				t.Errorf("the call that waited: %v", err)
			}
			if got := clk.waits(); !slices.Equal(got, []time.Duration{time.Second, 2 * time.Second}) {
				t.Errorf("waits %v", got)
			}
			if told.count(event.Reconnecting) != 2 || told.count(event.Unavailable) != 0 {
				t.Errorf("events %v", told.kinds("s"))
			}
		})
	}
}

// What does not come back is told of once; a call then makes one more attempt, and
// later calls more of them.
func TestReconnectGivesUp(t *testing.T) {
	far := newStand(t, "echo")
	clk := newFakeClock()
	var told events
	h := connectAll(t, &Options{OnEvent: told.add, clock: clk.clock()}, far.server("/mcp", endpoint.HTTP))
	far.shut()
	eventually(t, "the loss", func() bool { // a connection that was still open may hide it from the first call
		if err := echo(t.Context(), h); !errors.Is(err, runtime.ErrUnavailable) {
			t.Fatalf("error %v", err)
		}
		return len(clk.waits()) > 0
	})
	lostState(t, h, Failed)
	if got := clk.waits(); !slices.Equal(got, []time.Duration{time.Second, 2 * time.Second, 4 * time.Second}) {
		t.Errorf("waits %v", got)
	}
	for range 3 { // the first of these makes the one attempt
		checkError(t, echo(t.Context(), h), "connection refused")
	}
	eventually(t, "a notice", func() bool { return told.count(event.Unavailable) > 0 }) // calls do not wait for those who are told
	if n := told.count(event.Reconnecting); n != 4 || told.count(event.Unavailable) != 1 {
		t.Errorf("%d attempts, events %v", n, told.kinds("s"))
	}
	far.open(t)
	if err := echo(t.Context(), h); err == nil {
		t.Error("a call within a minute succeeds, want no further attempt")
	}
	clk.advance(time.Minute)
	if err := echo(t.Context(), h); err != nil {
		t.Errorf("after a minute: %v", err)
	}
}

// A call whose request may have arrived is not sent again, unless the tool says
// that this does no harm.
func TestRepeat(t *testing.T) {
	tool := func(annotations string) *toolIndex {
		x := &toolIndex{items: index{"t": {}}}
		x.items["t"].item.Raw = json.RawMessage(`{"name":"t","annotations":` + annotations + `}`)
		return x
	}
	over := make(chan struct{})
	close(over)
	for _, c := range []struct {
		transport   endpoint.Transport
		annotations string
		method      string
		sent        bool
		want        bool
	}{
		{endpoint.Stdio, `{}`, protocol.MethodCallTool, false, true},
		{endpoint.Stdio, `{"idempotentHint":true}`, protocol.MethodCallTool, true, false},
		{endpoint.HTTP, `{}`, protocol.MethodCallTool, true, false},
		{endpoint.HTTP, `{"idempotentHint":false}`, protocol.MethodCallTool, true, false},
		{endpoint.HTTP, `{"idempotentHint":true}`, protocol.MethodCallTool, true, true},
		{endpoint.HTTP, `{"readOnlyHint":true}`, protocol.MethodCallTool, true, true},
		{endpoint.HTTP, `{"readOnlyHint":"yes"}`, protocol.MethodCallTool, true, false},
		{endpoint.SSE, `{}`, protocol.MethodReadResource, true, true},
	} {
		s := &session{transport: &ended{over: over}, transportKind: c.transport, opener: &opener{}}
		s.tools.Store(tool(c.annotations))
		if got := s.mayRepeat(runtime.Request{Method: c.method, Name: "t"}, c.sent); got != c.want {
			t.Errorf("%+v: %v", c, got)
		}
	}
	// The operator's word counts for a tool that does not say it itself.
	for annotations, want := range map[string]bool{`{}`: true, `{"readOnlyHint":false}`: false} {
		s := &session{transport: &ended{over: over}, transportKind: endpoint.HTTP, opener: &opener{server: endpoint.Server{ReadOnly: true}}}
		s.tools.Store(tool(annotations))
		if got := s.mayRepeat(runtime.Request{Method: protocol.MethodCallTool, Name: "t"}, true); got != want {
			t.Errorf("read-only, %s: %v", annotations, got)
		}
	}
	alive := &session{transport: &ended{over: make(chan struct{})}, opener: &opener{}}
	if alive.mayRepeat(runtime.Request{Method: protocol.MethodReadResource}, false) {
		t.Error("mayRepeat is true for a session that lives, want false")
	}
}

// ended is a transport that is over.
type ended struct {
	transport
	over chan struct{}
}

func (e *ended) done() <-chan struct{} { return e.over }
