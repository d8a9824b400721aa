package attach

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/mcpgen/mcpgen/runtime"
	"github.com/mcpgen/mcpgen/runtime/codec"
	"github.com/mcpgen/mcpgen/runtime/endpoint"
	"github.com/mcpgen/mcpgen/runtime/protocol"
)

// lazyServers is n lazy servers s0, s1, … with their manifests, and which of them were
// started, with one entry for each process.
func lazyServers(t *testing.T, n int, mode string) ([]endpoint.Server, []*codec.Manifest, func() []string) {
	t.Helper()
	dir := t.TempDir()
	var servers []endpoint.Server
	var manifests []*codec.Manifest
	for i := range n {
		name := fmt.Sprintf("s%d", i)
		s := processServer(t, mode, "-state", filepath.Join(dir, name))
		s.Name, s.Lazy = name, true
		servers = append(servers, s)
		manifests = append(manifests, pinnedManifest(t, name, echoTool))
	}
	return servers, manifests, func() []string {
		var started []string
		for _, s := range servers {
			data, err := os.ReadFile(filepath.Join(dir, s.Name))
			if err != nil && !errors.Is(err, os.ErrNotExist) {
				t.Fatal(err)
			}
			started = append(started, slices.Repeat([]string{s.Name}, strings.Count(string(data), "\n"))...)
		}
		return started
	}
}

func echoOf(ctx context.Context, h *Host, server string) error {
	_, err := h.Invoke(ctx, runtime.Request{Server: server, Method: protocol.MethodCallTool, Name: "echo", Args: []byte(`{"text":"x"}`)})
	return err
}

// Of ten servers two are called, and two are started, each once; the tools of all
// ten are there from the beginning.
func TestLazy(t *testing.T) {
	servers, manifests, started := lazyServers(t, 10, "echo")
	// These answer at once: without the probe there is one process for each.
	known := map[string]string{}
	for _, s := range servers {
		known[s.Name] = legacy
	}
	for _, mode := range []DriftMode{DriftCompatible, DriftClosed} {
		t.Run(string(mode), func(t *testing.T) {
			before := len(started())
			h := connectAll(t, &Options{Judge: proving(manifests, nil), Drift: mode, Refresh: -1, Protocols: known}, servers...)
			if err := h.Err(); err != nil {
				t.Error(err)
			}
			tools, err := viewOf(h).Tools()
			if err != nil || len(tools) != 10 {
				t.Fatalf("%d tools, %v", len(tools), err)
			}
			for _, s := range servers {
				about, ok := h.About(s.Name)
				if specs := viewOf(h).Specs(s.Name); !ok || about.Instructions != "Pinned instructions." || len(specs) != 1 || specs[0].Name != s.Name+"__echo" {
					t.Errorf("%s: instructions %q, %t, tools %v", s.Name, about.Instructions, ok, specs)
				}
			}
			if d := h.Drift(); d != nil {
				t.Errorf("judged before anything was listed: %+v", d)
			}
			if n := len(started()) - before; n != 0 {
				t.Fatalf("%d processes before the first call", n)
			}
			var calls sync.WaitGroup
			for _, name := range []string{"s3", "s8", "s3", "s8", "s3"} { // at the same time: one process each
				calls.Go(func() {
					if err := echoOf(t.Context(), h, name); err != nil {
						t.Errorf("%s: %v", name, err)
					}
				})
			}
			calls.Wait()
			if got := started(); len(got)-before != 2 || !slices.Contains(got, "s3") || !slices.Contains(got, "s8") {
				t.Errorf("started: %q", got)
			}
			for _, st := range h.Status() {
				want := Unstarted
				if st.Server == "s3" || st.Server == "s8" {
					want = Ready
				}
				if st.State != want || st.Err != nil {
					t.Errorf("%s: %s, %v", st.Server, st.State, st.Err)
				}
			}
			if tools, err := viewOf(h).Tools(); err != nil || len(tools) != 10 {
				t.Errorf("%d tools, %v", len(tools), err)
			}
		})
	}
}

// The first listing starts a server, too, and nothing else does.
func TestLazyListing(t *testing.T) {
	servers, manifests, started := lazyServers(t, 2, "echo")
	h := connectAll(t, &Options{Judge: byHash(manifests...), Refresh: -1}, servers...)
	if err := h.Reload(t.Context(), servers); err != nil {
		t.Error(err)
	}
	if got := started(); got != nil {
		t.Errorf("Reload started %q", got)
	}
	if snap, _, err := h.Snapshot(t.Context(), "s1", nil); err != nil || len(snap.Tools) != 1 {
		t.Fatalf("%+v, %v", snap, err)
	}
	if got := started(); slices.Contains(got, "s0") || !slices.Contains(got, "s1") {
		t.Errorf("started: %q", got)
	}
}

// A registry has the tools of lazy servers, also of one that is attached later, and
// loses those of one that does not come up.
func TestLazySync(t *testing.T) {
	good, manifests, _ := lazyServers(t, 2, "echo")
	servers, broken, _ := lazyServers(t, 3, "crash-on-start")
	servers[0], servers[1] = good[0], good[1]
	h := connectAll(t, &Options{Judge: byHash(append(manifests, broken[2])...), Refresh: -1}, servers[1:]...)
	reg := &registry{}
	if _, err := viewOf(h).Sync(reg, slices.Concat(manifests[0].Tools(h), manifests[1].Tools(h), broken[2].Tools(h))...); err != nil {
		t.Fatal(err)
	}
	reg.has(t, "s1__echo s2__echo")
	if err := h.Attach(t.Context(), servers[0]); err != nil {
		t.Fatal(err)
	}
	reg.has(t, "s0__echo s1__echo s2__echo")
	for _, name := range []string{"s0__echo", "s1__echo"} {
		if err := reg.call(t, name); err != nil {
			t.Error(err)
		}
	}
	if err := reg.call(t, "s2__echo"); !errors.Is(err, runtime.ErrUnavailable) {
		t.Errorf("got %v", err)
	}
	reg.has(t, "s0__echo s1__echo")
	if err := h.Err(); err == nil || !strings.Contains(err.Error(), "s2") {
		t.Errorf("got %v", err)
	}
}

// What is not as it was pinned is found out when the server starts, by the call that
// starts it. Nothing is called on trust.
func TestLazyDrift(t *testing.T) {
	servers, _, _ := lazyServers(t, 1, "mutable")
	m := pinnedManifest(t, "s0", listTool) // which the server does not have
	h := connectAll(t, &Options{Judge: proving([]*codec.Manifest{m}, nil), Refresh: -1}, servers...)
	if tools, err := viewOf(h).Tools(); err != nil || len(tools) != 1 {
		t.Fatalf("%d tools, %v", len(tools), err)
	}
	_, err := h.Invoke(t.Context(), runtime.Request{Server: "s0", Method: protocol.MethodCallTool, Name: "list_prs", Args: []byte(`{}`)})
	if !errors.Is(err, runtime.ErrDrift) {
		t.Errorf("got %v", err)
	}
	if tools, err := viewOf(h).Tools(); err != nil || len(tools) != 0 {
		t.Errorf("%d tools, %v", len(tools), err)
	}
}

// A server without a manifest is attached at once: its tools would be missing. So is
// one that is not lazy beside one that is.
func TestLazyNeedsAManifest(t *testing.T) {
	servers, manifests, _ := lazyServers(t, 3, "echo")
	servers[0].Lazy = false
	var all []string
	for _, s := range connectAll(t, &Options{Judge: byHash(manifests[:2]...), Refresh: -1}, servers...).Status() {
		all = append(all, string(s.State))
	}
	if got, want := strings.Join(all, " "), "ready unstarted ready"; got != want {
		t.Errorf("states %q, want %q", got, want)
	}
}

// Nothing that was never started stands in the way of Close, and no call starts it
// afterwards.
func TestLazyClose(t *testing.T) {
	servers, manifests, started := lazyServers(t, 1, "echo")
	h := connectAll(t, &Options{Judge: byHash(manifests...), Refresh: -1}, servers...)
	if err := h.Close(); err != nil {
		t.Fatal(err)
	}
	if err := echoOf(t.Context(), h, "s0"); !errors.Is(err, runtime.ErrNotAttached) {
		t.Errorf("got %v", err)
	}
	if got := started(); got != nil {
		t.Errorf("started: %q", got)
	}
}
