package gateway

// Tasks of several callers at once at one server, and what it asks in their course.

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/mcpgen/mcpgen/runtime"
	"github.com/mcpgen/mcpgen/runtime/attach"
	"github.com/mcpgen/mcpgen/runtime/endpoint"
)

// withTaskHeaders sets the headers of requests over HTTP that the SDK's client sets for the
// methods that it knows, and in sessions that it has begun.
type withTaskHeaders struct{ next http.RoundTripper }

func (w withTaskHeaders) RoundTrip(r *http.Request) (*http.Response, error) {
	var m struct {
		Method string
		Params struct{ TaskID string }
	}
	if r.Body != nil {
		body, err := io.ReadAll(r.Body)
		if err != nil {
			return nil, err
		}
		_ = json.Unmarshal(body, &m) // an answer has no method
		r = r.Clone(r.Context())
		r.Body = io.NopCloser(bytes.NewReader(body))
	}
	if strings.HasPrefix(m.Method, "tasks/") {
		r.Header.Set("Mcp-Method", m.Method)
		r.Header.Set("Mcp-Name", m.Params.TaskID)
	}
	if r.Header.Get("Mcp-Protocol-Version") == "" {
		r.Header.Set("Mcp-Protocol-Version", legacy)
	}
	return w.next.RoundTrip(r)
}

// taskCaller is one of several callers with tasks.
type taskCaller struct {
	*client
	name       string
	url, token string // of a caller over HTTP; others are the same to the gateway
}

// start starts a task, and returns its ID.
func (c taskCaller) start(t *testing.T, more string) string {
	t.Helper()
	asks := ""
	if c.protocol < modern {
		asks = `,"task":{}`
	}
	got, err := c.request("tools/call", fmt.Sprintf(`{"name":"s__research","arguments":{"topic":%q%s}%s}`, c.name, more, asks))
	_, id, _ := strings.Cut(got, `"taskId":"`)
	id, _, found := strings.Cut(id, `"`)
	if err != nil || !found {
		t.Errorf("%s has no task: %s, %v", c.name, got, err)
	}
	return id
}

// finish has the result of a task that asks, which it answers with the caller's name.
func (c taskCaller) finish(t *testing.T, id string) string {
	t.Helper()
	if got := c.await(id); got.Status != inputRequired {
		t.Errorf("%s: %+v", c.name, got)
	}
	if c.protocol < modern {
		got, err := c.task("tasks/result", id, "")
		if err != nil {
			t.Errorf("%s: %v", c.name, err)
		}
		return got
	}
	if _, err := c.task("tasks/update", id, fmt.Sprintf(`,"inputResponses":{"whom":{"action":"accept","content":{"name":%q}}}`, c.name)); err != nil {
		t.Errorf("%s: %v", c.name, err)
	}
	return string(c.await(id).Result)
}

// checkUnknown checks that a caller has no task with an ID.
func (c taskCaller) checkUnknown(t *testing.T, id string) {
	t.Helper()
	send, last := sendLegacy, "tasks/result"
	if c.protocol >= modern {
		send, last = sendModern, "tasks/update"
	}
	for _, method := range []string{"tasks/get", "tasks/cancel", last} {
		if _, got := send(t, c.url, c.token, method, id, fmt.Sprintf(`"taskId":%q`, id)); !strings.Contains(got, "the task is unknown") {
			t.Errorf("%s of another's task: %s", method, got)
		}
	}
}

// Three callers at once have tasks that ask, of one server, in sessions of their own with it
// or in one that they share. Each is asked for its own task, and none has another's.
func TestTasksApart(t *testing.T) {
	for sessions, callers := range map[string]*attach.CallerSessions{
		"own": {Sessions: true}, "caller": {Servers: func(endpoint.Server) bool { return true }}, "shared": nil,
	} {
		for _, protocol := range eras {
			mode := map[string]string{legacy: "tasks-2025", modern: "tasks"}[protocol]
			servers := map[string]endpoint.Server{"stdio": processServer(t, "s", mode), "http": taskServer(t, mode)}
			if sessions == "caller" {
				delete(servers, "http") // it would need a token for each caller
			}
			for at, server := range servers {
				for _, way := range []string{"memory", "http"} {
					t.Run(strings.Join([]string{sessions, protocol, at, way}, " "), func(t *testing.T) {
						if sessions == "own" {
							server.Client = &endpoint.Offers{Forms: true}
						}
						input := new(Input)
						g := openGateway(t, &attach.Options{Input: input, Callers: callers}, &Options{Input: input}, server)
						tasksAtOnce(t, dialTaskCallers(t, g, protocol, way))
					})
				}
			}
		}
	}
}

// dialTaskCallers connects three callers that answer with their names.
func dialTaskCallers(t *testing.T, g *Gateway, protocol, way string) (all []taskCaller) {
	t.Helper()
	tokens := map[string]string{"ann": annToken, "bob": bobToken, "carl": "carl-0123456789abcdef"}
	auth, err := Tokens(tokens)
	if err != nil {
		t.Fatal(err)
	}
	url, _ := serveHTTP(t, g, &HandlerOptions{Auth: auth})
	for name, token := range tokens {
		c := taskCaller{name: name}
		transport := g.Transport()
		if way == "http" {
			c.url, c.token = url, token
			transport = &mcp.StreamableClientTransport{Endpoint: url + Path, HTTPClient: &http.Client{Transport: withTaskHeaders{withToken(token)}}}
		}
		c.client = dialOver(t, transport, protocol, takesTasks, func(string, json.RawMessage) json.RawMessage {
			return json.RawMessage(`{"action":"accept","content":{"name":"` + name + `"}}`)
		})
		all = append(all, c)
	}
	return all
}

// tasksAtOnce has each caller start two tasks and finish one of them, while the first
// caller cancels its other one.
func tasksAtOnce(t *testing.T, callers []taskCaller) {
	asking, endless := make([]string, len(callers)), make([]string, len(callers))
	atOnce := func(do func(i int, c taskCaller)) {
		t.Helper()
		met := meeting(len(callers))
		var all sync.WaitGroup
		for i, c := range callers {
			all.Go(func() { met(); do(i, c) })
		}
		if all.Wait(); t.Failed() {
			t.FailNow()
		}
	}
	atOnce(func(i int, c taskCaller) {
		asking[i], endless[i] = c.start(t, `,"ask":true`), c.start(t, `,"end":"never"`)
	})
	atOnce(func(i int, c taskCaller) {
		for j, id := range endless {
			if j != i && c.url != "" {
				c.checkUnknown(t, id)
			}
		}
		if i == 0 {
			if _, err := c.task("tasks/cancel", endless[0], ""); err != nil {
				t.Errorf("%s: %v", c.name, err)
			}
		}
		checkContains(t, c.finish(t, asking[i]), "all about "+c.name, `"for":"`+c.name+`"`)
	})
	for i, c := range callers {
		got, err := c.task("tasks/get", endless[i], "")
		if want := map[bool]string{true: "cancelled", false: "working"}[i == 0]; err != nil || readTask(t, got).Status != want {
			t.Errorf("%s: %s, %v, want %s", c.name, got, err, want)
		}
	}
}

// A server that shares a session among callers asks in the course of a task before the
// result is fetched. The question waits for the caller of the task, who may be unable to
// answer: one with another call does not get it.
func TestTaskAsksEarly(t *testing.T) {
	held, release := make(chan bool), make(chan bool)
	end := sync.OnceFunc(func() { close(release) })
	defer end()
	hold := func(next runtime.Invoker) runtime.Invoker {
		return runtime.InvokerFunc(func(ctx context.Context, req runtime.Request) (*runtime.Result, error) {
			if req.Name == "echo" {
				held <- true
				<-release
			}
			return next.Invoke(ctx, req)
		})
	}
	g := taskGateway(t, nil, processServer(t, "s", "tasks-2025"), hold)
	ann := taskCaller{name: "ann", client: dialAs(t, g, legacy, takesTasks, func(string, json.RawMessage) json.RawMessage {
		return json.RawMessage(`{"action":"accept","content":{"name":"ann"}}`)
	})}
	bob := dialAs(t, g, legacy, takesTasks, func(method string, params json.RawMessage) json.RawMessage {
		t.Errorf("bob gets %s %s", method, params)
		return nil
	})
	bob.begin("tools/call", `{"name":"s__echo","arguments":{"text":"x"}}`)
	<-held
	id := ann.start(t, `,"ask":true,"early":true`)
	time.Sleep(200 * time.Millisecond) // the question comes meanwhile
	checkContains(t, ann.finish(t, id), `"for":"ann"`)
	mute := taskCaller{name: "mute", client: dialAs(t, g, modern, `{"extensions":{"io.modelcontextprotocol/tasks":{}}}`, nil)}
	id = mute.start(t, `,"ask":true,"early":true`)
	time.Sleep(200 * time.Millisecond)
	checkContains(t, string(mute.await(id).Result), `"for":"decline"`)
	end()
	if res := bob.read(); res.Error != nil {
		t.Error(res.Error)
	}
}
