package main

// What generated code costs those who build it.

import (
	"bufio"
	"bytes"
	"context"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"strings"

	"github.com/mcpgen/mcpgen/golden/process"
)

// code builds a package of 1,000 tools against the same structs with methods
// written by hand, and programs that use one tool of few and of many.
func code(ctx context.Context, b *bench) ([]row, error) {
	sizes, starts := map[int]float64{}, map[int]sample{}
	for _, n := range []int{100, 1000} {
		f, err := b.project(ctx, n)
		if err != nil {
			return nil, err
		}
		exe, err := f.program(ctx)
		if err != nil {
			return nil, err
		}
		info, err := os.Stat(exe)
		if err != nil {
			return nil, err
		}
		sizes[n] = float64(info.Size())
		ran, err := f.run(ctx, b.rounds(20), nil, exe)
		if err != nil {
			return nil, err
		}
		starts[n] = ran.wall
	}
	return []row{{
		what: "an unused tool in a binary", cost: fmt.Sprintf("%.2f MB with 1000", sizes[1000]/1e6), against: fmt.Sprintf("%.2f MB with 100", sizes[100]/1e6),
		ratio: (sizes[1000] - sizes[100]) / 900, budget: 16, unit: "bytes",
	}, compared("start of a program with 1000 tools, against one with 100", starts[1000], starts[100], 1e3, "ms", 1.1)}, nil
}

// oneCall is a program that uses one tool.
const oneCall = `package main

import (
	"context"
	"fmt"

	"example.com/bench/mcp/big"
)

func main() {
	res, err := big.ListThings00007(context.Background(), big.ListThings00007Args{Owner: "o", Repo: "r"})
	fmt.Println(res, err)
}
`

// program builds it and returns its path.
func (f *folder) program(ctx context.Context) (string, error) {
	if err := f.write(map[string][]byte{"one/main.go": []byte(oneCall)}); err != nil {
		return "", err
	}
	exe := filepath.Join(f.dir, "one.exe")
	_, err := process.Run(ctx, f.dir, f.env(), "go", "build", "-ldflags=-s -w", "-o", exe, "./one")
	return exe, err
}

// types are the figures of make conformance-types that are about cost.
func types(ctx context.Context, b *bench) ([]row, error) {
	u, err := process.Run(ctx, b.checkout, nil, "go", "run", "./golden/conformance", "-report-only", "-bench", "-jsonv2=false", "-servers", "golden/corpus/servers",
		"-instances", "generator/internal/decide/testdata/instances", "-failures", filepath.Join(b.dir, "failures"))
	if err != nil {
		return nil, err
	}
	var rows []row
	for lines := bufio.NewScanner(bytes.NewReader(u.Stdout)); lines.Scan(); {
		line := strings.TrimSpace(lines.Text())
		for prefix, r := range map[string]row{
			"median over the tools ":                      {what: "lines of Go a tool, median", unit: "lines", budget: 40},
			"cold build, to structs and methods by hand ": {what: "cold build, against structs and methods by hand", budget: 2},
			"cold build, to structs alone ":               {what: "cold build, against structs that nothing calls"},
			"decode ":                                     {what: "decode", budget: 2},
		} {
			rest, ok := strings.CutPrefix(line, prefix)
			if !ok {
				continue
			}
			if name, figures, ok := strings.Cut(rest, ", ratio"); ok {
				r.what, rest = "decode "+name, figures
			}
			if _, err := fmt.Sscan(rest, &r.ratio); err == nil && !math.IsNaN(r.ratio) {
				rows = append(rows, r)
			}
		}
	}
	if len(rows) == 0 {
		return nil, fmt.Errorf("no figures in what conformance printed:\n%s", u.Stdout)
	}
	return rows, nil
}
