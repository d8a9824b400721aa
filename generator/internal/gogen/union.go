package gogen

// Unions: an interface that only its variants implement, and the function that
// finds the variant of a value.

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/dave/jennifer/jen"

	"github.com/mcpgen/mcpgen/generator/internal/gotext"
	"github.com/mcpgen/mcpgen/generator/internal/ir"
)

// markerName is the method that makes a type a variant.
func markerName(t *ir.Type) string { return "is" + t.Go }

// decoderName is the function that finds the variant of a value.
func decoderName(t *ir.Type) string { return "decode" + t.Go }

func addUnion(f *file, u unit, t *ir.Type) {
	f.add(docOf(t.Doc, u.limit(t.Tool, maxMember), "", variantsDoc(t)),
		jen.Type().Id(t.Go).Id("interface").Values(jen.Id(markerName(t)).Params()),
		declaration{kind: "type", name: t.Go, members: []string{"interface", markerName(t)}})
	f.jen.Line()
	for _, name := range implementers(t) {
		f.jen.Func().Params(jen.Id(name)).Id(markerName(t)).Params().Block()
		f.expect(declaration{kind: "func", recv: name, name: markerName(t)})
	}
	f.add(comment(t.Other+" holds a value that matches no variant of "+t.Go+"."),
		jen.Type().Id(t.Other).Id("struct").Values(jen.Qual(jsonPath, "RawMessage")),
		declaration{kind: "type", name: t.Other, members: []string{"struct", "embedded json.RawMessage"}})
	args := []jen.Code{jen.Id("b"), jen.Id(t.Other).Values()}
	byRank := func(a, b ir.Variant) int { return cmp.Compare(a.Match.Rank, b.Match.Rank) }
	inOrder := slices.SortedStableFunc(slices.Values(t.Variants), byRank)
	for _, v := range inOrder {
		for _, fields := range variantRows(v) {
			args = append(args, jen.Line().Qual(codecPath, "Variant").Values(fields...))
		}
	}
	f.function("", "", decoderName(t), []jen.Code{jen.Id("b").Index().Byte()}, []jen.Code{jen.Any(), jen.Error()},
		returning(jen.Qual(codecPath, "DecodeUnion").Call(append(args, jen.Line())...)))
	if t.Reader == "" {
		return
	}
	read := append([]jen.Code{jen.Id("b"), jen.Op("&").Id("x")}, unionParts([]*ir.Type{t})...)
	f.function(comment(t.Reader+" decodes a value of "+t.Go+", an interface that encoding/json cannot decode."),
		"", t.Reader,
		[]jen.Code{jen.Id("b").Index().Byte()}, []jen.Code{jen.Id("x").Id(t.Go), jen.Err().Error()},
		jen.Block(jen.Err().Op("=").Qual(codecPath, "DecodeValue").Call(read...), jen.Return(jen.Id("x"), jen.Err())))
}

// implementers are the types that a value of the union can have.
func implementers(t *ir.Type) []string {
	var names []string
	for _, v := range t.Variants {
		names = append(names, v.Type.Go)
	}
	return append(names, t.Other)
}

// variantsDoc lists the variants of the union.
func variantsDoc(t *ir.Type) string {
	names := implementers(t)
	links := make([]string, len(names))
	for i, name := range names {
		links[i] = "[" + name + "]"
	}
	last := len(links) - 1
	return "Values: " + strings.Join(links[:last], ", ") + ". Any other value decodes as " + links[last] + "."
}

// shownVariants is how many variants the comment of a field shows.
const shownVariants = 5

// constructorsOf shows how the values of the unions in a field are written, once for all
// fields of a type.
func constructorsOf(r *ir.Ref, shown map[*ir.Type]bool) string {
	var notes []string
	for _, u := range unionsIn(nil, r) {
		if shown[u] {
			continue
		}
		shown[u] = true
		var values []string
		for _, v := range u.Variants[:min(len(u.Variants), shownVariants)] {
			braces := "{…}"
			if base := baseOf(v.Type); base != "" && base != "nil" {
				braces = "(…)"
			}
			values = append(values, v.Type.Go+braces)
		}
		if more := len(u.Variants) - len(values); more > 0 {
			values = append(values, fmt.Sprintf("and %d more", more))
		}
		notes = append(notes, "Values of ["+u.Go+"]: "+strings.Join(values, ", ")+".")
	}
	return strings.Join(notes, " ")
}

// variantRows are the ways to tell that a value is of a variant: one for each constant of a
// tag, if it has one.
func variantRows(v ir.Variant) [][]jen.Code {
	m := v.Match
	fields := []jen.Code{jen.Id("As").Op(":").Add(zeroOf(v.Type)), jen.Id("Kind").Op(":").Lit(m.Kind)}
	if m.Kind == "object" && m.Key != "" {
		fields = append(fields, jen.Id("Key").Op(":").Op(gotext.Quote(m.Key)))
	}
	if m.Kind != "object" || m.Tag == "" {
		return [][]jen.Code{fields}
	}
	var rows [][]jen.Code
	for _, value := range m.Values {
		tag := jen.Id("Tag").Op(":").Op(gotext.Quote(m.Tag))
		rows = append(rows, append(slices.Clip(fields), tag, jen.Id("Value").Op(":").Op(rawLit(value))))
	}
	return rows
}

func zeroOf(t *ir.Type) jen.Code {
	name := jen.Id(t.Go)
	switch base := baseOf(t); base {
	case "":
		return name.Values()
	case "nil":
		return name.Call(jen.Nil())
	case "string":
		return name.Call(jen.Lit(""))
	case "bool":
		return name.Call(jen.False())
	default:
		return name.Call(jen.Lit(0))
	}
}

// baseOf is the basic type that a variant is made of, nil for a list or a map,
// and "" for what is written with braces.
func baseOf(t *ir.Type) string {
	switch t.Kind {
	case ir.Enum:
		return t.Base
	case ir.Alias:
		switch r := gotext.Underlying(t.Of); r.Kind {
		case ir.Slice, ir.Map:
			return "nil"
		case ir.Basic:
			return r.Name
		case ir.Named:
			return baseOf(r.Decl)
		}
	}
	return ""
}
