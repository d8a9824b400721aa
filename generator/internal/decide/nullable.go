package decide

// Where null is a valid value. It is decided apart from the type, because
// anyOf, allOf, $ref, type lists, enum and const all have a say in it.

import (
	"encoding/json"
	"slices"

	"github.com/mcpgen/mcpgen/schema/jsonschema"
)

// nulls knows which schemas of one side allow null.
type nulls struct {
	doc   *jsonschema.Document
	known map[*jsonschema.Schema]bool
}

// admitsNull reports whether s allows null. Where that cannot be seen (a
// reference to nothing, a definition by itself) it does.
func (n *nulls) admitsNull(s *jsonschema.Schema) bool { return n.null(s, maxFold) }

func (n *nulls) null(s *jsonschema.Schema, depth int) bool {
	switch {
	case s.Bool != nil:
		return *s.Bool
	case depth == 0:
		return true
	}
	if ok, known := n.known[s]; known {
		return ok
	}
	n.known[s] = true
	ok := n.nullHere(s) && n.nullParts(s, depth-1)
	n.known[s] = ok
	return ok
}

// nullHere looks at the keywords of s alone.
func (n *nulls) nullHere(s *jsonschema.Schema) bool {
	if s.RefAlone() {
		return true
	}
	if s.Types != nil && !slices.Contains(s.Types, "null") && !s.Nullable {
		return false
	}
	vals := s.Values()
	return vals == nil || s.Nullable ||
		slices.ContainsFunc(vals, func(raw json.RawMessage) bool { return string(raw) == "null" })
}

// nullParts looks at what s is made of.
func (n *nulls) nullParts(s *jsonschema.Schema, depth int) bool {
	admits := func(part *jsonschema.Schema) bool { return n.null(part, depth) }
	if s.Ref != "" {
		if target, err := n.doc.Follow(s); err == nil && !admits(target) {
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
