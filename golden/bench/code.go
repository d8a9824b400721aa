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
	type program struct {
		*folder
		exe    string
		size   float64
		starts sample
	}
	var few, many program
	for n, p := range map[int]*program{100: &few, 1000: &many} {
		var err error
		if p.folder, err = b.project(ctx, n); err != nil {
			return nil, err
		}
		if p.exe, err = p.program(ctx); err != nil {
			return nil, err
		}
		info, err := os.Stat(p.exe)
		if err != nil {
			return nil, err
		}
		p.size = float64(info.Size())
	}
	for range b.rounds(20) {
		for _, p := range []*program{&few, &many} {
			ran, err := p.run(ctx, 1, nil, p.exe)
			if err != nil {
				return nil, err
			}
			p.starts = append(p.starts, ran.wall...)
		}
	}
	return []row{{
		what: "an unused tool in a binary", cost: fmt.Sprintf("%.2f MB with 1000", many.size/1e6), against: fmt.Sprintf("%.2f MB with 100", few.size/1e6),
		ratio: (many.size - few.size) / 900, budget: 16, unit: "bytes",
	}, compared("start of a program with 1000 tools, against one with 100", many.starts, few.starts, 1e3, "ms", 1.1)}, nil
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
