// Requests about prompts, resources and resource templates.

package gateway

import (
	"context"
	"encoding/json"
	"slices"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/mcpgen/mcpgen/internal/jsontext"
	"github.com/mcpgen/mcpgen/runtime"
	"github.com/mcpgen/mcpgen/runtime/protocol"
	"github.com/mcpgen/mcpgen/schema"
)

// itemsPage answers the listings of prompts, resources and templates.
func (g *Gateway) itemsPage(ctx context.Context, kind schema.Kind, cursor, revision string) (mcp.Result, error) {
	caller, method := callerOf(ctx), protocol.MethodReadResource
	if kind == schema.KindPrompt {
		method = protocol.MethodGetPrompt
	}
	g.changes.settle(ctx)
	l := g.items.list(ctx, kind, cursor == "")
	shown := slices.DeleteFunc(slices.Clone(l.all), func(it listedItem) bool {
		return it.absent || !caller.sees(g.view, it.server, method, it.item.Name)
	})
	return page(revision >= modern, memberOf(kind), cursor, shown, func(it listedItem) (string, json.RawMessage) { return it.name, it.def })
}

// do returns a function that sends a request through the host.
func (g *Gateway) do(req runtime.Request) call {
	return func(ctx context.Context, opts ...runtime.CallOption) (*runtime.Result, error) {
		return req.With(opts...).Do(ctx, g.host)
	}
}

// unknownPrompt returns the answer about a name that is no prompt's.
func unknownPrompt(name string) error {
	return invalid("unknown prompt " + printable(name) + ": see prompts/list for the names")
}

// getPrompt answers prompts/get.
func (g *Gateway) getPrompt(ctx context.Context, req *mcp.GetPromptRequest) (mcp.Result, error) {
	g.changes.settle(ctx)
	it, ok := g.items.find(ctx, schema.KindPrompt, req.Params.Name)
	if !ok {
		return nil, unknownPrompt(req.Params.Name)
	}
	r := runtime.Request{Server: it.server, Method: protocol.MethodGetPrompt, Name: it.item.Name, Pin: it.pin}
	if len(req.Params.Arguments) > 0 {
		args, err := jsontext.Marshal(req.Params.Arguments)
		if err != nil {
			return nil, invalid("arguments: " + err.Error())
		}
		r.Args = args
	}
	f := newFlight(ctx, g, req.Session, req, it.server)
	f.absent = unknownPrompt(req.Params.Name)
	f.method, f.name, f.token, f.state = r.Method, req.Params.Name, req.Params.GetProgressToken(), req.Params.RequestState
	return f.carryOut(ctx, g.do(r), req.Params.Meta)
}

// readResource answers resources/read. Any resource that the host's middleware allows
// may be read, listed or not, since templates describe further ones. A locked
// resource carries its pin.
func (g *Gateway) readResource(ctx context.Context, req *mcp.ReadResourceRequest) (mcp.Result, error) {
	server, uri, ok := g.uris.unwrap(req.Params.URI)
	if !ok {
		return nil, mcp.ResourceNotFoundError(req.Params.URI)
	}
	r := runtime.Request{Server: server, Method: protocol.MethodReadResource, Name: uri}
	known := g.items.pinned(server, schema.KindResource).all
	if i := slices.IndexFunc(known, func(it listedItem) bool { return it.item.Name == uri }); i >= 0 {
		r.Pin = known[i].pin
	}
	f := newFlight(ctx, g, req.Session, req, server)
	f.absent = mcp.ResourceNotFoundError(req.Params.URI)
	f.method, f.name, f.token, f.state = r.Method, req.Params.URI, req.Params.GetProgressToken(), req.Params.RequestState
	return f.carryOut(ctx, g.do(r), req.Params.Meta)
}

// complete answers completion/complete.
func (g *Gateway) complete(ctx context.Context, req *mcp.CompleteRequest) (mcp.Result, error) {
	ref := req.Params.Ref
	if ref == nil || req.Params.Argument.Name == "" {
		return nil, invalid("want ref and argument.name")
	}
	r := runtime.Request{Method: protocol.MethodComplete}
	own := map[string]string{"type": ref.Type}
	about, absent := protocol.MethodReadResource, mcp.ResourceNotFoundError(ref.URI)
	if ref.Type == "ref/prompt" {
		about, absent = protocol.MethodGetPrompt, unknownPrompt(ref.Name)
		g.changes.settle(ctx)
		it, ok := g.items.find(ctx, schema.KindPrompt, ref.Name)
		if !ok {
			return nil, absent
		}
		r.Server, r.Name, own["name"] = it.server, it.item.Name, it.item.Name
	} else {
		server, uri, ok := g.uris.unwrap(ref.URI)
		if !ok {
			return nil, absent
		}
		r.Server, r.Name, own["uri"] = server, uri, uri
	}
	args := map[string]any{"argument": req.Params.Argument, "ref": own}
	if req.Params.Context != nil {
		args["context"] = req.Params.Context
	}
	var err error
	if r.Args, err = jsontext.Marshal(args); err != nil {
		return nil, invalid(err.Error())
	}
	f := newFlight(ctx, g, req.Session, req, r.Server)
	f.ref, f.absent, f.method, f.name = about, absent, r.Method, r.Name
	f.caps = nil // completions ask no questions
	return f.carryOut(ctx, g.do(r), req.Params.Meta)
}
