package validate

// This file makes a plan finite and prevents it from becoming stricter than the schema.
//
// A schema that applies itself to the same value never ends; the place where it recurs allows everything. An
// unchecked part allows more values, so its negation would allow fewer. Keywords that negate such a part, count
// it, or require it to be the only match are therefore not checked either.

import (
	"fmt"
	"slices"

	"github.com/mcpgen/mcpgen/schema"
	"github.com/mcpgen/mcpgen/schema/jsonschema"
)

const (
	unseen = iota
	active
	done
)

// inPlace returns the schemas that apply to the same value as n.
func (p *plan) inPlace(n *node) []*node {
	var nodes []*node
	if n.ref != nil {
		nodes = append(nodes, n.ref)
	}
	for _, s := range n.InPlace() {
		nodes = append(nodes, p.nodes[s])
	}
	return nodes
}

// straighten cuts cycles and bounds the nesting of schemas that apply to one value. It starts from every node,
// because any node may apply to a value.
func (p *plan) straighten() error {
	for _, n := range p.order {
		if err := p.walk(n, 0); err != nil {
			return err
		}
	}
	return nil
}

func (p *plan) walk(n *node, level int) error {
	if n.visited == done {
		return nil
	}
	n.visited = active
	for _, child := range p.inPlace(n) {
		if child.visited == active {
			if n.cut == nil {
				n.cut = map[*node]bool{}
			}
			n.cut[child] = true
			p.problem(n, "", "the schema refers to itself without end")
			continue
		}
		if level < maxInPlace {
			if err := p.walk(child, level+1); err != nil {
				return err
			}
		}
		n.depth = max(n.depth, child.depth+1)
		if level >= maxInPlace || n.depth > maxInPlace {
			return &schema.Error{Pointer: n.Pointer,
				Reason: fmt.Sprintf("more than %d nested schemas apply to one value", maxInPlace)}
		}
	}
	n.visited = done
	return nil
}

// loosen marks the nodes that unchecked parts make looser, and removes the keywords that would become stricter.
func (p *plan) loosen() {
	users := map[*node][]*node{}
	var queue []*node
	for _, n := range p.order {
		for _, used := range p.inPlace(n) {
			users[used] = append(users[used], n)
		}
		for _, child := range n.Children(false) {
			users[p.nodes[child]] = append(users[p.nodes[child]], n)
		}
		if n.broken {
			n.loose = true
			queue = append(queue, n)
		}
	}
	for len(queue) > 0 {
		n := queue[len(queue)-1]
		queue = queue[:len(queue)-1]
		for _, user := range users[n] {
			if !user.loose {
				user.loose = true
				queue = append(queue, user)
			}
		}
	}
	for _, n := range p.order {
		if n.loose {
			p.relax(n)
		}
	}
}

// relax removes the keywords of n that become stricter when a part becomes looser.
func (p *plan) relax(n *node) {
	loose := func(s *jsonschema.Schema) bool { return s != nil && p.nodes[s].loose }
	if loose(n.Not) {
		n.Not = nil
		p.problem(n, "not", "a part of it is not checked")
	}
	if loose(n.If) {
		n.If, n.Then, n.Else = nil, nil, nil
		p.problem(n, "if", "a part of it is not checked")
	}
	if slices.ContainsFunc(n.OneOf, loose) {
		if n.AnyOf == nil {
			n.AnyOf = n.OneOf
		}
		n.OneOf = nil
		p.problem(n, "oneOf", "whether only one schema fits is not known, because a part of them is not checked")
	}
	if loose(n.Contains) && n.MaxContains != "" {
		n.MaxContains = ""
		p.problem(n, "maxContains", "a part of contains is not checked")
	}
	inPlace := func(child *node) bool { return child.loose }
	if (n.broken || slices.ContainsFunc(p.inPlace(n), inPlace)) && (n.UnevaluatedItems != nil || n.UnevaluatedProperties != nil) {
		n.UnevaluatedItems, n.UnevaluatedProperties = nil, nil
		p.problem(n, "", "a part of the schema is not checked, so it is unknown which members or elements are unevaluated")
	}
}
