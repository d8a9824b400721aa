package codec

// This file is what generated packages stand on for tools that run as tasks.

import (
	"context"

	"github.com/mcpgen/mcpgen/runtime"
)

// StartTool calls a tool as a task: it is [runtime.StartTask] with the arguments, options
// and parts of [CallTool]. R is the type of the result, or a [*runtime.Result] of a tool
// whose result has none of its own.
func StartTool[R any](ctx context.Context, inv runtime.Invoker, tool runtime.ItemRef, args any, opts []runtime.CallOption, parts ...Part) (*runtime.Task[R], error) {
	data, err := encodeArgs(args)
	if err != nil {
		return nil, notSent(tool, err)
	}
	req := runtime.Request{Server: tool.Server, Method: runtime.MethodCallTool, Name: tool.Name, Args: data, Pin: tool.Pin}
	return runtime.StartTask(ctx, inv, req.With(opts...), resultOf[R](tool, parts))
}

// ResumeTool is [runtime.ResumeTask] of a task that [StartTool] began.
func ResumeTool[R any](inv runtime.Invoker, tool runtime.ItemRef, id string, parts ...Part) *runtime.Task[R] {
	return runtime.ResumeTask(inv, tool, id, resultOf[R](tool, parts))
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
