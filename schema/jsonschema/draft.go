package jsonschema

// This file says which keywords a draft has. Keywords that came later count for
// nothing in an older draft, as that draft says.

import (
	"encoding/json"
	"slices"
	"strings"
)

// Draft is a version of JSON Schema: 4, 6, 7, 2019 or 2020.
type Draft int

// Draft returns the draft that $schema names. It reports false, with 2020-12, for
// what is not a draft.
func (d *Document) Draft() (Draft, bool) {
	_, rest, _ := strings.Cut(strings.TrimRight(d.Dialect, "#"), "://")
	switch rest {
	case "json-schema.org/draft-04/schema":
		return 4, true
	case "json-schema.org/draft-06/schema":
		return 6, true
	case "json-schema.org/draft-07/schema":
		return 7, true
	case "json-schema.org/draft/2019-09/schema":
		return 2019, true
	case "json-schema.org/draft/2020-12/schema", "json-schema.org/schema":
		return 2020, true
	}
	return 2020, d.Dialect == ""
}

// Effective returns a copy of s without the keywords that the draft does not have,
// and without contentSchema, which is an annotation.
func (d Draft) Effective(s *Schema) *Schema {
	if d < 2019 && s.Ref != "" { // nothing beside a reference counts
		return &Schema{Pointer: s.Pointer, Ref: s.Ref, base: s.base}
	}
	c := *s
	c.ContentSchema = nil
	if d < 6 {
		c.Const, c.Contains, c.PropertyNames = nil, nil, nil
	}
	if d < 7 {
		c.If = nil
	}
	if d < 2019 {
		c.MinContains, c.MaxContains = "", ""
		c.UnevaluatedItems, c.UnevaluatedProperties = nil, nil
		c.onlyDependencies()
	}
	if d < 2020 && c.Keywords["prefixItems"] != nil {
		c.PrefixItems = nil
		if isArray(c.Keywords["items"]) {
			c.Items = nil // it is additionalItems, and counts from the tuple's end
		}
	}
	if c.If == nil {
		c.Then, c.Else = nil, nil
	}
	if c.Contains == nil {
		c.MinContains, c.MaxContains = "", ""
	}
	return &c
}

// onlyDependencies leaves what the keyword dependencies says, and not what the
// two that replaced it say.
func (s *Schema) onlyDependencies() {
	var old map[string]json.RawMessage
	if json.Unmarshal(s.Keywords["dependencies"], &old) != nil {
		old = nil
	}
	if s.Keywords["dependentRequired"] != nil {
		kept := map[string][]string{}
		for name, names := range s.DependentRequired {
			if isArray(old[name]) {
				kept[name] = names
			}
		}
		s.DependentRequired = kept
	}
	s.DependentSchemas = slices.DeleteFunc(slices.Clone(s.DependentSchemas), func(p Property) bool {
		return !strings.HasPrefix(p.Schema.Pointer, s.Pointer+"/dependencies/")
	})
}

func isArray(raw json.RawMessage) bool { return len(raw) > 0 && raw[0] == '[' }
