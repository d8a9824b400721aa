package main

// A schema that is not an object becomes the property of one.

import (
	"bytes"
	"encoding/json"
	"slices"
	"strings"

	"github.com/mcpgen/mcpgen/schema/jsonschema"
)

// wrapper is the property that holds a schema that cannot be arguments itself.
const wrapper = "value"

// asArguments returns a schema that a tool may take arguments by: raw itself if
// it says that its values are objects, else an object with raw as property.
func asArguments(raw json.RawMessage) (_ json.RawMessage, wrapped bool, err error) {
	doc, err := jsonschema.Parse(raw)
	if err != nil {
		return nil, false, err
	}
	if root, err := doc.Resolve(doc.Root); err == nil && slices.Equal(root.Types, []string{"object"}) {
		return raw, false, nil
	}
	d := json.NewDecoder(bytes.NewReader(raw))
	d.UseNumber()
	var s any
	if err := d.Decode(&s); err != nil {
		return nil, false, err
	}
	object := map[string]any{
		"type":       "object",
		"properties": map[string]any{wrapper: moveRefs(s, "#/properties/"+wrapper)},
		"required":   []string{wrapper},
	}
	if doc.Dialect != "" {
		object["$schema"] = doc.Dialect
	}
	out, err := json.Marshal(object)
	return out, true, err
}

// moveRefs lets references that start at the root of a document find their
// places again below another one. Below an $id they start there, and stay.
func moveRefs(s any, below string) any {
	switch s := s.(type) {
	case []any:
		for i := range s {
			s[i] = moveRefs(s[i], below)
		}
	case map[string]any:
		if id, ok := s["$id"].(string); ok && !strings.HasPrefix(id, "#") {
			return s
		}
		for key, v := range s {
			ref, isText := v.(string)
			switch {
			case key == "$ref" && isText && (ref == "#" || strings.HasPrefix(ref, "#/")):
				s[key] = below + ref[1:]
			case key == "const" || key == "enum" || key == "default" || key == "examples":
			default:
				s[key] = moveRefs(v, below)
			}
		}
	}
	return s
}
