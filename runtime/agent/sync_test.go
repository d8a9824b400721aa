package agent

import (
	"context"
	"testing"

	"github.com/mcpgen/mcpgen/runtime"
	"github.com/mcpgen/mcpgen/runtime/attach"
	"github.com/mcpgen/mcpgen/runtime/attach/pinned"
	"github.com/mcpgen/mcpgen/runtime/codec"
	"github.com/mcpgen/mcpgen/runtime/endpoint"
	"github.com/mcpgen/mcpgen/runtime/native"
	"github.com/mcpgen/mcpgen/schema"
)

// registry keeps tools by their names.
type registry map[string]runtime.Tool

func (r registry) Register(t runtime.Tool) error { r[t.Spec().Name] = t; return nil }

func (r registry) Unregister(name string) error { delete(r, name); return nil }

// A registry gets a generated tool under the name that the view gave it, if another tool has its own.
func TestSyncAllNames(t *testing.T) {
	tool, err := native.New("s__bare", "Echoes.", func(context.Context, struct{}) (string, error) { return "", nil })
	if err != nil {
		t.Fatal(err)
	}
	set, err := native.NewSet(tool)
	if err != nil {
		t.Fatal(err)
	}
	const bare = `{"name":"bare","inputSchema":{"type":"object"}}`
	pin, err := schema.ContractHash(schema.KindTool, []byte(bare))
	if err != nil {
		t.Fatal(err)
	}
	m := codec.NewManifest("s", `{"tools":[`+bare+`]}`, codec.ItemRef{Name: "bare", Qualified: "s__bare", Pin: pin})
	h, err := attach.Connect(t.Context(), []endpoint.Server{processServer(t, "replay", surfaceFile(t, `{"tools":[`+bare+`]}`))}, &attach.Options{Judge: pinned.ByHash(m), Middleware: []runtime.Middleware{set.Middleware()}})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = h.Close() })
	view := NewView(h, &Options{Native: set.Tools})
	got := registry{}
	if _, err := view.SyncAll(got); err != nil {
		t.Fatal(err)
	}
	shown, err := view.Tools()
	if err != nil || len(shown) != 2 || len(got) != 2 {
		t.Fatalf("%d tools are shown, and %d are registered: %v", len(shown), len(got), err)
	}
	for _, tool := range shown {
		if got[tool.Spec().Name] == nil {
			t.Errorf("%s is shown and not registered", tool.Spec().Name)
		}
	}
}
