package validate

// This file collects the schemas reachable from a root and decides what is checked of each.

import (
	"cmp"
	"fmt"
	"net/url"
	"strings"

	"github.com/mcpgen/mcpgen/schema"
	"github.com/mcpgen/mcpgen/schema/jsonschema"
)

// plan is the set of checks of a schema.
type plan struct {
	doc      *jsonschema.Document
	draft    jsonschema.Draft
	root     *node
	nodes    map[*jsonschema.Schema]*node
	order    []*node
	patterns map[string]*pattern
	weights  map[int]bool // of nodes
	targets  int
	problems []schema.Problem
}

// node is one schema of a plan.
type node struct {
	*jsonschema.Schema // the keywords to check

	ref      *node // nil if there is none
	constant any   // of Const, if hasConst
	hasConst bool
	members  []any // of Enum

	target  int            // number in $defs; 0: written inline
	cut     map[*node]bool // subschemas that allow everything, to break cycles
	broken  bool           // part of it is not checked
	loose   bool           // part of it, or of a schema that it applies, is not checked
	visited int            // state of the cycle search
	depth   int            // of schemas that apply to one value
}

func newPlan(doc *jsonschema.Document, root *jsonschema.Schema) (*plan, error) {
	if bound := doc.Bound(); bound != doc {
		doc, root = bound, cmp.Or(bound.Lookup(root.Pointer), root)
	}
	p := &plan{
		doc:      doc,
		nodes:    map[*jsonschema.Schema]*node{},
		patterns: map[string]*pattern{},
		weights:  map[int]bool{},
	}
	var known bool
	if p.draft, known = doc.Draft(); !known {
		p.problems = append(p.problems, schema.Problem{Pointer: "/$schema",
			Reason: quote(doc.Dialect) + " is not a draft that is known here: read as 2020-12"})
	}
	p.root = p.node(root)
	for i := 0; i < len(p.order); i++ { // the list grows
		if len(p.order) > maxSubschemas {
			return nil, &schema.Error{Pointer: root.Pointer, Reason: fmt.Sprintf("has more than %d subschemas", maxSubschemas)}
		}
		if err := p.read(p.order[i]); err != nil {
			return nil, err
		}
	}
	if err := p.straighten(); err != nil {
		return nil, err
	}
	p.loosen()
	return p, nil
}

// node returns the node of a schema and queues a new one for reading.
func (p *plan) node(s *jsonschema.Schema) *node {
	n := p.nodes[s]
	if n == nil {
		n = &node{Schema: s}
		p.nodes[s] = n
		p.order = append(p.order, n)
	}
	return n
}

// read decides what is checked of one schema.
func (p *plan) read(n *node) error {
	n.Schema = p.draft.Effective(n.Schema)
	for _, problem := range n.Problems {
		p.problems = append(p.problems, problem)
		n.broken = true
	}
	if err := p.references(n); err != nil {
		return err
	}
	p.values(n)
	p.invalid(n)
	p.texts(n)
	for _, child := range n.Children(false) {
		p.node(child)
	}
	return nil
}

// problem reports a keyword of n that is not checked.
func (p *plan) problem(n *node, keyword, reason string) {
	n.broken = true
	pointer := n.Pointer
	if keyword != "" {
		pointer += "/" + keyword
	}
	p.problems = append(p.problems, schema.Problem{Pointer: pointer, Reason: reason + ": not checked"})
}

// references follows $ref. A dynamic reference that Bound left is not checked.
func (p *plan) references(n *node) error {
	if n.Ref != "" {
		target, err := p.doc.Follow(n.Schema)
		switch {
		case err == nil:
			n.ref = p.refer(target)
		case isRemote(n.Ref):
			return err
		default:
			p.problem(n, "$ref", clean(err.Error()))
		}
	}
	for draft, keyword := range map[jsonschema.Draft]string{2019: "$recursiveRef", 2020: "$dynamicRef"} {
		if p.draft == draft && n.Keywords[keyword] != nil {
			p.problem(n, keyword, "it leads to no schema, or in too many ways: "+quote(string(n.Keywords[keyword])))
		}
	}
	return nil
}

// isRemote reports whether a reference names another document.
func isRemote(ref string) bool {
	address, _, _ := strings.Cut(ref, "#")
	_, err := url.Parse(address)
	return address != "" && err == nil
}

func (p *plan) refer(s *jsonschema.Schema) *node {
	n := p.node(s)
	if n.target == 0 {
		p.targets++
		n.target = p.targets
	}
	return n
}
