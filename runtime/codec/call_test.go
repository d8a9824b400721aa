package codec_test

import (
	"context"
	"encoding/json"
	"errors"
	"reflect"
	"strings"
	"testing"
	"time"

	"github.com/mcpgen/mcpgen/internal/stage"
	"github.com/mcpgen/mcpgen/runtime"
	"github.com/mcpgen/mcpgen/runtime/codec"
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

// callTool is CallTool as a generated method makes it.
func callTool(ctx context.Context, inv runtime.Invoker, args, out any, opts ...runtime.CallOption) error {
	return codec.CallTool(ctx, inv, codec.ItemRef{Server: "srv", Name: "tool", Pin: "sha256:pin"}, args, out, opts)
}

func TestCallToolRequest(t *testing.T) {
	type args struct {
		A int64  `json:"a"`
		B string `json:"b,omitzero"`
	}
	a := &answer{result: parseResult(t, `{"structuredContent":{"login":"x"}}`)}
	var out owner
	err := callTool(t.Context(), a, args{A: 9007199254740993, B: "<&>"}, &out,
		runtime.WithTimeout(time.Second), nil, runtime.WithMeta("k", json.RawMessage("1")), runtime.ExtendOnProgress(),
		runtime.OnProgress(func(runtime.Progress) {}))
	if err != nil || out.Login != "x" {
		t.Fatal(out, err)
	}
	opts := a.got.Options
	if opts.Timeout != time.Second || string(opts.Meta["k"]) != "1" || !opts.ProgressExtends || opts.OnProgress == nil {
		t.Errorf("options %+v", opts)
	}
	a.got.Options = runtime.Options{}
	want := runtime.Request{Server: "srv", Method: "tools/call", Name: "tool", Pin: "sha256:pin",
		Args: json.RawMessage(`{"a":9007199254740993,"b":"<&>"}`)}
	if !reflect.DeepEqual(a.got, want) {
		t.Errorf("got  %+v\nwant %+v", a.got, want)
	}
}

func TestCallToolArgs(t *testing.T) {
	for _, tt := range []struct {
		name string
		args any
		want string // "" sends none
	}{
		{"nil", nil, ""},
		{"nil pointer", (*owner)(nil), ""},
		{"nil map", map[string]any(nil), ""},
		{"empty", struct{}{}, "{}"},
		{"raw", json.RawMessage(` {"n": 1.0} `), `{"n":1.0}`},
	} {
		a := &answer{result: &runtime.Result{}}
		if _, err := codec.CallToolResult(t.Context(), a, codec.ItemRef{Server: "s", Name: "t"}, tt.args, nil); err != nil {
			t.Errorf("%s: %v", tt.name, err)
		}
		if string(a.got.Args) != tt.want || (tt.want == "") != (a.got.Args == nil) {
			t.Errorf("%s: got %q, want %q", tt.name, a.got.Args, tt.want)
		}
	}
}

func TestCallToolRefusesBeforeCalling(t *testing.T) {
	a := &answer{result: &runtime.Result{}}
	for _, tt := range []struct {
		name      string
		args, out any
		is        error
		want      string
	}{
		{"not encodable", func() {}, new(any), runtime.ErrInvalidArgs, "srv/tool: encode: invalid arguments: json: unsupported type"},
		{"not an object", []int{1}, new(any), runtime.ErrInvalidArgs, `srv/tool: encode: invalid arguments: want an object, got an array`},
		{"bad raw", json.RawMessage(`{`), new(any), runtime.ErrInvalidArgs, "srv/tool: encode: invalid arguments"},
		{"nil out", nil, nil, nil, "srv/tool: encode: out is <nil>"},
		{"out by value", nil, owner{}, nil, "srv/tool: encode: out is codec_test.owner: pass a non-nil pointer"},
		{"nil pointer out", nil, (*owner)(nil), nil, "pass a non-nil pointer"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			err := callTool(t.Context(), a, tt.args, tt.out)
			ce, ok := errors.AsType[*runtime.CallError](err)
			if !ok || ce.Stage != stage.Encode || ce.Sent || ce.Server != "srv" || ce.Name != "tool" {
				t.Fatalf("got %#v", err)
			}
			if tt.is != nil && !errors.Is(err, tt.is) {
				t.Errorf("%v is not %v", err, tt.is)
			}
			if !strings.Contains(err.Error(), tt.want) {
				t.Errorf("got %v, want %s", err, tt.want)
			}
		})
	}
	if a.calls != 0 {
		t.Errorf("called %d times", a.calls)
	}
}

// What a hostile or careless server may answer where {"login":"…"} is declared.
func TestCallToolDecoding(t *testing.T) {
	const decode = "decode"
	for _, tt := range []struct{ name, result, login, pointer, fails string }{
		{"good", `{"structuredContent":{"login":"x"},"content":[{"type":"text","text":"other"}]}`, "x", "", ""},
		{"extra member", `{"structuredContent":{"login":"x","more":1}}`, "x", "", ""},
		{"text only", `{"content":[{"type":"text","text":"\n{\"login\":\n"},{"type":"text","text":"\"x\"}"}]}`, "x", "", ""},
		{"text beside a resource", `{"content":[{"type":"text","text":"{\"login\":\"x\"}"},
			{"type":"resource","resource":{"uri":"a:b","text":"not json"}}]}`, "x", "", ""},
		{"nothing", `{}`, "", "", "neither structured content nor text"},
		{"empty content", `{"content":[]}`, "", "", "neither structured content nor text"},
		{"prose", `{"content":[{"type":"text","text":"all is well"}]}`, "", "", "its text is not JSON"},
		{"null", `{"structuredContent":null,"content":[{"type":"text","text":"{\"login\":\"x\"}"}]}`, "", "", "want an object, got null"},
		{"array", `{"structuredContent":[]}`, "", "", "want an object, got an array"},
		{"wrong type", `{"structuredContent":{"login":7}}`, "", "/login", `at "/login": want a string, got a number`},
		{"missing member", `{"structuredContent":{}}`, "", "", `the required member "login" is missing`},
		{"cased keys", `{"structuredContent":{"Login":"x"}}`, "", "", `the required member "login" is missing`},
		{"deep", `{"structuredContent":{"login":"x","repos":[{"id":1e99,"name":"","stars":null}]}}`, "", "/repos/0/id", "1e99 does not fit the Go type int64"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			a := &answer{result: parseResult(t, tt.result)}
			var out owner
			var raw runtime.Result
			err := callTool(t.Context(), a, nil, &out, runtime.WithRaw(&raw))
			if string(raw.Raw) != string(a.result.Raw) {
				t.Errorf("WithRaw holds %s, want %s", raw.Raw, a.result.Raw)
			}
			if tt.fails == "" {
				if err != nil || out.Login != tt.login {
					t.Errorf("got %v, %v", out, err)
				}
				return
			}
			ce, ok := errors.AsType[*runtime.CallError](err)
			if !ok || ce.Stage != decode || !ce.Sent || !errors.Is(err, runtime.ErrDecode) {
				t.Fatalf("got %v", err)
			}
			de, ok := errors.AsType[*runtime.DecodeError](err)
			if !ok || de.Result != a.result || de.Pointer != tt.pointer || !strings.Contains(err.Error(), tt.fails) {
				t.Errorf("got %v at %q, want %s at %q", err, de.Pointer, tt.fails, tt.pointer)
			}
			if !strings.HasPrefix(err.Error(), "srv/tool: decode: the result does not fit its type: ") {
				t.Errorf("got %v", err)
			}
		})
	}
}

func TestCallToolOtherResults(t *testing.T) {
	for _, tt := range []struct {
		in   string
		out  any
		want any
		bad  string
	}{
		{`[1,2.0,9007199254740993]`, new([]int64), []int64{1, 2, 9007199254740993}, ""},
		{`{"a":1}`, new(map[string]int), map[string]int{"a": 1}, ""},
		{`1e2`, new(int), 100, ""},
		{`"s"`, new(state), state("s"), ""},
		{`7`, new(*int), new(7), ""},
		{`null`, new(*int), nil, "want an integer, got null"},
		{`null`, new(*struct{ A int }), nil, "want an object, got null"},
		{`null`, new(any), nil, ""},
		{`null`, new(json.RawMessage), json.RawMessage("null"), ""},
		{`null`, new(runtime.Opt[int]), runtime.Null[int](), ""},
		{`null`, new([]int), nil, "want an array, got null"},
		{`null`, new(map[string]int), nil, "want an object, got null"},
		{`null`, new(string), nil, "want a string, got null"},
		{`[1.5]`, new([]int), nil, `at "/0": want an integer`},
		{`[1`, new([]int), nil, `not valid JSON`},
	} {
		err := callTool(t.Context(), &answer{result: &runtime.Result{Structured: json.RawMessage(tt.in)}}, nil, tt.out)
		if tt.bad != "" {
			if err == nil || !errors.Is(err, runtime.ErrDecode) || !strings.Contains(err.Error(), tt.bad) {
				t.Errorf("%s: got %v, want %s", tt.in, err, tt.bad)
			}
			continue
		}
		got := reflect.ValueOf(tt.out).Elem().Interface()
		if err != nil || !reflect.DeepEqual(got, tt.want) {
			t.Errorf("%s: got %#v, %v", tt.in, got, err)
		}
	}
}

// A nil pointer is a result only where null is one. A result that does not fit leaves
// nothing behind.
func TestCallToolPointers(t *testing.T) {
	type item struct {
		Name string `json:"name"`
		Size int    `json:"size"`
	}
	ref := codec.ItemRef{Server: "srv", Name: "tool"}
	for _, tt := range []struct {
		in    string
		parts []codec.Part
		want  *item
		bad   bool
	}{
		{`{"name":"a","size":1}`, nil, &item{"a", 1}, false},
		{`{"name":"a","size":"b"}`, nil, nil, true},
		{`null`, nil, nil, true},
		{`null`, []codec.Part{codec.OrNull()}, nil, false},
		{`{"name":"a","size":1}`, []codec.Part{codec.OrNull()}, &item{"a", 1}, false},
	} {
		var out *item
		inv := &answer{result: &runtime.Result{Structured: json.RawMessage(tt.in)}}
		err := codec.CallTool(t.Context(), inv, ref, nil, &out, nil, tt.parts...)
		if (err != nil) != tt.bad || !reflect.DeepEqual(out, tt.want) {
			t.Errorf("%s with %d parts: %+v, %v", tt.in, len(tt.parts), out, err)
		}
	}
}

func TestCallToolErrors(t *testing.T) {
	own := &runtime.CallError{Server: "elsewhere", Stage: stage.Gate, Err: runtime.ErrDenied}
	said := &runtime.ToolError{Server: "s", Name: "t", Result: &runtime.Result{}}
	for _, tt := range []struct {
		name  string
		inv   runtime.Invoker
		stage string
		sent  bool
		is    error
		same  error // the error itself, if it passes unchanged
	}{
		{"no invoker", nil, stage.Route, false, runtime.ErrNoInvoker, nil},
		{"not in a route", runtime.Route{}, stage.Route, false, runtime.ErrNotAttached, nil},
		{"nothing at all", &answer{}, stage.Receive, true, nil, nil},
		{"not complete", &answer{result: &runtime.Result{Type: "input_required"}}, stage.Decode, true, nil, nil},
		{"plain error", &answer{err: context.Canceled}, stage.Receive, true, context.Canceled, nil},
		{"call error", &answer{err: own}, stage.Gate, false, runtime.ErrDenied, own},
		{"tool error", &answer{err: said}, "", false, nil, said},
	} {
		t.Run(tt.name, func(t *testing.T) {
			err := callTool(t.Context(), tt.inv, nil, new(any))
			if tt.same != nil && err != tt.same {
				t.Errorf("got %#v, want it unchanged", err)
			}
			if ce, ok := errors.AsType[*runtime.CallError](err); ok != (tt.stage != "") || ok && (ce.Stage != tt.stage || ce.Sent != tt.sent) {
				t.Errorf("got %#v", err)
			}
			if tt.is != nil && !errors.Is(err, tt.is) {
				t.Errorf("%v is not %v", err, tt.is)
			}
		})
	}
}

func TestCallToolToolError(t *testing.T) {
	a := &answer{result: parseResult(t, `{"isError":true,"content":[{"type":"text","text":"no such repo"}],"structuredContent":{"login":"x"}}`)}
	var raw runtime.Result
	var out owner
	err := callTool(t.Context(), a, nil, &out, runtime.WithRaw(&raw))
	te, ok := errors.AsType[*runtime.ToolError](err)
	if !ok || te.Result != a.result || te.Error() != "srv/tool: the tool reported an error: no such repo" {
		t.Errorf("got %v", err)
	}
	if !raw.IsError || out.Login != "" {
		t.Errorf("raw %v, out %v", raw, out)
	}
	if _, ok := errors.AsType[*runtime.CallError](err); ok {
		t.Errorf("got %v, want no CallError: the tool reports its own failure", err)
	}
}
