package compat

// This file says what one schema means: which of its keywords count in its
// document's draft, and what it refers to.

import (
	"encoding/json"
	"errors"
	"regexp"
	"strings"

	"github.com/mcpgen/mcpgen/schema/jsonschema"
	"github.com/mcpgen/mcpgen/schema/validate"
)

// document is one of the two documents, with the nodes of its schemas.
type document struct {
	doc     *jsonschema.Document
	draft   jsonschema.Draft
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
	draft, _ := doc.Draft() // what is not known counts as 2020-12
	return &document{doc: doc, draft: draft, nodes: map[*jsonschema.Schema]*node{}, made: map[string]*node{}, checker: c}
}

// of returns the node of a schema, nil for nil.
func (d *document) of(s *jsonschema.Schema) *node {
	if s == nil {
		return nil
	}
	if n := d.nodes[s]; n != nil {
		return n
	}
	n := &node{Schema: d.draft.Effective(s), source: s, document: d}
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

// strange reports whether it is not known here what a keyword says of values.
// Formats and contents are annotations, as in package validate.
func strange(keyword string) bool {
	switch keyword {
	case "id", "$comment", "$vocabulary", "$dynamicAnchor", "$recursiveAnchor",
		"discriminator", "xml", "externalDocs", "enumNames", "enumDescriptions", "markdownDescription",
		"errorMessage", "propertyOrdering", "icons", "_meta", "~standard":
		return false
	}
	return !jsonschema.Known(keyword) && !strings.HasPrefix(keyword, "x-") && !strings.HasPrefix(keyword, "X-")
}

// strangeKeyword returns a keyword of s that is not known here, "" if none is.
func strangeKeyword(s *jsonschema.Schema) string {
	found := ""
	for keyword := range s.Keywords {
		if strange(keyword) && (found == "" || keyword < found) {
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
