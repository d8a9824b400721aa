// Tools that run as tasks: which calls become one, and what is done then.

package attach

import (
	"context"
	"encoding/json"
	"errors"
	"time"

	"github.com/mcpgen/mcpgen/internal/jsontext"
	"github.com/mcpgen/mcpgen/internal/stage"
	"github.com/mcpgen/mcpgen/runtime"
	"github.com/mcpgen/mcpgen/runtime/protocol"
)

// tasksExtension is the name by which both sides declare tasks.
const tasksExtension = "io.modelcontextprotocol/tasks"

// abandonTime is how long a server may take to hear that nobody waits for its task.
const abandonTime = 5 * time.Second

// taskSupport is what a tool of 2025-11-25 says of tasks.
type taskSupport string

const (
	taskRequired taskSupport = "required"
	taskOptional taskSupport = "optional"
)

func taskSupportOf(raw json.RawMessage) taskSupport {
	return taskSupport(jsontext.Text(jsontext.Member(jsontext.Member(raw, "execution"), "taskSupport")))
}

// runsTasks reports whether a server of 2025-11-25 runs tool calls as tasks. Of one that
// does not, the specification says to take no notice of what its tools say.
func (s *session) runsTasks() bool {
	caps := s.handshake.capabilities
	for _, name := range []string{"tasks", "requests", "tools", "call"} {
		caps = jsontext.Member(caps, name)
	}
	return present(caps) != nil
}

// asTask reports whether a call has to ask for a task.
func (x *toolIndex) asTask(req runtime.Request) bool {
	if x == nil || req.Method != protocol.MethodCallTool || x.items[req.Name] == nil {
		return false
	}
	support := x.items[req.Name].tasks
	return support == taskRequired || support == taskOptional && req.Options.Task
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
	if d.err != nil || req.Method != protocol.MethodCallTool || req.Options.Task || req.Options.Relay != nil && d.sess.isModern() {
		return d
	}
	res, err := req.ParseResult(d.raw)
	if err != nil || res.Type != "task" {
		d.result = res
		return d
	}
	handle := res.Structured
	out, over := h.followTask(ct, state, req, d, taskID(handle), handle)
	if out.err != nil && !over {
		h.abandon(state, d.sess, req, handle)
	}
	return out
}

// await follows a task that a program or another one has started.
func (h *Host) await(ct *callTime, state *serverState, req runtime.Request) delivery {
	id := taskID(req.Args)
	if id == "" {
		return delivery{stage: stage.Encode, err: errNoTaskID}
	}
	d, _ := h.followTask(ct, state, req, delivery{}, id, nil)
	return d
}

// followTask follows a task. The delivery is that of what describes the task.
func (h *Host) followTask(ct *callTime, state *serverState, req runtime.Request, d delivery, id string, described json.RawMessage) (_ delivery, over bool) {
	f := &taskFollower{delivery: d, host: h, ct: ct, state: state, req: req, id: id, began: time.Now(), wait: pollFirst, answered: map[string]bool{}}
	err := errors.New("the server answered with a task that has no ID")
	if id != "" {
		f.raw, err = f.follow(ct.ctx, described)
	}
	if err == nil || f.err != nil {
		return f.delivery, f.over
	}
	if ct.ctx.Err() != nil {
		err = ct.err()
	}
	f.raw, f.stage, f.sent, f.err = nil, stage.Receive, true, err
	if f.sess != nil {
		f.err = presentable(err, f.sess.secrets())
	}
	return f.delivery, f.over
}

// abandon tells a server that nobody waits for a task, in the background.
func (h *Host) abandon(state *serverState, sess *session, req runtime.Request, args json.RawMessage) {
	r, err := newRequest(runtime.Request{Method: protocol.MethodCancelTask, Name: req.Name, Args: args})
	if err != nil {
		return
	}
	state.spawn(func() {
		ctx, cancel := context.WithTimeout(state.life, abandonTime)
		defer cancel()
		_, _, _ = sess.roundTrips(ctx, r) // the server may have forgotten it, or be gone
	})
}
