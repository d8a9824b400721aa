package sample

// This file splits schemas: references, allOf, unions and conditions become alternatives. Each alternative is a
// list of schemas without these keywords, all of which apply.

import (
	"slices"

	"github.com/mcpgen/mcpgen/internal/jsontext"
	"github.com/mcpgen/mcpgen/schema/jsonschema"
)

// maxShapes bounds the alternatives of one place.
const maxShapes = 64

// shape is one alternative.
type shape struct {
	parts []*jsonschema.Schema // only the keywords for one kind of value apply
	depth int                  // remaining nesting of recursive schemas
}

// splitter splits the schemas of one document.
type splitter struct {
	*meter
	doc       *jsonschema.Document
	recursive map[*jsonschema.Schema]bool // of the schemas seen so far
}

// shapes returns the alternatives of c.
func (x splitter) shapes(c conjunction, depth int) []*shape {
	all := []*shape{{depth: depth}}
	for _, s := range c {
		all = both(all, x.expand(s, depth, nil))
	}
	return all
}

// expand returns the alternatives of one schema, or none if it allows nothing. Path has the schemas on the way
// here that apply to the same value.
func (x splitter) expand(s *jsonschema.Schema, depth int, path []*jsonschema.Schema) []*shape {
	x.work(workOfShape)
	if s.IsBool(false) || slices.Contains(path, s) || x.left <= 0 {
		return nil
	}
	path = append(slices.Clip(path), s)
	all := []*shape{{parts: []*jsonschema.Schema{s}, depth: depth}}
	if s.Ref != "" {
		all = both(all, x.referred(s, depth, path))
	}
	for _, part := range s.AllOf {
		all = both(all, x.expand(part, depth, path))
	}
	for _, union := range [][]*jsonschema.Schema{s.AnyOf, s.OneOf} {
		if len(union) > 0 {
			all = both(all, x.union(union, depth, path))
		}
	}
	if s.If != nil {
		all = both(all, x.condition(s, depth, path))
	}
	for _, dependent := range s.DependentSchemas {
		with := both(all, x.expand(dependent.Schema, depth, path))
		all = append(slices.Clip(all), with...)
		all = all[:min(len(all), maxShapes)]
	}
	if s.Nullable {
		null := &jsonschema.Schema{Types: []string{"null"}}
		all = append(slices.Clip(all), &shape{parts: []*jsonschema.Schema{null}, depth: depth})
	}
	return all
}

// referred returns the alternatives of the reference of s. An unresolved reference allows everything.
func (x splitter) referred(s *jsonschema.Schema, depth int, path []*jsonschema.Schema) []*shape {
	target, err := x.doc.Follow(s)
	if err != nil {
		return []*shape{{depth: depth}}
	}
	if x.isRecursive(target) {
		if depth--; depth < 0 {
			return nil
		}
	}
	return x.expand(target, depth, path)
}

func (x splitter) union(branches []*jsonschema.Schema, depth int, path []*jsonschema.Schema) []*shape {
	var lists [][]*shape
	for _, branch := range branches {
		lists = append(lists, x.expand(branch, depth, path))
	}
	return inTurn(lists, maxShapes)
}

// condition returns alternatives that fit both if and then, and alternatives that fit else. The final check
// removes values of the latter that fit if.
func (x splitter) condition(s *jsonschema.Schema, depth int, path []*jsonschema.Schema) []*shape {
	anything := []*shape{{depth: depth}}
	then, other := x.expand(s.If, depth, path), anything
	if s.Then != nil {
		then = both(then, x.expand(s.Then, depth, path))
	}
	if s.Else != nil {
		other = x.expand(s.Else, depth, path)
	}
	return append(slices.Clip(then), other...)
}

// both returns the combinations of an alternative of a with an alternative of b.
func both(a, b []*shape) []*shape {
	var all []*shape
	// In diagonal order, so that the limit does not remove all uses of an alternative.
	for sum := 0; sum < len(a)+len(b)-1 && len(all) < maxShapes; sum++ {
		for i := max(0, sum-len(b)+1); i <= sum && i < len(a); i++ {
			x, y := a[i], b[sum-i]
			all = append(all, &shape{parts: slices.Concat(x.parts, y.parts), depth: min(x.depth, y.depth)})
		}
	}
	return all[:min(len(all), maxShapes)]
}

// isRecursive reports whether a schema may be nested in itself.
func (x splitter) isRecursive(s *jsonschema.Schema) bool {
	if known, ok := x.recursive[s]; ok {
		return known
	}
	seen := map[*jsonschema.Schema]bool{}
	for queue := []*jsonschema.Schema{s}; len(queue) > 0; {
		from := queue[len(queue)-1]
		queue = queue[:len(queue)-1]
		x.work(workOfVisit)
		next := from.Children(false)
		if target, err := x.doc.Follow(from); err == nil && target != from {
			next = append(next, target)
		}
		for _, n := range next {
			if !seen[n] {
				seen[n] = true
				queue = append(queue, n)
			}
		}
	}
	x.recursive[s] = seen[s]
	return seen[s]
}

// constants returns the values that enum and const allow, and whether the parts have these keywords.
func (s *shape) constants() (values []string, fixed bool) {
	for _, part := range s.parts {
		list := part.Values()
		if list == nil {
			continue
		}
		texts := make([]string, len(list))
		for i, raw := range list {
			texts[i] = string(jsontext.Compact(raw))
		}
		if fixed {
			values = slices.DeleteFunc(values, func(v string) bool { return !slices.Contains(texts, v) })
		} else {
			values, fixed = texts, true
		}
	}
	kinds := s.kinds()
	values = slices.DeleteFunc(values, func(v string) bool {
		kind := jsontext.TypeOf([]byte(v))
		return !slices.Contains(kinds, kind) && !(kind == "number" && slices.Contains(kinds, "integer"))
	})
	return values, fixed
}

// kinds returns the types that the parts allow. If no type is given, types with matching keywords come first.
func (s *shape) kinds() []string {
	all := []string{"string", "object", "array", "number", "boolean", "null"}
	var kinds []string
	for _, part := range s.parts {
		if kinds == nil {
			kinds = slices.Clone(part.Types)
		} else if kinds = part.CommonTypes(kinds); len(kinds) == 0 {
			return nil
		}
	}
	if kinds != nil {
		if slices.Contains(kinds, "number") { // integers are numbers
			kinds = slices.DeleteFunc(kinds, func(k string) bool { return k == "integer" })
		}
		return kinds
	}
	slices.SortStableFunc(all, func(a, b string) int { return s.speaksOf(b) - s.speaksOf(a) })
	return all
}

// speaksOf returns 1 if a part has keywords for a type, else 0.
func (s *shape) speaksOf(kind string) int {
	for _, p := range s.parts {
		found := false
		switch kind {
		case "object":
			found = p.Properties != nil || p.Required != nil || p.AdditionalProperties != nil || p.PatternProperties != nil
		case "array":
			found = p.Items != nil || p.PrefixItems != nil || p.MinItems != "" || p.Contains != nil
		case "string":
			found = p.MinLength != "" || p.MaxLength != "" || p.Pattern != "" || p.Format != ""
		case "number":
			found = p.Minimum != "" || p.Maximum != "" || p.MultipleOf != "" || p.ExclusiveMinimum != ""
		}
		if found {
			return 1
		}
	}
	return 0
}
