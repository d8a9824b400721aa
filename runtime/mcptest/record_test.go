package mcptest_test

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"github.com/mcpgen/mcpgen/golden/cases/everything"
	"github.com/mcpgen/mcpgen/golden/cases/everything/everythingtest"
	"github.com/mcpgen/mcpgen/internal/stage"
	"github.com/mcpgen/mcpgen/runtime"
	"github.com/mcpgen/mcpgen/runtime/mcptest"
	"github.com/mcpgen/mcpgen/runtime/protocol"
)

// echoes is a server that answers with what it was asked, and more if it likes.
type echoes struct {
	answer func(req runtime.Request) (string, error) // a result object; nil echoes the arguments as text
}

func (e echoes) Invoke(_ context.Context, req runtime.Request) (*runtime.Result, error) {
	text, _ := json.Marshal(string(req.Args))
	raw := `{"content":[{"type":"text","text":` + string(text) + `}]}`
	if e.answer != nil {
		var err error
		if raw, err = e.answer(req); err != nil {
			return nil, err
		}
	}
	return req.ParseResult(json.RawMessage(raw))
}

func callTool(t *testing.T, inv runtime.Invoker, server, tool, args string) (*runtime.Result, error) {
	t.Helper()
	req := runtime.Request{Server: server, Method: protocol.MethodCallTool, Name: tool}
	if args != "" {
		req.Args = json.RawMessage(args)
	}
	return inv.Invoke(t.Context(), req)
}

// recordRun records what run does with a server.
func recordRun(t *testing.T, server runtime.Invoker, opts *mcptest.RecordOptions, run func(runtime.Invoker)) string {
	t.Helper()
	ft, file := new(fakeT), filepath.Join(t.TempDir(), "testdata", "run.jsonl")
	run(runtime.Chain(server, mcptest.Record(ft, file, opts)))
	ft.end()
	ft.wants(t)
	return file
}

// replayFile replays a file and returns the failures of the test.
func replayFile(file string, opts *mcptest.ReplayOptions, run func(runtime.Invoker)) *fakeT {
	ft := new(fakeT)
	run(mcptest.Replay(ft, file, opts))
	ft.end()
	return ft
}

func TestRecordAndReplay(t *testing.T) {
	fake := everythingtest.New(t)
	fake.OnGetStructuredContent(func(_ context.Context, args everything.GetStructuredContentArgs) (*everything.GetStructuredContentResult, error) {
		if args.Location == everything.LocationNewYork {
			return nil, mcptest.ToolError("no weather there")
		}
		return &everything.GetStructuredContentResult{Conditions: "windy", Humidity: 40}, nil
	})
	fake.OnGetSum(func(context.Context, everything.GetSumArgs) (*runtime.Result, error) {
		return nil, fmt.Errorf("%w: the cable", runtime.ErrUnavailable)
	})
	b := 2.0
	agent := func(inv runtime.Invoker) string {
		c, ctx := everything.New(inv), t.Context()
		got, err := c.GetStructuredContent(ctx, everything.GetStructuredContentArgs{Location: "Chicago"})
		_, refused := c.GetStructuredContent(ctx, everything.GetStructuredContentArgs{Location: "New York"})
		_, failed := c.GetSum(ctx, everything.GetSumArgs{A: 1, B: b})
		_, isTool := errors.AsType[*runtime.ToolError](refused)
		ce, _ := errors.AsType[*runtime.CallError](failed)
		return fmt.Sprintf("%+v %v | %v %v | %v %v %+v", got, err, refused, isTool, failed, errors.Is(failed, runtime.ErrUnavailable), ce != nil && ce.Sent)
	}
	var live, again string
	file := recordRun(t, fake, nil, func(inv runtime.Invoker) { live = agent(inv) })
	replayFile(file, nil, func(inv runtime.Invoker) { again = agent(inv) }).wants(t)
	if live != again {
		t.Errorf("live   %s\nreplay %s", live, again)
	}
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	if n := bytes.Count(text, []byte("\n")); n != 4 || !bytes.HasPrefix(text, []byte(`{"mcpgen":1,`)) {
		t.Errorf("%d lines:\n%s", n, text)
	}
	// An argument changes: the first call that differs is named, with its line
	// and the place, and nothing after it is.
	b = 3
	ft := replayFile(file, nil, func(inv runtime.Invoker) { agent(inv); agent(inv) })
	ft.wants(t, `run.jsonl:4: the call differs from the recorded one: at "/b": the recording has 2, but this call has 3`)
	for _, want := range []string{`recorded  tools/call everything/get-sum {"a":1,"b":2}`, `made now  tools/call everything/get-sum {"a":1,"b":3}`, "record again"} {
		if !strings.Contains(ft.errors[0], want) {
			t.Errorf("%q is not in\n%s", want, ft.errors[0])
		}
	}
}

func TestReplayDifferences(t *testing.T) {
	args := `{"list":[1,{"a/b":null}],"n":1,"s":"x"}`
	file := recordRun(t, echoes{}, nil, func(inv runtime.Invoker) {
		callTool(t, inv, "s", "a", args)
		callTool(t, inv, "s", "b", "")
	})
	tests := []struct {
		name, tool, args, want string
	}{
		{"the same in another spelling", "a", `{"s":"\u0078","n":1.0e0,"list":[1,{"a\/b":null}]}`, ""},
		{"another text", "a", `{"list":[1,{"a/b":null}],"n":1,"s":"y"}`, `at "/s": the recording has "x", but this call has "y"`},
		{"another number", "a", `{"list":[1,{"a/b":null}],"n":1.5,"s":"x"}`, `at "/n": the recording has 1, but this call has 1.5`},
		{"another kind", "a", `{"list":{},"n":1,"s":"x"}`, `at "/list"`},
		{"deep inside", "a", `{"list":[1,{"a/b":false}],"n":1,"s":"x"}`, `at "/list/1/a~1b": the recording has null, but this call has false`},
		{"shorter", "a", `{"list":[1],"n":1,"s":"x"}`, `at "/list/1": the recording has {"a/b":null}, but this call has nothing`},
		{"longer", "a", `{"list":[1,{"a/b":null},2],"n":1,"s":"x"}`, `at "/list/2": the recording has nothing, but this call has 2`},
		{"a member less", "a", `{"list":[1,{"a/b":null}],"s":"x"}`, `at "/n": the recording has 1, but this call has nothing`},
		{"a member more", "a", `{"list":[1,{"a/b":null}],"n":1,"s":"x","t":1}`, `at "/t": the recording has nothing, but this call has 1`},
		{"no arguments", "a", "", `but this call has no arguments`},
		{"another tool", "b", "", `run.jsonl:2: the call differs from the recorded one: it is another call`},
		{"a hostile argument", "a", `{"s":"\u001b[31m\u202e"}`, `at "/list"`},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			ft := replayFile(file, nil, func(inv runtime.Invoker) {
				_, err := callTool(t, inv, "s", tt.tool, tt.args)
				if (err == nil) != (tt.want == "") {
					t.Errorf("got %v", err)
				}
				if err == nil {
					callTool(t, inv, "s", "b", "")
				}
			})
			if tt.want == "" {
				ft.wants(t)
				return
			}
			ft.wants(t, tt.want)
			if strings.ContainsAny(ft.errors[0], "\x1b\u202e") {
				t.Errorf("a terminal obeys %q", ft.errors[0])
			}
		})
	}
}

func TestReplayOrder(t *testing.T) {
	file := recordRun(t, echoes{}, nil, func(inv runtime.Invoker) {
		for _, c := range [][2]string{{"s", "a"}, {"s", "b"}, {"other", "c"}, {"s", "a"}} {
			callTool(t, inv, c[0], c[1], `{"n":1}`)
		}
	})
	run := func(opts *mcptest.ReplayOptions, calls ...string) *fakeT {
		return replayFile(file, opts, func(inv runtime.Invoker) {
			for _, c := range calls {
				server, tool, _ := strings.Cut(c, "/")
				callTool(t, inv, server, tool, `{"n":1}`)
			}
		})
	}
	run(nil, "s/a", "s/b", "other/c", "s/a").wants(t)
	run(nil, "other/c", "s/a", "s/b", "s/a").wants(t) // each server's own order counts
	run(nil, "s/a", "s/a").wants(t, "run.jsonl:3: the call differs")
	run(nil, "s/a", "other/c").wants(t, `run.jsonl:3: 2 recorded calls were not made, the first is s/b {"n":1}`)
	run(nil, "s/a", "s/b", "other/c", "s/a", "s/a", "s/b").wants(t, `s/a {"n":1} was not recorded: the recording has no further call of server "s"`)
	run(nil, "third/x").wants(t, `the recording has no further call of server "third"`)
	any := &mcptest.ReplayOptions{AnyOrder: true}
	run(any, "s/a", "s/a", "s/b", "other/c").wants(t)
	run(any, "s/a", "s/a", "s/b", "s/b").wants(t, "s/b")
	run(any, "s/b", "s/a", "s/a", "s/a").wants(t, "the recording has no further call")
	run(any, "s/x").wants(t, "the most similar recorded call is line 2")
}

func TestReplayConcurrently(t *testing.T) {
	const n = 32
	each := func(inv runtime.Invoker) {
		var group sync.WaitGroup
		for i := range n {
			group.Go(func() {
				args := fmt.Sprintf(`{"n":%d}`, i)
				if res, err := callTool(t, inv, "s", "a", args); err != nil || res.Text() != args {
					t.Errorf("got %v, %v", res, err)
				}
			})
		}
		group.Wait()
	}
	file := recordRun(t, echoes{}, nil, each)
	replayFile(file, &mcptest.ReplayOptions{AnyOrder: true}, each).wants(t)
}

// Files pass through git on Windows, and through editors.
func TestReplayLineEndings(t *testing.T) {
	file := recordRun(t, echoes{}, nil, func(inv runtime.Invoker) { callTool(t, inv, "s", "a", `{"s":"a\r\nb"}`) })
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	text = bytes.ReplaceAll(text, []byte("\n"), []byte("\r\n"))
	if err := os.WriteFile(file, append(text, "\r\n\r\n"...), 0o666); err != nil {
		t.Fatal(err)
	}
	replayFile(file, nil, func(inv runtime.Invoker) { callTool(t, inv, "s", "a", `{"s":"a\r\nb"}`) }).wants(t)
}

func TestReplayRefusesFiles(t *testing.T) {
	const head = `{"mcpgen":1,"kind":"recording"}` + "\n"
	const good = `{"server":"s","method":"tools/call","name":"a","result":{}}` + "\n"
	tests := []struct{ name, text, want string }{
		{"empty", "", "an empty file is not a recording"},
		{"something else", "hello", "file.jsonl:1: not a recording"},
		{"a later form", `{"mcpgen":2,"kind":"recording"}`, "format 2"},
		{"another file of ours", `{"mcpgen":1,"servers":{}}`, "not a recording"},
		{"what git could not merge", head + "<<<<<<< HEAD\n{}\n=======\n>>>>>>> other\n", "file.jsonl:2: git conflict markers: take either side of the recording"},
		{"not JSON", head + "\n{", "file.jsonl:3: not a recorded call"},
		{"no method", head + `{"server":"s","name":"a","result":{}}`, "without a method"},
		{"another method", head + `{"method":"x","name":"a","result":{}}`, `"x"`},
		{"nothing happened", head + good + `{"server":"s","method":"tools/call","name":"a"}`, "file.jsonl:3: a call needs either a result or an error"},
		{"both happened", head + `{"method":"tools/call","name":"a","result":{},"error":{}}`, "a result or an error"},
		{"a list of arguments", head + `{"method":"tools/call","name":"a","args":[],"result":{}}`, "not an object"},
		{"no result", head + `{"method":"tools/call","name":"a","result":[]}`, "want an object"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			file := filepath.Join(t.TempDir(), "file.jsonl")
			if err := os.WriteFile(file, []byte(tt.text), 0o666); err != nil {
				t.Fatal(err)
			}
			replayFile(file, nil, func(inv runtime.Invoker) {
				if _, err := callTool(t, inv, "s", "a", ""); err == nil {
					t.Error("a call that was not recorded has no error, want one")
				}
			}).wants(t, tt.want)
		})
	}
	replayFile(filepath.Join(t.TempDir(), "none.jsonl"), nil, func(inv runtime.Invoker) {}).wants(t, "record it first")
}

func TestReplayErrors(t *testing.T) {
	rpc := &runtime.RPCError{Code: -32602, Message: "no", Data: []byte(`{"x":1}`)}
	for _, cause := range []error{
		context.Canceled, fmt.Errorf("%w: %w", runtime.ErrTimeout, context.DeadlineExceeded), runtime.ErrAuth, runtime.ErrDenied, runtime.ErrUnavailable,
		runtime.ErrNotAttached, runtime.ErrDrift, runtime.ErrInvalidArgs, rpc, errors.New("unheard of"),
	} {
		sent := &runtime.CallError{Server: "s", Name: "a", Stage: stage.Send, Sent: true, Err: cause}
		file := recordRun(t, echoes{func(runtime.Request) (string, error) { return "", sent }}, nil, func(inv runtime.Invoker) { callTool(t, inv, "s", "a", "") })
		replayFile(file, nil, func(inv runtime.Invoker) {
			_, err := callTool(t, inv, "s", "a", "")
			got, ok := errors.AsType[*runtime.CallError](err)
			if !ok || got.Error() != sent.Error() || got.Stage != sent.Stage || !got.Sent {
				t.Errorf("%v: got %v", cause, err)
			}
			for _, kind := range []error{context.Canceled, context.DeadlineExceeded, runtime.ErrTimeout, runtime.ErrAuth, runtime.ErrDenied, runtime.ErrUnavailable,
				runtime.ErrNotAttached, runtime.ErrDrift, runtime.ErrInvalidArgs, runtime.ErrRPC} {
				if errors.Is(err, kind) != errors.Is(cause, kind) {
					t.Errorf("%v: errors.Is(err, %v) is %v", cause, kind, errors.Is(err, kind))
				}
			}
			if back, ok := errors.AsType[*runtime.RPCError](err); ok && (back.Code != rpc.Code || string(back.Data) != string(rpc.Data)) {
				t.Errorf("got %+v", back)
			}
		}).wants(t)
	}
}

// An invoker may return results that it made itself, and refusals as errors.
func TestRecordOtherInvokers(t *testing.T) {
	answers := []runtime.Invoker{
		runtime.InvokerFunc(func(context.Context, runtime.Request) (*runtime.Result, error) { return mcptest.Text("own"), nil }),
		runtime.InvokerFunc(func(context.Context, runtime.Request) (*runtime.Result, error) { return nil, mcptest.ToolError("own") }),
	}
	for i, server := range answers {
		file := recordRun(t, server, nil, func(inv runtime.Invoker) { callTool(t, inv, "s", "a", "") })
		replayFile(file, nil, func(inv runtime.Invoker) {
			if res, err := callTool(t, inv, "s", "a", ""); err != nil || res.Text() != "own" || res.IsError != (i == 1) {
				t.Errorf("got %+v, %v", res, err)
			}
		}).wants(t)
	}
	none := runtime.InvokerFunc(func(context.Context, runtime.Request) (*runtime.Result, error) { return nil, nil })
	file := recordRun(t, none, nil, func(inv runtime.Invoker) { callTool(t, inv, "s", "a", "") })
	replayFile(file, nil, func(inv runtime.Invoker) {
		if _, err := callTool(t, inv, "s", "a", ""); err == nil {
			t.Error("a call that was not recorded has no error, want one")
		}
	}).wants(t)
}

func TestRecordThatFails(t *testing.T) {
	ft := new(fakeT)
	inv := runtime.Chain(echoes{}, mcptest.Record(ft, filepath.Join(t.TempDir(), "run.jsonl"), nil))
	deep := strings.Repeat("[", 2000) + strings.Repeat("]", 2000)
	if _, err := callTool(t, inv, "s", "a", `{"x":`+deep+`}`); err != nil {
		t.Errorf("the call failed: %v", err)
	}
	ft.end()
	ft.wants(t, "nothing was recorded: s/a: nested deeper than 1000 levels")

	ft = new(fakeT)
	folder := t.TempDir()
	mcptest.Record(ft, folder, nil)
	ft.end()
	ft.wants(t, "nothing was recorded")

	ft = new(fakeT)
	inv = runtime.Chain(echoes{}, mcptest.Record(ft, filepath.Join(t.TempDir(), "run.jsonl"), nil))
	ft.end()
	if _, err := callTool(t, inv, "s", "a", ""); err != nil {
		t.Errorf("after the end: %v", err)
	}
}

type brokenPipe struct{}

func (brokenPipe) Write([]byte) (int, error) { return 0, errors.New("broken pipe") }

func TestRecorder(t *testing.T) {
	var b bytes.Buffer
	r := mcptest.NewRecorder(&b, nil)
	inv := runtime.Chain(echoes{}, r.Middleware)
	callTool(t, inv, "s", "a", `{"n":1}`)
	if err := r.Err(); err != nil || strings.Count(b.String(), "\n") != 2 {
		t.Errorf("%v\n%s", err, b.String())
	}
	r = mcptest.NewRecorder(brokenPipe{}, nil)
	if _, err := callTool(t, runtime.Chain(echoes{}, r.Middleware), "s", "a", ""); err != nil {
		t.Errorf("the call failed: %v", err)
	}
	if err := r.Err(); err == nil {
		t.Error("Err is nil after a broken pipe, want an error")
	}
}

// Nothing secret gets into the file, and the run still makes sense: what the
// agent sends stands where it stood, and what it was given it can send back.
func TestRecordingHasNoSecrets(t *testing.T) {
	const session = "s3ss10n-0f-th3-s3rv3r"
	server := echoes{func(req runtime.Request) (string, error) {
		switch req.Name {
		case "login":
			return `{"content":[{"type":"text","text":"welcome, {\"password\":\"no json"}],"structuredContent":{"echo":` + string(req.Args) + `,"sessionToken":"` + session + `"}}`, nil
		case "fail":
			return "", &runtime.CallError{Server: "s", Name: "fail", Stage: stage.Connect, Err: &runtime.RPCError{Code: 1, Message: "no access with " + session, Data: []byte(`{"token":"` + session + `"}`)}}
		}
		return `{"contents":[{"uri":"x","text":"body"}]}`, nil
	}}
	run := func(password, folder string) func(runtime.Invoker) {
		return func(inv runtime.Invoker) {
			res, err := callTool(t, inv, "s", "login", fmt.Sprintf(`{"user":"me","password":%q,"in":%q}`, password, folder+"/x"))
			if err != nil {
				t.Error(err)
				return
			}
			var got struct {
				Echo         struct{ Password, In string }
				SessionToken string
			}
			if err := json.Unmarshal(res.Structured, &got); err != nil || got.Echo.Password != password || got.Echo.In != folder+"/x" {
				t.Errorf("the answer is %s", res.Structured)
			}
			_, err = callTool(t, inv, "s", "fail", fmt.Sprintf(`{"token":%q}`, got.SessionToken))
			if rpc, ok := errors.AsType[*runtime.RPCError](err); !ok || rpc.Code != 1 {
				t.Errorf("got %v", err)
			}
			_, err = inv.Invoke(t.Context(), runtime.Request{Server: "s", Method: protocol.MethodReadResource, Name: "https://me:" + password + "@host/x"})
			if err != nil {
				t.Error(err)
			}
		}
	}
	first, second := run("correct-horse", "/tmp/here"), run("battery \"staple\"", "/tmp/there")
	file := recordRun(t, server, &mcptest.RecordOptions{Secrets: []string{"/tmp/here"}}, first)
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	for _, secret := range []string{session, "correct-horse", "/tmp/here"} {
		if bytes.Contains(text, []byte(secret)) {
			t.Errorf("%q is in\n%s", secret, text)
		}
	}
	replayFile(file, nil, first).wants(t)
	replayFile(file, nil, second).wants(t)
	// One password to log in and another one to read is another run.
	replayFile(file, nil, func(inv runtime.Invoker) {
		callTool(t, inv, "s", "login", `{"user":"me","password":"a","in":"b/x"}`)
		callTool(t, inv, "s", "fail", `{"token":"~scrubbed-3~"}`)
		if _, err := inv.Invoke(t.Context(), runtime.Request{Server: "s", Method: protocol.MethodReadResource, Name: "https://me:b@host/x"}); err == nil {
			t.Error("a call that was not recorded has no error, want one")
		}
	}).wants(t, "run.jsonl:4")
	// Unless it is told not to.
	file = recordRun(t, server, &mcptest.RecordOptions{Unscrubbed: true}, first)
	if text, err := os.ReadFile(file); err != nil || !bytes.Contains(text, []byte(session)) {
		t.Errorf("%v\n%s", err, text)
	}
}
