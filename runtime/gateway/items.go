// Prompts, resources and resource templates.

package gateway

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"maps"
	"math"
	"net/url"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/mcpgen/mcpgen/internal/jsontext"
	"github.com/mcpgen/mcpgen/runtime"
	"github.com/mcpgen/mcpgen/runtime/attach"
	"github.com/mcpgen/mcpgen/runtime/attach/pinned"
	"github.com/mcpgen/mcpgen/runtime/endpoint"
	"github.com/mcpgen/mcpgen/runtime/naming"
	"github.com/mcpgen/mcpgen/runtime/protocol"
	"github.com/mcpgen/mcpgen/runtime/resources"
	"github.com/mcpgen/mcpgen/schema"
)

// keepItems is how long listings of servers are kept: a caller often lists prompts
// before it gets one.
const keepItems = 30 * time.Second

// catalog holds what servers list, except tools.
type catalog struct {
	mu      sync.Mutex
	servers string // that were present
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
	items []schema.Item // the last ones listed
	under chan struct{} // closed when the request in progress has ended; nil without one
	late  bool          // it did not answer in time, and is not waited for until it answers
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
	name   string      // in the callers' spelling
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
	c.servers, c.lists, c.asked = servers, nil, nil
	return true
}

func (c *catalog) get(kind schema.Kind) *itemList {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.lists[kind]
}

func (c *catalog) put(kind schema.Kind, l *itemList) {
	c.mu.Lock()
	defer c.mu.Unlock()
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
			c.asked[key] = &listing{items: l.items, late: l.late}
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
	l := g.listAnew(ctx, kind)
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
	return g.listAnew(ctx, kind)
}

// listAnew lists a kind at the servers, and keeps the list.
func (g *Gateway) listAnew(ctx context.Context, kind schema.Kind) *itemList {
	l := &itemList{taken: time.Now(), all: g.collect(ctx, kind)}
	if ctx.Err() == nil { // otherwise it may be incomplete
		g.items.put(kind, l)
	}
	return l
}

// collect lists a kind at all servers at the same time. A server that cannot answer
// loses only its own items, except the locked ones, which keep their names.
func (g *Gateway) collect(ctx context.Context, kind schema.Kind) []listedItem {
	status := g.host.Status()
	lists := make([][]listedItem, len(status))
	var asking sync.WaitGroup
	for i, st := range status {
		asking.Go(func() {
			pinned, locked := g.pinned(st.Server, kind)
			if locked || st.State != attach.Ready { // until it is ready, also data is as it was locked
				lists[i] = pinned
				return
			}
			for _, it := range g.itemsOf(ctx, st.Server, kind) {
				lists[i] = append(lists[i], listedItem{server: st.Server, item: it})
			}
		})
	}
	asking.Wait()
	all := slices.Concat(lists...)
	g.name(kind, all)
	return slices.DeleteFunc(all, func(it listedItem) bool { return it.def == nil })
}

// itemsOf lists the items of one server, and waits for at most listTime, once.
// Callers are notified of items that the server lists later, and get its previous
// listing until then. A server gets one request at a time.
func (g *Gateway) itemsOf(ctx context.Context, server string, kind schema.Kind) []schema.Item {
	c, key := &g.items, serverKind{server, kind}
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
	c.mu.Unlock()
	if !late {
		select {
		case <-under:
		case <-ctx.Done():
		case <-time.After(g.listTime):
			late = true
			g.opts.Logger.Warn("gateway: a server does not list its "+string(kind)+"s in time; clients are notified when it does", "server", server, "within", g.listTime)
		}
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	if late && l.under == under {
		l.late = true
	}
	return l.items
}

// ask has a server list its items.
func (g *Gateway) ask(l *listing, key serverKind) {
	items, err := g.host.Items(g.life, key.server, key.kind)
	if err != nil {
		g.opts.Logger.Warn("gateway: a server's "+string(key.kind)+"s cannot be listed: "+err.Error(), "server", key.server)
	}
	g.items.mu.Lock()
	late := l.late && err == nil
	if err == nil || !l.late {
		l.items = items
	}
	l.late = l.late && err != nil
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

// pinned returns the prompts, templates or resources that are in the lock of a
// server; locked reports that the server has no others. If resources are open they
// are data, which may come and go.
func (g *Gateway) pinned(server string, kind schema.Kind) (all []listedItem, locked bool) {
	key := lockedKind{serverKind{server, kind}, g.host.Resources(server)}
	read, _ := g.locked.LoadOrStore(key, sync.OnceValues(func() ([]listedItem, bool) { return g.readPinned(key) }))
	all, locked = read.(func() ([]listedItem, bool))()
	_, present := g.host.Offered(server)
	all = slices.Clone(all)
	for i := range all {
		all[i].absent = !present
	}
	return all, locked
}

// lockedKind identifies the locked items of one kind of a server.
type lockedKind struct {
	serverKind
	resources endpoint.Resources
}

// readPinned reads the locked items from the manifests, which do not change.
func (g *Gateway) readPinned(key lockedKind) ([]listedItem, bool) {
	manifests := pinned.Manifests(g.host.Judge(), key.server)
	if len(manifests) == 0 {
		return nil, false
	}
	locked := key.kind != schema.KindResource || resources.IsLocked(key.resources, manifests...)
	var all []listedItem
	places := map[string]int{}
	for _, m := range manifests {
		for _, ref := range m.Others() {
			if ref.Kind == string(key.kind) {
				places[ref.Name] = ref.Place
			}
		}
		text, err := jsontext.Whole([]byte(m.Snapshot()))
		if err != nil {
			continue // Manifest.Err reports it
		}
		jsontext.Each(jsontext.Member(text, memberOf(key.kind)), func(raw []byte) {
			item, err := schema.ParseItem(key.kind, jsontext.Compact(raw))
			if err != nil || slices.ContainsFunc(all, func(it listedItem) bool { return it.item.Name == item.Name }) {
				return
			}
			pin := "" // not checked
			if locked {
				pin, _ = schema.ContractHash(key.kind, item.Raw)
			}
			all = append(all, listedItem{server: key.server, item: item, pin: pin})
		})
	}
	place := func(it listedItem) int { return cmp.Or(places[it.item.Name], math.MaxInt) }
	slices.SortStableFunc(all, func(a, b listedItem) int { return cmp.Compare(place(a), place(b)) })
	return all, locked
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
		for _, it := range all {
			pairs = append(pairs, naming.Pair{Server: it.server, Tool: it.item.Name})
		}
		names, _, _ = naming.Assign(g.view.Scheme(), pairs, nil) // the scheme is valid, since it has named the tools
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

// wrapURI returns the gateway's URI of a server's resource or template. A gateway
// with bare names and one server does not change URIs.
func (g *Gateway) wrapURI(server, uri string) string {
	if g.bare() == server && server != "" {
		return uri
	}
	if app, ok := wrapApp(server, uri); ok {
		return app
	}
	return scheme + url.PathEscape(server) + "/" + uri
}

// unwrapURI reverses wrapURI; it is false for a URI without a server.
func (g *Gateway) unwrapURI(uri string) (server, own string, ok bool) {
	if server = g.bare(); server != "" {
		return server, uri, true // also a URI that another gateway has wrapped
	}
	rest, wrapped := strings.CutPrefix(uri, scheme)
	if escaped, own, found := strings.Cut(rest, "/"); wrapped && found {
		if server, err := url.PathUnescape(escaped); err == nil {
			return server, own, true
		}
	}
	return unwrapApp(uri)
}

// bare returns the only server of a gateway with bare names; "" for other gateways.
func (g *Gateway) bare() string {
	if status := g.host.Status(); g.view.Scheme() == naming.Bare && len(status) == 1 {
		return status[0].Server
	}
	return ""
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
		args, err := marshal(req.Params.Arguments)
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
	known, _ := g.pinned(server, schema.KindResource)
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
	if r.Args, err = marshal(args); err != nil {
		return nil, invalid(err.Error())
	}
	f := g.newFlight(req.Session, req, r.Server)
	if f.ref, f.absent = protocol.MethodReadResource, mcp.ResourceNotFoundError(ref.URI); ref.Type == "ref/prompt" {
		f.ref, f.absent = protocol.MethodGetPrompt, unknownPrompt(ref.Name)
	}
	f.method, f.name, f.caps = r.Method, r.Name, nil // completions ask no questions
	return f.carryOut(ctx, g.do(r), req.Params.Meta)
}
