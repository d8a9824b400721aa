package view

// This file writes schemas in the subset of OpenAI's strict mode.

import (
	"cmp"
	"encoding/json"
	"fmt"
	"slices"
	"strconv"

	"github.com/mcpgen/mcpgen/internal/jsontext"
	"github.com/mcpgen/mcpgen/schema/internal/tree"
)

// Strict returns the schema in the subset of OpenAI's strict mode: the parameters of a function as [Fit] makes
// them, in which each object requires all its properties and allows no others. Optional properties allow null instead. The server
// need not support these nulls: [View.Arguments] removes them from the model's arguments. Alternatives become
// anyOf, const becomes an enum of one value. Bounds that the subset lacks are Lost.
//
// The error is an [*schema.Error] for the first construct that the subset cannot express: an object with
// members of any name, a value of any type, allOf, not, if, or more than OpenAI's limits of properties, values of
// enums, levels and text. Offer such a tool with [Fit] and "strict": false.
func Strict(raw json.RawMessage) (View, error) {
	f, err := function(raw)
	if err != nil {
		return View{}, err
	}
	w := &strictWriter{lost: f.Lost}
	out := w.schema(f.root, "", 0)
	if defs := f.root.Get("$defs"); defs != nil {
		written := object()
		for i := range defs.Kids {
			m := &defs.Kids[i]
			written.Kids = append(written.Kids, member(m.Name, w.schema(&m.Value, "/$defs/"+jsontext.EscapePointer(m.Name), 0)))
		}
		set(&out, "$defs", written)
	}
	if w.err != nil {
		return View{}, w.err
	}
	v := newView(&out, w.lost)
	v.loose = f.root
	return v, nil
}

// strictWriter writes schemas; err is the first construct that the subset cannot express.
type strictWriter struct {
	properties, enums int
	text              int // bytes of names and of the values of enums
	lost              []Loss
	err               error
}

func (w *strictWriter) refuse(pointer, reason string) tree.Value {
	if w.err == nil {
		w.err = refused(pointer, "strict mode cannot say this: "+reason)
	}
	return tree.Value{Kind: tree.True}
}

// schema writes v. Depth is the number of enclosing objects and arrays.
func (w *strictWriter) schema(v *tree.Value, pointer string, depth int) tree.Value {
	switch {
	case w.err != nil || v.Kind != tree.Object:
		return w.refuse(pointer, "a value of any type, or of none")
	case depth > strict.depth:
		return w.refuse(pointer, fmt.Sprintf("it is more than %d levels deep", strict.depth))
	}
	out := object()
	for i := range v.Kids {
		w.keyword(&out, &v.Kids[i], pointer, depth)
	}
	if out.Get("type") == nil && out.Get("anyOf") == nil && out.Get("enum") == nil && out.Get("$ref") == nil {
		return w.refuse(pointer, "a value of any type")
	}
	named := types(v)
	if slices.Contains(named, "array") && out.Get("items") == nil {
		return w.refuse(pointer, "an array of any values")
	}
	if slices.Contains(named, "object") {
		w.object(&out, v, pointer, depth)
	}
	return out
}

// keyword writes one keyword of v to out.
func (w *strictWriter) keyword(out *tree.Value, m *tree.Member, pointer string, depth int) {
	at := pointer + "/" + jsontext.EscapePointer(m.Name)
	switch m.Name {
	case "$schema", "$defs", "properties", "required":
	case "$ref":
		out.Kids = append(out.Kids, *m)
	case "anyOf", "oneOf":
		if out.Get("anyOf") != nil {
			w.refuse(at, "both anyOf and oneOf")
			return
		}
		choices := array()
		for i := range m.Kids {
			choices.Kids = append(choices.Kids, element(w.schema(&m.Kids[i].Value, at+"/"+strconv.Itoa(i), depth)))
		}
		out.Kids = append(out.Kids, member("anyOf", choices))
	case "items":
		out.Kids = append(out.Kids, member("items", w.schema(&m.Value, at, depth+1)))
	case "const":
		enum := member("enum", array(element(m.Value)))
		w.enum(&enum, pointer)
		out.Kids = append(out.Kids, enum)
	case "additionalProperties":
		if m.Kind != tree.False {
			w.refuse(at, "members of any name")
		}
	case "allOf", "not", "if", "then", "else", "patternProperties", "prefixItems", "dependentSchemas", "dependentRequired":
		w.refuse(at, `the keyword "`+m.Name+`"`)
	default:
		w.plain(out, m, pointer)
	}
}

// plain writes a keyword without subschemas.
func (w *strictWriter) plain(out *tree.Value, m *tree.Member, pointer string) {
	known := slices.Contains(strict.keywords, m.Name)
	if m.Name == "format" {
		known = slices.Contains(strict.formats, m.Text)
	}
	if m.Name == "pattern" {
		known = isPlain(m.Text)
	}
	if m.Name == "enum" {
		w.enum(m, pointer)
	}
	switch {
	case known:
		out.Kids = append(out.Kids, *m)
	case !isAnnotation(m.Name):
		w.lost = append(w.lost, Loss{pointer, m.Name})
	}
}

// enum counts the values of an enum.
func (w *strictWriter) enum(m *tree.Member, pointer string) {
	text := 0
	for i := range m.Kids {
		text += len(m.Kids[i].Text)
	}
	w.text += text
	switch w.enums += len(m.Kids); {
	case w.enums > strict.enum:
		w.refuse(pointer, fmt.Sprintf("more than %d members of enums", strict.enum))
	case len(m.Kids) > strict.longEnum && text > strict.longText:
		w.refuse(pointer, fmt.Sprintf("an enum of more than %d values and %d bytes", strict.longEnum, strict.longText))
	}
	w.bound(pointer)
}

// bound refuses more text than strict mode takes.
func (w *strictWriter) bound(pointer string) {
	if w.text > strict.text {
		w.refuse(pointer, fmt.Sprintf("more than %d bytes of names and of values of enums", strict.text))
	}
}

// object writes the properties of v, all of them required.
func (w *strictWriter) object(out, v *tree.Value, pointer string, depth int) {
	declared := cmp.Or(v.Get("properties"), &tree.Value{})
	if len(declared.Kids) == 0 && v.Get("additionalProperties") == nil && pointer != "" {
		w.refuse(pointer, "an object with members of any name")
		return
	}
	properties, names := object(), array()
	for i := range declared.Kids {
		m := &declared.Kids[i]
		property := w.schema(&m.Value, pointer+"/properties/"+jsontext.EscapePointer(m.Name), depth+1)
		if !slices.Contains(required(v), m.Name) {
			property = nullable(property)
		}
		properties.Kids = append(properties.Kids, member(m.Name, property))
		names.Kids = append(names.Kids, element(text(m.Name)))
		w.text += len(m.Name)
	}
	if w.properties += len(names.Kids); w.properties > strict.properties {
		w.refuse(pointer, fmt.Sprintf("more than %d properties", strict.properties))
	}
	w.bound(pointer)
	set(out, "properties", properties)
	set(out, "required", names)
	set(out, "additionalProperties", tree.Value{Kind: tree.False})
}

// nullable returns a schema that allows null as well.
func nullable(v tree.Value) tree.Value {
	if allowsNull(&v) {
		return v
	}
	null := text("null")
	if named := types(&v); named != nil && v.Get("anyOf") == nil {
		list := array()
		for _, t := range append(named, "null") {
			list.Kids = append(list.Kids, element(text(t)))
		}
		out := object(slices.Clone(v.Kids)...)
		set(&out, "type", list)
		if enum := v.Get("enum"); enum != nil {
			set(&out, "enum", array(append(slices.Clone(enum.Kids), element(tree.Value{Kind: tree.Null}))...))
		}
		return out
	}
	return object(member("anyOf", array(element(v), element(object(member("type", null))))))
}

// allowsNull reports whether a strict schema without references allows null.
func allowsNull(v *tree.Value) bool {
	if any := v.Get("anyOf"); any != nil {
		return slices.ContainsFunc(any.Kids, func(m tree.Member) bool { return allowsNull(&m.Value) })
	}
	if enum := v.Get("enum"); enum != nil {
		return slices.ContainsFunc(enum.Kids, func(m tree.Member) bool { return m.Kind == tree.Null })
	}
	return slices.Contains(types(v), "null")
}
