package attach

import (
	"context"
	"encoding/json"
	"slices"
	"strings"
	"testing"

	"github.com/mcpgen/mcpgen/runtime"
	"github.com/mcpgen/mcpgen/runtime/naming"
	"github.com/mcpgen/mcpgen/runtime/native"
)

// liveSeeds are the rows about what a host offers: names, prompts, lists.
func liveSeeds() map[string]func(*testing.T) {
	return map[string]func(*testing.T){
		"000-06": modelNames,
		"001-16": TestToolsThatMeet,
		"002-01": nativeBesideRemote,
		"002-19": nameClash,
		"004-41": bootOrder,
		"004-48": nativeBesideRemote,
	}
}

// githubView is a server with the tool list_prs.
func githubView(t *testing.T) View {
	t.Helper()
	s := processServer(t, "replay", surfaceFile(t, `{"tools":[`+listTool+`]}`))
	s.Name = "github"
	return namedView(connectAll(t, nil, s), naming.Dot)
}

// modelNames: what the model sees is portable, and leads back exactly.
func modelNames(t *testing.T) {
	tools, err := githubView(t).Tools()
	if err != nil {
		t.Fatal(err)
	}
	if len(tools) != 1 {
		t.Fatalf("%v", specsOf(tools))
	}
	if s := tools[0].Spec(); s.Name != "mcp_github_list_prs" || s.Name != naming.Portable(s.Name) || s.Server != "github" || s.Tool != "list_prs" {
		t.Errorf("%+v", s)
	}
}

func newNativeSet(t *testing.T, tools ...*native.Tool) *native.Set {
	t.Helper()
	set, err := native.NewSet(tools...)
	if err != nil {
		t.Fatal(err)
	}
	return set
}

// nativeBesideRemote: one registry, one gate, one list for both.
func nativeBesideRemote(t *testing.T) {
	set := newNativeSet(t, native.Echo(), native.Clock(nil))
	var gated []string
	gate := func(next runtime.Invoker) runtime.Invoker {
		return runtime.InvokerFunc(func(ctx context.Context, req runtime.Request) (*runtime.Result, error) {
			gated = append(gated, req.Server+"/"+req.Name)
			return next.Invoke(ctx, req)
		})
	}
	h := connectAll(t, &Options{Middleware: []runtime.Middleware{gate, set.Middleware()}}, processServer(t, "echo"))
	reg := &registry{}
	if err := runtime.RegisterAll(reg, set.Tools(h)...); err != nil {
		t.Fatal(err)
	}
	if _, err := viewOf(h).SyncAll(reg); err != nil {
		t.Fatal(err)
	}
	reg.has(t, "clock echo s__echo")
	for _, name := range []string{"echo", "s__echo"} {
		res, err := reg.tools[name].Call(t.Context(), json.RawMessage(`{"text":"hi"}`))
		if err != nil || !strings.Contains(res.Text(), "hi") {
			t.Errorf("%s: %+v, %v", name, res, err)
		}
	}
	if !slices.Equal(gated, []string{"/echo", "s/echo"}) {
		t.Errorf("the gate saw %q", gated)
	}
}

// nameClash: names without a prefix may meet a native tool's. That is an error
// that names both, or the server gets a prefix; nothing is replaced in silence.
func nameClash(t *testing.T) {
	set := newNativeSet(t, native.Echo())
	for scheme, clash := range map[naming.Scheme]bool{naming.Bare: true, naming.DoubleUnderscore: false} {
		h := connectAll(t, &Options{Middleware: []runtime.Middleware{set.Middleware()}}, processServer(t, "echo"))
		view := namedView(h, scheme)
		remote, err := view.Tools()
		if err != nil {
			t.Fatal(err)
		}
		reg := &registry{}
		err = runtime.RegisterAll(reg, append(set.Tools(h), remote...)...)
		if !clash {
			if err != nil || reg.names() != "echo s__echo" {
				t.Errorf("%s: %v, %s", scheme, err, reg.names())
			}
			continue
		}
		checkError(t, err, `"echo" (server "s", tool "echo")`, `taken by "echo"`)
		if reg.names() != "" {
			t.Errorf("registered %s", reg.names())
		}
		if err := reg.Register(set.Tools(h)[0]); err != nil {
			t.Fatal(err)
		}
		if _, err := view.SyncAll(reg); err == nil || reg.tools["echo"].Spec().Server != "" {
			t.Errorf("the native tool was replaced: %v", err)
		}
	}
}

// bootOrder: what is built in, less what was not asked for; then the servers'
// tools; then what is added, each name once; then the prompt.
func bootOrder(t *testing.T) {
	h := connectReady(t, processServer(t, "echo"))
	reg := &registry{}
	if err := runtime.RegisterAll(reg, newNativeSet(t, native.Echo(), native.Clock(nil)).Only("clock").Tools(h)...); err != nil {
		t.Fatal(err)
	}
	if _, err := viewOf(h).SyncAll(reg); err != nil {
		t.Fatal(err)
	}
	for _, addon := range newNativeSet(t, native.Clock(nil), native.Echo()).Tools(h) {
		if reg.tools[addon.Spec().Name] == nil {
			if err := reg.Register(addon); err != nil {
				t.Fatal(err)
			}
		}
	}
	if got := strings.Join(reg.log, " "); got != "+clock +s__echo +echo" {
		t.Errorf("order %s", got)
	}
	if specs := viewOf(h).Specs("s"); len(specs) != 1 || specs[0].Name != "s__echo" || specs[0].Description != "Returns its arguments." {
		t.Errorf("for the prompt: %+v", specs)
	}
}
