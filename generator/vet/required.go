package vet

// Fields that are always sent and never set: the server gets a zero value that was not
// chosen.

import (
	"fmt"
	"go/ast"
	"go/types"
	"slices"
	"strings"

	"golang.org/x/tools/go/analysis"

	"github.com/mcpgen/mcpgen/generator/internal/code"
)

const requiredDoc = `required fields that are left out of the arguments of a call

A required field is sent even if nobody sets it: as "", 0, false, [] or {}. The check
follows a literal through the variables, parameters and results of its package to the
call that sends it, and reports the fields that are set nowhere on the way. To send the
zero value, write it. A field of which null is a value may be left out; a
required union may not be nil, since the call fails then.`

func required(c *checker) {
	g := code.NewGraph(c.Reader, passFacts{c.pass, c.known}, func(pkg *types.Package) bool { return pkg == c.pass.Pkg })
	for _, o := range g.Origins() {
		if missing := c.missing(g, o); len(missing) > 0 {
			c.pass.Report(analysis.Diagnostic{Pos: o.Pos(), End: o.End(), Message: c.missingMessage(o, missing)})
		}
	}
	nilElements(c)
	c.export(g)
}

// missing are the required fields of what is sent that nothing sets.
func (c *checker) missing(g *code.Graph, o *code.Origin) []*types.Var {
	sinks := g.Sent(o)
	if len(sinks) == 0 {
		return nil
	}
	return slices.DeleteFunc(g.Unset(o, c.requiredOf(o.Type)), func(f *types.Var) bool {
		return slices.ContainsFunc(sinks, func(s *code.Sink) bool { return slices.Contains(s.Sets, fieldKey(f)) })
	})
}

func (c *checker) missingMessage(o *code.Origin, missing []*types.Var) string {
	var names []string
	for _, f := range missing {
		names = append(names, fmt.Sprintf("%s (%s)", f.Name(), c.consequence(f)))
	}
	noun, them := "field", "it"
	if len(missing) > 1 {
		noun, them = "fields", "them"
	}
	return fmt.Sprintf("%s.%s is sent without the required %s %s: set %s", o.Type.Obj().Pkg().Name(), o.Type.Obj().Name(), noun, strings.Join(names, ", "), them)
}

// consequence describes what is sent for a field that is not set.
func (c *checker) consequence(f *types.Var) string {
	if c.IsUnion(f.Type()) {
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
	c.Inspect(func(n ast.Node, _ []ast.Node) bool {
		lit, ok := n.(*ast.CompositeLit)
		if !ok || c.Info.TypeOf(lit) == nil {
			return true
		}
		list, ok := c.Info.TypeOf(lit).Underlying().(interface{ Elem() types.Type })
		if !ok || !c.IsUnion(list.Elem()) {
			return true
		}
		for _, e := range lit.Elts {
			if pair, ok := e.(*ast.KeyValueExpr); ok {
				e = pair.Value
			}
			if c.Info.Types[e].IsNil() {
				c.pass.Reportf(e.Pos(), "nil is not a value of the union %s, and makes the call fail: use one of its variants", types.TypeString(list.Elem(), (*types.Package).Name))
			}
		}
		return true
	})
}
