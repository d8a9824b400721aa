package gotext

import (
	"encoding/json"
	"slices"
	"strconv"
	"strings"

	"github.com/mcpgen/mcpgen/generator/internal/ir"
	"github.com/mcpgen/mcpgen/internal/safetext"
)

// Value writes a value as a user of the package pkg would write it, in lines of at
// most so many columns where it can be broken. The texts in it come from schemas, so
// each is a quoted literal.
func Value(pkg string, l *ir.Literal, width int) string {
	p := &printer{pkg: pkg, width: width}
	return p.expr(l, nil, 0)
}

// printer writes literals outside of the package that declares their types.
type printer struct {
	pkg   string
	width int
}

// expr writes a literal where a value of the type want is expected; nil is where Go
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
	case ir.Raw, ir.Number:
		return p.typ(l.Type) + "(" + strconv.Quote(l.Value) + ")"
	}
	value := Scalar(l.Value)
	if want == nil && (l.Type.Kind == ir.Text || l.Type.Kind == ir.Basic && LiteralType(value) != l.Type.Name) {
		return p.typ(l.Type) + "(" + value + ")"
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
	case t.Kind == ir.Alias && IsSynonym(t.Of):
		inner := *l
		inner.Type = t.Of
		return p.expr(&inner, want, indent)
	case t.Kind == ir.Alias && t.Of.Kind != ir.Basic:
		return p.composite(name, l, t.Of, indent)
	case t.Open || want != nil && want.Kind == ir.Named && want.Decl == t:
		return Scalar(l.Value)
	}
	return name + "(" + Scalar(l.Value) + ")"
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
	if u := Underlying(elem); u.Kind == ir.Any || u.Kind == ir.Named && u.Decl.Kind == ir.Union {
		explicit = "[" + p.typ(elem) + "]" // Go would infer the variant
	}
	return "runtime.Some" + explicit + "(" + p.expr(l.Elems[0], nil, indent) + ")"
}

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
// element takes several lines, the braces of both share lines.
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

// typ is a type expression outside of the package.
func (p *printer) typ(r *ir.Ref) string { return TypeFrom(p.pkg+".", r) }

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

// Scalar writes a JSON scalar in Go. Other text becomes a quoted string; it is never code.
func Scalar(value string) string {
	var v any
	d := json.NewDecoder(strings.NewReader(value))
	d.UseNumber()
	if err := d.Decode(&v); err != nil {
		return Quote(value)
	}
	switch v := v.(type) {
	case nil:
		return "nil"
	case bool:
		return strconv.FormatBool(v)
	case json.Number: // digits, signs, a point and an exponent
		return v.String()
	case string:
		return Quote(v)
	}
	return Quote(value)
}

// Quote is a string literal in Go that a reader sees as what it is.
func Quote(text string) string {
	if quoted := strconv.Quote(text); safetext.Strip(quoted) == quoted {
		return quoted
	}
	return strconv.QuoteToASCII(text)
}

// LiteralType is the basic type that Go gives a plain literal by itself; "" if there is no
// literal.
func LiteralType(value string) string {
	switch {
	case value == "":
		return ""
	case value[0] == '"':
		return "string"
	case value == "true" || value == "false":
		return "bool"
	case strings.ContainsAny(value, ".eE"):
		return "float64"
	}
	return "int"
}

// Sample is a text of a format, which has its name in JSON Schema or that of its Go type;
// "" if the format is not known.
func Sample(format string) string {
	switch format {
	case "date-time", "DateTime":
		return "2026-01-02T15:04:05Z"
	case "date", "Date":
		return "2026-01-02"
	case "time":
		return "15:04:05Z"
	case "uri", "url", "URI":
		return "https://example.com"
	case "email":
		return "user@example.com"
	case "byte", "base64", "Base64":
		return "bWNwZ2Vu"
	case "ipv4", "IP":
		return "192.0.2.1"
	case "ipv6":
		return "2001:db8::1"
	case "uuid", "UUID":
		return "123e4567-e89b-12d3-a456-426614174000"
	}
	return ""
}
