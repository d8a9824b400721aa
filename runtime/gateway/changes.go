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
	"sync/atomic"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/mcpgen/mcpgen/runtime/attach"
	"github.com/mcpgen/mcpgen/runtime/event"
	"github.com/mcpgen/mcpgen/schema"
)

// changes follows what the servers offer.
type changes struct {
	*common
	tools    *toolbox
	items    *catalog
	began    time.Time
	listTime time.Duration // see the constant
	settled  atomic.Bool   // unknown servers are not waited for any more
	updating sync.Mutex
	news     news // of tools
}

// update compares what the host offers with what callers have seen, and notifies
// callers of differences.
func (c *changes) update() {
	c.updating.Lock()
	defer c.updating.Unlock()
	list, err := c.tools.read()
	if err != nil {
		c.log.Warn("gateway: the tools cannot be named: " + err.Error())
		return
	}
	before := c.tools.list.Swap(list)
	c.news.wake()
	if before == nil || !before.same(list) {
		c.tools.checkHeaders(before, list)
		notifyChanged(c.server, schema.KindTool)
	}
	if c.items.forget(presentAt(c.host)) {
		notifyChanged(c.server, schema.KindPrompt)
		notifyChanged(c.server, schema.KindResource)
	}
}

// notifyChanged notifies callers that tools, prompts, or resources and templates, have
// changed. The SDK only notifies of changes of what it has: listings leave it out.
func notifyChanged(server *mcp.Server, kind schema.Kind) {
	switch kind {
	case schema.KindTool:
		server.AddTool(&mcp.Tool{Name: hidden, InputSchema: json.RawMessage(`{"type":"object"}`)}, nil)
	case schema.KindPrompt:
		server.AddPrompt(&mcp.Prompt{Name: hidden}, nil)
	default:
		server.AddResource(&mcp.Resource{Name: hidden, URI: scheme + hidden}, nil)
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

// follow lists prompts and resources again when servers report changes, until
// ctx ends. Kinds that no caller has listed are not listed. After a reload, the lock or the
// policy may show callers something else: all of them are notified.
func (c *changes) follow(ctx context.Context) {
	happened, news := c.host.Events(ctx), make(chan struct{}, 1)
	c.going.Go(func() {
		defer close(news)
		for e := range happened {
			if e.Kind == event.Reloaded {
				c.items.forgetLocks()
				for _, kind := range []schema.Kind{schema.KindTool, schema.KindPrompt, schema.KindResource} {
					notifyChanged(c.server, kind)
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
	c.going.Go(func() {
		for range news {
			pause(ctx, itemsDelay)
			for _, kind := range []schema.Kind{schema.KindPrompt, schema.KindResource, schema.KindTemplate} {
				if c.items.relist(ctx, kind) {
					notifyChanged(c.server, kind)
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

// presentAt returns the names of the servers that are present, in their order, and
// which are ready.
func presentAt(host *attach.Host) string {
	var names []string
	for _, st := range host.Status() {
		if _, ok := host.Offered(st.Server); ok {
			names = append(names, fmt.Sprintf("%s %t", st.Server, st.State == attach.Ready))
		}
	}
	return strings.Join(names, "\n")
}

// settle waits for servers that are neither locked nor have listed anything. It
// waits once, and no longer than listTime after the gateway was made. It does not
// wait for other servers.
func (c *changes) settle(ctx context.Context) {
	if c.settled.Load() {
		return
	}
	within, cancel := context.WithDeadline(ctx, c.began.Add(c.listTime))
	defer cancel()
	for within.Err() == nil {
		next := c.news.next()
		unknown := func(st attach.Status) bool { // it is starting, and its tools are unknown
			o, _ := c.host.Offered(st.Server)
			return st.State == attach.Connecting && o == attach.Offered{}
		}
		if !slices.ContainsFunc(c.host.Status(), unknown) {
			break
		}
		select {
		case <-next:
		case <-within.Done():
		}
	}
	if ctx.Err() == nil {
		c.update() // its event may still be on its way
		c.settled.Store(true)
	}
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
