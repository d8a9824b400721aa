package observe

// This file converts shapes to schemas and back.

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"

	"github.com/mcpgen/mcpgen/schema"
	"github.com/mcpgen/mcpgen/schema/jsonschema"
)

// schema returns a shape as a JSON Schema.
func (s *shape) schema() map[string]any {
	if s.any {
		return map[string]any{}
	}
	variants := s.variants()
	if s.null && len(variants) == 1 { // null is added to the only type
		types := []string{variants[0]["type"].(string), "null"}
		slices.Sort(types)
		variants[0]["type"] = types
		return variants[0]
	}
	if s.null {
		variants = append(variants, map[string]any{"type": "null"})
	}
	if len(variants) == 1 {
		return variants[0]
	}
	// Kinds without further keywords share one type list.
	var types []string
	for _, v := range variants {
		if len(v) > 1 {
			return map[string]any{"anyOf": variants}
		}
		types = append(types, v["type"].(string))
	}
	slices.Sort(types)
	return map[string]any{"type": types}
}

// variants returns a schema for each kind except null, containers first.
func (s *shape) variants() []map[string]any {
	var out []map[string]any
	if s.array != nil {
		out = append(out, s.array.schema())
	}
	if s.object != nil {
		out = append(out, s.object.schema())
	}
	if s.boolean {
		out = append(out, map[string]any{"type": "boolean"})
	}
	switch s.number {
	case integer:
		out = append(out, map[string]any{"type": "integer"})
	case long:
		out = append(out, map[string]any{"type": "integer", "format": "int64"})
	case unsigned:
		out = append(out, map[string]any{"type": "integer", "format": "uint64"})
	case number:
		out = append(out, map[string]any{"type": "number"})
	}
	if s.text {
		out = append(out, map[string]any{"type": "string"})
	}
	return out
}

func (a *array) schema() map[string]any {
	out := map[string]any{"type": "array"}
	if a.items != nil {
		out["items"] = a.items.schema()
	}
	return out
}

func (o *object) schema() map[string]any {
	out := map[string]any{"type": "object"}
	if o.fields == nil {
		out["additionalProperties"] = o.values.schema()
		return out
	}
	properties := map[string]any{}
	for name, s := range o.fields {
		properties[name] = s.schema()
	}
	out["properties"] = properties
	return out
}

// parse reads a schema that this package wrote.
func parse(raw json.RawMessage) (*shape, error) {
	if len(raw) == 0 {
		return nil, nil
	}
	doc, err := jsonschema.Parse(raw)
	if err != nil {
		return nil, err
	}
	if len(doc.Problems) > 0 {
		return nil, &schema.Error{Pointer: doc.Problems[0].Pointer, Reason: doc.Problems[0].Reason}
	}
	return fromSchema(doc.Root)
}

func fromSchema(s *jsonschema.Schema) (*shape, error) {
	if err := own(s); err != nil {
		return nil, err
	}
	if len(s.AnyOf) > 0 {
		var out *shape
		for _, v := range s.AnyOf {
			part, err := fromSchema(v)
			if err != nil {
				return nil, err
			}
			out = join(out, part)
		}
		return out, nil
	}
	if len(s.Types) == 0 {
		return &shape{any: true}, nil
	}
	out := new(shape)
	for _, t := range s.Types {
		if err := out.kind(t, s); err != nil {
			return nil, err
		}
	}
	return out, nil
}

// own rejects schemas that this package does not write, because Merge would drop their other keywords.
func own(s *jsonschema.Schema) error {
	bad := func(reason string) error {
		return &schema.Error{Pointer: s.Pointer, Reason: reason}
	}
	if s.Bool != nil {
		return bad("true and false are not observed shapes")
	}
	for _, name := range slices.Sorted(maps.Keys(s.Keywords)) {
		switch name {
		case "type", "properties", "additionalProperties", "items", "anyOf", "format":
		default:
			return bad(fmt.Sprintf("the keyword %q is not part of an observed shape", name))
		}
	}
	switch {
	case len(s.AnyOf) > 0 && len(s.Keywords) > 1, len(s.Types) == 0 && len(s.AnyOf) == 0 && len(s.Keywords) > 0:
		return bad("these keywords do not make an observed shape together")
	case s.Format != "" && s.Format != "int64" && s.Format != "uint64":
		return bad(fmt.Sprintf("the format %q is not part of an observed shape", s.Format))
	case s.AdditionalProperties != nil && s.Keywords["properties"] != nil:
		return bad("an observed object has either properties or additionalProperties")
	}
	return nil
}

// kind adds one type of s.
func (out *shape) kind(t string, s *jsonschema.Schema) (err error) {
	switch t {
	case "null":
		out.null = true
	case "boolean":
		out.boolean = true
	case "string":
		out.text = true
	case "number":
		out.number = max(out.number, number)
	case "integer":
		out.number = max(out.number, map[string]numeric{"": integer, "int64": long, "uint64": unsigned}[s.Format])
	case "array":
		out.array = new(array)
		if s.Items != nil {
			out.array.items, err = fromSchema(s.Items)
		}
	case "object":
		out.object, err = objectFrom(s)
	}
	return err
}

func objectFrom(s *jsonschema.Schema) (*object, error) {
	o := newObject()
	if s.Keywords["properties"] == nil {
		o.generalize()
		o.values = &shape{any: true}
		if s.AdditionalProperties == nil {
			return o, nil
		}
		values, err := fromSchema(s.AdditionalProperties)
		o.values = values
		return o, err
	}
	for _, p := range s.Properties {
		field, err := fromSchema(p.Schema)
		if err != nil {
			return nil, err
		}
		o.add(p.Name, field)
	}
	o.detectMap()
	return o, nil
}
