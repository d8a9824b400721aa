package mcptest_test

import (
	"context"
	"encoding/json"
	"testing"

	"github.com/mcpgen/mcpgen/golden/cases/types"
	"github.com/mcpgen/mcpgen/golden/cases/types/typestest"
	"github.com/mcpgen/mcpgen/runtime"
	"github.com/mcpgen/mcpgen/runtime/mcptest"
)

// A result of which a part is read by no field fails the test, with its place.
func TestWhole(t *testing.T) {
	const whole = `{"id":1,"items":[{"n":1.5}],"state":"open","closed":{"x":"y"},"maybe":null}`
	const more = `{"id":1,"items":[{"n":9007199254740993,"n/a\u202e":1}],"state":"open","closed":{"x":"y","z":1},"more":{}}`
	answer := whole
	server := runtime.InvokerFunc(func(context.Context, runtime.Request) (*runtime.Result, error) {
		return &runtime.Result{Structured: json.RawMessage(answer)}, nil
	})
	ft := new(fakeT)
	client := types.New(runtime.Chain(server, mcptest.Whole(ft)))
	if _, err := client.GetValues(t.Context(), types.GetValuesArgs{}); err != nil || len(ft.errors) > 0 {
		t.Fatalf("%v, %q", err, ft.errors)
	}
	answer = more
	if _, err := client.GetValues(t.Context(), types.GetValuesArgs{}); err != nil {
		t.Fatal(err)
	}
	ft.wants(t, `types/get_values: its result is not read whole:
	at /items/0/n: the Go type rounds this number; the exact text is kept, too
	at /items/0/n~1a`+"\uFFFD"+`: the type has no field for this member; it is in Extra
	at /closed/z: the type has no field for this member, so it is dropped
	at /more: the type has no field for this member; it is in Extra`)
	ft.end()
	if _, err := client.GetValues(t.Context(), types.GetValuesArgs{}); err != nil {
		t.Error(err)
	}
}

// Fakes answer with what their types hold, so that is read whole.
func TestWholeOfFakes(t *testing.T) {
	fake := typestest.New(t)
	fake.Defaults()
	if _, err := types.New(runtime.Chain(fake, mcptest.Whole(t))).ListShapes(t.Context(), types.ListShapesArgs{}); err != nil {
		t.Error(err)
	}
}
