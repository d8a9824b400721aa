package codec_test

import (
	"encoding/json"
	"errors"
	"reflect"
	"testing"
	"time"

	"github.com/mcpgen/mcpgen/runtime"
	"github.com/mcpgen/mcpgen/runtime/codec"
	"github.com/mcpgen/mcpgen/runtime/protocol"
)

func resultOf(t *testing.T, method, raw string) *runtime.Result {
	t.Helper()
	r, err := runtime.Request{Method: method}.ParseResult(json.RawMessage(raw))
	if err != nil {
		t.Fatal(err)
	}
	return r
}

func TestGetPrompt(t *testing.T) {
	type args struct {
		City  string  `json:"city"`
		State *string `json:"state,omitzero"`
	}
	a := &answer{result: resultOf(t, protocol.MethodGetPrompt,
		`{"messages":[{"role":"user","content":{"type":"text","text":"a"}},{"role":"assistant","content":{"type":"image","data":"AA==","mimeType":"image/png"}}]}`)}
	for _, tt := range []struct {
		args any
		want string
	}{
		{args{}, `{"city":""}`},
		{args{City: "<Ulm>", State: new("")}, `{"city":"<Ulm>","state":""}`},
		{struct{}{}, `{}`},
		{nil, ``},
	} {
		var raw runtime.Result
		res, err := codec.GetPrompt(t.Context(), a, codec.ItemRef{Server: "srv", Name: "weather", Pin: "sha256:pin"}, tt.args, []runtime.CallOption{nil, runtime.WithRaw(&raw)})
		if err != nil {
			t.Fatal(err)
		}
		if len(res.Content) != 2 || res.Content[1].Role != "assistant" || !reflect.DeepEqual(raw, *res) {
			t.Errorf("got %+v", res)
		}
		a.got.Options = runtime.Options{}
		want := runtime.Request{Server: "srv", Method: "prompts/get", Name: "weather", Pin: "sha256:pin", Args: json.RawMessage(tt.want)}
		if tt.args == nil {
			want.Args = nil
		}
		if !reflect.DeepEqual(a.got, want) {
			t.Errorf("asked %+v, want %+v", a.got, want)
		}
	}
	if _, err := codec.GetPrompt(t.Context(), a, codec.ItemRef{Server: "srv", Name: "weather"}, []string{"x"}, nil); !errors.Is(err, runtime.ErrInvalidArgs) {
		t.Errorf("arguments that are not an object: %v", err)
	}
}

func TestReadResource(t *testing.T) {
	a := &answer{result: resultOf(t, protocol.MethodReadResource, `{"contents":[{"uri":"a:b","text":"t"},{"uri":"a:c","blob":"AAE="}]}`)}
	res, err := codec.ReadResource(t.Context(), a, codec.ItemRef{Server: "srv", Name: "a:b", Pin: "sha256:pin"}, []runtime.CallOption{runtime.WithTimeout(time.Second)})
	if err != nil || res.Text() != "t" || string(res.Content[1].Data) != "\x00\x01" {
		t.Fatal(res, err)
	}
	if a.got.Method != "resources/read" || a.got.Name != "a:b" || a.got.Pin != "sha256:pin" || a.got.Args != nil || a.got.Options.Timeout != time.Second {
		t.Errorf("asked %+v", a.got)
	}
	if _, err := codec.ReadResource(t.Context(), nil, codec.ItemRef{Server: "srv", Name: "a:b"}, nil); !errors.Is(err, runtime.ErrNoInvoker) {
		t.Errorf("without an invoker: %v", err)
	}
}

func TestComplete(t *testing.T) {
	for _, tt := range []struct {
		args codec.CompleteArgs
		want string
	}{
		{codec.CompleteArgs{Prompt: "p", Argument: "a", Value: "v"}, `{"ref":{"type":"ref/prompt","name":"p"},"argument":{"name":"a","value":"v"}}`},
		{codec.CompleteArgs{Resource: "x:{a}", Argument: "a", Context: map[string]string{"b": ""}},
			`{"ref":{"type":"ref/resource","uri":"x:{a}"},"argument":{"name":"a","value":""},"context":{"arguments":{"b":""}}}`},
	} {
		a := &answer{result: resultOf(t, protocol.MethodComplete, `{"completion":{"values":["one","two"],"total":1e1,"hasMore":true}}`)}
		c, err := codec.Complete(t.Context(), a, "srv", tt.args, nil)
		if err != nil {
			t.Fatal(err)
		}
		if want := (&codec.Completion{Values: []string{"one", "two"}, Total: 10, HasMore: true}); !reflect.DeepEqual(c, want) {
			t.Errorf("got %+v", c)
		}
		if a.got.Method != "completion/complete" || a.got.Name != tt.args.Prompt+tt.args.Resource || string(a.got.Args) != tt.want {
			t.Errorf("asked %+v", a.got)
		}
	}
	for _, args := range []codec.CompleteArgs{{}, {Prompt: "p", Resource: "r"}} {
		if _, err := codec.Complete(t.Context(), &answer{}, "srv", args, nil); !errors.Is(err, runtime.ErrInvalidArgs) {
			t.Errorf("%+v: %v", args, err)
		}
	}
}

func TestCompleteOddAnswers(t *testing.T) {
	args := codec.CompleteArgs{Prompt: "p", Argument: "a"}
	for raw, want := range map[string]codec.Completion{
		`{"completion":{"values":[]}}`:                                    {},
		`{"completion":{}}`:                                               {},
		`{"completion":{"values":"x","total":"3","hasMore":"yes"}}`:       {Values: []string{"x"}},
		`{"completion":{"values":null,"total":-1,"hasMore":null}}`:        {},
		`{"completion":{"values":["a"],"total":2.5,"hasMore":false}}`:     {Values: []string{"a"}},
		`{"completion":{"values":["a"],"total":1e999999999,"x":{"y":1}}}`: {Values: []string{"a"}},
	} {
		c, err := codec.Complete(t.Context(), &answer{result: resultOf(t, protocol.MethodComplete, raw)}, "srv", args, nil)
		if err != nil || !reflect.DeepEqual(*c, want) {
			t.Errorf("%s: %+v, %v", raw, c, err)
		}
	}
	for _, raw := range []string{`{}`, `{"completion":null}`, `{"completion":["a"]}`} {
		_, err := codec.Complete(t.Context(), &answer{result: resultOf(t, protocol.MethodComplete, raw)}, "srv", args, nil)
		if de, ok := errors.AsType[*runtime.DecodeError](err); !ok || de.Result == nil {
			t.Errorf("%s: %v", raw, err)
		}
	}
}

// Whatever an invoker answers with, no result comes without an error.
func TestPromptThatSaysNo(t *testing.T) {
	failed := &answer{result: &runtime.Result{IsError: true}}
	if _, err := codec.GetPrompt(t.Context(), failed, codec.ItemRef{Server: "srv", Name: "p"}, nil, nil); !isToolError(err) {
		t.Errorf("got %v", err)
	}
	nothing := &answer{}
	if _, err := codec.ReadResource(t.Context(), nothing, codec.ItemRef{Server: "srv", Name: "a:b"}, nil); err == nil {
		t.Error("ReadResource has neither a result nor an error, want an error")
	}
}

func isToolError(err error) bool {
	_, ok := errors.AsType[*runtime.ToolError](err)
	return ok
}
