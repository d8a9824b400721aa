package mcptest

// This file implements tasks: a call that asks for a task gets one, and the fake keeps its answer.

import (
	"context"
	"encoding/json"
	"fmt"
	"strconv"

	"github.com/mcpgen/mcpgen/internal/jsontext"
	"github.com/mcpgen/mcpgen/runtime"
	"github.com/mcpgen/mcpgen/runtime/protocol"
)

// task is a call that was made as a task. Its handler has answered before the caller gets the handle.
type task struct {
	tool, status string
	res          *runtime.Result
}

// begin stores the answer to a call, and returns the handle of a task.
func (f *Fake) begin(req runtime.Request, res *runtime.Result) (*runtime.Result, error) {
	f.mu.Lock()
	id := "task-" + strconv.Itoa(len(f.tasks)+1)
	f.tasks[id] = &task{req.Name, "completed", res}
	f.mu.Unlock()
	return req.ParseResult(json.RawMessage(fmt.Sprintf(`{"resultType":"task","taskId":%q,"status":"working"}`, id)))
}

// aboutTask answers requests about tasks that have no handler.
func (f *Fake) aboutTask(_ context.Context, req runtime.Request) (*runtime.Result, error) {
	id := jsontext.Text(jsontext.Member(req.Args, "taskId"))
	f.mu.Lock()
	defer f.mu.Unlock()
	t := f.tasks[id]
	if t == nil || t.tool != req.Name {
		return nil, &runtime.RPCError{Code: -32602, Message: fmt.Sprintf("the fake has no task %q of this tool: start the task in the same test", id)}
	}
	switch req.Method {
	case protocol.MethodAwaitTask:
		if t.status == "cancelled" {
			return nil, &runtime.RPCError{Code: -32603, Message: "the task was cancelled"}
		}
		return &runtime.Result{Raw: t.res.Raw}, nil
	case protocol.MethodCancelTask:
		t.status = "cancelled"
	}
	return &runtime.Result{Raw: json.RawMessage(fmt.Sprintf(`{"resultType":"complete","taskId":%q,"status":%q}`, id, t.status))}, nil
}

// isAboutTask reports whether a request is about an existing task.
func isAboutTask(method string) bool {
	switch method {
	case protocol.MethodGetTask, protocol.MethodAwaitTask, protocol.MethodUpdateTask, protocol.MethodCancelTask:
		return true
	}
	return false
}
