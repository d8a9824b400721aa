package decide

// Combining schemas that all hold for a value. Combining a recursive definition with
// another leads back to the same combination, so each combination is kept as a set: A
// and A is A, and A and B is the same schema everywhere. Without that, each level of the
// recursion would make new schemas for the next one.

import (
	"fmt"
	"slices"

	"github.com/mcpgen/mcpgen/schema/jsonschema"
)

// joints are the schemas of one side that replace sets of others.
type joints struct {
	doc    *jsonschema.Document
	budget *budget
	joint  map[*jsonschema.Schema]string // the key of the set that a schema was made of
	sets   map[string]*jsonschema.Schema // by that key: the schema that replaces the set
	ids    map[*jsonschema.Schema]int    // numbers for keys
}

// one returns the schema that replaces the set that s was made of, or s.
func (js *joints) one(s *jsonschema.Schema) *jsonschema.Schema {
	key := js.joint[s]
	if key == "" {
		return s
	}
	if js.sets[key] == nil {
		js.sets[key] = s
	}
	return js.sets[key]
}

// both is a schema that requires x and y: one of the two if they are equivalent.
func (js *joints) both(pointer string, x, y *jsonschema.Schema) *jsonschema.Schema {
	set, more := js.conjuncts(x), js.conjuncts(y)
	if !js.budget.spend(1 + len(set)*len(more)) {
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
	js.joint[s] = js.key(set)
	return s
}

// conjuncts are the schemas that s requires together. References that say nothing else
// are followed.
func (js *joints) conjuncts(s *jsonschema.Schema) []*jsonschema.Schema {
	switch {
	case s.IsBool(true):
		return nil
	case js.joint[s] != "":
		return slices.Clone(s.AllOf)
	}
	for range maxFold {
		target, err := js.doc.Follow(s)
		if s.Ref == "" || err != nil || !js.onlyRefers(s) {
			break
		}
		s = target
	}
	return []*jsonschema.Schema{s}
}

// onlyRefers reports whether a schema with a $ref says nothing of values beside
// it.
func (js *joints) onlyRefers(s *jsonschema.Schema) bool {
	if s.RefAlone() {
		return len(s.Properties) == 0
	}
	rest := *s
	rest.Ref = ""
	return direct(&rest) && bare(&rest) && !rest.Nullable && rest.Default == nil && rest.Examples == nil &&
		rest.Not == nil && rest.If == nil && rest.Contains == nil && rest.PropertyNames == nil
}

// key names a set of schemas, in whatever order they are.
func (js *joints) key(set []*jsonschema.Schema) string {
	ids := make([]int, len(set))
	for i, s := range set {
		if js.ids[s] == 0 {
			js.ids[s] = len(js.ids) + 1
		}
		ids[i] = js.ids[s]
	}
	slices.Sort(ids)
	return fmt.Sprint(ids)
}
