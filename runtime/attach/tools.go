// The tools of a session by its last listing, which pins are compared with.

package attach

import (
	"cmp"
	"maps"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"github.com/mcpgen/mcpgen/runtime"
	"github.com/mcpgen/mcpgen/runtime/attach/internal/httpx"
	"github.com/mcpgen/mcpgen/runtime/protocol"
	"github.com/mcpgen/mcpgen/schema"
)

// toolIndex holds one listing of the tools. It is complete before a session shows it,
// and does not change afterwards: a later listing is another index.
type toolIndex struct {
	items        index
	listing      *listingID       // shared by the indexes of one listing; nil in tests alone
	found        []schema.Problem // in the listing itself
	problems     []schema.Problem // found, and the problems by the judgement
	taken        time.Time        // when the listing began: it lacks later changes
	unlisted     bool             // not listed yet: the tools come from the manifest or from the last use
	instructions string           // of the server, as long as it is unlisted
	judgement
}

// listingID identifies one listing by its address. It holds what is found out about
// the listing later.
type listingID struct {
	handed atomic.Bool // a snapshot has its tools: the next snapshot lists them again

	mu       sync.Mutex
	changes  int64                 // of the server's other items, when these were listed: see clientHandlers
	kinds    map[schema.Kind]index // prompts, resources and templates, as far as pins needed them
	verdicts map[itemPin]Verdict   // on the items of the manifest
}

// index holds the items of one kind by name. A contract hash is computed when first
// needed, since most items never need it.
type index map[string]*indexedItem

type indexedItem struct {
	item   schema.Item
	place  int          // in the listing
	tasks  taskSupport  // of a tool, if the server leaves the choice to its clients
	params httpx.Params // of a tool: arguments that are sent as headers as well
	once   sync.Once
	hash   string
	err    error
}

// inOrder returns the items in the server's order.
func (x index) inOrder() []schema.Item {
	items := make([]schema.Item, 0, len(x))
	for _, name := range x.names() {
		items = append(items, x[name].item)
	}
	return items
}

// names returns the names of the items in the server's order.
func (x index) names() []string {
	return slices.SortedFunc(maps.Keys(x), func(a, b string) int { return cmp.Or(cmp.Compare(x[a].place, x[b].place), cmp.Compare(a, b)) })
}

// contract returns the contract hash of an item; ok is false if the item does not
// exist.
func (x index) contract(name string) (hash string, ok bool, err error) {
	t := x[name]
	if t == nil {
		return "", false, nil
	}
	t.once.Do(func() { t.hash, t.err = schema.ContractHash(t.item.Kind, t.item.Raw) })
	return t.hash, true, t.err
}

// called returns the tool that a request calls; nil for other requests, and for a tool
// that is not listed.
func (x *toolIndex) called(req runtime.Request) *indexedItem {
	if x == nil || req.Method != protocol.MethodCallTool {
		return nil
	}
	return x.items[req.Name]
}
