package mcptest_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/mcpgen/mcpgen/golden/cases"
	"github.com/mcpgen/mcpgen/golden/cases/everything"
	"github.com/mcpgen/mcpgen/golden/cases/everything/everythingtest"
	"github.com/mcpgen/mcpgen/golden/cases/memory"
	"github.com/mcpgen/mcpgen/golden/cases/memory/memorytest"
	"github.com/mcpgen/mcpgen/golden/cases/types"
	"github.com/mcpgen/mcpgen/golden/cases/types/typestest"
	"github.com/mcpgen/mcpgen/internal/stage"
	"github.com/mcpgen/mcpgen/runtime"
	"github.com/mcpgen/mcpgen/runtime/internal/validate"
	"github.com/mcpgen/mcpgen/runtime/mcptest"
	"github.com/mcpgen/mcpgen/runtime/protocol"
	"github.com/mcpgen/mcpgen/schema/sample"
)

// fakeT is a test that is looked at from outside. Like testing.T it panics if it
// is spoken to after its end.
type fakeT struct {
	mu       sync.Mutex
	errors   []string
	logs     []string
	cleanups []func()
	ended    bool
}

func (t *fakeT) Helper() {}

func (t *fakeT) Errorf(format string, args ...any) { t.say(&t.errors, format, args) }
func (t *fakeT) Logf(format string, args ...any)   { t.say(&t.logs, format, args) }

func (t *fakeT) say(to *[]string, format string, args []any) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.ended {
		panic("the test has ended")
	}
	*to = append(*to, fmt.Sprintf(format, args...))
}

func (t *fakeT) Cleanup(f func()) { t.cleanups = append(t.cleanups, f) }

func (t *fakeT) end() {
	for _, f := range slices.Backward(t.cleanups) {
		f()
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	t.ended = true
}

// wants compares the failures of the test, each by a part of its text.
func (t *fakeT) wants(real *testing.T, parts ...string) {
	real.Helper()
	t.mu.Lock()
	defer t.mu.Unlock()
	if len(t.errors) != len(parts) {
		real.Errorf("%d failures, want %d:\n%s", len(t.errors), len(parts), strings.Join(t.errors, "\n"))
		return
	}
	for i, part := range parts {
		if !strings.Contains(t.errors[i], part) {
			real.Errorf("the failure %q does not say %q", t.errors[i], part)
		}
	}
}

func TestTypedHandlers(t *testing.T) {
	fake := everythingtest.New(t)
	fake.OnGetStructuredContent(func(_ context.Context, args everything.GetStructuredContentArgs) (*everything.GetStructuredContentResult, error) {
		if args.Location != everything.LocationChicago {
			t.Errorf("asked for %q", args.Location)
		}
		return &everything.GetStructuredContentResult{Conditions: "<windy>", Humidity: 40, Temperature: -3.5}, nil
	})
	fake.OnGetSum(func(_ context.Context, args everything.GetSumArgs) (*runtime.Result, error) {
		return mcptest.Text(fmt.Sprint(args.A + args.B)), nil
	})
	ctx := runtime.NewContext(t.Context(), fake)
	var raw runtime.Result
	args := everything.GetStructuredContentArgs{Location: everything.LocationChicago}
	got, err := everything.GetStructuredContent(ctx, args, runtime.WithRaw(&raw))
	if err != nil {
		t.Fatal(err)
	}
	if got.Conditions != "<windy>" || got.Temperature != -3.5 {
		t.Errorf("got %+v", got)
	}
	want := `{"temperature":-3.5,"conditions":"<windy>","humidity":40}`
	if raw.Text() != want || string(raw.Structured) != want || !json.Valid(raw.Raw) {
		t.Errorf("on the wire: %s", raw.Raw)
	}
	sum, err := everything.New(fake).GetSum(t.Context(), everything.GetSumArgs{A: 2, B: 3})
	if err != nil || sum.Text() != "5" {
		t.Errorf("got %v, %v", sum, err)
	}
	calls := fake.Calls()
	if len(calls) != 2 || calls[1].Name != "get-sum" || string(calls[1].Args) != `{"a":2,"b":3}` {
		t.Errorf("calls: %+v", calls)
	}
}

// The types of arguments decode all that they can send.
func TestArgumentsArrive(t *testing.T) {
	fake := typestest.New(t)
	sent := types.PutValuesArgs{
		Name: "n", Count: 1, Ratio: 1.5, Tags: []string{"t"}, Limits: map[string]int{"l": 2}, Owner: new("me"),
		Parent: types.Node{Label: "p", Next: &types.Node{Label: "q"}},
		State:  types.StateOpen, Anything: []any{json.Number("9007199254740993")}, Big: 9007199254740993,
		Assignee: runtime.Null[string](), Open: &types.Open{A: new("a"), Extra: map[string]any{"b": json.Number("9007199254740993")}},
	}
	var got types.PutValuesArgs
	fake.OnPutValues(func(_ context.Context, args types.PutValuesArgs) (*runtime.Result, error) {
		got = args
		return mcptest.Text(""), nil
	})
	if _, err := types.New(fake).PutValues(t.Context(), sent); err != nil {
		t.Fatal(err)
	}
	a, _ := json.Marshal(sent)
	b, _ := json.Marshal(got)
	if string(a) != string(b) {
		t.Errorf("sent %s\ngot  %s", a, b)
	}
	// Integers in any spelling, as servers and models write them.
	for _, tool := range types.Tools(fake) {
		if tool.Spec().Tool == "put_values" {
			text := strings.Replace(string(fake.Calls()[0].Args), `"count":1`, `"count":1.0`, 1)
			if _, err := tool.Call(t.Context(), json.RawMessage(text)); err != nil || got.Count != 1 {
				t.Errorf("got %d, %v", got.Count, err)
			}
		}
	}
}

func TestUnexpectedCall(t *testing.T) {
	ft := new(fakeT)
	fake := everythingtest.New(ft)
	_, err := everything.New(fake).Echo(t.Context(), everything.EchoArgs{Message: "hello"})
	if _, ok := errors.AsType[*runtime.CallError](err); !ok {
		t.Errorf("got %v", err)
	}
	ft.wants(t, `everything/echo: unexpected tools/call with {"message":"hello"}`)
	// A handler that is taken away is one that is not there.
	fake.OnEcho(func(context.Context, everything.EchoArgs) (*runtime.Result, error) { return mcptest.Text(""), nil })
	fake.OnEcho(nil)
	if _, err := everything.New(fake).Echo(t.Context(), everything.EchoArgs{}); err == nil {
		t.Error("the call has no error after its handler was removed, want one")
	}
	if len(fake.Calls()) != 2 {
		t.Errorf("calls: %v", fake.Calls())
	}
}

func TestWrongArguments(t *testing.T) {
	ft := new(fakeT)
	fake := everythingtest.New(ft)
	fake.OnGetSum(func(context.Context, everything.GetSumArgs) (*runtime.Result, error) {
		t.Error("the handler was called, want the arguments refused before it")
		return mcptest.Text(""), nil
	})
	sum := func(inv runtime.Invoker, args string) error {
		_, err := inv.Invoke(t.Context(), runtime.Request{Server: "everything", Method: protocol.MethodCallTool, Name: "get-sum", Args: json.RawMessage(args)})
		return err
	}
	err := sum(fake, `{"a":1,"b":"2"}`)
	invalid, ok := errors.AsType[*runtime.InvalidArgsError](err)
	if !ok || invalid.Pointer != "/b" || !errors.Is(err, runtime.ErrInvalidArgs) {
		t.Errorf("got %v", err)
	}
	if err := sum(fake, ""); !errors.Is(err, runtime.ErrInvalidArgs) {
		t.Errorf("no arguments: %v", err)
	}
	ft.wants(t, `at "/b"`, "everything/get-sum: the arguments do not fit the input schema")
	// Behind the validating middleware the same call is one that a test may want.
	ft = new(fakeT)
	checked := runtime.Chain(everythingtest.New(ft), validate.Middleware(everything.Manifest()))
	if err := sum(checked, `{"a":1,"b":"2"}`); !errors.Is(err, runtime.ErrInvalidArgs) {
		t.Errorf("got %v", err)
	}
	ft.wants(t)
}

func TestWrongResult(t *testing.T) {
	ft := new(fakeT)
	fake := typestest.New(ft)
	fake.OnGetValues(func(context.Context, types.GetValuesArgs) (*types.GetValuesResult, error) { return nil, nil })
	_, err := types.New(fake).GetValues(t.Context(), types.GetValuesArgs{})
	if err == nil {
		t.Error("a nil result: no error, want one")
	}
	fake.OnPlain(func(context.Context, types.PlainArgs) (*runtime.Result, error) { return nil, nil })
	if _, err := types.New(fake).Plain(t.Context(), types.PlainArgs{}); err == nil {
		t.Error("a nil result: no error, want one")
	}
	fake.Handle(protocol.MethodCallTool, "get_values", func(context.Context, runtime.Request) (*runtime.Result, error) {
		return &runtime.Result{Structured: json.RawMessage(`{"id":1,"items":[{}],"state":"x"}`)}, nil
	})
	if _, err := types.New(fake).GetValues(t.Context(), types.GetValuesArgs{}); !errors.Is(err, runtime.ErrDecode) {
		t.Errorf("got %v", err)
	}
	ft.wants(t, "neither a result nor an error", "neither a result nor an error", "types/get_values: the handler's result does not fit the output schema")
}

func TestHandlerErrors(t *testing.T) {
	fake := everythingtest.New(t)
	var fails error
	fake.OnEcho(func(context.Context, everything.EchoArgs) (*runtime.Result, error) {
		return mcptest.Text("lost"), fails
	})
	echo := func() error {
		_, err := everything.New(fake).Echo(t.Context(), everything.EchoArgs{})
		return err
	}
	fails = mcptest.ToolError("no such thing")
	refused, ok := errors.AsType[*runtime.ToolError](echo())
	if !ok || refused.Result.Text() != "no such thing" || refused.Name != "echo" || !strings.Contains(string(refused.Result.Raw), `"isError":true`) {
		t.Errorf("got %+v", refused)
	}
	fails = &runtime.ToolError{}
	if _, ok := errors.AsType[*runtime.ToolError](echo()); !ok {
		t.Error("a ToolError without text did not come back as a ToolError")
	}
	cause := errors.New("the cable")
	for _, fails = range []error{cause, fmt.Errorf("%w: %w", runtime.ErrUnavailable, cause), &runtime.RPCError{Code: -32603, Message: "oops"}} {
		err := echo()
		call, ok := errors.AsType[*runtime.CallError](err)
		if !ok || !errors.Is(err, fails) || call.Server != "everything" || call.Name != "echo" || call.Stage != stage.Receive || !call.Sent {
			t.Errorf("got %v", err)
		}
	}
	fails = &runtime.CallError{Stage: stage.Gate, Err: runtime.ErrDenied}
	if err := echo(); err != fails {
		t.Errorf("got %v", err)
	}
}

func TestContextAndOptions(t *testing.T) {
	fake := everythingtest.New(t)
	client := everything.New(fake)
	fake.OnEcho(func(ctx context.Context, _ everything.EchoArgs) (*runtime.Result, error) {
		if req := mcptest.Request(ctx); req.Name != "echo" || req.Pin == "" {
			t.Errorf("the request is %+v", req)
		}
		mcptest.Progress(ctx, runtime.Progress{Progress: 1, Message: "half"})
		if _, bounded := ctx.Deadline(); bounded {
			<-ctx.Done()
			return nil, ctx.Err()
		}
		return mcptest.Text("done"), nil
	})
	var seen []runtime.Progress
	if _, err := client.Echo(t.Context(), everything.EchoArgs{}, runtime.OnProgress(func(p runtime.Progress) { seen = append(seen, p) })); err != nil {
		t.Error(err)
	}
	if len(seen) != 1 || seen[0].Message != "half" {
		t.Errorf("progress: %v", seen)
	}
	if _, err := client.Echo(t.Context(), everything.EchoArgs{}, runtime.WithTimeout(time.Nanosecond)); !errors.Is(err, runtime.ErrTimeout) {
		t.Errorf("got %v", err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	before := len(fake.Calls())
	_, err := client.Echo(ctx, everything.EchoArgs{})
	call, ok := errors.AsType[*runtime.CallError](err)
	if !errors.Is(err, context.Canceled) || !ok || call.Sent || len(fake.Calls()) != before {
		t.Errorf("got %v", err)
	}
	if req := mcptest.Request(t.Context()); req.Name != "" {
		t.Errorf("a request out of nowhere: %+v", req)
	}
}

func TestSeveralServers(t *testing.T) {
	ft := new(fakeT)
	a, b := everythingtest.New(ft), memorytest.New(ft)
	b.OnReadGraph(func(context.Context, memory.ReadGraphArgs) (*memory.ReadGraphResult, error) {
		return &memory.ReadGraphResult{}, nil
	})
	ctx := runtime.NewContext(t.Context(), runtime.Route{"everything": a, "memory": b})
	if _, err := memory.ReadGraph(ctx, memory.ReadGraphArgs{}); err != nil {
		t.Error(err)
	}
	ft.wants(t)
	_, err := memory.New(a).ReadGraph(t.Context(), memory.ReadGraphArgs{})
	if !errors.Is(err, runtime.ErrNotAttached) {
		t.Errorf("got %v", err)
	}
	ft.wants(t, `memory/read_graph: the call reached the fake of server "everything"`)
}

func TestOtherPin(t *testing.T) {
	ft := new(fakeT)
	fake := everythingtest.New(ft)
	fake.Defaults()
	req := runtime.Request{Server: "everything", Method: protocol.MethodCallTool, Name: "echo", Args: json.RawMessage(`{"message":""}`), Pin: "sha256:00"}
	if _, err := fake.Invoke(t.Context(), req); !errors.Is(err, runtime.ErrDrift) {
		t.Errorf("got %v", err)
	}
	ft.wants(t, "everything/echo")
	req.Pin = ""
	if _, err := fake.Invoke(t.Context(), req); err != nil {
		t.Error(err)
	}
}

// registry is what an agent framework has.
type registry map[string]runtime.Tool

func (r registry) Register(t runtime.Tool) error { r[t.Spec().Name] = t; return nil }
func (r registry) Unregister(name string) error  { delete(r, name); return nil }

// Every tool of the real servers answers with a sample, through the registry as a
// model would call it.
func TestDefaults(t *testing.T) {
	fakes := runtime.Route{}
	for _, m := range cases.Manifests() {
		fake := mcptest.New(t, m)
		fake.Defaults()
		fakes[m.Server()] = fake
	}
	reg := registry{}
	if err := cases.Register(reg, fakes); err != nil {
		t.Fatal(err)
	}
	for name, tool := range reg {
		spec := tool.Spec()
		args, ok := sample.Example(spec.InputSchema)
		if !ok {
			t.Errorf("%s has no sample arguments", name)
			continue
		}
		res, err := tool.Call(t.Context(), args)
		if err != nil || (spec.OutputSchema != nil) != (res.Structured != nil) {
			t.Errorf("%s: %+v, %v", name, res, err)
		}
	}
}

func TestDefaultsKnowNoOtherTools(t *testing.T) {
	ft := new(fakeT)
	fake := everythingtest.New(ft)
	fake.Defaults()
	for _, req := range []runtime.Request{
		{Server: "everything", Method: protocol.MethodCallTool, Name: "nope"},
		{Server: "everything", Method: protocol.MethodGetPrompt, Name: "simple"},
	} {
		if _, err := fake.Invoke(t.Context(), req); err == nil {
			t.Errorf("%s %s was answered", req.Method, req.Name)
		}
	}
	ft.wants(t, "everything/nope: unexpected tools/call", "everything/simple: unexpected prompts/get")
}

// What a handler says in blocks arrives as from a server, for every method.
func TestBlocks(t *testing.T) {
	blocks := []runtime.Content{
		{Type: protocol.ContentText, Text: "a<b"},
		{Text: "no type"},
		{Type: protocol.ContentImage, Data: []byte{1, 2}, MIMEType: "image/png"},
		{Type: protocol.ContentResource, URI: "x://y", Text: "r", MIMEType: "text/plain"},
		{Type: protocol.ContentResource, URI: "x://z", Data: []byte{3}},
		{Type: protocol.ContentLink, URI: "x://l", Name: "l", MIMEType: "text/plain"},
		{Type: protocol.ContentText, Text: "own", Raw: json.RawMessage(`{"type":"text","text":"own","more":1}`)},
	}
	fake := mcptest.New(t, everything.Manifest())
	res := &runtime.Result{Content: blocks}
	for _, method := range []string{protocol.MethodCallTool, protocol.MethodGetPrompt, protocol.MethodReadResource, protocol.MethodComplete} {
		fake.Handle(method, "", func(context.Context, runtime.Request) (*runtime.Result, error) { return res, nil })
	}
	invoke := func(method, name string) *runtime.Result {
		t.Helper()
		got, err := fake.Invoke(t.Context(), runtime.Request{Server: "everything", Method: method, Name: name})
		if err != nil {
			t.Fatal(err)
		}
		return got
	}
	got := invoke(protocol.MethodCallTool, "unknown")
	for i, c := range got.Content {
		want := blocks[i]
		if c.Text != want.Text || string(c.Data) != string(want.Data) || c.URI != want.URI || c.Name != want.Name || c.MIMEType != want.MIMEType {
			t.Errorf("block %d is %+v", i, c)
		}
	}
	if !strings.Contains(string(got.Raw), `"a<b"`) || !strings.Contains(string(got.Raw), `"more":1`) || got.Content[1].Type != protocol.ContentText {
		t.Errorf("on the wire: %s", got.Raw)
	}
	if got := invoke(protocol.MethodGetPrompt, "p"); len(got.Content) != len(blocks) || got.Content[0].Role != "user" || got.Content[0].Text != "a<b" {
		t.Errorf("prompt: %s", got.Raw)
	}
	res = &runtime.Result{Content: []runtime.Content{{Text: "t"}, {URI: "x://own", Data: []byte("b")}}}
	if got := invoke(protocol.MethodReadResource, "x://asked"); got.Content[0].URI != "x://asked" || got.Content[1].URI != "x://own" || string(got.Content[1].Data) != "b" {
		t.Errorf("resource: %s", got.Raw)
	}
	res = mcptest.Text("one")
	if got := invoke(protocol.MethodComplete, "p"); got.Text() != "one" {
		t.Errorf("completion: %s", got.Raw)
	}
	res = &runtime.Result{Structured: json.RawMessage(`{"values":["a","b"],"hasMore":true}`)}
	if got := invoke(protocol.MethodComplete, "p"); got.Text() != "a\nb" {
		t.Errorf("completion: %s", got.Raw)
	}
}

func TestHandlerForOneName(t *testing.T) {
	fake := mcptest.New(t, everything.Manifest())
	answer := func(text string) mcptest.Handler {
		return func(context.Context, runtime.Request) (*runtime.Result, error) { return mcptest.Text(text), nil }
	}
	fake.Handle(protocol.MethodReadResource, "", answer("any"))
	fake.Handle(protocol.MethodReadResource, "x://1", answer("first"))
	for uri, want := range map[string]string{"x://1": "first", "x://2": "any"} {
		got, err := fake.Invoke(t.Context(), runtime.Request{Server: "everything", Method: protocol.MethodReadResource, Name: uri})
		if err != nil || got.Text() != want {
			t.Errorf("%s: %v, %v", uri, got, err)
		}
	}
}

func TestResultThatIsNone(t *testing.T) {
	ft := new(fakeT)
	fake := mcptest.New(ft, everything.Manifest())
	fake.Handle(protocol.MethodCallTool, "echo", func(context.Context, runtime.Request) (*runtime.Result, error) {
		return &runtime.Result{Raw: json.RawMessage(`[]`)}, nil
	})
	_, err := everything.New(fake).Echo(t.Context(), everything.EchoArgs{})
	if err == nil {
		t.Error("the call has no error, want one")
	}
	ft.wants(t, "everything/echo: the result is not valid")
}

// After the end of its test a fake answers with errors and is silent.
func TestAfterTheEnd(t *testing.T) {
	ft := new(fakeT)
	fake := everythingtest.New(ft)
	ft.end()
	if _, err := everything.New(fake).Echo(t.Context(), everything.EchoArgs{}); err == nil {
		t.Error("a call after the end of the test has no error, want one")
	}
	ft.wants(t)
}

func TestConcurrentUse(t *testing.T) {
	ft := new(fakeT)
	fake := everythingtest.New(ft)
	var group sync.WaitGroup
	for i := range 16 {
		group.Go(func() {
			fake.OnEcho(func(_ context.Context, args everything.EchoArgs) (*runtime.Result, error) {
				return mcptest.Text(args.Message), nil
			})
			for range 20 {
				want := fmt.Sprint(i)
				got, err := everything.New(fake).Echo(t.Context(), everything.EchoArgs{Message: want})
				if err != nil || got.Text() != want {
					t.Errorf("got %v, %v", got, err)
				}
				_, _ = everything.New(fake).GetSum(t.Context(), everything.GetSumArgs{})
				_ = fake.Calls()
			}
		})
	}
	group.Wait()
	ft.end()
	if n := len(fake.Calls()); n != 640 || len(ft.errors) != 320 {
		t.Errorf("%d calls, %d failures", n, len(ft.errors))
	}
}
