package runtime

// This file is about calls that run on as tasks, at a server and without a program that
// waits for them.

import (
	"cmp"
	"context"
	"errors"

	"github.com/mcpgen/mcpgen/internal/jsontext"
)

// A Task is a call of a tool that its server runs on without a connection. The program
// may do something else, or end, and another one takes the task up by its ID: with the
// Resume function of its tool, or with [ResumeTask]. Its methods are safe for concurrent
// use. Nothing is sent but by them, and nothing has to be closed.
type Task[R any] struct {
	// ID is the server's name for the task. Some servers give the result to whoever has it:
	// keep it as a secret. "" is a call that the server has answered already.
	ID string

	call   taskCall
	decode func(*Result) (R, error)
}

// taskCall is what does not depend on the type of the result.
type taskCall struct {
	inv  Invoker
	tool ItemRef
	done *Result // the answer, if there was no task
}

// StartTask carries out req, the call of a tool, as a task: it returns when the server
// has given a handle. A server that does not run the tool as a task answers as ever,
// and the Task is over already. Inv is that of [Request.Do]; decode makes the result of
// what the server answers. The error is that of a call: a [*ToolError] if the tool has
// said no at once, else a [*CallError].
func StartTask[R any](ctx context.Context, inv Invoker, req Request, decode func(*Result) (R, error)) (*Task[R], error) {
	id, call, err := startTask(ctx, inv, req)
	if err != nil {
		return nil, err
	}
	return &Task[R]{ID: id, call: call, decode: decode}, nil
}

// ResumeTask returns the task with an ID that [Task.ID] had, in this program or in another
// one. Nothing is sent: what is wrong with the ID its methods say. A nil inv takes the
// invoker from the context of each method, else the one of [SetDefault].
func ResumeTask[R any](inv Invoker, tool ItemRef, id string, decode func(*Result) (R, error)) *Task[R] {
	return &Task[R]{ID: id, call: taskCall{inv: inv, tool: tool}, decode: decode}
}

// Status asks the server how the task is: "working", "input_required", "completed",
// "failed" or "cancelled". The message is the server's, and may be empty; it is hostile
// until shown otherwise. The error is a [*CallError].
func (t *Task[R]) Status(ctx context.Context, opts ...CallOption) (status, message string, err error) {
	return t.call.status(ctx, t.ID, opts)
}

// Wait returns the result of the task once it has one. What the server asks for meanwhile
// is answered as in other calls; [OnProgress] gets what it says about its status. Without
// [WithTimeout] only ctx bounds the waiting, and neither ends the task. It may be called
// again, also after an error. The error is that of a call: a [*ToolError] if the tool
// itself has failed, else a [*CallError].
func (t *Task[R]) Wait(ctx context.Context, opts ...CallOption) (R, error) {
	res, err := t.call.wait(ctx, t.ID, opts)
	if err != nil {
		var none R
		return none, err
	}
	return t.decode(res)
}

// Cancel asks the server to end the task. That is up to the server, which may take its
// time: [Task.Status] tells. The error is a [*CallError].
func (t *Task[R]) Cancel(ctx context.Context, opts ...CallOption) error {
	_, err := t.call.send(ctx, MethodCancelTask, t.ID, opts)
	return err
}

func startTask(ctx context.Context, inv Invoker, req Request) (id string, call taskCall, err error) {
	req.Options.Task = true
	call = taskCall{inv: inv, tool: ItemRef{Server: req.Server, Name: req.Name, Pin: req.Pin}}
	res, err := req.Do(ctx, inv)
	switch {
	case err != nil:
	case res.Type == "task":
		id = jsontext.Text(jsontext.Member(res.Structured, "taskId"))
		if id == "" {
			err = call.failed(errors.New("the handle of the task has no ID"))
		}
	case res.IsError:
		err = &ToolError{Server: req.Server, Name: req.Name, Result: res}
	default:
		call.done = res
	}
	return id, call, err
}

func (c *taskCall) status(ctx context.Context, id string, opts []CallOption) (status, message string, err error) {
	if c.done != nil {
		return "completed", "", nil
	}
	res, err := c.send(ctx, MethodGetTask, id, opts)
	if err != nil {
		return "", "", err
	}
	return jsontext.Text(jsontext.Member(res.Structured, "status")), jsontext.Text(jsontext.Member(res.Structured, "statusMessage")), nil
}

func (c *taskCall) wait(ctx context.Context, id string, opts []CallOption) (*Result, error) {
	if c.done != nil {
		return c.done, nil
	}
	res, err := c.send(ctx, MethodAwaitTask, id, opts)
	if err == nil && res.IsError {
		err = &ToolError{Server: c.tool.Server, Name: c.tool.Name, Result: res}
	}
	return res, err
}

// send makes a request about the task. One that is over needs none.
func (c *taskCall) send(ctx context.Context, method, id string, opts []CallOption) (*Result, error) {
	if c.done != nil {
		return c.done, nil
	}
	args := append(jsontext.AppendString([]byte(`{"taskId":`), id), '}')
	req := Request{Server: c.tool.Server, Method: method, Name: c.tool.Name, Args: args, Pin: c.tool.Pin}.With(opts...)
	if method == MethodAwaitTask {
		req.Options.Timeout = cmp.Or(req.Options.Timeout, -1)
	}
	return req.Do(ctx, c.inv)
}

func (c *taskCall) failed(err error) error {
	return &CallError{Server: c.tool.Server, Name: c.tool.Name, Stage: StageReceive, Sent: true, Err: err}
}
