package jsonschema

// This file says which field of a Schema a keyword fills.

import "encoding/json"

func (s *Schema) textField(name string) *string {
	switch name {
	case "$ref":
		return &s.Ref
	case "title":
		return &s.Title
	case "description":
		return &s.Description
	case "format":
		return &s.Format
	case "pattern":
		return &s.Pattern
	case "contentEncoding":
		return &s.ContentEncoding
	case "contentMediaType":
		return &s.ContentMediaType
	}
	return nil
}

func (s *Schema) numberField(name string) *json.Number {
	switch name {
	case "minimum":
		return &s.Minimum
	case "maximum":
		return &s.Maximum
	case "exclusiveMinimum":
		return &s.ExclusiveMinimum
	case "exclusiveMaximum":
		return &s.ExclusiveMaximum
	case "multipleOf":
		return &s.MultipleOf
	case "minLength":
		return &s.MinLength
	case "maxLength":
		return &s.MaxLength
	case "minItems":
		return &s.MinItems
	case "maxItems":
		return &s.MaxItems
	case "minContains":
		return &s.MinContains
	case "maxContains":
		return &s.MaxContains
	case "minProperties":
		return &s.MinProperties
	case "maxProperties":
		return &s.MaxProperties
	}
	return nil
}

func (s *Schema) schemaField(name string) **Schema {
	switch name {
	case "additionalProperties":
		return &s.AdditionalProperties
	case "unevaluatedProperties":
		return &s.UnevaluatedProperties
	case "propertyNames":
		return &s.PropertyNames
	case "unevaluatedItems":
		return &s.UnevaluatedItems
	case "contains":
		return &s.Contains
	case "contentSchema":
		return &s.ContentSchema
	case "not":
		return &s.Not
	case "if":
		return &s.If
	case "then":
		return &s.Then
	case "else":
		return &s.Else
	}
	return nil
}

func (s *Schema) listField(name string) *[]*Schema {
	switch name {
	case "anyOf":
		return &s.AnyOf
	case "oneOf":
		return &s.OneOf
	case "allOf":
		return &s.AllOf
	case "prefixItems":
		return &s.PrefixItems
	}
	return nil
}

func (s *Schema) namedField(name string) *[]Property {
	switch name {
	case "properties":
		return &s.Properties
	case "patternProperties":
		return &s.PatternProperties
	case "dependentSchemas":
		return &s.DependentSchemas
	case "$defs", "definitions":
		return &s.Defs
	}
	return nil
}
