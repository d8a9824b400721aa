package codec_test

import (
	"context"
	"encoding/json"
	"errors"
	"testing"

	"github.com/mcpgen/mcpgen/runtime"
	"github.com/mcpgen/mcpgen/runtime/codec"
)

// What a place of the arguments lacks is refused, wherever lists, maps and unions lead
// there, and nothing else is.
func TestLimits(t *testing.T) {
	const limits = `[
		{"In":{"mode":2,"list":3,"box":4,"any":7,"one":8,"lists":12}},
		{"Not":["fast"]},
		{"Each":2},
		{"Kinds":{"object":5,"string":2}},
		{"Tag":"type","In":{"\"text\"":6}},
		{"Lacks":["size"],"In":{"inside":4}},
		{"Kinds":{"":3}},
		{"OneOf":[9,10]},
		{"Has":["a","b"]},
		{"Kinds":{"":11},"Has":["b","new","sub"]},
		{"Lacks":["new"],"In":{"sub":2}},
		{"OneOf":[13,14]},
		{"Each":9},
		{"Each":10}]`
	for args, want := range map[string]string{
		`{"mode":"slow","list":["a"],"box":{"type":"text","text":"x"},"other":"fast"}`: "",
		`{"one":{"a":1,"b":1},"lists":[]}`:                                             "",
		`{"one":{"b":1}}`:                                                              "",
		`{"one":{"b":1,"new":1}}`:                                                      "/one",
		`{"one":{"b":1,"sub":"fast"}}`:                                                 "/one/sub",
		`{"one":{"b":1,"sub":"slow"}}`:                                                 "",
		`{"one":{"a":1,"new":1}}`:                                                      "", // of no variant
		`{"lists":[{"b":1},{"new":1}]}`:                                                "/lists/1",
		`{"lists":[{"a":1},{"new":1}]}`:                                                "",
		`{"lists":["fast",{"a":1}]}`:                                                   "",
		`{"mode":"fast"}`:                                                              "/mode",
		`{"list":["slow","fast"]}`:                                                     "/list/1",
		`{"list":{"a/b":"fast"}}`:                                                      "/list/a~1b",
		`{"any":["fast"]}`:                                                             "/any/0",
		`{"box":"fast"}`:                                                               "/box",
		`{"box":["fast"]}`:                                                             "",
		`{"box":{"type":"text","size":1}}`:                                             "/box",
		`{"box":{"type":"image","size":1}}`:                                            "",
		`{"box":{"size":1}}`:                                                           "",
		`{"box":{"type":"text","inside":{"inside":{},"type":"text"}}}`:                 "",
		`{"box":{"type":"text","inside":{"type":"text","inside":{"type":"text","size":null}}}}`: "/box/inside/inside",
	} {
		sent := false
		inv := runtime.InvokerFunc(func(context.Context, runtime.Request) (*runtime.Result, error) {
			sent = true
			return &runtime.Result{}, nil
		})
		tool := codec.ItemRef{Server: "srv", Name: "tool", Limits: codec.Limits(limits)}
		_, err := codec.CallToolResult(t.Context(), inv, tool, json.RawMessage(args), nil)
		_, taskErr := codec.StartTool[any](t.Context(), inv, tool, json.RawMessage(args), nil)
		bad, ok := errors.AsType[*runtime.InvalidArgsError](err)
		switch {
		case want == "" && (err != nil || taskErr != nil || !sent):
			t.Errorf("%s: %v, %v", args, err, taskErr)
		case want != "" && (!ok || bad.Pointer != want || taskErr == nil || sent):
			t.Errorf("%s: got %v, %v, sent: %v; want a refusal at %s", args, err, taskErr, sent, want)
		}
	}
	if _, err := codec.CallToolResult(t.Context(), nil, codec.ItemRef{Limits: codec.Limits("x")}, struct{}{}, nil); err == nil {
		t.Error("limits that cannot be read let the call through")
	}
}
