package attach

import (
	"context"
	"encoding/json"
	"errors"
	"testing"

	"github.com/mcpgen/mcpgen/internal/stage"
	"github.com/mcpgen/mcpgen/runtime"
	"github.com/mcpgen/mcpgen/runtime/naming"
)

// Tools have an id beside the name that a model sees, and are called by it, or by the
// name of any other scheme.
func TestCall(t *testing.T) {
	broken := withName(processServer(t, "echo"), "search")
	processOf(broken).Command = "/no/such/program"
	var passed []runtime.Request
	h := connectAll(t, &Options{Middleware: []runtime.Middleware{func(next runtime.Invoker) runtime.Invoker {
		return runtime.InvokerFunc(func(ctx context.Context, req runtime.Request) (*runtime.Result, error) {
			passed = append(passed, req)
			return next.Invoke(ctx, req)
		})
	}}}, withName(httpServer(t, "echo"), "github"), withName(httpServer(t, "echo"), "gitlab"), broken)
	view := namedView(h, naming.Dot)
	tools, err := view.Tools()
	if err != nil || len(tools) != 2 {
		t.Fatalf("%d tools, %v", len(tools), err)
	}
	if spec := tools[0].Spec(); spec.ID != "mcp.github.echo" || spec.Name != "mcp_github_echo" {
		t.Errorf("the id is %q, the name %q", spec.ID, spec.Name)
	}
	for _, id := range []string{"mcp.github.echo", "mcp_github_echo", "github/echo", "github__echo", "mcp__github__echo", "github_echo"} {
		passed = nil
		res, err := view.Call(t.Context(), id, json.RawMessage(`{"text":"hello"}`))
		if err != nil || res.Text() == "" {
			t.Errorf("%s: %v", id, err)
		}
		if len(passed) != 1 || passed[0].Server != "github" || passed[0].Name != "echo" || passed[0].Pin == "" || string(passed[0].Args) != `{"text":"hello"}` {
			t.Errorf("%s: passed %+v", id, passed)
		}
	}
	passed = nil
	_, err = view.Call(t.Context(), "echo", nil)
	checkError(t, err, "route", `"github/echo" and "gitlab/echo" have the same id`, "server/tool")
	for _, id := range []string{"mcp.github.list_prs", "github/", ""} {
		_, err = view.Call(t.Context(), id, nil)
		if e, ok := errors.AsType[*runtime.CallError](err); !ok || e.Stage != stage.Route || !errors.Is(err, runtime.ErrUnknownTool) {
			t.Errorf("%q: got %v", id, err)
		}
		checkError(t, err, `"search" is failed`, "the method Tools")
	}
	if passed != nil {
		t.Errorf("passed %+v", passed)
	}
	_, err = view.Call(t.Context(), "search/echo", nil)
	if !errors.Is(err, runtime.ErrUnavailable) {
		t.Errorf("a tool of a server that is down: got %v", err)
	}
	checkError(t, err, "search/echo", "/no/such/program")
	_ = h.Close()
	if _, err := view.Call(t.Context(), "github/echo", nil); !errors.Is(err, runtime.ErrNotAttached) {
		t.Errorf("after Close: %v", err)
	}
}
