package runtime

// This file is about calls that run on as tasks, at a server and without a program that
// waits for them.

import (
	"context"

	"github.com/mcpgen/mcpgen/internal/jsontext"
)

// A Task is a call of a tool that its server runs on without a connection. The program
// may do something else, or end, and another one takes the task up by its ID, with the
// Resume function of its tool. Its methods are safe for concurrent use. Nothing is sent
// but by them, and nothing has to be closed.
type Task[R any] struct {
	// ID is the server's name for the task. Some servers give the result to whoever has it:
	// keep it as a secret. "" is a call that the server has answered already.
	ID string

	send   func(ctx context.Context, method, id string, opts []CallOption) (*Result, error)
	decode func(*Result) (R, error)
}

// NewTask returns the task with an ID. It is for package codec, whose StartTool and
// ResumeTool are what generated code calls. Send makes a request about the task, by one
// of MethodGetTask, MethodAwaitTask and MethodCancelTask; decode makes the result of what
// the tool has answered.
func NewTask[R any](id string, send func(ctx context.Context, method, id string, opts []CallOption) (*Result, error), decode func(*Result) (R, error)) *Task[R] {
	return &Task[R]{ID: id, send: send, decode: decode}
}

// Status asks the server how the task is: "working", "input_required", "completed",
// "failed" or "cancelled". The message is the server's, and may be empty; it is hostile
// until shown otherwise. The error is a [*CallError].
func (t *Task[R]) Status(ctx context.Context, opts ...CallOption) (status, message string, err error) {
	res, err := t.send(ctx, MethodGetTask, t.ID, opts)
	if err != nil {
		return "", "", err
	}
	return jsontext.Text(jsontext.Member(res.Structured, "status")), jsontext.Text(jsontext.Member(res.Structured, "statusMessage")), nil
}

// Wait returns the result of the task once it has one. What the server asks for meanwhile
// is answered as in other calls; [OnProgress] gets what it says about its status. Without
// [WithTimeout] only ctx bounds the waiting, and neither ends the task. It may be called
// again, also after an error. The error is that of a call: a [*ToolError] if the tool
// itself has failed, else a [*CallError].
func (t *Task[R]) Wait(ctx context.Context, opts ...CallOption) (R, error) {
	res, err := t.send(ctx, MethodAwaitTask, t.ID, opts)
	if err != nil {
		var none R
		return none, err
	}
	return t.decode(res)
}

// Cancel asks the server to end the task. That is up to the server, which may take its
// time: [Task.Status] tells. The error is a [*CallError].
func (t *Task[R]) Cancel(ctx context.Context, opts ...CallOption) error {
	_, err := t.send(ctx, MethodCancelTask, t.ID, opts)
	return err
}
