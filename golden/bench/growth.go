package main

// What each costs at ten times the work.

import (
	"context"
	"fmt"
	"math"
	goruntime "runtime"

	"github.com/mcpgen/mcpgen/generator"
)

// maxGrowth is the budget of an exponent: 1 is linear.
const maxGrowth = 1.05

// collects is why generating a large server is worse than linear.
const collects = "the collector runs more often under the limit that keeps the peak; allocations are linear"

// grown is the row of a cost at some work and at ten times that work.
func grown(what string, small, large sample, scale float64, unit string) row {
	r := compared(what, large, small, scale, unit, maxGrowth)
	r.ratio, r.unit = math.Log10(r.ratio), "exponent"
	return r
}

// growGenerate generates from the lock, 1,000 tools and 10,000.
func growGenerate(ctx context.Context, b *bench) ([]row, error) {
	var runs, checks, lists [2]usages
	var allocs [2]sample
	for i, n := range []int{1000, 10000} {
		f, err := b.project(ctx, n)
		if err != nil {
			return nil, err
		}
		if runs[i], err = f.mcpgen(ctx, b.rounds(7), f.forget, "generate", "--frozen"); err != nil {
			return nil, err
		}
		if lists[i], err = f.mcpgen(ctx, b.rounds(7), nil, "list"); err != nil {
			return nil, err
		}
		if err := f.offer(n, n/100); err != nil {
			return nil, err
		}
		if checks[i], err = f.mcpgen(ctx, b.rounds(7), nil, "check", "--impact", "off"); err != nil {
			return nil, err
		}
	}
	for i, n := range []int{1000, 10000} { // last: a child's peak begins with the memory of this process
		var err error
		if allocs[i], err = allocations(ctx, n); err != nil {
			return nil, err
		}
	}
	rows := []row{
		grown("generate from the lock, 1,000 and 10,000 tools: time", runs[0].wall, runs[1].wall, 1e3, "ms").because(collects),
		grown("generate from the lock: processor time", runs[0].cpu, runs[1].cpu, 1e3, "ms").because(collects),
		grown("generate in one process: allocations", allocs[0], allocs[1], 1e-6, "million"),
		grown("list: processor time", lists[0].cpu, lists[1].cpu, 1e3, "ms").because(collects),
		grown("check, one tool of a hundred changed: processor time", checks[0].cpu, checks[1].cpu, 1e3, "ms").because(collects),
	}
	if runs[0].peak.least() > 0 {
		rows = append(rows, grown("generate from the lock: peak memory", runs[0].peak, runs[1].peak, 1e-6, "MB"))
	}
	return rows, nil
}

// allocations counts the allocations of one run that generates n tools; each run has as many.
func allocations(ctx context.Context, n int) (sample, error) {
	server, err := manyTools("big", n, 0)
	if err != nil {
		return nil, err
	}
	var before, after goruntime.MemStats
	goruntime.ReadMemStats(&before)
	_, err = generator.Generate(ctx, generator.Options{Output: output, ImportPath: "example.com/bench/" + output, Servers: []generator.Server{server}})
	goruntime.ReadMemStats(&after)
	return sample{float64(after.Mallocs - before.Mallocs)}, err
}

// growServers checks and generates 10 servers and 100.
func growServers(ctx context.Context, b *bench) ([]row, error) {
	var runs, checks [2]usages
	for i, n := range []int{10, 100} {
		var names []string
		for k := range n {
			names = append(names, fmt.Sprintf("s%03d", k))
		}
		f, err := b.projectOf(ctx, fmt.Sprintf("servers%d", n), 10, names...)
		if err != nil {
			return nil, err
		}
		if runs[i], err = f.mcpgen(ctx, b.rounds(7), f.forget, "generate", "--frozen"); err != nil {
			return nil, err
		}
		if checks[i], err = f.mcpgen(ctx, b.rounds(7), nil, "check"); err != nil {
			return nil, err
		}
	}
	return []row{
		grown("generate from the lock, 10 and 100 servers: processor time", runs[0].cpu, runs[1].cpu, 1e3, "ms"),
		grown("check of unchanged servers, which it starts: time", checks[0].wall, checks[1].wall, 1e3, "ms"),
		grown("check of unchanged servers: processor time", checks[0].cpu, checks[1].cpu, 1e3, "ms"),
	}, nil
}

// growCode looks for the lines that ten changes touch, in 10,000 lines and 100,000.
func growCode(ctx context.Context, b *bench) ([]row, error) {
	var checks [2]usages
	for i, n := range []int{10e3, 100e3} {
		f, err := b.userCode(ctx, n)
		if err != nil {
			return nil, err
		}
		if checks[i], err = f.mcpgen(ctx, b.rounds(7), f.touch, "check"); err != nil {
			return nil, err
		}
	}
	return []row{
		grown("check, 10,000 and 100,000 lines that were all edited: time", checks[0].wall, checks[1].wall, 1e3, "ms"),
		grown("check: processor time", checks[0].cpu, checks[1].cpu, 1e3, "ms"),
	}, nil
}

// growResults calls for 1 MB and for 10 MB.
func growResults(ctx context.Context, b *bench) ([]row, error) {
	var all [2]costs
	for i, size := range []int{1e6, 10e6} {
		host, err := b.attached(ctx, size)
		if err != nil {
			return nil, err
		}
		c, err := b.turnsOf(ctx, 1, 2, []func(context.Context, int) error{short(host)})
		host.Close()
		if err != nil {
			return nil, err
		}
		all[i] = c[0]
	}
	return []row{
		grown("1 MB and 10 MB: time", all[0].micros, all[1].micros, 1e-3, "ms"),
		grown("1 MB and 10 MB: memory allocated", all[0].bytes, all[1].bytes, 1e-6, "MB"),
	}, nil
}
