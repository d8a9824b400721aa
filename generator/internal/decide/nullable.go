package decide

// Where null is a valid value. It is decided apart from the type, because
// anyOf, allOf, $ref, type lists, enum and const all have a say in it.

import (
	"encoding/json"
	"slices"

	"github.com/mcpgen/mcpgen/schema/jsonschema"
)

// admitsNull reports whether s allows null. Where that cannot be seen (a
// reference to nothing, a definition by itself) it does.
func (b *side) admitsNull(s *jsonschema.Schema) bool { return b.null(s, maxFold) }

func (b *side) null(s *jsonschema.Schema, depth int) bool {
	switch {
	case s.Bool != nil:
		return *s.Bool
	case depth == 0:
		return true
	}
	if ok, known := b.nulls[s]; known {
		return ok
	}
	b.nulls[s] = true
	ok := b.nullHere(s) && b.nullParts(s, depth-1)
	b.nulls[s] = ok
	return ok
}

// nullHere looks at the keywords of s alone.
func (b *side) nullHere(s *jsonschema.Schema) bool {
	if s.RefAlone() {
		return true
	}
	if s.Types != nil && !slices.Contains(s.Types, "null") && !s.Nullable {
		return false
	}
	vals := s.Values()
	return vals == nil || s.Nullable || slices.ContainsFunc(vals, func(raw json.RawMessage) bool { return string(raw) == "null" })
}

// nullParts looks at what s is made of.
func (b *side) nullParts(s *jsonschema.Schema, depth int) bool {
	admits := func(part *jsonschema.Schema) bool { return b.null(part, depth) }
	if s.Ref != "" {
		if target, err := b.doc.Follow(s); err == nil && !admits(target) {
			return false
		}
		if s.RefAlone() {
			return true
		}
	}
	for _, part := range s.AllOf {
		if !admits(part) {
			return false
		}
	}
	return (len(s.AnyOf) == 0 || slices.ContainsFunc(s.AnyOf, admits)) &&
		(len(s.OneOf) == 0 || slices.ContainsFunc(s.OneOf, admits))
}

// typed reports whether s says which types its values have.
func (b *side) typed(s *jsonschema.Schema) bool {
	v, why := b.view(s)
	return why == "" && v.Bool == nil && (isUnion(v) || len(kinds(v)) > 0)
}
