package vet

// Fields that are always sent and never set: the server gets a zero value that was not
// chosen.

import (
	"cmp"
	"fmt"
	"go/ast"
	"go/types"
	"maps"
	"slices"
	"strings"

	"golang.org/x/tools/go/analysis"
)

const requiredDoc = `required fields that are left out of the arguments of a call

A required field is sent even if nobody sets it: as "", 0, false, [] or {}. The check
follows a literal through the variables, parameters and results of its package to the
call that sends it, and reports the fields that are set nowhere on the way. To send the
zero value, write it. A field of which null is a value may be left out; a
required union may not be nil, since the call fails then.`

func required(c *checker) {
	g := graphOf(c)
	for _, o := range g.sorted() {
		if missing := g.missing(o); len(missing) > 0 {
			c.Report(analysis.Diagnostic{Pos: o.Pos(), End: o.End(), Message: missingMessage(o, missing)})
		}
	}
	nilElements(c)
	g.export()
}

// sorted are the places where structs are made, in the order of the files.
func (g *graph) sorted() []*origin {
	return slices.SortedFunc(maps.Values(g.origins), func(a, b *origin) int { return cmp.Compare(a.Pos(), b.Pos()) })
}

// missing are the required fields of what is sent that nothing sets.
func (g *graph) missing(o *origin) []field {
	var sinks []*sink
	for _, n := range closure(o, g.next) {
		if s, ok := n.(*sink); ok && g.known.reaches(s.typ, o.typ) {
			sinks = append(sinks, s)
		}
	}
	if len(sinks) == 0 {
		return nil
	}
	return slices.DeleteFunc(g.unset(o), func(f field) bool {
		return slices.ContainsFunc(sinks, func(s *sink) bool { return slices.Contains(s.sets, fieldKey(f.Var)) })
	})
}

// escapes reports whether code that is not analyzed may set fields of a value.
func (g *graph) escapes(from node) bool {
	return slices.ContainsFunc(closure(from, g.next, g.shared), func(n node) bool { return g.escaped[n] })
}

// unset are the required fields that nothing in the package sets.
func (g *graph) unset(o *origin) []field {
	missing := slices.DeleteFunc(g.known.requiredOf(o.typ), func(f field) bool { return o.given[f.Var] })
	if len(missing) == 0 || g.neverSeen(o) || g.escapes(o) {
		return nil
	}
	holders := closure(o, g.next, g.shared)
	return slices.DeleteFunc(missing, func(f field) bool {
		var settings []setting
		for _, n := range holders {
			if v, ok := n.(*types.Var); ok {
				settings = append(settings, g.set[v][f.Var]...)
			}
		}
		return len(settings) > 0 && !g.tooLate(o, settings)
	})
}

// neverSeen reports whether a zero value is always replaced before it is used.
func (g *graph) neverSeen(o *origin) bool {
	if o.zero != nil {
		return g.replaced[o.zero]
	}
	lit, ok := o.Node.(*ast.CompositeLit)
	return ok && len(lit.Elts) == 0 && slices.ContainsFunc(g.next[o], func(n node) bool {
		v, ok := n.(*types.Var)
		return ok && g.replaced[v]
	})
}

// tooLate reports whether fields are set only after a variable was sent, in the same
// function and the same iteration of its loops.
func (g *graph) tooLate(o *origin, settings []setting) bool {
	for _, holder := range g.next[o] {
		for _, n := range g.next[holder] {
			s, ok := n.(*sink)
			if ok && s.in == o.in && s.loop == o.loop && !slices.ContainsFunc(settings, func(t setting) bool { return t.in != s.in || t.at < s.end }) {
				return true
			}
		}
	}
	return false
}

// closure returns the nodes that are reachable from a node, itself included.
func closure(from node, edges ...map[node][]node) []node {
	seen := map[node]bool{from: true}
	out := []node{from}
	for i := 0; i < len(out); i++ {
		for _, next := range edges {
			for _, n := range next[out[i]] {
				if !seen[n] {
					seen[n] = true
					out = append(out, n)
				}
			}
		}
	}
	return out
}

func missingMessage(o *origin, missing []field) string {
	var names []string
	for _, f := range missing {
		names = append(names, fmt.Sprintf("%s (%s)", f.Name(), f.consequence()))
	}
	noun, them := "field", "it"
	if len(missing) > 1 {
		noun, them = "fields", "them"
	}
	return fmt.Sprintf("%s.%s is sent without the required %s %s: set %s", o.typ.Obj().Pkg().Name(), o.typ.Obj().Name(), noun, strings.Join(names, ", "), them)
}

// consequence says what is sent for a field that is not set.
func (f field) consequence() string {
	if f.union {
		return "nil makes the call fail"
	}
	if types.TypeString(types.Unalias(f.Type()), nil) == "encoding/json.Number" {
		return "an empty json.Number makes the call fail"
	}
	zero := "null"
	switch t := f.Type().Underlying().(type) {
	case *types.Slice:
		zero = "[]"
	case *types.Map:
		zero = "{}"
	case *types.Struct, *types.Array:
		zero = "its zero value"
	case *types.Basic:
		switch {
		case t.Info()&types.IsString != 0:
			zero = `""`
		case t.Info()&types.IsBoolean != 0:
			zero = "false"
		default:
			zero = "0"
		}
	}
	return "the server gets " + zero
}

// nilElements reports nil among the values of a union in a literal of a list or map.
func nilElements(c *checker) {
	c.inspect(func(n ast.Node, _ []ast.Node) bool {
		lit, ok := n.(*ast.CompositeLit)
		if !ok || c.TypesInfo.TypeOf(lit) == nil {
			return true
		}
		list, ok := c.TypesInfo.TypeOf(lit).Underlying().(interface{ Elem() types.Type })
		if !ok || !c.known.isUnion(list.Elem()) {
			return true
		}
		for _, e := range lit.Elts {
			if pair, ok := e.(*ast.KeyValueExpr); ok {
				e = pair.Value
			}
			if c.TypesInfo.Types[e].IsNil() {
				c.Reportf(e.Pos(), "nil is not a value of the union %s, and makes the call fail: use one of its variants", types.TypeString(list.Elem(), (*types.Package).Name))
			}
		}
		return true
	})
}
