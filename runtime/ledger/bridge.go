package ledger

// This file turns capabilities into tools, for registries that share one runner.

import (
	"context"
	"encoding/json"

	"github.com/mcpgen/mcpgen/runtime"
	"github.com/mcpgen/mcpgen/runtime/protocol"
)

// A Call is the input of a [Runner].
type Call struct {
	ID     string // "bridge_" and the qualified name
	Server string
	Tool   string // in the server's spelling
	Args   json.RawMessage

	Options []runtime.CallOption
}

// A Runner carries out calls of all capabilities. It must end when its context ends.
type Runner func(ctx context.Context, call Call) (*runtime.Result, error)

// Through returns a runner that calls through an invoker, without pins. If inv is
// nil, calls use the invoker in their context, or the default set by
// [runtime.SetDefault].
func Through(inv runtime.Invoker) Runner {
	return func(ctx context.Context, call Call) (*runtime.Result, error) {
		req := runtime.Request{Server: call.Server, Method: protocol.MethodCallTool, Name: call.Tool, Args: call.Args}
		return req.With(call.Options...).Do(ctx, inv)
	}
}

// Bridge returns the capability as a tool whose calls run carries out.
func (c Capability) Bridge(run Runner) runtime.Tool { return &bridge{c, run} }

type bridge struct {
	capability Capability
	run        Runner
}

// Spec returns the spec of the enrolled capability.
func (b *bridge) Spec() runtime.Spec { return b.capability.Spec() }

// Call passes context, arguments and options to the runner unchanged.
func (b *bridge) Call(ctx context.Context, args json.RawMessage, opts ...runtime.CallOption) (*runtime.Result, error) {
	return b.run(ctx, Call{
		ID: "bridge_" + b.capability.Name, Server: b.capability.Server, Tool: b.capability.Tool, Args: args, Options: opts,
	})
}
