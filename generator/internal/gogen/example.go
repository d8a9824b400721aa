package gogen

// Examples: a value of the arguments, written as a user of the package would
// write it. The texts in it come from schemas, so each is a quoted literal.

import (
	"encoding/json"
	"go/format"
	"slices"
	"strconv"
	"strings"

	"github.com/mcpgen/mcpgen/generator/internal/ir"
	"github.com/mcpgen/mcpgen/internal/safetext"
)

const (
	exampleWidth   = 96   // columns of code in one line
	longestExample = 1500 // bytes; longer ones are left out
)

// exampleOf is the call of a tool as code in a comment, or "".
func exampleOf(pkg string, t *ir.Tool) string {
	if t.Example == nil {
		return ""
	}
	p := &printer{pkg: pkg}
	function := pkg + "." + t.Go + "(ctx, "
	call := func(width int) string {
		p.width = width
		return function + p.expr(t.Example, t.Example.Type, 0) + ")"
	}
	code := call(exampleWidth)
	if columns(code) > maxColumns-2*tabColumns && !strings.Contains(code, "\n") {
		code = call(exampleWidth - len(function))
	}
	lines := strings.Split(aligned(code), "\n")
	if slices.ContainsFunc(lines, func(line string) bool { return inert(line) != line }) {
		lines = []string{call(longestExample)} // a line by itself would look like a directive
	}
	text := strings.Join(lines, "\n")
	if len(text) > longestExample || safetext.Strip(text) != text {
		return ""
	}
	return "```\n" + text + "\n```"
}

// aligned puts the values of a literal of several lines below each other.
func aligned(code string) string {
	if !strings.Contains(code, "\n") {
		return code
	}
	data, err := format.Source([]byte(code))
	if err != nil {
		return code
	}
	return string(data)
}

// printer writes literals outside of the package that declares their types.
type printer struct {
	pkg   string
	width int
}

// expr writes a literal where a value of the type want stands; nil is where Go
// infers the type from the value. Lines after the first are indented.
func (p *printer) expr(l *ir.Literal, want *ir.Ref, indent int) string {
	switch l.Type.Kind {
	case ir.Named:
		return p.named(l, want, indent)
	case ir.Slice, ir.Array, ir.Map:
		return p.composite(p.typ(l.Type), l, l.Type, indent)
	case ir.Pointer:
		return p.pointer(l, indent)
	case ir.Opt:
		return p.opt(l, indent)
	case ir.Number:
		return "json.Number(" + strconv.Quote(l.Value) + ")"
	}
	value := goValue(l.Value)
	if want == nil && l.Type.Kind == ir.Basic && inferred(value) != l.Type.Name {
		return l.Type.Name + "(" + value + ")"
	}
	return value
}

func (p *printer) named(l *ir.Literal, want *ir.Ref, indent int) string {
	t := l.Type.Decl
	name := p.pkg + "." + t.Go
	switch {
	case t.Kind == ir.Struct || t.Kind == ir.Tuple:
		return p.fields(name, l, indent)
	case t.Kind == ir.Enum && l.Const != "":
		return p.pkg + "." + l.Const
	case t.Kind == ir.Alias && isSynonym(t.Of):
		inner := *l
		inner.Type = t.Of
		return p.expr(&inner, want, indent)
	case t.Kind == ir.Alias && t.Of.Kind != ir.Basic:
		return p.composite(name, l, t.Of, indent)
	case t.Open || want != nil && want.Kind == ir.Named && want.Decl == t:
		return goValue(l.Value)
	}
	return name + "(" + goValue(l.Value) + ")"
}

func (p *printer) pointer(l *ir.Literal, indent int) string {
	if len(l.Elems) == 0 {
		return "nil"
	}
	value := p.expr(l.Elems[0], nil, indent)
	if strings.HasSuffix(value, "}") {
		return "&" + value
	}
	return "new(" + value + ")"
}

func (p *printer) opt(l *ir.Literal, indent int) string {
	elem := l.Type.Elem
	if len(l.Elems) == 0 {
		return "runtime.Null[" + p.typ(elem) + "]()"
	}
	explicit := ""
	if u := underlying(elem); u.Kind == ir.Any || u.Kind == ir.Named && u.Decl.Kind == ir.Union {
		explicit = "[" + p.typ(elem) + "]" // Go would infer the variant
	}
	return "runtime.Some" + explicit + "(" + p.expr(l.Elems[0], nil, indent) + ")"
}

// fields writes a struct.
func (p *printer) fields(name string, l *ir.Literal, indent int) string {
	return p.braces(name, len(l.Fields), indent, func(i, indent int) string {
		f := l.Fields[i]
		var want *ir.Ref
		for _, declared := range l.Type.Decl.Fields {
			if declared.Go == f.Go {
				want = declared.Type
			}
		}
		return f.Go + ": " + p.expr(f.Value, want, indent)
	})
}

// composite writes a list or a map of the type r, by the given name. Where one
// element takes several lines, the braces of both stand together.
func (p *printer) composite(name string, l *ir.Literal, r *ir.Ref, indent int) string {
	if len(l.Elems) == 1 && r.Kind != ir.Map && elidable(r.Elem, l.Elems[0].Type) {
		if text := p.expr(l.Elems[0], r.Elem, indent); strings.Contains(text, "{\n") {
			return name + "{" + strings.TrimPrefix(text, p.typ(r.Elem)) + "}"
		}
	}
	return p.braces(name, len(l.Elems), indent, func(i, indent int) string {
		elem := l.Elems[i]
		text := p.expr(elem, r.Elem, indent)
		if elidable(r.Elem, elem.Type) {
			text = strings.TrimPrefix(text, p.typ(r.Elem)) // as gofmt -s does
		}
		if r.Kind == ir.Map {
			return strconv.Quote(l.Keys[i]) + ": " + text
		}
		return text
	})
}

// elidable says that a composite literal in a list of want need not name its type.
func elidable(want, got *ir.Ref) bool {
	switch want.Kind {
	case ir.Slice, ir.Array, ir.Map:
		return true
	case ir.Named:
		return got.Decl == want.Decl && (want.Decl.Kind == ir.Struct || want.Decl.Kind == ir.Tuple)
	}
	return false
}

// braces writes a composite literal on one line, or on a line for each element if
// that is too long.
func (p *printer) braces(name string, n, indent int, elem func(i, indent int) string) string {
	var elems []string
	length := 4*indent + len(name)
	for i := range n {
		elems = append(elems, elem(i, indent))
		length += len(elems[i]) + 2
	}
	if length <= p.width && !slices.ContainsFunc(elems, func(e string) bool { return strings.Contains(e, "\n") }) {
		return name + "{" + strings.Join(elems, ", ") + "}"
	}
	tabs := strings.Repeat("\t", indent)
	var b strings.Builder
	b.WriteString(name + "{\n")
	for i := range n {
		b.WriteString(tabs + "\t" + elem(i, indent+1) + ",\n")
	}
	return b.String() + tabs + "}"
}

// typ is a type expression outside of the package.
func (p *printer) typ(r *ir.Ref) string { return typeTextFrom(p.pkg+".", r) }

// goValue writes a JSON scalar in Go. Other text becomes a quoted string.
func goValue(value string) string {
	var v any
	d := json.NewDecoder(strings.NewReader(value))
	d.UseNumber()
	if err := d.Decode(&v); err != nil {
		return strconv.QuoteToASCII(value)
	}
	switch v := v.(type) {
	case nil:
		return "nil"
	case bool:
		return strconv.FormatBool(v)
	case json.Number: // digits, signs, a point and an exponent
		return v.String()
	case string:
		if quoted := strconv.Quote(v); safetext.Strip(quoted) == quoted {
			return quoted
		}
		return strconv.QuoteToASCII(v)
	}
	return strconv.QuoteToASCII(value)
}

// inferred is the basic type that Go gives a literal by itself.
func inferred(value string) string {
	switch {
	case value[0] == '"':
		return "string"
	case value == "true" || value == "false":
		return "bool"
	case strings.ContainsAny(value, ".eE"):
		return "float64"
	}
	return "int"
}
