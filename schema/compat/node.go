package compat

// This file interprets one schema: which of its keywords apply in its document's draft, and what it refers to.

import (
	"encoding/json"
	"errors"
	"slices"
	"strconv"
	"strings"

	"github.com/mcpgen/mcpgen/schema/jsonschema"
	"github.com/mcpgen/mcpgen/schema/validate"
)

// document is one of the two compared documents, with the nodes of its schemas.
type document struct {
	doc     *jsonschema.Document
	draft   jsonschema.Draft
	nodes   map[*jsonschema.Schema]*node
	made    map[string]*node // created here, by content; part of no document
	checker *checker
}

// node is one schema. Equal schemas of one document are one node.
type node struct {
	*jsonschema.Schema                    // the keywords that apply
	source             *jsonschema.Schema // in the document; nil for a node that is in no document
	document           *document
	id                 int
	ref                *node // the target of its reference; nil if it has none or it is unresolved
	unknown            string
	compiled           *validate.Schema
	compileErr         error
	print              string // see fingerprint
}

func newDocument(c *checker, doc *jsonschema.Document) *document {
	draft, _ := doc.Draft() // an unknown draft is treated as 2020-12
	return &document{doc: doc, draft: draft, nodes: map[*jsonschema.Schema]*node{}, made: map[string]*node{}, checker: c}
}

// of returns the node of a schema, or nil for nil.
func (d *document) of(s *jsonschema.Schema) *node {
	if s == nil {
		return nil
	}
	if n := d.nodes[s]; n != nil {
		return n
	}
	n := d.node(d.draft.Effective(s))
	n.source = s
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

// make returns the node of a schema that is in no document.
func (d *document) make(key string, s *jsonschema.Schema) *node {
	if n := d.made[key]; n != nil {
		return n
	}
	n := d.node(s)
	d.made[key] = n
	return n
}

func (d *document) node(s *jsonschema.Schema) *node {
	d.checker.numbered++
	return &node{Schema: s, document: d, id: d.checker.numbered}
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

// named is a schema with its place in an enclosing schema.
type named struct {
	name string
	node *node
}

// within returns the schemas directly in n, in an order independent of how n is written.
func (n *node) within() []named {
	var out []named
	for h := range n.Holders {
		if h.Schema != nil {
			out = append(out, named{h.Keyword, n.document.of(h.Schema)})
		}
		for i, s := range h.List {
			out = append(out, named{h.Keyword + "/" + strconv.Itoa(i), n.document.of(s)})
		}
		for _, p := range h.Named {
			out = append(out, named{h.Keyword + "/" + p.Name, n.document.of(p.Schema)})
		}
	}
	slices.SortStableFunc(out, func(a, b named) int { return strings.Compare(a.name, b.name) })
	return out
}

// reached returns the schemas directly in n and the target of its reference.
func (n *node) reached() []*node {
	var out []*node
	for _, m := range n.within() {
		out = append(out, m.node)
	}
	if n.ref != nil {
		out = append(out, n.ref)
	}
	return out
}

// inPlace returns the schemas that apply to the same value as n.
func (n *node) inPlace() []*node {
	out := n.document.all(n.InPlace())
	if n.ref != nil {
		out = append(out, n.ref)
	}
	return out
}

// additional returns the schema of members that n does not declare, or nil if n has none.
func (n *node) additional() *node { return n.rest(n.AdditionalProperties, n.UnevaluatedProperties) }

// items returns the schema of the items after the tuple, or nil if n has none.
func (n *node) items() *node { return n.rest(n.Items, n.UnevaluatedItems) }

// item returns the schema of the item at index i, or nil if n has none.
func (n *node) item(i int) *node {
	if i < len(n.PrefixItems) {
		return n.document.of(n.PrefixItems[i])
	}
	return n.items()
}

// rest returns own, or else unevaluated if n alone decides what that applies to.
func (n *node) rest(own, unevaluated *jsonschema.Schema) *node {
	if own == nil && unevaluated != nil && !n.combines() {
		own = unevaluated
	}
	return n.document.of(own)
}

// combines reports whether n applies other schemas in place, which may evaluate members and items.
func (n *node) combines() bool {
	return n.Ref != "" || n.malformed() || len(n.AllOf)+len(n.AnyOf)+len(n.OneOf)+len(n.DependentSchemas) > 0 || n.If != nil || n.Contains != nil
}

// strange reports whether the effect of a keyword on values is unknown. Formats and contents are annotations,
// as in package validate.
func strange(keyword string) bool {
	switch keyword {
	case "id", "$comment", "$vocabulary", "$dynamicAnchor", "$recursiveAnchor",
		"discriminator", "xml", "externalDocs", "enumNames", "enumDescriptions", "markdownDescription",
		"errorMessage", "propertyOrdering", "icons", "_meta", "~standard":
		return false
	}
	return !jsonschema.Known(keyword) && !strings.HasPrefix(keyword, "x-") && !strings.HasPrefix(keyword, "X-")
}

// strangeKeyword returns the first unknown keyword of s by name, or "" if there is none.
func strangeKeyword(s *jsonschema.Schema) string {
	found := ""
	for keyword := range s.Keywords {
		if strange(keyword) && (found == "" || keyword < found) {
			found = keyword
		}
	}
	return found
}

// fits reports whether a value fits a node; known is false if that cannot be decided.
func (n *node) fits(value json.RawMessage) (fits, known bool) {
	c := n.document.checker
	if n.compiled == nil && n.compileErr == nil {
		c.spend(stepsOfCompiling)
		n.compiled, n.compileErr = validate.Of(n.document.doc, n.Schema)
	}
	if n.compileErr != nil || len(n.compiled.Problems()) > 0 {
		return false, false
	}
	err := c.validate(n.compiled, value)
	return err == nil, !errors.Is(err, validate.ErrUnchecked)
}
