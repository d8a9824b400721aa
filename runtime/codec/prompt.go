package codec

// This file is what generated packages stand on for everything that is not a
// tool: prompts, resources and completions.

import (
	"context"
	"encoding/json"
	"errors"
	"math"
	"strconv"

	"github.com/mcpgen/mcpgen/internal/jsontext"
	"github.com/mcpgen/mcpgen/runtime"
)

// GetPrompt gets a prompt. A method of a generated package is one call of it.
//
// Inv and opts are those of [CallTool]. Args becomes a JSON object; the
// protocol knows texts as values only. Nil sends no arguments.
//
// The result holds the blocks of the prompt's messages, each with its Role. The
// error is a [*runtime.CallError]; a result is never nil without one.
func GetPrompt(ctx context.Context, inv runtime.Invoker, prompt runtime.ItemRef, args any, opts []runtime.CallOption) (*runtime.Result, error) {
	data, err := encodeArgs(args)
	if err != nil {
		return nil, notSent(prompt, err)
	}
	return request(ctx, inv, runtime.MethodGetPrompt, prompt, data, opts)
}

// ReadResource reads the resource whose URI is the reference's name. A method of a
// generated package is one call of it.
//
// Inv and opts are those of [CallTool]. The result holds a block for each
// of the resource's contents: Text, or Data if it is binary. The error is a
// [*runtime.CallError]; a result is never nil without one.
func ReadResource(ctx context.Context, inv runtime.Invoker, resource runtime.ItemRef, opts []runtime.CallOption) (*runtime.Result, error) {
	return request(ctx, inv, runtime.MethodReadResource, resource, nil, opts)
}

// ReadTemplate is [ReadResource] for a URI that was made of a resource template.
func ReadTemplate(ctx context.Context, inv runtime.Invoker, template runtime.ItemRef, uri string, opts []runtime.CallOption) (*runtime.Result, error) {
	template.Name = uri
	return ReadResource(ctx, inv, template, opts)
}

// Complete asks a server for the values that an argument can have. The method of
// a generated package is one call of it.
//
// Inv and opts are those of [CallTool]. The error is a [*runtime.CallError]: that of
// args which name both a prompt and a resource, or neither, is
// [runtime.ErrInvalidArgs], that of an answer without a completion [runtime.ErrDecode].
func Complete(ctx context.Context, inv runtime.Invoker, server string, args runtime.CompleteArgs, opts []runtime.CallOption) (*runtime.Completion, error) {
	item := runtime.ItemRef{Server: server, Name: args.Prompt + args.Resource} // one of them is ""
	data, err := encodeCompletion(args)
	if err != nil {
		return nil, notSent(item, err)
	}
	res, err := request(ctx, inv, runtime.MethodComplete, item, data, opts)
	if err != nil {
		return nil, err
	}
	c, err := parseCompletion(res)
	if err != nil {
		return nil, &runtime.CallError{Server: item.Server, Name: item.Name, Stage: runtime.StageDecode, Sent: true, Err: err}
	}
	return c, nil
}

// encodeCompletion returns the parameters of completion/complete.
func encodeCompletion(a runtime.CompleteArgs) (json.RawMessage, error) {
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
		return nil, &runtime.InvalidArgsError{Reason: "both a prompt and a resource are named: leave one of them out"}
	case a.Prompt != "":
		params.Ref = ref{Type: "ref/prompt", Name: a.Prompt}
	case a.Resource != "":
		params.Ref = ref{Type: "ref/resource", URI: a.Resource}
	default:
		return nil, &runtime.InvalidArgsError{Reason: "neither a prompt nor a resource is named: set one of them"}
	}
	if len(a.Context) > 0 {
		params.Context = &given{a.Context}
	}
	return encodeArgs(params)
}

func parseCompletion(res *runtime.Result) (*runtime.Completion, error) {
	object := res.Structured
	if len(object) == 0 || object[0] != '{' {
		return nil, &runtime.DecodeError{Result: res, Err: errors.New("the answer has no completion")}
	}
	c := &runtime.Completion{HasMore: string(jsontext.Member(object, "hasMore")) == "true"}
	jsontext.Each(jsontext.Member(object, "values"), func(raw []byte) { c.Values = append(c.Values, jsontext.Text(raw)) })
	if total := jsontext.Member(object, "total"); len(total) > 0 && jsontext.KindOf(total) == "a number" {
		digits, err := jsontext.Integer(total)
		if err == nil {
			n, _ := strconv.ParseInt(digits, 10, 64) // of one out of range the nearest
			c.Total = int(max(0, min(n, math.MaxInt32)))
		}
	}
	return c, nil
}
