package attach

// Rows about a fleet of servers as a whole.

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"github.com/mcpgen/mcpgen/runtime"
	"github.com/mcpgen/mcpgen/runtime/endpoint"
	"github.com/mcpgen/mcpgen/runtime/event"
)

func fleetSeeds() map[string]func(*testing.T) {
	return map[string]func(*testing.T){
		"004-18": emptyConfiguration,
		"004-19": infallibleMount,
		"004-40": detachCompletes,
		"004-45": failureIsolation,
		"004-46": noUsableServer,
		"004-47": readersAfterDetach,
	}
}

func emptyConfiguration(t *testing.T) {
	noLeaks(t, func() {
		var log events
		h := connectAll(t, &Options{OnEvent: log.add})
		if len(h.Status()) != 0 || h.Err() != nil || len(log.all) != 0 {
			t.Errorf("status %v, %v, events %v", h.Status(), h.Err(), log.all)
		}
		_ = h.Close()
	})
}

// Servers never make it an error; what means nothing does, and starts nothing.
func infallibleMount(t *testing.T) {
	s, _ := tracedServer(t, "crash-on-start")
	h, err := Connect(t.Context(), []endpoint.Server{s, withName(endpoint.Server{Launch: &endpoint.Process{Command: "/no/such/program"}}, "other")}, nil)
	if err != nil {
		t.Fatal(err)
	}
	defer h.Close()
	tools, err := viewOf(h).Tools()
	if err != nil || len(tools) != 0 {
		t.Errorf("tools %v, %v", tools, err)
	}
	for _, st := range h.Status() {
		if st.State != Failed || st.Err == nil {
			t.Errorf("status %+v", st)
		}
	}
	trace := filepath.Join(t.TempDir(), "trace")
	if _, err := Connect(t.Context(), []endpoint.Server{processServer(t, "echo", "-trace", trace), {Name: "fault"}}, nil); err == nil {
		t.Error("Connect has no error, want that of the server without command and URL")
	}
	if _, err := os.Stat(trace); err == nil {
		t.Error("a server was started, want none: the configuration has a fault")
	}
}

// One that does not end well is withdrawn all the same, and so are the others.
func detachCompletes(t *testing.T) {
	t.Parallel()
	h := connectAll(t, nil, withName(processServer(t, "ignore-sigterm"), "stubborn"), withName(processServer(t, "echo"), "a"), withName(processServer(t, "echo"), "stays"))
	all := pids(h)
	if err := h.Detach("stubborn", "a"); err != nil {
		t.Error(err)
	}
	for _, name := range []string{"stubborn", "a"} {
		checkEnded(t, all[name])
		if err := callOf(t.Context(), h, name); !errors.Is(err, runtime.ErrNotAttached) {
			t.Errorf("error %v", err)
		}
	}
	var names []string
	for _, st := range h.Status() {
		names = append(names, st.Server)
	}
	if err := h.Detach(names...); err != nil || len(h.Status()) != 0 {
		t.Errorf("all that the status names: %v, %v", err, h.Status())
	}
}

func failureIsolation(t *testing.T) {
	h := connectAll(t, nil, withName(processServer(t, "list-error"), "bad"), withName(processServer(t, "echo"), "a"), withName(httpServer(t, "echo"), "b"))
	tools, err := viewOf(h).Tools()
	if err != nil {
		t.Fatal(err)
	}
	var servers []string
	for _, tool := range tools {
		servers = append(servers, tool.Spec().Server)
	}
	if slices.Sort(servers); !slices.Equal(servers, []string{"a", "b"}) {
		t.Errorf("tools of %v", servers)
	}
}

func noUsableServer(t *testing.T) {
	h := connectAll(t, nil, processServer(t, "crash-on-start"))
	tools, err := viewOf(h).Tools()
	if err != nil || len(tools) != 0 || h.Err() == nil {
		t.Errorf("tools %v, %v, %v", tools, err, h.Err())
	}
	if err := h.Attach(context.Background(), withName(processServer(t, "echo"), "later")); err != nil {
		t.Error(err)
	}
	if err := callOf(t.Context(), h, "later"); err != nil {
		t.Error(err)
	}
}

// What is known stays readable when nothing lives any more.
func readersAfterDetach(t *testing.T) {
	var log events
	h := connectAll(t, &Options{OnEvent: log.add}, processServer(t, "mutable"))
	_ = h.Close()
	st := h.Status()
	if len(st) != 1 || st[0].State != Closed || st[0].Tools != 2 || st[0].Name != "testserver" || st[0].Listed.IsZero() {
		t.Errorf("status %+v", st)
	}
	if last := log.all[len(log.all)-1]; last.Kind != event.Detached || len(last.Tools) != 2 {
		t.Errorf("event %+v", last)
	}
}
