package ledger

// This file makes tools of capabilities, for registries that share one runner.

import (
	"context"
	"encoding/json"

	"github.com/mcpgen/mcpgen/runtime"
	"github.com/mcpgen/mcpgen/runtime/protocol"
)

// A Call is what a [Runner] is asked to do.
type Call struct {
	ID     string // "bridge_" and the qualified name
	Server string
	Tool   string // as the server spells it
	Args   json.RawMessage

	Options []runtime.CallOption
}

// A Runner carries out calls of all capabilities. It has to end when its context
// does.
type Runner func(ctx context.Context, call Call) (*runtime.Result, error)

// Through returns a runner that calls through an invoker, without pins. Nil is
// the invoker in the context of each call, else the one of [runtime.SetDefault].
func Through(inv runtime.Invoker) Runner {
	return func(ctx context.Context, call Call) (*runtime.Result, error) {
		req := runtime.Request{Server: call.Server, Method: protocol.MethodCallTool, Name: call.Tool, Args: call.Args}
		return req.With(call.Options...).Do(ctx, inv)
	}
}

// Bridge returns the capability as a tool that is carried out by run.
func (c Capability) Bridge(run Runner) runtime.Tool { return &bridge{c, run} }

type bridge struct {
	capability Capability
	run        Runner
}

// Spec returns what was enrolled.
func (b *bridge) Spec() runtime.Spec { return b.capability.Spec() }

// Call passes context, arguments and options to the runner as they are.
func (b *bridge) Call(ctx context.Context, args json.RawMessage, opts ...runtime.CallOption) (*runtime.Result, error) {
	return b.run(ctx, Call{
		ID: "bridge_" + b.capability.Name, Server: b.capability.Server, Tool: b.capability.Tool, Args: args, Options: opts,
	})
}
