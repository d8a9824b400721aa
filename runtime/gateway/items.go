// Prompts, resources and resource templates.

package gateway

import (
	"bytes"
	"context"
	"encoding/json"
	"maps"
	"net/url"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/mcpgen/mcpgen/internal/jsontext"
	"github.com/mcpgen/mcpgen/runtime"
	"github.com/mcpgen/mcpgen/runtime/attach"
	"github.com/mcpgen/mcpgen/runtime/naming"
	"github.com/mcpgen/mcpgen/runtime/protocol"
	"github.com/mcpgen/mcpgen/schema"
)

// keepItems is how long listings of servers are kept: a caller often lists prompts
// before it gets one.
const keepItems = 30 * time.Second

// catalog holds what servers list, except tools.
type catalog struct {
	mu      sync.Mutex
	servers string    // that were present
	changed time.Time // when they, or the locks, last changed
	lists   map[schema.Kind]*itemList
	asked   map[serverKind]*listing
}

// serverKind is one listing of one server.
type serverKind struct {
	server string
	kind   schema.Kind
}

// listing is the state of one listing of a server.
type listing struct {
	items  []schema.Item // the last ones listed
	listed bool          // it has answered once
	under  chan struct{} // closed when the request in progress has ended; nil without one
	late   bool          // it did not answer in time, and is not waited for until it answers
	passed bool          // somebody did not wait for the request in progress
}

// listTime is how long a listing waits for one server.
const listTime = 5 * time.Second

// itemList is one listing over all servers.
type itemList struct {
	all   []listedItem
	taken time.Time
}

// listedItem is one item as callers see it.
type listedItem struct {
	server string
	item   schema.Item // the server's
	name   string      // in the callers' spelling; of a locked prompt, until it is named, the locked name
	def    json.RawMessage
	pin    string // the locked contract; "" for an item that is only listed
	absent bool   // locked, but its server is not present: not listed, and a call reports the reason
}

// forget drops the listings if other servers are present than before, and reports
// whether it did.
func (c *catalog) forget(servers string) bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.servers == servers {
		return false
	}
	c.servers = servers
	c.drop()
	return true
}

// drop drops the listings; mu is held.
func (c *catalog) drop() { c.changed, c.lists, c.asked = time.Now(), nil, nil }

func (c *catalog) get(kind schema.Kind) *itemList {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.lists[kind]
}

func (c *catalog) put(kind schema.Kind, l *itemList) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if l.taken.Before(c.changed) {
		return
	}
	if c.lists == nil {
		c.lists = map[schema.Kind]*itemList{}
	}
	c.lists[kind] = l
}

// askAgain has servers list a kind once more. Requests in progress are ignored, since
// they may have begun before a change.
func (c *catalog) askAgain(kind schema.Kind) {
	c.mu.Lock()
	defer c.mu.Unlock()
	for key, l := range c.asked {
		if key.kind == kind && l.under != nil {
			c.asked[key] = &listing{items: l.items, listed: l.listed, late: l.late}
		}
	}
}

// relist lists a kind again if callers have listed it, and reports whether the list
// has changed.
func (g *Gateway) relist(ctx context.Context, kind schema.Kind) bool {
	known := g.items.get(kind)
	if known == nil {
		return false
	}
	g.items.askAgain(kind)
	l := g.listAnew(ctx, kind, true)
	return ctx.Err() == nil && !slices.EqualFunc(known.all, l.all, func(a, b listedItem) bool { return a.absent == b.absent && bytes.Equal(a.def, b.def) })
}

// list returns one listing, which is at most as old as keepItems, or with afresh as a
// second.
func (g *Gateway) list(ctx context.Context, kind schema.Kind, afresh bool) *itemList {
	g.awaitUnknown(ctx)
	keep := keepItems
	if afresh {
		keep = time.Second
	}
	known := g.items.get(kind)
	if known != nil && time.Since(known.taken) < keep {
		return known
	}
	return g.listAnew(ctx, kind, false)
}

// listAnew lists a kind at the servers, and keeps the list. See collect.
func (g *Gateway) listAnew(ctx context.Context, kind schema.Kind, wait bool) *itemList {
	l := &itemList{taken: time.Now(), all: g.collect(ctx, kind, wait)}
	if ctx.Err() == nil { // otherwise it may be incomplete
		g.items.put(kind, l)
	}
	return l
}

// collect lists a kind at all servers at the same time. A server that cannot answer
// loses only its own items, except the locked ones, which keep their names. Without wait,
// a server with a lock gives the items of its last list, or else the locked ones, at once.
func (g *Gateway) collect(ctx context.Context, kind schema.Kind, wait bool) []listedItem {
	status := g.host.Status()
	lists := make([][]listedItem, len(status))
	var asking sync.WaitGroup
	for i, st := range status {
		asking.Go(func() {
			l := g.pinned(st.Server, kind)
			if l.only || st.State != attach.Ready { // until it is ready, also data is as it was locked
				lists[i] = l.all
				return
			}
			items, listed := g.itemsOf(ctx, serverKind{st.Server, kind}, wait || l.judge == nil)
			if !listed && l.judge != nil {
				lists[i] = l.all
				return
			}
			for _, it := range l.offers(ctx, items) {
				lists[i] = append(lists[i], listedItem{server: st.Server, item: it})
			}
		})
	}
	asking.Wait()
	all := slices.Concat(lists...)
	g.name(kind, all)
	return slices.DeleteFunc(all, func(it listedItem) bool { return it.def == nil })
}

// itemsOf lists the items of one server, and reports whether it has listed any. With wait,
// it waits for at most listTime, once. Callers are notified of items that the server lists
// later, and get its previous listing until then. A server gets one request at a time.
func (g *Gateway) itemsOf(ctx context.Context, key serverKind, wait bool) ([]schema.Item, bool) {
	c := &g.items
	c.mu.Lock()
	l := c.asked[key]
	if l == nil {
		if c.asked == nil {
			c.asked = map[serverKind]*listing{}
		}
		l = &listing{}
		c.asked[key] = l
	}
	if l.under == nil {
		l.under = make(chan struct{})
		g.following.Go(func() { g.ask(l, key) })
	}
	under, late := l.under, l.late
	l.passed = l.passed || !wait
	c.mu.Unlock()
	if !late && wait {
		select {
		case <-under:
		case <-ctx.Done():
		case <-time.After(g.listTime):
			late = true
			g.opts.Logger.Warn("gateway: a server does not list its "+string(key.kind)+"s in time; clients are notified when it does", "server", key.server, "within", g.listTime)
		}
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	if late && l.under == under {
		l.late = true
	}
	return l.items, l.listed
}

// ask has a server list its items.
func (g *Gateway) ask(l *listing, key serverKind) {
	items, err := g.host.Items(g.life, key.server, key.kind)
	if err != nil && g.life.Err() == nil {
		g.opts.Logger.Warn("gateway: a server's "+string(key.kind)+"s cannot be listed: "+err.Error(), "server", key.server)
	}
	g.items.mu.Lock()
	old, listed := l.items, l.listed
	g.items.mu.Unlock()
	news := err == nil && g.differ(key, old, items, listed)
	g.items.mu.Lock()
	late := err == nil && (l.late || l.passed && news)
	if err == nil || !l.late {
		l.items, l.listed = items, l.listed || err == nil
	}
	l.late, l.passed = l.late && err != nil, false
	close(l.under)
	l.under = nil
	if late {
		delete(g.items.lists, key.kind)
	}
	g.items.mu.Unlock()
	if late {
		g.notifyChanged(key.kind)
	}
}

// differ reports whether callers see other items of a server with a lock when it lists new
// than they did before: old, or, if it has listed none, the locked ones.
func (g *Gateway) differ(key serverKind, old, new []schema.Item, listed bool) bool {
	l := g.pinned(key.server, key.kind)
	if l.judge == nil {
		return false
	}
	before := map[string]string{}
	for _, it := range l.offers(g.life, old) {
		before[it.Name] = string(it.Raw)
	}
	if !listed {
		for _, it := range l.all {
			before[it.item.Name] = string(it.item.Raw)
		}
	}
	offered := l.offers(g.life, new)
	return len(offered) != len(before) ||
		slices.ContainsFunc(offered, func(it schema.Item) bool { raw, ok := before[it.Name]; return !ok || raw != string(it.Raw) })
}

// memberOf returns the member of a listing, and of a snapshot, that holds the items
// of a kind.
func memberOf(kind schema.Kind) string {
	return map[schema.Kind]string{schema.KindPrompt: "prompts", schema.KindTemplate: "resourceTemplates", schema.KindResource: "resources"}[kind]
}

// name sets the names and the definitions by which callers know items.
func (g *Gateway) name(kind schema.Kind, all []listedItem) {
	member, names := `"name"`, map[naming.Pair]string{}
	if kind == schema.KindPrompt {
		var pairs []naming.Pair
		held := map[naming.Pair]string{}
		for _, it := range all {
			pair := naming.Pair{Server: it.server, Tool: it.item.Name}
			pairs, held[pair] = append(pairs, pair), it.name
		}
		names, _, _ = naming.Assign(g.view.Scheme(), pairs, held) // the scheme is valid, since it has named the tools
	}
	for i := range all {
		it := &all[i]
		switch kind {
		case schema.KindPrompt:
			it.name = names[naming.Pair{Server: it.server, Tool: it.item.Name}]
		case schema.KindResource:
			it.name, member = g.wrapURI(it.server, it.item.Name), `"uri"`
		default:
			it.name, member = g.wrapURI(it.server, it.item.Name), `"uriTemplate"`
		}
		raw := jsontext.Compact(it.item.Raw)
		if it.name == "" || len(raw) == 0 {
			continue
		}
		it.def = jsontext.AppendMember(nil, raw, member, func(b []byte) []byte { return jsontext.AppendString(b, it.name) })
	}
}

// scheme begins the URIs of the gateway: mcpgen://server/ and the server's own.
const scheme = "mcpgen://"

// wrapURI returns the gateway's URI of a server's resource or template. A gateway with
// bare names does not change the URIs of g.bare, the only server that it began with:
// they stay its own when others come.
func (g *Gateway) wrapURI(server, uri string) string {
	if g.bare == server && server != "" {
		if _, _, wrapped := ownerOf(uri); !wrapped || g.hasOne() {
			return uri
		}
	}
	if app, ok := wrapApp(server, uri); ok {
		return app
	}
	return scheme + url.PathEscape(server) + "/" + uri
}

// unwrapURI reverses wrapURI; it is false for a URI without a server.
func (g *Gateway) unwrapURI(uri string) (server, own string, ok bool) {
	if server, own, ok = ownerOf(uri); ok && !g.hasOne() {
		return server, own, true
	}
	if g.bare != "" {
		return g.bare, uri, true // perhaps a URI that another gateway has wrapped
	}
	return server, own, ok
}

// hasOne reports whether the gateway has no server but g.bare.
func (g *Gateway) hasOne() bool {
	if g.bare == "" {
		return false
	}
	status := g.host.Status()
	return len(status) == 1 && status[0].Server == g.bare
}

// ownerOf returns the parts of a URI that wrapURI has wrapped.
func ownerOf(uri string) (server, own string, ok bool) {
	rest, wrapped := strings.CutPrefix(uri, scheme)
	if escaped, own, found := strings.Cut(rest, "/"); wrapped && found {
		if server, err := url.PathUnescape(escaped); err == nil {
			return server, own, true
		}
	}
	return unwrapApp(uri)
}

// itemsPage answers the listings of prompts, resources and templates.
func (g *Gateway) itemsPage(ctx context.Context, kind schema.Kind, cursor, revision string, extra *mcp.RequestExtra) (mcp.Result, error) {
	caller, method := callerOf(ctx, extra), protocol.MethodReadResource
	if kind == schema.KindPrompt {
		method = protocol.MethodGetPrompt
	}
	l := g.list(ctx, kind, cursor == "")
	shown := slices.DeleteFunc(slices.Clone(l.all), func(it listedItem) bool {
		return it.absent || !g.shows(caller, it.server, method, it.item.Name)
	})
	return page(revision >= modern, memberOf(kind), cursor, shown, func(it listedItem) (string, json.RawMessage) { return it.name, it.def })
}

// find returns the item with a name, in any spelling that [naming.Find] accepts.
func (g *Gateway) find(ctx context.Context, kind schema.Kind, name string) (listedItem, bool) {
	for _, afresh := range []bool{false, true} {
		items, names := map[naming.Pair]listedItem{}, map[naming.Pair]string{}
		for _, it := range g.list(ctx, kind, afresh).all {
			pair := naming.Pair{Server: it.server, Tool: it.item.Name}
			items[pair], names[pair] = it, it.name
		}
		if found := naming.Find(g.view.Scheme(), slices.Collect(maps.Keys(items)), names, name); len(found) == 1 {
			return items[found[0]], true
		}
	}
	return listedItem{}, false
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
	it, ok := g.find(ctx, schema.KindPrompt, req.Params.Name)
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
	f := g.newFlight(req.Session, req, it.server)
	f.absent = unknownPrompt(req.Params.Name)
	f.method, f.name, f.token, f.state = r.Method, req.Params.Name, req.Params.GetProgressToken(), req.Params.RequestState
	return f.carryOut(ctx, g.do(r), req.Params.Meta)
}

// readResource answers resources/read. Any resource that the host's middleware allows
// may be read, listed or not, since templates describe further ones. A locked
// resource carries its pin.
func (g *Gateway) readResource(ctx context.Context, req *mcp.ReadResourceRequest) (mcp.Result, error) {
	server, uri, ok := g.unwrapURI(req.Params.URI)
	if !ok {
		return nil, mcp.ResourceNotFoundError(req.Params.URI)
	}
	r := runtime.Request{Server: server, Method: protocol.MethodReadResource, Name: uri}
	known := g.pinned(server, schema.KindResource).all
	if i := slices.IndexFunc(known, func(it listedItem) bool { return it.item.Name == uri }); i >= 0 {
		r.Pin = known[i].pin
	}
	f := g.newFlight(req.Session, req, server)
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
	if ref.Type == "ref/prompt" {
		it, ok := g.find(ctx, schema.KindPrompt, ref.Name)
		if !ok {
			return nil, unknownPrompt(ref.Name)
		}
		r.Server, r.Name, own["name"] = it.server, it.item.Name, it.item.Name
	} else {
		server, uri, ok := g.unwrapURI(ref.URI)
		if !ok {
			return nil, mcp.ResourceNotFoundError(ref.URI)
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
	f := g.newFlight(req.Session, req, r.Server)
	if f.ref, f.absent = protocol.MethodReadResource, mcp.ResourceNotFoundError(ref.URI); ref.Type == "ref/prompt" {
		f.ref, f.absent = protocol.MethodGetPrompt, unknownPrompt(ref.Name)
	}
	f.method, f.name, f.caps = r.Method, r.Name, nil // completions ask no questions
	return f.carryOut(ctx, g.do(r), req.Params.Meta)
}
