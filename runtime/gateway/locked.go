// Prompts, resources and resource templates as they are locked.

package gateway

import (
	"cmp"
	"context"
	"encoding/json"
	"math"
	"slices"
	"sync"

	"github.com/mcpgen/mcpgen/internal/jsontext"
	"github.com/mcpgen/mcpgen/runtime/attach"
	"github.com/mcpgen/mcpgen/runtime/attach/pinned"
	"github.com/mcpgen/mcpgen/runtime/codec"
	"github.com/mcpgen/mcpgen/runtime/endpoint"
	"github.com/mcpgen/mcpgen/runtime/internal/resources"
	"github.com/mcpgen/mcpgen/schema"
)

// lockedItems are the prompts, templates or resources that are in the lock of a
// server.
type lockedItems struct {
	all   []listedItem
	only  bool          // the server has no others; if resources are open they are data, which may come and go
	judge attach.Pinned // nil: there is no lock
}

// pinned returns the locked items of a server.
func (c *catalog) pinned(server string, kind schema.Kind) lockedItems {
	key := lockedKind{serverKind{server, kind}, c.host.Resources(server)}
	read, _ := c.locked.LoadOrStore(key, sync.OnceValue(func() lockedItems { return c.readPinned(key) }))
	l := read.(func() lockedItems)()
	_, present := c.host.Offered(server)
	l.all = slices.Clone(l.all)
	for i := range l.all {
		l.all[i].absent = !present
	}
	return l
}

// offers returns the items of a server that callers get.
func (l lockedItems) offers(ctx context.Context, live []schema.Item) (all []schema.Item) {
	for _, it := range live {
		if it, ok := l.offer(ctx, it); ok {
			all = append(all, it)
		}
	}
	return all
}

// offer returns a server's item in the form that callers get. A locked item has its
// locked texts. Other items have no texts, because they are not reviewed. An item is left
// out if the rules about new items find something.
func (l lockedItems) offer(ctx context.Context, live schema.Item) (schema.Item, bool) {
	if l.judge == nil {
		return live, true
	}
	if i := slices.IndexFunc(l.all, func(it listedItem) bool { return it.item.Name == live.Name }); i >= 0 {
		return l.all[i].item, true
	}
	if v, judged, err := l.judge.CompareItem(ctx, live, ""); err != nil || judged && v.State != attach.New {
		return live, false
	}
	var data struct {
		URI  string      `json:"uri"`
		Name string      `json:"name"`
		Type string      `json:"mimeType,omitempty"`
		Size json.Number `json:"size,omitempty"`
	}
	_ = json.Unmarshal(live.Raw, &data) // what is of another type is left out
	raw, err := jsontext.Marshal(data)
	return schema.Item{Kind: live.Kind, Name: live.Name, Raw: raw}, err == nil
}

// lockedKind identifies the locked items of one kind of a server.
type lockedKind struct {
	serverKind
	resources endpoint.Resources
}

// readPinned reads the locked items from the manifests, which only a reload changes.
func (c *catalog) readPinned(key lockedKind) lockedItems {
	manifests := pinned.Manifests(c.host.Judge(), key.server)
	if len(manifests) == 0 {
		return lockedItems{}
	}
	locked := key.kind != schema.KindResource || resources.IsLocked(key.resources, manifests...)
	var all []listedItem
	refs := map[string]codec.ItemRef{}
	for _, m := range manifests {
		for _, ref := range m.Others() {
			if ref.Kind == string(key.kind) {
				refs[ref.Name] = ref
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
			all = append(all, listedItem{server: key.server, item: item, name: refs[item.Name].Qualified, pin: pin})
		})
	}
	place := func(it listedItem) int { return cmp.Or(refs[it.item.Name].Place, math.MaxInt) }
	slices.SortStableFunc(all, func(a, b listedItem) int { return cmp.Compare(place(a), place(b)) })
	return lockedItems{all, locked, c.host.Judge().Pinned(key.server)}
}

// forgetLocks has the locked items read again.
func (c *catalog) forgetLocks() {
	c.locked.Clear()
	c.mu.Lock()
	defer c.mu.Unlock()
	c.drop()
}
