package main

// Lines of Go for each tool.

import (
	"bytes"
	"context"
	"go/ast"
	"go/parser"
	"go/token"
	"path"
	"slices"
	"strings"
)

// The bars, in lines a tool: of Go, and of what "go doc -all" prints.
const (
	maxLines = 40
	maxDocs  = 60
)

// countLines counts all lines of a server's package, comments and blank ones
// too, without the file of other names. What belongs to no tool is shared by all of them.
func countLines(subjects []*subject, r *report) {
	r.heading("Lines of Go a tool, fakes and examples not counted")
	var perTool, perServer []float64
	lines, tools := 0, 0
	r.list("lines")
	for _, s := range subjects {
		if s.set != setReal || s.out == nil || len(s.tools) == 0 {
			continue
		}
		all, own := s.lines()
		lines, tools = lines+all, tools+len(s.tools)
		perServer = append(perServer, float64(all)/float64(len(s.tools)))
		shared := all
		for _, n := range own {
			shared -= n
		}
		for wire := range s.tools {
			n := float64(own[wire]) + float64(shared)/float64(len(s.tools))
			perTool = append(perTool, n)
			if n > 4*maxLines {
				r.fail("lines", "%s/%s: %.0f lines", s.name, wire, n)
			}
		}
		r.note(s.name, "%d lines, %d tools: %.1f", all, len(s.tools), float64(all)/float64(len(s.tools)))
	}
	slices.Sort(r.failures["lines"])
	if tools == 0 {
		return
	}
	r.note("mean", "%.1f", float64(lines)/float64(tools))
	r.atMost("median over the tools", median(perTool), maxLines, "")
	r.note("median over the servers", "%.1f", median(perServer))
}

// countDocs counts the lines of what "go doc -all" prints of a server's package.
func (m *module) countDocs(ctx context.Context, subjects []*subject, r *report) error {
	r.heading("Lines of go doc -all a tool")
	var perServer []float64
	for _, s := range subjects {
		if s.set != setReal || s.out == nil || len(s.tools) == 0 {
			continue
		}
		said, err := m.run(ctx, nil, "go", "doc", "-all", "./"+path.Join(s.set, s.packageName()))
		if err != nil {
			return err
		}
		lines := bytes.Count(said.Stdout, []byte("\n"))
		perServer = append(perServer, float64(lines)/float64(len(s.tools)))
		r.note(s.name, "%d lines, %d tools: %.1f", lines, len(s.tools), perServer[len(perServer)-1])
	}
	if len(perServer) > 0 {
		r.atMost("median over the servers", median(perServer), maxDocs, "")
	}
	return nil
}

func median(values []float64) float64 {
	slices.Sort(values)
	n := len(values)
	if n%2 == 1 {
		return values[n/2]
	}
	return (values[n/2-1] + values[n/2]) / 2
}

// lines counts the lines of all files, and those of each tool's declarations: by
// the longest name of a function that a declaration's name begins with.
func (s *subject) lines() (all int, own map[string]int) {
	own = map[string]int{}
	for name, data := range s.goFiles() {
		if path.Base(name) == "names.go" {
			continue // other names of types that are counted, a line each, which nobody reads
		}
		all += bytes.Count(data, []byte("\n"))
		fset := token.NewFileSet()
		f, err := parser.ParseFile(fset, name, data, parser.SkipObjectResolution|parser.ParseComments)
		if err != nil {
			continue
		}
		last := fset.Position(f.Package).Line
		count := func(name string, n ast.Node) {
			end := fset.Position(n.End()).Line
			if wire := s.owner(name); wire != "" {
				own[wire] += end - last // with the blank lines and comments before it
			}
			last = end
		}
		for _, d := range f.Decls {
			if block, ok := d.(*ast.GenDecl); ok && block.Tok == token.VAR {
				for _, spec := range block.Specs { // each is of another tool
					count(spec.(*ast.ValueSpec).Names[0].Name, spec)
				}
			}
			count(declared(d), d)
		}
	}
	return all, own
}

// declared is the name that says whose a declaration is: of methods the type's,
// save that Client's methods are the tools'.
func declared(d ast.Decl) string {
	switch d := d.(type) {
	case *ast.FuncDecl:
		if owner := strings.TrimSuffix(receiver(d), "."); owner != "" && owner != "Client" {
			return owner
		}
		return d.Name.Name
	case *ast.GenDecl:
		for _, spec := range d.Specs {
			switch s := spec.(type) {
			case *ast.TypeSpec:
				return s.Name.Name
			case *ast.ValueSpec:
				return s.Names[0].Name
			}
		}
	}
	return ""
}

// owner is the tool that a declaration is for, "" if it is for several. A short name is
// for the tools of its places.
func (s *subject) owner(name string) string {
	owner, longest := "", 0
	for i, place := range s.places[strings.TrimPrefix(name, "decode")] {
		switch of := s.owner(place); {
		case i == 0:
			owner = of
		case of != owner:
			return ""
		}
	}
	if owner != "" {
		return owner
	}
	for _, prefix := range []string{"", "ref", "decode"} {
		rest, ok := strings.CutPrefix(name, prefix)
		if !ok {
			continue
		}
		for wire, t := range s.tools {
			if len(t.Func) > longest && strings.HasPrefix(rest, t.Func) {
				owner, longest = wire, len(t.Func)
			}
		}
	}
	return owner
}
