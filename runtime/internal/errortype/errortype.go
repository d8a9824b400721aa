// Package errortype names the outcomes of requests for metrics and traces.
package errortype

import (
	"context"
	"errors"
	"strconv"

	"github.com/mcpgen/mcpgen/runtime"
)

// Of returns the kind of a request's failure, as the attribute error.type of
// OpenTelemetry; "" if there is none. It is "tool_error" if the tool itself said no, the
// code if the server answered with an error, and else "denied", "drift", "timeout",
// "canceled", "invalid_arguments", "unauthorized", "not_attached", "unknown_tool",
// "unavailable", "decode" or "_OTHER".
func Of(res *runtime.Result, err error) string {
	answer, answered := errors.AsType[*runtime.RPCError](err)
	_, refused := errors.AsType[*runtime.ToolError](err)
	if refused || err == nil && res != nil && res.IsError {
		return "tool_error"
	}
	if err == nil {
		return ""
	}
	for _, k := range []struct {
		err  error
		kind string
	}{
		{runtime.ErrDenied, "denied"}, {runtime.ErrDrift, "drift"}, {runtime.ErrRPC, ""}, {runtime.ErrTimeout, "timeout"}, {context.DeadlineExceeded, "timeout"},
		{context.Canceled, "canceled"}, {runtime.ErrInvalidArgs, "invalid_arguments"}, {runtime.ErrAuth, "unauthorized"}, {runtime.ErrNotAttached, "not_attached"},
		{runtime.ErrUnknownTool, "unknown_tool"}, {runtime.ErrUnavailable, "unavailable"}, {runtime.ErrDecode, "decode"},
	} {
		switch {
		case !errors.Is(err, k.err):
		case k.kind != "":
			return k.kind
		case answered:
			return strconv.FormatInt(answer.Code, 10)
		}
	}
	return "_OTHER"
}
