package jsonschema

// This file defines the model of a JSON Schema: the keywords of any draft, in the server's order.

import (
	"encoding/json"
	"slices"

	"github.com/mcpgen/mcpgen/schema"
)

// The limits of [Parse].
const (
	maxSchemaDepth = 128    // nesting of schemas
	maxSubschemas  = 50_000 // schemas in one document
	MaxPattern     = 4096   // bytes of a pattern; longer ones are a Problem

	maxPointers = 64 << 20 // bytes of all pointers of a document
)

// Document is a parsed schema with all its subschemas.
type Document struct {
	Root *Schema
	// Dialect is the root's $schema; "" if absent.
	Dialect string
	// Problems are the problems of all schemas of the document, in order.
	Problems []schema.Problem

	pointers map[string]*Schema // by JSON pointer
	anchors  map[string]*Schema // by $anchor and $dynamicAnchor; nil values are ambiguous
	ids      map[string]*Schema // by absolute $id; nil values are ambiguous
}

// RefAlone reports whether s has a $ref and is of a draft up to 07, in which nothing
// beside it counts. A document without $schema is of the current draft.
func (s *Schema) RefAlone() bool { return s.Ref != "" && s.refAlone }

// Schema is one schema or subschema. Drafts 07 to 2020-12 and OpenAPI's spellings are normalized: definitions
// are Defs, an array of items is PrefixItems, boolean exclusive bounds are numbers, dependencies are
// DependentRequired or DependentSchemas, nullable is Nullable.
//
// A keyword of the wrong type is ignored and listed in Problems; Keywords still contains it. Absent keywords
// are nil, "" or false. Texts are valid UTF-8 and hostile.
type Schema struct {
	Pointer string // JSON pointer into the document; "" is the root
	Bool    *bool  // the schema is true or false and has no keywords
	Ref     string `keyword:"$ref"` // $ref as sent; [Document.Resolve] follows it

	Types    []string          `keyword:"type"`     // without duplicates, in the server's order; "null" included
	Nullable bool              `keyword:"nullable"` // OpenAPI's nullable: true
	Enum     []json.RawMessage `keyword:"enum"`
	Const    json.RawMessage   `keyword:"const"` // nil: absent; null is "null"

	Properties            []Property          `keyword:"properties"`
	PatternProperties     []Property          `keyword:"patternProperties"`
	AdditionalProperties  *Schema             `keyword:"additionalProperties"` // nil: implicit
	UnevaluatedProperties *Schema             `keyword:"unevaluatedProperties"`
	PropertyNames         *Schema             `keyword:"propertyNames"`
	Required              []string            `keyword:"required"` // without duplicates
	DependentRequired     map[string][]string `keyword:"dependentRequired"`
	DependentSchemas      []Property          `keyword:"dependentSchemas"`
	MinProperties         json.Number         `keyword:"minProperties"`
	MaxProperties         json.Number         `keyword:"maxProperties"`

	Items            *Schema     // after PrefixItems; nil: unrestricted
	PrefixItems      []*Schema   `keyword:"prefixItems"` // also the array form of items
	UnevaluatedItems *Schema     `keyword:"unevaluatedItems"`
	Contains         *Schema     `keyword:"contains"`
	MinContains      json.Number `keyword:"minContains"`
	MaxContains      json.Number `keyword:"maxContains"`
	MinItems         json.Number `keyword:"minItems"`
	MaxItems         json.Number `keyword:"maxItems"`
	UniqueItems      bool        `keyword:"uniqueItems"`

	AnyOf []*Schema `keyword:"anyOf"`
	OneOf []*Schema `keyword:"oneOf"`
	AllOf []*Schema `keyword:"allOf"`
	Not   *Schema   `keyword:"not"`
	If    *Schema   `keyword:"if"`
	Then  *Schema   `keyword:"then"`
	Else  *Schema   `keyword:"else"`

	Minimum          json.Number `keyword:"minimum"`
	Maximum          json.Number `keyword:"maximum"`
	ExclusiveMinimum json.Number `keyword:"exclusiveMinimum"`
	ExclusiveMaximum json.Number `keyword:"exclusiveMaximum"`
	MultipleOf       json.Number `keyword:"multipleOf"`

	MinLength        json.Number `keyword:"minLength"`
	MaxLength        json.Number `keyword:"maxLength"`
	Pattern          string      `keyword:"pattern"`
	Format           string      `keyword:"format"`
	ContentEncoding  string      `keyword:"contentEncoding"`
	ContentMediaType string      `keyword:"contentMediaType"`
	ContentSchema    *Schema     `keyword:"contentSchema"`

	Title       string            `keyword:"title"`
	Description string            `keyword:"description"`
	Default     json.RawMessage   `keyword:"default"` // nil: absent; null is "null"
	Examples    []json.RawMessage `keyword:"examples"`
	Deprecated  bool              `keyword:"deprecated"`
	ReadOnly    bool              `keyword:"readOnly"`
	WriteOnly   bool              `keyword:"writeOnly"`

	// Metaschema is the address of a draft's metaschema if the values are JSON Schemas of that draft. Such a
	// schema is not in the document: references to metaschemas resolve to it.
	Metaschema string

	ID     string     // $id as sent
	Anchor string     // $anchor, or an $id that is only a fragment
	Defs   []Property `keyword:"$defs definitions"`

	// Keywords has every member as sent, including unknown ones; nil for a boolean schema.
	Keywords map[string]json.RawMessage
	// Problems are this schema's own.
	Problems []schema.Problem

	bound    *Schema // what Ref leads to, if [Document.Bound] decided
	base     string  // the $id that references in here are relative to; "" is the document
	refAlone bool    // the draft is one in which nothing beside a $ref counts
}

// Property is a named subschema.
type Property struct {
	Name   string
	Schema *Schema
}

// IsBool reports whether s is the boolean schema value; a nil s is not.
func (s *Schema) IsBool(value bool) bool { return s != nil && s.Bool != nil && *s.Bool == value }

// Property returns the declared property with that name, or nil if there is none.
func (s *Schema) Property(name string) *Schema {
	for _, p := range s.Properties {
		if p.Name == name {
			return p.Schema
		}
	}
	return nil
}

// CommonTypes returns the types among the given ones that s allows, too, in their order: all of them if s has no
// types. Integers are numbers.
func (s *Schema) CommonTypes(types []string) []string {
	if s.Types == nil {
		return types
	}
	var both []string
	for _, t := range types {
		switch {
		case slices.Contains(s.Types, t):
			both = append(both, t)
		case t == "integer" && slices.Contains(s.Types, "number"), t == "number" && slices.Contains(s.Types, "integer"):
			both = append(both, "integer")
		}
	}
	return both
}

// IsRequired reports whether a member of that name is required.
func (s *Schema) IsRequired(name string) bool { return slices.Contains(s.Required, name) }
