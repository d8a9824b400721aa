package runtime_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log"

	"github.com/mcpgen/mcpgen/internal/stage"
	"github.com/mcpgen/mcpgen/runtime"
	"github.com/mcpgen/mcpgen/runtime/codec"
	"github.com/mcpgen/mcpgen/runtime/protocol"
)

// ctx is short for the examples and tests that only pass it on.
type ctx = context.Context

// weather stands for a server that is attached.
func weather(_ context.Context, req runtime.Request) (*runtime.Result, error) {
	if req.Name != "forecast" {
		return req.ParseResult(json.RawMessage(`{"isError":true,"content":[{"type":"text","text":"no such place"}]}`))
	}
	return req.ParseResult(json.RawMessage(`{"structuredContent":{"celsius":21.0}}`))
}

func ExampleChain() {
	readOnly := func(next runtime.Invoker) runtime.Invoker {
		return runtime.InvokerFunc(func(ctx ctx, req runtime.Request) (*runtime.Result, error) {
			if req.Name == "delete" {
				return nil, &runtime.CallError{Server: req.Server, Name: req.Name, Stage: stage.Gate, Err: runtime.ErrDenied}
			}
			return next.Invoke(ctx, req)
		})
	}
	inv := runtime.Chain(runtime.InvokerFunc(weather), readOnly)
	_, err := inv.Invoke(context.Background(), runtime.Request{Server: "weather", Method: protocol.MethodCallTool, Name: "delete"})
	fmt.Println(err, errors.Is(err, runtime.ErrDenied))
	// Output: weather/delete: gate: denied true
}

func ExampleRoute() {
	inv := runtime.Route{"weather": runtime.InvokerFunc(weather)}
	for _, server := range []string{"weather", "search"} {
		_, err := inv.Invoke(context.Background(), runtime.Request{Server: server, Method: protocol.MethodCallTool, Name: "forecast"})
		fmt.Println(server, err)
	}
	// Output:
	// weather <nil>
	// search search/forecast: route: server not attached
}

// A tool that says no and a call that failed are never the same error.
func Example_errors() {
	ctx := runtime.NewContext(context.Background(), runtime.InvokerFunc(weather))
	_, err := codec.CallToolResult(ctx, nil, codec.ItemRef{Server: "weather", Name: "history"}, nil, nil)
	if said, ok := errors.AsType[*runtime.ToolError](err); ok {
		fmt.Println("the tool said:", said.Result.Text())
	}
	err = codec.CallTool(ctx, nil, codec.ItemRef{Server: "weather", Name: "forecast"}, nil, new([]string), nil)
	if failed, ok := errors.AsType[*runtime.CallError](err); ok {
		fmt.Println("failed at", failed.Stage, "after it was sent:", failed.Sent)
	}
	if bad, ok := errors.AsType[*runtime.DecodeError](err); ok {
		fmt.Println("what arrived:", string(bad.Result.Structured))
	}
	// Output:
	// the tool said: no such place
	// failed at decode after it was sent: true
	// what arrived: {"celsius":21.0}
}

func ExampleOpt() {
	type args struct {
		Milestone runtime.Opt[int] `json:"milestone,omitzero"`
	}
	for _, a := range []args{{}, {runtime.Null[int]()}, {runtime.Some(0)}} {
		b, _ := json.Marshal(a)
		fmt.Println(string(b))
	}
	// Output:
	// {}
	// {"milestone":null}
	// {"milestone":0}
}

func ExampleWithRaw() {
	var res runtime.Result
	var out map[string]float64
	inv := runtime.InvokerFunc(weather)
	opts := []runtime.CallOption{runtime.WithRaw(&res)}
	if err := codec.CallTool(context.Background(), inv, codec.ItemRef{Server: "weather", Name: "forecast"}, nil, &out, opts); err != nil {
		log.Fatal(err)
	}
	fmt.Println(out["celsius"], string(res.Structured))
	// Output: 21 {"celsius":21.0}
}
