// The SDK's client: one per server. It offers what the program answers, and the
// answers are ours.

package attach

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"log/slog"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	"github.com/modelcontextprotocol/go-sdk/mcp"
	"golang.org/x/time/rate"

	"github.com/mcpgen/mcpgen/runtime/attach/internal/quote"
	"github.com/mcpgen/mcpgen/runtime/event"
)

// clientName is the name of this client in handshakes.
const clientName = "mcpgen"

// newClient returns a client that advertises what the program answers.
func (o *opener) newClient() *mcp.Client {
	o.handlers = o.newClientHandlers()
	opts := &mcp.ClientOptions{
		Capabilities:   o.handlers.capabilities(),
		MultiRoundTrip: &mcp.MultiRoundTripOptions{Disabled: true}, // ours is the same on every transport
		Logger:         slog.New(slog.DiscardHandler),              // what it would say is in the errors
	}
	// Since 2026-07-28 the SDK subscribes to that because there is somebody to hear it.
	opts.ToolListChangedHandler = func(context.Context, *mcp.ToolListChangedRequest) { wake(o.changed) }
	opts.ResourceUpdatedHandler = func(_ context.Context, req *mcp.ResourceUpdatedNotificationRequest) {
		if o.updates != nil && req.Params != nil && req.Params.URI != "" {
			o.updates.Tell(req.Params.URI)
		}
	}
	prompts, resources := o.hearOf("prompts"), o.hearOf("resources")
	opts.PromptListChangedHandler = func(context.Context, *mcp.PromptListChangedRequest) { prompts() }
	opts.ResourceListChangedHandler = func(context.Context, *mcp.ResourceListChangedRequest) { resources() }
	opts.ElicitationCompleteHandler = func(_ context.Context, req *mcp.ElicitationCompleteNotificationRequest) {
		if o.Input != nil && req.Params != nil {
			o.handlers.input.Visited(req.Params.ElicitationID)
		}
	}
	if !o.quiet {
		//lint:ignore SA1019 servers of all revisions before 2026-07-28 log this way
		opts.LoggingMessageHandler = o.handlers.onLog
	}
	client := mcp.NewClient(&mcp.Implementation{Name: clientName, Version: o.Version}, opts)
	client.AddReceivingMiddleware(o.handlers.middleware, o.resumed)
	return client
}

// middleware answers the requests of servers before the SDK does, whose own
// handlers would advertise what nobody answers, and refuse forms that it does
// not know.
func (a *clientHandlers) middleware(next mcp.MethodHandler) mcp.MethodHandler {
	return func(ctx context.Context, method string, req mcp.Request) (mcp.Result, error) {
		var res mcp.Result
		switch method {
		case elicitation:
			res = new(mcp.ElicitResult)
		case sampling:
			//lint:ignore SA1019 servers of all revisions before 2026-07-28 ask this way
			res = new(mcp.CreateMessageWithToolsResult)
		case listRoots:
			//lint:ignore SA1019 servers of all revisions before 2026-07-28 ask this way
			res = new(mcp.ListRootsResult)
		default:
			return next(ctx, method, req)
		}
		params, err := json.Marshal(req.GetParams())
		if err != nil {
			return nil, &jsonrpc.Error{Code: jsonrpc.CodeInvalidParams, Message: "the parameters cannot be read"}
		}
		raw, err := a.answer(ctx, method, params)
		switch {
		case errors.Is(err, errNobody):
			return next(ctx, method, req)
		case err != nil:
			return nil, rpcError(err)
		}
		dec := json.NewDecoder(bytes.NewReader(raw))
		dec.UseNumber()
		if err := dec.Decode(res); err != nil {
			return nil, rpcError(err)
		}
		return res, nil
	}
}

// resumed notes that a stream of notifications has begun, perhaps once more: what was to
// come on the one before may be lost.
func (o *opener) resumed(next mcp.MethodHandler) mcp.MethodHandler {
	return func(ctx context.Context, method string, req mcp.Request) (mcp.Result, error) {
		if method == noteAcknowledged && o.updates != nil {
			o.updates.Tell("")
		}
		return next(ctx, method, req)
	}
}

// hearOf returns what reports that the server says that its prompts or resources have
// changed. They are not listed before somebody asks for them: see [Host.Items]. A
// server that keeps saying so is reported once in settleTime: who acts upon it waits for
// as long.
func (o *opener) hearOf(what string) func() {
	once := rate.Sometimes{Interval: settleTime}
	return func() {
		once.Do(func() {
			o.notifier.event(event.Event{Kind: event.ListChanged, Server: o.server.Name, State: string(Ready), Detail: what})
		})
	}
}

// rpcError makes an error of a handler fit for the wire.
func rpcError(err error) error {
	if rpc, ok := errors.AsType[*jsonrpc.Error](err); ok {
		return rpc
	}
	return &jsonrpc.Error{Code: jsonrpc.CodeInternalError, Message: quote.Line(err.Error(), 500)}
}
