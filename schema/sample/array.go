package sample

// This file creates arrays.

import (
	"encoding/json"
	"strings"

	"github.com/mcpgen/mcpgen/schema/jsonschema"
)

// maxElements bounds the length of arrays.
const maxElements = 64

// arrays returns arrays that vary one position after another.
func (g *generator) arrays(s *shape, most int) []string {
	least, longest := s.counts(func(p *jsonschema.Schema) (json.Number, json.Number) { return p.MinItems, p.MaxItems })
	if least > maxElements {
		return nil
	}
	a := &arrays{least: least, most: min(longest, maxElements)}
	if !g.positions(s, a) {
		return nil
	}
	if g.plain {
		return []string{a.write(max(a.least, len(a.fixed), min(1, a.most)), nil), a.write(a.least, nil)}
	}
	all := []string{
		a.write(max(a.least, min(1, a.most), min(len(a.fixed), a.most)), nil),
		a.write(a.least, nil),
		a.write(min(max(a.least, len(a.fixed))+2, a.most), nil),
		a.write(min(max(a.least, len(a.fixed))+1, a.most), nil),
	}
	if longest <= maxElements {
		all = append(all, a.write(longest, nil), a.write(max(longest-1, a.least), nil))
	}
	all = append(all, a.write(min(a.least+1, a.most), nil))
	for round := 1; round < maxNested && len(all) < most; round++ {
		any := false
		for i := range a.fixed {
			if round < len(a.fixed[i]) {
				any = true
				all = append(all, a.write(max(a.least, len(a.fixed)), map[int]int{i: round}))
			}
		}
		if round < len(a.rest) && len(a.fixed) < a.most {
			any = true
			all = append(all, a.write(max(a.least, len(a.fixed)+1), map[int]int{len(a.fixed): round}))
		}
		if !any {
			break
		}
	}
	return all
}

// positions finds the values of each position; false if too few positions have values.
func (g *generator) positions(s *shape, a *arrays) bool {
	prefix := 0
	for _, p := range s.parts {
		prefix = max(prefix, len(p.PrefixItems))
		for range wanted(p) {
			a.contained = append(a.contained, g.values(conjunction{p.Contains}, s.depth, maxNested))
		}
	}
	for i := range min(prefix, a.most) {
		values := g.values(s.element(i), s.depth, maxNested)
		if len(values) == 0 {
			a.most = i // longer arrays have no value here
			break
		}
		a.fixed = append(a.fixed, values)
	}
	if a.most > len(a.fixed) {
		a.rest = g.values(s.element(prefix), s.depth, maxNested)
		if len(a.rest) == 0 {
			a.most = len(a.fixed)
		}
	}
	return a.least <= a.most
}

// wanted returns the number of elements that must fit contains.
func wanted(p *jsonschema.Schema) int {
	if p.Contains == nil {
		return 0
	}
	return min(jsonschema.Count(p.MinContains, 1), maxElements)
}

// element returns the schemas that apply to the element at i.
func (s *shape) element(i int) conjunction {
	var all conjunction
	for _, p := range s.parts {
		switch {
		case i < len(p.PrefixItems):
			all = append(all, p.PrefixItems[i])
		case p.Items != nil:
			all = append(all, p.Items)
		case p.UnevaluatedItems != nil:
			all = append(all, p.UnevaluatedItems)
		}
	}
	return all
}

// arrays assembles arrays.
type arrays struct {
	least, most int
	fixed       [][]string // by position
	rest        []string   // for the positions after fixed
	contained   [][]string // the array must contain a value of each list
}

// write returns an array of n elements. Given maps positions to value indexes; the other elements after the
// fixed ones differ where possible.
func (a *arrays) write(n int, given map[int]int) string {
	n = min(max(n, min(len(a.contained), a.most)), a.most)
	elements := make([]string, n)
	for i := range n {
		value, ok := given[i]
		switch {
		case i < len(a.fixed):
			elements[i] = a.fixed[i][value]
		case ok:
			elements[i] = a.rest[value]
		case i < len(a.contained) && len(a.contained[i]) > 0:
			elements[i] = a.contained[i][min(i, len(a.contained[i])-1)]
		default:
			elements[i] = a.rest[(i-len(a.fixed))%len(a.rest)]
		}
	}
	return "[" + strings.Join(elements, ",") + "]"
}
