// Tools that run as tasks: the server answers a call with a handle, and the result is
// fetched with that. Since 2026-07-28 tasks are an extension (SEP-2663), and the server
// decides which calls become one. In 2025-11-25 the client asks for one where a tool says
// that it can be, or has to be, a task.

package attach

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"time"

	"github.com/mcpgen/mcpgen/internal/jsontext"
	"github.com/mcpgen/mcpgen/runtime"
	"github.com/mcpgen/mcpgen/runtime/attach/internal/quote"
)

// tasksExtension is the name by which both sides declare tasks.
const tasksExtension = "io.modelcontextprotocol/tasks"

const (
	pollFirst   = 200 * time.Millisecond // where the server names no interval, doubling
	pollLast    = 5 * time.Second
	pollLeast   = 20 * time.Millisecond // whatever the server says
	pollMost    = time.Hour
	maxInputs   = 1000            // that one task may ask for
	abandonTime = 5 * time.Second // to tell a server that nobody waits for its task
)

// taskSupport is what a tool of 2025-11-25 says of tasks.
type taskSupport string

const (
	taskRequired taskSupport = "required"
	taskOptional taskSupport = "optional"
)

func taskSupportOf(raw json.RawMessage) taskSupport {
	if !bytes.Contains(raw, []byte(`"taskSupport"`)) {
		return ""
	}
	var tool struct {
		Execution struct {
			TaskSupport taskSupport `json:"taskSupport"`
		} `json:"execution"`
	}
	_ = json.Unmarshal(raw, &tool) // what has the wrong type counts as absent
	return tool.Execution.TaskSupport
}

// runsTasks reports whether a server of 2025-11-25 runs tool calls as tasks. Of one that
// does not, the specification says to take no notice of what its tools say.
func (s *session) runsTasks() bool {
	var caps struct {
		Tasks struct {
			Requests struct {
				Tools struct {
					Call json.RawMessage `json:"call"`
				} `json:"tools"`
			} `json:"requests"`
		} `json:"tasks"`
	}
	return json.Unmarshal(s.handshake.capabilities, &caps) == nil && present(caps.Tasks.Requests.Tools.Call) != nil
}

// asTask reports whether a call has to ask for a task.
func (x *toolIndex) asTask(req runtime.Request) bool {
	if x == nil || req.Method != runtime.MethodCallTool || x.items[req.Name] == nil {
		return false
	}
	support := x.items[req.Name].tasks
	return support == taskRequired || support == taskOptional && req.Options.Task
}

// task is a task as the server describes it, in the words of either revision.
type task struct {
	ID       string                     `json:"taskId"`
	Status   string                     `json:"status"`
	Message  string                     `json:"statusMessage"`
	Updated  string                     `json:"lastUpdatedAt"`
	TTL      *float64                   `json:"ttlMs"`
	OldTTL   *float64                   `json:"ttl"`
	Poll     *float64                   `json:"pollIntervalMs"`
	OldPoll  *float64                   `json:"pollInterval"`
	Requests map[string]json.RawMessage `json:"inputRequests"`
	Result   json.RawMessage            `json:"result"`
	Error    json.RawMessage            `json:"error"`
}

// handleOf returns the handle that is the answer to a call; nil if that is none.
func handleOf(raw json.RawMessage) json.RawMessage {
	res, err := runtime.ParseResult(runtime.MethodCallTool, raw)
	if err != nil || res.Type != "task" {
		return nil
	}
	return res.Structured
}

// taskID returns the id in the arguments of a request about a task; "" if there is none.
func taskID(args json.RawMessage) string {
	return jsontext.Text(jsontext.Member(args, "taskId"))
}

// taskMembers returns what a request about a task may tell the server.
func taskMembers(args json.RawMessage) []member {
	members := []member{{"taskId", quoted(taskID(args))}}
	if responses := jsontext.Member(args, "inputResponses"); responses != nil {
		members = append(members, member{"inputResponses", responses})
	}
	return members
}

// followed follows the task that a call has become, unless its caller wants the handle. If
// nobody waits for it any more it is cancelled, since nobody can take it up again.
func (h *Host) followed(ct *callTime, state *serverState, req runtime.Request, d delivery) delivery {
	if d.err != nil || req.Method != runtime.MethodCallTool || req.Options.Task || req.Options.Relay != nil && d.sess.isModern() {
		return d
	}
	handle := handleOf(d.raw)
	if handle == nil {
		return d
	}
	f := newFollower(h, ct, state, req, jsontext.Text(jsontext.Member(handle, "taskId")))
	if f.id == "" {
		return f.failed(d, fmt.Errorf("the server answered with a task that has no ID"))
	}
	out := f.follow(d, handle)
	if out.err != nil && !f.over {
		h.abandon(state, d.sess, req, f.args())
	}
	return out
}

// await follows a task that a program or another one has started.
func (h *Host) await(ct *callTime, state *serverState, req runtime.Request) delivery {
	id := taskID(req.Args)
	if id == "" {
		return delivery{stage: runtime.StageEncode, err: &runtime.InvalidArgsError{Pointer: "/taskId", Reason: `a task is named by {"taskId": …}`}}
	}
	f := newFollower(h, ct, state, req, id)
	d := f.send(runtime.MethodGetTask, f.args())
	if d.err != nil {
		return d
	}
	return f.follow(d, d.raw)
}

// abandon tells a server that nobody waits for a task, in the background.
func (h *Host) abandon(state *serverState, sess *session, req runtime.Request, args json.RawMessage) {
	r, err := newRequest(runtime.Request{Method: runtime.MethodCancelTask, Name: req.Name, Args: args})
	if err != nil {
		return
	}
	state.spawn(func() {
		ctx, cancel := context.WithTimeout(state.life, abandonTime)
		defer cancel()
		_, _, _ = sess.roundTrips(ctx, r) // the server may have forgotten it, or be gone
	})
}

// follower follows one task to its end.
type follower struct {
	h        *Host
	ct       *callTime
	state    *serverState
	req      runtime.Request // that began it, or waits for it
	id       string
	began    time.Time
	wait     time.Duration   // before the next poll, where the server names no interval
	answered map[string]bool // the ids of what was answered
	asked    []string        // in words
	last     task
	over     bool // the task has ended, or the server does not know it
}

func newFollower(h *Host, ct *callTime, state *serverState, req runtime.Request, id string) *follower {
	return &follower{h: h, ct: ct, state: state, req: req, id: id, began: time.Now(), wait: pollFirst, answered: map[string]bool{}}
}

// args are those of a request about the task.
func (f *follower) args() json.RawMessage {
	return append(jsontext.AppendString([]byte(`{"taskId":`), f.id), '}')
}

// send makes a request about the task.
func (f *follower) send(method string, args json.RawMessage) delivery {
	req := runtime.Request{Server: f.req.Server, Method: method, Name: f.req.Name, Args: args, Pin: f.req.Pin}
	return f.h.insist(f.ct, f.state, req, f.h.deliver(f.ct, f.state, req))
}

// failed is the end of following a task without a result.
func (f *follower) failed(d delivery, err error) delivery {
	d.raw, d.stage, d.sent, d.err = nil, runtime.StageReceive, true, err
	return d
}

// follow polls until the task has ended. The delivery is that of raw, which describes it.
func (f *follower) follow(d delivery, raw json.RawMessage) delivery {
	for {
		var t task
		if err := json.Unmarshal(raw, &t); err != nil {
			return f.failed(d, fmt.Errorf("the task cannot be read: %w", err))
		}
		f.note(&t)
		switch t.Status {
		case "working":
		case "input_required":
			if !d.sess.isModern() {
				return f.old(d)
			}
			if err := f.answer(d.sess, &t); err != nil {
				return f.failed(d, err)
			}
		case "completed", "failed", "cancelled":
			f.over = true
			return f.end(d, &t)
		default:
			return f.failed(d, fmt.Errorf("the task has the unknown status %q", quote.Line(t.Status, 60)))
		}
		if life := millis(t.TTL, t.OldTTL); life > 0 && time.Since(f.began) > life {
			return f.failed(d, fmt.Errorf("the task did not end within the %v that the server keeps it: raise that in the server", life))
		}
		if err := pause(f.ct.ctx, f.interval(&t)); err != nil {
			return f.failed(d, f.ct.err())
		}
		if d = f.send(runtime.MethodGetTask, f.args()); d.err != nil {
			return d
		}
		raw = d.raw
	}
}

// old lets the server of 2025-11-25 answer when it has the result: until then it asks for
// input as in any other call.
func (f *follower) old(d delivery) delivery {
	f.over = true
	out := f.send(runtime.MethodAwaitTask, f.args())
	if out.err != nil {
		f.over = f.ct.ctx.Err() == nil
	}
	return out
}

// end makes the answer of a task that has ended.
func (f *follower) end(d delivery, t *task) delivery {
	switch {
	case t.Status == "cancelled":
		text := "the task was cancelled"
		if t.Message != "" {
			text += ": " + d.sess.mask(quote.Line(t.Message, 500))
		}
		return f.failed(d, &failure{text: text})
	case !d.sess.isModern():
		return f.old(d)
	case t.Status == "failed":
		var rpc runtime.RPCError
		_ = json.Unmarshal(t.Error, &rpc) // without one the message says why
		if rpc.Message == "" {
			rpc.Message = t.Message
		}
		return f.failed(d, presentable(&rpc, d.sess.secrets()))
	case present(t.Result) == nil:
		return f.failed(d, fmt.Errorf("the task is completed and has no result"))
	}
	d.raw = t.Result
	return d
}

// note passes on what the server says of the task, and takes news for progress.
func (f *follower) note(t *task) {
	if t.Message != f.last.Message && t.Message != "" && f.req.Options.OnProgress != nil {
		f.req.Options.OnProgress(runtime.Progress{Message: t.Message})
	}
	if t.Message != f.last.Message || t.Status != f.last.Status || t.Updated != f.last.Updated {
		f.ct.touch()
	}
	f.last = *t
}

// answer answers what the task asks for and has not been answered.
func (f *follower) answer(sess *session, t *task) error {
	fresh := map[string]json.RawMessage{}
	for id, q := range t.Requests {
		if !f.answered[id] {
			fresh[id] = q
		}
	}
	if len(fresh) == 0 {
		return nil
	}
	if len(f.answered)+len(fresh) > maxInputs {
		return fmt.Errorf("the task asks for more than %d things", maxInputs)
	}
	answers, all, err := sess.answerAll(f.ct.ctx, &outcome{Requests: fresh}, &f.asked)
	switch {
	case f.ct.ctx.Err() != nil:
		return f.ct.err()
	case err != nil:
		return err
	case !all:
		return &InputError{Asked: f.asked, Rounds: 1}
	}
	for id := range fresh {
		f.answered[id] = true
	}
	args := append(jsontext.AppendString([]byte(`{"taskId":`), f.id), `,"inputResponses":`...)
	args = append(append(args, answers...), '}')
	f.wait = pollFirst
	return f.send(runtime.MethodUpdateTask, args).err
}

// interval is how long to wait before the next poll.
func (f *follower) interval(t *task) time.Duration {
	if d := millis(t.Poll, t.OldPoll); d > 0 {
		return min(max(d, pollLeast), pollMost)
	}
	d := f.wait
	f.wait = min(2*f.wait, pollLast)
	return d
}

// millis returns the first of some times in milliseconds; 0 if there is none, or it is too
// long to count.
func millis(of ...*float64) time.Duration {
	for _, ms := range of {
		if ms != nil && *ms > 0 && *ms < float64(1<<62)/float64(time.Millisecond) {
			return time.Duration(*ms * float64(time.Millisecond))
		}
	}
	return 0
}
