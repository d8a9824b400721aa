package textgen

// Go types and values as a user of the package writes them.

import (
	"encoding/json"
	"fmt"
	"strconv"
	"strings"

	"github.com/mcpgen/mcpgen/generator/internal/ir"
)

// typeText is r as it is written inside its package.
func typeText(r *ir.Ref) string { return writer{}.ref(r) }

// exampleText is l as it is written outside of its package.
func exampleText(pkg string, l *ir.Literal) string { return writer{pkg: pkg + "."}.value(l, "") }

// writer writes Go. Pkg stands before the package's names.
type writer struct{ pkg string }

func (w writer) ref(r *ir.Ref) string {
	switch r.Kind {
	case ir.Named:
		return w.pkg + r.Decl.Go
	case ir.Slice:
		return "[]" + w.ref(r.Elem)
	case ir.Array:
		return fmt.Sprintf("[%d]%s", r.Len, w.ref(r.Elem))
	case ir.Map:
		return "map[string]" + w.ref(r.Elem)
	case ir.Pointer:
		return "*" + w.ref(r.Elem)
	case ir.Opt:
		return "runtime.Opt[" + w.ref(r.Elem) + "]"
	case ir.Any:
		return "any"
	case ir.Raw:
		return "json.RawMessage"
	case ir.Number:
		return "json.Number"
	case ir.Text:
		return "runtime." + r.Name
	}
	return r.Name
}

// value writes l; indent is that of the line it stands on.
func (w writer) value(l *ir.Literal, indent string) string {
	r := l.Type
	switch r.Kind {
	case ir.Named:
		return w.named(l, indent)
	case ir.Pointer:
		return w.pointer(l, indent)
	case ir.Opt:
		if len(l.Elems) == 0 {
			return "runtime.Null[" + w.ref(r.Elem) + "]()"
		}
		return "runtime.Some(" + w.value(l.Elems[0], indent) + ")"
	case ir.Slice, ir.Array, ir.Map:
		return w.ref(r) + w.elems(l, indent)
	case ir.Raw, ir.Number:
		return w.ref(r) + "(" + strconv.Quote(l.Value) + ")"
	case ir.Basic:
		if r.Name != "string" && r.Name != "bool" && r.Name != "int" && (r.Name != "float64" || !strings.ContainsAny(l.Value, ".eE")) {
			return r.Name + "(" + scalar(l.Value) + ")"
		}
	}
	return scalar(l.Value)
}

func (w writer) named(l *ir.Literal, indent string) string {
	d := l.Type.Decl
	name := w.pkg + d.Go
	switch d.Kind {
	case ir.Enum:
		if l.Const != "" {
			return w.pkg + l.Const
		}
		return name + "(" + scalar(l.Value) + ")"
	case ir.Struct, ir.Tuple:
		return name + w.fields(l, indent)
	}
	if l.Value != "" {
		return name + "(" + scalar(l.Value) + ")"
	}
	return name + w.elems(l, indent)
}

func (w writer) pointer(l *ir.Literal, indent string) string {
	if len(l.Elems) == 0 {
		return "nil"
	}
	to := l.Elems[0]
	if isStruct(to.Type) {
		return "&" + w.value(to, indent)
	}
	return "new(" + w.value(to, indent) + ")"
}

// fields writes each field on a line of its own if there is more than one, or if one
// takes several lines.
func (w writer) fields(l *ir.Literal, indent string) string {
	var parts []string
	lines := len(l.Fields) > 1
	for _, f := range l.Fields {
		text := w.value(f.Value, indent+"\t")
		parts, lines = append(parts, f.Go+": "+text), lines || strings.Contains(text, "\n")
	}
	return braces(parts, lines, indent)
}

func (w writer) elems(l *ir.Literal, indent string) string {
	var parts []string
	for i, e := range l.Elems {
		text := w.value(e, indent)
		if isStruct(e.Type) && sameType(e.Type, elemOf(l.Type)) {
			text = w.fields(e, indent) // its type need not be said again
		}
		if i < len(l.Keys) {
			text = strconv.Quote(l.Keys[i]) + ": " + text
		}
		parts = append(parts, text)
	}
	return braces(parts, false, indent)
}

// elemOf is the type of the elements of a slice, an array or a map, or of an alias over
// one.
func elemOf(r *ir.Ref) *ir.Ref {
	if r.Kind == ir.Named && r.Decl.Of != nil {
		r = r.Decl.Of
	}
	return r.Elem
}

func isStruct(r *ir.Ref) bool {
	return r.Kind == ir.Named && (r.Decl.Kind == ir.Struct || r.Decl.Kind == ir.Tuple)
}

func sameType(a, b *ir.Ref) bool { return b != nil && a.Kind == b.Kind && a.Decl == b.Decl }

func braces(parts []string, lines bool, indent string) string {
	if !lines {
		return "{" + strings.Join(parts, ", ") + "}"
	}
	var b strings.Builder
	b.WriteString("{\n")
	for _, p := range parts {
		b.WriteString(indent + "\t" + p + ",\n")
	}
	return b.String() + indent + "}"
}

// scalar writes a JSON scalar as Go does. A string is always quoted anew.
func scalar(value string) string {
	var s string
	if json.Unmarshal([]byte(value), &s) == nil && value != "null" {
		return strconv.Quote(s)
	}
	if value == "null" {
		return "nil"
	}
	return value
}
