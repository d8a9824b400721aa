// The tools that the configuration leaves out, by include and exclude or by the keys of
// another system: models do not see them, and calls of them are denied.

package live

import (
	"context"
	"fmt"

	"github.com/mcpgen/mcpgen/internal/hint"
	"github.com/mcpgen/mcpgen/internal/stage"
	"github.com/mcpgen/mcpgen/runtime"
	"github.com/mcpgen/mcpgen/runtime/protocol"
)

// shows reports whether a model is shown the subject of a request.
func (f *inForce) shows(req runtime.Request) bool { return f.selects(req) && f.gate.Shows(req) }

// selects reports whether a request is about anything but a tool that is left out.
func (f *inForce) selects(req runtime.Request) bool {
	return req.Method != protocol.MethodCallTool || f.project.Build[req.Server].Selects(req.Name)
}

// selecting is the middleware that denies calls of tools that are left out.
func (f *inForce) selecting(next runtime.Invoker) runtime.Invoker {
	leavesOut := false
	for _, build := range f.project.Build {
		leavesOut = leavesOut || len(build.Include)+len(build.Exclude) > 0
	}
	if !leavesOut {
		return next
	}
	return runtime.InvokerFunc(func(ctx context.Context, req runtime.Request) (*runtime.Result, error) {
		if f.selects(req) {
			return next.Invoke(ctx, req)
		}
		why := hint.With(fmt.Errorf("%w: the configuration leaves this tool out", runtime.ErrDenied),
			"see the keys that select tools, and their lines: mcpgen config")
		return nil, &runtime.CallError{Server: req.Server, Name: req.Name, Stage: stage.Gate, Err: why}
	})
}
