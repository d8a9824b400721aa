package gateway

// Tasks of servers as tasks of their callers.

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"

	"github.com/mcpgen/mcpgen/golden/testserver"
	"github.com/mcpgen/mcpgen/internal/stage"
	"github.com/mcpgen/mcpgen/runtime"
	"github.com/mcpgen/mcpgen/runtime/attach"
	"github.com/mcpgen/mcpgen/runtime/attach/pinned"
	"github.com/mcpgen/mcpgen/runtime/codec"
	"github.com/mcpgen/mcpgen/runtime/endpoint"
	"github.com/mcpgen/mcpgen/schema"
)

// takesTasks are the capabilities of a caller that takes tasks and answers questions.
const takesTasks = `{"elicitation":{"form":{}},"extensions":{"io.modelcontextprotocol/tasks":{}}}`

// taskServer is a server with tasks of one form, which several gateways may reach.
func taskServer(t *testing.T, mode string, args ...string) endpoint.Server {
	t.Helper()
	h, err := testserver.Handler(append([]string{mode}, args...)...)
	if err != nil {
		t.Fatal(err)
	}
	return endpoint.Server{Name: "s", Launch: &endpoint.Address{URL: serveHandler(t, h) + "/mcp", Transport: endpoint.HTTP}}
}

// taskGateway is a gateway that passes questions on.
func taskGateway(t *testing.T, keys *Keys, server endpoint.Server, middleware ...runtime.Middleware) *Gateway {
	t.Helper()
	input := new(Input)
	return openGateway(t, &attach.Options{Input: input, Middleware: middleware}, &Options{Input: input, Keys: keys}, server)
}

// taskState is a task as callers get it.
type taskState struct {
	ResultType, TaskID, Status, StatusMessage string
	InputRequests                             map[string]struct{ Method string }
	Result                                    json.RawMessage
	Error                                     struct {
		Code    int64
		Message string
	}
}

func readTask(t *testing.T, raw string) (s taskState) {
	t.Helper()
	if err := json.Unmarshal([]byte(raw), &s); err != nil {
		t.Fatalf("%v: %s", err, raw)
	}
	return s
}

// task sends a request about a task.
func (c *client) task(method, id, more string) (string, error) {
	c.t.Helper()
	return c.request(method, fmt.Sprintf(`{"taskId":%q%s}`, id, more))
}

// await polls a task until it is in another state than "working".
func (c *client) await(id string) (s taskState) {
	c.t.Helper()
	eventually(c.t, "the task goes on", func() bool {
		got, err := c.task("tasks/get", id, "")
		if err != nil {
			c.t.Fatal(err)
		}
		s = readTask(c.t, got)
		return s.Status != "working"
	})
	return s
}

func checkCode(t *testing.T, err error, code int64) {
	t.Helper()
	var rpc *jsonrpc.Error
	if !errors.As(err, &rpc) || rpc.Code != code {
		t.Errorf("got %v, want the code %d", err, code)
	}
}

// Since 2026-07-28 a caller that declares tasks gets those of a server, with what they
// ask for and what they come to.
func TestModernTasks(t *testing.T) {
	trace := filepath.Join(t.TempDir(), "trace")
	c := dialAs(t, taskGateway(t, nil, taskServer(t, "tasks", "-trace", trace)), modern, takesTasks, nil)
	checkContains(t, c.must("server/discover", `{}`), `"extensions":{"io.modelcontextprotocol/tasks":{}}`)
	start := func(args string) taskState {
		t.Helper()
		s := readTask(t, c.must("tools/call", `{"name":"s__research","arguments":`+args+`}`))
		if s.ResultType != "task" || s.Status != "working" || s.StatusMessage != "looking up bees" || !strings.HasPrefix(s.TaskID, "own.") {
			t.Fatalf("%+v", s)
		}
		return s
	}
	task := start(`{"topic":"bees","polls":1}`)
	got := c.await(task.TaskID)
	if got.ResultType != "complete" || got.TaskID != task.TaskID || got.Status != "completed" {
		t.Errorf("%+v", got)
	}
	checkContains(t, string(got.Result), `"structuredContent":{"report":"all about bees"}`)

	asking := start(`{"topic":"bees","ask":true}`)
	if got = c.await(asking.TaskID); got.Status != "input_required" || got.InputRequests["whom"].Method != "elicitation/create" {
		t.Errorf("%+v", got)
	}
	ack, err := c.task("tasks/update", asking.TaskID, `,"inputResponses":{"whom":{"action":"accept","content":{"name":"Ada"}}}`)
	if err != nil || !strings.Contains(ack, `"resultType":"complete"`) || strings.Contains(ack, "taskId") {
		t.Errorf("%s, %v", ack, err)
	}
	checkContains(t, string(c.await(asking.TaskID).Result), `"for":"Ada"`)

	if got = c.await(start(`{"topic":"bees","end":"refusal"}`).TaskID); got.Status != "completed" {
		t.Errorf("a refusal: %+v", got)
	}
	checkContains(t, string(got.Result), `"isError":true`, "nothing is known of bees")
	if got = c.await(start(`{"topic":"bees","end":"error"}`).TaskID); got.Status != "failed" || got.Error.Code != -32603 || got.Error.Message != "the library is closed" || got.Result != nil {
		t.Errorf("an error: %+v", got)
	}
	endless := start(`{"topic":"bees","end":"never"}`)
	if ack, err := c.task("tasks/cancel", endless.TaskID, ""); err != nil || strings.Contains(ack, "taskId") {
		t.Errorf("%s, %v", ack, err)
	}
	if got = c.await(endless.TaskID); got.Status != "cancelled" {
		t.Errorf("%+v", got)
	}
	_, err = c.task("tasks/result", task.TaskID, "")
	checkCode(t, err, jsonrpc.CodeMethodNotFound)
	_, err = c.task("tasks/list", "", "")
	checkCode(t, err, jsonrpc.CodeMethodNotFound)
	for _, id := range []string{"", "made up", task.TaskID[:len(task.TaskID)-1], "own.AAAA" + task.TaskID[8:]} {
		_, err := c.task("tasks/get", id, "")
		checkCode(t, err, jsonrpc.CodeInvalidParams)
		if err == nil || !strings.Contains(err.Error(), "the task is unknown") {
			t.Errorf("%q: %v", id, err)
		}
	}
	plain := dialAs(t, taskGateway(t, nil, taskServer(t, "tasks")), modern, `{}`, nil)
	_, err = plain.task("tasks/get", task.TaskID, "")
	checkCode(t, err, -32021)
	checkContains(t, plain.must("tools/call", `{"name":"s__research","arguments":{"topic":"bees"}}`), `"resultType":"complete"`, "all about bees")
	checkTrace(t, trace, nil, []string{`"violation"`})
}

// checkTrace checks what a server has noted.
func checkTrace(t *testing.T, path string, want, not []string) {
	t.Helper()
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	checkContains(t, string(data), want...)
	checkLacks(t, string(data), not...)
}

// A caller of 2025-11-25 asks for tasks of tools that may be tasks, and is asked while it
// waits for the result.
func TestLegacyTasks(t *testing.T) {
	trace := filepath.Join(t.TempDir(), "trace")
	g := taskGateway(t, nil, taskServer(t, "tasks-2025", "-trace", trace))
	var id atomic.Value
	c := dialAs(t, g, legacy, `{"elicitation":{"form":{}}}`, func(method string, params json.RawMessage) json.RawMessage {
		if method == "elicitation/create" {
			checkContains(t, string(params), `"io.modelcontextprotocol/related-task":{"taskId":"`+id.Load().(string)+`"}`)
		}
		return json.RawMessage(`{"action":"accept","content":{"name":"Ada"}}`)
	})
	tools := c.must("tools/list", `{}`)
	if n := strings.Count(tools, `"execution":{"taskSupport":"optional"}`); n != 2 || strings.Count(tools, "taskSupport") != 2 {
		t.Errorf("want research and maybe: %s", tools)
	}
	start := func(more string) string {
		t.Helper()
		var created struct{ Task taskState }
		got := c.must("tools/call", `{"name":"s__research","arguments":{"topic":"bees"`+more+`},"task":{"ttl":60000}}`)
		if err := json.Unmarshal([]byte(got), &created); err != nil || created.Task.Status != "working" || !strings.HasPrefix(created.Task.TaskID, "own.") {
			t.Fatalf("%v: %s", err, got)
		}
		id.Store(created.Task.TaskID)
		return created.Task.TaskID
	}
	task := start(`,"ask":true`)
	if got := c.await(task); got.Status != "input_required" || got.TaskID != task {
		t.Errorf("%+v", got)
	}
	got, err := c.task("tasks/result", task, "")
	if err != nil {
		t.Fatal(err)
	}
	checkContains(t, got, `"for":"Ada"`, `"io.modelcontextprotocol/related-task":{"taskId":"`+task+`"}`)
	if got := c.await(task); got.Status != "completed" {
		t.Errorf("%+v", got)
	}
	endless := start(`,"end":"never"`)
	if got, err := c.task("tasks/cancel", endless, ""); err != nil || readTask(t, got).Status != "cancelled" || readTask(t, got).TaskID != endless {
		t.Errorf("%s, %v", got, err)
	}
	_, err = c.task("tasks/result", start(`,"end":"error"`), "")
	checkCode(t, err, -32603)
	for _, tool := range []string{"s__quick", "s__echo"} {
		_, err := c.request("tools/call", `{"name":"`+tool+`","arguments":{"text":"x"},"task":{}}`)
		checkCode(t, err, jsonrpc.CodeMethodNotFound)
		if err == nil || err.Error() != "the tool does not run as a task: call it without task" {
			t.Errorf("%s: %v", tool, err)
		}
	}
	_, err = c.task("tasks/update", task, `,"inputResponses":{}`)
	checkCode(t, err, jsonrpc.CodeMethodNotFound)
	checkContains(t, c.must("tools/call", `{"name":"s__research","arguments":{"topic":"bees"},"task":null}`), "all about bees")
	checkTrace(t, trace, []string{`"task":{"ttl":60000}`}, []string{`"violation"`})

	for protocol, has := range map[string]bool{legacy: true, "2025-06-18": false} {
		raw, err := g.Transport().Connect(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		old := &client{t: t, conn: raw, protocol: protocol, caps: `{}`}
		first := old.must("initialize", `{"protocolVersion":"`+protocol+`","capabilities":{},"clientInfo":{"name":"test","version":"1"}}`)
		if strings.Contains(first, `"tasks":{"cancel":{},"requests":{"tools":{"call":{}}}}`) != has || strings.Contains(first, "extensions") {
			t.Errorf("%s: %s", protocol, first)
		}
		old.send(&jsonrpc.Request{Method: "notifications/initialized", Params: json.RawMessage(`{}`)})
		got, err := old.request("tools/call", `{"name":"s__research","arguments":{"topic":"bees"},"task":{}}`)
		if err != nil || strings.Contains(got, "taskId") != has {
			t.Errorf("%s: %s, %v", protocol, got, err)
		}
		_ = raw.Close()
	}
}

// A server of 2025-11-25 leaves the choice to the gateway, which takes a task for later
// callers that could not answer what it asks in an open request.
func TestOlderTasksOfLaterCallers(t *testing.T) {
	trace := filepath.Join(t.TempDir(), "trace")
	g := taskGateway(t, nil, taskServer(t, "tasks-2025", "-trace", trace))
	c := dialAs(t, g, modern, `{"extensions":{"io.modelcontextprotocol/tasks":{}}}`, nil)
	checkLacks(t, c.must("tools/list", `{}`), "taskSupport")
	start := func(args string) string {
		t.Helper()
		got := c.must("tools/call", `{"name":"s__research","arguments":`+args+`}`)
		checkContains(t, got, `"resultType":"task"`, `"ttlMs":7000`)
		if strings.Contains(args, "pause") {
			checkContains(t, got, `"pollIntervalMs":1`)
		}
		checkLacks(t, got, `"ttl"`, `"pollInterval"`, `"task":`)
		return readTask(t, got).TaskID
	}
	got := c.await(start(`{"topic":"bees","polls":1,"ttl":7000,"pause":1}`))
	if got.ResultType != "complete" || got.Status != "completed" {
		t.Errorf("%+v", got)
	}
	checkContains(t, string(got.Result), `"structuredContent":{"report":"all about bees"}`)
	checkLacks(t, string(got.Result), "related-task")
	if got = c.await(start(`{"topic":"bees","end":"error","ttl":7000,"pause":1}`)); got.Status != "failed" || got.Error.Code != -32603 || got.Result != nil {
		t.Errorf("an error: %+v", got)
	}
	asking := start(`{"topic":"bees","ask":true,"ttl":7000}`)
	if ack, err := c.task("tasks/update", asking, `,"inputResponses":{"x":{}}`); err != nil || strings.Contains(ack, "taskId") {
		t.Errorf("%s, %v", ack, err)
	}
	if got = c.await(asking); got.Status != "completed" {
		t.Errorf("%+v", got)
	}
	checkContains(t, string(got.Result), `"for":"decline"`)
	for _, args := range []string{`{"topic":"bees","end":"never","ttl":7000,"pause":1}`, `{"topic":"bees","ttl":7000,"pause":1}`} {
		id := start(args)
		if !strings.Contains(args, "never") {
			c.await(id)
		}
		if ack, err := c.task("tasks/cancel", id, ""); err != nil || strings.Contains(ack, "taskId") {
			t.Errorf("%s, %v", ack, err)
		}
	}
	checkTrace(t, trace, nil, []string{`"violation"`})
	c = dialAs(t, g, modern, takesTasks, nil)
	checkContains(t, c.must("tools/call", `{"name":"s__research","arguments":{"topic":"bees"}}`), `"resultType":"complete"`, "all about bees")
}

// A caller of 2025-11-25 asks for tasks, which later servers give as they like: it is
// offered none, and a call is followed to its end.
func TestLaterTasksOfOlderCallers(t *testing.T) {
	c := dialAs(t, taskGateway(t, nil, taskServer(t, "tasks")), legacy, `{}`, nil)
	checkLacks(t, c.must("tools/list", `{}`), "taskSupport")
	checkContains(t, c.must("tools/call", `{"name":"s__research","arguments":{"topic":"bees"}}`), "all about bees")
	_, err := c.request("tools/call", `{"name":"s__research","arguments":{"topic":"bees"},"task":{}}`)
	checkCode(t, err, jsonrpc.CodeMethodNotFound)
}

// A task goes on at any gateway with the same keys, for its caller alone, and as long as
// the policy lets the caller have its tool.
func TestTasksElsewhere(t *testing.T) {
	for _, mode := range []string{"tasks", "tasks-2025"} {
		t.Run(mode, func(t *testing.T) {
			keys, err := NewKeys(Key{ID: "k", Secret: []byte(strings.Repeat("k", keySize))})
			if err != nil {
				t.Fatal(err)
			}
			var last atomic.Pointer[runtime.Request]
			var denied atomic.Bool
			gate := func(next runtime.Invoker) runtime.Invoker {
				return runtime.InvokerFunc(func(ctx context.Context, req runtime.Request) (*runtime.Result, error) {
					last.Store(&req)
					if denied.Load() {
						return nil, &runtime.CallError{Server: req.Server, Name: req.Name, Stage: stage.Gate, Err: fmt.Errorf("%w: no rule", runtime.ErrDenied)}
					}
					return next.Invoke(ctx, req)
				})
			}
			server := taskServer(t, mode)
			first, _ := serveHTTP(t, taskGateway(t, keys, server, gate), &HandlerOptions{Auth: twoCallers(t)})
			second, _ := serveHTTP(t, taskGateway(t, keys, server, gate), &HandlerOptions{Auth: twoCallers(t)})
			other, _ := serveHTTP(t, taskGateway(t, nil, server, gate), &HandlerOptions{Auth: twoCallers(t)})
			const call = `"name":"s__research","arguments":{"topic":"bees","polls":1}`
			send := sendModern
			if mode == "tasks-2025" {
				send = sendLegacy
			}
			denied.Store(true)
			if _, got := send(t, first, annToken, "tools/call", "s__research", call); strings.Contains(got, "taskId") {
				t.Errorf("a denied tool has a task: %s", got)
			}
			denied.Store(false)
			_, got := send(t, first, annToken, "tools/call", "s__research", call)
			_, id, _ := strings.Cut(got, `"taskId":"`)
			id, _, _ = strings.Cut(id, `"`)
			if !strings.HasPrefix(id, "k.") {
				t.Fatal(got)
			}
			about := fmt.Sprintf(`"taskId":%q`, id)
			_, got = send(t, second, annToken, "tasks/get", id, about)
			checkContains(t, got, about, `"status":"working"`)
			if last := last.Load(); last.Name != "research" || last.Method != "tasks/get" || last.Options.Caller != "ann" {
				t.Errorf("the gate was asked for %+v", last)
			}
			_, foreign := send(t, second, bobToken, "tasks/get", id, about)
			_, unknown := send(t, second, annToken, "tasks/get", "made-up", `"taskId":"made-up"`)
			_, elsewhere := send(t, other, annToken, "tasks/get", id, about)
			if foreign != unknown || foreign != elsewhere || !strings.Contains(foreign, "the task is unknown") {
				t.Errorf("the refusals differ:\n%s\n%s\n%s", foreign, unknown, elsewhere)
			}
			denied.Store(true)
			_, got = send(t, second, annToken, "tasks/get", id, about)
			checkContains(t, got, "no rule")
			checkLacks(t, got, `"status":`)
		})
	}
}

// sendModern sends a request over HTTP as 2026-07-28 has it.
func sendModern(t *testing.T, url, token, method, name, params string) (int, string) {
	t.Helper()
	body := fmt.Sprintf(`{"jsonrpc":"2.0","id":7,"method":%q,"params":{"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientInfo":{"name":"t","version":"1"},"io.modelcontextprotocol/clientCapabilities":%s},%s}}`, method, takesTasks, params)
	status, got, _ := postJSON(t, url+Path, body, "Mcp-Protocol-Version", modern, "Mcp-Method", method, "Mcp-Name", name, "Authorization", "Bearer "+token)
	return status, dataOf(got)
}

// sendLegacy sends a request in a session of its own.
func sendLegacy(t *testing.T, url, token, method, _, params string) (int, string) {
	t.Helper()
	auth := []string{"Authorization", "Bearer " + token}
	_, _, h := postJSON(t, url+Path, initialize, auth...)
	auth = append(auth, sessionHeader, h.Get(sessionHeader), "Mcp-Protocol-Version", legacy)
	postJSON(t, url+Path, `{"jsonrpc":"2.0","method":"notifications/initialized"}`, auth...)
	if method == "tools/call" {
		params += `,"task":{}`
	}
	status, got, _ := postJSON(t, url+Path, fmt.Sprintf(`{"jsonrpc":"2.0","id":7,"method":%q,"params":{%s}}`, method, params), auth...)
	return status, dataOf(got)
}

// dataOf returns the last message of a stream of events, or the body that is no stream.
func dataOf(body string) string {
	if at := strings.LastIndex(body, "data: "); at >= 0 {
		return strings.TrimSpace(body[at+len("data: "):])
	}
	return strings.TrimSpace(body)
}

// Over HTTP, requests about tasks name the task in a header, for balancers.
func TestTaskHeaders(t *testing.T) {
	url, _ := serveHTTP(t, taskGateway(t, nil, taskServer(t, "tasks")), nil)
	_, got := sendModern(t, url, "", "tools/call", "s__research", `"name":"s__research","arguments":{"topic":"bees"}`)
	var call struct{ Result taskState }
	if err := json.Unmarshal([]byte(got), &call); err != nil || call.Result.TaskID == "" {
		t.Fatalf("%v: %s", err, got)
	}
	about := fmt.Sprintf(`"taskId":%q`, call.Result.TaskID)
	if status, got := sendModern(t, url, "", "tasks/get", call.Result.TaskID, about); status != http.StatusOK || !strings.Contains(got, about) {
		t.Errorf("%d: %s", status, got)
	}
	for _, name := range []string{"", "another"} {
		if status, got := sendModern(t, url, "", "tasks/get", name, about); status != http.StatusBadRequest || !strings.Contains(got, "-32020") || !strings.Contains(got, `"id":7`) {
			t.Errorf("%d: %s", status, got)
		}
	}
}

// A server that is locked is listed with its tasks before it is up.
func TestTasksFromTheLock(t *testing.T) {
	const tool = `{"name":"research","inputSchema":{"type":"object"},"execution":{"taskSupport":"required"}}`
	pin, err := schema.ContractHash(schema.KindTool, json.RawMessage(tool))
	if err != nil {
		t.Fatal(err)
	}
	for protocol, capabilities := range map[string]string{
		legacy: `{"tasks":{"requests":{"tools":{"call":{}}}}}`, "2025-06-18": `{}`, modern: `{"tasks":{"requests":{"tools":{"call":{}}}}}`,
	} {
		m := codec.NewManifest("s", `{"protocolVersion":"`+protocol+`","capabilities":`+capabilities+`,"tools":[`+tool+`]}`, codec.ItemRef{Server: "s", Name: "research", Qualified: "s__research", Pin: pin})
		asleep := processServer(t, "s", "sleep", "-delay", "1m")
		asleep.Timeout.Start = time.Hour
		g := openGateway(t, &attach.Options{Background: true, Judge: pinned.ByHash(m)}, nil, asleep)
		got := dialClient(t, g, legacy).must("tools/list", `{}`)
		if !strings.Contains(got, `"s__research"`) || strings.Contains(got, `{"taskSupport":"optional"}`) != (protocol == legacy) {
			t.Errorf("%s: %s", protocol, got)
		}
	}
}

// What a server says of a task is hostile: its ID may be long or missing, and no answer to
// a request about a task is a task.
func TestOddTasks(t *testing.T) {
	for what, odd := range map[string]struct{ call, get, want string }{
		"a long ID":      {`"taskId":"` + strings.Repeat("x", maxTaskID+1) + `"`, `"status":"completed","result":{"content":[]}`, `"resultType":"complete"`},
		"no ID":          {`"status":"working"`, ``, ""},
		"another's ID":   {`"taskId":"t","taskId":"u"`, `"taskId":"v","status":"working","requestState":"s"`, `"status":"working"`},
		"a task in task": {`"taskId":"t"`, `"resultType":"task","status":"working"`, ""},
		"no status":      {`"taskId":"t"`, `"status":7`, `"status":7`},
		"no result":      {`"taskId":"t"`, `"status":"completed","result":[]`, ""},
	} {
		t.Run(what, func(t *testing.T) {
			echo, err := testserver.Handler("modern", "-json")
			if err != nil {
				t.Fatal(err)
			}
			url := serveHandler(t, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
				method := r.Header.Get("Mcp-Method")
				if method != "tools/call" && !strings.HasPrefix(method, "tasks/") {
					echo.ServeHTTP(w, r)
					return
				}
				var m struct{ ID json.RawMessage }
				_ = json.NewDecoder(r.Body).Decode(&m)
				answer := `"resultType":"task",` + odd.call
				if method == "tasks/get" {
					answer = odd.get
				}
				w.Header().Set("Content-Type", "application/json")
				_, _ = fmt.Fprintf(w, `{"jsonrpc":"2.0","id":%s,"result":{%s}}`, m.ID, answer)
			}))
			c := dialAs(t, taskGateway(t, nil, endpoint.Server{Name: "s", Launch: &endpoint.Address{URL: url + "/mcp", Transport: endpoint.HTTP}}), modern, takesTasks, nil)
			got, err := c.call("s__echo", `{}`)
			if task := (taskState{}); err == nil && json.Unmarshal([]byte(got), &task) == nil && task.TaskID != "" {
				if got, err = c.task("tasks/get", task.TaskID, ""); err == nil && !strings.Contains(got, `"taskId":"`+task.TaskID+`"`) {
					t.Errorf("another task: %s", got)
				}
			}
			if (err == nil) != (odd.want != "") || err == nil && !strings.Contains(got, odd.want) || strings.Contains(got, "requestState") {
				t.Errorf("got %s, %v", got, err)
			}
		})
	}
}
