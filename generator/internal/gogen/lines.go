package gogen

// How much Go a tool takes.

import (
	"bytes"
	"strings"

	"github.com/mcpgen/mcpgen/generator/internal/ir"
)

// TypeLines counts the lines of types.go, which is one of the files of p, by the wire
// names of tools. A type that tools share counts for the one that it is named for.
func TypeLines(p *ir.Package, files []File) map[string]int {
	owner := typeOwners(p)
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

// typeOwners are the wire names of the tools that types are declared for, by the name of
// the type.
func typeOwners(p *ir.Package) map[string]string {
	tools := map[string]bool{}
	for _, t := range p.Tools {
		tools[t.Wire] = true
	}
	out := make(map[string]string, len(p.Types))
	for _, t := range p.Types {
		for i := range t.Path {
			if rest := t.Path[i:]; (strings.HasPrefix(rest, " /inputSchema") || strings.HasPrefix(rest, " /outputSchema")) && tools[t.Path[:i]] {
				out[t.Go] = t.Path[:i]
				break
			}
		}
		if t.Kind == ir.Union {
			out[t.Other] = out[t.Go]
		}
	}
	return out
}
