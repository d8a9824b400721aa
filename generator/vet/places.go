package vet

// Members and constants that a type of arguments has for other places than the one where
// they are.

import (
	"encoding/json"
	"fmt"
	"go/ast"
	"go/constant"
	"go/token"
	"go/types"
	"maps"
	"slices"
	"strconv"

	"golang.org/x/tools/go/analysis"

	"github.com/mcpgen/mcpgen/generator/internal/code"
	"github.com/mcpgen/mcpgen/internal/limits"
)

// itemSent is the fact of what the code of a generated name says about its JSON.
type itemSent struct {
	Limits string            // of a call: what places of its arguments lack, as package codec reads it
	Tags   map[string]string // of a type: members that marshalling sets, and their JSON
}

// AFact marks a fact.
func (*itemSent) AFact() {}

// exportSent exports what the functions of a file say, by the limits of the variables that
// they call with.
func exportSent(pass *analysis.Pass, f *ast.File, limits map[types.Object]string) {
	for _, decl := range f.Decls {
		decl, ok := decl.(*ast.FuncDecl)
		if !ok {
			continue
		}
		var s itemSent
		ast.Inspect(decl, func(n ast.Node) bool {
			switch n := n.(type) {
			case *ast.Ident:
				if text := limits[pass.TypesInfo.Uses[n]]; text != "" {
					s.Limits = text
				}
			case *ast.CallExpr:
				if fun, ok := n.Fun.(*ast.SelectorExpr); ok && fun.Sel.Name == "Tag" && len(n.Args) == 2 {
					if s.Tags == nil {
						s.Tags = map[string]string{}
					}
					s.Tags[literalText(pass.TypesInfo, n.Args[0])] = literalText(pass.TypesInfo, n.Args[1])
				}
			}
			return true
		})
		obj := pass.TypesInfo.Defs[decl.Name]
		if decl.Name.Name == "MarshalJSON" {
			if named, _ := code.Pointee(obj.(*types.Func).Signature().Recv().Type()).(*types.Named); s.Tags != nil && named != nil {
				pass.ExportObjectFact(named.Obj(), &itemSent{Tags: s.Tags})
			}
		} else if s.Limits != "" && decl.Name.Name != "Manifest" {
			pass.ExportObjectFact(obj, &itemSent{Limits: s.Limits})
		}
	}
}

func literalText(info *types.Info, e ast.Expr) string {
	if v := info.Types[e].Value; v != nil && v.Kind() == constant.String {
		return constant.StringVal(v)
	}
	return ""
}

// limitsIn are the limits of the variables of a file that refer to tools.
func limitsIn(pass *analysis.Pass, f *ast.File, out map[types.Object]string) {
	ast.Inspect(f, func(n ast.Node) bool {
		spec, ok := n.(*ast.ValueSpec)
		if !ok || len(spec.Values) != 1 {
			return true
		}
		lit, ok := spec.Values[0].(*ast.CompositeLit)
		if !ok {
			return true
		}
		for _, e := range lit.Elts {
			if pair, ok := e.(*ast.KeyValueExpr); ok && fmt.Sprint(pair.Key) == "Limits" {
				out[pass.TypesInfo.Defs[spec.Names[0]]] = literalText(pass.TypesInfo, pair.Value)
			}
		}
		return false
	})
}

// places checks the arguments of calls against what their places lack.
func places(c *checker) {
	c.Inspect(func(n ast.Node, _ []ast.Node) bool {
		call, ok := n.(*ast.CallExpr)
		if !ok {
			return true
		}
		f, _ := c.Callee(call)
		var all []limits.Place
		if f == nil || c.known.sent[f] == nil || json.Unmarshal([]byte(c.known.sent[f].Limits), &all) != nil {
			return true
		}
		for _, arg := range call.Args {
			if named, _ := c.StructOf(c.Info.TypeOf(arg)); named != nil {
				for _, found := range c.place(all, 1, arg) {
					c.pass.Report(analysis.Diagnostic{Pos: found.at.Pos(), End: found.at.End(), Message: found.what +
						" is not valid here in a call of " + f.Name() + ", which refuses it: the type has it for other tools"})
				}
			}
		}
		return true
	})
}

// finding is an expression that a call refuses, and its name in messages.
type finding struct {
	at   ast.Node
	what string
}

// place returns what is refused of an expression at a place of arguments.
func (c *checker) place(all []limits.Place, place int, e ast.Expr) []finding {
	if place < 1 || place > len(all) {
		return nil
	}
	at := all[place-1]
	if v := c.Info.Types[e].Value; v != nil && v.Kind() == constant.String {
		if slices.Contains(at.Not, constant.StringVal(v)) {
			return []finding{{e, v.ExactString()}}
		}
		return c.place(all, at.Kinds["string"], e)
	}
	switch e := ast.Unparen(e).(type) {
	case *ast.UnaryExpr:
		if e.Op == token.AND {
			return c.place(all, place, e.X)
		}
	case *ast.CallExpr:
		if len(e.Args) == 1 && c.Wraps(e.Fun) {
			return c.place(all, place, e.Args[0])
		}
	case *ast.CompositeLit:
		return c.literalAt(all, at, e)
	}
	return nil
}

// literalAt returns what is refused of a literal of a struct, a list or a map at a place.
func (c *checker) literalAt(all []limits.Place, at limits.Place, lit *ast.CompositeLit) []finding {
	t := c.Info.TypeOf(lit)
	kind := "object"
	if _, list := code.Under(t).(*types.Slice); list {
		kind = "array"
	}
	out := append(c.place(all, at.Kinds[""], lit), c.place(all, at.Kinds[kind], lit)...)
	named, s := c.StructOf(code.Pointee(t))
	var tags map[string]string
	if named != nil && c.known.sent[named.Obj()] != nil {
		tags = c.known.sent[named.Obj()].Tags
	}
	switch {
	case at.OneOf != nil:
		return c.oneOf(all, at.OneOf, lit, s, tags)
	case at.Tag != "":
		return append(out, c.place(all, at.In[tags[at.Tag]], lit)...)
	case s == nil:
		for _, e := range lit.Elts {
			if pair, ok := e.(*ast.KeyValueExpr); ok {
				e = pair.Value
			}
			out = append(out, c.place(all, at.Each, e)...)
		}
		return out
	}
	for field, value := range c.FieldValues(lit) {
		wire := wireOf(s, field)
		if slices.Contains(at.Lacks, wire) {
			out = append(out, finding{value, "the member " + strconv.Quote(wire)})
		}
		out = append(out, c.place(all, at.In[wire], value)...)
	}
	return out
}

// oneOf returns what is refused of a literal of a struct as each variant that has all its
// members.
func (c *checker) oneOf(all []limits.Place, variants []int, lit *ast.CompositeLit, s *types.Struct, tags map[string]string) []finding {
	wires := slices.Collect(maps.Keys(tags))
	for field := range c.FieldValues(lit) {
		wires = append(wires, wireOf(s, field))
	}
	var refused []finding
	for _, place := range variants {
		if place < 1 || place > len(all) ||
			slices.ContainsFunc(wires, func(wire string) bool { return !slices.Contains(all[place-1].Has, wire) }) {
			continue
		}
		found := c.place(all, place, lit)
		if found == nil {
			return nil
		}
		if refused == nil {
			refused = found
		}
	}
	return refused
}

// wireOf is the name of a field's member.
func wireOf(s *types.Struct, field *types.Var) string {
	for i := range s.NumFields() {
		if s.Field(i) == field {
			wire, _, _ := memberOf(s.Tag(i))
			return wire
		}
	}
	return ""
}
