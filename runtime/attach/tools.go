// The tools of a session as they were listed last: what pins are checked against.

package attach

import (
	"cmp"
	"context"
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

// toolIndex holds one listing of the tools. It is complete before a session
// shows it, and does not change after that: a later listing is another index.
type toolIndex struct {
	items    index
	listing  *listingID       // shared by the indexes of one listing; nil in tests alone
	found    []schema.Problem // what is wrong with the listing itself
	problems []schema.Problem // that, and what is wrong by the judgement
	taken    time.Time        // when the listing began: later changes are not in it
	unlisted bool             // nothing was listed: these are the tools of manifests
	judgement
}

// listingID stands for one listing, by its address. Handed says that a snapshot has the tools
// of it: the next one lists them afresh.
type listingID struct{ handed atomic.Bool }

// index is the items of one kind by name. Their contract hashes are computed when
// first needed: most items are never asked for.
type index map[string]*indexedItem

type indexedItem struct {
	item   schema.Item
	place  int          // in the listing
	tasks  taskSupport  // of a tool of a server that leaves tasks to its clients
	params httpx.Params // of a tool: arguments that are sent as headers as well
	once   sync.Once
	hash   string
	err    error
}

// takeTools lists the tools. The session does not show them yet: they have to be
// judged before.
func (s *session) takeTools(ctx context.Context) (*toolIndex, error) {
	began := time.Now()
	items, problems, err := s.list(ctx, listings()[0])
	if err != nil && isMethodNotFound(err) && !s.handshake.has("tools") {
		items, problems, err = nil, nil, nil
	}
	if err != nil {
		return nil, err
	}
	if len(items) == 0 && !s.server.AllowEmpty {
		problems = append(problems, schema.Problem{Kind: schema.KindTool, Reason: ErrEmpty.Error() + ", and allow_empty is not set"})
	}
	x := &toolIndex{items: make(index, len(items)), listing: &listingID{}, problems: problems, taken: began}
	tasks := !s.isModern() && s.runsTasks()
	for i, item := range items {
		t := &indexedItem{item: item, place: i}
		if tasks {
			t.tasks = taskSupportOf(item.Raw)
		}
		if s.sendsHeaders() {
			t.params, _ = httpx.ParamsOf(item.Raw)
		}
		x.items[item.Name] = t
	}
	x.found = x.problems
	return x, nil
}

// toolsOnce returns the tools as they were listed last, if no snapshot has them yet and the
// server has not said since that they changed; else it lists them.
func (s *session) toolsOnce(ctx context.Context, l listing) ([]schema.Item, []schema.Problem, error) {
	x := s.tools.Load()
	if x == nil || len(s.changed) > 0 || x.listing.handed.Swap(true) {
		return s.list(ctx, l)
	}
	return x.items.inOrder(), x.found, nil
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

// contract returns the contract hash of an item; ok is false if there is no such
// item.
func (x index) contract(name string) (hash string, ok bool, err error) {
	t := x[name]
	if t == nil {
		return "", false, nil
	}
	t.once.Do(func() { t.hash, t.err = schema.ContractHash(t.item.Kind, t.item.Raw) })
	return t.hash, true, t.err
}

// headers returns the arguments of a call that HTTP sends in headers as well, by the
// names of the tool's schema; nil of other requests and of a tool that is not listed.
func (x *toolIndex) headers(req runtime.Request) map[string]string {
	if x == nil || req.Method != protocol.MethodCallTool || x.items[req.Name] == nil {
		return nil
	}
	return x.items[req.Name].params.Headers(req.Args)
}
