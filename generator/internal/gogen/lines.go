package gogen

// How much Go a tool takes.

import (
	"bytes"

	"github.com/mcpgen/mcpgen/generator/internal/ir"
)

// TypeLines counts the lines of types.go, which is one of the files of p, by the wire
// names of tools. A type that tools share counts for the one that it is named for.
func TypeLines(p *ir.Package, files []File) map[string]int {
	owner := map[string]string{} // by the name of a type
	for _, t := range p.Types {
		owner[t.Go] = t.Tool
		if t.Kind == ir.Union {
			owner[t.Other] = t.Tool
		}
	}
	out := map[string]int{}
	for _, f := range files {
		if f.Name != typesName {
			continue
		}
		of, above := "", 0 // the lines above a type are its comment
		for line := range bytes.Lines(f.Data) {
			switch name, isType := bytes.CutPrefix(line, []byte("type ")); {
			case isType:
				name, _, _ = bytes.Cut(name, []byte(" "))
				of = owner[string(name)]
			case len(line) == 1 || bytes.HasPrefix(line, []byte("//")):
				above++
				continue
			}
			if of != "" {
				out[of] += above + 1
			}
			above = 0
		}
	}
	return out
}
