package live_test

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/mcpgen/mcpgen/runtime"
	"github.com/mcpgen/mcpgen/runtime/attach"
	"github.com/mcpgen/mcpgen/runtime/live"
)

// shownTools are the tools that a model is shown, with their descriptions.
func shownTools(t *testing.T, host *live.Host) string {
	t.Helper()
	tools, err := host.Tools()
	if err != nil {
		t.Fatal(err)
	}
	var all []string
	for _, tool := range tools {
		all = append(all, tool.Spec().Name+": "+tool.Spec().Description)
	}
	return strings.Join(all, ", ")
}

func stateOf(host *live.Host) attach.State { return host.Status()[0].State }

// A lazy server of another system's file shows the tools of the last run, and is started
// by its first call. A tool that changed meanwhile is not called before it was shown anew.
func TestLazyWithoutManifest(t *testing.T) {
	enterProject(t, map[string]string{
		inProject:      serverFile(`"s": {"command": PROGRAM, "args": ["replay", "surface.json"]}`),
		"surface.json": `{"instructions": "Ask first.", "tools": [{"name": "f", "description": "a <b>", "inputSchema": {"type": "object"}}, {"name": "e", "inputSchema": {"type": "object"}}]}`,
	})
	t.Setenv("XDG_CACHE_HOME", t.TempDir())
	open := func() *live.Host { return openReady(t, live.Options{System: "indusr", Lazy: true}) }
	call := func(host *live.Host, name string) error {
		tools, err := host.Tools()
		if err != nil {
			return err
		}
		for _, tool := range tools {
			if tool.Spec().Name == name {
				_, err := tool.Call(t.Context(), []byte(`{}`))
				return err
			}
		}
		return errors.New("it is not shown")
	}

	first := open()
	if stateOf(first) != attach.Ready {
		t.Error("a server whose tools are unknown is started")
	}
	first.Close()

	second := open()
	if stateOf(second) != attach.Unstarted || shownTools(t, second) != "s__f: a <b>, s__e: " {
		t.Errorf("%s, shown %s", stateOf(second), shownTools(t, second))
	}
	if text := second.Instructions(); !strings.Contains(text, "Ask first.") {
		t.Errorf("instructions: %s", text)
	}
	if err := call(second, "s__f"); err != nil || stateOf(second) != attach.Ready {
		t.Errorf("its first call: %v", err)
	}
	second.Close()

	writeFile(t, "surface.json", `{"tools": [{"name": "f", "inputSchema": {"type": "object", "required": ["n"]}}, {"name": "e", "description": "new", "inputSchema": {"type": "object"}}]}`)
	third := open()
	if err := call(third, "s__f"); !errors.Is(err, runtime.ErrDrift) {
		t.Errorf("a tool that changed: %v", err)
	}
	if shownTools(t, third) != "s__f: , s__e: new" || call(third, "s__f") != nil {
		t.Errorf("shown %s", shownTools(t, third))
	}
	third.Close()

	writeFile(t, inProject, serverFile(`"s": {"command": PROGRAM, "args": ["replay", "surface.json"], "env": {"X": "1"}}`))
	if fourth := open(); stateOf(fourth) != attach.Ready {
		t.Error("a listing of another launch counts")
	} else {
		fourth.Close()
	}
	if fifth := open(); stateOf(fifth) != attach.Unstarted {
		t.Error("it is not kept")
	} else {
		fifth.Close()
	}
	files, err := filepath.Glob(filepath.Join(os.Getenv("XDG_CACHE_HOME"), "mcpgen", "listings", "*.json"))
	if err != nil || len(files) != 1 {
		t.Fatalf("files %q, %v", files, err)
	}
	if err := os.WriteFile(files[0], []byte(`{"launch": 1`), 0o600); err != nil {
		t.Fatal(err)
	}
	if stateOf(open()) != attach.Ready {
		t.Error("a damaged listing counts")
	}
}
