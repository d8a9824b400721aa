package sample

// This file collects the distinguishing values of another schema: bounds and lengths with their neighbours,
// constants, and member names.

import (
	"encoding/json"
	"math/big"
	"slices"

	"github.com/mcpgen/mcpgen/internal/jsontext"
	"github.com/mcpgen/mcpgen/schema/jsonschema"
)

// hints are values to try wherever they fit.
type hints struct {
	numbers  []*big.Rat
	lengths  []int
	texts    []string
	names    []string
	matching func(pattern string) []string
}

const maxHints = 64 // of each kind

// add adds the hints of s and of the schemas in it.
func (h *hints) add(s *jsonschema.Schema) {
	for _, b := range s.Bounds() {
		if r := jsonschema.Rational(*b.Value); r != nil && len(h.numbers) < maxHints {
			h.numbers = append(h.numbers, r)
		}
	}
	for _, n := range []json.Number{s.MinLength, s.MaxLength} {
		if length := jsonschema.Count(n, -1); length >= 0 && length < maxLength && len(h.lengths) < maxHints {
			h.lengths = append(h.lengths, max(length-1, 0), length, length+1)
		}
	}
	if s.Pattern != "" && len(h.texts) < maxHints {
		h.texts = append(h.texts, h.matching(s.Pattern)...)
	}
	for _, raw := range append(slices.Clip(s.Enum), s.Const) {
		h.constant(raw)
	}
	for _, p := range s.Properties {
		if len(h.names) < maxHints && !slices.Contains(h.names, p.Name) {
			h.names = append(h.names, p.Name)
		}
	}
	for _, child := range s.Children(true) {
		h.add(child)
	}
}

func (h *hints) constant(raw json.RawMessage) {
	text := string(jsontext.Compact(raw))
	if text == "" {
		return
	}
	var decoded string
	switch jsontext.TypeOf([]byte(text)) {
	case "string":
		if json.Unmarshal(raw, &decoded) == nil && len(h.texts) < maxHints {
			h.texts = append(h.texts, decoded)
		}
	case "number":
		if r := jsonschema.Rational(json.Number(text)); r != nil && len(h.numbers) < maxHints {
			h.numbers = append(h.numbers, r)
		}
	}
}
