package main

// Generating: nothing to do, everything from the lock, and how it grows.

import (
	"context"
	"errors"
	"fmt"
	"go/format"
	"io/fs"
	"math"
	"os"
	"path/filepath"
	"time"
)

func generate(ctx context.Context, b *bench) ([]row, error) {
	var rows []row
	seconds := map[int]float64{}
	for _, n := range []int{1000, 5000} {
		f, err := b.project(ctx, n)
		if err != nil {
			return rows, err
		}
		full, err := f.mcpgen(ctx, b.rounds(5), f.forget, "generate", "--frozen")
		if err != nil {
			return rows, err
		}
		formatting, err := f.formatting(b.rounds(5))
		if err != nil {
			return rows, err
		}
		seconds[n] = full.CPU
		rows = append(rows, row{
			what: fmt.Sprintf("from the lock, %d tools, against go/format of the same bytes", n),
			cost: milli(full.Wall), against: milli(formatting), ratio: full.Wall / formatting, budget: 3,
		})
		if n == 1000 {
			more, err := f.nothing(ctx, b)
			if rows = append(rows, more...); err != nil {
				return rows, err
			}
		} else if full.Peak > 0 {
			rows = append(rows, row{what: fmt.Sprintf("peak memory of generate, %d tools", n), ratio: full.Peak / 1e6, budget: 250, unit: "MB"})
		}
	}
	return append(rows, row{
		what: "from the lock, processor time, 5000 tools against 1000", cost: milli(seconds[5000]), against: milli(seconds[1000]),
		ratio: seconds[5000] / seconds[1000], budget: 5.5,
	}), nil
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
	return []row{{
		what: "nothing to do, 1000 tools, over the start of the program", cost: milli(noop.Wall), against: milli(start.Wall),
		ratio: (noop.Wall - start.Wall) * 1000, budget: 30, unit: "ms",
	}}, err
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
func (f *folder) formatting(rounds int) (float64, error) {
	files, err := f.generated()
	if err != nil {
		return 0, err
	}
	best := math.Inf(1)
	for range rounds {
		var took time.Duration
		for _, path := range files {
			data, err := os.ReadFile(path)
			if err != nil {
				return 0, err
			}
			start := time.Now()
			if _, err := format.Source(data); err != nil {
				return 0, err
			}
			took += time.Since(start)
		}
		best = min(best, took.Seconds())
	}
	return best, nil
}

func milli(seconds float64) string { return fmt.Sprintf("%.0f ms", seconds*1000) }
