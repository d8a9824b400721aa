package attach

// How drift is noticed while a host lives: by refusals, at attach, by what a server
// says, by the clock, and after a restart.

import (
	"errors"
	"fmt"
	"log/slog"
	"maps"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/mcpgen/mcpgen/runtime"
	"github.com/mcpgen/mcpgen/runtime/codec"
	"github.com/mcpgen/mcpgen/runtime/event"
)

// The server answers a call of a tool that it has changed with -32602: the
// listing is taken afresh, and the caller is told that it is drift.
func TestDriftAfterARefusal(t *testing.T) {
	for _, code := range []int{-32602, -32601, -32020} {
		for mode, want := range map[DriftMode]bool{DriftCompatible: true, DriftClosed: true, DriftWarn: false, DriftOff: false} {
			m := pinnedManifest(t, "s", echoTool, mutateTool, listTool)
			h := connectAll(t, &Options{Judge: proving([]*codec.Manifest{m}, nil), Drift: mode, Refresh: -1, Logger: slog.New(slog.DiscardHandler)}, processServer(t, "mutable"))
			change(t, h, 0, echoTool, listTool)
			listTools(t, h)
			change(t, h, 0, echoTool, editListTool(`"required":["repo"]`, `"required":["repo","owner"]`))
			if _, err := callTool(t.Context(), h, "mutate", fmt.Sprintf(`{"code":%d}`, code)); err != nil {
				t.Fatal(err)
			}
			err := callPinned(t, h, m, "list_prs")
			de, ok := errors.AsType[*runtime.DriftError](err)
			if ok != want || !errors.Is(err, runtime.ErrRPC) || want && (de.Rule != "input-property-became-required" || de.Witness == nil) {
				t.Errorf("%d in mode %s: %v", code, mode, err)
			}
			if want {
				checkRule(t, callPinned(t, h, m, "list_prs"), "input-property-became-required") // and now nothing is sent
			}
			if err := callPinned(t, h, m, "mutate"); err != nil {
				t.Errorf("another tool: %v", err)
			}
		}
	}
}

// A model's call has no pin: the manifest speaks for it.
func TestDriftAfterARefusalWithoutPin(t *testing.T) {
	m := pinnedManifest(t, "s", echoTool, mutateTool, listTool)
	h := connectAll(t, &Options{Judge: proving([]*codec.Manifest{m}, nil), Refresh: -1}, processServer(t, "mutable"))
	change(t, h, 0, echoTool, listTool)
	listTools(t, h)
	change(t, h, 0, echoTool)
	if _, err := callTool(t.Context(), h, "mutate", `{"code":-32602}`); err != nil {
		t.Fatal(err)
	}
	err := callPinned(t, h, nil, "list_prs")
	if de, ok := errors.AsType[*runtime.DriftError](err); !ok || de.Rule != "tool-removed" || !errors.Is(err, runtime.ErrRPC) {
		t.Errorf("got %v", err)
	}
	// Arguments that are wrong are not drift.
	err = callPinned(t, h, nil, "echo")
	if errors.Is(err, runtime.ErrDrift) || !errors.Is(err, runtime.ErrRPC) {
		t.Errorf("got %v", err)
	}
}

// What is not as pinned when a server is attached is told; what is, is not.
func TestDriftAtAttach(t *testing.T) {
	seen := &events{}
	m := pinnedManifest(t, "s", echoTool, listTool)
	h := connectAll(t, &Options{Judge: proving([]*codec.Manifest{m}, nil), Refresh: -1, OnEvent: seen.add}, processServer(t, "mutable"))
	told := map[string]string{}
	for _, e := range seen.all {
		if e.Kind == event.Drift {
			told[e.Tool] = e.State
		}
	}
	if !maps.Equal(told, map[string]string{"list_prs": "missing", "mutate": "new"}) {
		t.Errorf("told %v", told)
	}
	if p := h.Status()[0].Problems; len(p) != 1 || p[0].Name != "list_prs" || !strings.Contains(p[0].Reason, "tool-removed") {
		t.Errorf("problems %v", p)
	}
	listTools(t, h)
	if n := seen.count(event.Drift); n != 2 {
		t.Errorf("told again: %d", n)
	}
}

// What the server says of changes, and the clock, lead to the same.
func TestDriftIsNoticed(t *testing.T) {
	for name, c := range map[string]struct {
		notify  int
		refresh time.Duration
	}{"list_changed": {1, -1}, "timed": {0, 20 * time.Millisecond}} {
		t.Run(name, func(t *testing.T) {
			m := pinnedManifest(t, "s", echoTool, mutateTool)
			h := connectAll(t, &Options{Judge: proving([]*codec.Manifest{m}, nil), Refresh: c.refresh}, processServer(t, "mutable"))
			events := h.Events(t.Context())
			change(t, h, c.notify, strings.Replace(echoTool, "Returns", "Returns\u200b", 1))
			for e := range events {
				if e.Kind == event.Drift {
					if e.Tool != "echo" || e.State != string(Security) || !strings.Contains(e.Detail, "text-invisible") || e.Server != "s" {
						t.Errorf("%+v", e)
					}
					break
				}
			}
			checkRule(t, callPinned(t, h, m, "echo"), "text-invisible")
			if st := h.Status()[0]; !maps.Equal(st.Drift, map[ToolState]int{Security: 1, Verified: 1}) {
				t.Errorf("status %v", st.Drift)
			}
		})
	}
}

// Callers and listings at the same time: a call ends with an answer or with
// drift, and other tools never notice.
func TestDriftAmongCallers(t *testing.T) {
	m := pinnedManifest(t, "s", echoTool, mutateTool, listTool)
	h := connectAll(t, &Options{Judge: proving([]*codec.Manifest{m}, nil), Refresh: -1}, processServer(t, "mutable"))
	over := make(chan struct{})
	var callers sync.WaitGroup
	for i := range 16 {
		callers.Go(func() {
			for {
				select {
				case <-over:
					return
				default:
				}
				tool := []string{"echo", "list_prs"}[i%2]
				err := callPinned(t, h, []*codec.Manifest{m, nil}[i/2%2], tool)
				if err != nil && (tool == "echo" || !errors.Is(err, runtime.ErrDrift)) {
					t.Errorf("%s: %v", tool, err)
				}
				_, _, _ = h.Drift(), h.Status(), viewOf(h).Specs("s")
				_, _ = h.About("s")
			}
		})
	}
	for i := range 20 {
		change(t, h, 0, echoTool, []string{listTool, editListTool(`,"annotations":{"readOnlyHint":true}`, ``)}[i%2])
		listTools(t, h)
	}
	close(over)
	callers.Wait()
}

// A server that comes back with other tools is judged before it gets a call.
func TestDriftAfterARestart(t *testing.T) {
	state := t.TempDir() + "/starts"
	removed := `{"name":"removed","inputSchema":{"type":"object"}}`
	m := pinnedManifest(t, "s", echoTool, removed)
	h := connectAll(t, &Options{Judge: proving([]*codec.Manifest{m}, nil), Refresh: -1}, processServer(t, "changed-after-restart", "-n", "1", "-state", state))
	if err := callPinned(t, h, m, "removed"); err != nil {
		t.Fatal(err)
	}
	if err := callPinned(t, h, m, "echo"); !errors.Is(err, runtime.ErrUnavailable) {
		t.Fatalf("no crash: %v", err)
	}
	checkRule(t, callPinned(t, h, m, "removed"), "tool-removed")
	if d := states(h)["removed"]; d.State != Missing {
		t.Errorf("%+v", d)
	}
}
