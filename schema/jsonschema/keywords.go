package jsonschema

// This file finds the Schema field of each keyword, and lists the keywords with numbers and schemas.

import (
	"encoding/json"
	"reflect"
	"slices"
	"strings"
	"sync"
)

// fields are the indexes of the Schema fields with the tag keyword, by keyword. These keywords have the same form in
// all drafts. The field's type determines how the keyword is read.
var fields = sync.OnceValue(func() map[string]int {
	all := map[string]int{}
	for i, f := range reflect.VisibleFields(reflect.TypeFor[Schema]()) {
		for keyword := range strings.FieldsSeq(f.Tag.Get("keyword")) {
			all[keyword] = i
		}
	}
	return all
})

// field returns a pointer to the field of a keyword; nil if the keyword has none.
func (s *Schema) field(keyword string) any {
	i, ok := fields()[keyword]
	if !ok {
		return nil
	}
	return reflect.ValueOf(s).Elem().Field(i).Addr().Interface()
}

// Known reports whether [Parse] reads a keyword, in the spelling of any draft.
func Known(keyword string) bool {
	switch keyword {
	case "$schema", "$id", "$anchor", "items", "additionalItems", "dependencies", "example":
		return true
	}
	_, ok := fields()[keyword]
	return ok
}

// Number is a keyword with a numeric value; "" if it is absent.
type Number struct {
	Keyword string
	Value   *json.Number
}

// Values returns the value of const, or the values of enum if const is absent, or nil if both are.
func (s *Schema) Values() []json.RawMessage {
	if s.Const != nil {
		return []json.RawMessage{s.Const}
	}
	return s.Enum
}

// Bounds returns the keywords that bound numbers.
func (s *Schema) Bounds() [5]Number {
	return [...]Number{
		{"minimum", &s.Minimum}, {"maximum", &s.Maximum},
		{"exclusiveMinimum", &s.ExclusiveMinimum}, {"exclusiveMaximum", &s.ExclusiveMaximum},
		{"multipleOf", &s.MultipleOf},
	}
}

// Counts returns the keywords that bound lengths and counts.
func (s *Schema) Counts() [8]Number {
	return [...]Number{
		{"minLength", &s.MinLength}, {"maxLength", &s.MaxLength},
		{"minItems", &s.MinItems}, {"maxItems", &s.MaxItems},
		{"minContains", &s.MinContains}, {"maxContains", &s.MaxContains},
		{"minProperties", &s.MinProperties}, {"maxProperties", &s.MaxProperties},
	}
}

// Invalid yields the keywords that have values of the right type without a meaning, and the reason: numbers that
// are too long to compute with, counts that are not counts, and empty combinations. They constrain nothing.
func (s *Schema) Invalid(yield func(keyword, reason string) bool) {
	for _, b := range s.Bounds() {
		r := Rational(*b.Value)
		switch {
		case *b.Value == "":
		case r == nil && !yield(b.Keyword, "the number is too long"):
			return
		case b.Keyword == "multipleOf" && r != nil && r.Sign() <= 0 && !yield(b.Keyword, "must be greater than 0"):
			return
		}
	}
	for _, c := range s.Counts() {
		if *c.Value != "" && Count(*c.Value, -1) < 0 && !yield(c.Keyword, "must be a whole number and not negative") {
			return
		}
	}
	for _, keyword := range []string{"anyOf", "oneOf", "allOf"} {
		if list := *s.field(keyword).(*[]*Schema); list != nil && len(list) == 0 && !yield(keyword, "must not be empty") {
			return
		}
	}
}

// Drop removes a keyword of s that has the same form in all drafts.
func (s *Schema) Drop(keyword string) { reflect.ValueOf(s.field(keyword)).Elem().SetZero() }

// holder is a keyword that contains schemas: one, a list, or named ones.
type holder struct {
	Keyword string
	Schema  *Schema
	List    []*Schema
	Named   []Property
}

// Holders yields the keywords of s that contain schemas, except definitions, in the order of the fields of
// [Schema].
func (s *Schema) Holders(yield func(holder) bool) {
	for _, h := range [...]holder{
		{Keyword: "properties", Named: s.Properties},
		{Keyword: "patternProperties", Named: s.PatternProperties},
		{Keyword: "additionalProperties", Schema: s.AdditionalProperties},
		{Keyword: "unevaluatedProperties", Schema: s.UnevaluatedProperties},
		{Keyword: "propertyNames", Schema: s.PropertyNames},
		{Keyword: "dependentSchemas", Named: s.DependentSchemas},
		{Keyword: "items", Schema: s.Items},
		{Keyword: "prefixItems", List: s.PrefixItems},
		{Keyword: "unevaluatedItems", Schema: s.UnevaluatedItems},
		{Keyword: "contains", Schema: s.Contains},
		{Keyword: "anyOf", List: s.AnyOf},
		{Keyword: "oneOf", List: s.OneOf},
		{Keyword: "allOf", List: s.AllOf},
		{Keyword: "not", Schema: s.Not},
		{Keyword: "if", Schema: s.If},
		{Keyword: "then", Schema: s.Then},
		{Keyword: "else", Schema: s.Else},
		{Keyword: "contentSchema", Schema: s.ContentSchema},
	} {
		if (h.Schema != nil || len(h.List)+len(h.Named) > 0) && !yield(h) {
			return
		}
	}
}

// Children returns the direct subschemas, each once, in the order of the fields of [Schema]. Defs are included
// only if defs is true.
func (s *Schema) Children(defs bool) []*Schema {
	var out []*Schema
	named := func(properties []Property) {
		for _, p := range properties {
			out = append(out, p.Schema)
		}
	}
	for h := range s.Holders {
		if h.Schema != nil {
			out = append(out, h.Schema)
		}
		out = append(out, h.List...)
		named(h.Named)
	}
	if defs {
		named(s.Defs)
	}
	return out
}

// All yields s and every schema in it, definitions included. References are not
// followed.
func (s *Schema) All(yield func(*Schema) bool) {
	queue := []*Schema{s}
	for len(queue) > 0 {
		next := queue[len(queue)-1]
		queue = append(queue[:len(queue)-1], next.Children(true)...)
		if !yield(next) {
			return
		}
	}
}

// InPlace returns the subschemas that apply to the same value as s.
func (s *Schema) InPlace() []*Schema {
	all := slices.Concat(s.AllOf, s.AnyOf, s.OneOf)
	for _, sub := range []*Schema{s.Not, s.If, s.Then, s.Else} {
		if sub != nil {
			all = append(all, sub)
		}
	}
	for _, d := range s.DependentSchemas {
		all = append(all, d.Schema)
	}
	return all
}
