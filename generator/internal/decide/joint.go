package decide

// Combining schemas that all hold for a value. Combining a recursive definition with
// another leads back to the same combination, so each combination is kept as a set: A
// and A is A, and A and B is the same schema everywhere. Without that, each level of the
// recursion would make new schemas for the next one.

import (
	"slices"
	"strconv"

	"github.com/mcpgen/mcpgen/schema/jsonschema"
)

// both is a schema that requires x and y: one of the two if they are equivalent.
func (b *side) both(pointer string, x, y *jsonschema.Schema) *jsonschema.Schema {
	set, more := b.conjuncts(x), b.conjuncts(y)
	if !b.spend(1 + len(set)*len(more)) {
		return &jsonschema.Schema{Pointer: pointer, AllOf: []*jsonschema.Schema{x, y}} // any value, see view
	}
	for _, s := range more {
		if !slices.Contains(set, s) {
			set = append(set, s)
		}
	}
	if len(set) < 2 {
		if x.IsBool(true) || description(x) == "" && description(y) != "" {
			return y
		}
		return x
	}
	s := &jsonschema.Schema{Pointer: pointer, AllOf: set, Description: x.Description, Title: x.Title}
	b.joint[s] = b.key(set)
	return s
}

// conjuncts are the schemas that s requires together. References that say nothing else
// are followed.
func (b *side) conjuncts(s *jsonschema.Schema) []*jsonschema.Schema {
	switch {
	case s.IsBool(true):
		return nil
	case b.joint[s] != "":
		return slices.Clone(s.AllOf)
	}
	for range maxFold {
		target, err := b.doc.Follow(s)
		if s.Ref == "" || err != nil || !b.onlyRefers(s) {
			break
		}
		s = target
	}
	return []*jsonschema.Schema{s}
}

// onlyRefers reports whether a schema with a $ref says nothing of values beside
// it.
func (b *side) onlyRefers(s *jsonschema.Schema) bool {
	if s.RefAlone() {
		return len(s.Properties) == 0
	}
	rest := *s
	rest.Ref = ""
	return direct(&rest) && bare(&rest) && !rest.Nullable && rest.Default == nil && rest.Examples == nil &&
		rest.Not == nil && rest.If == nil && rest.Contains == nil && rest.PropertyNames == nil
}

// key names a set of schemas, in whatever order they are.
func (b *side) key(set []*jsonschema.Schema) string {
	ids := make([]int, len(set))
	for i, s := range set {
		if b.ids[s] == 0 {
			b.ids[s] = len(b.ids) + 1
		}
		ids[i] = b.ids[s]
	}
	slices.Sort(ids)
	var key []byte
	for _, id := range ids {
		key = append(strconv.AppendInt(key, int64(id), 36), ' ')
	}
	return string(key)
}
