package runtime

// This file is what the methods of generated packages stand on. They are thin,
// so what a tool costs a program is its types and a few lines.

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"reflect"
)

// CallTool calls a tool and decodes its result into what out points to. Each
// method of a generated package is one call of it.
//
// A nil inv takes the invoker from ctx, else the one of [SetDefault]; without
// any the error is [ErrNoInvoker]. Pin is the contract hash that the caller was
// generated against; "" is not checked. Args is encoded once, by
// [EncodeValue], and has to become a JSON object; nil, and what encodes to null,
// sends no arguments. A union that is required and nil is an error, unless it may
// be null. Nil options are skipped.
//
// The result's structured content is decoded by the rules of [DecodeObject],
// straight from the bytes that the server sent. A result without it is decoded
// from its text blocks, joined with newlines, if that text is JSON. Out has to
// be a non-nil pointer. Parts tell how unions are decoded that stand in it outside
// of any type with a method for that.
//
// The error is a [*ToolError] if the tool itself said no, else a [*CallError];
// a result that does not fit is a [*DecodeError] in it. What out points to is
// then unspecified.
func CallTool(ctx context.Context, inv Invoker, server, tool, pin string, args, out any, opts []CallOption, parts ...Part) error {
	dst := reflect.ValueOf(out)
	if dst.Kind() != reflect.Pointer || dst.IsNil() {
		err := fmt.Errorf("out is %T: pass a non-nil pointer", out)
		return &CallError{Server: server, Name: tool, Stage: StageEncode, Err: err}
	}
	res, err := CallToolResult(ctx, inv, server, tool, pin, args, opts)
	if err != nil {
		return err
	}
	data, err := res.json()
	if err == nil {
		err = decoder(parts).decodeResult(data, dst)
	}
	if err == nil {
		return nil
	}
	bad := &DecodeError{Pointer: pointerOf(err), Result: res, Err: err}
	return &CallError{Server: server, Name: tool, Stage: StageDecode, Sent: true, Err: bad}
}

// CallToolResult calls a tool whose result has no type of its own. It is
// [CallTool] without the decoding: the result is not nil if the error is.
func CallToolResult(ctx context.Context, inv Invoker, server, tool, pin string, args any, opts []CallOption) (*Result, error) {
	data, err := encodeArgs(args)
	if err != nil {
		return nil, &CallError{Server: server, Name: tool, Stage: StageEncode, Err: err}
	}
	req := Request{Server: server, Method: MethodCallTool, Name: tool, Args: data, Pin: pin}
	for _, opt := range opts {
		if opt != nil {
			opt(&req.Options)
		}
	}
	res, err := invoke(ctx, inv, req)
	if err != nil {
		return nil, err
	}
	if req.Options.Raw != nil {
		*req.Options.Raw = *res
	}
	if res.IsError {
		return nil, &ToolError{Server: server, Name: tool, Result: res}
	}
	return res, nil
}

// invoke carries out req with inv, or with the invoker in ctx. Its error is a
// *CallError, or a *ToolError if an invoker returned that. Without an error
// there is a result.
func invoke(ctx context.Context, inv Invoker, req Request) (*Result, error) {
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

// encodeArgs returns args as a JSON object, or nil for none. Its errors are
// ErrInvalidArgs.
func encodeArgs(args any) (json.RawMessage, error) {
	if v := reflect.ValueOf(args); !v.IsValid() || v.Kind() == reflect.Map && v.IsNil() {
		return nil, nil
	}
	data, err := EncodeValue(args)
	if err != nil {
		return nil, fmt.Errorf("%w: %w", ErrInvalidArgs, err)
	}
	if bytes.Contains(data, []byte("null")) {
		if err := checkUnions(reflect.ValueOf(args)); err != nil {
			return nil, &InvalidArgsError{Pointer: pointerOf(err), Reason: errors.Unwrap(err).Error()}
		}
	}
	return checkArgs(data)
}

// checkArgs returns data without white space around it if it is a JSON object,
// and nil if it is null or empty.
func checkArgs(data []byte) (json.RawMessage, error) {
	if skipSpace(data, 0) == len(data) {
		return nil, nil
	}
	raw, err := whole(data)
	switch {
	case err != nil:
		return nil, fmt.Errorf("%w: %w", ErrInvalidArgs, err)
	case isNull(raw):
		return nil, nil
	case raw[0] != '{':
		return nil, &InvalidArgsError{Reason: "want an object, got " + kindOf(raw)}
	}
	return raw, nil
}
