// Command names counts the exported names of public rooms: types, functions, variables
// and constants, without methods and fields. Tests, commands, examples, golden and what is
// internal do not count. make names runs it.
package main

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"os/exec"
	"slices"
	"strings"
)

func main() {
	if err := run(); err != nil {
		fmt.Fprintln(os.Stderr, "names:", err)
		os.Exit(1)
	}
}

func run() error {
	out, err := exec.Command("go", "list", "-f", "{{.ImportPath}}\t{{.Name}}\t{{.Dir}}{{range .GoFiles}}\t{{.}}{{end}}", "./...").Output()
	if err != nil {
		return err
	}
	all := 0
	for line := range strings.Lines(string(out)) {
		words := strings.Split(strings.TrimSpace(line), "\t")
		room := strings.TrimPrefix(words[0], "github.com/mcpgen/mcpgen/")
		parts := strings.Split(room, "/")
		if words[1] == "main" || slices.Contains(parts, "internal") || slices.Contains([]string{"golden", "examples", "cmd"}, parts[0]) {
			continue
		}
		n := 0
		for _, name := range words[3:] {
			f, err := parser.ParseFile(token.NewFileSet(), words[2]+"/"+name, nil, parser.SkipObjectResolution)
			if err != nil {
				return err
			}
			n += exported(f)
		}
		fmt.Printf("%5d %s\n", n, room)
		all += n
	}
	fmt.Printf("%5d in all\n", all)
	return nil
}

// exported counts the names that a file declares.
func exported(f *ast.File) int {
	n := 0
	count := func(names ...*ast.Ident) {
		for _, id := range names {
			if id.IsExported() {
				n++
			}
		}
	}
	for _, d := range f.Decls {
		switch d := d.(type) {
		case *ast.FuncDecl:
			if d.Recv == nil {
				count(d.Name)
			}
		case *ast.GenDecl:
			for _, s := range d.Specs {
				switch s := s.(type) {
				case *ast.TypeSpec:
					count(s.Name)
				case *ast.ValueSpec:
					count(s.Names...)
				}
			}
		}
	}
	return n
}
