package codec

// This file holds the functions that methods of generated packages call. The methods are thin, so a tool
// adds only its types and a few lines to a program.

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"reflect"

	"github.com/mcpgen/mcpgen/internal/jsontext"
	"github.com/mcpgen/mcpgen/internal/safetext"
	"github.com/mcpgen/mcpgen/internal/stage"
	"github.com/mcpgen/mcpgen/runtime"
	"github.com/mcpgen/mcpgen/runtime/protocol"
)

// CallTool calls a tool and decodes its result into what out points to. The methods of generated packages
// call it.
//
// A nil inv takes the invoker from ctx, or else the invoker set by [runtime.SetDefault]; without either
// the error is [runtime.ErrNoInvoker]. [EncodeValue] encodes args once, and the outcome must be a JSON
// object. Nil args, and args that encode to null, send no arguments. A required union without a value is an
// error, unless it may be null; so is an enum that is "" if its Values have no "". Nil options are skipped.
//
// The result's structured content is decoded by the rules of [DecodeObject], straight from the bytes that
// the server sent. Without structured content, the text blocks are joined with newlines and decoded if
// the text is JSON. Out must be a non-nil pointer to the result, or to a nil pointer that CallTool sets.
// Parts say how to decode unions of the result that are in no type with its own method, and whether null
// is a result.
//
// The error is a [*runtime.ToolError] if the tool itself reported one, else a [*runtime.CallError], which
// wraps a [*runtime.DecodeError] if the result does not fit its type. After an error, out points to its
// zero value. If [runtime.Result.Lenient] is set, out points to the parts that fit; the error is then for
// a result with no such part.
func CallTool(ctx context.Context, inv runtime.Invoker, tool ItemRef, args, out any, opts []runtime.CallOption, parts ...Part) error {
	dst := reflect.ValueOf(out)
	if dst.Kind() != reflect.Pointer || dst.IsNil() {
		return notSent(tool, fmt.Errorf("out is %T: pass a non-nil pointer", out))
	}
	res, err := CallToolResult(ctx, inv, tool, args, opts)
	if err != nil {
		return err
	}
	return decodeOut(tool, res, out, parts)
}

// decodeOut decodes a result into what out points to.
func decodeOut(tool ItemRef, res *runtime.Result, out any, parts []Part) error {
	dst := reflect.ValueOf(out)
	data, err := res.JSON()
	d := decoder{parts: parts}
	if err == nil {
		err = d.decodeResult(data, dst)
		switch {
		case err == nil && res.OnUnread != nil:
			d.notes = &notes{}
			_ = d.decodeResult(data, reflect.New(dst.Type().Elem())) // as before, with notes
		case err != nil && res.Lenient:
			d.notes = &notes{lenient: true}
			dst.Elem().SetZero()
			if d.decodeResult(data, dst) == nil {
				err = nil
			}
		}
	}
	if err == nil {
		if unread := d.notes.first(); len(unread) > 0 && res.OnUnread != nil {
			res.OnUnread(unread)
		}
		return nil
	}
	dst.Elem().SetZero()
	pointer, _ := apart(err)
	bad := &runtime.DecodeError{Pointer: pointer, Result: res, Err: err}
	return &runtime.CallError{Server: tool.Server, Name: tool.Name, Stage: stage.Decode, Sent: true, Err: bad}
}

// CallToolResult calls a tool whose result has no declared type. It is [CallTool] without the decoding.
// Without an error, the result is not nil.
func CallToolResult(ctx context.Context, inv runtime.Invoker, tool ItemRef, args any, opts []runtime.CallOption) (*runtime.Result, error) {
	data, err := encodeArgs(args, tool.Limits)
	if err != nil {
		return nil, notSent(tool, err)
	}
	return request(ctx, inv, protocol.MethodCallTool, tool, data, opts)
}

// WithArgument adds one argument to a call of a tool. Use it for arguments that the server accepts but
// its schema does not declare. The argument is checked, allowed, logged and sent like the others. A name
// that the arguments already have, or a value that is not JSON, is an [*runtime.InvalidArgsError].
func WithArgument(name string, value json.RawMessage) runtime.CallOption {
	return func(o *runtime.Options) {
		if o.Arguments == nil {
			o.Arguments = map[string]json.RawMessage{}
		}
		o.Arguments[name] = value
	}
}

// notSent is the error of a call that could not be built from its arguments.
func notSent(item ItemRef, err error) error {
	return &runtime.CallError{Server: item.Server, Name: item.Name, Stage: stage.Encode, Err: err}
}

// request makes a request to an item with the options. It turns a result that is marked as an error into
// an error.
func request(ctx context.Context, inv runtime.Invoker, method string, item ItemRef, args json.RawMessage, opts []runtime.CallOption) (*runtime.Result, error) {
	req := runtime.Request{Server: item.Server, Method: method, Name: item.Name, Args: args, Pin: item.Pin}
	res, err := req.With(opts...).Do(ctx, inv)
	if err != nil {
		return nil, err
	}
	if res.Type != "" && res.Type != "complete" {
		err := fmt.Errorf("the result is not complete (%q), so a generated function cannot return it: call the tool by name if Options.Relay or Options.Task is set", safetext.Words(res.Type, 60))
		return nil, &runtime.CallError{Server: item.Server, Name: item.Name, Stage: stage.Decode, Sent: true, Err: err}
	}
	if res.IsError {
		return nil, &runtime.ToolError{Server: item.Server, Name: item.Name, Result: res}
	}
	return res, nil
}

// encodeArgs returns args as one JSON object, or nil if there are no arguments. Limits may be nil. Its errors are
// ErrInvalidArgs.
func encodeArgs(args any, limits argsChecker) (json.RawMessage, error) {
	if v := reflect.ValueOf(args); !v.IsValid() || v.Kind() == reflect.Map && v.IsNil() {
		return nil, nil
	}
	data, err := appendValue(make([]byte, 0, 256), reflect.ValueOf(args), 0) // room for most arguments
	if err != nil {
		return nil, fmt.Errorf("%w: %w", runtime.ErrInvalidArgs, err)
	}
	switch {
	case jsontext.IsNull(data):
		return nil, nil
	case data[0] != '{':
		return nil, &runtime.InvalidArgsError{Reason: "want an object, got " + jsontext.KindOf(data)}
	case bytes.Contains(data, []byte("null")), bytes.Contains(data, []byte(`""`)):
		err = checkSet(reflect.ValueOf(args))
	}
	if err == nil && limits != nil {
		err = limits.checkArgs(data)
	}
	if err != nil {
		pointer, wrong := apart(err)
		return nil, &runtime.InvalidArgsError{Pointer: pointer, Reason: wrong.Error()}
	}
	return data, nil
}
