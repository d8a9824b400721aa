package native_test

import (
	"context"
	"encoding/json"
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/mcpgen/mcpgen/runtime"
	"github.com/mcpgen/mcpgen/runtime/native"
	"github.com/mcpgen/mcpgen/runtime/protocol"
	"github.com/mcpgen/mcpgen/schema/jsonschema"
	"github.com/mcpgen/mcpgen/schema/validate"
)

type node struct {
	Name     string           `json:"name"`
	Children []node           `json:"children,omitempty"`
	Tags     map[string]point `json:"tags,omitempty"`
}

type point struct {
	X, Y int
}

func TestSchemas(t *testing.T) {
	text := func(context.Context, node) (point, error) { return point{}, nil }
	tool, err := native.New("tree", "", text)
	if err != nil {
		t.Fatal(err)
	}
	spec := tool.Spec()
	for what, raw := range map[string]json.RawMessage{"input": spec.InputSchema, "output": spec.OutputSchema} {
		doc, err := jsonschema.Parse(raw)
		if err != nil || len(doc.Problems) != 0 || len(doc.Root.Types) != 1 || doc.Root.Types[0] != "object" || doc.Root.Ref != "" || doc.Dialect != "" {
			t.Errorf("%s: %s, %v", what, raw, err)
		}
	}
	s, err := validate.New(spec.InputSchema)
	if err != nil {
		t.Fatal(err)
	}
	for value, fits := range map[string]bool{
		`{"name":"a","children":[{"name":"b","children":[]}],"tags":{"t":{"X":1,"Y":2}}}`: true,
		`{"name":"a","children":[{"nam":"b"}]}`:                                           false,
		`{"name":"a","tags":{"t":{"X":1}}}`:                                               false,
	} {
		if err := s.Validate(json.RawMessage(value)); (err == nil) != fits {
			t.Errorf("%s: %v", value, err)
		}
	}
	if got := string(spec.OutputSchema); strings.Contains(got, "$defs") {
		t.Errorf("output: %s", got)
	}
}

func TestNewRefuses(t *testing.T) {
	for what, err := range map[string]error{
		"no name":           errOf(native.New("", "", func(context.Context, struct{}) (string, error) { return "", nil })),
		"nil":               errOf(native.New[struct{}, string]("f", "", nil)),
		"not a JSON object": errOf(native.New("f", "", func(context.Context, string) (string, error) { return "", nil })),
		"time":              errOf(native.New("f", "", func(context.Context, time.Time) (string, error) { return "", nil })),
		"chan":              errOf(native.New("f", "", func(context.Context, struct{ C chan int }) (string, error) { return "", nil })),
		"map[int]":          errOf(native.New("f", "", func(context.Context, map[int]string) (string, error) { return "", nil })),
		"result":            errOf(native.New("f", "", func(context.Context, struct{}) (struct{ F func() }, error) { return struct{ F func() }{}, nil })),
	} {
		if err == nil {
			t.Errorf("%s: no error", what)
		} else {
			t.Logf("%s: %v", what, err)
		}
	}
}

func errOf(_ *native.Tool, err error) error { return err }

func TestArguments(t *testing.T) {
	tool := native.Must(native.New("add", "", func(_ context.Context, args struct {
		N int8           `json:"n"`
		M map[string]any `json:"m,omitempty"`
	}) (int, error) {
		return int(args.N) + len(args.M), nil
	}))
	for args, want := range map[string]string{`{"n":5}`: "5", `{"n":1.0}`: "1", `{"n":1e1,"m":{"a":1}}`: "11"} {
		res, err := tool.Call(t.Context(), json.RawMessage(args))
		if err != nil || res.Text() != want || string(res.Structured) != want {
			t.Errorf("%s: %+v, %v", args, res, err)
		}
	}
	for args, pointer := range map[string]string{`{"n":1.5}`: "/n", `{"n":300}`: ""} { // the second fits the schema, and not the type
		_, err := tool.Call(t.Context(), json.RawMessage(args))
		if e, ok := errors.AsType[*runtime.InvalidArgsError](err); !ok || e.Pointer != pointer {
			t.Errorf("%s: %v", args, err)
		}
	}
	free := native.Must(native.New("free", "", func(_ context.Context, args map[string]any) (any, error) { return args, nil }))
	if res, err := free.Call(t.Context(), json.RawMessage(`{"a":[1,"x"]}`)); err != nil || string(res.Structured) != `{"a":[1,"x"]}` {
		t.Errorf("got %+v, %v", res, err)
	}
}

func TestResultAsItIs(t *testing.T) {
	want := &runtime.Result{IsError: true}
	for _, r := range []*runtime.Result{want, nil} {
		tool := native.Must(native.New("r", "", func(context.Context, struct{}) (*runtime.Result, error) { return r, nil }))
		if tool.Spec().OutputSchema != nil {
			t.Errorf("output schema %s", tool.Spec().OutputSchema)
		}
		got, err := tool.Call(t.Context(), nil)
		if err != nil || got == nil || r != nil && got != want {
			t.Errorf("got %+v, %v", got, err)
		}
	}
	unwritable := native.Must(native.New("f", "", func(context.Context, struct{}) (any, error) { return func() {}, nil }))
	if _, err := unwritable.Call(t.Context(), nil); err == nil || !strings.Contains(err.Error(), "no JSON form") {
		t.Errorf("got %v", err)
	}
}

func TestTime(t *testing.T) {
	tool := native.Must(native.New("wait", "", func(ctx context.Context, _ struct{}) (string, error) {
		<-ctx.Done()
		return "", ctx.Err()
	}))
	set, err := native.NewSet(tool)
	if err != nil {
		t.Fatal(err)
	}
	_, err = set.Invoke(t.Context(), runtime.Request{Method: protocol.MethodCallTool, Name: "wait", Options: runtime.Options{Timeout: time.Millisecond}})
	if !errors.Is(err, runtime.ErrTimeout) {
		t.Errorf("got %v", err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	go cancel()
	_, err = set.Call(ctx, "wait", nil)
	if !errors.Is(err, context.Canceled) || errors.Is(err, runtime.ErrTimeout) {
		t.Errorf("got %v", err)
	}
	if _, err := set.Invoke(t.Context(), runtime.Request{Server: "s", Method: protocol.MethodCallTool, Name: "wait"}); !errors.Is(err, runtime.ErrNotAttached) {
		t.Errorf("another server's tool: %v", err)
	}
	if _, err := set.Tools(nil)[0].Call(t.Context(), nil); !errors.Is(err, runtime.ErrNoInvoker) {
		t.Errorf("no invoker: %v", err)
	}
}
