package decide

// An example of a tool's arguments, made of the examples, defaults and constants in the
// schema, or else of placeholders. It has the required members, and exists only where
// writing them is not obvious.

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"
	"unicode"

	"github.com/mcpgen/mcpgen/generator/internal/gotext"
	"github.com/mcpgen/mcpgen/generator/internal/ir"
	"github.com/mcpgen/mcpgen/internal/jsontext"
	"github.com/mcpgen/mcpgen/schema/jsonschema"
)

const (
	maxExampleDepth = 5  // structs within structs
	maxExampleParts = 12 // values in all; a longer example explains nothing
	maxExampleText  = 60 // bytes of a text in it
)

type example struct {
	views *views
	of    map[*ir.Type]*decl
	parts int  // values so far
	rich  bool // something in it is not obvious: a union, a struct within the struct
}

// exampleOf returns an example of the arguments; nil if none helps.
func exampleOf(b *side) *ir.Literal {
	e := &example{views: b.views, of: byType(slices.Values(b.decls))}
	d := e.of[b.root.Decl]
	l := e.given(b.root, d.v, "", 0)
	if l == nil {
		l = e.object(b.root, d, nil, 0)
	}
	if l == nil || !e.rich || len(l.Fields) == 0 || e.parts > maxExampleParts {
		return nil
	}
	return l
}

// literal is a value of r, which s describes: v if it is not nil, else one that
// the server gives, else one that is made up. Name is that of the member.
func (e *example) literal(r *ir.Ref, s *jsonschema.Schema, v any, name string, depth int) *ir.Literal {
	if e.parts++; depth > maxExampleDepth || e.parts > 2*maxExampleParts {
		return nil
	}
	if v == nil {
		if l := e.given(r, s, name, depth); l != nil {
			return l
		}
	}
	view, why := e.views.view(s)
	if why != "" {
		view = s
	}
	switch r.Kind {
	case ir.Named:
		return e.named(r, view, v, name, depth)
	case ir.Pointer, ir.Opt:
		e.rich = e.rich || r.Kind == ir.Opt
		if l := e.literal(r.Elem, s, v, name, depth); l != nil {
			return &ir.Literal{Type: r, Elems: []*ir.Literal{l}}
		}
		return nil
	case ir.Slice, ir.Array, ir.Map:
		return e.composite(r, r, view, v, name, depth)
	case ir.Any:
		if v == nil {
			v = stand(view, "string", name)
		}
		return scalarLiteral(r, v, "")
	case ir.Basic, ir.Number, ir.Text:
		base := r.Name
		if r.Kind == ir.Text {
			base = "string"
		}
		if v == nil {
			v = stand(view, base, name)
		}
		return scalarLiteral(r, v, base)
	}
	return nil
}

// given tries the values that the server gives.
func (e *example) given(r *ir.Ref, s *jsonschema.Schema, name string, depth int) *ir.Literal {
	raws := slices.Clone(s.Examples)
	if view, why := e.views.view(s); why == "" && view != s {
		raws = append(raws, view.Examples...)
	}
	if r.Kind != ir.Slice && r.Kind != ir.Map {
		raws = append(raws, s.Default) // an empty list shows nothing
	}
	for _, raw := range raws {
		if raw == nil || len(raw) > 10*maxExampleText {
			continue
		}
		v, err := jsontext.Decode(raw)
		if err != nil || v == nil {
			continue
		}
		before := *e
		if l := e.literal(r, s, v, name, depth); l != nil {
			return l
		}
		*e = before
	}
	return nil
}

func (e *example) named(r *ir.Ref, view *jsonschema.Schema, v any, name string, depth int) *ir.Literal {
	d := e.of[r.Decl]
	if d == nil { // the schema here is that of a map: see [holdsMap]
		return nil
	}
	switch r.Decl.Kind {
	case ir.Struct:
		e.rich = true
		return e.object(r, d, v, depth+1)
	case ir.Tuple:
		e.rich = true
		return e.tuple(r, d, v, depth+1)
	case ir.Union:
		e.rich = true
		for _, variant := range r.Decl.Variants {
			before := *e
			if l := e.literal(&ir.Ref{Kind: ir.Named, Decl: variant.Type}, e.of[variant.Type].v, v, name, depth+1); l != nil {
				return l
			}
			*e = before
		}
		return nil
	case ir.Enum:
		return enumLiteral(r, d, v)
	}
	if of := r.Decl.Of; of.Kind != ir.Basic {
		return e.composite(r, of, view, v, name, depth)
	}
	if v == nil {
		v = stand(view, r.Decl.Of.Name, name)
	}
	return scalarLiteral(r, v, r.Decl.Of.Name)
}

// enumLiteral is the constant of v, the first one if v is nil.
func enumLiteral(r *ir.Ref, d *decl, v any) *ir.Literal {
	for i, c := range d.t.Consts {
		if v == nil && !slices.Contains(d.lacks, c.Value) || v != nil && constantText(d.values[i]) == fmt.Sprint(v) {
			return &ir.Literal{Type: r, Const: c.Go, Value: c.Value}
		}
	}
	if v == nil {
		return nil
	}
	return scalarLiteral(r, v, d.t.Base)
}

// object is a struct with the members of v, or with those that are required. If
// none is, one that is more than a scalar shows how the arguments are written.
func (e *example) object(r *ir.Ref, d *decl, v any, depth int) *ir.Literal {
	members, ok := v.(map[string]any)
	if v != nil && !ok {
		return nil
	}
	l := &ir.Literal{Type: r}
	bare := !slices.ContainsFunc(d.members, func(m *member) bool { return m.f.Presence == ir.Required })
	for _, m := range d.members {
		value, there := members[m.f.Wire]
		delete(members, m.f.Wire)
		wanted := there && value != nil
		if v == nil {
			wanted = m.f.Presence == ir.Required || bare && depth == 0 && len(l.Fields) == 0 && m.named()
		}
		if !wanted {
			continue
		}
		if value == nil && m.mapped != nil {
			value = constantText(m.mapped[0])
		}
		if f := e.literal(m.f.Type, m.schema, value, m.f.Wire, depth); f != nil {
			l.Fields = append(l.Fields, ir.LiteralField{Go: m.f.Go, Value: f})
		} else if there {
			return nil
		}
	}
	for _, tag := range d.t.Tags {
		if value, there := members[tag.Wire]; there && fmt.Sprint(value) != constantText(tag.Value) {
			return nil
		}
		delete(members, tag.Wire)
	}
	if len(members) > 0 {
		return nil // the type has no place for them
	}
	return l
}

func (e *example) tuple(r *ir.Ref, d *decl, v any, depth int) *ir.Literal {
	items, ok := v.([]any)
	if v != nil && (!ok || len(items) > len(d.members)) {
		return nil
	}
	l := &ir.Literal{Type: r}
	for i, m := range d.members {
		var item any
		if i < len(items) {
			item = items[i]
		} else if v != nil || m.f.Presence != ir.Required && i > 1 {
			break
		}
		f := e.literal(m.f.Type, m.schema, item, "item", depth)
		if f == nil {
			return nil
		}
		l.Fields = append(l.Fields, ir.LiteralField{Go: m.f.Go, Value: f})
	}
	return l
}

// composite is a list or a map of the type r, which is of by name or itself.
func (e *example) composite(r, of *ir.Ref, view *jsonschema.Schema, v any, name string, depth int) *ir.Literal {
	l := &ir.Literal{Type: r}
	add := func(s *jsonschema.Schema, v any) bool {
		if s == nil || of.Elem.Kind == ir.Any && v == nil {
			s = &jsonschema.Schema{}
		}
		elem := e.literal(of.Elem, s, v, name, depth+1)
		if elem != nil {
			l.Elems = append(l.Elems, elem)
		}
		return elem != nil
	}
	if of.Kind == ir.Map {
		return e.entries(l, view, v, add)
	}
	items, ok := v.([]any)
	switch {
	case v != nil && (!ok || of.Kind == ir.Array && len(items) != of.Len):
		return nil
	case v == nil && of.Kind == ir.Array:
		items = make([]any, of.Len)
	case v == nil && (of.Elem.Kind == ir.Any || of.Elem.Kind == ir.Raw):
		return l
	case v == nil:
		items = make([]any, 1)
	}
	for i, item := range items {
		s := view.Items
		if i < len(view.PrefixItems) {
			s = view.PrefixItems[i]
		}
		if !add(s, item) {
			return nil
		}
	}
	return l
}

// entries fills a map. Without a value it stays empty: its names are not known.
func (e *example) entries(l *ir.Literal, view *jsonschema.Schema, v any,
	add func(*jsonschema.Schema, any) bool) *ir.Literal {
	members, ok := v.(map[string]any)
	if v != nil && !ok {
		return nil
	}
	for _, key := range slices.Sorted(maps.Keys(members)) {
		if !printable(key) || !add(undeclared(view), members[key]) {
			return nil
		}
		l.Keys = append(l.Keys, key)
	}
	return l
}

// scalarLiteral is a scalar as a literal of a basic type, where "" is any type; nil if it
// is not a value of that type, or too long.
func scalarLiteral(r *ir.Ref, v any, base string) *ir.Literal {
	value, fits := "", false
	switch v := v.(type) {
	case string:
		fits = (base == "string" || base == "") && printable(v)
		value = quoted(v)
	case bool:
		fits = base == "bool" || base == ""
		value = strconv.FormatBool(v)
	case json.Number:
		if r.Kind == ir.Number {
			value, fits = string(v), len(v) <= maxExampleText
		} else if base == "float64" || base == "" {
			value, fits = goFloat(string(v))
		} else if base != "string" && base != "bool" {
			value, fits = goInt(string(v))
			fits = fits && intBase("int", []ir.Const{{Value: value}}) == "int" && !(base == "uint64" && value[0] == '-')
		}
	}
	if !fits {
		return nil
	}
	return &ir.Literal{Type: r, Value: value}
}

// printable reports whether a text is fit for an example.
func printable(text string) bool {
	odd := func(r rune) bool { return !unicode.IsPrint(r) || r == unicode.ReplacementChar }
	return len(text) <= maxExampleText && !strings.ContainsFunc(text, odd)
}

// stand is a placeholder for a value of a basic type.
func stand(v *jsonschema.Schema, base, name string) any {
	switch base {
	case "bool":
		return true
	case "string":
		return standText(v, name)
	}
	for _, n := range []json.Number{v.Minimum, v.Maximum} {
		if i, err := strconv.Atoi(string(n)); err == nil && (n == v.Minimum && i > 1 || n == v.Maximum && i < 1) {
			return n
		}
	}
	return json.Number("1")
}

// standText is a text of the right format, or else the member's name.
func standText(v *jsonschema.Schema, name string) string {
	if text := gotext.Sample(v.Format); text != "" {
		return text
	}
	if name == "" || !printable(name) {
		return "text"
	}
	return name
}
