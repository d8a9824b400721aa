package attach

// Two versions of a server behind one balancer: what is refused heals, and what
// alternates is said once.

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/mcpgen/mcpgen/golden/testserver"
	"github.com/mcpgen/mcpgen/runtime"
	"github.com/mcpgen/mcpgen/runtime/codec"
	"github.com/mcpgen/mcpgen/runtime/endpoint"
	"github.com/mcpgen/mcpgen/runtime/event"
)

// balancer stands before several versions of one server. All know each session.
type balancer struct {
	versions []http.Handler

	mu     sync.Mutex
	turn   int   // the version that answers
	lists  []int // the versions that answer the listings to come; then turn
	listed int   // listings that were answered
}

func (b *balancer) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	body, err := io.ReadAll(r.Body)
	if err != nil {
		return
	}
	var m struct {
		ID     json.RawMessage `json:"id"`
		Method string          `json:"method"`
		Params struct {
			Name string `json:"name"`
		} `json:"params"`
	}
	_ = json.Unmarshal(body, &m)
	b.mu.Lock()
	turn := b.turn
	if m.Method == "tools/list" {
		if b.listed++; len(b.lists) > 0 {
			turn, b.lists = b.lists[0], b.lists[1:]
		}
	}
	b.mu.Unlock()
	again := func() *http.Request {
		c := r.Clone(r.Context())
		c.Body = io.NopCloser(bytes.NewReader(body))
		return c
	}
	switch {
	case m.Method == "initialize":
		for i, v := range b.versions {
			if i != turn {
				v.ServeHTTP(discard{}, again())
			}
		}
	case m.Method == "tools/call" && turn > 0 && strings.HasPrefix(m.Params.Name, "breaks"):
		w.Header().Set("Content-Type", "application/json")
		fmt.Fprintf(w, `{"jsonrpc":"2.0","id":%s,"error":{"code":-32602,"message":"want n"}}`, m.ID)
		return
	}
	b.versions[turn].ServeHTTP(w, again())
}

// discard is an answer that nobody reads.
type discard struct{}

func (discard) Header() http.Header            { return http.Header{} }
func (discard) Write(data []byte) (int, error) { return len(data), nil }
func (discard) WriteHeader(int)                {}
func (b *balancer) answers(turn int, next ...int) {
	b.mu.Lock()
	b.turn, b.lists = turn, next
	b.mu.Unlock()
}
func (b *balancer) listings() int { b.mu.Lock(); defer b.mu.Unlock(); return b.listed }

// brokenTools are the tools that break in the newer version.
const brokenTools = 5

// versionsOf are the tools of three versions of a server: breaks_… break from the second
// on, wider takes more then, steady stays, and fresh is new. The third has a word changed.
func versionsOf() (all [3][]string) {
	tool := func(name, properties, more string) string {
		return fmt.Sprintf(`{"name":%q,"description":"Does it.","inputSchema":{"type":"object","properties":{"text":{"type":"string"}%s}%s}}`, name, properties, more)
	}
	for i := range all {
		required, limit := "", ""
		if i > 0 {
			required, limit = `,"required":["n"]`, `,"limit":{"type":"integer"}`
		}
		for n := range brokenTools {
			all[i] = append(all[i], tool(fmt.Sprint("breaks_", n), `,"n":{"type":"integer"}`, required))
		}
		all[i] = append(all[i], tool("wider", limit, ""), tool("steady", "", ""))
	}
	all[1] = append(all[1], tool("fresh", "", ""))
	all[2][len(all[2])-1] = strings.Replace(all[2][len(all[2])-1], "Does it.", "Does it well.", 1)
	return all
}

// behindBalancer attaches to versions of a server behind a balancer; the first of them
// is what is pinned.
func behindBalancer(t *testing.T, opts *Options) (*Host, *balancer, *fakeClock, *codec.Manifest) {
	t.Helper()
	b := &balancer{}
	for i, tools := range versionsOf() {
		path := filepath.Join(t.TempDir(), fmt.Sprint(i, ".json"))
		if err := os.WriteFile(path, []byte(`{"tools":[`+strings.Join(tools, ",")+`]}`), 0o600); err != nil {
			t.Fatal(err)
		}
		v, err := testserver.Handler("replay", path)
		if err != nil {
			t.Fatal(err)
		}
		b.versions = append(b.versions, v)
	}
	m := pinnedManifest(t, "s", versionsOf()[0]...)
	clk := newFakeClock()
	opts.Judge, opts.Refresh, opts.clock = proving([]*codec.Manifest{m}, nil), -1, clk.clock()
	h := connectAll(t, opts, endpoint.Server{Name: "s", Launch: &endpoint.Address{URL: serveHTTP(t, b) + "/mcp", Transport: endpoint.HTTP}})
	if err := h.Err(); err != nil {
		t.Fatal(err)
	}
	return h, b, clk, m
}

// refuse has all broken tools refused: one call is answered by the newer version, and so
// is the listing that it asks for.
func refuse(t *testing.T, h *Host, b *balancer, m *codec.Manifest) {
	t.Helper()
	b.answers(1)
	if err := callPinned(t, h, m, "breaks_0"); !errors.Is(err, runtime.ErrDrift) || !errors.Is(err, runtime.ErrRPC) {
		t.Fatalf("the call that the newer version answers: %v", err)
	}
	for n := range brokenTools {
		checkRule(t, callPinned(t, h, m, fmt.Sprint("breaks_", n)), "input-property-became-required")
	}
}

// A refused call has the tools listed afresh, at growing intervals that all callers
// share, so that one answer of another version does not refuse them for minutes.
func TestRefusedCallsHeal(t *testing.T) {
	t.Parallel()
	var told events
	h, b, clk, m := behindBalancer(t, &Options{OnEvent: told.add})
	refuse(t, h, b, m)
	if n := b.listings(); n != 2 {
		t.Errorf("%d listings, want that of the start and that after the answer", n)
	}
	// As long as the newer version answers, refusals ask after 1, 2, 4, … seconds.
	var asked []int
	for second := 1; second <= 300; second++ {
		clk.advance(time.Second)
		before := b.listings()
		var calls sync.WaitGroup
		for range 8 {
			calls.Go(func() { checkRule(t, callPinned(t, h, m, "breaks_1"), "input-property-became-required") })
		}
		calls.Wait()
		if b.listings() > before {
			asked = append(asked, second)
		}
	}
	if n := b.listings() - 2; n != len(asked) {
		t.Errorf("%d listings in %d seconds, want one at a time", n, len(asked))
	}
	if want := []int{1, 3, 7, 15, 31, 63, 123, 183, 243}; !slices.Equal(asked, want) {
		t.Errorf("listings after %v seconds, want %v", asked, want)
	}
	b.answers(0)
	clk.advance(time.Minute)
	for n := range brokenTools {
		checkRule(t, callPinned(t, h, m, fmt.Sprint("breaks_", n)), "")
	}
	if st := h.Status()[0]; st.Drift[Verified] != brokenTools+2 || len(st.Problems) > 0 {
		t.Errorf("%v, problems %v", st.Drift, st.Problems)
	}
	// The next refusal asks after a second again.
	clk.advance(time.Second)
	refuse(t, h, b, m)
	before := b.listings()
	clk.advance(time.Second)
	checkRule(t, callPinned(t, h, m, "breaks_2"), "input-property-became-required")
	if n := b.listings() - before; n != 1 {
		t.Errorf("%d listings a second after the tools healed and broke again, want 1", n)
	}
}

// Prompts and resources whose definition is not the pinned one share the intervals.
func TestRefusedItemsShareTheIntervals(t *testing.T) {
	t.Parallel()
	s, calls := tracedServer(t, "updates")
	clk := newFakeClock()
	h := connectAll(t, &Options{Refresh: -1, clock: clk.clock()}, s)
	listings := func() int { return strings.Count(strings.Join(methodsOf(calls("message")), " "), methodListResources) }
	read := func() error {
		_, err := h.Invoke(t.Context(), runtime.Request{Server: "s", Method: "resources/read", Name: "memo://a", Pin: "sha256:other"})
		return err
	}
	for range 20 {
		checkRule(t, read(), "contract-changed")
	}
	if n := listings(); n > 2 {
		t.Errorf("%d listings for 20 refusals at the same moment, want 2", n)
	}
}

// A server whose listing goes back and forth between two surfaces is flapping: that is
// said once, and what both allow is served.
func TestFlapping(t *testing.T) {
	t.Parallel()
	var told events
	h, b, clk, m := behindBalancer(t, &Options{OnEvent: told.add})
	refuse(t, h, b, m)
	for turn := range 2 { // the older one, and the newer one again
		b.answers(turn)
		clk.advance(time.Minute)
		_ = callPinned(t, h, m, "breaks_0")
		listTools(t, h)
	}
	notices := told.count(event.Notice)
	if notices != 1 {
		t.Errorf("%d notices, want one that says that the server alternates: %v", notices, told.all)
	}
	check := func() {
		t.Helper()
		for n := range brokenTools {
			checkRule(t, callPinned(t, h, m, fmt.Sprint("breaks_", n)), "surface-flapping")
		}
		for _, tool := range []string{"wider", "steady"} {
			checkRule(t, callPinned(t, h, m, tool), "")
		}
		st := h.Status()[0]
		if st.Drift[Flapping] != brokenTools || st.Drift[Verified] != 1 || st.Drift[Compatible] != 1 || len(st.Problems) != brokenTools {
			t.Errorf("%v, problems %v", st.Drift, st.Problems)
		}
		if got := offeredNames(t, h); !slices.Equal(got, []string{"steady", "wider"}) {
			t.Errorf("offered are %v", got)
		}
		d := states(h)["breaks_0"]
		if d.State != Flapping || d.Allowed || d.Path == "" || !strings.Contains(d.Message, "alternates") {
			t.Errorf("%+v", d)
		}
	}
	check()
	before := len(told.kinds(""))
	for i := range 20 {
		b.answers(i % 2)
		listTools(t, h)
		check()
	}
	if all := told.kinds(""); len(all) != before {
		t.Errorf("it is said again: %v", told.all[before:])
	}
	// Once one of them stays, that one counts.
	b.answers(0)
	for range calmListings {
		listTools(t, h)
	}
	for n := range brokenTools {
		checkRule(t, callPinned(t, h, m, fmt.Sprint("breaks_", n)), "")
	}
}

// What was rolled back does not alternate, nor does what is always another one.
func TestRollbackIsNoFlapping(t *testing.T) {
	t.Parallel()
	for name, turns := range map[string][]int{"rolled back": {1, 0, 0}, "forward": {1, 2, 2}, "twice, and long between": append(append([]int{1}, make([]int, calmListings+1)...), 1, 0)} {
		h, b, _, _ := behindBalancer(t, &Options{})
		for _, turn := range turns {
			b.answers(turn)
			listTools(t, h)
			if n := h.Status()[0].Drift[Flapping]; n > 0 {
				t.Errorf("%s: %d tools are flapping", name, n)
			}
		}
	}
}

// Three versions that take turns are served by what all three allow.
func TestFlappingOfThree(t *testing.T) {
	t.Parallel()
	h, b, _, m := behindBalancer(t, &Options{})
	for _, turn := range []int{1, 2, 0, 1, 2, 0, 2} {
		b.answers(turn)
		listTools(t, h)
	}
	if st := h.Status()[0]; st.Drift[Flapping] != brokenTools {
		t.Errorf("%v", st.Drift)
	}
	checkRule(t, callPinned(t, h, m, "wider"), "")
}
