package main

// One call of a generated function, against the same call by hand: the SDK's
// CallTool, with the structured content marshalled again and decoded into a struct.

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os/exec"
	"path/filepath"
	goruntime "runtime"
	"sync"
	"sync/atomic"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/mcpgen/mcpgen/golden/cases/memory"
	"github.com/mcpgen/mcpgen/golden/process"
	"github.com/mcpgen/mcpgen/runtime"
	"github.com/mcpgen/mcpgen/runtime/attach"
	"github.com/mcpgen/mcpgen/runtime/attach/pinned"
	"github.com/mcpgen/mcpgen/runtime/codec"
	"github.com/mcpgen/mcpgen/runtime/endpoint"
	"github.com/mcpgen/mcpgen/runtime/policy"
)

// The budgets of a call.
const (
	maxStdioTime = 0.6
	maxHTTPTime  = 1.0
	maxBytes     = 0.1
)

// callers are how many call at the same time, on one session.
var callers = []int{1, 8, 64}

// calls measures each transport, without and with a gate and an audit log. Both
// sides call a server that does next to nothing: it returns the arguments.
func calls(ctx context.Context, b *bench) ([]row, error) {
	url, stop, err := b.replay(ctx)
	if err != nil {
		return nil, err
	}
	defer stop()
	args := b.replayed()
	var rows []row
	for _, over := range []struct {
		name      string
		server    endpoint.Server
		transport func() mcp.Transport
		maxTime   float64
	}{
		{"stdio", endpoint.Server{Name: "memory", Launch: &endpoint.Process{Command: b.small, Args: args}},
			func() mcp.Transport { return &mcp.CommandTransport{Command: exec.Command(b.small, args...)} }, maxStdioTime},
		{"HTTP", endpoint.Server{Name: "memory", Launch: &endpoint.Address{URL: url}},
			func() mcp.Transport { return sdkOver(url) }, maxHTTPTime},
	} {
		host, err := attach.Connect(ctx, []endpoint.Server{over.server}, &attach.Options{Judge: pinned.ByHash([]*codec.Manifest{memory.Manifest()}...)})
		if err != nil {
			return rows, err
		}
		defer host.Close()
		if err := host.Err(); err != nil {
			return rows, err
		}
		gated, logged, done, err := b.guards(host)
		if err != nil {
			return rows, err
		}
		defer done()
		guarded := runtime.Chain(gated, logged)
		session, err := connectSDK(ctx, over.transport())
		if err != nil {
			return rows, err
		}
		defer session.Close()
		for _, n := range callers {
			more, err := b.compare(ctx, n, over.name, over.maxTime, host, guarded, session)
			if rows = append(rows, more...); err != nil {
				return rows, err
			}
		}
	}
	return rows, nil
}

// sdkOver is the SDK's transport over HTTP.
func sdkOver(url string) mcp.Transport {
	return &mcp.StreamableClientTransport{Endpoint: url, DisableStandaloneSSE: true}
}

// connectSDK begins a session of the SDK's client.
func connectSDK(ctx context.Context, t mcp.Transport) (*mcp.ClientSession, error) {
	return mcp.NewClient(&mcp.Implementation{Name: "bench", Version: "1"}, nil).Connect(ctx, t, nil)
}

// gate is a policy with some rules.
func (b *bench) gate() (runtime.Middleware, error) {
	gate, err := policy.New(policy.Config{Allow: []string{"tool:github/*", "mcp:memory_read_*", "tool:memory/create_*"}, Deny: []string{"tool:memory/delete_*"}}, nil)
	if err != nil {
		return nil, err
	}
	return gate.Middleware(), nil
}

// replayed returns the arguments with which the stub replays the listing of
// server-memory.
func (b *bench) replayed() []string {
	return []string{"replay", filepath.Join(b.checkout, "golden", "corpus", "servers", "memory.json")}
}

// replay builds that server and starts it over HTTP.
func (b *bench) replay(ctx context.Context) (url string, stop func(), err error) {
	b.small = filepath.Join(b.dir, "mcptestserver.exe")
	if err := process.Build(ctx, b.checkout, b.small, "./golden/testserver/cmd/mcptestserver"); err != nil {
		return "", nil, err
	}
	return process.Listen(ctx, b.small, append(b.replayed(), "-http", "127.0.0.1:0", "-json")...)
}

// compare takes the three in turns.
func (b *bench) compare(ctx context.Context, n int, name string, maxTime float64, host, guarded runtime.Invoker, session *mcp.ClientSession) ([]row, error) {
	costs, err := b.turns(ctx, n, []func(context.Context, int) error{typed(host), typed(guarded), byHand(session)})
	if err != nil {
		return nil, err
	}
	var rows []row
	hand := costs[2]
	for i, kind := range []string{"", ", gate and audit on"} {
		what := fmt.Sprintf("%s, %d at a time%s: ", name, n, kind)
		bytes := compared(what+"memory", costs[i].bytes, hand.bytes, 1e-3, "kB", 0)
		if maxTime == maxStdioTime {
			bytes.budget = maxBytes
		}
		rows = append(rows, compared(what+"time", costs[i].micros, hand.micros, 1, "µs", maxTime), bytes)
	}
	return rows, nil
}

// costs holds the time of a call, and the memory that this process allocates for it, by round.
type costs struct{ micros, bytes, allocs sample }

// turns makes the calls of each side in turns, n at a time, so that what slows the
// machine slows all.
func (b *bench) turns(ctx context.Context, n int, sides []func(context.Context, int) error) ([]costs, error) {
	return b.turnsOf(ctx, n, 4000, sides)
}

// turnsOf is turns with so many calls a round.
func (b *bench) turnsOf(ctx context.Context, n int, calls int64, sides []func(context.Context, int) error) ([]costs, error) {
	all := make([]costs, len(sides))
	for range b.rounds(7) {
		for i, call := range sides {
			if err := b.load(ctx, n, calls, call, &all[i]); err != nil {
				return nil, err
			}
		}
	}
	return all, nil
}

// load makes calls for a while, n at a time, and adds what one cost.
func (b *bench) load(ctx context.Context, n int, total int64, call func(context.Context, int) error, c *costs) error {
	if b.quick {
		total = max(total/10, 1)
	}
	for i := range min(50, total) { // warm
		if err := call(ctx, int(i)); err != nil {
			return err
		}
	}
	var next atomic.Int64
	errs := make([]error, n)
	var group sync.WaitGroup
	goruntime.GC()
	var before, after goruntime.MemStats
	goruntime.ReadMemStats(&before)
	start := time.Now()
	for w := range n {
		group.Go(func() {
			for i := next.Add(1); i <= total && errs[w] == nil; i = next.Add(1) {
				errs[w] = call(ctx, int(i))
			}
		})
	}
	group.Wait()
	took := time.Since(start)
	goruntime.ReadMemStats(&after)
	each := func(figure float64) float64 { return figure / float64(total) }
	c.micros = append(c.micros, each(float64(took.Nanoseconds())/1e3))
	c.bytes = append(c.bytes, each(float64(after.TotalAlloc-before.TotalAlloc)))
	c.allocs = append(c.allocs, each(float64(after.Mallocs-before.Mallocs)))
	return errors.Join(errs...)
}

// observation is different for each call.
func observation(i int) []string {
	return []string{fmt.Sprintf("observation number %d of this measurement", i), "another one of about the same length"}
}

var errWrongAnswer = errors.New("the answer is not that of the call")

// typed calls the generated function.
func typed(inv runtime.Invoker) func(context.Context, int) error {
	client := memory.New(inv)
	return func(ctx context.Context, i int) error {
		res, err := client.CreateEntities(ctx, memory.CreateEntitiesArgs{Entities: []memory.Entity{
			{Name: "bench", EntityType: "program", Observations: observation(i)},
		}})
		if err == nil && (len(res.Entities) != 1 || res.Entities[0].Observations[0] != observation(i)[0]) {
			err = errWrongAnswer
		}
		return err
	}
}

// entities are the structs that somebody writes by hand.
type entities struct {
	Entities []entity `json:"entities"`
}

type entity struct {
	Name         string   `json:"name"`
	EntityType   string   `json:"entityType"`
	Observations []string `json:"observations"`
}

// byHand calls through the SDK.
func byHand(session *mcp.ClientSession) func(context.Context, int) error {
	return createByHand(session, "create_entities")
}

// createByHand is byHand for a tool that has the name of create_entities.
func createByHand(session *mcp.ClientSession, tool string) func(context.Context, int) error {
	return func(ctx context.Context, i int) error {
		out, err := graphByHand(ctx, session, tool, entities{[]entity{{"bench", "program", observation(i)}}})
		if err == nil && out.Entities[0].Observations[0] != observation(i)[0] {
			err = errWrongAnswer
		}
		return err
	}
}

// graphByHand calls a tool that returns a graph of one entity.
func graphByHand(ctx context.Context, session *mcp.ClientSession, tool string, args any) (out entities, err error) {
	res, err := session.CallTool(ctx, &mcp.CallToolParams{Name: tool, Arguments: args})
	if err != nil {
		return out, err
	}
	data, err := json.Marshal(res.StructuredContent)
	if err == nil {
		err = json.Unmarshal(data, &out)
	}
	if err == nil && (len(out.Entities) != 1 || len(out.Entities[0].Observations) == 0) {
		err = errWrongAnswer
	}
	return out, err
}
