// What becomes of a call that has no result.

package gateway

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/mcpgen/mcpgen/internal/safetext"
	"github.com/mcpgen/mcpgen/runtime"
	"github.com/mcpgen/mcpgen/runtime/plain"
	"github.com/mcpgen/mcpgen/runtime/protocol"
)

// Failure is the data of an error that is the gateway's own: what kind of failure it
// is, where, and whether the server may have acted.
type Failure struct {
	Kind   string `json:"kind"` // one of the Kind constants
	Server string `json:"server,omitempty"`
	Stage  string `json:"stage,omitempty"` // that of a runtime.CallError
	Sent   bool   `json:"sent"`            // the server may have acted
}

// The kinds of a [Failure].
const (
	KindDenied      = "denied"
	KindDrift       = "drift"
	KindInvalidArgs = "invalid-arguments"
	KindUnavailable = "unavailable"
	KindTimeout     = "timeout"
	KindCanceled    = "canceled"
	KindAuth        = "auth"
	KindInternal    = "internal"
)

// kindOf is the kind of an error.
func kindOf(err error) string {
	for _, k := range []struct {
		err  error
		kind string
	}{
		{runtime.ErrDenied, KindDenied}, {runtime.ErrDrift, KindDrift}, {runtime.ErrInvalidArgs, KindInvalidArgs}, {runtime.ErrAuth, KindAuth},
		{runtime.ErrTimeout, KindTimeout}, {context.DeadlineExceeded, KindTimeout}, {context.Canceled, KindCanceled},
		{runtime.ErrUnavailable, KindUnavailable}, {runtime.ErrNotAttached, KindUnavailable}, {runtime.ErrUnknownTool, KindInvalidArgs},
	} {
		if errors.Is(err, k.err) {
			return k.kind
		}
	}
	return KindInternal
}

// failed makes an answer of an error. What a model can act upon, a refusal and what is
// wrong with its arguments, is a result of the tool that is marked as an error, as the
// protocol wants it; an error of the server passes as it is; the others are errors
// whose data is a [Failure].
func failed(method string, err error) (mcp.Result, error) {
	if tool, ok := errors.AsType[*runtime.ToolError](err); ok && tool.Result != nil {
		return &rawResult{raw: errorResult(plain.Text(tool.Result))}, nil
	}
	if own, ok := errors.AsType[*jsonrpc.Error](err); ok {
		return nil, own
	}
	kind := kindOf(err)
	if method == protocol.MethodCallTool && (kind == KindDenied || kind == KindDrift || kind == KindInvalidArgs) {
		return &rawResult{raw: errorResult(safetext.Text(err.Error()))}, nil
	}
	if rpc, ok := errors.AsType[*runtime.RPCError](err); ok {
		return nil, &jsonrpc.Error{Code: rpc.Code, Message: printable(rpc.Message), Data: rpc.Data}
	}
	f := Failure{Kind: kind}
	if call, ok := errors.AsType[*runtime.CallError](err); ok {
		f.Server, f.Stage, f.Sent = call.Server, call.Stage, call.Sent
	}
	data, _ := json.Marshal(f) // texts and a boolean can be written
	code := int64(jsonrpc.CodeInternalError)
	if kind == KindInvalidArgs {
		code = jsonrpc.CodeInvalidParams
	}
	return nil, &jsonrpc.Error{Code: code, Message: printable(cmp.Or(err.Error(), kind)), Data: data}
}

// errorResult is a tool's own refusal.
func errorResult(text string) json.RawMessage {
	return append(append([]byte(`{"content":[`), textBlock(text)...), `],"isError":true}`...)
}

func printable(text string) string { return safetext.Printable(text) }
