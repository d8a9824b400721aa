package native

// This file turns a function into a tool.

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"

	"github.com/mcpgen/mcpgen/internal/stage"
	"github.com/mcpgen/mcpgen/runtime"
	"github.com/mcpgen/mcpgen/runtime/protocol"
	"github.com/mcpgen/mcpgen/schema/validate"
)

// Tool is a tool that is a Go function. It is a [runtime.Tool]. A direct call passes
// no middleware; see [Set.Tools].
type Tool struct {
	spec   runtime.Spec
	accept *validate.Schema
	run    func(ctx context.Context, args json.RawMessage) (*runtime.Result, error)
}

// New returns a tool that calls f.
//
// Args is a struct, or a map with string keys; its schema allows only declared
// members. Result is the result of the tool: a string is a text, a *[runtime.Result]
// is used unchanged, and any other type is structured content with its JSON as text.
// For structs and maps the tool has an output schema.
//
// An error of f is a refusal of the tool, which the caller gets as a result with
// IsError, unless the context of the call has ended. Invalid arguments are an error
// of the call, as [runtime.Tool] distinguishes the two, and f is not called.
//
// New fails for an empty name or a nil f, and for types without a schema, such as
// channels, or if Args is not an object.
func New[Args, Result any](name, description string, f func(context.Context, Args) (Result, error)) (*Tool, error) {
	input, err := inputSchema[Args]()
	if err != nil {
		return nil, fmt.Errorf("native tool %q: arguments: %w", name, err)
	}
	output, err := outputSchema[Result]()
	if err != nil {
		return nil, fmt.Errorf("native tool %q: result: %w", name, err)
	}
	return withSchemas(name, description, input, output, f)
}

// withSchemas is [New] with the schemas of both types. If output is nil, the tool has
// no output schema.
func withSchemas[Args, Result any](name, description string, input, output json.RawMessage, f func(context.Context, Args) (Result, error)) (*Tool, error) {
	fail := func(err error) (*Tool, error) { return nil, fmt.Errorf("native tool %q: %w", name, err) }
	if name == "" {
		return fail(errors.New("it has no name"))
	}
	if f == nil {
		return fail(errors.New("the function is nil"))
	}
	accept, err := validate.New(input)
	if err != nil {
		return fail(fmt.Errorf("arguments: %w", err))
	}
	t := &Tool{accept: accept, spec: runtime.Spec{Name: name, ID: name, Tool: name, Description: description, InputSchema: input, OutputSchema: output}}
	t.run = func(ctx context.Context, raw json.RawMessage) (*runtime.Result, error) {
		var args Args
		if err := (&runtime.Result{Structured: raw}).Decode(&args); err != nil { // 1.0 is an integer, too
			return nil, t.invalid(misfit(err))
		}
		got, err := f(ctx, args)
		if err != nil {
			return t.refusal(ctx, err)
		}
		return t.result(got)
	}
	return t, nil
}

// Must returns the tool, and panics if err is not nil. It is for tools whose types
// are fixed in the program:
//
//	var tools = []*native.Tool{native.Must(native.New("greet", "Greets.", greet))}
func Must(t *Tool, err error) *Tool {
	if err != nil {
		panic(err)
	}
	return t
}

// Spec returns name, description and schemas. The server is "".
func (t *Tool) Spec() runtime.Spec { return t.spec }

// Call validates the arguments and runs the function. Empty arguments are {}. A
// timeout among the options bounds the call; no progress is reported. Errors are of
// type [*runtime.CallError]; for invalid arguments it holds a
// [*runtime.InvalidArgsError] for each mistake.
func (t *Tool) Call(ctx context.Context, args json.RawMessage, opts ...runtime.CallOption) (*runtime.Result, error) {
	req := runtime.Request{Method: protocol.MethodCallTool, Name: t.spec.Tool, Args: args}
	return t.invoke(ctx, req.With(opts...))
}

// invoke carries out a request for t.
func (t *Tool) invoke(ctx context.Context, req runtime.Request) (*runtime.Result, error) {
	if req.Options.Timeout <= 0 {
		return t.call(ctx, req.Args)
	}
	bounded, cancel := context.WithTimeout(ctx, req.Options.Timeout)
	defer cancel()
	res, err := t.call(bounded, req.Args)
	if err != nil && bounded.Err() != nil && ctx.Err() == nil {
		return nil, t.failed(stage.Receive, true, fmt.Errorf("%w after %v", runtime.ErrTimeout, req.Options.Timeout))
	}
	return res, err
}

func (t *Tool) call(ctx context.Context, args json.RawMessage) (*runtime.Result, error) {
	if err := ctx.Err(); err != nil {
		return nil, t.failed(stage.Send, false, err)
	}
	if len(args) == 0 {
		args = json.RawMessage("{}")
	}
	if err := t.accept.Validate(args); err != nil {
		return nil, t.invalid(reasons(err))
	}
	return t.run(ctx, args)
}

func (t *Tool) failed(stage string, sent bool, err error) error {
	return &runtime.CallError{Name: t.spec.Tool, Stage: stage, Sent: sent, Err: err}
}

func (t *Tool) invalid(err error) error { return t.failed(stage.Gate, false, err) }

// reasons turns validation errors into the errors of the contract.
func reasons(err error) error {
	var wrong validate.Errors
	if !errors.As(err, &wrong) {
		return fmt.Errorf("%w: %w", runtime.ErrInvalidArgs, err)
	}
	var errs []error
	for _, e := range wrong {
		errs = append(errs, &runtime.InvalidArgsError{Pointer: e.Pointer, Reason: e.Reason})
	}
	return errors.Join(errs...)
}

// misfit returns the error of arguments that match the schema but not the Go type,
// such as a number that is too large.
func misfit(err error) error {
	var d *runtime.DecodeError
	if errors.As(err, &d) {
		return &runtime.InvalidArgsError{Pointer: d.Pointer, Reason: d.Err.Error()}
	}
	return &runtime.InvalidArgsError{Reason: err.Error()}
}

// refusal turns an error of the function into a result.
func (t *Tool) refusal(ctx context.Context, err error) (*runtime.Result, error) {
	if ended := ctx.Err(); ended != nil {
		return nil, t.failed(stage.Receive, true, ended)
	}
	return t.parsed(answer{Content: []block{{"text", err.Error()}}, IsError: true})
}

// result turns the function's return value into a result.
func (t *Tool) result(got any) (*runtime.Result, error) {
	switch r := got.(type) {
	case *runtime.Result:
		if r == nil {
			r = &runtime.Result{}
		}
		return r, nil
	case string:
		return t.parsed(answer{Content: []block{{"text", r}}})
	}
	raw, err := json.Marshal(got)
	if err != nil {
		return nil, t.failed(stage.Receive, true, fmt.Errorf("the result has no JSON form: %w", err))
	}
	return t.parsed(answer{Content: []block{{"text", string(raw)}}, Structured: raw})
}

// answer is the protocol's result of a call.
type answer struct {
	Content    []block         `json:"content"`
	Structured json.RawMessage `json:"structuredContent,omitempty"`
	IsError    bool            `json:"isError,omitempty"`
}

type block struct {
	Type string `json:"type"`
	Text string `json:"text"`
}

// parsed parses an answer in the same way as servers' answers, so that native and
// remote results are alike.
func (t *Tool) parsed(a answer) (*runtime.Result, error) {
	raw, err := json.Marshal(a)
	if err == nil {
		var r *runtime.Result
		if r, err = (runtime.Request{Method: protocol.MethodCallTool}).ParseResult(raw); err == nil {
			return r, nil
		}
	}
	return nil, t.failed(stage.Receive, true, err)
}
