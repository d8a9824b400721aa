package view

// This file converts the root of a schema into the form that a function's parameters need.

import (
	"encoding/json"
	"slices"

	"github.com/mcpgen/mcpgen/internal/jsontext"
	"github.com/mcpgen/mcpgen/schema/internal/tree"
)

// Object returns the schema as it was sent, with "type": "object" at its root. The protocol requires this type
// for input schemas, and servers of the Go SDK panic without it. Arguments are always objects, so nothing is
// lost. The error is an [*schema.Error]: raw is not a schema, or the types of its root do not include "object".
func Object(raw json.RawMessage) (View, error) {
	root, problem := tree.Parse(raw)
	if problem != nil {
		return View{}, problem
	}
	out, err := rooted(root)
	if err != nil {
		return View{}, err
	}
	return newView(out, nil), nil
}

// rooted returns a schema with "type": "object".
func rooted(v *tree.Value) (*tree.Value, error) {
	switch v.Kind {
	case tree.True:
		out := object(member("type", text("object")))
		return &out, nil
	case tree.Object:
	default:
		return nil, refused("", "the schema of the arguments is "+v.Kind.String()+", which no object fits")
	}
	if named := types(v); named != nil && !slices.Contains(named, "object") {
		return nil, refused("/type", "the arguments of a tool are an object, and the schema does not allow one")
	}
	out := object(slices.Clone(v.Kids)...)
	if t := out.Get("type"); t != nil {
		*t = text("object")
	} else {
		out.Kids = slices.Insert(out.Kids, 0, member("type", text("object")))
	}
	return &out, nil
}

// function returns the schema as the parameters of a function that models call: with references replaced by their
// targets, "type": "object" at the root and no allOf, anyOf, oneOf, not, enum, const, if and dependencies there,
// which Anthropic and OpenAI reject at the root. Recursive definitions stay references. Members declared by
// alternatives become members of the root. A member is required if every alternative requires it; a member that
// only some alternatives declare allows the values of any of these. The removed keywords are Lost. The error is
// that of [Object], or about a limit of package jsonschema.
func function(raw json.RawMessage) (View, error) {
	f, _, err := newFlattener(raw)
	if err != nil {
		return View{}, err
	}
	flat := f.flatten(f.root, 0)
	return newView(&flat, f.lost), nil
}

// newFlattener returns the flattener of a schema with its references replaced, and whether that is spelled as it
// was sent.
func newFlattener(raw json.RawMessage) (f *flattener, asSent bool, err error) {
	inlined, err := inline(raw)
	if err != nil {
		return nil, false, err
	}
	root, err := rooted(inlined.root)
	return &flattener{root: root, lost: inlined.Lost}, inlined.asSent, err
}

// flattener moves the members that alternatives declare to the root.
type flattener struct {
	root  *tree.Value
	steps int
	lost  []Loss
}

// The maximum nesting and number of alternatives. Alternatives beyond the limits are ignored.
const (
	maxFlattened = 16
	maxParts     = 4096
)

// flatten returns v without combining keywords.
func (f *flattener) flatten(v *tree.Value, depth int) tree.Value {
	out := object()
	var combined []tree.Member
	for _, m := range v.Kids {
		switch m.Name {
		case "allOf", "anyOf", "oneOf", "then", "else", "dependentSchemas":
			combined = append(combined, m)
		case "not", "enum", "const", "if", "dependencies", "$ref":
		default:
			out.Kids = append(out.Kids, m)
			continue
		}
		if depth == 0 {
			f.lost = append(f.lost, Loss{"", m.Name})
		}
	}
	if f.steps++; depth == maxFlattened || f.steps > maxParts {
		return out
	}
	if target := definition(f.root, v.Get("$ref")); target != nil {
		combined = append(combined, member("allOf", array(element(*target))))
	}
	for _, m := range combined {
		kids := m.Kids
		if m.Name == "then" || m.Name == "else" {
			kids = []tree.Member{m}
		}
		var parts []tree.Value
		for i := range kids {
			if kids[i].Kind != tree.False {
				parts = append(parts, f.flatten(&kids[i].Value, depth+1))
			}
		}
		merge(&out, m.Name, parts)
	}
	return out
}

// definition returns the target of a $ref in an inlined schema; nil if there is no $ref or it refers to the
// root.
func definition(root, ref *tree.Value) *tree.Value {
	const before = "#/$defs/"
	if ref == nil || len(ref.Text) <= len(before) {
		return nil
	}
	return root.Get("$defs").Get(jsontext.UnescapePointer(ref.Text[len(before):]))
}

// merge adds the declarations of a combining keyword's parts to out.
func merge(out *tree.Value, keyword string, parts []tree.Value) {
	closed := out.Get("additionalProperties")
	if closed != nil && closed.Kind == tree.False && out.Get("properties") != nil {
		return // the schema forbids undeclared members
	}
	properties := object()
	if own := out.Get("properties"); own != nil {
		properties.Kids = slices.Clone(own.Kids)
	}
	declared := len(properties.Kids)
	for i := range parts {
		declare(&properties, declared, parts[i].Get("properties"))
	}
	if len(properties.Kids) > 0 {
		set(out, "properties", properties)
	}
	var names []string
	switch keyword {
	case "allOf":
		for i := range parts {
			names = append(names, required(&parts[i])...)
		}
	case "anyOf", "oneOf":
		names = requiredByAll(parts)
	}
	require(out, names)
}

// declare adds properties. A property that an earlier part declared differently allows the values of both;
// properties before index own belong to the schema and stay.
func declare(properties *tree.Value, own int, more *tree.Value) {
	if more == nil {
		return
	}
	for _, m := range more.Kids {
		i := slices.IndexFunc(properties.Kids, func(p tree.Member) bool { return p.Name == m.Name })
		switch {
		case i < 0:
			properties.Kids = append(properties.Kids, m)
		case i >= own:
			properties.Kids[i].Value = either(properties.Kids[i].Value, m.Value)
		}
	}
}

// either returns a schema of the values that fit a or b.
func either(a, b tree.Value) tree.Value {
	choices := []tree.Member{element(a)}
	if any := a.Get("anyOf"); any != nil && len(a.Kids) == 1 {
		choices = slices.Clone(any.Kids)
	}
	written := string(tree.AppendCanonical(nil, &b))
	for i := range choices {
		if string(tree.AppendCanonical(nil, &choices[i].Value)) == written {
			return a
		}
	}
	return object(member("anyOf", array(append(choices, element(b))...)))
}

// required returns the names that a schema requires.
func required(v *tree.Value) []string { return texts(v.Get("required")) }

// requiredByAll returns the names that all parts require.
func requiredByAll(parts []tree.Value) []string {
	if len(parts) == 0 {
		return nil
	}
	return slices.DeleteFunc(required(&parts[0]), func(name string) bool {
		return slices.ContainsFunc(parts[1:], func(part tree.Value) bool { return !slices.Contains(required(&part), name) })
	})
}

// require adds names to the schema's required list.
func require(out *tree.Value, names []string) {
	all := array()
	if own := out.Get("required"); own != nil {
		all.Kids = slices.Clone(own.Kids)
	}
	for _, name := range names {
		if !slices.ContainsFunc(all.Kids, func(m tree.Member) bool { return m.Text == name }) {
			all.Kids = append(all.Kids, element(text(name)))
		}
	}
	if len(all.Kids) > 0 {
		set(out, "required", all)
	}
}
