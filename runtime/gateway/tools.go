// Requests about tools, which are called through the host.

package gateway

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"slices"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/mcpgen/mcpgen/internal/jsontext"
	"github.com/mcpgen/mcpgen/internal/stage"
	"github.com/mcpgen/mcpgen/runtime"
	"github.com/mcpgen/mcpgen/runtime/protocol"
)

// Limits of one page of a listing. Clients end their session if a message is too
// large for them, in most cases above 16 MiB.
const (
	pageSize  = 1000    // items
	pageBytes = 4 << 20 // with more bytes, no further item begins
)

// toolsPage answers tools/list.
func (g *Gateway) toolsPage(ctx context.Context, req *mcp.ListToolsRequest) (mcp.Result, error) {
	g.changes.settle(ctx)
	isModern := req.ProtocolVersion() >= modern
	shown := g.tools.shownTo(callerOf(ctx))
	if g.search != nil {
		shown = g.search
	}
	return page(isModern, "tools", cmp.Or(req.Params, &mcp.ListToolsParams{}).Cursor, shown, func(t listedTool) (string, json.RawMessage) {
		if isModern {
			return t.name, t.modern
		}
		return t.name, t.legacy
	})
}

// page returns one page of a listing. A cursor is the name of the previous page's
// last item: it stays valid while other items come and go.
func page[T any](isModern bool, member, cursor string, all []T, of func(T) (name string, def json.RawMessage)) (mcp.Result, error) {
	if cursor != "" {
		at := slices.IndexFunc(all, func(item T) bool { name, _ := of(item); return name == cursor })
		if at < 0 {
			return nil, &jsonrpc.Error{Code: jsonrpc.CodeInvalidParams, Message: "the cursor is unknown: list from the beginning"}
		}
		all = all[at+1:]
	}
	next := ""
	b := append([]byte(`{"`), member...)
	b = append(b, `":[`...)
	for i, item := range all {
		if i == pageSize || len(b) > pageBytes {
			next, _ = of(all[i-1])
			break
		}
		_, def := of(item)
		b = appendItem(b, def)
	}
	b = append(b, ']')
	if next != "" {
		b = appendMember(b, "nextCursor", jsontext.AppendString(nil, next))
	}
	return &rawResult{raw: append(b, '}'), modern: isModern, listing: true}, nil
}

// callTool answers tools/call.
func (g *Gateway) callTool(ctx context.Context, req *mcp.CallToolRequest) (mcp.Result, error) {
	caller := callerOf(ctx)
	name, args := g.search.called(g.tools, req.Params)
	f, res, err := g.callNamed(ctx, req, caller, name, args)
	if err != nil && err == f.absent && name != req.Params.Name { // call_tool answers as about a name that it does not find
		_, res, err = g.callNamed(ctx, req, caller, req.Params.Name, req.Params.Arguments)
	}
	return res, err
}

// callNamed answers a call of a name.
func (g *Gateway) callNamed(ctx context.Context, req *mcp.CallToolRequest, caller requester, name string, args json.RawMessage) (*flight, mcp.Result, error) {
	spec, call := g.tool(ctx, caller, name)
	f := newFlight(ctx, g, req.Session, req, spec.Server)
	f.own, f.absent = spec.Tool, unknownTool(name)
	f.method, f.name, f.token, f.state = protocol.MethodCallTool, name, req.Params.GetProgressToken(), req.Params.RequestState
	if err := f.wantTask(spec, req); err != nil && g.tools.lists(caller, spec) { // else it is unknown to the caller
		return f, nil, err
	}
	res, err := f.carryOut(ctx, func(ctx context.Context, opts ...runtime.CallOption) (*runtime.Result, error) {
		return call(ctx, args, append(opts, f.setTask)...)
	}, req.Params.Meta)
	return f, res, err
}

// unknownTool returns the answer to a call of a name that is no tool's, or none that the
// caller is shown.
func unknownTool(name string) error {
	return invalid("unknown tool " + printable(name) + ": see tools/list for the names")
}

// tool returns the function that a name calls. Every call goes through the host, so
// that it is gated and logged, including calls of a withheld tool and of an unknown
// tool.
func (g *Gateway) tool(ctx context.Context, c requester, name string) (runtime.Spec, func(context.Context, json.RawMessage, ...runtime.CallOption) (*runtime.Result, error)) {
	t := g.search.tool(name)
	if t == nil {
		t = g.tools.list.Load().byName[name]
		if t == nil || !g.changes.settled.Load() && !g.tools.lists(c, t.Spec()) { // a hidden tool takes as long as an unknown one
			g.changes.settle(ctx)
			t = g.tools.list.Load().byName[name]
		}
	}
	if t != nil {
		return t.Spec(), t.Call
	}
	// A tool under another spelling; one that is withheld, or whose server is not ready:
	// its call returns the reason.
	p, err := g.view.Find(name)
	if t := g.tools.list.Load().byName[g.view.Name(p.Server, p.Tool)]; t != nil {
		return t.Spec(), t.Call
	}
	req := runtime.Request{Server: p.Server, Method: protocol.MethodCallTool, Name: cmp.Or(p.Tool, name)}
	return runtime.Spec{Name: name, Server: req.Server, Tool: req.Name}, func(ctx context.Context, args json.RawMessage, opts ...runtime.CallOption) (*runtime.Result, error) {
		req.Args = args
		if err != nil {
			ctx = stage.WithUnknown(ctx)
		}
		res, err := req.With(opts...).Do(ctx, g.host)
		if errors.Is(err, runtime.ErrUnknownTool) && req.Server == "" {
			err = unknownTool(name)
		}
		return res, err
	}
}
