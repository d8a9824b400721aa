package decide

// The types of a package as Go, so that the type checker can judge them: what
// comes out has to compile, whatever a schema says.

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"go/types"
	"strings"
	"testing"

	"github.com/mcpgen/mcpgen/generator/internal/ir"
)

// goSource writes the declarations of p as Go without imports.
func goSource(p *ir.Package) string {
	var b strings.Builder
	b.WriteString("package p\ntype opt[T any] struct{ v T; ok bool }\ntype raw []byte\n")
	for _, t := range p.Tools {
		result := "raw"
		if t.Result != nil {
			result = goType(t.Result)
		}
		fmt.Fprintf(&b, "func %s(%s) (r %s) { return r }\n", t.Go, t.Args.Go, result)
	}
	for _, t := range p.Types {
		switch t.Kind {
		case ir.Struct:
			fmt.Fprintf(&b, "type %s struct {\n", t.Go)
			for _, f := range t.Fields {
				fmt.Fprintf(&b, "%s %s\n", f.Go, goType(f.Type))
			}
			if t.Extra != nil {
				fmt.Fprintf(&b, "Extra map[string]%s\n", goType(t.Extra))
			}
			b.WriteString("}\n")
		case ir.Tuple:
			fmt.Fprintf(&b, "type %s struct {\n", t.Go)
			for _, f := range t.Fields {
				fmt.Fprintf(&b, "%s %s\n", f.Go, goType(f.Type))
			}
			if t.Rest != nil {
				fmt.Fprintf(&b, "Rest []%s\n", goType(t.Rest))
			}
			b.WriteString("}\n")
		case ir.Union:
			fmt.Fprintf(&b, "type %s interface{ is%s() }\ntype %s raw\nfunc (%s) is%s() {}\n", t.Go, t.Go, t.Other, t.Other, t.Go)
			for _, v := range t.Variants {
				fmt.Fprintf(&b, "func (%s) is%s() {}\n", v.Type.Go, t.Go)
			}
		case ir.Enum:
			equal := ""
			if t.Open {
				equal = "="
			}
			fmt.Fprintf(&b, "type %s %s %s\n", t.Go, equal, t.Base)
			for _, c := range t.Consts {
				value := c.Value
				if t.Base == "string" {
					value = fmt.Sprintf("%q", constantText(value))
				}
				fmt.Fprintf(&b, "const %s %s = %s\n", c.Go, t.Go, value)
			}
		case ir.Alias:
			fmt.Fprintf(&b, "type %s %s\n", t.Go, goType(t.Of))
		}
	}
	return b.String()
}

func goType(r *ir.Ref) string {
	switch r.Kind {
	case ir.Slice:
		return "[]" + goType(r.Elem)
	case ir.Array:
		return fmt.Sprintf("[%d]%s", r.Len, goType(r.Elem))
	case ir.Map:
		return "map[string]" + goType(r.Elem)
	case ir.Pointer:
		return "*" + goType(r.Elem)
	case ir.Opt:
		return "opt[" + goType(r.Elem) + "]"
	case ir.Text, ir.Number:
		return "string"
	}
	return typeText(r)
}

// checkCompiles type-checks the declarations of p for 32-bit machines, where an
// int holds least.
func checkCompiles(p *ir.Package) error {
	fset := token.NewFileSet()
	src := goSource(p)
	file, err := parser.ParseFile(fset, "p.go", src, parser.SkipObjectResolution)
	if err != nil {
		return fmt.Errorf("%w\n%s", err, src)
	}
	conf := types.Config{Sizes: types.SizesFor("gc", "386")}
	if _, err := conf.Check("p", fset, []*ast.File{file}, nil); err != nil {
		return fmt.Errorf("%w\n%s", err, src)
	}
	return nil
}

func TestCorpusCompiles(t *testing.T) {
	for _, s := range corpusServers(t) {
		p, _ := mustPackage(t, Input{Server: Server{Name: s.Server, Snapshot: s}})
		if err := checkCompiles(p); err != nil {
			t.Errorf("server %s: got %v, want no error", s.Server, err)
		}
	}
}
