package codec

// This file is what generated packages stand on for tools that run as tasks.

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"

	"github.com/mcpgen/mcpgen/internal/jsontext"
	"github.com/mcpgen/mcpgen/runtime"
)

// StartTool calls a tool as a task, with the arguments, options and parts of [CallTool]:
// it returns when the server has given a handle. A server that does not run the tool as a
// task answers as ever, and the task is over already. R is the type of the result, or a
// [*runtime.Result] of a tool whose result has none of its own. The error is that of a
// call: a [*runtime.ToolError] if the tool has said no at once, else a
// [*runtime.CallError].
func StartTool[R any](ctx context.Context, inv runtime.Invoker, tool runtime.ItemRef, args any, opts []runtime.CallOption, parts ...Part) (*runtime.Task[R], error) {
	id, send, err := startTask(ctx, inv, tool, args, opts)
	if err != nil {
		return nil, err
	}
	return runtime.NewTask(id, send, resultOf[R](tool, parts)), nil
}

// ResumeTool returns the task with an ID that [StartTool] gave, in this program or in
// another one. Nothing is sent: what is wrong with the ID the methods of the task say. A
// nil inv takes the invoker from the context of each of them, else the one of
// [runtime.SetDefault].
func ResumeTool[R any](inv runtime.Invoker, tool runtime.ItemRef, id string, parts ...Part) *runtime.Task[R] {
	return runtime.NewTask(id, taskSender(inv, tool), resultOf[R](tool, parts))
}

// resultOf returns what decodes the result of a tool.
func resultOf[R any](tool runtime.ItemRef, parts []Part) func(*runtime.Result) (R, error) {
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

func startTask(ctx context.Context, inv runtime.Invoker, tool runtime.ItemRef, args any, opts []runtime.CallOption) (id string, send sender, err error) {
	data, err := encodeArgs(args)
	if err != nil {
		return "", nil, notSent(tool, err)
	}
	req := runtime.Request{Server: tool.Server, Method: runtime.MethodCallTool, Name: tool.Name, Args: data, Pin: tool.Pin}.With(opts...)
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
			return "", nil, &runtime.CallError{Server: tool.Server, Name: tool.Name, Stage: runtime.StageReceive, Sent: true, Err: err}
		}
		return id, taskSender(inv, tool), nil
	case res.IsError:
		return "", nil, &runtime.ToolError{Server: tool.Server, Name: tool.Name, Result: res}
	}
	over := &runtime.Result{Structured: json.RawMessage(`{"status":"completed"}`)}
	return "", func(_ context.Context, method, _ string, _ []runtime.CallOption) (*runtime.Result, error) {
		if method == runtime.MethodGetTask {
			return over, nil
		}
		return res, nil
	}, nil
}

// taskSender sends requests about a task of a tool.
func taskSender(inv runtime.Invoker, tool runtime.ItemRef) sender {
	return func(ctx context.Context, method, id string, opts []runtime.CallOption) (*runtime.Result, error) {
		args := append(jsontext.AppendString([]byte(`{"taskId":`), id), '}')
		req := runtime.Request{Server: tool.Server, Method: method, Name: tool.Name, Args: args, Pin: tool.Pin}.With(opts...)
		if method == runtime.MethodAwaitTask {
			req.Options.Timeout = cmp.Or(req.Options.Timeout, -1)
		}
		res, err := req.Do(ctx, inv)
		if err == nil && method == runtime.MethodAwaitTask && res.IsError {
			return nil, &runtime.ToolError{Server: tool.Server, Name: tool.Name, Result: res}
		}
		return res, err
	}
}
