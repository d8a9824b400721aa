package mcptest

// This file is what generated fakes stand on beside tools.

import (
	"context"

	"github.com/mcpgen/mcpgen/runtime"
	"github.com/mcpgen/mcpgen/runtime/protocol"
)

// OnPrompt sets the typed handler of a prompt; the On methods of generated fakes
// are one call of it. A is the prompt's Args type. The blocks of the result are
// the messages' blocks; one without a Role is the user's. A nil h removes the
// handler. Errors are those of [Fake.Handle].
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

// OnResource sets the handler of a resource; the On methods of generated fakes
// are one call of it. Each block of the result is one of the resource's contents:
// Text, or Data if it is binary. Without a URI it has that of the resource. A nil
// h removes the handler. What resource templates name, and all other URIs, are
// answered with [Fake.Handle]. Errors are those of it.
func OnResource(f *Fake, uri string, h func(context.Context) (*runtime.Result, error)) {
	if h == nil {
		f.Handle(protocol.MethodReadResource, uri, nil)
		return
	}
	f.Handle(protocol.MethodReadResource, uri, func(ctx context.Context, _ runtime.Request) (*runtime.Result, error) {
		return h(ctx)
	})
}
