package main

// Positions: each schema once more inside of others, with numbers that are hard to hold.

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/mcpgen/mcpgen/schema/jsonschema"
	"github.com/mcpgen/mcpgen/schema/validate"
)

// position is a schema around another, and a value around values of that, for which #
// stands.
type position struct{ name, schema, draft7, value string }

// positions are where a value has what is around it in Go, and where it has nothing.
var positions = []position{
	{"root", "", "", "#"},
	{"closed", `{"type":"object","properties":{"v":#},"additionalProperties":false}`, "", `{"v":#}`},
	{"tuple", `{"type":"array","prefixItems":[{"type":"string"},#],"items":#,"minItems":1}`,
		`{"type":"array","items":[{"type":"string"},#],"additionalItems":#,"minItems":1}`, `["a",#,#]`},
	{"list", `{"type":"array","items":#}`, "", `[#,#]`},
	{"map", `{"type":"object","additionalProperties":#}`, "", `{"a b":#}`},
	{"typed", `{"type":"object","properties":{"name":{"type":"string"}},"additionalProperties":#}`, "", `{"name":"n","b":#}`},
}

// hardNumbers are texts of numbers that no float64 holds, or no integer of 64 bits; the
// first ones are integers.
var hardNumbers = []string{
	"9007199254740993", "-9007199254740993", "18446744073709551615", "12345678910111213141516171819202122232425262728293031",
	"9007199254740993.0", "0.1000000000000000055511151231257827", "1e-400", "1e400", "-1.7976931348623159e308",
}

// maxPlaced bounds the values of a schema that are placed as they are.
const maxPlaced = 4

// placed makes a subject of each: its schemas at all positions.
func placed(subjects []*subject) ([]*subject, error) {
	var out []*subject
	for _, of := range subjects {
		s := newSubject(setPlaced, of.name)
		for _, t := range of.schemas {
			if of.set != setReal && t.side == input {
				continue // it is that of the result
			}
			if err := s.place(t); err != nil {
				return nil, fmt.Errorf("%s: %w", t, err)
			}
		}
		out = append(out, s)
	}
	return out, nil
}

// place adds a tool for each position of a schema that has values.
func (s *subject) place(t *toolSchema) error {
	values := hardened(t)
	doc, err := jsonschema.Parse(t.raw)
	if err != nil || len(values) == 0 {
		return nil // nothing can be said of it
	}
	for _, p := range positions {
		raw := t.raw
		if p.schema != "" {
			if raw, err = p.around(t.raw, doc.Dialect); err != nil {
				return err
			}
		}
		var valid []json.RawMessage
		for _, v := range values {
			valid = append(valid, json.RawMessage(strings.ReplaceAll(p.value, "#", string(v))))
		}
		if err := s.addSchema(t.tool+" "+t.side+" "+p.name, raw, valid, nil); err != nil {
			return err
		}
	}
	return nil
}

// inner is the definition that an inner schema becomes.
const inner = "#/$defs/inner"

// around is the schema of the position with raw in it.
func (p position) around(raw json.RawMessage, dialect string) (json.RawMessage, error) {
	s, err := decodeExact(raw)
	if err != nil {
		return nil, err
	}
	if object, ok := s.(map[string]any); ok {
		delete(object, "$schema")
	}
	text := p.schema
	if p.draft7 != "" && strings.Contains(dialect, "draft-07") {
		text = p.draft7
	}
	outer, err := decodeExact([]byte(strings.ReplaceAll(text, "#", `{"$ref":"`+inner+`"}`)))
	if err != nil {
		return nil, err
	}
	object := outer.(map[string]any)
	object["$defs"] = map[string]any{"inner": moveRefs(s, inner)}
	if dialect != "" {
		object["$schema"] = dialect
	}
	return json.Marshal(object)
}

// hardened are some valid values of a schema, and valid ones with other numbers.
func hardened(t *toolSchema) []json.RawMessage {
	own, err := validate.New(t.raw)
	if err != nil {
		return nil
	}
	var out []json.RawMessage
	for i, v := range t.valid {
		if i < maxPlaced {
			out = append(out, v.raw)
		}
		for _, number := range hardNumbers {
			for _, all := range []bool{true, false} {
				value, err := decodeExact(v.raw)
				if err != nil {
					continue
				}
				left := 1
				if all {
					left = -1
				}
				raw, err := json.Marshal(withNumber(value, json.Number(number), &left))
				known := func(v json.RawMessage) bool { return string(v) == string(raw) }
				if err == nil && own.Validate(raw) == nil && !slices.ContainsFunc(out, known) {
					out = append(out, raw)
				}
			}
		}
	}
	return out
}

// withNumber puts a number in the place of so many others; of all if left is negative.
func withNumber(v any, number json.Number, left *int) any {
	switch v := v.(type) {
	case json.Number:
		if *left != 0 {
			*left--
			return number
		}
	case []any:
		for i := range v {
			v[i] = withNumber(v[i], number, left)
		}
	case map[string]any:
		for _, name := range slices.Sorted(maps.Keys(v)) {
			v[name] = withNumber(v[name], number, left)
		}
	}
	return v
}
