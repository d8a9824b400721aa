package attach

// Tools that run as tasks, in both eras, against a server that holds its clients to the
// specification.

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"net/http"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/mcpgen/mcpgen/golden/testserver"
	"github.com/mcpgen/mcpgen/runtime"
	"github.com/mcpgen/mcpgen/runtime/codec"
	"github.com/mcpgen/mcpgen/runtime/endpoint"
	"github.com/mcpgen/mcpgen/runtime/protocol"
)

// taskServers are the ways to reach a server with tasks. Each call makes a new one; what
// it noted is in the trace.
func taskServers(t *testing.T, f func(t *testing.T, s endpoint.Server, events func(string) []map[string]json.RawMessage)) {
	for _, mode := range []string{"tasks", "tasks-2025"} {
		t.Run(mode+"/stdio", func(t *testing.T) {
			t.Parallel()
			s, events := tracedServer(t, mode)
			f(t, s, events)
		})
		t.Run(mode+"/http", func(t *testing.T) {
			t.Parallel()
			trace := filepath.Join(t.TempDir(), "trace")
			s := httpServer(t, mode, "-trace", trace)
			addressOf(s).Transport = endpoint.HTTP
			f(t, s, func(event string) []map[string]json.RawMessage { return eventsIn(t, trace, event) })
		})
	}
}

// callResearch calls the tool that runs as a task.
func callResearch(ctx context.Context, h *Host, args string, o runtime.Options) (*runtime.Result, error) {
	return h.Invoke(ctx, runtime.Request{Server: "s", Method: protocol.MethodCallTool, Name: "research", Args: json.RawMessage(args), Options: o})
}

func asAda(t *testing.T, asked *atomic.Int64) Input {
	return answering(Handlers{Elicit: func(_ context.Context, _ string, req ElicitRequest) (ElicitResult, error) {
		asked.Add(1)
		if req.Message != "Whom is the report for?" {
			t.Errorf("asked %q", req.Message)
		}
		return ElicitResult{Action: ElicitAccept, Content: map[string]any{"name": "Ada"}}, nil
	}})
}

// A call of a tool that runs as a task returns what the task comes to.
func TestTaskIsFollowedToItsEnd(t *testing.T) {
	taskServers(t, func(t *testing.T, s endpoint.Server, events func(string) []map[string]json.RawMessage) {
		var asked atomic.Int64
		h := connectAll(t, &Options{Input: asAda(t, &asked)}, s)
		var said []string
		onProgress := runtime.Options{OnProgress: func(p runtime.Progress) { said = append(said, p.Message) }}
		res, err := callResearch(t.Context(), h, `{"topic":"bees","polls":2,"ask":true,"pause":30}`, onProgress)
		if err != nil || string(res.Structured) != `{"for":"Ada","report":"all about bees"}` || asked.Load() != 1 {
			t.Errorf("%+v, %v, asked %d times", res, err, asked.Load())
		}
		if len(said) == 0 || said[0] != "looking up bees" {
			t.Errorf("progress %q", said)
		}
		res, err = callResearch(t.Context(), h, `{"topic":"bees","end":"refusal"}`, runtime.Options{})
		if err != nil || !res.IsError || res.Text() != "nothing is known of bees" {
			t.Errorf("a refusal: %+v, %v", res, err)
		}
		var rpc *runtime.RPCError
		if _, err = callResearch(t.Context(), h, `{"topic":"bees","end":"error"}`, runtime.Options{}); !errors.As(err, &rpc) || rpc.Code != -32603 || rpc.Message != "the library is closed" {
			t.Errorf("an error: %v", err)
		}
		if _, err = callResearch(t.Context(), h, `{"topic":"bees","end":"cancelled"}`, runtime.Options{}); err == nil || !strings.Contains(err.Error(), "the task was cancelled") {
			t.Errorf("cancelled: %v", err)
		}
		if res, err = callTool(t.Context(), h, "echo", `{"text":"x"}`); err != nil || string(res.Structured) != `{"text":"x"}` {
			t.Errorf("a tool without tasks: %v, %v", res, err)
		}
		if v := events("violation"); v != nil {
			t.Errorf("the specification is violated: %s", v)
		}
	})
}

// A server of the extension may answer at once, or be called by a client without the
// extension.
func TestTaskIsTheServersChoice(t *testing.T) {
	h := connectReady(t, processServer(t, "tasks"))
	for _, asTask := range []bool{false, true} {
		res, err := callResearch(t.Context(), h, `{"topic":"ants","end":"now"}`, runtime.Options{Task: asTask})
		if err != nil || res.Type != "complete" || string(res.Structured) != `{"report":"all about ants"}` {
			t.Errorf("%+v, %v", res, err)
		}
	}
	_, err := callResearch(t.Context(), h, `{"topic":"ants"}`, runtime.Options{Relay: json.RawMessage(`{}`)})
	var rpc *runtime.RPCError
	if !errors.As(err, &rpc) || rpc.Code != -32021 {
		t.Errorf("a relayed client without tasks: %v", err)
	}
	res, err := callResearch(t.Context(), h, `{"topic":"ants"}`, runtime.Options{Relay: json.RawMessage(`{"extensions":{"io.modelcontextprotocol/tasks":{}}}`)})
	if err != nil || res.Type != "task" || !strings.Contains(string(res.Structured), `"taskId"`) {
		t.Errorf("a relayed client with tasks: %+v, %v", res, err)
	}
}

// A server may ask before it begins a task, and ask for several things in it.
func TestTasksThatAsk(t *testing.T) {
	s, events := tracedServer(t, "tasks-suite")
	var asked atomic.Int64
	h := connectAll(t, &Options{Input: asAda(t, &asked)}, s)
	for tool, want := range map[string]int64{"test_tool_with_task": 1, "multi_input": 2} {
		asked.Store(0)
		res, err := callTool(t.Context(), h, tool, `{"topic":"bees"}`)
		if err != nil || string(res.Structured) != `{"for":"Ada","report":"all about bees"}` || asked.Load() != want {
			t.Errorf("%s: %+v, %v, asked %d times", tool, res, err, asked.Load())
		}
	}
	if v := events("violation"); v != nil {
		t.Errorf("the specification is violated: %s", v)
	}
}

// What nobody waits for any more is cancelled.
func TestTaskOfACallThatEnds(t *testing.T) {
	taskServers(t, func(t *testing.T, s endpoint.Server, events func(string) []map[string]json.RawMessage) {
		h := connectAll(t, nil, s)
		_, err := callResearch(t.Context(), h, `{"topic":"bees","end":"never","pause":10}`, runtime.Options{Timeout: 2 * time.Second})
		if !errors.Is(err, runtime.ErrTimeout) {
			t.Errorf("late: %v", err)
		}
		eventually(t, "the task is cancelled", func() bool { return len(events("cancel")) == 1 })
		if p, ok := s.Launch.(*endpoint.Process); ok && p.Args[0] == "tasks-2025" {
			return
		}
		_, err = callResearch(t.Context(), h, `{"topic":"bees","end":"never","pause":10,"ttl":50}`, runtime.Options{})
		if err == nil || h.serverState("s").session.isModern() && !strings.Contains(err.Error(), "within its lifetime") {
			t.Errorf("a task that its server does not keep: %v", err)
		}
	})
}

// researchRef is the tool that runs as a task.
var researchRef = codec.ItemRef{Server: "s", Name: "research"}

// startTask starts a task and returns its handle.
func startTask(t *testing.T, h *Host, args string) *codec.Task[json.RawMessage] {
	t.Helper()
	task, err := codec.StartTool[json.RawMessage](t.Context(), h, researchRef, json.RawMessage(args), nil)
	if err != nil {
		t.Fatal(err)
	}
	return task
}

func TestTaskHandles(t *testing.T) {
	taskServers(t, func(t *testing.T, s endpoint.Server, events func(string) []map[string]json.RawMessage) {
		var asked atomic.Int64
		h := connectAll(t, &Options{Input: asAda(t, &asked)}, s)
		task := startTask(t, h, `{"topic":"bees","polls":2,"ask":true}`)
		if task.ID == "" {
			t.Fatal("the task has no ID")
		}
		if status, message, err := task.Status(t.Context()); err != nil || status != "input_required" || message != "looking up bees" {
			t.Errorf("status %q, %q, %v", status, message, err)
		}
		// Another handle of the same task, as another process would have it.
		again := codec.ResumeTool[json.RawMessage](h, researchRef, task.ID)
		for _, w := range []*codec.Task[json.RawMessage]{again, task} {
			if got, err := w.Wait(t.Context()); err != nil || string(got) != `{"for":"Ada","report":"all about bees"}` {
				t.Errorf("%q, %v", got, err)
			}
		}
		if asked.Load() != 1 {
			t.Errorf("asked %d times", asked.Load())
		}
		refused := startTask(t, h, `{"topic":"bees","end":"refusal"}`)
		var te *runtime.ToolError
		if _, err := refused.Wait(t.Context()); !errors.As(err, &te) || te.Name != "research" {
			t.Errorf("a refusal: %v", err)
		}
		endless := startTask(t, h, `{"topic":"bees","end":"never","pause":10}`)
		if _, err := endless.Wait(t.Context(), runtime.WithTimeout(50*time.Millisecond)); !errors.Is(err, runtime.ErrTimeout) {
			t.Errorf("waiting for a moment: %v", err)
		}
		if n := len(events("cancel")); n != 0 {
			t.Errorf("a task that can be taken up again was cancelled %d times", n)
		}
		if err := endless.Cancel(t.Context()); err != nil {
			t.Error(err)
		}
		if status, _, err := endless.Status(t.Context()); err != nil || status != "cancelled" {
			t.Errorf("status %q, %v", status, err)
		}
		unknown := codec.ResumeTool[json.RawMessage](h, researchRef, "gone")
		var rpc *runtime.RPCError
		if _, err := unknown.Wait(t.Context()); !errors.As(err, &rpc) || rpc.Code != -32602 {
			t.Errorf("an ID that the server does not know: %v", err)
		}
		if _, err := codec.ResumeTool[json.RawMessage](h, researchRef, "").Wait(t.Context()); !errors.Is(err, runtime.ErrInvalidArgs) {
			t.Errorf("no ID: %v", err)
		}
	})
}

// A task that asks for what nobody gives can be taken up by a program that does.
func TestTaskWithoutAnswers(t *testing.T) {
	s := httpServer(t, "tasks")
	addressOf(s).Transport = endpoint.HTTP
	quiet := connectAll(t, &Options{Logger: slog.New(slog.DiscardHandler)}, s)
	got, err := startTask(t, quiet, `{"topic":"bees","ask":true}`).Wait(t.Context())
	if err != nil || string(got) != `{"for":"decline","report":"all about bees"}` {
		t.Errorf("declined: %q, %v", got, err)
	}
}

// A task outlives the process of its server where that keeps it, and the session that
// polls for it.
func TestTaskAfterARestart(t *testing.T) {
	s := processServer(t, "tasks", "-state", filepath.Join(t.TempDir(), "state"))
	first := connectAll(t, nil, s)
	id := startTask(t, first, `{"topic":"bees","polls":3}`).ID
	_ = first.Close()
	second := connectAll(t, nil, s)
	got, err := codec.ResumeTool[json.RawMessage](second, researchRef, id).Wait(t.Context())
	if err != nil || string(got) != `{"report":"all about bees"}` {
		t.Errorf("%q, %v", got, err)
	}
}

// A server that answers with tasks and knows nothing of them is not a success.
func TestTaskOfAServerWithoutTasks(t *testing.T) {
	for _, s := range []endpoint.Server{processServer(t, "task-anyway"), httpServer(t, "task-anyway")} {
		if res, err := callTool(t.Context(), connectReady(t, s), "echo", `{"text":"x"}`); err == nil {
			t.Errorf("a task passes for a result: %s", res.Raw)
		}
	}
}

// What a server says of a task is hostile.
func TestTaskStatesThatMeanNothing(t *testing.T) {
	for state, want := range map[string]string{
		`"status":"do\u001bne"`: "unknown status",
		`"status":"completed"`:  "has no result",
		`"status":7`:            "cannot be read",
		`"status":"failed","statusMessage":"evil\u001b[31m"`:          "evil",
		`"status":"cancelled","statusMessage":"evil\u202e"`:           "cancelled: evil",
		`"status":"input_required","inputRequests":{"q":{}}`:          "needs input",
		`"status":"working","pollIntervalMs":-1e300,"ttlMs":1e-3`:     "within its lifetime",
		`"status":"input_required","inputRequests":` + objectOf(1001): "more than",
		`"status":"completed","result":{"resultType":"complete"}`:     "",
		`"status":"completed","result":{"resultType":"task"}`:         `its result has the type "task"`,
		`"status":"completed","result":[]`:                            "want an object",
		`"status":"working","ttlMs":1e-3,"pollIntervalMs":"never"`:    "cannot be read",
	} {
		h := connectAll(t, &Options{Logger: slog.New(slog.DiscardHandler)}, scriptedTasks(t, state))
		_, err := callTool(t.Context(), h, "echo", `{}`)
		switch {
		case want == "" && err == nil:
		case want == "" || err == nil:
			t.Errorf("%s: %v", state, err)
		default:
			checkError(t, err, want)
		}
	}
}

// The error of a task is that of a call, with its data.
func TestTaskError(t *testing.T) {
	h := connectAll(t, nil, scriptedTasks(t, `"status":"failed","error":{"code":-32000,"message":"blew up","data":{"a":9007199254740993}}`))
	_, err := callTool(t.Context(), h, "echo", `{}`)
	var rpc *runtime.RPCError
	if !errors.As(err, &rpc) || rpc.Code != -32000 || rpc.Message != "blew up" || string(rpc.Data) != `{"a":9007199254740993}` {
		t.Errorf("%v: %+v", err, rpc)
	}
}

// objectOf is an object with n members.
func objectOf(n int) string {
	var all []string
	for i := range n {
		all = append(all, fmt.Sprintf(`"q%d":{"method":"roots/list"}`, i))
	}
	return "{" + strings.Join(all, ",") + "}"
}

// scriptedTasks is a server whose calls are tasks in one state.
func scriptedTasks(t *testing.T, state string) endpoint.Server {
	t.Helper()
	echo, err := testserver.Handler("modern", "-json")
	if err != nil {
		t.Fatal(err)
	}
	url := serveHTTP(t, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		method := r.Header.Get("Mcp-Method")
		if method != "tools/call" && !strings.HasPrefix(method, "tasks/") {
			echo.ServeHTTP(w, r)
			return
		}
		var m struct{ ID json.RawMessage }
		_ = json.NewDecoder(r.Body).Decode(&m)
		w.Header().Set("Content-Type", "application/json")
		_, _ = fmt.Fprintf(w, `{"jsonrpc":"2.0","id":%s,"result":{"resultType":%q,"taskId":"t",%s}}`, m.ID,
			map[bool]string{true: "task", false: "complete"}[method == "tools/call"], state)
	}))
	return endpoint.Server{Name: "s", Launch: &endpoint.Address{URL: url + "/mcp", Transport: endpoint.HTTP}}
}
