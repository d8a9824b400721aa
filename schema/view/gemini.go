package view

// This file writes Gemini's older subset of JSON Schema.

import (
	"encoding/json"
	"slices"
	"strconv"

	"github.com/mcpgen/mcpgen/internal/jsontext"
	"github.com/mcpgen/mcpgen/schema/internal/tree"
)

// geminiKeywords are those that the subset has and that hold no schema.
var geminiKeywords = [...]string{
	"title", "description", "default", "example", "format", "pattern", "minimum", "maximum", "minLength", "maxLength",
	"minItems", "maxItems", "minProperties", "maxProperties", "required", "nullable", "propertyOrdering",
}

// Gemini returns the schema in the subset that Gemini's Schema type has: what
// [Function] returns without references, with one type each and nullable for null,
// anyOf for oneOf, and enums of strings alone. An allOf of objects becomes one
// object. What contains itself ends after one turn, as an object of any members.
// Gemini's newer parametersJsonSchema takes [Function].
// The error is that of [Function].
func Gemini(raw json.RawMessage) (View, error) {
	f, err := Function(raw)
	if err != nil {
		return View{}, err
	}
	w := &geminiWriter{flattener: flattener{root: f.root}, lost: f.Lost, open: map[string]bool{}}
	out := w.schema(f.root, "")
	return newView(&out, w.lost), nil
}

// geminiWriter writes schemas.
type geminiWriter struct {
	flattener flattener
	lost      []Loss
	open      map[string]bool // the references that are being written
	values    int
}

func (w *geminiWriter) lose(pointer, keyword string) {
	w.lost = append(w.lost, Loss{pointer, keyword})
}

// schema writes v.
func (w *geminiWriter) schema(v *tree.Value, pointer string) tree.Value {
	if w.values++; v.Kind != tree.Object || w.values > maxInlined {
		return object()
	}
	if v.Get("allOf") != nil {
		w.lose(pointer, "allOf")
		flat := w.flattener.flatten(v, 1)
		v = &flat
	}
	if ref := v.Get("$ref"); ref != nil {
		return w.reference(v, ref, pointer)
	}
	out := object()
	for i := range v.Kids {
		w.keyword(&out, &v.Kids[i], pointer)
	}
	w.types(&out, types(v), pointer)
	return out
}

// reference writes what a reference leads to, with what stands beside it.
func (w *geminiWriter) reference(v, ref *tree.Value, pointer string) tree.Value {
	target := definition(w.flattener.root, ref)
	if ref.Text == "#" {
		target = w.flattener.root
	}
	out := object(member("type", text("object")))
	if target == nil || w.open[ref.Text] {
		w.lose(pointer, "$ref")
	} else {
		w.open[ref.Text] = true
		out = w.schema(target, pointer)
		delete(w.open, ref.Text)
	}
	for i := range v.Kids {
		if isAnnotation(v.Kids[i].Name) {
			w.keyword(&out, &v.Kids[i], pointer)
		}
	}
	return out
}

// keyword writes one keyword.
func (w *geminiWriter) keyword(out *tree.Value, m *tree.Member, pointer string) {
	at := pointer + "/" + jsontext.EscapePointer(m.Name)
	switch m.Name {
	case "type", "$schema", "$defs", "$comment", "examples", "deprecated", "readOnly", "writeOnly":
	case "properties":
		properties := object()
		for i := range m.Kids {
			name := m.Kids[i].Name
			properties.Kids = append(properties.Kids, member(name, w.schema(&m.Kids[i].Value, at+"/"+jsontext.EscapePointer(name))))
		}
		set(out, "properties", properties)
	case "items":
		set(out, "items", w.schema(&m.Value, at))
	case "anyOf", "oneOf":
		w.choices(out, m.Kids, at)
	case "const":
		w.enum(out, array(element(m.Value)), m.Name, pointer)
	case "enum":
		w.enum(out, m.Value, m.Name, pointer)
	case "additionalProperties":
		if m.Kind != tree.True {
			w.lose(pointer, m.Name)
		}
	default:
		if slices.Contains(geminiKeywords[:], m.Name) {
			set(out, m.Name, m.Value)
			return
		}
		w.lose(pointer, m.Name)
	}
}

// choices writes alternatives; one that only allows null makes the others nullable.
func (w *geminiWriter) choices(out *tree.Value, kids []tree.Member, at string) {
	list := array()
	for i := range kids {
		if named := types(&kids[i].Value); len(named) == 1 && named[0] == "null" {
			set(out, "nullable", tree.Value{Kind: tree.True})
			continue
		}
		list.Kids = append(list.Kids, element(w.schema(&kids[i].Value, at+"/"+strconv.Itoa(i))))
	}
	if len(list.Kids) == 1 {
		for _, m := range list.Kids[0].Kids {
			if out.Get(m.Name) == nil {
				out.Kids = append(out.Kids, m)
			}
		}
		return
	}
	set(out, "anyOf", list)
}

// enum writes an enum of strings, without its null.
func (w *geminiWriter) enum(out *tree.Value, members tree.Value, keyword, pointer string) {
	list := array()
	for i := range members.Kids {
		switch m := &members.Kids[i]; m.Kind {
		case tree.String:
			list.Kids = append(list.Kids, *m)
		case tree.Null:
			set(out, "nullable", tree.Value{Kind: tree.True})
		default:
			w.lose(pointer, keyword)
			return
		}
	}
	if len(list.Kids) > 0 {
		set(out, "enum", list)
	}
}

// types writes the types that a schema names.
func (w *geminiWriter) types(out *tree.Value, named []string, pointer string) {
	if slices.Contains(named, "null") {
		set(out, "nullable", tree.Value{Kind: tree.True})
	}
	named = slices.DeleteFunc(slices.Clone(named), func(t string) bool { return t == "null" })
	switch {
	case len(named) == 1 && out.Get("type") == nil:
		out.Kids = slices.Insert(out.Kids, 0, member("type", text(named[0])))
		if named[0] == "array" && out.Get("items") == nil { // which has to be there
			set(out, "items", object())
		}
	case len(named) > 1 && out.Get("anyOf") == nil:
		list := array()
		for _, t := range named {
			choice := object(member("type", text(t)))
			if t == "array" {
				set(&choice, "items", object())
			}
			list.Kids = append(list.Kids, element(choice))
		}
		set(out, "anyOf", list)
	case len(named) > 1:
		w.lose(pointer, "type")
	case len(named) == 0 && out.Get("type") == nil && out.Get("enum") != nil:
		out.Kids = slices.Insert(out.Kids, 0, member("type", text("string")))
	}
}
