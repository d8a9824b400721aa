package mcptest

// This file holds the functions that generated fakes call for prompts and resources.

import (
	"context"

	"github.com/mcpgen/mcpgen/runtime"
	"github.com/mcpgen/mcpgen/runtime/protocol"
)

// OnPrompt sets the typed handler of a prompt. The On methods of generated fakes call it. A is the
// prompt's Args type. The blocks of the result become messages; a block without a Role is the user's. A
// nil h removes the handler. Errors are handled as by [Fake.Handle].
func OnPrompt[A any](f *Fake, prompt string, h func(context.Context, A) (*runtime.Result, error)) {
	if h == nil {
		f.Handle(protocol.MethodGetPrompt, prompt, nil)
		return
	}
	f.Handle(protocol.MethodGetPrompt, prompt, func(ctx context.Context, req runtime.Request) (*runtime.Result, error) {
		var args A
		if err := f.readArgs(req, &args); err != nil {
			return nil, err
		}
		return h(ctx, args)
	})
}

// OnResource sets the handler of a resource. The On methods of generated fakes call it. Each block of the
// result is one content of the resource: Text, or Data if it is binary. A block without a URI gets the
// URI of the resource. A nil h removes the handler. Errors are handled as by [Fake.Handle], which also
// serves URIs that the server does not list.
func OnResource(f *Fake, uri string, h func(context.Context) (*runtime.Result, error)) {
	if h == nil {
		f.Handle(protocol.MethodReadResource, uri, nil)
		return
	}
	f.Handle(protocol.MethodReadResource, uri, func(ctx context.Context, _ runtime.Request) (*runtime.Result, error) {
		return h(ctx)
	})
}

// OnTemplate sets the handler of reads by a URI template, which gets the URI. The On methods of
// generated fakes call it. A handler of the URI itself comes first. The result is as in [OnResource]. A
// nil h removes the handler. Errors are handled as by [Fake.Handle].
func OnTemplate(f *Fake, template string, h func(ctx context.Context, uri string) (*runtime.Result, error)) {
	if h == nil {
		f.Handle(protocol.MethodReadResource, template, nil)
		return
	}
	f.Handle(protocol.MethodReadResource, template, func(ctx context.Context, req runtime.Request) (*runtime.Result, error) {
		return h(ctx, req.Name)
	})
}
