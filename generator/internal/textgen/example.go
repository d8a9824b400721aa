package textgen

// A call of each tool, as a user of its package writes it: the example that was
// decided, or else one with stand-ins for what is required.

import (
	"cmp"
	"fmt"
	"go/format"
	"strconv"

	"github.com/mcpgen/mcpgen/generator/internal/gotext"
	"github.com/mcpgen/mcpgen/generator/internal/ir"
)

const (
	maxStandInDepth = 6  // types within types
	maxStandInParts = 40 // values in all
	exampleWidth    = 60 // columns of code in one line
)

// exampleOf shows a call that compiles, or is "" where one would explain nothing: it
// has too many parts.
func exampleOf(p *ir.Package, t *ir.Tool) string {
	args := t.Example
	if args == nil {
		args = new(standIns).object(&ir.Ref{Kind: ir.Named, Decl: t.Args}, 0)
	}
	if args == nil {
		return ""
	}
	call := fmt.Sprintf("result, err := %s.%s(ctx, %s)", p.Name, t.Go, gotext.Value(p.Name, args, exampleWidth))
	if formatted, err := format.Source([]byte(call)); err == nil {
		call = string(formatted)
	}
	return call
}

// standIns makes values of types, of which nothing but the type is known.
type standIns struct{ parts int }

// object is a struct or a tuple with its required fields; nil if one of them has no
// value.
func (s *standIns) object(r *ir.Ref, depth int) *ir.Literal {
	l := &ir.Literal{Type: r}
	for _, f := range r.Decl.Fields {
		if f.Presence != ir.Required {
			continue
		}
		value := s.value(f.Type, f.Wire, depth+1)
		if value == nil {
			return nil
		}
		l.Fields = append(l.Fields, ir.LiteralField{Go: f.Go, Value: value})
	}
	return l
}

// value is a value of a type. Name is that of its member, which stands in for a text.
func (s *standIns) value(r *ir.Ref, name string, depth int) *ir.Literal {
	if s.parts++; depth > maxStandInDepth || s.parts > maxStandInParts {
		return nil
	}
	switch r.Kind {
	case ir.Named:
		return s.named(r, name, depth)
	case ir.Slice, ir.Pointer, ir.Opt, ir.Map, ir.Array:
		return s.composite(r, r, name, depth)
	case ir.Raw:
		return &ir.Literal{Type: r, Value: "{}"}
	case ir.Text:
		return &ir.Literal{Type: r, Value: strconv.Quote(cmp.Or(gotext.Sample(r.Name), line(name)))}
	case ir.Number:
		return &ir.Literal{Type: r, Value: "12.50"}
	case ir.Any:
		return scalarOf(r, "string", name)
	}
	return scalarOf(r, r.Name, name)
}

// composite is a value of r, which is made as one of of: with one element, or as many
// as an array has.
func (s *standIns) composite(r, of *ir.Ref, name string, depth int) *ir.Literal {
	l := &ir.Literal{Type: r}
	n := 1
	if of.Kind == ir.Array {
		n = of.Len
	}
	for range n {
		e := s.value(of.Elem, name, depth+1)
		if e == nil {
			return nil
		}
		l.Elems = append(l.Elems, e)
		if of.Kind == ir.Map {
			l.Keys = append(l.Keys, "key")
		}
	}
	return l
}

func (s *standIns) named(r *ir.Ref, name string, depth int) *ir.Literal {
	switch d := r.Decl; d.Kind {
	case ir.Struct, ir.Tuple:
		return s.object(r, depth)
	case ir.Enum:
		if len(d.Consts) == 0 {
			return scalarOf(r, d.Base, name)
		}
		return &ir.Literal{Type: r, Const: d.Consts[0].Go, Value: d.Consts[0].Value}
	case ir.Union:
		for _, v := range d.Variants {
			if l := s.value(&ir.Ref{Kind: ir.Named, Decl: v.Type}, name, depth+1); l != nil {
				return l
			}
		}
	case ir.Alias:
		switch of := d.Of; of.Kind {
		case ir.Slice, ir.Array, ir.Map:
			return s.composite(r, of, name, depth)
		case ir.Basic:
			return scalarOf(r, of.Name, name)
		}
	}
	return nil
}

// scalarOf is a value of a basic type, as r.
func scalarOf(r *ir.Ref, basic, name string) *ir.Literal {
	switch basic {
	case "string":
		return &ir.Literal{Type: r, Value: strconv.Quote(line(name))}
	case "bool":
		return &ir.Literal{Type: r, Value: "true"}
	case "float64":
		return &ir.Literal{Type: r, Value: "1.5"}
	}
	return &ir.Literal{Type: r, Value: "1"}
}
