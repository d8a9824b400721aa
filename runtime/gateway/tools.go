// The tools: listed as they are pinned, called through the host.

package gateway

import (
	"bytes"
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
	"github.com/mcpgen/mcpgen/runtime/plain"
	"github.com/mcpgen/mcpgen/runtime/protocol"
	"github.com/mcpgen/mcpgen/schema/view"
)

// Limits of one page of a listing. Clients end their session if a message is too
// large for them, in most cases above 16 MiB.
const (
	pageSize  = 1000    // items
	pageBytes = 4 << 20 // with more bytes, no further item begins
)

// toolList is the content of a listing. It is immutable.
type toolList struct {
	all     []listedTool
	byName  map[string]runtime.Tool
	headers map[string]bool // tools whose arguments are also sent as headers
}

// listedTool is a tool with its definitions: callers of older revisions get another
// one if they cannot read the current one.
type listedTool struct {
	tool           runtime.Tool
	name           string
	modern, legacy json.RawMessage
}

// listTools lists the tools that may be called now.
func (g *Gateway) listTools() (*toolList, error) {
	tools, err := g.view.Everything()
	if err != nil {
		return nil, err
	}
	list := &toolList{byName: make(map[string]runtime.Tool, len(tools)), headers: map[string]bool{}}
	for _, t := range tools {
		t = g.fit(t)
		spec := t.Spec()
		listed := listedTool{tool: t, name: spec.Name}
		if listed.modern, err = g.definition(spec, true); err != nil {
			g.opts.Logger.Warn("gateway: a tool is left out: its definition cannot be written", "server", spec.Server, "tool", spec.Tool, "error", err)
			continue
		}
		listed.legacy = listed.modern
		if spec.Execution != nil || spec.OutputSchema != nil && !isObject(spec.OutputSchema) {
			listed.legacy, _ = g.definition(spec, false)
		}
		list.all = append(list.all, listed)
		list.byName[spec.Name] = t
		if bytes.Contains(listed.modern, []byte(headerMark)) {
			list.headers[spec.Name] = true
		}
	}
	return list, nil
}

// fit returns a tool as the callers' models take it.
func (g *Gateway) fit(t runtime.Tool) runtime.Tool {
	if g.opts.For == "" {
		return t
	}
	return plain.Fit(g.opts.For, t)
}

// definition returns a tool's definition for callers: the bytes of the server's
// definition, with the gateway's name and without what callers cannot use. It drops
// members whose value is not of the protocol's type, since clients would refuse the
// whole listing.
func (g *Gateway) definition(spec runtime.Spec, isModern bool) (json.RawMessage, error) {
	def := spec.Definition
	if def == nil {
		var err error
		if def, err = jsontext.Marshal(spec); err != nil {
			return nil, err
		}
	}
	schema := rooted(spec.InputSchema)
	out, described := []byte{'{'}, false
	text := json.RawMessage(nil) // nil: the description as it is
	if g.opts.For != "" && spec.Description != "" {
		text = jsontext.AppendString(nil, spec.Description)
	}
	m := jsontext.NewItems(def)
	for m.Next() {
		key, value := string(m.Key()), m.Value
		switch key {
		case "name":
			value = jsontext.AppendString(nil, spec.Name)
		case "inputSchema":
			value, described = schema, true
		case "description":
			if text != nil {
				continue
			}
		case "_meta":
			value = g.appMeta(spec.Server, value)
		case "execution":
			if isModern || !g.runsAsTask(spec) {
				continue
			}
			value = []byte(`{"taskSupport":"optional"}`) // also if it always runs as one: see flight.carry
		case "outputSchema":
			if !isModern && !isObject(value) {
				continue // before 2026-07-28 results were objects
			}
		}
		if begins := memberBegins(key); begins != 0 && value[0] != begins {
			continue
		}
		if len(out) > 1 {
			out = append(out, ',')
		}
		out = append(jsontext.AppendString(out, key), ':')
		out = append(out, value...)
	}
	if text != nil {
		out = append(append(out, `,"description":`...), text...)
	}
	if !described {
		out = append(append(out, `,"inputSchema":`...), schema...)
	}
	return append(out, '}'), m.Err
}

// memberBegins returns the byte with which a valid value of a tool's member begins; 0
// if there are several.
func memberBegins(key string) byte {
	switch key {
	case "title", "description":
		return '"'
	case "outputSchema", "annotations", "_meta":
		return '{'
	case "icons":
		return '['
	}
	return 0
}

// same reports whether two lists look the same to callers.
func (l *toolList) same(other *toolList) bool {
	return slices.EqualFunc(l.all, other.all, func(a, b listedTool) bool {
		return bytes.Equal(a.modern, b.modern) && bytes.Equal(a.legacy, b.legacy)
	})
}

// rooted returns the schema of arguments with the type object at its root. Clients
// refuse a whole listing if this type is missing, so it is added; arguments are
// objects in any case.
func rooted(raw json.RawMessage) json.RawMessage {
	if isObject(raw) {
		return raw
	}
	v, err := view.Object(raw)
	if err != nil {
		return json.RawMessage(`{"type":"object"}`) // no arguments match, and the server reports that in a call
	}
	return v.Schema
}

// isObject reports whether the root of a schema is of type object.
func isObject(raw json.RawMessage) bool {
	return string(jsontext.Member(raw, "type")) == `"object"`
}

// toolsPage answers tools/list.
func (g *Gateway) toolsPage(ctx context.Context, req *mcp.ListToolsRequest) (mcp.Result, error) {
	g.awaitUnknown(ctx)
	isModern := req.ProtocolVersion() >= modern
	shown := g.shownTo(callerOf(ctx, req.Extra))
	if g.search != nil {
		shown = g.search.listed
	}
	return page(isModern, "tools", cmp.Or(req.Params, &mcp.ListToolsParams{}).Cursor, shown, func(t listedTool) (string, json.RawMessage) {
		if isModern {
			return t.name, t.modern
		}
		return t.name, t.legacy
	})
}

// shownTo returns the listed tools, except tools that a caller's own session with their
// server refuses.
func (g *Gateway) shownTo(c requester) []listedTool {
	return slices.DeleteFunc(slices.Clone(g.tools.Load().all), func(t listedTool) bool {
		spec := t.tool.Spec()
		call := runtime.Request{Server: spec.Server, Method: protocol.MethodCallTool, Name: cmp.Or(spec.Tool, spec.Name)}
		c.set(&call.Options)
		return !g.view.Shows(call) || g.host.Withholds(call)
	})
}

// shows reports whether a caller is shown the subject of a request.
func (g *Gateway) shows(c requester, server, method, name string) bool {
	r := runtime.Request{Server: server, Method: method, Name: name}
	c.set(&r.Options)
	return g.view.Shows(r)
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
		if i > 0 {
			b = append(b, ',')
		}
		_, def := of(item)
		b = append(b, def...)
	}
	b = append(b, ']')
	if next != "" {
		b = jsontext.AppendString(append(b, `,"nextCursor":`...), next)
	}
	return &rawResult{raw: append(b, '}'), modern: isModern, listing: true}, nil
}

// callTool answers tools/call.
func (g *Gateway) callTool(ctx context.Context, req *mcp.CallToolRequest) (mcp.Result, error) {
	caller := callerOf(ctx, req.Extra)
	name, args := g.called(caller, req.Params)
	f, res, err := g.callNamed(ctx, req, caller, name, args)
	if err != nil && err == f.absent && name != req.Params.Name { // call_tool answers as about a name that it does not find
		_, res, err = g.callNamed(ctx, req, caller, req.Params.Name, req.Params.Arguments)
	}
	return res, err
}

// callNamed answers a call of a name.
func (g *Gateway) callNamed(ctx context.Context, req *mcp.CallToolRequest, caller requester, name string, args json.RawMessage) (*flight, mcp.Result, error) {
	spec, call := g.tool(ctx, caller, name)
	f := g.newFlight(req.Session, req, spec.Server)
	f.own, f.absent = spec.Tool, unknownTool(name)
	f.method, f.name, f.token, f.state = protocol.MethodCallTool, name, req.Params.GetProgressToken(), req.Params.RequestState
	if err := f.wantTask(spec, req); err != nil && g.lists(caller, spec) { // else it is unknown to the caller
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

// lists reports whether a tool is in the listing of a caller.
func (g *Gateway) lists(c requester, spec runtime.Spec) bool {
	return g.tools.Load().byName[spec.Name] != nil && g.shows(c, spec.Server, protocol.MethodCallTool, spec.Tool)
}

// tool returns the function that a name calls. Every call goes through the host, so
// that it is gated and logged, including calls of a withheld tool and of an unknown
// tool.
func (g *Gateway) tool(ctx context.Context, c requester, name string) (runtime.Spec, func(context.Context, json.RawMessage, ...runtime.CallOption) (*runtime.Result, error)) {
	t := g.search.tool(c, name)
	if t == nil {
		t = g.tools.Load().byName[name]
		if t == nil || !g.settled.Load() && !g.lists(c, t.Spec()) { // a hidden tool takes as long as an unknown one
			g.awaitUnknown(ctx)
			t = g.tools.Load().byName[name]
		}
	}
	if t != nil {
		return t.Spec(), t.Call
	}
	// A tool under another spelling; one that is withheld, or whose server is not ready:
	// its call returns the reason.
	p, err := g.view.Find(name)
	if t := g.tools.Load().byName[g.view.Name(p.Server, p.Tool)]; t != nil {
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

// headerMark is the keyword of arguments that are also sent as headers.
const headerMark = `"x-mcp-header"`

// checkHeaders has the SDK compare the headers of calls over HTTP with their
// arguments. Only for that, the SDK gets the tools that have such headers.
func (g *Gateway) checkHeaders(before, now *toolList) {
	if before != nil {
		var gone []string
		for name := range before.headers {
			if now.byName[name] == nil {
				gone = append(gone, name)
			}
		}
		if gone != nil {
			g.server.RemoveTools(gone...)
		}
	}
	for _, t := range now.all {
		if now.headers[t.name] {
			g.checkHeadersOf(t)
		}
	}
}

// checkHeadersOf adds one tool. If its headers cannot be sent, they are not compared:
// the SDK panics, and clients leave out such a tool.
func (g *Gateway) checkHeadersOf(t listedTool) {
	defer func() {
		if why := recover(); why != nil {
			g.server.RemoveTools(t.name)
			g.opts.Logger.Warn("gateway: for this tool, the headers of calls are not compared with the arguments", "tool", t.name, "reason", why)
		}
	}()
	g.server.AddTool(&mcp.Tool{Name: t.name, InputSchema: json.RawMessage(jsontext.Member(t.modern, "inputSchema"))}, nil)
}
