package validate

// This file says which keywords a draft has. Keywords that came later count for
// nothing in an older draft, as that draft says.

import (
	"encoding/json"
	"strings"

	"github.com/mcpgen/mcpgen/schema/jsonschema"
)

// draft is a version of JSON Schema: 4, 6, 7, 2019 or 2020.
type draft int

// draftOf reads $schema. It reports false, with 2020-12, for what is no draft.
func draftOf(dialect string) (draft, bool) {
	_, rest, _ := strings.Cut(strings.TrimRight(dialect, "#"), "://")
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
	return 2020, dialect == ""
}

// keywords returns a copy of s without the keywords that d does not have.
func (d draft) keywords(s *jsonschema.Schema) *jsonschema.Schema {
	c := *s
	c.ContentSchema = nil        // an annotation
	if d < 2019 && c.Ref != "" { // nothing beside a reference counts
		c.Types, c.Nullable, c.Enum, c.Const = nil, false, nil, nil
		clearObject(&c)
		clearArray(&c)
		clearCombined(&c)
		clearScalar(&c)
		c.Keywords, c.Problems = nil, nil
		return &c
	}
	if d < 6 {
		c.Const, c.Contains, c.PropertyNames = nil, nil, nil
	}
	if d < 7 {
		c.If, c.Then, c.Else = nil, nil, nil
	}
	if d < 2019 {
		c.MinContains, c.MaxContains = "", ""
		c.UnevaluatedItems, c.UnevaluatedProperties = nil, nil
		onlyDependencies(&c)
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
func onlyDependencies(c *jsonschema.Schema) {
	var old map[string]json.RawMessage
	if json.Unmarshal(c.Keywords["dependencies"], &old) != nil {
		old = nil
	}
	if c.Keywords["dependentRequired"] != nil {
		kept := map[string][]string{}
		for name, names := range c.DependentRequired {
			if isArray(old[name]) {
				kept[name] = names
			}
		}
		c.DependentRequired = kept
	}
	var kept []jsonschema.Property
	for _, p := range c.DependentSchemas {
		if strings.HasPrefix(p.Schema.Pointer, c.Pointer+"/dependencies/") {
			kept = append(kept, p)
		}
	}
	c.DependentSchemas = kept
}

func isArray(raw json.RawMessage) bool { return len(raw) > 0 && raw[0] == '[' }

func clearObject(c *jsonschema.Schema) {
	c.Properties, c.PatternProperties, c.AdditionalProperties = nil, nil, nil
	c.UnevaluatedProperties, c.PropertyNames, c.Required = nil, nil, nil
	c.DependentRequired, c.DependentSchemas = nil, nil
	c.MinProperties, c.MaxProperties = "", ""
}

func clearArray(c *jsonschema.Schema) {
	c.Items, c.PrefixItems, c.UnevaluatedItems = nil, nil, nil
	c.Contains, c.MinContains, c.MaxContains = nil, "", ""
	c.MinItems, c.MaxItems, c.UniqueItems = "", "", false
}

func clearCombined(c *jsonschema.Schema) {
	c.AnyOf, c.OneOf, c.AllOf = nil, nil, nil
	c.Not, c.If, c.Then, c.Else = nil, nil, nil, nil
}

func clearScalar(c *jsonschema.Schema) {
	c.Minimum, c.Maximum, c.ExclusiveMinimum, c.ExclusiveMaximum = "", "", "", ""
	c.MultipleOf, c.MinLength, c.MaxLength, c.Pattern = "", "", "", ""
}
