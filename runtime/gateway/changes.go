// What the servers offer changes: callers are notified, and listings wait for
// servers that have neither a lock nor a listing yet.

package gateway

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/mcpgen/mcpgen/runtime/attach"
	"github.com/mcpgen/mcpgen/runtime/event"
	"github.com/mcpgen/mcpgen/schema"
)

// update compares what the host offers with what callers have seen, and notifies
// callers of differences.
func (g *Gateway) update() {
	g.updating.Lock()
	defer g.updating.Unlock()
	list, err := g.listTools()
	if err != nil {
		g.opts.Logger.Warn("gateway: the tools cannot be named: " + err.Error())
		return
	}
	before := g.tools.Swap(list)
	g.news.wake()
	if before == nil || !before.same(list) {
		g.checkHeaders(before, list)
		g.notifyChanged(schema.KindTool)
	}
	if g.items.forget(g.present()) {
		g.notifyChanged(schema.KindPrompt)
		g.notifyChanged(schema.KindResource)
	}
}

// notifyChanged notifies callers that tools, prompts, or resources and templates, have
// changed. The SDK only notifies of changes of what it has: listings leave it out.
func (g *Gateway) notifyChanged(kind schema.Kind) {
	switch kind {
	case schema.KindTool:
		g.server.AddTool(&mcp.Tool{Name: hidden, InputSchema: json.RawMessage(`{"type":"object"}`)}, nil)
	case schema.KindPrompt:
		g.server.AddPrompt(&mcp.Prompt{Name: hidden}, nil)
	default:
		g.server.AddResource(&mcp.Resource{Name: hidden, URI: scheme + hidden}, nil)
	}
}

// Prompts and resources are listed again itemsDelay after a server reports a change,
// so that several reports count as one. The next listing follows after itemsPause at
// the earliest: a server that reports changes all the time must neither hide the
// changes of other servers nor cause endless listings.
const (
	itemsDelay = 500 * time.Millisecond
	itemsPause = 3 * time.Second
)

// followItems lists prompts and resources again when servers report changes, until
// ctx ends. Kinds that no caller has listed are not listed. After a reload, the lock or the
// policy may show callers something else: all of them are notified.
func (g *Gateway) followItems(ctx context.Context) {
	happened, news := g.host.Events(ctx), make(chan struct{}, 1)
	g.following.Go(func() {
		defer close(news)
		for e := range happened {
			if e.Kind == event.Reloaded {
				g.forgetLocks()
				for _, kind := range []schema.Kind{schema.KindTool, schema.KindPrompt, schema.KindResource} {
					g.notifyChanged(kind)
				}
			}
			if e.Kind == event.ListChanged && e.Detail != "" {
				select {
				case news <- struct{}{}:
				default: // already signalled
				}
			}
		}
	})
	g.following.Go(func() {
		for range news {
			pause(ctx, itemsDelay)
			for _, kind := range []schema.Kind{schema.KindPrompt, schema.KindResource, schema.KindTemplate} {
				if g.relist(ctx, kind) {
					g.notifyChanged(kind)
				}
			}
			pause(ctx, itemsPause)
		}
	})
}

// pause waits, or returns early if ctx ends.
func pause(ctx context.Context, d time.Duration) {
	select {
	case <-time.After(d):
	case <-ctx.Done():
	}
}

// hidden is the name of a tool for the SDK alone. Listings leave it out, and no other
// tool can have it.
const hidden = "-"

// present returns the names of the servers that are present, in their order, and
// which are ready.
func (g *Gateway) present() string {
	var names []string
	for _, st := range g.host.Status() {
		if _, ok := g.host.Offered(st.Server); ok {
			names = append(names, fmt.Sprintf("%s %t", st.Server, st.State == attach.Ready))
		}
	}
	return strings.Join(names, "\n")
}

// awaitUnknown waits for servers that are neither locked nor have listed anything. It
// waits once, and no longer than listTime after the gateway was made. It does not
// wait for other servers.
func (g *Gateway) awaitUnknown(ctx context.Context) {
	if g.settled.Load() {
		return
	}
	within, cancel := context.WithDeadline(ctx, g.began.Add(g.listTime))
	defer cancel()
	for within.Err() == nil {
		next := g.news.next()
		if !slices.ContainsFunc(g.host.Status(), g.isUnknown) {
			break
		}
		select {
		case <-next:
		case <-within.Done():
		}
	}
	if ctx.Err() == nil {
		g.update() // its event may still be on its way
		g.settled.Store(true)
	}
}

// isUnknown reports whether a server is starting and its tools are unknown.
func (g *Gateway) isUnknown(st attach.Status) bool {
	o, _ := g.host.Offered(st.Server)
	return st.State == attach.Connecting && o == attach.Offered{}
}

// news wakes goroutines that wait for a change.
type news struct {
	mu      sync.Mutex
	waiting chan struct{}
}

// next returns a channel that is closed at the next change.
func (n *news) next() <-chan struct{} {
	n.mu.Lock()
	defer n.mu.Unlock()
	if n.waiting == nil {
		n.waiting = make(chan struct{})
	}
	return n.waiting
}

func (n *news) wake() {
	n.mu.Lock()
	defer n.mu.Unlock()
	if n.waiting != nil {
		close(n.waiting)
		n.waiting = nil
	}
}
