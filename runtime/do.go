package runtime

// This file carries out a request with whatever carries out requests here.

import (
	"context"
	"errors"

	"github.com/mcpgen/mcpgen/internal/stage"
)

// With returns req with the options applied, in their order. Nil ones are skipped. A
// pin among the options becomes that of the request.
func (req Request) With(opts ...CallOption) Request {
	if len(opts) == 0 && req.Options.Pin == "" {
		return req
	}
	return req.with(opts)
}

// with is apart from With because what options change is on the heap: 256 bytes.
func (req Request) with(opts []CallOption) Request {
	for _, opt := range opts {
		if opt != nil {
			opt(&req.Options)
		}
	}
	if req.Options.Pin != "" {
		req.Pin, req.Options.Pin = req.Options.Pin, ""
	}
	return req
}

// Do carries out req with inv. A nil inv takes the invoker from ctx, else the one of
// [SetDefault]; without any the error is [ErrNoInvoker]. Args are checked by the
// invoker that sends them.
//
// The error is a [*CallError], or a [*ToolError] if an invoker returned that. Without
// one there is a result.
func (req Request) Do(ctx context.Context, inv Invoker) (*Result, error) {
	if inv == nil {
		inv = FromContext(ctx)
	}
	if inv == nil {
		return nil, &CallError{Server: req.Server, Name: req.Name, Stage: stage.Route, Err: ErrNoInvoker}
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
		req.Options.Raw.OnUnread, req.Options.Raw.Lenient = nil, false
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
	return &CallError{Server: req.Server, Name: req.Name, Stage: stage.Receive, Sent: true, Err: err}
}
