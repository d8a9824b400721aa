package runtime

// This file carries out a request with an invoker.

import (
	"context"
	"errors"
	"maps"
	"slices"

	"github.com/mcpgen/mcpgen/internal/jsontext"
	"github.com/mcpgen/mcpgen/internal/stage"
	"github.com/mcpgen/mcpgen/runtime/protocol"
)

// With returns req with the options applied, in their order. Nil options are skipped.
// A pin among the options becomes the pin of the request.
func (req Request) With(opts ...CallOption) Request {
	if len(opts) == 0 && req.Options.Pin == "" {
		return req
	}
	return req.with(opts)
}

// with is separate from With because options force a heap allocation of 256 bytes.
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

// Do carries out req with inv. If inv is nil, it uses the invoker in ctx, or the
// default set by [SetDefault]; without any the error is [ErrNoInvoker]. The invoker
// that sends req checks the arguments.
//
// The error is a [*CallError], or a [*ToolError] if an invoker returned one. If there
// is no error, there is a result.
func (req Request) Do(ctx context.Context, inv Invoker) (*Result, error) {
	if inv == nil {
		inv = FromContext(ctx)
	}
	if inv == nil {
		return nil, &CallError{Server: req.Server, Name: req.Name, Stage: stage.Route, Err: ErrNoInvoker}
	}
	if req.Options.Arguments != nil {
		var err error
		if req, err = req.withArguments(); err != nil {
			return nil, &CallError{Server: req.Server, Name: req.Name, Stage: stage.Encode, Err: err}
		}
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

// wrapCall returns err as a *CallError unless it wraps one. If err does not say
// whether the request was sent, it assumes the worst: that it was.
func wrapCall(req Request, err error) error {
	if _, ok := errors.AsType[*CallError](err); ok {
		return err
	}
	if _, ok := errors.AsType[*ToolError](err); ok {
		return err
	}
	return &CallError{Server: req.Server, Name: req.Name, Stage: stage.Receive, Sent: true, Err: err}
}

// withArguments adds the arguments of the options to the arguments of the request.
func (req Request) withArguments() (Request, error) {
	more := req.Options.Arguments
	req.Options.Arguments = nil
	for _, name := range slices.Sorted(maps.Keys(more)) {
		args := []byte(req.Args)
		if len(args) == 0 {
			args = []byte("{}")
		}
		value, err := jsontext.Whole(more[name])
		quoted := string(jsontext.AppendString(nil, name))
		reason := ""
		switch from, _ := jsontext.MemberAt(args, quoted); {
		case req.Method != protocol.MethodCallTool:
			reason = "only a call of a tool can get arguments from an option"
		case err != nil:
			reason = "is not JSON: " + err.Error()
		case jsontext.First(args) != '{':
			reason = "the arguments are not an object, so an option cannot add a member"
		case from >= 0:
			reason = "is already among the arguments"
		}
		if reason != "" {
			return req, &InvalidArgsError{Pointer: "/" + jsontext.EscapePointer(name), Reason: reason}
		}
		req.Args = jsontext.AppendMember(nil, args, quoted, func(dst []byte) []byte { return append(dst, value...) })
	}
	return req, nil
}
