package codec_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log"

	"github.com/mcpgen/mcpgen/runtime"
	"github.com/mcpgen/mcpgen/runtime/codec"
)

// weather stands for a server that is attached.
func weather(_ context.Context, req runtime.Request) (*runtime.Result, error) {
	return req.ParseResult(json.RawMessage(`{"structuredContent":{"celsius":21.0}}`))
}

func ExampleCallTool() {
	// Generated methods are one call of CallTool each.
	var out struct {
		Celsius int `json:"celsius"`
	}
	inv := runtime.InvokerFunc(weather)
	args := map[string]string{"place": "Oslo"}
	if err := codec.CallTool(context.Background(), inv, codec.ItemRef{Server: "weather", Name: "forecast"}, args, &out, nil); err != nil {
		log.Fatal(err)
	}
	fmt.Println(out.Celsius)
	// Output: 21
}

func ExampleDecodeObject() {
	type pullRequest struct {
		Number int    `json:"number"`
		Title  string `json:"title"`
		Body   string `json:"body,omitzero"`
	}
	var pr pullRequest
	var extra map[string]json.RawMessage
	fmt.Println(codec.DecodeObject([]byte(`{"number":7e0,"title":"Fix","draft":true}`), &pr, &extra))
	fmt.Println(pr.Number, pr.Title, string(extra["draft"]))
	fmt.Println(codec.DecodeObject([]byte(`{"number":"7"}`), &pr, nil))
	// Output:
	// <nil>
	// 7 Fix true
	// at "/number": want an integer, got a string
}

// Middleware in front of a host lets a result that breaks its schema be read as far as it fits.
func ExampleLenient() {
	wrong := func(_ context.Context, req runtime.Request) (*runtime.Result, error) {
		return req.ParseResult(json.RawMessage(`{"structuredContent":{"place":"Oslo","celsius":"mild"}}`))
	}
	var out struct {
		Place   string `json:"place"`
		Celsius int    `json:"celsius"`
	}
	forecast := codec.ItemRef{Server: "weather", Name: "forecast"}
	err := codec.CallTool(context.Background(), runtime.InvokerFunc(wrong), forecast, nil, &out, nil)
	fmt.Println(errors.Is(err, runtime.ErrDecode))

	lenient := runtime.Chain(runtime.InvokerFunc(wrong), codec.Lenient("weather"))
	err = codec.CallTool(context.Background(), lenient, forecast, nil, &out, nil)
	fmt.Println(out.Place, out.Celsius, err)
	// Output:
	// true
	// Oslo 0 <nil>
}

// One call sends an argument that the schema of the tool does not declare.
func ExampleWithArgument() {
	echo := func(_ context.Context, req runtime.Request) (*runtime.Result, error) {
		fmt.Println(string(req.Args))
		return &runtime.Result{}, nil
	}
	_, err := codec.CallToolResult(context.Background(), runtime.InvokerFunc(echo), codec.ItemRef{Server: "weather", Name: "forecast"},
		map[string]string{"place": "Oslo"}, []runtime.CallOption{codec.WithArgument("dryRun", json.RawMessage("true"))})
	fmt.Println(err)
	// Output:
	// {"dryRun":true,"place":"Oslo"}
	// <nil>
}
