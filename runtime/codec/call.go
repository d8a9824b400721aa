package codec

// This file is what the methods of generated packages stand on. They are thin,
// so what a tool costs a program is its types and a few lines.

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"reflect"

	"github.com/mcpgen/mcpgen/internal/jsontext"
	"github.com/mcpgen/mcpgen/runtime"
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
// The error is a [*runtime.ToolError] if the tool itself said no, else a [*runtime.CallError];
// a result that does not fit is a [*runtime.DecodeError] in it. What out points to is
// then unspecified.
func CallTool(ctx context.Context, inv runtime.Invoker, server, tool, pin string, args, out any, opts []runtime.CallOption, parts ...Part) error {
	dst := reflect.ValueOf(out)
	if dst.Kind() != reflect.Pointer || dst.IsNil() {
		err := fmt.Errorf("out is %T: pass a non-nil pointer", out)
		return &runtime.CallError{Server: server, Name: tool, Stage: runtime.StageEncode, Err: err}
	}
	res, err := CallToolResult(ctx, inv, server, tool, pin, args, opts)
	if err != nil {
		return err
	}
	data, err := res.JSON()
	if err == nil {
		err = decoder(parts).decodeResult(data, dst)
	}
	if err == nil {
		return nil
	}
	bad := &runtime.DecodeError{Pointer: jsontext.PointerOf(err), Result: res, Err: err}
	return &runtime.CallError{Server: server, Name: tool, Stage: runtime.StageDecode, Sent: true, Err: bad}
}

// CallToolResult calls a tool whose result has no type of its own. It is
// [CallTool] without the decoding: the result is not nil if the error is.
func CallToolResult(ctx context.Context, inv runtime.Invoker, server, tool, pin string, args any, opts []runtime.CallOption) (*runtime.Result, error) {
	data, err := encodeArgs(args)
	if err != nil {
		return nil, &runtime.CallError{Server: server, Name: tool, Stage: runtime.StageEncode, Err: err}
	}
	return request(ctx, inv, runtime.Request{Server: server, Method: runtime.MethodCallTool, Name: tool, Args: data, Pin: pin}, opts)
}

// request carries out req with the options. A result that says that it is an error
// becomes one.
func request(ctx context.Context, inv runtime.Invoker, req runtime.Request, opts []runtime.CallOption) (*runtime.Result, error) {
	res, err := req.With(opts...).Do(ctx, inv)
	if err != nil {
		return nil, err
	}
	if res.IsError {
		return nil, &runtime.ToolError{Server: req.Server, Name: req.Name, Result: res}
	}
	return res, nil
}

// encodeArgs returns the JSON of args, or nil for none. Its errors are
// ErrInvalidArgs; whether it is an object is checked when it is sent.
func encodeArgs(args any) (json.RawMessage, error) {
	if v := reflect.ValueOf(args); !v.IsValid() || v.Kind() == reflect.Map && v.IsNil() {
		return nil, nil
	}
	data, err := EncodeValue(args)
	if err != nil {
		return nil, fmt.Errorf("%w: %w", runtime.ErrInvalidArgs, err)
	}
	if bytes.Contains(data, []byte("null")) {
		if err := checkUnions(reflect.ValueOf(args)); err != nil {
			return nil, &runtime.InvalidArgsError{Pointer: jsontext.PointerOf(err), Reason: errors.Unwrap(err).Error()}
		}
	}
	return data, nil
}
