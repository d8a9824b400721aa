package gogen

// A package is rendered and checked in units of some tools each, and its files are
// joined from the units. What belongs to one tool names nothing of another, so a
// unit makes sense by itself; units run at the same time, and the syntax trees of a
// package with thousands of tools are never all in memory.
//
// Whole files would need neither units nor joining, but they miss the budget of
// generate, which is 250 MB for 5,000 tools: BenchmarkUnits measures 437 MB against
// 173 MB with units, and 1.4 times the processor time; the program takes 457 MB
// against 216 MB.

import (
	"slices"

	"github.com/mcpgen/mcpgen/generator/internal/ir"
)

// unitTools is the number of tools in a unit.
const unitTools = 48

// unit is a part of a package, in the form of a package. The first one also has
// what is there once, the types among it that several tools share.
type unit struct {
	*ir.Package
	first  bool
	shared []*ir.Type        // that the first unit declares
	read   reading           // of the whole package
	sent   map[*ir.Type]bool // the types of arguments of the whole package; nil is all
}

// split cuts a package into units. It stays whole if the types of different
// tools name each other without being shared, or are not next to each other.
func split(p *ir.Package) []unit {
	whole := unit{Package: p, first: true, read: readingOf(p), sent: map[*ir.Type]bool{}}
	for t := range sentTypes(p) {
		whole.sent[t] = true
	}
	owner, ok := owners(p)
	if !ok || len(p.Tools) <= unitTools {
		return []unit{whole}
	}
	var units []unit
	types, shared := p.Types, slices.DeleteFunc(slices.Clone(p.Types), func(t *ir.Type) bool { return !t.Shared })
	for from := 0; from < len(p.Tools); from += unitTools {
		to := min(from+unitTools, len(p.Tools))
		n := 0
		for n < len(types) && owner[types[n]] < to {
			n++
		}
		part := *p
		part.Tools, part.Types, types = p.Tools[from:to], types[:n], types[n:]
		units = append(units, unit{&part, from == 0, shared, whole.read, whole.sent})
	}
	return units
}

// owners finds the tool, by index, that each type belongs to; types that are shared
// belong to the first. False means that another type is named by several tools, or
// that types are not in the order of their tools.
func owners(p *ir.Package) (map[*ir.Type]int, bool) {
	owner := make(map[*ir.Type]int, len(p.Types))
	ok := true
	var claim func(i int, t *ir.Type)
	claim = func(i int, t *ir.Type) {
		if t.Shared {
			owner[t] = 0
			return
		}
		if had, taken := owner[t]; taken {
			ok = ok && had == i
			return
		}
		owner[t] = i
		for used := range t.Uses() {
			claim(i, used)
		}
	}
	for i, t := range p.Tools {
		claim(i, t.Args)
		for used := range (&ir.Type{Of: t.Result}).Uses() {
			claim(i, used)
		}
	}
	last := 0
	for _, t := range p.Types {
		i, known := owner[t]
		if !known { // unused: it stays where it is
			owner[t], i = last, last
		}
		ok, last = ok && i >= last, i
	}
	return owner, ok
}
