// What servers list, except tools: prompts, resources and resource templates.

package gateway

import (
	"bytes"
	"context"
	"encoding/json"
	"maps"
	"slices"
	"sync"
	"time"

	"github.com/mcpgen/mcpgen/internal/jsontext"
	"github.com/mcpgen/mcpgen/runtime/attach"
	"github.com/mcpgen/mcpgen/runtime/naming"
	"github.com/mcpgen/mcpgen/schema"
)

// keepItems is how long listings of servers are kept: a caller often lists prompts
// before it gets one.
const keepItems = 30 * time.Second

// catalog holds what servers list, except tools.
type catalog struct {
	*common
	listTime time.Duration // see the constant
	locked   sync.Map      // lockedKind → func() lockedItems

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
func (c *catalog) relist(ctx context.Context, kind schema.Kind) bool {
	known := c.get(kind)
	if known == nil {
		return false
	}
	c.askAgain(kind)
	l := c.listAnew(ctx, kind, true)
	return ctx.Err() == nil && !slices.EqualFunc(known.all, l.all, func(a, b listedItem) bool { return a.absent == b.absent && bytes.Equal(a.def, b.def) })
}

// list returns one listing, which is at most as old as keepItems, or with afresh as a
// second.
func (c *catalog) list(ctx context.Context, kind schema.Kind, afresh bool) *itemList {
	keep := keepItems
	if afresh {
		keep = time.Second
	}
	known := c.get(kind)
	if known != nil && time.Since(known.taken) < keep {
		return known
	}
	return c.listAnew(ctx, kind, false)
}

// listAnew lists a kind at the servers, and keeps the list. See collect.
func (c *catalog) listAnew(ctx context.Context, kind schema.Kind, wait bool) *itemList {
	l := &itemList{taken: time.Now(), all: c.collect(ctx, kind, wait)}
	if ctx.Err() == nil { // otherwise it may be incomplete
		c.put(kind, l)
	}
	return l
}

// collect lists a kind at all servers at the same time. A server that cannot answer
// loses only its own items, except the locked ones, which keep their names. Without wait,
// a server with a lock gives the items of its last list, or else the locked ones, at once.
func (c *catalog) collect(ctx context.Context, kind schema.Kind, wait bool) []listedItem {
	status := c.host.Status()
	lists := make([][]listedItem, len(status))
	var asking sync.WaitGroup
	for i, st := range status {
		asking.Go(func() {
			l := c.pinned(st.Server, kind)
			if l.only || st.State != attach.Ready { // until it is ready, also data is as it was locked
				lists[i] = l.all
				return
			}
			items, listed := c.itemsOf(ctx, serverKind{st.Server, kind}, wait || l.judge == nil)
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
	c.name(kind, all)
	return slices.DeleteFunc(all, func(it listedItem) bool { return it.def == nil })
}

// itemsOf lists the items of one server, and reports whether it has listed any. With wait,
// it waits for at most listTime, once. Callers are notified of items that the server lists
// later, and get its previous listing until then. A server gets one request at a time.
func (c *catalog) itemsOf(ctx context.Context, key serverKind, wait bool) ([]schema.Item, bool) {
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
		c.going.Go(func() { c.ask(l, key) })
	}
	under, late := l.under, l.late
	l.passed = l.passed || !wait
	c.mu.Unlock()
	if !late && wait {
		select {
		case <-under:
		case <-ctx.Done():
		case <-time.After(c.listTime):
			late = true
			c.log.Warn("gateway: a server does not list its "+string(key.kind)+"s in time; clients are notified when it does", "server", key.server, "within", c.listTime)
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
func (c *catalog) ask(l *listing, key serverKind) {
	items, err := c.host.Items(c.life, key.server, key.kind)
	if err != nil && c.life.Err() == nil {
		c.log.Warn("gateway: a server's "+string(key.kind)+"s cannot be listed: "+err.Error(), "server", key.server)
	}
	c.mu.Lock()
	old, listed := l.items, l.listed
	c.mu.Unlock()
	news := err == nil && c.differ(key, old, items, listed)
	c.mu.Lock()
	late := err == nil && (l.late || l.passed && news)
	if err == nil || !l.late {
		l.items, l.listed = items, l.listed || err == nil
	}
	l.late, l.passed = l.late && err != nil, false
	close(l.under)
	l.under = nil
	if late {
		delete(c.lists, key.kind)
	}
	c.mu.Unlock()
	if late {
		notifyChanged(c.server, key.kind)
	}
}

// differ reports whether callers see other items of a server with a lock when it lists new
// than they did before: old, or, if it has listed none, the locked ones.
func (c *catalog) differ(key serverKind, old, new []schema.Item, listed bool) bool {
	l := c.pinned(key.server, key.kind)
	if l.judge == nil {
		return false
	}
	before := map[string]string{}
	for _, it := range l.offers(c.life, old) {
		before[it.Name] = string(it.Raw)
	}
	if !listed {
		for _, it := range l.all {
			before[it.item.Name] = string(it.item.Raw)
		}
	}
	offered := l.offers(c.life, new)
	return len(offered) != len(before) ||
		slices.ContainsFunc(offered, func(it schema.Item) bool { raw, ok := before[it.Name]; return !ok || raw != string(it.Raw) })
}

// memberOf returns the member of a listing, and of a snapshot, that holds the items
// of a kind.
func memberOf(kind schema.Kind) string {
	return map[schema.Kind]string{schema.KindPrompt: "prompts", schema.KindTemplate: "resourceTemplates", schema.KindResource: "resources"}[kind]
}

// name sets the names and the definitions by which callers know items.
func (c *catalog) name(kind schema.Kind, all []listedItem) {
	member, names := "name", map[naming.Pair]string{}
	if kind == schema.KindPrompt {
		var pairs []naming.Pair
		held := map[naming.Pair]string{}
		for _, it := range all {
			pair := naming.Pair{Server: it.server, Tool: it.item.Name}
			pairs, held[pair] = append(pairs, pair), it.name
		}
		names, _, _ = naming.Assign(c.view.Scheme(), pairs, held) // the scheme is valid, since it has named the tools
	}
	for i := range all {
		it := &all[i]
		switch kind {
		case schema.KindPrompt:
			it.name = names[naming.Pair{Server: it.server, Tool: it.item.Name}]
		case schema.KindResource:
			it.name, member = c.uris.wrap(it.server, it.item.Name), "uri"
		default:
			it.name, member = c.uris.wrap(it.server, it.item.Name), "uriTemplate"
		}
		raw := jsontext.Compact(it.item.Raw)
		if it.name == "" || len(raw) == 0 {
			continue
		}
		it.def = withMember(raw, member, jsontext.AppendString(nil, it.name))
	}
}

// find returns the item with a name, in any spelling that [naming.Find] accepts.
func (c *catalog) find(ctx context.Context, kind schema.Kind, name string) (listedItem, bool) {
	for _, afresh := range []bool{false, true} {
		items, names := map[naming.Pair]listedItem{}, map[naming.Pair]string{}
		for _, it := range c.list(ctx, kind, afresh).all {
			pair := naming.Pair{Server: it.server, Tool: it.item.Name}
			items[pair], names[pair] = it, it.name
		}
		if found := naming.Find(c.view.Scheme(), slices.Collect(maps.Keys(items)), names, name); len(found) == 1 {
			return items[found[0]], true
		}
	}
	return listedItem{}, false
}
