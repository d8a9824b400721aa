package gogen

// types.go of a generated package: arguments, results and enums.

import (
	"encoding/json"
	"fmt"
	"strings"

	"github.com/dave/jennifer/jen"

	"github.com/mcpgen/mcpgen/generator/internal/ir"
)

const typesName = "types.go"

func typesFile(u unit) *file {
	f := newFile(typesName, u.Name, u.Server)
	for _, t := range u.Types {
		f.add(docOf(t.Doc, ""), typeDecl(t))
		if t.Kind == ir.Enum && len(t.Consts) > 0 {
			f.add("", constants(t))
		}
		for _, m := range methodsOf(t) {
			f.add(m.doc(), m.code())
		}
	}
	return f
}

// docOf is the comment of a declaration. Lead stands in where the builder wrote
// no sentence.
func docOf(d ir.Doc, lead string) string {
	if d.Lead != "" {
		lead = d.Lead
	}
	texts := []text{{words: lead}, {words: d.Server}}
	return commentOf(append(texts, notesOf(d)...)...)
}

// notesOf puts the notes into one paragraph. A deprecation is one of its own, or
// tools do not see it.
func notesOf(d ir.Doc) []text {
	var notes, deprecations []string
	for _, note := range d.Notes {
		if strings.HasPrefix(note, deprecated+" ") {
			deprecations = append(deprecations, note)
		} else {
			notes = append(notes, note)
		}
	}
	texts := []text{{words: strings.Join(notes, " ")}}
	for _, note := range deprecations {
		texts = append(texts, text{words: note, ours: true})
	}
	return texts
}

// fieldDoc is the comment of a field: that of a declaration, without blank lines
// where the server says no more than a line.
func fieldDoc(d ir.Doc) string {
	notes := notesOf(d)
	if d.Lead == "" && len(notes) == 1 && !strings.Contains(visible(cut(d.Server, longestText)), "\n") && listItem.FindString(d.Server) == "" {
		return comment(d.Server + "\n" + notes[0].words)
	}
	return docOf(d, "")
}

func typeDecl(t *ir.Type) jen.Code {
	switch t.Kind {
	case ir.Enum:
		return jen.Type().Id(t.Go).Id(t.Base)
	case ir.Alias:
		if isSynonym(t.Of) {
			return jen.Type().Id(t.Go).Op("=").Add(typeExpr(t.Of))
		}
		return jen.Type().Id(t.Go).Add(typeExpr(t.Of))
	}
	var fields []jen.Code
	for _, f := range t.Fields {
		if doc := fieldDoc(f.Doc); doc != "" {
			fields = append(fields, jen.Comment(doc))
		}
		fields = append(fields, jen.Id(f.Go).Add(typeExpr(f.Type)).Tag(map[string]string{"json": tagOf(f)}))
	}
	if t.Extra != nil {
		fields = append(fields, jen.Comment(comment(extraField+" holds the members that the schema does not declare.")))
		fields = append(fields, jen.Id(extraField).Map(jen.String()).Add(typeExpr(t.Extra)).Tag(map[string]string{"json": "-"}))
	}
	return jen.Type().Id(t.Go).Struct(fields...)
}

// isSynonym says that a type named after r has to be r itself: a defined type
// would lose the methods that it is read and written with.
func isSynonym(r *ir.Ref) bool {
	switch r.Kind {
	case ir.Slice, ir.Map, ir.Basic:
		return false
	}
	return true
}

// tagOf is the json tag of a field.
func tagOf(f *ir.Field) string {
	switch {
	case f.Presence == ir.OmitZero:
		return f.Wire + ",omitzero"
	case f.Wire == "-":
		return "-," // without the comma it would mean: never
	}
	return f.Wire
}

func typeExpr(r *ir.Ref) *jen.Statement {
	switch r.Kind {
	case ir.Named:
		return jen.Id(r.Decl.Go)
	case ir.Slice:
		return jen.Index().Add(typeExpr(r.Elem))
	case ir.Map:
		return jen.Map(jen.String()).Add(typeExpr(r.Elem))
	case ir.Pointer:
		return jen.Op("*").Add(typeExpr(r.Elem))
	case ir.Opt:
		return jen.Qual(runtimePath, "Opt").Types(typeExpr(r.Elem))
	case ir.Any:
		return jen.Any()
	case ir.Raw:
		return jen.Qual(jsonPath, "RawMessage")
	}
	return jen.Id(r.Name)
}

// constants are written one declaration for all, and every value as a quoted or
// numeric literal.
func constants(t *ir.Type) jen.Code {
	var specs []jen.Code
	for _, k := range t.Consts {
		specs = append(specs, jen.Id(k.Go).Id(t.Go).Op("=").Add(literal(k.Value)))
	}
	return jen.Const().Defs(specs...)
}

// literal makes a Go literal of a JSON scalar. What is not one becomes a quoted
// string, which the type check then refuses or not; it is never code.
func literal(value string) jen.Code {
	var v any
	d := json.NewDecoder(strings.NewReader(value))
	d.UseNumber()
	if err := d.Decode(&v); err != nil {
		return jen.Lit(value)
	}
	switch v := v.(type) {
	case string:
		return jen.Lit(v)
	case bool:
		return jen.Lit(v)
	case json.Number: // the decoder let nothing through but digits, signs, a point and an exponent
		return jen.Op(v.String())
	}
	return jen.Lit(value)
}

// method is one of the methods that a type needs to be read and written right.
type method struct {
	typ     *ir.Type
	decodes bool
}

const (
	unmarshalJSON = "UnmarshalJSON"
	marshalJSON   = "MarshalJSON"
)

func (m method) name() string {
	if m.decodes {
		return unmarshalJSON
	}
	return marshalJSON
}

// methodsOf says which methods t needs. Custom marshalling is slow to compile,
// so there is none without a reason.
func methodsOf(t *ir.Type) []method {
	if t.Kind != ir.Struct {
		return nil
	}
	var out []method
	if t.Decodes || t.Extra != nil {
		out = append(out, method{t, true})
	}
	if t.Extra != nil || len(neverNull(t)) > 0 {
		out = append(out, method{t, false})
	}
	return out
}

// neverNull are the fields that are always sent and whose nil value would be
// sent as null.
func neverNull(t *ir.Type) []*ir.Field {
	var out []*ir.Field
	for _, f := range t.Fields {
		if f.Presence == ir.Required && isNilable(f.Type) {
			out = append(out, f)
		}
	}
	return out
}

func isNilable(r *ir.Ref) bool {
	kind := underlying(r).Kind
	return kind == ir.Slice || kind == ir.Map
}

// underlying follows names to the type that they stand for. A chain of names
// that ends nowhere is cut; the type check refuses it.
func underlying(r *ir.Ref) *ir.Ref {
	for range 100 {
		if r.Kind != ir.Named || r.Decl.Kind != ir.Alias {
			break
		}
		r = r.Decl.Of
	}
	return r
}

func (m method) doc() string {
	switch {
	case m.decodes && m.typ.Extra != nil:
		return comment("UnmarshalJSON reads x; members that are not declared go to Extra.")
	case m.decodes:
		return comment("UnmarshalJSON reads x; members that are not declared are skipped.")
	case m.typ.Extra == nil:
		return comment("MarshalJSON writes x, required lists and maps never as null.")
	case len(neverNull(m.typ)) == 0:
		return comment("MarshalJSON writes x and Extra as one object.")
	}
	return comment("MarshalJSON writes x and Extra as one object, required lists and maps never as null.")
}

func (m method) code() jen.Code {
	extra := jen.Nil()
	if m.decodes {
		if m.typ.Extra != nil {
			extra = jen.Op("&").Id("x").Dot(extraField)
		}
		return jen.Func().Params(jen.Id("x").Op("*").Id(m.typ.Go)).Id(unmarshalJSON).Params(jen.Id("b").Index().Byte()).Error().Block(
			jen.Type().Id("plain").Id(m.typ.Go),
			jen.Return(jen.Qual(runtimePath, "DecodeObject").Call(jen.Id("b"), jen.Parens(jen.Op("*").Id("plain")).Call(jen.Id("x")), extra)),
		)
	}
	if m.typ.Extra != nil {
		extra = jen.Id("x").Dot(extraField)
	}
	body := []jen.Code{jen.Type().Id("plain").Id(m.typ.Go)}
	for _, f := range neverNull(m.typ) {
		field := func() *jen.Statement { return jen.Id("x").Dot(f.Go) }
		body = append(body, jen.If(field().Op("==").Nil()).Block(field().Op("=").Add(typeExpr(f.Type)).Values()))
	}
	body = append(body, jen.Return(jen.Qual(runtimePath, "EncodeObject").Call(jen.Id("plain").Call(jen.Id("x")), extra)))
	return jen.Func().Params(jen.Id("x").Id(m.typ.Go)).Id(marshalJSON).Params().Params(jen.Index().Byte(), jen.Error()).Block(body...)
}

// ResultType is the type of a tool's result as it is written inside its package.
func ResultType(t *ir.Tool) string {
	switch {
	case t.Result == nil:
		return "*runtime.Result"
	case isPointer(t.Result):
		return "*" + typeText(t.Result)
	}
	return typeText(t.Result)
}

func typeText(r *ir.Ref) string {
	switch r.Kind {
	case ir.Named:
		return r.Decl.Go
	case ir.Slice:
		return "[]" + typeText(r.Elem)
	case ir.Map:
		return "map[string]" + typeText(r.Elem)
	case ir.Pointer:
		return "*" + typeText(r.Elem)
	case ir.Opt:
		return "runtime.Opt[" + typeText(r.Elem) + "]"
	case ir.Any:
		return "any"
	case ir.Raw:
		return "json.RawMessage"
	}
	return r.Name
}

// isPointer says that a tool's result is handed out as a pointer: objects are.
func isPointer(r *ir.Ref) bool {
	u := underlying(r)
	return u.Kind == ir.Named && u.Decl.Kind == ir.Struct
}

func resultExpr(t *ir.Tool) *jen.Statement {
	switch {
	case t.Result == nil:
		return jen.Op("*").Qual(runtimePath, "Result")
	case isPointer(t.Result):
		return jen.Op("*").Add(typeExpr(t.Result))
	}
	return typeExpr(t.Result)
}

// pinName is the constant that holds a tool's contract hash.
func pinName(t *ir.Tool) string { return "pin" + t.Go }

func quote(s string) string { return fmt.Sprintf("%q", s) }
