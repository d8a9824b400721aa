package gogen

// Type expressions, and what is known of a type by its expression alone.

import (
	"slices"

	"github.com/dave/jennifer/jen"

	"github.com/mcpgen/mcpgen/generator/internal/gotext"
	"github.com/mcpgen/mcpgen/generator/internal/ir"
)

func typeExpr(r *ir.Ref) *jen.Statement { return typeExprFrom("", r) }

// typeExprFrom is typeExpr for another package, which imports this one by path.
func typeExprFrom(path string, r *ir.Ref) *jen.Statement {
	switch r.Kind {
	case ir.Named:
		return jen.Qual(path, r.Decl.Go)
	case ir.Slice:
		return jen.Index().Add(typeExprFrom(path, r.Elem))
	case ir.Array:
		return jen.Index(jen.Lit(r.Len)).Add(typeExprFrom(path, r.Elem))
	case ir.Map:
		return jen.Map(jen.String()).Add(typeExprFrom(path, r.Elem))
	case ir.Pointer:
		return jen.Op("*").Add(typeExprFrom(path, r.Elem))
	case ir.Opt:
		return jen.Qual(runtimePath, "Opt").Types(typeExprFrom(path, r.Elem))
	case ir.Any:
		return jen.Any()
	case ir.Raw:
		return jen.Qual(jsonPath, "RawMessage")
	case ir.Number:
		return jen.Qual(jsonPath, "Number")
	case ir.Text:
		if r.Name == exactField {
			return jen.Qual(codecPath, r.Name)
		}
		return jen.Qual(formatPath, r.Name)
	}
	return jen.Id(r.Name)
}

// unionsIn appends the unions in r that are not inside a type which decodes itself.
func unionsIn(found []*ir.Type, r *ir.Ref) []*ir.Type {
	for range 1000 { // a chain of names that ends nowhere is cut
		switch {
		case r == nil:
			return found
		case r.Kind != ir.Named:
			r = r.Elem
		case r.Decl.Kind == ir.Union:
			if !slices.Contains(found, r.Decl) {
				found = append(found, r.Decl)
			}
			return found
		case r.Decl.Kind == ir.Alias && gotext.IsSynonym(r.Decl.Of):
			r = r.Decl.Of
		default:
			return found
		}
	}
	return found
}

// unionsOf are the unions that t has to know of to decode itself.
func unionsOf(t *ir.Type) []*ir.Type {
	found := unionsIn(unionsIn(unionsIn(nil, t.Of), t.Extra), t.Rest)
	for _, f := range t.Fields {
		found = unionsIn(found, f.Type)
	}
	return found
}

// unionParts are the arguments by which the codec knows the unions.
func unionParts(unions []*ir.Type) []jen.Code {
	var out []jen.Code
	for _, u := range unions {
		null := jen.Parens(jen.Op("*").Id(u.Go)).Call(jen.Nil())
		out = append(out, jen.Qual(codecPath, "UnionOf").Call(null, jen.Id(decoderName(u))))
	}
	return out
}

func resultExpr(t *ir.Tool) *jen.Statement { return resultExprFrom("", t) }

// resultExprFrom is resultExpr for another package, which imports this one by path.
func resultExprFrom(path string, t *ir.Tool) *jen.Statement {
	switch {
	case t.Result == nil:
		return jen.Op("*").Qual(runtimePath, "Result")
	case gotext.IsPointer(t.Result):
		return jen.Op("*").Add(typeExprFrom(path, t.Result))
	}
	return typeExprFrom(path, t.Result)
}
