package native

// This file makes JSON Schemas of Go types.

import (
	"encoding/json"
	"errors"
	"fmt"
	"reflect"

	"github.com/invopop/jsonschema"

	"github.com/mcpgen/mcpgen/runtime"
)

// inputSchema returns the schema of arguments.
func inputSchema[T any]() (json.RawMessage, error) {
	t := reflect.TypeFor[T]()
	if !isObject(t) {
		return nil, fmt.Errorf("%v is neither a struct nor a map with string keys: arguments are a JSON object", t)
	}
	return reflectSchema(t)
}

// outputSchema returns the schema of structured results; nil for results that
// need none, or can have none.
func outputSchema[T any]() (json.RawMessage, error) {
	t := reflect.TypeFor[T]()
	if t == reflect.TypeFor[*runtime.Result]() || !isObject(indirect(t)) {
		return nil, nil
	}
	return reflectSchema(indirect(t))
}

func indirect(t reflect.Type) reflect.Type {
	if t.Kind() == reflect.Pointer {
		return t.Elem()
	}
	return t
}

// isObject reports types whose values are JSON objects.
func isObject(t reflect.Type) bool {
	if t.Implements(reflect.TypeFor[json.Marshaler]()) || reflect.PointerTo(t).Implements(reflect.TypeFor[json.Marshaler]()) {
		return false // who knows what it writes
	}
	return t.Kind() == reflect.Struct || t.Kind() == reflect.Map && t.Key().Kind() == reflect.String
}

// reflectSchema returns the schema of a type, with definitions only for the
// types below it.
func reflectSchema(t reflect.Type) (raw json.RawMessage, err error) {
	defer func() {
		// The library panics for types that have no schema.
		if p := recover(); p != nil {
			raw, err = nil, fmt.Errorf("%v has no JSON Schema: %v", t, p)
		}
	}()
	r := &jsonschema.Reflector{Anonymous: true}
	s := r.ReflectFromType(t)
	s.Version = "" // the protocol's own
	if name, ok := defined(s); ok {
		s, err = expanded(s, name)
		if err != nil {
			return nil, err
		}
	}
	if s.Type != "object" {
		return nil, errors.New("it is not an object in JSON")
	}
	if s.Properties == nil && s.AdditionalProperties == nil {
		s.Properties = jsonschema.NewProperties()
	}
	raw, err = json.Marshal(s)
	if err != nil {
		return nil, fmt.Errorf("%v has no JSON Schema: %w", t, err)
	}
	return raw, nil
}

const definitions = "#/$defs/"

// defined returns the name of the definition that a root refers to.
func defined(s *jsonschema.Schema) (string, bool) {
	if len(s.Ref) > len(definitions) && s.Ref[:len(definitions)] == definitions {
		return s.Ref[len(definitions):], true
	}
	return "", false
}

// expanded puts a definition in the place of a root that only refers to it.
// Models read the root first. The definition stays if something below refers to
// it again.
func expanded(root *jsonschema.Schema, name string) (*jsonschema.Schema, error) {
	def := root.Definitions[name]
	if def == nil {
		return nil, fmt.Errorf("the schema refers to %q, which does not exist", name)
	}
	top := *def
	rest := jsonschema.Definitions{}
	for n, s := range root.Definitions {
		rest[n] = s
	}
	used, err := json.Marshal(jsonschema.Schema{Definitions: rest})
	if err != nil {
		return nil, err
	}
	if !refersTo(used, definitions+name) {
		delete(rest, name)
	}
	if len(rest) > 0 {
		top.Definitions = rest
	}
	return &top, nil
}

// refersTo reports whether a reference stands anywhere in a JSON value.
func refersTo(raw json.RawMessage, ref string) bool {
	var object map[string]json.RawMessage
	if json.Unmarshal(raw, &object) == nil {
		var to string
		if json.Unmarshal(object["$ref"], &to) == nil && to == ref {
			return true
		}
		for _, v := range object {
			if refersTo(v, ref) {
				return true
			}
		}
		return false
	}
	var list []json.RawMessage
	if json.Unmarshal(raw, &list) != nil {
		return false
	}
	for _, v := range list {
		if refersTo(v, ref) {
			return true
		}
	}
	return false
}
