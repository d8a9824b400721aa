package main

// Finding the lines that a change touches, against go vet of the same module.

import (
	"context"
	"fmt"
	"strings"

	"github.com/mcpgen/mcpgen/golden/process"
)

// The module of userCode: packages of ten files of a hundred lines.
const (
	linesOfFile   = 100
	filesOfFolder = 10
)

// userCode is a project of 100 tools whose module has so many lines that call them.
// Ten of the tools changed.
func (b *bench) userCode(ctx context.Context, lines int) (*folder, error) {
	const tools, changed = 100, 10
	f, err := b.projectOf(ctx, fmt.Sprintf("code%d", lines), tools, "big")
	if err != nil {
		return nil, err
	}
	if _, err := f.mcpgen(ctx, 1, nil, "generate", "--frozen"); err != nil {
		return nil, err
	}
	if err := f.offer(tools, changed); err != nil {
		return nil, err
	}
	f.lines = lines
	if err := f.touch(); err != nil {
		return nil, err
	}
	// The standard library and the runtime are built once, before anything is measured.
	_, err = process.Run(ctx, f.dir, f.env(), "go", "vet", "./...")
	return f, err
}

// touch writes the module's own code again, each file with another comment, so that
// nothing that is known of it is of use.
func (f *folder) touch() error {
	f.edits++
	files := map[string][]byte{}
	for i := range f.lines / linesOfFile {
		name := fmt.Sprintf("use%04d", i/filesOfFolder)
		files[fmt.Sprintf("%s/f%d.go", name, i%filesOfFolder)] = f.useFile(name, i)
	}
	return f.write(files)
}

// useFile is one file of a hundred lines: nine functions that call a tool each.
func (f *folder) useFile(name string, i int) []byte {
	var b strings.Builder
	fmt.Fprintf(&b, "// Package %s calls tools; edit %d.\npackage %s\n\nimport (\n\t\"context\"\n\n\t\"example.com/bench/mcp/big\"\n)\n", name, f.edits, name)
	for k := range 9 {
		n := i*9 + k
		fmt.Fprintf(&b, `
// Call%[1]d lists what is open.
func Call%[1]d(ctx context.Context, owner string) (int, error) {
	args := big.ListThings%05[2]dArgs{Owner: owner, Repo: "repo%[1]d"}
	args.Labels = []string{"bug", owner}
	res, err := big.ListThings%05[2]d(ctx, args)
	if err != nil {
		return 0, err
	}
	return len(res.Items), nil
}
`, n, n%100)
	}
	return []byte(b.String())
}

// impact finds the lines that ten changes touch in a module of 100,000 lines.
func impact(ctx context.Context, b *bench) ([]row, error) {
	f, err := b.userCode(ctx, 100e3)
	if err != nil {
		return nil, err
	}
	var vet, first, second sample
	for range b.rounds(7) {
		for _, turn := range []struct {
			to      *sample
			touch   func() error
			program string
			args    []string
		}{
			{&vet, f.touch, "go", []string{"vet", "./..."}},
			{&first, f.touch, f.tool, []string{"check"}},
			{&second, nil, f.tool, []string{"check"}},
		} {
			u, err := f.run(ctx, 1, turn.touch, turn.program, turn.args...)
			if err != nil {
				return nil, err
			}
			*turn.to = append(*turn.to, u.wall...)
		}
	}
	return []row{
		compared("check of 100,000 edited lines with ten changes, against go vet ./...", first, vet, 1e3, "ms", 1.5),
		compared("the same check again, against the first", second, first, 1e3, "ms", 0.2).
			because("no package of the module is compiled the first time either, and nothing is kept: all of it is read again"),
	}, nil
}
