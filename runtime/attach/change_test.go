package attach

// Servers that come and go, what is told of it, and what tools do meanwhile.

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/mcpgen/mcpgen/internal/stage"
	"github.com/mcpgen/mcpgen/runtime"
	"github.com/mcpgen/mcpgen/runtime/codec"
	"github.com/mcpgen/mcpgen/runtime/endpoint"
	"github.com/mcpgen/mcpgen/runtime/event"
	"github.com/mcpgen/mcpgen/runtime/protocol"
)

// withName gives a server a name.
func withName(s endpoint.Server, name string) endpoint.Server {
	s.Name = name
	if p, ok := s.Launch.(*endpoint.Process); ok {
		own := *p
		s.Launch = &own
	}
	return s
}

// callOf calls echo of one of several servers.
func callOf(ctx context.Context, h *Host, server string) error {
	_, err := h.Invoke(ctx, runtime.Request{Server: server, Method: protocol.MethodCallTool, Name: "echo", Args: json.RawMessage(`{"text":"x"}`)})
	return err
}

// pids are the processes of a host, by server.
func pids(h *Host) map[string]int {
	all := map[string]int{}
	for _, st := range h.Status() {
		all[st.Server] = st.PID
	}
	return all
}

func TestAttachAndDetach(t *testing.T) {
	var told events
	far := withName(httpServer(t, "echo"), "c")
	noLeaks(t, func() {
		h := connectAll(t, &Options{OnEvent: told.add}, withName(processServer(t, "echo"), "a"))
		if err := h.Attach(t.Context(), withName(processServer(t, "echo"), "b"), far); err != nil {
			t.Fatal(err)
		}
		for _, name := range []string{"a", "b", "c"} {
			if err := callOf(t.Context(), h, name); err != nil {
				t.Error(err)
			}
		}
		pid := pids(h)["b"]
		err := h.Detach("b", "c", "nobody")
		if !errors.Is(err, runtime.ErrNotAttached) || strings.Count(err.Error(), "server") != 2 {
			t.Errorf("error %v", err) // of nobody alone
		}
		checkEnded(t, pid)
		for _, name := range []string{"b", "c"} {
			var ce *runtime.CallError
			if err := callOf(t.Context(), h, name); !errors.Is(err, runtime.ErrNotAttached) || !errors.As(err, &ce) || ce.Stage != stage.Route {
				t.Errorf("error %v", err)
			}
		}
		if err := callOf(t.Context(), h, "a"); err != nil {
			t.Errorf("the one that stayed: %v", err)
		}
		if n := len(h.Status()); n != 1 {
			t.Errorf("%d servers", n)
		}
		_ = h.Close()
		for _, err := range []error{h.Attach(t.Context()), h.Detach("a"), h.Reload(t.Context(), nil), callOf(t.Context(), h, "a")} {
			if !errors.Is(err, runtime.ErrNotAttached) {
				t.Errorf("after Close: %v", err)
			}
		}
	})
	want := []event.Kind{event.Attaching, event.Attached, event.Detached}
	for _, name := range []string{"a", "b", "c"} {
		if got := told.kinds(name); !slices.Equal(got, want) {
			t.Errorf("%s: %v", name, got)
		}
	}
}

// What cannot mean anything changes nothing; a server that does not come up is
// an error, and is there to be tried again.
func TestAttachErrors(t *testing.T) {
	h := connectAll(t, nil, withName(processServer(t, "echo"), "a"))
	checkError(t, h.Attach(t.Context(), withName(processServer(t, "echo"), "b"), endpoint.Server{Name: "nothing"}), "neither a command nor a url")
	checkError(t, h.Attach(t.Context(), withName(processServer(t, "echo"), "b"), withName(processServer(t, "echo"), "a")), `server "a"`, "already attached")
	checkError(t, h.Reload(t.Context(), []endpoint.Server{withName(processServer(t, "echo"), "a"), withName(processServer(t, "echo"), "a")}), "the name is duplicated")
	if n := len(h.Status()); n != 1 {
		t.Errorf("%d servers", n)
	}
	var se *ServerError
	err := h.Attach(t.Context(), withName(processServer(t, "crash-on-start"), "bad"), withName(processServer(t, "echo"), "good"))
	if !errors.As(err, &se) || se.Server != "bad" {
		t.Errorf("error %v", err)
	}
	if err := callOf(t.Context(), h, "good"); err != nil {
		t.Error(err)
	}
}

// A call in flight when its server is taken out ends at once.
func TestFaultE24DetachDuringACall(t *testing.T) {
	for name, out := range map[string]func(*Host) error{
		"Detach": func(h *Host) error { return h.Detach("s") },
		"Reload": func(h *Host) error { return h.Reload(context.Background(), nil) },
		"Close":  (*Host).Close,
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s, calls := tracedServer(t, "hang-on-call")
			h := connectReady(t, s)
			waiting := make(chan error, 1)
			go func() { waiting <- echo(t.Context(), h) }()
			eventually(t, "the call", func() bool { return slices.Contains(methodsOf(calls("message")), "tools/call") })
			if err := out(h); err != nil {
				t.Error(err)
			}
			if err := <-waiting; !errors.Is(err, runtime.ErrNotAttached) {
				t.Errorf("error %v", err)
			}
		})
	}
}

// A server that is still coming up goes on, and what is pinned of those that stay is asked
// for anew: the server offers the tools of a new manifest at once.
func TestReloadStarting(t *testing.T) {
	t.Parallel()
	var begun, asked atomic.Int32
	var now atomic.Pointer[codec.Manifest]
	server := processServer(t, "slow-init")
	h := connectAll(t, &Options{Background: true, Judge: judgeFunc(func(server string) Pinned {
		asked.Add(1)
		return proving([]*codec.Manifest{now.Load()}, nil).Pinned(server)
	}), OnEvent: func(e event.Event) {
		if e.Kind == event.Attaching {
			begun.Add(1)
		}
	}}, server)
	if offered, present := h.Offered(server.Name); present {
		t.Errorf("before the reload, it offers %v", offered.Names())
	}
	now.Store(pinnedManifest(t, server.Name, echoTool))
	if err := h.Reload(t.Context(), []endpoint.Server{server}); err != nil {
		t.Fatal(err)
	}
	if offered, _ := h.Offered(server.Name); h.Status()[0].State != Connecting || !slices.Equal(offered.Names(), []string{"echo"}) {
		t.Errorf("after the reload, it is %s and offers %v", h.Status()[0].State, offered.Names())
	}
	eventually(t, "the server", func() bool { return h.Status()[0].State == Ready })
	before := asked.Load()
	if err := h.Reload(t.Context(), []endpoint.Server{server}); err != nil || begun.Load() != 1 || asked.Load() == before {
		t.Errorf("started %d times, asked %d and then %d times: %v", begun.Load(), before, asked.Load(), err)
	}
}

type judgeFunc func(server string) Pinned

func (f judgeFunc) Pinned(server string) Pinned { return f(server) }

// A reload judges the tools of a server that stays by the manifest of now, also a listing
// that was judged by the manifest of before.
func TestReloadJudgesAgain(t *testing.T) {
	old := pinnedManifest(t, "s", mutateTool, echoTool, listTool)
	edited := editListTool(`"required":["repo"]`, `"required":["repo","owner"]`)
	accepted := pinnedManifest(t, "s", mutateTool, echoTool, edited)
	var now atomic.Pointer[codec.Manifest]
	now.Store(old)
	judge := judgeFunc(func(server string) Pinned { return proving([]*codec.Manifest{now.Load()}, nil).Pinned(server) })
	server := processServer(t, "mutable")
	h := connectAll(t, &Options{Judge: judge, Refresh: -1, Logger: slog.New(slog.DiscardHandler)}, server)
	change(t, h, 0, echoTool, edited)
	listTools(t, h)
	for _, step := range []struct {
		manifest *codec.Manifest
		want     ToolState
	}{{old, Changed}, {accepted, Verified}, {old, Changed}} {
		now.Store(step.manifest)
		if err := h.Reload(t.Context(), []endpoint.Server{server}); err != nil {
			t.Fatal(err)
		}
		if got := states(h)["list_prs"].State; got != step.want {
			t.Errorf("list_prs is %s, want %s", got, step.want)
		}
	}
}

// Reload keeps what is the same, replaces what is another, and leaves nothing.
func TestReload(t *testing.T) {
	env := map[string]string{"TOKEN": "one"}
	var mu sync.Mutex
	lookup := func(name string) (string, bool) {
		mu.Lock()
		defer mu.Unlock()
		v, ok := env[name]
		return v, ok
	}
	expand := func(_ endpoint.Field, text string, lookup endpoint.Lookup) (string, error) {
		if text == "$TOKEN" {
			text, _ = lookup(endpoint.Reference{Name: "TOKEN"})
		}
		return text, nil
	}
	servers := func(args ...string) []endpoint.Server {
		var all []endpoint.Server
		for i, name := range []string{"same", "other", "token", "gone"} {
			s := withName(processServer(t, "echo"), name)
			s.Source = endpoint.Source{Path: "mcpgen.yaml", Line: i + len(args)}
			if name == "other" {
				processOf(s).Args = append(processOf(s).Args, args...)
			}
			if name == "token" {
				processOf(s).Env = append(slices.Clone(processOf(s).Env), endpoint.Var{Name: "TOKEN", Value: "$TOKEN"})
				s.Expand = expand
			}
			all = append(all, s)
		}
		return all
	}
	h := connectAll(t, &Options{LookupEnv: lookup}, servers()...)
	if err := h.Err(); err != nil {
		t.Fatal(err)
	}
	before := pids(h)
	if err := h.Reload(t.Context(), servers()); err != nil {
		t.Fatal(err)
	}
	if after := pids(h); fmt.Sprint(after) != fmt.Sprint(before) {
		t.Errorf("nothing changed, and %v became %v", before, after)
	}
	mu.Lock()
	env["TOKEN"] = "two"
	mu.Unlock()
	set := append(servers("-delay", "1s")[:3], withName(processServer(t, "echo"), "new"))
	if err := h.Reload(t.Context(), set); err != nil {
		t.Fatal(err)
	}
	after := pids(h)
	if after["same"] != before["same"] {
		t.Errorf("the server that did not change has process %d, want %d as before", after["same"], before["same"])
	}
	for _, name := range []string{"other", "token", "gone"} {
		checkEnded(t, before[name])
	}
	if after["other"] == 0 || after["token"] == 0 || after["new"] == 0 || len(after) != 4 {
		t.Errorf("servers %v", after)
	}
	for name := range after {
		if err := callOf(t.Context(), h, name); err != nil {
			t.Error(err)
		}
	}
	// One that has failed is tried again even if nothing else changed.
	kill(t, after["same"])
	eventually(t, "the loss", func() bool { return pids(h)["same"] == 0 })
	if err := h.Reload(t.Context(), set); err != nil || pids(h)["same"] == 0 {
		t.Errorf("%v, servers %v", err, pids(h))
	}
}

// Everything at once, under the race detector: no call gets anything but an
// answer or one of two errors, and nothing is left.
func TestChangesAtOnce(t *testing.T) {
	noLeaks(t, func() {
		h := connectAll(t, nil, withName(processServer(t, "echo"), "a"))
		ctx, stop := context.WithTimeout(t.Context(), 20*time.Second)
		defer stop()
		var all sync.WaitGroup
		for i := range 4 {
			all.Go(func() {
				for range 200 {
					err := callOf(ctx, h, string(rune('a'+i%2)))
					if err != nil && !errors.Is(err, runtime.ErrNotAttached) && !errors.Is(err, runtime.ErrUnavailable) {
						t.Errorf("error %v", err)
					}
				}
			})
		}
		a, b := withName(processServer(t, "echo"), "a"), withName(processServer(t, "echo"), "b")
		for _, f := range []func(){
			func() { _ = h.Attach(ctx, b) },
			func() { _ = h.Detach("b") },
			func() { _ = h.Reload(ctx, []endpoint.Server{a, b}) },
			func() { _ = h.Reload(ctx, []endpoint.Server{a}) },
			func() { _ = h.Status(); _ = h.Err() },
		} {
			all.Go(func() {
				for range 3 {
					f()
				}
			})
		}
		all.Wait()
		_ = h.Close()
	})
}

// Close in the middle of an Attach ends it, and nothing is left.
func TestCloseDuringAttach(t *testing.T) {
	noLeaks(t, func() {
		s := processServer(t, "never-init")
		h := connectAll(t, nil)
		attached := make(chan error, 1)
		go func() { attached <- h.Attach(t.Context(), s) }()
		eventually(t, "a process", func() bool { return len(h.Status()) == 1 && h.Status()[0].State == Connecting })
		_ = h.Close()
		if err := <-attached; err == nil {
			t.Log("it was closed before it had failed") // then there is no error to return
		}
		if st := h.Status(); len(st) != 1 || st[0].State != Closed {
			t.Errorf("status %+v", st)
		}
	})
}

// The stream of events: in order, complete for a reader that keeps up, ending
// with its context and with the host.
func TestEvents(t *testing.T) {
	h := connectAll(t, nil)
	ctx, stop := context.WithCancel(t.Context())
	defer stop()
	whole, part := h.Events(t.Context()), h.Events(ctx)
	if err := h.Attach(t.Context(), processServer(t, "echo")); err != nil {
		t.Fatal(err)
	}
	for e := range part {
		if e.Kind != event.Attaching || e.Server != "s" || e.Time.IsZero() || e.State != string(Connecting) {
			t.Errorf("event %+v", e)
		}
		break
	}
	for e := range part {
		if e.Kind != event.Attached || !slices.Equal(e.Tools, []string{"echo"}) {
			t.Errorf("event %+v", e)
		}
		stop()
	}
	if err := echo(t.Context(), h); err != nil {
		t.Error(err)
	}
	_ = h.Close()
	var kinds []event.Kind
	for e := range whole {
		kinds = append(kinds, e.Kind)
		if e.Kind == event.Call && (e.Tool != "echo" || e.Duration <= 0 || e.Err != nil) {
			t.Errorf("event %+v", e)
		}
	}
	if want := []event.Kind{event.Attaching, event.Attached, event.Call, event.Detached}; !slices.Equal(kinds, want) {
		t.Errorf("events %v", kinds)
	}
	for e := range h.Events(t.Context()) {
		t.Errorf("after the end: %+v", e)
	}
}

// Telling from inside of being told comes after it.
func TestTellingInside(t *testing.T) {
	var tell notifier
	var got []string
	tell.onEvent = func(e event.Event) {
		if e.Detail == "outer" {
			tell.event(event.Event{Detail: "inner"})
		}
		got = append(got, e.Detail)
	}
	tell.event(event.Event{Detail: "outer"})
	if !slices.Equal(got, []string{"outer", "inner"}) {
		t.Errorf("order %v", got)
	}
}
