package mcptest

// This file holds the functions that typed methods of generated fakes call.

import (
	"context"
	"encoding/json"
	"fmt"
	"reflect"

	"github.com/mcpgen/mcpgen/internal/stage"
	"github.com/mcpgen/mcpgen/runtime"
	"github.com/mcpgen/mcpgen/runtime/codec"
	"github.com/mcpgen/mcpgen/runtime/protocol"
)

// OnTool sets the typed handler of a tool. The On methods of generated fakes call it. A is the tool's
// Args type. R is what the generated method returns: *T or T, or [*runtime.Result]. A nil h removes the
// handler. Parts are as in [codec.CallTool]: with [codec.OrNull] a nil pointer is a null result,
// otherwise it is an error.
//
// The result is encoded as a server would: as text, and also as structured content if the tool declares
// an output schema. Errors are handled as by [Fake.Handle].
func OnTool[A, R any](f *Fake, tool string, h func(context.Context, A) (R, error), parts ...codec.Part) {
	if h == nil {
		f.Handle(protocol.MethodCallTool, tool, nil)
		return
	}
	f.Handle(protocol.MethodCallTool, tool, func(ctx context.Context, req runtime.Request) (*runtime.Result, error) {
		var args A
		if err := f.readArgs(req, &args); err != nil {
			return nil, err
		}
		out, err := h(ctx, args)
		if err != nil {
			return nil, err
		}
		if v := reflect.ValueOf(out); v.Kind() == reflect.Pointer && v.IsNil() && !takesNull[R](ctx, parts) {
			return nil, nil
		}
		return f.wrap(req, out)
	})
}

// takesNull reports whether a generated method with the result R accepts null.
func takesNull[R any](ctx context.Context, parts []codec.Part) bool {
	null := runtime.InvokerFunc(func(context.Context, runtime.Request) (*runtime.Result, error) {
		return &runtime.Result{Structured: json.RawMessage("null")}, nil
	})
	var out R
	return codec.CallTool(ctx, null, codec.ItemRef{}, nil, &out, nil, parts...) == nil
}

// readArgs decodes the arguments of a request.
func (f *Fake) readArgs(req runtime.Request, args any) error {
	data := req.Args
	if data == nil {
		data = json.RawMessage("{}")
	}
	if err := codec.DecodeValue(data, args); err != nil {
		f.report.errorf("%s: the arguments do not fit %T: %v\n\tgot %s", itemName(req.Server, req.Name), args, err, shown(req.Args))
		return callError(req, stage.Receive, true, fmt.Errorf("%w: %w", runtime.ErrInvalidArgs, err))
	}
	return nil
}

// wrap converts the value that a typed handler returned to a result.
func (f *Fake) wrap(req runtime.Request, out any) (*runtime.Result, error) {
	if res, ok := out.(*runtime.Result); ok {
		return res, nil
	}
	data, err := codec.EncodeValue(out)
	if err != nil {
		f.report.errorf("%s: the result cannot be written as JSON: %v", itemName(req.Server, req.Name), err)
		return nil, callError(req, stage.Receive, true, err)
	}
	res := Text(string(data))
	if f.contract(req.Name).output != nil {
		res.Structured = data
	}
	return res, nil
}
