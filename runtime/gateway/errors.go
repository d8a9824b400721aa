// The answers to calls that have no result.

package gateway

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"sync"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/mcpgen/mcpgen/internal/safetext"
	"github.com/mcpgen/mcpgen/runtime"
	"github.com/mcpgen/mcpgen/runtime/attach"
	"github.com/mcpgen/mcpgen/runtime/plain"
	"github.com/mcpgen/mcpgen/runtime/protocol"
)

// failureDetail is the data of the gateway's own errors: the kind of failure, where it
// happened, and whether the server may have acted. Callers over HTTP get no more,
// since the reason may quote what a server printed for another caller.
type failureDetail struct {
	Kind   string `json:"kind"` // one of the Kind constants
	Server string `json:"server,omitempty"`
	Stage  string `json:"stage,omitempty"`  // the stage of a runtime.CallError
	Sent   bool   `json:"sent"`             // the server may have acted
	Report int    `json:"report,omitempty"` // number of the reason in the gateway's log; 0: the message has it
}

// The kinds of a failureDetail.
const (
	kindDenied      = "denied"
	kindDrift       = "drift"
	kindInvalidArgs = "invalid-arguments"
	kindUnavailable = "unavailable"
	kindTimeout     = "timeout"
	kindCanceled    = "canceled"
	kindAuth        = "auth"
	kindInternal    = "internal"
)

// kindOf returns the kind of an error.
func kindOf(err error) string {
	for _, k := range []struct {
		err  error
		kind string
	}{
		{runtime.ErrDenied, kindDenied}, {runtime.ErrDrift, kindDrift}, {runtime.ErrInvalidArgs, kindInvalidArgs}, {runtime.ErrAuth, kindAuth},
		{runtime.ErrTimeout, kindTimeout}, {context.DeadlineExceeded, kindTimeout}, {context.Canceled, kindCanceled},
		{runtime.ErrUnavailable, kindUnavailable}, {runtime.ErrNotAttached, kindUnavailable}, {runtime.ErrUnknownTool, kindInvalidArgs},
	} {
		if errors.Is(err, k.err) {
			return k.kind
		}
	}
	return kindInternal
}

// mostReports is how many reasons keep their numbers.
const mostReports = 1000

// failures turns errors into answers, and numbers the reasons that callers get only by
// number. A repeated reason keeps its number.
type failures struct {
	log    *slog.Logger
	mu     sync.Mutex
	last   int
	number map[string]int
}

// numberOf returns the number of a reason; fresh reports that it is not logged yet.
func (r *failures) numberOf(reason string) (number int, fresh bool) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if n := r.number[reason]; n > 0 {
		return n, false
	}
	if r.number == nil || len(r.number) == mostReports {
		r.number = map[string]int{}
	}
	r.last++
	r.number[reason] = r.last
	return r.last, true
}

// report logs the reason of a failure with its next steps, once.
func (r *failures) report(f failureDetail, err error) (number int) {
	reason := printable(cmp.Or(err.Error(), f.Kind))
	number, fresh := r.numberOf(reason)
	if fresh {
		r.log.Warn("gateway: a call failed: "+reason, "report", number, "server", f.Server, "stage", f.Stage)
	}
	return number
}

// hidden returns the message for a caller that does not get the reason.
func (f *failureDetail) hidden() string {
	at := f.Kind
	if f.Stage != "" {
		at += ", at " + f.Stage
	}
	return fmt.Sprintf("%s: ask the operator of the gateway for the reason: it is report %d in the log", at, f.Report)
}

// answer turns an error into an answer. Errors that a model can act upon, refusals
// and invalid arguments, become a tool result that is marked as an error, as the
// protocol requires. An error of the server is passed unchanged. All others become
// errors whose data is a failureDetail. If the server could not be reached at all, the
// details are hidden from callers other than the program's own.
func (r *failures) answer(method string, err error, own bool) (mcp.Result, error) {
	if tool, ok := errors.AsType[*runtime.ToolError](err); ok && tool.Result != nil {
		return &rawResult{raw: errorResult(plain.Text(tool.Result))}, nil
	}
	if said, ok := errors.AsType[*jsonrpc.Error](err); ok {
		return nil, said
	}
	kind := kindOf(err)
	_, ofServer := errors.AsType[*attach.ServerError](err)
	hidden := ofServer && !own
	f := failureDetail{Kind: kind}
	if call, ok := errors.AsType[*runtime.CallError](err); ok {
		f.Server, f.Stage, f.Sent = call.Server, call.Stage, call.Sent
	}
	decided := kind == kindDenied || kind == kindDrift
	if kind != kindInvalidArgs && kind != kindCanceled {
		r.report(f, err) // callers get no next steps
	}
	if !hidden && method == protocol.MethodCallTool && (decided || kind == kindInvalidArgs) {
		return &rawResult{raw: errorResult(safetext.Text(plain.Failure(err)))}, nil
	}
	if rpc, ok := errors.AsType[*runtime.RPCError](err); ok && !hidden {
		return nil, &jsonrpc.Error{Code: rpc.Code, Message: printable(rpc.Message), Data: rpc.Data}
	}
	message := printable(cmp.Or(plain.Failure(err), kind))
	if !own && kind != kindInvalidArgs && !decided || hidden {
		f.Report = r.report(f, err)
		message = f.hidden()
	}
	data, _ := json.Marshal(f) // strings, a number and a boolean can be marshalled
	code := int64(jsonrpc.CodeInternalError)
	if kind == kindInvalidArgs {
		code = jsonrpc.CodeInvalidParams
	}
	return nil, &jsonrpc.Error{Code: code, Message: message, Data: data}
}

// errorResult returns a tool result that is marked as an error.
func errorResult(text string) json.RawMessage {
	return append(append([]byte(`{"content":[`), textBlock(text)...), `],"isError":true}`...)
}

func printable(text string) string { return safetext.Printable(text) }

// notFound is an error with the code of unknown methods, whose message the SDK would
// replace if it recognized the error. Its data is lost.
type notFound struct{ said *jsonrpc.Error }

func (e notFound) Error() string { return e.said.Message }

// As keeps the code.
func (e notFound) As(target any) bool {
	t, ok := target.(**jsonrpc.Error)
	if ok {
		*t = e.said
	}
	return ok
}

// keepMessage keeps the messages of such errors, which servers send too.
func keepMessage(next mcp.MethodHandler) mcp.MethodHandler {
	return func(ctx context.Context, method string, req mcp.Request) (mcp.Result, error) {
		res, err := next(ctx, method, req)
		if said, ok := errors.AsType[*jsonrpc.Error](err); ok && said.Code == jsonrpc.CodeMethodNotFound {
			err = notFound{said}
		}
		return res, err
	}
}
