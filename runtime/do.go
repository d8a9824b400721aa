package runtime

// This file carries out a request with whatever carries out requests here.

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"

	"github.com/mcpgen/mcpgen/internal/jsontext"
)

// With returns req with the options applied, in their order. Nil ones are skipped.
func (req Request) With(opts ...CallOption) Request {
	for _, opt := range opts {
		if opt != nil {
			opt(&req.Options)
		}
	}
	return req
}

// Do carries out req with inv. A nil inv takes the invoker from ctx, else the one of
// [SetDefault]; without any the error is [ErrNoInvoker]. Args that are null or empty
// are sent as none; what is not one JSON object is [ErrInvalidArgs].
//
// The error is a [*CallError], or a [*ToolError] if an invoker returned that. Without
// one there is a result.
func (req Request) Do(ctx context.Context, inv Invoker) (*Result, error) {
	var err error
	if req.Args, err = checkArgs(req.Args); err != nil {
		return nil, &CallError{Server: req.Server, Name: req.Name, Stage: StageEncode, Err: err}
	}
	if inv == nil {
		inv = FromContext(ctx)
	}
	if inv == nil {
		return nil, &CallError{Server: req.Server, Name: req.Name, Stage: StageRoute, Err: ErrNoInvoker}
	}
	res, err := inv.Invoke(ctx, req)
	if err == nil && res == nil {
		err = errors.New("the invoker returned neither a result nor an error")
	}
	if err != nil {
		return nil, wrapCall(req, err)
	}
	if req.Options.Raw != nil {
		*req.Options.Raw = *res
	}
	return res, nil
}

// wrapCall makes err a *CallError unless it holds one. Of an error that says
// nothing about the request it assumes the worst: that it was sent.
func wrapCall(req Request, err error) error {
	if _, ok := errors.AsType[*CallError](err); ok {
		return err
	}
	if _, ok := errors.AsType[*ToolError](err); ok {
		return err
	}
	return &CallError{Server: req.Server, Name: req.Name, Stage: StageReceive, Sent: true, Err: err}
}

// checkArgs returns data without white space around it if it is a JSON object,
// and nil if it is null or empty.
func checkArgs(data json.RawMessage) (json.RawMessage, error) {
	raw, err := jsontext.Whole(data)
	switch {
	case err == jsontext.ErrEmpty:
		return nil, nil
	case err != nil:
		return nil, fmt.Errorf("%w: %w", ErrInvalidArgs, err)
	case jsontext.IsNull(raw):
		return nil, nil
	case raw[0] != '{':
		return nil, &InvalidArgsError{Reason: "want an object, got " + jsontext.KindOf(raw)}
	}
	return raw, nil
}
