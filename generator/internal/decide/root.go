package decide

// The root of the arguments: one struct, whatever the schema says.

import (
	"slices"

	"github.com/mcpgen/mcpgen/internal/jsontext"
	"github.com/mcpgen/mcpgen/schema/jsonschema"
)

// oneObject is the root of the arguments as one object, or the reason why that is not
// possible.
func (vs *views) oneObject(v *jsonschema.Schema) (*jsonschema.Schema, string) {
	if ks := kinds(v); !isUnion(v) && len(ks) == 1 && ks[0] == "object" {
		return v, ""
	}
	var objects []*jsonschema.Schema
	var others []string
	for _, br := range vs.branches(v) {
		if br.kind == "object" {
			objects = append(objects, br.v)
		} else {
			others = append(others, br.kind)
		}
	}
	switch {
	case len(objects) == 1:
		one := *objects[0]
		vs.mention(&one, vs.mentioned[objects[0]])
		one.Pointer = vs.doc.Root.Pointer
		return &one, ""
	case len(objects) > 1:
		return vs.joined(v, objects), ""
	case len(others) > 0:
		return nil, "it is " + sentenceList(others) + ", but arguments are always an object"
	case v.Types != nil || v.Bool != nil && !*v.Bool:
		return nil, "it allows no object, but arguments are always one"
	}
	one := *v // any value: any object
	vs.mention(&one, vs.mentioned[v])
	one.Types, one.Bool = []string{"object"}, nil
	if root := vs.doc.Root; one.AdditionalProperties == nil && len(root.AnyOf)+len(root.OneOf) > 0 {
		// Its alternatives name members, but one of them takes any value.
		one.AdditionalProperties = &jsonschema.Schema{Pointer: root.Pointer + "/additionalProperties", Bool: new(true)}
	}
	return &one, ""
}

// undescribed is the root of the arguments, and whether it says nothing of them: neither
// which there are, as an empty object under properties does, nor that there are others.
// Then it is open.
func (vs *views) undescribed(v *jsonschema.Schema) (*jsonschema.Schema, bool) {
	said := v.Keywords["properties"] != nil || vs.doc.Root.Keywords["properties"] != nil
	if said || v.AdditionalProperties != nil || v.PatternProperties != nil || len(vs.declared(v)) > 0 || listsMembers(v) {
		return v, false
	}
	one := *v
	one.AdditionalProperties = &jsonschema.Schema{Pointer: v.Pointer + "/additionalProperties", Bool: new(true)}
	vs.mention(&one, vs.mentioned[v])
	return &one, true
}

// joined is an object that has the members of all, required where they all need
// them. A member that they describe differently is a union.
func (vs *views) joined(v *jsonschema.Schema, objects []*jsonschema.Schema) *jsonschema.Schema {
	one := *v
	one.AnyOf, one.Types, one.Pointer = nil, []string{"object"}, vs.doc.Root.Pointer
	described := map[string][]*jsonschema.Schema{}
	needed := map[string]int{}
	closed := 0
	var more []*jsonschema.Schema
	for _, o := range objects {
		vs.mention(&one, vs.mentioned[o])
		for _, p := range vs.declared(o) {
			if described[p.Name] == nil {
				one.Properties = append(one.Properties, jsonschema.Property{Name: p.Name})
			}
			if !slices.Contains(described[p.Name], p.Schema) {
				described[p.Name] = append(described[p.Name], p.Schema)
			}
		}
		for _, name := range o.Required {
			if needed[name]++; needed[name] == len(objects) && !slices.Contains(one.Required, name) {
				one.Required = append(slices.Clip(one.Required), name)
			}
		}
		one.PatternProperties = append(one.PatternProperties, o.PatternProperties...)
		switch {
		case o.AdditionalProperties.IsBool(false):
			closed++
		case o.AdditionalProperties != nil:
			more = append(more, o.AdditionalProperties)
		}
	}
	for i := range one.Properties {
		p := &one.Properties[i]
		p.Schema = described[p.Name][0]
		if len(described[p.Name]) > 1 {
			at := one.Pointer + "/properties/" + jsontext.EscapePointer(p.Name)
			p.Schema = &jsonschema.Schema{Pointer: at, AnyOf: described[p.Name]}
		}
	}
	switch {
	case closed == len(objects):
		one.AdditionalProperties = objects[0].AdditionalProperties
	case len(more) == 1:
		one.AdditionalProperties = more[0]
	case len(more) > 1:
		one.AdditionalProperties = &jsonschema.Schema{Pointer: one.Pointer + "/additionalProperties", AnyOf: more}
	}
	return &one
}
