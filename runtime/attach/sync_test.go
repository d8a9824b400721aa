package attach

// Registries that follow a host.

import (
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/mcpgen/mcpgen/runtime"
	"github.com/mcpgen/mcpgen/runtime/codec"
	"github.com/mcpgen/mcpgen/runtime/endpoint"
	"github.com/mcpgen/mcpgen/runtime/event"
)

// registry is a registrar in memory that notes what happens to it.
type registry struct {
	mu     sync.Mutex
	tools  map[string]runtime.Tool
	log    []string
	refuse string // a name that it does not take
	keep   string // a name that it does not let go
}

func (r *registry) Register(t runtime.Tool) error {
	r.mu.Lock()
	defer r.mu.Unlock()
	name := t.Spec().Name
	if name == r.refuse || r.tools[name] != nil {
		return fmt.Errorf("%s is not taken", name)
	}
	if r.tools == nil {
		r.tools = map[string]runtime.Tool{}
	}
	r.tools[name] = t
	r.log = append(r.log, "+"+name)
	return nil
}

func (r *registry) Unregister(name string) error {
	r.mu.Lock()
	defer r.mu.Unlock()
	if name == r.keep || r.tools[name] == nil {
		return fmt.Errorf("%s does not go", name)
	}
	delete(r.tools, name)
	r.log = append(r.log, "-"+name)
	return nil
}

func (r *registry) set(f func()) {
	r.mu.Lock()
	defer r.mu.Unlock()
	f()
}

func (r *registry) names() string {
	r.mu.Lock()
	defer r.mu.Unlock()
	var names []string
	for name := range r.tools {
		names = append(names, name)
	}
	slices.Sort(names)
	return strings.Join(names, " ")
}

func (r *registry) has(t *testing.T, want string) {
	t.Helper()
	eventually(t, "the registry has "+want, func() bool { return r.names() == want })
}

func (r *registry) call(t *testing.T, name string) error {
	t.Helper()
	r.mu.Lock()
	tool := r.tools[name]
	r.mu.Unlock()
	if tool == nil {
		return errors.New("not registered")
	}
	_, err := tool.Call(t.Context(), json.RawMessage(`{"text":"x","repo":"x"}`))
	return err
}

func TestSync(t *testing.T) {
	noLeaks(t, func() {
		m := pinnedManifest(t, "s", echoTool, mutateTool, listTool)
		other := processServer(t, "echo")
		other.Name = "other"
		om := pinnedManifest(t, "other", echoTool)
		h, err := Connect(t.Context(), nil, &Options{Judge: proving([]*codec.Manifest{m, om}, nil), Refresh: -1})
		if err != nil {
			t.Fatal(err)
		}
		defer h.Close()
		reg := &registry{}
		if _, err := viewOf(h).Sync(reg, append(m.Tools(h), om.Tools(h)...)...); err != nil {
			t.Fatal(err)
		}
		reg.has(t, "")
		if err := h.Attach(t.Context(), processServer(t, "mutable"), other); err != nil {
			t.Fatal(err)
		}
		reg.has(t, "other__echo s__echo s__mutate") // list_prs is missing yet
		change(t, h, 0, echoTool, listTool)
		listTools(t, h)
		reg.has(t, "other__echo s__echo s__list_prs s__mutate")
		if err := reg.call(t, "s__list_prs"); err != nil {
			t.Error(err)
		}
		change(t, h, 0, echoTool, editListTool(`,"annotations":{"readOnlyHint":true}`, ``))
		listTools(t, h)
		reg.has(t, "other__echo s__echo s__mutate") // quarantined
		change(t, h, 0, echoTool, listTool)
		listTools(t, h)
		reg.has(t, "other__echo s__echo s__list_prs s__mutate")
		if err := h.Detach("other"); err != nil {
			t.Fatal(err)
		}
		reg.has(t, "s__echo s__list_prs s__mutate")
		if err := h.Attach(t.Context(), other); err != nil {
			t.Fatal(err)
		}
		reg.has(t, "other__echo s__echo s__list_prs s__mutate")
		if err := h.Close(); err != nil {
			t.Fatal(err)
		}
		if got := reg.names(); got != "" {
			t.Errorf("after Close: %s", got)
		}
	})
}

// A crash takes no tool away: the next call brings the server back.
func TestSyncThroughACrash(t *testing.T) {
	s := processServer(t, "crash-after", "-n", "1")
	s.Restart = endpoint.RestartOnce
	h := connectReady(t, s)
	reg := &registry{}
	if _, err := viewOf(h).SyncAll(reg); err != nil {
		t.Fatal(err)
	}
	for i, want := range []bool{true, false, true} {
		if err := reg.call(t, "s__echo"); (err == nil) != want {
			t.Errorf("call %d: %v", i, err)
		}
	}
	if got := strings.Join(reg.log, " "); got != "+s__echo" {
		t.Errorf("log %s", got)
	}
	if err := reg.call(t, "s__echo"); !errors.Is(err, runtime.ErrUnavailable) { // the second crash
		t.Errorf("got %v", err)
	}
	reg.has(t, "")
}

// Tools stay as long as calls of them may bring their server back, and leave with
// the last attempt.
func TestSyncThroughFailedRestarts(t *testing.T) {
	clk := newFakeClock()
	s := processServer(t, "no-return", "-state", filepath.Join(t.TempDir(), "starts"))
	h := connectAll(t, &Options{clock: clk.clock(), Protocols: map[string]string{"s": legacy}}, s)
	reg := &registry{}
	if _, err := viewOf(h).SyncAll(reg); err != nil {
		t.Fatal(err)
	}
	for attempt := range 6 { // the crash, and five attempts
		if got, want := h.Status()[0].Restarts, max(0, attempt-1); got != want {
			t.Errorf("%d attempts, want %d", got, want)
		}
		reg.has(t, "s__echo")
		if err := reg.call(t, "s__echo"); !errors.Is(err, runtime.ErrUnavailable) {
			t.Errorf("got %v", err)
		}
		lostState(t, h, Lost, Failed)
		clk.advance(time.Minute)
	}
	reg.has(t, "")
}

func TestSyncAll(t *testing.T) {
	h := connectAll(t, &Options{Refresh: -1}, processServer(t, "mutable"))
	reg := &registry{}
	stop, err := viewOf(h).SyncAll(reg)
	if err != nil {
		t.Fatal(err)
	}
	reg.has(t, "s__echo s__mutate")
	change(t, h, 0, echoTool, listTool)
	listTools(t, h)
	reg.has(t, "s__echo s__list_prs s__mutate")
	change(t, h, 0, editListTool("Lists", "Shows"))
	listTools(t, h)
	reg.has(t, "s__list_prs s__mutate")
	eventually(t, "the new text is registered", func() bool {
		reg.mu.Lock()
		defer reg.mu.Unlock()
		tool := reg.tools["s__list_prs"]
		return tool != nil && strings.HasPrefix(tool.Spec().Description, "Shows")
	})
	if err := reg.call(t, "s__list_prs"); err != nil {
		t.Error(err)
	}
	if got := strings.Join(reg.log, " "); got != "+s__echo +s__mutate +s__list_prs -s__echo -s__list_prs +s__list_prs" {
		t.Errorf("log %s", got) // what has not changed was left alone
	}
	stop()
	stop()
	change(t, h, 0, echoTool)
	listTools(t, h)
	if got := reg.names(); got != "s__list_prs s__mutate" {
		t.Errorf("after stop: %s", got)
	}
}

// What goes wrong later is told, and tried again.
func TestSyncTells(t *testing.T) {
	seen := &events{}
	h := connectAll(t, &Options{Refresh: -1, OnEvent: seen.add}, processServer(t, "mutable"))
	reg := &registry{refuse: "s__list_prs", keep: "s__echo"}
	if _, err := viewOf(h).SyncAll(reg); err != nil {
		t.Fatal(err)
	}
	change(t, h, 0, listTool)
	listTools(t, h)
	eventually(t, "two notices", func() bool { return seen.count(event.Notice) >= 2 })
	reg.has(t, "s__echo s__mutate")
	reg.set(func() { reg.refuse, reg.keep = "", "" })
	change(t, h, 0, editListTool("Lists", "Shows"))
	listTools(t, h)
	reg.has(t, "s__list_prs s__mutate")
}

func TestSyncFirstFailure(t *testing.T) {
	h := connectAll(t, nil, processServer(t, "mutable"))
	reg := &registry{refuse: "s__mutate"}
	if _, err := viewOf(h).SyncAll(reg); err == nil || reg.names() != "" {
		t.Errorf("%v, %s", err, reg.names())
	}
	if _, err := viewOf(h).Sync(reg, nil); err == nil {
		t.Error("Sync of a nil tool has no error, want one")
	}
	if err := h.Close(); err != nil {
		t.Fatal(err)
	}
	if _, err := viewOf(h).SyncAll(reg); !errors.Is(err, runtime.ErrNotAttached) {
		t.Errorf("after Close: %v", err)
	}
}

// surfaceFile writes what the mode replay offers.
func surfaceFile(t *testing.T, text string) string {
	t.Helper()
	file := filepath.Join(t.TempDir(), "surface.json")
	if err := os.WriteFile(file, []byte(text), 0o666); err != nil {
		t.Fatal(err)
	}
	return file
}
