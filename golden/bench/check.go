package main

// Judging a listing: by the benchmarks of the packages that do it, and each change of
// the corpora by itself.

import (
	"bufio"
	"bytes"
	"context"
	"fmt"
	"regexp"
	"strconv"

	"github.com/mcpgen/mcpgen/golden/process"
)

// judging runs Go benchmarks and reads their figures.
func judging(ctx context.Context, b *bench) ([]row, error) {
	var rows []row
	for _, p := range []struct {
		pkg, bench, what string
		budget           float64 // milliseconds
	}{
		{"./runtime/attach/pinned", "BenchmarkSurfaceUnchanged", "an unchanged listing of 100 tools", 10},
		{"./cmd/mcpgen/internal/workspace", "BenchmarkThousandServers", "1,000 unchanged listings of real servers, 26,625 tools", 1000},
		{"./runtime/attach/pinned", "BenchmarkSurfaceChanged", "a changed listing", 0},
		{"./schema/drift", "BenchmarkChangedTool", "a changed tool, one for each rule about schemas", 2},
	} {
		u, err := process.Run(ctx, b.checkout, nil, "go", "test", "-run", "^$", "-bench", "^"+p.bench+"$", "-benchtime", "200ms", "-count", fmt.Sprint(b.rounds(7)), p.pkg)
		if err != nil {
			return rows, err
		}
		var took sample
		for lines := bufio.NewScanner(bytes.NewReader(u.Stdout)); lines.Scan(); {
			m := benchLine.FindStringSubmatch(lines.Text())
			if m == nil {
				continue
			}
			ns, err := strconv.ParseFloat(m[2], 64)
			if err != nil {
				return rows, err
			}
			took = append(took, ns/1e6)
		}
		if took == nil {
			return rows, fmt.Errorf("%s: %s has no result in\n%s", p.pkg, p.bench, u.Stdout)
		}
		rows = append(rows, took.row(p.what, p.budget, "ms"))
	}
	real, err := b.releases()
	if err != nil {
		return rows, err
	}
	suite, err := b.suite(ctx)
	if err != nil {
		return rows, err
	}
	for _, corpus := range []struct {
		name    string
		changes []change
	}{{"tools that changed between releases of real servers", real}, {"pairs of schemas in a file of JSON-Schema-Test-Suite", suite}} {
		more, err := b.slowest(ctx, corpus.name, corpus.changes)
		if rows = append(rows, more...); err != nil {
			return rows, err
		}
	}
	return rows, nil
}

// benchLine is a line that a benchmark prints.
var benchLine = regexp.MustCompile(`^(Benchmark[^\s]*?)(?:-\d+)?\s+\d+\s+([0-9.]+) ns/op`)
