// Command freeze prints a program that uses everything that a generated package
// exports, as it is now: every function, type, constant and field, in both directions.
// Kept, it shows what the next version of mcpgen breaks.
//
// Usage: freeze IMPORT-PATH, in the module of the package
package main

import (
	"bytes"
	"fmt"
	"go/format"
	"go/types"
	"log"
	"maps"
	"os"
	"slices"
	"strings"

	"golang.org/x/tools/go/packages"
)

func main() {
	log.SetFlags(0)
	if len(os.Args) != 2 {
		log.Fatal("usage: freeze IMPORT-PATH")
	}
	loaded, err := packages.Load(&packages.Config{Mode: packages.NeedName | packages.NeedTypes | packages.NeedImports | packages.NeedDeps}, os.Args[1])
	if err != nil {
		log.Fatal(err)
	}
	if len(loaded) != 1 || len(loaded[0].Errors) > 0 {
		log.Fatalf("%s: %v", os.Args[1], loaded[0].Errors)
	}
	source, err := format.Source(consumer(loaded[0].Types))
	if err != nil {
		log.Fatal(err)
	}
	if _, err := os.Stdout.Write(source); err != nil {
		log.Fatal(err)
	}
}

// consumer has a line for each name of p, and one for each field.
func consumer(p *types.Package) []byte {
	imports := map[string]string{p.Path(): p.Name()}
	text := func(t types.Type) string {
		return types.TypeString(t, func(q *types.Package) string {
			imports[q.Path()] = q.Name()
			return q.Name()
		})
	}
	var lines []string
	add := func(format string, args ...any) { lines = append(lines, fmt.Sprintf(format, args...)) }
	for _, name := range p.Scope().Names() {
		o := p.Scope().Lookup(name)
		if !o.Exported() {
			continue
		}
		switch o := o.(type) {
		case *types.Const:
			add("var _ %s = %s.%s", text(o.Type()), p.Name(), name)
		case *types.Func:
			add("var _ %s = %s.%s", text(o.Type()), p.Name(), name)
		case *types.TypeName:
			useType(add, text, p, o)
		}
	}
	var b bytes.Buffer
	fmt.Fprintf(&b, "// Package consumer uses all that a generated package exported.\npackage consumer\n\nimport (\n")
	for _, path := range slices.Sorted(maps.Keys(imports)) {
		fmt.Fprintf(&b, "\t%q\n", path)
	}
	fmt.Fprintf(&b, ")\n\n%s\n", strings.Join(lines, "\n"))
	return b.Bytes()
}

// useType adds the uses of a type: of its fields, its methods, and what it is made of.
func useType(add func(string, ...any), text func(types.Type) string, p *types.Package, o *types.TypeName) {
	t := text(o.Type())
	if o.IsAlias() {
		t = p.Name() + "." + o.Name()
	}
	switch u := o.Type().Underlying().(type) {
	case *types.Struct:
		add("var _ = %s{}", t)
		for f := range u.Fields() {
			if f.Exported() {
				add("func _(v %s, f %s) { v.%s, f = f, v.%s }", t, text(f.Type()), f.Name(), f.Name())
			}
		}
	case *types.Interface:
		add("var _ %s", t)
		for _, name := range p.Scope().Names() {
			v, ok := p.Scope().Lookup(name).(*types.TypeName)
			if ok && v.Exported() && v != o && !types.IsInterface(v.Type()) && types.Implements(v.Type(), u) {
				add("var _ %s = *new(%s)", t, text(v.Type()))
			}
		}
	default:
		add("func _(v %s, u %s) { v, u = %s(u), %s(v) }", t, text(u), t, "("+text(u)+")")
	}
	if named, ok := o.Type().(*types.Named); ok {
		for m := range named.Methods() {
			if m.Exported() {
				add("var _ = (*%s).%s", t, m.Name())
			}
		}
	}
}
