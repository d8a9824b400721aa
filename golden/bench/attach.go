package main

// Attaching many servers, and what an idle session holds.

import (
	"context"
	"fmt"
	"math"
	"path/filepath"
	goruntime "runtime"
	"time"

	"github.com/mcpgen/mcpgen/golden/process"
	"github.com/mcpgen/mcpgen/runtime/attach"
	"github.com/mcpgen/mcpgen/runtime/endpoint"
)

// wait is how long each server needs before it answers.
const wait = 200 * time.Millisecond

// servers are n servers that need the time to start.
func (b *bench) servers(ctx context.Context, n int, start time.Duration) ([]endpoint.Server, error) {
	path := filepath.Join(b.dir, "slowserver.exe")
	if err := process.Build(ctx, b.checkout, path, "./golden/bench/slowserver"); err != nil {
		return nil, err
	}
	out := make([]endpoint.Server, n)
	for i := range out {
		out[i] = endpoint.Server{Name: fmt.Sprintf("s%02d", i), Launch: &endpoint.Process{Command: path, Args: []string{start.String()}}}
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
	best := map[int]float64{}
	for _, n := range counts {
		best[n] = math.Inf(1)
	}
	for range b.rounds(4) {
		for _, n := range counts {
			start := time.Now()
			host, err := attach.Connect(ctx, servers[:n], nil)
			if err != nil {
				return nil, err
			}
			took := time.Since(start)
			err = host.Err()
			host.Close()
			if err != nil {
				return nil, err
			}
			best[n] = min(best[n], float64(took.Milliseconds()))
		}
	}
	var rows []row
	for _, n := range counts[1:] {
		rows = append(rows, row{
			what: fmt.Sprintf("%d servers", n), cost: fmt.Sprintf("%.0f ms", best[n]), against: fmt.Sprintf("%.0f ms", best[1]),
			ratio: best[n] / best[1], budget: 1.2,
		})
	}
	return rows, nil
}

// idle measures the heap that a session holds when nothing happens.
func idle(ctx context.Context, b *bench) ([]row, error) {
	const n = 50
	servers, err := b.servers(ctx, n, 0)
	if err != nil {
		return nil, err
	}
	before := liveHeap()
	host, err := attach.Connect(ctx, servers, nil)
	if err != nil {
		return nil, err
	}
	defer host.Close()
	if err := host.Err(); err != nil {
		return nil, err
	}
	held := (liveHeap() - before) / n / 1024
	return []row{{what: fmt.Sprintf("heap of one of %d sessions over stdio", n), ratio: held, budget: 64, unit: "KiB"}}, nil
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
