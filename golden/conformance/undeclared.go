package main

// Values with members that no schema names, made from values that have none.

import (
	"encoding/json"

	"github.com/google/jsonschema-go/jsonschema"
)

const extraName = "zz_undeclared"

// extraValue is what an added member holds.
func extraValue() any { return map[string]any{"a": []any{json.Number("9007199254740993"), nil}} }

// withUndeclared adds members to the valid values of a result: to the outermost
// objects, and to all of them. What the schema then refuses is left out.
func withUndeclared(t *toolSchema) []value {
	check := secondOpinion(t.raw)
	if check == nil {
		return nil
	}
	var out []value
	for _, v := range t.valid {
		if v.class == undeclared {
			continue
		}
		before := 0
		for _, deep := range []bool{false, true} {
			decoded, err := decodeExact(v.raw)
			if err != nil {
				continue
			}
			n := addMembers(decoded, deep)
			if n == before {
				continue // nothing to add to, or the same again
			}
			before = n
			raw, err := json.Marshal(decoded)
			if err == nil && accepts(check, raw) {
				out = append(out, value{undeclared, raw})
			}
		}
	}
	return out
}

// addMembers adds a member to the outermost objects of v, or to all of them. It
// returns how many were added.
func addMembers(v any, deep bool) int {
	n := 0
	switch v := v.(type) {
	case map[string]any:
		if deep {
			for _, member := range v {
				n += addMembers(member, deep)
			}
		}
		v[extraName] = extraValue()
		n++
	case []any:
		for _, e := range v {
			n += addMembers(e, deep)
		}
	}
	return n
}

// secondOpinion compiles a schema with a validator that is not the one that
// mcpgen uses; nil if it cannot.
func secondOpinion(raw json.RawMessage) *jsonschema.Resolved {
	var s jsonschema.Schema
	if err := json.Unmarshal(raw, &s); err != nil {
		return nil
	}
	resolved, err := s.Resolve(nil)
	if err != nil {
		return nil
	}
	return resolved
}

func accepts(check *jsonschema.Resolved, raw json.RawMessage) bool {
	var v any
	return json.Unmarshal(raw, &v) == nil && check.Validate(v) == nil
}
