package runtime_test

import (
	"context"
	"encoding/json"
	"errors"
	"strings"
	"testing"

	"github.com/mcpgen/mcpgen/runtime"
	"github.com/mcpgen/mcpgen/runtime/protocol"
)

// answer is an invoker that always gives one answer, and notes the request.
type answer struct {
	result *runtime.Result
	err    error
	got    runtime.Request
	calls  int
}

func (a *answer) Invoke(_ context.Context, req runtime.Request) (*runtime.Result, error) {
	a.got, a.calls = req, a.calls+1
	return a.result, a.err
}

func parseResult(t *testing.T, raw string) *runtime.Result {
	t.Helper()
	r, err := runtime.Request{Method: protocol.MethodCallTool}.ParseResult(json.RawMessage(raw))
	if err != nil {
		t.Fatal(err)
	}
	return r
}

func TestInvokerInContext(t *testing.T) {
	inner, outer := &answer{result: &runtime.Result{}}, &answer{result: &runtime.Result{}}
	t.Cleanup(func() { runtime.SetDefault(nil) })
	runtime.SetDefault(outer)
	ctx := runtime.NewContext(t.Context(), inner)
	for _, c := range []context.Context{ctx, t.Context(), runtime.NewContext(t.Context(), nil)} {
		if _, err := (runtime.Request{Server: "s", Name: "t"}).Do(c, nil); err != nil {
			t.Fatal(err)
		}
	}
	if inner.calls != 1 || outer.calls != 2 {
		t.Errorf("the context's invoker was called %d times, the default %d", inner.calls, outer.calls)
	}
}

func TestPinOfACall(t *testing.T) {
	req := runtime.Request{Name: "t", Pin: "sha256:own"}
	if got := req.With(nil, runtime.WithPin("")); got.Pin != "sha256:own" {
		t.Errorf("no pin among the options: %q", got.Pin)
	}
	if got := req.With(runtime.WithPin("sha256:other")); got.Pin != "sha256:other" || got.Options.Pin != "" {
		t.Errorf("%+v", got)
	}
}

func TestParseIncompleteResults(t *testing.T) {
	for raw, want := range map[string]string{
		`{"content":[]}`: "", `{"resultType":"complete"}`: "complete", `{"resultType":7}`: "",
		`{"resultType":"input_required","inputRequests":{}}`: "input_required", `{"content":[{"type":"text","text":"\"resultType\""}]}`: "",
	} {
		if got := parseResult(t, raw); got.Type != want || string(got.Raw) != raw {
			t.Errorf("%s: type %q", raw, got.Type)
		}
	}
}

func TestChain(t *testing.T) {
	var order []string
	note := func(name string) runtime.Middleware {
		return func(next runtime.Invoker) runtime.Invoker {
			return runtime.InvokerFunc(func(ctx context.Context, req runtime.Request) (*runtime.Result, error) {
				order = append(order, name)
				return next.Invoke(ctx, req)
			})
		}
	}
	inv := runtime.Chain(&answer{result: &runtime.Result{}}, note("first"), nil, note("second"))
	if _, err := inv.Invoke(t.Context(), runtime.Request{}); err != nil || strings.Join(order, " ") != "first second" {
		t.Errorf("got %v, %v", order, err)
	}
}

func TestToolErrorText(t *testing.T) {
	for _, tt := range []struct {
		err  runtime.ToolError
		want string
	}{
		{runtime.ToolError{Server: "s", Name: "t"}, "s/t: the tool reported an error: (no text)"},
		{runtime.ToolError{Name: "echo", Result: &runtime.Result{Content: []runtime.Content{{Type: "text", Text: "two\nlines\x00"}}}},
			"echo: the tool reported an error: two lines\ufffd"},
	} {
		if got := tt.err.Error(); got != tt.want {
			t.Errorf("got %q, want %q", got, tt.want)
		}
	}
}

func TestErrorsSayWhatToDo(t *testing.T) {
	for _, tt := range []struct {
		err  error
		is   error
		want string
	}{
		{&runtime.CallError{Stage: "route", Err: runtime.ErrNotAttached}, runtime.ErrNotAttached, "route: server not attached"},
		{&runtime.RPCError{Code: -1, Message: "no\n::error x"}, runtime.ErrRPC, "no ::error x (code -1)"},
		{&runtime.CallError{Name: "t\nx", Stage: "gate", Err: runtime.ErrDenied}, runtime.ErrDenied, "t x: gate: denied"},
		{&runtime.CallError{Name: "t", Stage: "gate", Err: runtime.ErrDenied}, runtime.ErrDenied, "t: gate: denied"},
		{&runtime.RPCError{Code: -32601, Message: "unknown tool"}, runtime.ErrRPC, "unknown tool (code -32601)"},
		{&runtime.InvalidArgsError{Pointer: "/a", Reason: "too long"}, runtime.ErrInvalidArgs, `invalid arguments: at "/a": too long`},
		{&runtime.DriftError{Server: "s", Tool: "t", Rule: "tool-removed", Path: "/x"}, runtime.ErrDrift,
			`(tool-removed at "/x"): run mcpgen check, then mcpgen update s`},
		{&runtime.RPCError{Code: 1, Message: "\x1b[2Jgone\r\u202eback"}, runtime.ErrRPC, "\ufffd[2Jgone \ufffdback (code 1)"},
		{&runtime.CallError{Server: "s", Name: "\x1b]0;t\a", Stage: "gate", Err: runtime.ErrDenied}, runtime.ErrDenied, "s/\ufffd]0;t\ufffd: gate: denied"},
		{&runtime.DriftError{Server: "s", Rule: "r"}, runtime.ErrDrift, `(r): run mcpgen check`},
		{&runtime.RPCError{Message: strings.Repeat("é", 400)}, runtime.ErrRPC, strings.Repeat("é", 250) + "…"},
	} {
		if !errors.Is(tt.err, tt.is) || !strings.Contains(tt.err.Error(), tt.want) {
			t.Errorf("got %v, want %s", tt.err, tt.want)
		}
	}
}
