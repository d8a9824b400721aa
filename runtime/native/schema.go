//go:build !mcpgen_lean

package native

// This file derives JSON Schemas from Go types.

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"reflect"
	"strings"

	"github.com/invopop/jsonschema"

	"github.com/mcpgen/mcpgen/runtime"
)

// inputSchema returns the schema of arguments.
func inputSchema[T any]() (json.RawMessage, error) {
	t := reflect.TypeFor[T]()
	if !isObject(t) {
		return nil, fmt.Errorf("%v is neither a struct nor a map with string keys: the arguments of a tool must be a JSON object", t)
	}
	return reflectSchema(t)
}

// outputSchema returns the schema of structured results; nil for results that need
// none, or cannot have one.
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

// isObject reports whether the values of a type are JSON objects.
func isObject(t reflect.Type) bool {
	if t.Implements(reflect.TypeFor[json.Marshaler]()) || reflect.PointerTo(t).Implements(reflect.TypeFor[json.Marshaler]()) {
		return false // a Marshaler's output is unknown
	}
	return t.Kind() == reflect.Struct || t.Kind() == reflect.Map && t.Key().Kind() == reflect.String
}

// reflectSchema returns the schema of a type, with definitions only for the types
// inside it.
func reflectSchema(t reflect.Type) (raw json.RawMessage, err error) {
	defer func() {
		// The library panics for types that have no schema.
		if p := recover(); p != nil {
			raw, err = nil, fmt.Errorf("%v has no JSON Schema: %v", t, p)
		}
	}()
	r := &jsonschema.Reflector{Anonymous: true}
	s := r.ReflectFromType(t)
	s.Version = "" // the protocol's default
	if s, err = expanded(s); err != nil {
		return nil, err
	}
	if s.Type != "object" {
		return nil, errors.New("the JSON form of the type is not an object")
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

// expanded replaces a root that only refers to a definition by that definition, since
// models read the root first. The definition also stays if an inner schema refers to
// it.
func expanded(root *jsonschema.Schema) (*jsonschema.Schema, error) {
	name, ok := strings.CutPrefix(root.Ref, definitions)
	if !ok {
		return root, nil
	}
	def := root.Definitions[name]
	if def == nil {
		return nil, fmt.Errorf("the schema refers to %q, which does not exist", name)
	}
	top := *def
	rest := maps.Clone(root.Definitions)
	used, err := json.Marshal(rest)
	if err != nil {
		return nil, err
	}
	// No string contains this, since its quotes would be escaped.
	if ref, _ := json.Marshal(root.Ref); !bytes.Contains(used, append([]byte(`"$ref":`), ref...)) {
		delete(rest, name)
	}
	if len(rest) > 0 {
		top.Definitions = rest
	}
	return &top, nil
}
