package codec

// This file holds the functions that generated packages call for tools that run as tasks.

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"

	"github.com/mcpgen/mcpgen/internal/jsontext"
	"github.com/mcpgen/mcpgen/internal/stage"
	"github.com/mcpgen/mcpgen/runtime"
	"github.com/mcpgen/mcpgen/runtime/protocol"
)

// A Task is a tool call that its server runs without an open connection. The program may do other work,
// or end; another program resumes the task by its ID, with the Resume function of its tool. The methods
// are safe for concurrent use. Only the methods send requests, and a Task needs no closing.
type Task[R any] struct {
	// ID is the server's name for the task. Some servers give the result to anyone who has the ID: keep it
	// secret. "" is a call that the server has already answered.
	ID string

	send   sender
	decode func(*runtime.Result) (R, error)
}

// Status asks the server for the state of the task: "working", "input_required", "completed", "failed" or
// "cancelled". The message is the server's, may be empty, and must be treated as hostile. The error is a
// [*runtime.CallError].
func (t *Task[R]) Status(ctx context.Context, opts ...runtime.CallOption) (status, message string, err error) {
	res, err := t.send(ctx, protocol.MethodGetTask, t.ID, opts)
	if err != nil {
		return "", "", err
	}
	return jsontext.Text(jsontext.Member(res.Structured, "status")), jsontext.Text(jsontext.Member(res.Structured, "statusMessage")), nil
}

// Wait returns the result of the task once there is one. Requests of the server in the meantime are
// answered as in other calls, and [runtime.OnProgress] gets its status messages. Without
// [runtime.WithTimeout], only ctx limits the waiting; neither of the two ends the task. Wait may be
// called again, also after an error. The error is a [*runtime.ToolError] if the tool itself failed, else
// a [*runtime.CallError].
func (t *Task[R]) Wait(ctx context.Context, opts ...runtime.CallOption) (R, error) {
	res, err := t.send(ctx, protocol.MethodAwaitTask, t.ID, opts)
	if err != nil {
		var none R
		return none, err
	}
	return t.decode(res)
}

// Cancel asks the server to end the task. The server may take its time or refuse; [Task.Status] shows the
// outcome. The error is a [*runtime.CallError].
func (t *Task[R]) Cancel(ctx context.Context, opts ...runtime.CallOption) error {
	_, err := t.send(ctx, protocol.MethodCancelTask, t.ID, opts)
	return err
}

// StartTool calls a tool as a task, with the arguments, options and parts of [CallTool]. It returns when
// the server has given a handle. If the server does not run the tool as a task, it answers at once and
// the task is already complete. R is the type of the result, or [*runtime.Result] for a tool without a
// declared result type. The error is a [*runtime.ToolError] if the tool failed at once, else a
// [*runtime.CallError].
func StartTool[R any](ctx context.Context, inv runtime.Invoker, tool ItemRef, args any, opts []runtime.CallOption, parts ...Part) (*Task[R], error) {
	id, send, err := startTask(ctx, inv, tool, args, opts)
	if err != nil {
		return nil, err
	}
	return &Task[R]{ID: id, send: send, decode: resultOf[R](tool, parts)}, nil
}

// ResumeTool returns the task with an ID that [StartTool] gave, in this program or in another one.
// Nothing is sent: the methods of the task report an invalid ID. A nil inv takes the invoker from the
// context of each method call, or else the invoker set by [runtime.SetDefault].
func ResumeTool[R any](inv runtime.Invoker, tool ItemRef, id string, parts ...Part) *Task[R] {
	return &Task[R]{ID: id, send: taskSender(inv, tool), decode: resultOf[R](tool, parts)}
}

// resultOf returns the decoder of a tool's result.
func resultOf[R any](tool ItemRef, parts []Part) func(*runtime.Result) (R, error) {
	return func(res *runtime.Result) (R, error) {
		var out R
		if untyped, ok := any(&out).(**runtime.Result); ok {
			*untyped = res
			return out, nil
		}
		err := decodeOut(tool, res, &out, parts)
		return out, err
	}
}

// sender makes a request about a task.
type sender = func(ctx context.Context, method, id string, opts []runtime.CallOption) (*runtime.Result, error)

func startTask(ctx context.Context, inv runtime.Invoker, tool ItemRef, args any, opts []runtime.CallOption) (id string, send sender, err error) {
	data, err := encodeArgs(args, tool.Limits)
	if err != nil {
		return "", nil, notSent(tool, err)
	}
	req := runtime.Request{Server: tool.Server, Method: protocol.MethodCallTool, Name: tool.Name, Args: data, Pin: tool.Pin}.With(opts...)
	req.Options.Task = true
	tool.Pin = req.Pin
	res, err := req.Do(ctx, inv)
	switch {
	case err != nil:
		return "", nil, err
	case res.Type == "task":
		id = jsontext.Text(jsontext.Member(res.Structured, "taskId"))
		if id == "" {
			err = errors.New("the handle of the task has no ID")
			return "", nil, &runtime.CallError{Server: tool.Server, Name: tool.Name, Stage: stage.Receive, Sent: true, Err: err}
		}
		return id, taskSender(inv, tool), nil
	case res.IsError:
		return "", nil, &runtime.ToolError{Server: tool.Server, Name: tool.Name, Result: res}
	}
	over := &runtime.Result{Structured: json.RawMessage(`{"status":"completed"}`)}
	return "", func(_ context.Context, method, _ string, _ []runtime.CallOption) (*runtime.Result, error) {
		if method == protocol.MethodGetTask {
			return over, nil
		}
		return res, nil
	}, nil
}

// taskSender sends requests about a task of a tool.
func taskSender(inv runtime.Invoker, tool ItemRef) sender {
	return func(ctx context.Context, method, id string, opts []runtime.CallOption) (*runtime.Result, error) {
		args := append(jsontext.AppendString([]byte(`{"taskId":`), id), '}')
		req := runtime.Request{Server: tool.Server, Method: method, Name: tool.Name, Args: args, Pin: tool.Pin}.With(opts...)
		if method == protocol.MethodAwaitTask {
			req.Options.Timeout = cmp.Or(req.Options.Timeout, -1)
		}
		res, err := req.Do(ctx, inv)
		if err == nil && method == protocol.MethodAwaitTask && res.IsError {
			return nil, &runtime.ToolError{Server: tool.Server, Name: tool.Name, Result: res}
		}
		return res, err
	}
}
