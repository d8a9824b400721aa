package runtime

// This file is what generated packages stand on for everything that is not a
// tool: prompts, resources and completions.

import (
	"context"
	"encoding/json"
	"errors"
)

// GetPrompt gets a prompt. A method of a generated package is one call of it.
//
// Inv, pin and opts are those of [CallTool]. Args becomes a JSON object; the
// protocol knows texts as values only. Nil sends no arguments.
//
// The result holds the blocks of the prompt's messages, each with its Role. The
// error is a [*CallError]; a result is never nil without one.
func GetPrompt(ctx context.Context, inv Invoker, server, prompt, pin string, args any, opts []CallOption) (*Result, error) {
	data, err := encodeArgs(args)
	if err != nil {
		return nil, &CallError{Server: server, Name: prompt, Stage: StageEncode, Err: err}
	}
	return request(ctx, inv, Request{Server: server, Method: MethodGetPrompt, Name: prompt, Args: data, Pin: pin}, opts)
}

// ReadResource reads a resource. A method of a generated package is one call of
// it.
//
// Inv, pin and opts are those of [CallTool]. The result holds a block for each
// of the resource's contents: Text, or Data if it is binary. The error is a
// [*CallError]; a result is never nil without one.
func ReadResource(ctx context.Context, inv Invoker, server, uri, pin string, opts []CallOption) (*Result, error) {
	return request(ctx, inv, Request{Server: server, Method: MethodReadResource, Name: uri, Pin: pin}, opts)
}

// ReadTemplate reads the resource that a URI template names with vars; see
// [ExpandURI]. Pin is the contract hash of the template. For the rest it is
// [ReadResource].
func ReadTemplate(ctx context.Context, inv Invoker, server, template, pin string, vars any, opts []CallOption) (*Result, error) {
	uri, err := ExpandURI(template, vars)
	if err != nil {
		return nil, &CallError{Server: server, Name: template, Stage: StageEncode, Err: err}
	}
	return ReadResource(ctx, inv, server, uri, pin, opts)
}

// CompleteArgs asks how the value of an argument can go on. The argument is one
// of a prompt, or a variable of a resource template.
type CompleteArgs struct {
	Prompt   string            // name of the prompt, or
	Resource string            // URI or URI template; never both
	Argument string            // name of the argument or variable
	Value    string            // what is there of the value so far
	Context  map[string]string // arguments that have their value already; nil is none
}

// Completion is what a server proposes.
type Completion struct {
	Values  []string // whole values, not what is to be appended
	Total   int      // how many there are in all; 0 if the server does not say
	HasMore bool     // Values are not all
}

// Complete asks a server for the values that an argument can have. The method of
// a generated package is one call of it.
//
// Inv and opts are those of [CallTool]. The error is a [*CallError]: that of
// args which name both a prompt and a resource, or neither, is
// [ErrInvalidArgs], that of an answer without a completion [ErrDecode].
func Complete(ctx context.Context, inv Invoker, server string, args CompleteArgs, opts []CallOption) (*Completion, error) {
	name := args.Prompt + args.Resource // one of them is ""
	data, err := args.encode()
	if err != nil {
		return nil, &CallError{Server: server, Name: name, Stage: StageEncode, Err: err}
	}
	res, err := request(ctx, inv, Request{Server: server, Method: MethodComplete, Name: name, Args: data}, opts)
	if err != nil {
		return nil, err
	}
	c, err := parseCompletion(res)
	if err != nil {
		return nil, &CallError{Server: server, Name: name, Stage: StageDecode, Sent: true, Err: err}
	}
	return c, nil
}

// encode returns the parameters of completion/complete.
func (a CompleteArgs) encode() (json.RawMessage, error) {
	type ref struct {
		Type string `json:"type"`
		Name string `json:"name,omitzero"`
		URI  string `json:"uri,omitzero"`
	}
	type argument struct {
		Name  string `json:"name"`
		Value string `json:"value"`
	}
	type given struct {
		Arguments map[string]string `json:"arguments"`
	}
	params := struct {
		Ref      ref      `json:"ref"`
		Argument argument `json:"argument"`
		Context  *given   `json:"context,omitzero"`
	}{Argument: argument{a.Argument, a.Value}}
	switch {
	case a.Prompt != "" && a.Resource != "":
		return nil, &InvalidArgsError{Reason: "both a prompt and a resource are named: leave one of them out"}
	case a.Prompt != "":
		params.Ref = ref{Type: "ref/prompt", Name: a.Prompt}
	case a.Resource != "":
		params.Ref = ref{Type: "ref/resource", URI: a.Resource}
	default:
		return nil, &InvalidArgsError{Reason: "neither a prompt nor a resource is named: set one of them"}
	}
	if len(a.Context) > 0 {
		params.Context = &given{a.Context}
	}
	return encodeArgs(params)
}

func parseCompletion(res *Result) (*Completion, error) {
	object := res.Structured
	if len(object) == 0 || object[0] != '{' {
		return nil, &DecodeError{Result: res, Err: errors.New("the answer has no completion")}
	}
	c := &Completion{HasMore: string(member(object, "hasMore")) == "true"}
	eachItem(member(object, "values"), func(raw []byte) { c.Values = append(c.Values, text(raw)) })
	if total := member(object, "total"); len(total) > 0 && kindOf(total) == "a number" {
		digits, err := integer(total)
		if err == nil {
			c.Total = max(0, clampedInt([]byte(digits)))
		}
	}
	return c, nil
}

// request carries out req with the options, and hands out the whole result to
// who asked for it. A result that says that it is an error becomes one.
func request(ctx context.Context, inv Invoker, req Request, opts []CallOption) (*Result, error) {
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
		return nil, &ToolError{Server: req.Server, Name: req.Name, Result: res}
	}
	return res, nil
}
