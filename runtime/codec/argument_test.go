package codec_test

import (
	"context"
	"encoding/json"
	"errors"
	"slices"
	"testing"

	"github.com/mcpgen/mcpgen/runtime"
	"github.com/mcpgen/mcpgen/runtime/codec"
)

// WithArgument adds to the arguments before anything else sees the request, and never in
// place of one that is there.
func TestWithArgument(t *testing.T) {
	var seen []string
	inv := runtime.InvokerFunc(func(_ context.Context, req runtime.Request) (*runtime.Result, error) {
		seen = append(seen, string(req.Args))
		if req.Options.Arguments != nil {
			t.Errorf("options: %v, want none of what is among the arguments", req.Options.Arguments)
		}
		return &runtime.Result{}, nil
	})
	more := []runtime.CallOption{
		codec.WithArgument("settings", json.RawMessage(` {"order":"v1"} `)),
		codec.WithArgument(`b"`, json.RawMessage("1.0")),
	}
	for _, args := range []string{"", "{}", `{"name":"x"}`} {
		req := runtime.Request{Method: "tools/call", Name: "t", Args: json.RawMessage(args)}
		if _, err := req.With(more...).Do(t.Context(), inv); err != nil {
			t.Errorf("%s: %v", args, err)
		}
	}
	want := []string{`{"settings":{"order":"v1"},"b\"":1.0}`, `{"settings":{"order":"v1"},"b\"":1.0}`, `{"settings":{"order":"v1"},"b\"":1.0,"name":"x"}`}
	if !slices.Equal(seen, want) {
		t.Errorf("sent %s, want %s", seen, want)
	}
	for name, req := range map[string]runtime.Request{
		"twice":     {Method: "tools/call", Args: json.RawMessage(`{"settings":1}`)},
		"no object": {Method: "tools/call", Args: json.RawMessage(`[]`)},
		"no tool":   {Method: "resources/read"},
	} {
		if _, err := req.With(more...).Do(t.Context(), inv); !errors.Is(err, runtime.ErrInvalidArgs) {
			t.Errorf("%s: %v, want ErrInvalidArgs", name, err)
		}
	}
	bad := runtime.Request{Method: "tools/call"}.With(codec.WithArgument("a", json.RawMessage("{")))
	if _, err := bad.Do(t.Context(), inv); !errors.Is(err, runtime.ErrInvalidArgs) {
		t.Errorf("no JSON: %v, want ErrInvalidArgs", err)
	}
	if len(seen) != 3 {
		t.Errorf("%d calls were made, want 3", len(seen))
	}
}
