package gogen

// names.go of a generated package: other names of types and constants. Those by place are
// all there for users elsewhere; else code here uses them, and they are deprecated.

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/dave/jennifer/jen"

	"github.com/mcpgen/mcpgen/generator/internal/gotext"
	"github.com/mcpgen/mcpgen/generator/internal/ir"
)

const namesName = "names.go"

const aboutNames = "Names by place: other names for the types and constants in " + typesName + ", made of the tool " +
	"and the path in its arguments or result. Code that uses them keeps compiling when short names change. " +
	"Every tool has its line here, so that branches that change different tools merge."

// synonymsOf returns the other names of a tool's types, then of their constants.
func synonymsOf(t *ir.Tool) []ir.Synonym {
	out := slices.Clone(t.Synonyms)
	slices.SortStableFunc(out, func(x, y ir.Synonym) int {
		return cmp.Compare(min(len(x.Value), 1), min(len(y.Value), 1))
	})
	return out
}

// synonymDecl declares another name. A constant has its type, so that go doc shows it
// there and not before everything else, unless the line would be too long: gofmt does not
// break it.
func synonymDecl(n ir.Synonym) jen.Code {
	code := jen.Id(planSynonym(n).kind).Id(n.Go)
	if n.Type != "" && len("const   = ")+len(n.Go)+len(n.Type)+len(n.Of) <= maxColumns {
		code.Id(n.Type)
	}
	return code.Op("=").Id(n.Of)
}

func planSynonym(n ir.Synonym) declaration {
	if n.Value != "" {
		return declaration{kind: "const", name: n.Go}
	}
	return declaration{kind: "type", name: n.Go, members: alias}
}

func namesFile(u unit) *file {
	f := newFile(namesName, u.Name, u.Server)
	if u.PlaceNames {
		addPlaceNames(f, u)
	}
	for _, t := range u.Tools {
		for _, n := range synonymsOf(t) {
			if u.PlaceNames && n.From == ir.ByPlace {
				continue
			}
			doc := deprecation(fmt.Sprintf("%s is another name of [%s].", n.Go, n.Of), "use ["+n.Of+"].")
			if t.OldNames == nil { // go fix applies neither of two fixes that overlap, as those of a call and its arguments
				doc = f.inlined(doc)
			}
			f.add(doc, synonymDecl(n), planSynonym(n))
		}
	}
	return f
}

// addPlaceNames has a line for each tool, also for those without other names, and it is the
// same with and without: so two branches which change neighbours merge.
func addPlaceNames(f *file, u unit) {
	n := 0
	for _, t := range u.Tools {
		n += len(t.Synonyms)
	}
	f.plan.decls = make([]declaration, 0, n)
	if u.first {
		f.jen.Comment(comment(aboutNames))
	}
	for i, t := range u.Tools {
		if i == 0 || len(u.Tools[i-1].Synonyms) > 0 {
			f.jen.Line()
		}
		words := "Names by place in [" + t.Go + "]."
		if t.Unnamed > 0 {
			words += fmt.Sprintf(" Another %d constants have no name by place.", t.Unnamed)
		}
		f.jen.Comment(comment(words))
		if len(t.Synonyms) > 0 {
			f.jen.Line() // or it is the comment of the first name
		}
		for _, n := range synonymsOf(t) {
			if n.From == ir.ByPlace {
				f.jen.Add(synonymDecl(n))
				f.expect(planSynonym(n))
			}
		}
	}
}

// sharedStub declares the types that the first unit declares for all units.
func sharedStub(types []*ir.Type) string {
	var b strings.Builder
	for _, t := range types {
		fmt.Fprintf(&b, "type %s %s\n", t.Go, stubForm(t))
		for _, k := range t.Consts {
			fmt.Fprintf(&b, "const %s %s = %s\n", k.Go, t.Go, gotext.Scalar(k.Value))
		}
		if t.Kind == ir.Union {
			fmt.Fprintf(&b, "type %s struct{}\nfunc %s([]byte) (any, error)\n", t.Other, decoderName(t))
			for _, v := range t.Variants {
				fmt.Fprintf(&b, "func (%s) %s()\n", v.Type.Go, markerName(t))
			}
		}
	}
	return b.String()
}

// stubForm is what a type is defined as, as far as that matters outside of its
// declaration.
func stubForm(t *ir.Type) string {
	switch {
	case t.Kind == ir.Enum && t.Open:
		return "= " + t.Base
	case t.Kind == ir.Enum:
		return t.Base
	case t.Kind == ir.Union:
		return "interface{ " + markerName(t) + "() }"
	case t.Kind != ir.Alias:
		fields := ""
		for _, f := range t.Fields {
			fields += "; " + f.Go + " " + gotext.Type(f.Type)
		}
		return "struct{" + strings.TrimPrefix(fields, ";") + "}"
	}
	if gotext.IsSynonym(t.Of) {
		return "= " + gotext.Type(t.Of)
	}
	return gotext.Type(t.Of)
}
