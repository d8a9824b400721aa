package compat

// This file reads the values of enum and const and compares them.

import (
	"encoding/json"
	"math/big"
	"slices"
	"strings"

	"github.com/mcpgen/mcpgen/internal/jsontext"
	"github.com/mcpgen/mcpgen/schema"
	"github.com/mcpgen/mcpgen/schema/jsonschema"
)

// kinds is a set of kinds of values. Numbers have two kinds, integer and fraction.
type kinds int

const (
	null kinds = 1 << iota
	boolean
	integer
	fraction // a number that is not an integer
	text
	array
	object

	number   = integer | fraction
	everyone = null | boolean | number | text | array | object
)

// typeNames maps kinds to JSON Schema's type names, with the numbers last.
var typeNames = [...]struct {
	kinds kinds
	name  string
}{{null, "null"}, {boolean, "boolean"}, {text, "string"}, {array, "array"}, {object, "object"}, {integer, "integer"}, {number, "number"}}

// kindsOf returns the kinds that the keyword type allows: all if it is absent.
func kindsOf(types []string) kinds {
	if types == nil {
		return everyone
	}
	var k kinds
	for _, t := range typeNames {
		if slices.Contains(types, t.name) {
			k |= t.kinds
		}
	}
	return k
}

// String returns the kinds as JSON Schema's type names.
func (k kinds) String() string {
	var names []string
	for _, t := range typeNames {
		// Integers alone are "integer", every other set of numbers is "number".
		if k&t.kinds != 0 && (t.kinds != integer || k&number == integer) && (t.kinds != number || k&number != integer) {
			names = append(names, t.name)
		}
	}
	return strings.Join(names, " or ")
}

// each returns the single kinds of a set.
func (k kinds) each() []kinds {
	var all []kinds
	for one := null; one <= object; one <<= 1 {
		if k&one != 0 {
			all = append(all, one)
		}
	}
	return all
}

// value is one JSON value.
type value struct {
	raw  json.RawMessage
	key  string // equal values have equal keys
	kind kinds
	num  *big.Rat // of numbers
	text string   // of strings
}

// readValue reads a value; false if it is not valid JSON or too large to compute with.
func readValue(raw json.RawMessage) (value, bool) {
	v, err := jsontext.Decode(raw)
	canonical, wrong := schema.Canonical(raw)
	if err != nil || wrong != nil {
		return value{}, false
	}
	out := value{raw: raw, key: string(jsontext.NormalNumbers(canonical))}
	switch v := v.(type) {
	case nil:
		out.kind = null
	case bool:
		out.kind = boolean
	case string:
		out.kind, out.text = text, v
	case json.Number:
		if out.num = jsonschema.Rational(v); out.num == nil {
			return value{}, false
		}
		out.kind = fraction
		if out.num.IsInt() {
			out.kind = integer
		}
	case []any:
		out.kind = array
	case map[string]any:
		out.kind = object
	}
	return out, true
}

// constants returns the values that enum and const allow. If s has neither, fixed is false; if they cannot be
// read, known is false.
func constants(s *jsonschema.Schema) (values []value, fixed, known bool) {
	if s.Enum == nil && s.Const == nil {
		return nil, false, true
	}
	for _, raw := range s.Enum {
		v, ok := readValue(raw)
		if !ok {
			return nil, true, false
		}
		values = append(values, v)
	}
	if s.Const == nil {
		return values, true, true
	}
	v, ok := readValue(s.Const)
	if !ok {
		return nil, true, false
	}
	if s.Enum != nil && !hasValue(values, v) {
		return nil, true, true
	}
	return []value{v}, true, true
}

func hasValue(values []value, v value) bool {
	return slices.ContainsFunc(values, func(w value) bool { return w.key == v.key })
}

// textsOf returns the texts among values.
func textsOf(values []value) (texts []string) {
	for _, v := range values {
		if v.kind == text {
			texts = append(texts, v.text)
		}
	}
	return texts
}

func numberValue(r *big.Rat) (value, bool) {
	text, ok := jsonschema.Decimal(r)
	if !ok {
		return value{}, false
	}
	return readValue(json.RawMessage(text))
}

// quoteJSON returns a text as JSON, without HTML escapes.
func quoteJSON(s string) json.RawMessage { return jsontext.AppendString(nil, s) }

// repeat returns a text of n characters.
func repeat(n int) string {
	if n > 100_000 {
		return ""
	}
	return strings.Repeat("x", n)
}
