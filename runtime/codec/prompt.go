package codec

// This file holds the functions that generated packages call for prompts and resources.

import (
	"context"

	"github.com/mcpgen/mcpgen/runtime"
	"github.com/mcpgen/mcpgen/runtime/protocol"
)

// GetPrompt gets a prompt. Methods of generated packages call it.
//
// Inv and opts are as in [CallTool]. Args becomes a JSON object, whose values the protocol requires to
// be strings. Nil sends no arguments.
//
// The result holds the blocks of the prompt's messages, each with its Role. The error is a
// [*runtime.CallError]; without an error, the result is not nil.
func GetPrompt(ctx context.Context, inv runtime.Invoker, prompt ItemRef, args any, opts []runtime.CallOption) (*runtime.Result, error) {
	data, err := encodeArgs(args, nil)
	if err != nil {
		return nil, notSent(prompt, err)
	}
	return request(ctx, inv, protocol.MethodGetPrompt, prompt, data, opts)
}

// ReadResource reads the resource whose URI is the reference's name. Methods of generated packages call
// it.
//
// Inv and opts are as in [CallTool]. The result holds a block for each content of the resource: Text,
// or Data if it is binary. The error is a [*runtime.CallError]; without an error, the result is not nil.
func ReadResource(ctx context.Context, inv runtime.Invoker, resource ItemRef, opts []runtime.CallOption) (*runtime.Result, error) {
	return request(ctx, inv, protocol.MethodReadResource, resource, nil, opts)
}

// ReadTemplate is [ReadResource] for a URI made from a resource template.
func ReadTemplate(ctx context.Context, inv runtime.Invoker, template ItemRef, uri string, opts []runtime.CallOption) (*runtime.Result, error) {
	template.Name = uri
	return ReadResource(ctx, inv, template, opts)
}
