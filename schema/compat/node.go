package compat

// This file says what one schema means: which of its keywords count in its
// document's draft, and what it refers to.

import (
	"encoding/json"
	"errors"
	"regexp"
	"slices"
	"strings"

	"github.com/mcpgen/mcpgen/schema/jsonschema"
	"github.com/mcpgen/mcpgen/schema/validate"
)

// document is one of the two documents, with the nodes of its schemas.
type document struct {
	doc     *jsonschema.Document
	draft   int
	nodes   map[*jsonschema.Schema]*node
	made    map[string]*node // that stand in no document, by what they say
	checker *checker
}

// node is one schema. Equal schemas of one document are one node.
type node struct {
	*jsonschema.Schema                    // what counts of it
	source             *jsonschema.Schema // in the document; nil: it stands in none
	document           *document
	id                 int
	ref                *node // what it refers to; nil: nothing that is known
	unknown            string
	compiled           *validate.Schema
	compileErr         error
	print              string // see fingerprint
}

func newDocument(c *checker, doc *jsonschema.Document) *document {
	return &document{doc: doc, draft: draftOf(doc.Dialect), nodes: map[*jsonschema.Schema]*node{}, made: map[string]*node{}, checker: c}
}

// draftOf reads $schema; what is not known counts as 2020-12.
func draftOf(dialect string) int {
	_, rest, _ := strings.Cut(strings.TrimRight(dialect, "#"), "://")
	switch rest {
	case "json-schema.org/draft-04/schema":
		return 4
	case "json-schema.org/draft-06/schema":
		return 6
	case "json-schema.org/draft-07/schema":
		return 7
	case "json-schema.org/draft/2019-09/schema":
		return 2019
	}
	return 2020
}

// of returns the node of a schema, nil for nil.
func (d *document) of(s *jsonschema.Schema) *node {
	if s == nil {
		return nil
	}
	if n := d.nodes[s]; n != nil {
		return n
	}
	n := &node{Schema: d.effective(s), source: s, document: d}
	d.checker.number(n)
	d.nodes[s] = n
	if n.Ref != "" {
		if target, err := d.doc.Follow(s); err == nil {
			n.ref = d.of(target)
		} else {
			n.unknown = "$ref"
		}
	}
	if n.unknown == "" {
		n.unknown = strangeKeyword(n.Schema)
	}
	return n
}

// make returns the node of a schema that stands in no document.
func (d *document) make(key string, s *jsonschema.Schema) *node {
	if n := d.made[key]; n != nil {
		return n
	}
	n := &node{Schema: s, document: d}
	d.checker.number(n)
	d.made[key] = n
	return n
}

// requiring returns a schema that requires one member.
func (d *document) requiring(name string) *node {
	return d.make("required "+name, &jsonschema.Schema{Required: []string{name}})
}

// all returns the nodes of a list.
func (d *document) all(list []*jsonschema.Schema) []*node {
	nodes := make([]*node, len(list))
	for i, s := range list {
		nodes[i] = d.of(s)
	}
	return nodes
}

// effective returns s without what does not count in the draft. Where it is not
// sure that a keyword counts, strangeKeyword says so of the original.
func (d *document) effective(s *jsonschema.Schema) *jsonschema.Schema {
	c := *s
	if s.Bool != nil {
		return &c
	}
	if d.draft < 2019 && c.Ref != "" {
		return &jsonschema.Schema{Pointer: s.Pointer, Ref: s.Ref}
	}
	if d.draft < 6 {
		c.Const, c.Contains, c.PropertyNames = nil, nil, nil
	}
	if d.draft < 7 {
		c.If = nil
	}
	if d.draft < 2019 {
		c.MinContains, c.MaxContains = "", ""
		c.UnevaluatedItems, c.UnevaluatedProperties = nil, nil
		d.dependencies(&c)
	}
	if d.draft < 2020 && c.Keywords["prefixItems"] != nil {
		c.PrefixItems = nil
		if raw := c.Keywords["items"]; len(raw) > 0 && raw[0] == '[' {
			c.Items = nil
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

// dependencies leaves what the keyword dependencies says.
func (d *document) dependencies(c *jsonschema.Schema) {
	var old map[string]json.RawMessage
	if json.Unmarshal(c.Keywords["dependencies"], &old) != nil {
		old = nil
	}
	required := map[string][]string{}
	for name, names := range c.DependentRequired {
		if raw := old[name]; len(raw) > 0 && raw[0] == '[' {
			required[name] = names
		}
	}
	if c.Keywords["dependentRequired"] != nil {
		c.DependentRequired = required
	}
	c.DependentSchemas = slices.DeleteFunc(slices.Clone(c.DependentSchemas), func(p jsonschema.Property) bool {
		return !strings.HasPrefix(p.Schema.Pointer, c.Pointer+"/dependencies/")
	})
}

// annotation reports whether a keyword says nothing of which values fit. Formats
// and contents are annotations too, as in package validate.
func annotation(keyword string) bool {
	switch keyword {
	case "$schema", "$id", "id", "$anchor", "$comment", "$defs", "definitions", "$vocabulary", "$dynamicAnchor", "$recursiveAnchor",
		"title", "description", "default", "examples", "example", "deprecated", "readOnly", "writeOnly",
		"format", "contentEncoding", "contentMediaType", "contentSchema",
		"discriminator", "xml", "externalDocs", "enumNames", "enumDescriptions", "markdownDescription",
		"errorMessage", "propertyOrdering", "icons", "_meta", "~standard":
		return true
	}
	return strings.HasPrefix(keyword, "x-") || strings.HasPrefix(keyword, "X-")
}

// known reports whether a keyword is a field of the model.
func known(keyword string) bool {
	switch keyword {
	case "$ref", "type", "nullable", "enum", "const", "properties", "patternProperties", "additionalProperties",
		"unevaluatedProperties", "propertyNames", "required", "dependentRequired", "dependentSchemas", "dependencies",
		"minProperties", "maxProperties", "items", "additionalItems", "prefixItems", "unevaluatedItems", "contains",
		"minContains", "maxContains", "minItems", "maxItems", "uniqueItems", "anyOf", "oneOf", "allOf", "not", "if",
		"then", "else", "minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum", "multipleOf", "minLength",
		"maxLength", "pattern":
		return true
	}
	return false
}

// strangeKeyword returns a keyword of s that is not known here, "" if none is.
func strangeKeyword(s *jsonschema.Schema) string {
	found := ""
	for keyword := range s.Keywords {
		if !known(keyword) && !annotation(keyword) && (found == "" || keyword < found) {
			found = keyword
		}
	}
	return found
}

// pattern compiles a pattern once; nil if RE2 does not take it.
func (c *checker) pattern(text string) *regexp.Regexp {
	re, ok := c.patterns[text]
	if !ok {
		re, _ = validate.Pattern(text)
		c.patterns[text] = re
		c.spend(20)
	}
	return re
}

// validator compiles a node by itself.
func (n *node) validator() (*validate.Schema, error) {
	if n.compiled == nil && n.compileErr == nil {
		n.document.checker.spend(stepsOfCompiling)
		n.compiled, n.compileErr = validate.Of(n.document.doc, n.Schema)
	}
	return n.compiled, n.compileErr
}

// fits reports whether a value fits a node; false, false if that is not known.
func (n *node) fits(value json.RawMessage) (fits, known bool) {
	v, err := n.validator()
	if err != nil || len(v.Problems()) > 0 {
		return false, false
	}
	err = n.document.checker.validate(v, value)
	return err == nil, !errors.Is(err, validate.ErrUnchecked)
}
