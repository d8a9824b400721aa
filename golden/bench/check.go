package main

// Judging a listing, by the benchmarks of the packages that do it.

import (
	"bufio"
	"bytes"
	"context"
	"fmt"
	"regexp"
	"strconv"
	"strings"

	"github.com/mcpgen/mcpgen/golden/process"
)

// judging runs Go benchmarks and reads their figures.
func judging(ctx context.Context, b *bench) ([]row, error) {
	var rows []row
	for _, p := range []struct {
		pkg, bench, what string
		budget           float64 // milliseconds
	}{
		{"./runtime/attach/pinned", "BenchmarkSurfaceUnchanged", "an unchanged listing", 10},
		{"./runtime/attach/pinned", "BenchmarkSurfaceChanged", "a changed listing", 0},
		{"./schema/drift", "BenchmarkChangedTool", "a changed tool", 2},
	} {
		u, err := process.Run(ctx, b.checkout, nil, "go", "test", "-run", "^$", "-bench", "^"+p.bench+"$", "-benchtime", "200ms", p.pkg)
		if err != nil {
			return rows, err
		}
		found := false
		for lines := bufio.NewScanner(bytes.NewReader(u.Stdout)); lines.Scan(); {
			m := benchLine.FindStringSubmatch(lines.Text())
			if m == nil || !strings.HasPrefix(m[1], p.bench) {
				continue
			}
			ns, err := strconv.ParseFloat(m[2], 64)
			if err != nil {
				return rows, err
			}
			found = true
			rows = append(rows, row{what: p.what + strings.TrimPrefix(m[1], p.bench), ratio: ns / 1e6, budget: p.budget, unit: "ms"})
		}
		if !found {
			return rows, fmt.Errorf("%s: %s has no result in\n%s", p.pkg, p.bench, u.Stdout)
		}
	}
	return rows, nil
}

// benchLine is a line that a benchmark prints.
var benchLine = regexp.MustCompile(`^(Benchmark[^\s]*?)(?:-\d+)?\s+\d+\s+([0-9.]+) ns/op`)
