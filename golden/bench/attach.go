package main

// Attaching many servers, and what an idle session holds.

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"path/filepath"
	goruntime "runtime"
	"slices"
	"sync"
	"time"

	"github.com/mcpgen/mcpgen/golden/process"
	"github.com/mcpgen/mcpgen/runtime"
	"github.com/mcpgen/mcpgen/runtime/attach"
	"github.com/mcpgen/mcpgen/runtime/endpoint"
	"github.com/mcpgen/mcpgen/runtime/protocol"
	"github.com/mcpgen/mcpgen/schema"
)

// wait is how long each server needs before it answers.
const wait = 200 * time.Millisecond

// servers are n servers that need the time to start.
func (b *bench) servers(ctx context.Context, n int, start time.Duration) ([]endpoint.Server, error) {
	path := filepath.Join(b.dir, "stub.exe")
	if err := process.Build(ctx, b.checkout, path, "./golden/bench/stub"); err != nil {
		return nil, err
	}
	out := make([]endpoint.Server, n)
	for i := range out {
		out[i] = endpoint.Server{Name: fmt.Sprintf("s%02d", i), Launch: &endpoint.Process{Command: path, Args: []string{"-wait", start.String()}}}
	}
	return out, nil
}

// attachAll attaches 10 and 50 servers, against one.
func attachAll(ctx context.Context, b *bench) ([]row, error) {
	counts := []int{1, 10, 50}
	servers, err := b.servers(ctx, counts[2], wait)
	if err != nil {
		return nil, err
	}
	took, bare := map[int]sample{}, sample{}
	for range b.rounds(7) {
		alone, err := startAll(ctx, servers)
		if err != nil {
			return nil, err
		}
		bare = append(bare, alone)
		for _, n := range counts {
			start := time.Now()
			host, err := attach.Connect(ctx, servers[:n], nil)
			if err != nil {
				return nil, err
			}
			took[n] = append(took[n], time.Since(start).Seconds())
			err = host.Err()
			host.Close()
			if err != nil {
				return nil, err
			}
		}
	}
	var rows []row
	for _, n := range counts[1:] {
		rows = append(rows, compared(fmt.Sprintf("%d servers", n), took[n], took[1], 1e3, "ms", 1.2).because("the cores start the processes one after the other: see the next row"))
	}
	return append(rows, compared(fmt.Sprintf("%d servers, against the same processes by hand, each asked for one line", len(servers)), took[len(servers)], bare, 1e3, "ms", 0)), nil
}

// startAll starts the servers by hand, all at once, and returns the seconds until each
// has answered one request.
func startAll(ctx context.Context, servers []endpoint.Server) (float64, error) {
	errs := make([]error, len(servers))
	pipes := make([]*pipe, len(servers))
	var all sync.WaitGroup
	start := time.Now()
	for i, s := range servers {
		all.Go(func() {
			launch, _ := s.Launch.(*endpoint.Process)
			if pipes[i], errs[i] = startPipe(ctx, launch); errs[i] == nil {
				errs[i] = pipes[i].call(ctx, i)
			}
		})
	}
	all.Wait()
	took := time.Since(start).Seconds()
	for _, p := range pipes {
		if p != nil {
			p.close()
		}
	}
	return took, errors.Join(errs...)
}

// usedBefore knows what each stub lists.
type usedBefore struct{}

func (usedBefore) Load(endpoint.Server, endpoint.Offers) attach.Listing {
	return attach.Listing{Tools: []schema.Item{{Kind: schema.KindTool, Name: "wait", Raw: json.RawMessage(`{"name":"wait","inputSchema":{"type":"object"}}`)}}}
}

func (usedBefore) Store(endpoint.Server, endpoint.Offers, attach.Listing) {}

// lazy is the first call of one of 50 lazy servers, against attaching that one alone
// and the same call.
func lazy(ctx context.Context, b *bench) ([]row, error) {
	servers, err := b.servers(ctx, 50, wait)
	if err != nil {
		return nil, err
	}
	first := func(servers []endpoint.Server, lazy bool) (float64, error) {
		servers = slices.Clone(servers)
		for i := range servers {
			servers[i].Lazy = lazy
		}
		start := time.Now()
		host, err := attach.Connect(ctx, servers, &attach.Options{Listings: usedBefore{}})
		if err != nil {
			return 0, err
		}
		defer host.Close()
		_, err = runtime.Request{Server: servers[0].Name, Method: protocol.MethodCallTool, Name: "wait"}.Do(ctx, host)
		return time.Since(start).Seconds(), err
	}
	var all, alone sample
	for range b.rounds(7) {
		one, err := first(servers, true)
		if err != nil {
			return nil, err
		}
		two, err := first(servers[:1], false)
		if err != nil {
			return nil, err
		}
		all, alone = append(all, one), append(alone, two)
	}
	return []row{compared("the first call of one of 50 lazy servers, against that one alone", all, alone, 1e3, "ms", 1.1)}, nil
}

// idle measures the heap that a session holds when nothing happens.
func idle(ctx context.Context, b *bench) ([]row, error) {
	const n = 50
	servers, err := b.servers(ctx, n, 0)
	if err != nil {
		return nil, err
	}
	var held sample
	for range b.rounds(7) {
		before := liveHeap()
		host, err := attach.Connect(ctx, servers, nil)
		if err != nil {
			return nil, err
		}
		held = append(held, (liveHeap()-before)/n/1024)
		err = host.Err()
		host.Close()
		if err != nil {
			return nil, err
		}
	}
	return []row{held.row(fmt.Sprintf("heap of one of %d sessions over stdio", n), 64, "KiB")}, nil
}

// liveHeap is what is left after a collection. The second one finds what the first
// one only marked as finalized.
func liveHeap() float64 {
	goruntime.GC()
	goruntime.GC()
	var m goruntime.MemStats
	goruntime.ReadMemStats(&m)
	return float64(m.HeapAlloc)
}
