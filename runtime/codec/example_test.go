package codec_test

import (
	"context"
	"encoding/json"
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
