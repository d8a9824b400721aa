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
	"github.com/mcpgen/mcpgen/runtime/audit"
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
	if err := b.buildServer(ctx); err != nil {
		return nil, err
	}
	args := []string{"replay", filepath.Join(b.checkout, "golden", "corpus", "servers", "memory.json")}
	url, stop, err := process.Listen(ctx, b.small, append(args[:len(args):len(args)], "-http", "127.0.0.1:0", "-json")...)
	if err != nil {
		return nil, err
	}
	defer stop()
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
			func() mcp.Transport {
				return &mcp.StreamableClientTransport{Endpoint: url, DisableStandaloneSSE: true}
			}, maxHTTPTime},
	} {
		host, err := attach.Connect(ctx, []endpoint.Server{over.server}, &attach.Options{Judge: pinned.ByHash([]*codec.Manifest{memory.Manifest()}...)})
		if err != nil {
			return rows, err
		}
		defer host.Close()
		if err := host.Err(); err != nil {
			return rows, err
		}
		guarded, done, err := b.guarded(host)
		if err != nil {
			return rows, err
		}
		defer done()
		session, err := mcp.NewClient(&mcp.Implementation{Name: "bench", Version: "1"}, nil).Connect(ctx, over.transport(), nil)
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

// guarded is inv behind a gate with some rules and behind an audit log on disk.
func (b *bench) guarded(inv runtime.Invoker) (runtime.Invoker, func(), error) {
	gate, err := policy.New(policy.Config{Allow: []string{"tool:github/*", "mcp:memory_read_*", "tool:memory/create_*"}, Deny: []string{"tool:memory/delete_*"}}, nil)
	if err != nil {
		return nil, nil, err
	}
	log, err := audit.Open(filepath.Join(b.dir, "audit.jsonl"), nil)
	if err != nil {
		return nil, nil, err
	}
	return runtime.Chain(inv, gate.Middleware(), log.Middleware()), func() { _ = log.Close() }, nil
}

// buildServer builds the server that does next to nothing.
func (b *bench) buildServer(ctx context.Context) error {
	path := filepath.Join(b.dir, "mcptestserver.exe")
	b.small = path
	return process.Build(ctx, b.checkout, path, "./golden/testserver/cmd/mcptestserver")
}

// compare takes the three in turns, so that what slows the machine slows all.
func (b *bench) compare(ctx context.Context, n int, name string, maxTime float64, host, guarded runtime.Invoker, session *mcp.ClientSession) ([]row, error) {
	sides := []func(context.Context, int) error{typed(host), typed(guarded), byHand(session)}
	best := make([]cost, len(sides))
	for range b.rounds(6) {
		for i, call := range sides {
			c, err := b.load(ctx, n, call)
			if err != nil {
				return nil, err
			}
			best[i] = best[i].least(c)
		}
	}
	var rows []row
	for i, kind := range []string{"", ", gate and audit on"} {
		what := fmt.Sprintf("%s, %d at a time%s: ", name, n, kind)
		hand := best[2]
		bytes := row{what: what + "memory", cost: fmt.Sprintf("%.1f kB", best[i].bytes/1e3), against: fmt.Sprintf("%.1f kB", hand.bytes/1e3), ratio: best[i].bytes / hand.bytes}
		if maxTime == maxStdioTime {
			bytes.budget = maxBytes
		}
		rows = append(rows, row{
			what: what + "time", cost: fmt.Sprintf("%.0f µs", best[i].micros), against: fmt.Sprintf("%.0f µs", hand.micros),
			ratio: best[i].micros / hand.micros, budget: maxTime,
		}, bytes)
	}
	return rows, nil
}

// cost is what a call costs this process, and how long it takes.
type cost struct{ micros, bytes float64 }

// least is the lesser of each; the zero cost means none.
func (c cost) least(d cost) cost {
	if c == (cost{}) {
		return d
	}
	return cost{min(c.micros, d.micros), min(c.bytes, d.bytes)}
}

// load makes calls for a while, n at a time.
func (b *bench) load(ctx context.Context, n int, call func(context.Context, int) error) (cost, error) {
	total := int64(4000)
	if b.quick {
		total = 400
	}
	for i := range 50 { // warm
		if err := call(ctx, i); err != nil {
			return cost{}, err
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
	return cost{float64(took.Microseconds()) / float64(total), float64(after.TotalAlloc-before.TotalAlloc) / float64(total)}, errors.Join(errs...)
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
	return func(ctx context.Context, i int) error {
		res, err := session.CallTool(ctx, &mcp.CallToolParams{Name: "create_entities", Arguments: entities{[]entity{{"bench", "program", observation(i)}}}})
		if err != nil {
			return err
		}
		data, err := json.Marshal(res.StructuredContent)
		if err != nil {
			return err
		}
		var out entities
		if err := json.Unmarshal(data, &out); err != nil {
			return err
		}
		if len(out.Entities) != 1 || out.Entities[0].Observations[0] != observation(i)[0] {
			return errWrongAnswer
		}
		return nil
	}
}
