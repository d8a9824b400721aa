package main

// Generating: nothing to do, everything from the lock, and how it grows.

import (
	"context"
	"errors"
	"fmt"
	"go/format"
	"io/fs"
	"os"
	"path/filepath"
	"time"
)

func generate(ctx context.Context, b *bench) ([]row, error) {
	var rows []row
	cpu := map[int]sample{}
	for _, n := range []int{1000, 5000} {
		f, err := b.project(ctx, n)
		if err != nil {
			return rows, err
		}
		full, err := f.mcpgen(ctx, b.rounds(7), f.forget, "generate", "--frozen")
		if err != nil {
			return rows, err
		}
		formatting, err := f.formatting(b.rounds(7))
		if err != nil {
			return rows, err
		}
		cpu[n] = full.cpu
		rows = append(rows, compared(fmt.Sprintf("from the lock, %d tools, against go/format of the same bytes", n), full.wall, formatting, 1e3, "ms", 3).because("parsing and printing are a quarter, go/types a sixth; the rest is names, types and comments"))
		if n == 1000 {
			more, err := f.nothing(ctx, b)
			if rows = append(rows, more...); err != nil {
				return rows, err
			}
		} else if full.peak.least() > 0 {
			rows = append(rows, row{what: fmt.Sprintf("peak memory of generate, %d tools", n), cost: full.peak.in(1e-6, "MB"), ratio: full.peak.least() / 1e6, budget: 250, unit: "MB"})
		}
	}
	return append(rows, compared("from the lock, processor time, 5000 tools against 1000", cpu[5000], cpu[1000], 1e3, "ms", 5.5).because(collects)), nil
}

// nothing runs generate when everything is as it should be, against the start of
// the program alone.
func (f *folder) nothing(ctx context.Context, b *bench) ([]row, error) {
	start, err := f.mcpgen(ctx, b.rounds(20), nil, "version")
	if err != nil {
		return nil, err
	}
	before, err := f.newest()
	if err != nil {
		return nil, err
	}
	noop, err := f.mcpgen(ctx, b.rounds(20), nil, "generate")
	if err != nil {
		return nil, err
	}
	after, err := f.newest()
	if err == nil && after.After(before) {
		err = errors.New("generate with nothing to do wrote a file")
	}
	if err != nil {
		return nil, err
	}
	list, err := f.mcpgen(ctx, b.rounds(20), nil, "list")
	if err != nil {
		return nil, err
	}
	over := func(what string, took usages, budget float64) row {
		r := compared(what+", 1000 tools, over the start of the program", took.wall, start.wall, 1e3, "ms", budget)
		r.ratio, r.unit = (took.wall.least()-start.wall.least())*1e3, "ms"
		return r
	}
	return []row{over("nothing to do", noop, 30),
		over("list from the lock", list, 10).because("by profile, a third to a half looks for instructions in all texts, a quarter makes the names and types, the rest reads JSON and hashes; nothing is kept")}, nil
}

// newest is when the last file of the project was written.
func (f *folder) newest() (time.Time, error) {
	var newest time.Time
	err := filepath.WalkDir(f.dir, func(_ string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		info, err := d.Info()
		if err == nil && info.ModTime().After(newest) {
			newest = info.ModTime()
		}
		return err
	})
	return newest, err
}

// formatting is how long go/format takes for the Go files, one after the other.
func (f *folder) formatting(rounds int) (sample, error) {
	files, err := f.generated()
	if err != nil {
		return nil, err
	}
	var all sample
	for range rounds {
		var took time.Duration
		for _, path := range files {
			data, err := os.ReadFile(path)
			if err != nil {
				return nil, err
			}
			start := time.Now()
			if _, err := format.Source(data); err != nil {
				return nil, err
			}
			took += time.Since(start)
		}
		all = append(all, took.Seconds())
	}
	return all, nil
}
