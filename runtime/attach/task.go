// Tools that run as tasks: which calls become tasks, and how their results are
// fetched.

package attach

import (
	"context"
	"encoding/json"
	"errors"
	"strconv"
	"time"

	"github.com/mcpgen/mcpgen/internal/jsontext"
	"github.com/mcpgen/mcpgen/internal/stage"
	"github.com/mcpgen/mcpgen/runtime"
	"github.com/mcpgen/mcpgen/runtime/protocol"
)

// tasksExtension is the extension by which clients and servers declare tasks.
const tasksExtension = "io.modelcontextprotocol/tasks"

// abandonTime is how long a server may take to answer that it cancels an abandoned
// task.
const abandonTime = 5 * time.Second

// taskSupport is the task support that a tool of 2025-11-25 declares.
type taskSupport string

const (
	taskRequired taskSupport = "required"
	taskOptional taskSupport = "optional"
)

func taskSupportOf(raw json.RawMessage) taskSupport {
	return taskSupport(jsontext.Text(jsontext.Member(jsontext.Member(raw, "execution"), "taskSupport")))
}

// runsTasks reports whether a server of 2025-11-25 runs tool calls as tasks. The
// specification says to ignore the task support of tools if their server does not.
func runsTasks(protocol string, capabilities json.RawMessage) bool {
	for _, name := range []string{"tasks", "requests", "tools", "call"} {
		capabilities = jsontext.Member(capabilities, name)
	}
	return protocol < modern && jsontext.Present(capabilities) != nil
}

// RunsAsTask reports whether a client may request that a tool runs as a task, or has to:
// [runtime.Options.Task] does. Only servers of 2025-11-25 leave that to their clients.
func (o Offered) RunsAsTask(tool string) bool {
	if o.listing == nil || o.listing.items[tool] == nil {
		return false
	}
	return o.listing.items[tool].tasks.asTask(true)
}

// asTask reports whether a call has to request a task, or may and wants to.
func (s taskSupport) asTask(wanted bool) bool {
	return s == taskRequired || s == taskOptional && wanted
}

// taskRequest returns the member of a call that requests a task.
func taskRequest(ttl time.Duration) json.RawMessage {
	if ttl <= 0 {
		return json.RawMessage("{}")
	}
	return append(strconv.AppendInt([]byte(`{"ttl":`), ttl.Milliseconds(), 10), '}')
}

// taskID returns the id in the arguments of a request about a task; "" if there is none.
func taskID(args json.RawMessage) string {
	return jsontext.Text(jsontext.Member(args, "taskId"))
}

// taskMembers returns the members of a request about a task that are sent to the
// server.
func taskMembers(args json.RawMessage) []member {
	members := []member{{"taskId", quoted(taskID(args))}}
	if responses := jsontext.Member(args, "inputResponses"); responses != nil {
		members = append(members, member{"inputResponses", responses})
	}
	return members
}

// followed waits for the task that a call has become, unless the caller wants the
// handle. An abandoned task is cancelled, since no other caller has its handle.
func (i innermost) followed(ct *callTime, state *serverState, req runtime.Request, d delivery) delivery {
	if d.err != nil || req.Method != protocol.MethodCallTool {
		return d
	}
	res, err := req.ParseResult(d.raw)
	if err != nil || res.Type != "task" {
		d.result = res
		return d
	}
	handle := res.Structured
	id := taskID(handle)
	if id != "" && (req.Options.Task || req.Options.Relay != nil && d.sess.isModern()) {
		d.result = res
		return d
	}
	out, over := i.followTask(ct, state, req, d, id, handle)
	if out.err != nil && !over {
		i.abandon(state, d.sess, req, handle)
	}
	return out
}

// await waits for a task that this or another program has started.
func (i innermost) await(ct *callTime, state *serverState, req runtime.Request) delivery {
	id := taskID(req.Args)
	if id == "" {
		return delivery{stage: stage.Encode, err: errNoTaskID}
	}
	d, _ := i.followTask(ct, state, req, delivery{}, id, nil)
	return d
}

// followTask waits for a task. D is the delivery of the task's description.
func (i innermost) followTask(ct *callTime, state *serverState, req runtime.Request, d delivery, id string, described json.RawMessage) (_ delivery, over bool) {
	f := &taskFollower{delivery: d, through: i, ct: ct, state: state, req: req, id: id, began: time.Now(), wait: pollFirst, answered: map[string]bool{}}
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
		f.err = presentable(err, f.sess.mask)
	}
	return f.delivery, f.over
}

// abandon cancels a task on the server, in the background.
func (i innermost) abandon(state *serverState, sess *session, req runtime.Request, args json.RawMessage) {
	r, err := newRequest(runtime.Request{Method: protocol.MethodCancelTask, Name: req.Name, Args: args})
	if err != nil {
		return
	}
	state.spawn(func() {
		ctx, cancel := context.WithTimeout(state.life, abandonTime)
		defer cancel()
		_, _, _ = sess.roundTrips(ctx, r) // the server may have forgotten the task, or have ended
	})
}
