package validate_test

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"log/slog"
	"strings"
	"sync"
	"testing"

	"github.com/mcpgen/mcpgen/internal/stage"
	"github.com/mcpgen/mcpgen/runtime"
	"github.com/mcpgen/mcpgen/runtime/codec"
	"github.com/mcpgen/mcpgen/runtime/internal/validate"
	"github.com/mcpgen/mcpgen/runtime/protocol"
)

const snapshot = `{"mcpgen":1,"server":"github","tools":[
{"name":"list_prs","inputSchema":{"type":"object","properties":{"repo":{"type":"string"},"page":{"type":"integer","minimum":1},"labels":{"type":"array","items":{"enum":["bug","docs"]}}},"required":["repo"]},"outputSchema":{"type":"object","required":["never sent"]}},
{"name":"no_arguments","inputSchema":{"type":"object","additionalProperties":false}},
{"name":"remote","inputSchema":{"type":"object","properties":{"a":{"$ref":"https://example.com/a.json"}}}},
{"name":"partial","inputSchema":{"type":"object","properties":{"a":{"type":"string","pattern":"^(?!x)[a-z]+$"}}}},
{"name":"without","inputSchema":null}
]}`

func testManifest() *codec.Manifest {
	return codec.NewManifest("github", snapshot, codec.ItemRef{Name: "list_prs", Qualified: "github__list_prs"})
}

// recorder is an invoker that remembers what it was sent.
type recorder struct {
	mu   sync.Mutex
	sent []runtime.Request
}

func (r *recorder) Invoke(_ context.Context, req runtime.Request) (*runtime.Result, error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.sent = append(r.sent, req)
	return &runtime.Result{Structured: json.RawMessage(`{}`)}, nil
}

func TestMiddleware(t *testing.T) {
	for _, c := range []struct {
		name, tool, args string
		want             []string // pointer and reason of each wrong argument; nil passes
	}{
		{"fits", "list_prs", `{"repo":"a/b","page":2,"labels":["bug"]}`, nil},
		{"undeclared members are the server's matter", "list_prs", `{"repo":"a/b","x":1}`, nil},
		{"lacks", "list_prs", `{}`, []string{` lacks the member "repo"`}},
		{"nil is {}", "list_prs", ``, []string{` lacks the member "repo"`}},
		{"nil fits", "no_arguments", ``, nil},
		{"two are wrong", "list_prs", `{"repo":1,"page":0}`, []string{"/page must be at least 1", "/repo must be a string, is a number"}},
		{"deep", "list_prs", `{"repo":"","labels":["bug","x"]}`, []string{`/labels/1 must be "bug" or "docs"`}},
		{"closed", "no_arguments", `{"a~/":1}`, []string{"/a~0~1 is not a member that the schema allows"}},
		{"no object", "list_prs", `[]`, []string{" must be an object, is an array"}},
		{"no JSON", "list_prs", `{`, []string{" not JSON: unexpected EOF"}},
		{"cannot be compiled", "remote", `{"a":1}`, nil},
		{"in part", "partial", `{"a":"B"}`, []string{`/a must match the pattern "^(?!x)[a-z]+$"`}},
		{"in part, what is not checked", "partial", `{"a":"x"}`, nil},
		{"no schema", "without", `{"a":1}`, nil},
		{"unknown tool", "other", `{"a":1}`, nil},
		{"beyond the bounds", "list_prs", `{"repo":"","page":1e99999}`, nil},
	} {
		t.Run(c.name, func(t *testing.T) {
			captureLog(t)
			server := &recorder{}
			inv := runtime.Chain(server, validate.Middleware(nil, testManifest()))
			req := runtime.Request{Server: "github", Method: protocol.MethodCallTool, Name: c.tool}
			if c.args != "" {
				req.Args = json.RawMessage(c.args)
			}
			_, err := inv.Invoke(t.Context(), req)
			if c.want == nil {
				if err != nil || len(server.sent) != 1 || !bytes.Equal(server.sent[0].Args, req.Args) {
					t.Fatalf("got the error %v, sent %v, want the call as it is", err, server.sent)
				}
				return
			}
			wantInvalidArgs(t, err, c.tool, c.want)
			if len(server.sent) > 0 {
				t.Errorf("sent %v, want nothing", server.sent)
			}
		})
	}
}

func wantInvalidArgs(t *testing.T, err error, tool string, want []string) {
	t.Helper()
	call, ok := errors.AsType[*runtime.CallError](err)
	if !ok || call.Server != "github" || call.Name != tool || call.Stage != stage.Gate || call.Sent || !errors.Is(err, runtime.ErrInvalidArgs) {
		t.Fatalf("got %#v, want a call error of the gate for %s", err, tool)
	}
	list := []error{call.Err}
	if joined, ok := call.Err.(interface{ Unwrap() []error }); ok {
		list = joined.Unwrap()
	}
	var got []string
	for _, e := range list {
		invalid, ok := errors.AsType[*runtime.InvalidArgsError](e)
		if !ok {
			t.Fatalf("got %#v, want an invalid argument", e)
		}
		got = append(got, invalid.Pointer+" "+invalid.Reason)
	}
	if strings.Join(got, "\n") != strings.Join(want, "\n") {
		t.Errorf("got %q, want %q", got, want)
	}
}

// captureLog takes the place of the default logger and returns what is logged.
func captureLog(t *testing.T) *bytes.Buffer {
	t.Helper()
	var log bytes.Buffer
	before := slog.Default()
	slog.SetDefault(slog.New(slog.NewTextHandler(&log, nil)))
	t.Cleanup(func() { slog.SetDefault(before) })
	return &log
}

// Other methods and other servers pass unchecked.
func TestOthersPass(t *testing.T) {
	server := &recorder{}
	inv := runtime.Chain(server, validate.Middleware(testManifest()))
	for _, req := range []runtime.Request{
		{Server: "github", Method: protocol.MethodGetPrompt, Name: "list_prs", Args: json.RawMessage(`{}`)},
		{Server: "other", Method: protocol.MethodCallTool, Name: "list_prs", Args: json.RawMessage(`{}`)},
		{Method: protocol.MethodCallTool, Name: "list_prs"},
	} {
		if _, err := inv.Invoke(t.Context(), req); err != nil {
			t.Error(err)
		}
	}
	if len(server.sent) != 3 {
		t.Errorf("sent %v, want all 3", server.sent)
	}
}

// A tool is spoken of once, however often it is called.
func TestWarnings(t *testing.T) {
	log := captureLog(t)
	inv := runtime.Chain(&recorder{}, validate.Middleware(testManifest()))
	var group sync.WaitGroup
	for range 8 {
		for _, tool := range []string{"list_prs", "remote", "partial", "without", "other"} {
			group.Go(func() {
				args := json.RawMessage(`{"repo":"","a":"b"}`)
				if _, err := inv.Invoke(t.Context(), runtime.Request{Server: "github", Method: protocol.MethodCallTool, Name: tool, Args: args}); err != nil {
					t.Error(err)
				}
			})
		}
	}
	group.Wait()
	if n := strings.Count(log.String(), "\n"); n != 3 {
		t.Errorf("got %d warnings, want 3:\n%s", n, log)
	}
	for _, want := range []string{
		`unchecked: the input schema cannot be compiled" server=github tool=remote`,
		`in part: the input schema has parts that cannot be checked" server=github tool=partial`,
		`unchecked: the tool has no input schema" server=github tool=without`,
		`/properties/a/pattern`,
	} {
		if !strings.Contains(log.String(), want) {
			t.Errorf("no warning with %q:\n%s", want, log)
		}
	}
}

// A typed call is refused before it is sent, and a result is not looked at.
func TestTypedCall(t *testing.T) {
	server := &recorder{}
	inv := runtime.Chain(server, validate.Middleware(testManifest()))
	var out struct{}
	err := codec.CallTool(t.Context(), inv, codec.ItemRef{Server: "github", Name: "list_prs"}, map[string]any{"repo": "a/b", "page": 0}, &out, nil)
	wantInvalidArgs(t, err, "list_prs", []string{"/page must be at least 1"})
	if want := `github/list_prs: gate: invalid arguments: at "/page": must be at least 1`; err.Error() != want {
		t.Errorf("got %q, want %q", err, want)
	}
	if err := codec.CallTool(t.Context(), inv, codec.ItemRef{Server: "github", Name: "list_prs"}, map[string]any{"repo": "a/b"}, &out, nil); err != nil || len(server.sent) != 1 {
		t.Errorf("got %v, sent %v", err, server.sent)
	}
}

func BenchmarkMiddleware(b *testing.B) {
	inv := runtime.Chain(runtime.InvokerFunc(func(context.Context, runtime.Request) (*runtime.Result, error) { return nil, nil }), validate.Middleware(testManifest()))
	req := runtime.Request{Server: "github", Method: protocol.MethodCallTool, Name: "list_prs", Args: json.RawMessage(`{"repo":"a/b","page":2,"labels":["bug"]}`)}
	b.ReportAllocs()
	for b.Loop() {
		if _, err := inv.Invoke(b.Context(), req); err != nil {
			b.Fatal(err)
		}
	}
}
