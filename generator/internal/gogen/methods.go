package gogen

// The methods by which a type is read and written right. Custom marshalling is
// slow to compile, so no type has any without a reason.

import (
	"iter"
	"slices"

	"github.com/dave/jennifer/jen"

	"github.com/mcpgen/mcpgen/generator/internal/gotext"
	"github.com/mcpgen/mcpgen/generator/internal/ir"
)

// method is one of the methods of a type.
type method struct {
	typ     *ir.Type
	decodes bool
	rest    bool // the type has a field for the rest, which the runtime has to know
}

// reading says how types are reached from the results of tools. Types of arguments
// alone are encoded by the runtime, by their tags: they need methods only for what tags
// cannot say, such as undeclared members. Types of results have methods, so
// that encoding/json reads and writes them the same way.
type reading map[*ir.Type]reached

// reached is how a type is reached from a result.
type reached int

const (
	inside reached = iota + 1 // by way of another struct
	entry                     // as the first struct
	alone                     // in no result: users read and write it with encoding/json
)

// readingOf finds the types that are in results.
func readingOf(p *ir.Package) reading {
	found := reading{}
	var visit func(t *ir.Type, at reached)
	visit = func(t *ir.Type, at reached) {
		for used := range t.Uses() {
			if found[used] >= at {
				continue
			}
			found[used] = at
			if used.Kind == ir.Struct || used.Kind == ir.Tuple {
				visit(used, inside)
			} else {
				visit(used, at)
			}
		}
	}
	for _, t := range p.Tools {
		visit(&ir.Type{Of: t.Result}, entry)
	}
	return found
}

// sentTypes yields the types that are in arguments, each once.
func sentTypes(p *ir.Package) iter.Seq[*ir.Type] {
	all := &ir.Type{}
	for _, t := range p.Tools {
		all.Variants = append(all.Variants, ir.Variant{Type: t.Args})
	}
	return all.Reach()
}

// methodsOf says which methods t has.
func (r reading) methodsOf(t *ir.Type) []method {
	var out []method
	rest := t.Extra != nil
	if r.decodes(t) {
		out = append(out, method{t, true, rest})
	}
	odd := rest || t.Exact || len(t.Tags) > 0 || hasUntagged(t) || r[t] == alone && holdsNil(t)
	if t.Kind == ir.Tuple || t.Kind == ir.Struct && odd {
		out = append(out, method{t, false, rest})
	}
	return out
}

func (r reading) decodes(t *ir.Type) bool {
	switch t.Kind {
	case ir.Tuple:
		return true
	case ir.Alias:
		return !gotext.IsSynonym(t.Of) && (len(unionsOf(t)) > 0 || t.Decodes)
	case ir.Struct:
		return len(t.Tags) > 0 || hasUntagged(t) || t.Extra != nil || t.Exact ||
			len(unionsOf(t)) > 0 || t.Decodes && r[t] >= entry
	}
	return false
}

// holdsNil reports whether a required member is nil if it is not set.
func holdsNil(t *ir.Type) bool {
	return slices.ContainsFunc(t.Fields, func(f *ir.Field) bool {
		u := gotext.Underlying(f.Type)
		return f.Presence == ir.Required && (u.Kind == ir.Slice || u.Kind == ir.Map ||
			u.Kind == ir.Named && u.Decl.Kind == ir.Union)
	})
}

func hasUntagged(t *ir.Type) bool {
	return slices.ContainsFunc(t.Fields, func(f *ir.Field) bool { return f.Untagged })
}

// doc returns the comment of a method; nothing if the comments of the type and its fields cover it.
func (m method) doc() string {
	switch {
	case m.typ.Kind == ir.Tuple && m.decodes:
		return comment("UnmarshalJSON decodes an array into x.")
	case m.typ.Kind == ir.Tuple:
		return comment("MarshalJSON writes x as an array.")
	}
	return ""
}

// tagList names the members that marshalling sets.
func tagList(t *ir.Type) string {
	text := ""
	for i, tag := range t.Tags {
		if i > 0 {
			text += ", "
		}
		text += quote(tag.Wire) + ": " + tag.Value
	}
	return oneLine(text)
}

// codecName is the end of the names of the two functions that do the work.
func (m method) codecName() string {
	switch m.typ.Kind {
	case ir.Tuple:
		return "Tuple"
	case ir.Alias:
		return "Value"
	}
	return "Object"
}

func addMethod(f *file, m method) {
	t := m.typ
	bytes := jen.Index().Byte()
	if !m.decodes {
		f.function(m.doc(), "x "+t.Go, "MarshalJSON", nil, []jen.Code{bytes, jen.Error()},
			m.body("Encode", []jen.Code{jen.Op("&").Id("x"), m.more(jen.Null())}, tagParts(t)))
		return
	}
	args := []jen.Code{jen.Id("b"), jen.Id("x")}
	if t.Kind == ir.Alias {
		args[1] = jen.Parens(jen.Op("*").Add(typeExpr(t.Of))).Call(jen.Id("x"))
	} else {
		args = append(args, m.more(jen.Op("&")))
	}
	f.function(m.doc(), "x *"+t.Go, "UnmarshalJSON", []jen.Code{jen.Id("b").Add(bytes)}, []jen.Code{jen.Error()},
		m.body("Decode", args, append(tagParts(t), unionParts(unionsOf(t))...)))
}

// body calls the function of the codec. It is one line unless parts are passed.
func (m method) body(verb string, args, parts []jen.Code) jen.Code {
	if len(parts) > 2 {
		for i := range parts {
			parts[i] = jen.Line().Add(parts[i])
		}
		parts = append(parts, jen.Line())
	}
	call := jen.Return(jen.Qual(codecPath, verb+m.codecName()).Call(append(args, parts...)...))
	if len(parts) > 0 {
		return jen.Block(call)
	}
	return jen.Op("{").Add(call).Op("}")
}

// more is the field that takes what no other field does.
func (m method) more(prefix *jen.Statement) jen.Code {
	switch {
	case m.typ.Kind == ir.Tuple && m.typ.Rest != nil:
		return prefix.Id("x").Dot(restField)
	case m.rest:
		return prefix.Id("x").Dot(extraField)
	}
	return jen.Nil()
}

// tagParts are the arguments by which the codec knows the tags.
func tagParts(t *ir.Type) []jen.Code {
	var out []jen.Code
	for _, tag := range t.Tags {
		out = append(out, jen.Qual(codecPath, "Tag").Call(jen.Op(gotext.Quote(tag.Wire)), jen.Op(rawLit(tag.Value))))
	}
	return out
}
