// Tasks: calls whose callers get a handle, by which they fetch the result later. Since
// 2026-07-28 tasks are an extension (SEP-2663), and the server decides which calls
// become tasks. In 2025-11-25 the caller asks for one.
//
// Callers of 2025-11-25 get the tasks of its servers. Later callers get those of all
// servers, except at an older server if they answer questions: it asks them in an open
// request, which their tasks do not have. Then, and for callers that take no tasks, the
// call is followed to its end.
//
// The gateway keeps no tasks: the ID that a caller gets is the server's, sealed for
// that caller with the tool that was called. Every gateway with the same keys opens it.
// So there is no tasks/list: servers list the tasks of all callers of the gateway, and
// do not say which caller's they are. Status notifications are not passed on: callers
// must not rely on them, and the SDK cannot send them.

package gateway

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"math"
	"net/http"
	"slices"
	"time"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/mcpgen/mcpgen/internal/jsontext"
	"github.com/mcpgen/mcpgen/runtime"
	"github.com/mcpgen/mcpgen/runtime/protocol"
)

const (
	tasks       = "io.modelcontextprotocol/tasks" // the extension
	withTasks   = "2025-11-25"                    // the revision before it that has tasks
	relatedTask = "io.modelcontextprotocol/related-task"
	aTask       = "task"  // the type of a result that is a task
	maxTaskID   = 512     // bytes of a server's ID: callers over HTTP send the sealed ID in a header
	maxTaskTTL  = 1 << 40 // milliseconds
)

// taskMethods lists the requests about tasks.
var taskMethods = []string{protocol.MethodGetTask, protocol.MethodAwaitTask, protocol.MethodUpdateTask, protocol.MethodCancelTask}

// hasTaskMethod reports whether callers of a revision have a request about tasks.
func (g *Gateway) hasTaskMethod(method, revision string) bool {
	if revision >= modern {
		return method != protocol.MethodAwaitTask && g.opts.Input != nil // without it, the host answers servers
	}
	return method != protocol.MethodUpdateTask && revision >= withTasks
}

// taskParams are the parameters of a request about a task.
type taskParams struct {
	mcp.ParamsBase
	TaskID    string          `json:"taskId"`
	Responses json.RawMessage `json:"inputResponses"`
}

// addTaskMethods makes the SDK's server accept requests about tasks, which
// [Gateway.receive] answers.
func addTaskMethods(s *mcp.Server) {
	for _, method := range taskMethods {
		_ = mcp.AddReceivingCustomMethod(s, method, func(context.Context, *mcp.ServerSession, *taskParams) (*rawResult, error) {
			return nil, errors.New("unreachable")
		}) // the error is for methods that the SDK has
	}
}

// declaresTasks reports whether a request says that its caller takes tasks, since
// 2026-07-28.
func declaresTasks(meta map[string]any) bool {
	return jsontext.Present(jsontext.Member(jsontext.Member(declaredIn(meta), "extensions"), tasks)) != nil
}

// wantTask sets whether the caller of a tool is given a task.
func (f *flight) wantTask(spec runtime.Spec, req *mcp.CallToolRequest) error {
	switch {
	case f.isModern():
		f.takesTask = f.g.opts.Input != nil && declaresTasks(req.Params.Meta)
	case f.protocol >= withTasks && req.Extra != nil && req.Extra.Header[taskKey] != nil:
		if f.takesTask = f.g.tools.runsAsTask(spec); !f.takesTask {
			return &jsonrpc.Error{Code: jsonrpc.CodeMethodNotFound, Message: "the tool does not run as a task: call it without task"}
		}
		var asked struct {
			TTL float64 `json:"ttl"` // milliseconds
		}
		_ = json.Unmarshal([]byte(req.Extra.Header[taskKey][0]), &asked) // a task without members is valid
		f.taskTTL = time.Duration(min(max(asked.TTL, 0), maxTaskTTL) * float64(time.Millisecond))
	}
	return nil
}

// asksForTask reports whether a server is asked for a task, if its revision leaves the
// choice to clients.
func (f *flight) asksForTask() bool { return f.takesTask && !(f.isModern() && f.canAnswer()) }

// followsTask reports whether a call may be a task that the host follows to its end.
func (f *flight) followsTask() bool {
	return f.method == protocol.MethodCallTool && !f.asksForTask() && f.g.tools.runsAsTask(runtime.Spec{Server: f.server, Tool: f.own})
}

// setTask sets that the server is asked for a task, if its revision leaves the choice to
// clients.
func (f *flight) setTask(o *runtime.Options) {
	if f.asksForTask() {
		o.Task, o.TaskTTL = true, f.taskTTL
	}
}

// withTaskCapability declares tasks to a caller of 2025-11-25.
func withTaskCapability(res *mcp.InitializeResult) (mcp.Result, error) {
	if res.ProtocolVersion < withTasks {
		return res, nil
	}
	raw, err := jsontext.Marshal(res)
	if err != nil {
		return nil, err
	}
	declared := withMember(jsontext.Member(raw, "capabilities"), "tasks", []byte(`{"cancel":{},"requests":{"tools":{"call":{}}}}`))
	return &rawResult{raw: withMember(raw, "capabilities", declared)}, nil
}

// taskRef is a task of a server.
type taskRef struct {
	Server string `json:"s"`
	Tool   string `json:"n"`
	ID     string `json:"i"`
	Older  bool   `json:"o,omitzero"` // in the form of 2025-11-25
}

// taskBinding returns what the ID of a task is valid for: one caller, and revisions
// with the same form of tasks.
func (f *flight) taskBinding() []string {
	form := withTasks
	if f.isModern() {
		form = modern
	}
	return []string{f.caller.name, aTask, form, ""} // four, unlike the binding of a state
}

// isTaken reports whether a result is a task that its caller takes.
func (f *flight) isTaken(res *runtime.Result) bool {
	id := jsontext.Text(jsontext.Member(res.Structured, "taskId"))
	return res.Type == aTask && f.takesTask && id != "" && len(id) <= maxTaskID
}

// newTask answers a call that has become a task.
func (f *flight) newTask(res *runtime.Result) (mcp.Result, error) {
	ref := taskRef{f.server, f.own, jsontext.Text(jsontext.Member(res.Structured, "taskId")), jsontext.Member(res.Raw, "taskId") == nil}
	id, err := f.g.keys.seal(sealed{Task: &ref}, f.taskBinding(), time.Unix(math.MaxInt64, 0)) // the server decides how long it keeps a task
	if err != nil {
		return nil, err
	}
	described := f.describe(res.Structured, id)
	if f.isModern() {
		return &rawResult{raw: described, modern: true, kind: aTask}, nil
	}
	out := append([]byte(`{"task":`), described...)
	if meta := jsontext.Member(res.Raw, "_meta"); meta != nil {
		out = appendMember(out, "_meta", rewriter{}.meta(meta))
	}
	return &rawResult{raw: append(out, '}')}, nil
}

// describe returns a server's description of a task in the caller's form, with the
// caller's ID of it.
func (f *flight) describe(raw json.RawMessage, id string) json.RawMessage {
	out := jsontext.AppendString([]byte(`{"taskId":`), id)
	for m := jsontext.NewItems(raw); m.Next(); {
		name, value := string(m.Key()), m.Value
		switch name {
		case "taskId", "resultType", "requestState":
			continue
		case "_meta":
			value = rewriter{}.meta(value)
		case "ttl", "pollInterval":
			if f.isModern() {
				name += "Ms"
			}
		}
		out = appendMember(out, name, value)
	}
	return append(out, '}')
}

// errTask refuses the ID of a task: it is made up, or another caller's.
var errTask = invalid("the task is unknown")

// aboutTask answers a request about a task.
func (g *Gateway) aboutTask(ctx context.Context, method string, req *mcp.ServerRequest[*taskParams]) (mcp.Result, error) {
	p := cmp.Or(req.Params, &taskParams{})
	revision := req.ProtocolVersion()
	if !g.hasTaskMethod(method, revision) {
		return nil, &jsonrpc.Error{Code: jsonrpc.CodeMethodNotFound, Message: "this revision of the protocol has no " + method}
	}
	if revision >= modern && !declaresTasks(p.Meta) {
		return nil, &jsonrpc.Error{
			Code: mcp.CodeMissingRequiredClientCapabilities, Message: "the request does not declare that its caller takes tasks",
			Data: json.RawMessage(`{"requiredCapabilities":{"extensions":{"` + tasks + `":{}}}}`),
		}
	}
	f := newFlight(ctx, g, req.Session, req, "")
	s, err := g.keys.open(p.TaskID, f.taskBinding(), time.Now())
	if err != nil || s.Task == nil {
		return nil, errTask
	}
	f.method, f.name, f.server, f.own, f.responses = method, p.TaskID, s.Task.Server, s.Task.Tool, nil
	f.task, f.older = s.Task.ID, s.Task.Older
	if f.isModern() {
		f.caps = nil // the server's questions are in the description of the task
	} else if p.Meta != nil {
		f.token = req.Params.Meta["progressToken"]
	}
	return f.carryOut(ctx, func(ctx context.Context, opts ...runtime.CallOption) (*runtime.Result, error) {
		return f.sendTask(ctx, p.Responses, opts)
	}, p.Meta)
}

// sendTask sends a request about a task to its server. To callers since 2026-07-28, the
// description of a task that has ended has its result or its error.
func (f *flight) sendTask(ctx context.Context, responses json.RawMessage, opts []runtime.CallOption) (*runtime.Result, error) {
	args := jsontext.AppendString([]byte(`{"taskId":`), f.task)
	if responses != nil {
		args = append(append(args, `,"inputResponses":`...), responses...)
	}
	req := runtime.Request{Server: f.server, Method: f.method, Name: f.own, Args: append(args, '}')}.With(opts...)
	if f.method == protocol.MethodAwaitTask {
		req.Options.Timeout = -1 // the caller waits as long as it likes
	}
	if f.method == protocol.MethodUpdateTask && f.older {
		return &runtime.Result{}, nil // it asks for nothing in this way
	}
	res, err := req.Do(ctx, f.g.host)
	if !f.isModern() {
		return res, err
	}
	switch f.method {
	case protocol.MethodGetTask:
		return f.detailed(ctx, req, res, err)
	case protocol.MethodCancelTask:
		if _, refused := errors.AsType[*runtime.RPCError](err); refused && f.older {
			req.Method = protocol.MethodGetTask
			if res, getErr := req.Do(ctx, f.g.host); getErr == nil && statusOf(res) != "working" && statusOf(res) != inputRequired {
				return res, nil // since 2026-07-28 it is no error that the task has ended
			}
		}
	}
	return res, err
}

func statusOf(res *runtime.Result) string {
	return jsontext.Text(jsontext.Member(res.Structured, "status"))
}

// declineTime is how long a request waits for the end of a task at an older server that
// has asked for input, which its caller does not give.
const declineTime = time.Second

// detailed returns a description of a task with the result or the error of a task that
// has ended. Req is the request that it answers.
func (f *flight) detailed(ctx context.Context, req runtime.Request, res *runtime.Result, err error) (*runtime.Result, error) {
	if err != nil {
		return nil, err
	}
	asks := statusOf(res) == inputRequired && f.older
	if status := statusOf(res); status != "completed" && status != "failed" && !asks {
		return res, nil
	}
	req.Method = protocol.MethodAwaitTask // through the middleware, as the result of any call
	if asks {
		req.Options.Timeout = declineTime // it asks in this request and gets no answer: see [Input.Answer]
	}
	end, err := req.Do(ctx, f.g.host)
	if asks && errors.Is(err, runtime.ErrTimeout) {
		return &runtime.Result{Structured: withMember(res.Structured, "status", []byte(`"working"`))}, nil
	}
	return f.ended(res, end, err)
}

// ended returns the description of a task that has ended, with its result or its
// error. Err is nil, or why there is no result.
func (f *flight) ended(res, end *runtime.Result, err error) (*runtime.Result, error) {
	name, status, value := "result", "completed", json.RawMessage(nil)
	if err == nil {
		value = f.rewriter().result(protocol.MethodCallTool, end)
	} else {
		rpc, ok := errors.AsType[*runtime.RPCError](err)
		if !ok {
			return nil, err
		}
		name, status = "error", "failed"
		if value, err = jsontext.Marshal(&jsonrpc.Error{Code: rpc.Code, Message: printable(rpc.Message), Data: rpc.Data}); err != nil {
			return nil, err
		}
	}
	out := []byte(`{"status":"` + status + `","` + name + `":`)
	out = append(out, value...)
	for m := jsontext.NewItems(res.Structured); m.Next(); {
		if name := string(m.Key()); !slices.Contains([]string{"status", "result", "error", "inputRequests"}, name) {
			out = appendMember(out, name, m.Value)
		}
	}
	return &runtime.Result{Structured: append(out, '}')}, nil
}

// answerTask answers a request about a task.
func (f *flight) answerTask(res *runtime.Result) mcp.Result {
	out := &rawResult{raw: json.RawMessage(`{}`), modern: f.isModern()}
	switch {
	case f.method == protocol.MethodGetTask:
		out.raw = f.describe(res.Structured, f.name)
	case f.method == protocol.MethodAwaitTask:
		out.raw = f.relate(f.rewriter().result(protocol.MethodCallTool, res))
	case !f.isModern():
		out.raw = f.describe(res.Raw, f.name)
	}
	return out
}

// relate sets the task in the _meta of a result or of a server's request that belongs
// to it: there the server has its own ID.
func (f *flight) relate(raw json.RawMessage) json.RawMessage {
	meta := []byte("{}")
	if old := jsontext.Member(raw, "_meta"); len(old) > 0 && old[0] == '{' {
		meta = rewriter{}.meta(old)
	}
	if f.method == protocol.MethodAwaitTask {
		meta = withMember(meta, relatedTask, append(jsontext.AppendString([]byte(`{"taskId":`), f.name), '}'))
	}
	return withMember(raw, "_meta", meta)
}

// refuseTaskName refuses a request about a task whose headers do not name the task, and
// reports whether it did. The SDK checks the headers of the protocol's own requests.
func (g *Gateway) refuseTaskName(w http.ResponseWriter, r *http.Request) bool {
	body, isWhole := r.Body.(*wholeBody)
	method := r.Header.Get("Mcp-Method")
	if !isWhole || !slices.Contains(taskMethods, method) || !g.hasTaskMethod(method, modern) {
		return false
	}
	id := jsontext.Text(jsontext.Member(body.params, "taskId"))
	if names := r.Header.Values("Mcp-Name"); len(names) == 1 && names[0] == id {
		return false
	}
	refused(mcp.CodeHeaderMismatch, body.id, "the header Mcp-Name has to be the taskId of the request").write(w, http.StatusBadRequest)
	return true
}
