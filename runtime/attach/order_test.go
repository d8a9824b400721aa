package attach

import (
	"slices"
	"testing"

	"github.com/mcpgen/mcpgen/runtime/endpoint"
)

// A host shows its servers and their tools in the order in which they were given to
// it.
func TestOrder(t *testing.T) {
	echo := httpServer(t, "echo")
	h := connectAll(t, nil, withName(echo, "zeta"), withName(echo, "alpha"), withName(echo, "mid"))
	is := func(when string, want ...string) {
		t.Helper()
		var shown, registered []string
		for _, st := range h.Status() {
			shown = append(shown, st.Server)
		}
		tools, err := viewOf(h).Tools()
		if err != nil {
			t.Fatal(err)
		}
		for _, tool := range tools {
			registered = append(registered, tool.Spec().Server)
		}
		if !slices.Equal(shown, want) {
			t.Errorf("%s: the status has %v, want %v", when, shown, want)
		}
		if registered = slices.Compact(registered); !slices.Equal(registered, want) {
			t.Errorf("%s: the tools are of %v, want %v", when, registered, want)
		}
	}
	is("connected", "zeta", "alpha", "mid")
	if err := h.Attach(t.Context(), withName(echo, "beta")); err != nil {
		t.Fatal(err)
	}
	is("attached", "zeta", "alpha", "mid", "beta")
	if err := h.Detach("alpha"); err != nil {
		t.Fatal(err)
	}
	is("detached", "zeta", "mid", "beta")
	if err := h.Reload(t.Context(), []endpoint.Server{withName(echo, "new"), withName(echo, "beta"), withName(echo, "alpha"), withName(echo, "zeta")}); err != nil {
		t.Fatal(err)
	}
	is("reloaded", "new", "beta", "alpha", "zeta")
	if err := h.Close(); err != nil {
		t.Fatal(err)
	}
	if got := h.Status()[0].Server; got != "new" {
		t.Errorf("closed: the first is %s", got)
	}
}
