package project

import (
	"bytes"
	"fmt"
	"go/types"
	"maps"
	"slices"
	"strings"
)

// Consumer is a program with a line for each name that a generated package exports, and
// one for each field, in both directions.
func Consumer(p *types.Package) []byte {
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
