package gogen

// types.go of a generated package: arguments, results and enums.

import (
	"fmt"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/dave/jennifer/jen"

	"github.com/mcpgen/mcpgen/generator/internal/gotext"
	"github.com/mcpgen/mcpgen/generator/internal/ir"
	"github.com/mcpgen/mcpgen/internal/hint"
	"github.com/mcpgen/mcpgen/internal/safetext"
)

const typesName = "types.go"

// valuesName is the method that lists the values of an enum. [codec.CallTool] calls it too.
const valuesName = "Values"

func typesFile(u unit) *file {
	f := newFile(typesName, u.Name, u.Server)
	addTypes(f, u)
	return f
}

// Types renders a package of types alone, as one file: the codec and encoding/json read and
// write them.
func Types(p *ir.Package) (File, error) {
	if err := checkNames(p); err != nil {
		return File{}, err
	}
	u := unit{Package: p, read: reading{}}
	for _, t := range p.Types {
		u.read[t] = alone
	}
	f := newFile(typesName, p.Name, "", text{words: p.Doc.Lead})
	addHandshake(f)
	addTypes(f, u)
	types, err := checked(f, stubs())
	return join(typesName, []part{types}), err
}

func addTypes(f *file, u unit) {
	for _, t := range u.Types {
		f.owner = ownerOf(t)
		if t.Kind == ir.Union {
			addUnion(f, u, t)
			continue
		}
		code, d := u.typeDecl(t)
		doc := t.Doc
		if len(t.Tags) > 0 {
			doc.Lead = strings.TrimSuffix(doc.Lead, ".") + ", with " + tagList(t) + "."
		}
		f.add(docOf(doc, u.limit(t.Tool, maxMember), ""), code, d)
		if t.Kind == ir.Enum && len(t.Consts) > 0 {
			addConstants(f, t)
		}
		for _, m := range u.read.methodsOf(t) {
			addMethod(f, m)
		}
	}
}

// docOf is the comment of a declaration. Lead is used if doc has no first sentence; more
// is added after it.
func docOf(d ir.Doc, l limit, lead string, more ...string) string {
	return commentOf(docTexts(d, l, lead, more...)...)
}

// docTexts keeps what we say apart from what the server says: our sentences are the
// first paragraph. A single one says in the server's words what is described. Where there is
// no sentence but the notes, they come last.
func docTexts(d ir.Doc, l limit, lead string, more ...string) []text {
	if d.Lead != "" {
		lead = d.Lead
	}
	notes := notesOf(d)
	server := text{blocks: blocksOf(d.Server), limit: l}
	ours := strings.Join(append([]string{lead}, more...), " ")
	if ours == "" {
		return append([]text{server}, notes...)
	}
	ours, server.blocks = opened(ours, server.blocks)
	if strings.HasSuffix(ours, ":") { // what follows belongs to it
		return append([]text{{words: ours}, server}, notes...)
	}
	first := text{words: strings.TrimSpace(ours + " " + notes[0].words)}
	return append([]text{first, server}, notes[1:]...)
}

// opened is our sentence with the first one that describes something of what the server
// says, and the rest of that. Several sentences stay as they are.
func opened(ours string, server []block) (first string, rest []block) {
	if start, ok := strings.CutSuffix(ours, "."); ok && !strings.Contains(start, ". ") {
		if sentence, rest := synopsis(server); sentence != "" {
			return start + ": " + sentence, rest
		}
	}
	return ours, server
}

// notesOf puts the notes into one paragraph, which may be empty. A deprecation is
// one of its own, or tools do not see it.
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

// fieldDoc is the comment of a field: that of a declaration, but what the server
// says in a line and our notes share one line, or have one each.
func fieldDoc(d ir.Doc, l limit) string {
	notes := notesOf(d)
	if d.Lead != "" || len(notes) != 1 || len(d.Server) > maxMember*commentWidth ||
		strings.Contains(safetext.Strip(d.Server), "\n") || listItem.MatchString(d.Server) {
		return docOf(d, l, "")
	}
	words, note := strings.TrimSpace(safetext.Strip(d.Server)), notes[0].words
	if note == "" {
		return comment(d.Server)
	}
	words = gotext.Sentence(words)
	if joined := words + " " + note; words != "" && utf8.RuneCountInString(joined) <= commentWidth {
		return comment(joined)
	}
	return comment(words + "\n" + note)
}

func (u unit) typeDecl(t *ir.Type) (jen.Code, declaration) {
	d := declaration{kind: "type", name: t.Go}
	code := jen.Type().Id(t.Go)
	switch {
	case t.Kind == ir.Enum && t.Open:
		d.members = alias
		code.Op("=").Id(t.Base)
	case t.Kind == ir.Enum:
		d.members = []string{t.Base}
		code.Id(t.Base)
	case t.Kind == ir.Alias && gotext.IsSynonym(t.Of):
		d.members = alias
		code.Op("=").Add(typeExpr(t.Of))
	case t.Kind == ir.Alias:
		d.members = []string{t.Of.Name} // "" unless it is a basic type
		code.Add(typeExpr(t.Of))
	default:
		d.members = []string{"struct"}
		fields := u.fieldsOf(t)
		for _, f := range fields {
			d.members = append(d.members, memberOf(f.name, f.tags))
		}
		code.Struct(fieldsCode(fields)...)
	}
	return code, d
}

// The most lines of what a server says about a member or a type, and about a tool.
const (
	maxMember = 12
	maxTool   = 16
)

// limit bounds a text that "mcpgen list" shows in full.
func (u unit) limit(tool string, most int) limit {
	if u.Server == "" || len(u.Tools) == 0 {
		return limit{}
	}
	return limit{most, "mcpgen list " + hint.Word(u.Server+"/"+tool)}
}

// fieldsOf are the fields of a struct or a tuple, with what their unions are set to.
func (u unit) fieldsOf(t *ir.Type) []structField {
	var fields []structField
	shown := map[*ir.Type]bool{}
	for i, f := range t.Fields {
		doc := f.Doc
		if note := constructorsOf(f.Type, shown); note != "" && (u.sent == nil || u.sent[t]) {
			doc.Notes = append([]string{note}, doc.Notes...)
		}
		fields = append(fields, structField{f.Go, f.Type, tagsOf(t, i), fieldDoc(doc, u.limit(t.Tool, maxMember))})
	}
	switch {
	case t.Kind == ir.Tuple && t.Rest != nil:
		rest := &ir.Ref{Kind: ir.Slice, Elem: t.Rest}
		fields = append(fields, structField{restField, rest, tags{json: "-"},
			comment("the elements after the declared ones")})
	case t.Kind == ir.Struct && t.Extra != nil:
		extra := &ir.Ref{Kind: ir.Map, Elem: t.Extra}
		fields = append(fields, structField{extraField, extra, tags{json: "-"}, comment(extraDoc(t))})
	}
	if t.Exact { // the codec looks for it at the end
		exact := &ir.Ref{Kind: ir.Text, Name: exactField}
		fields = append(fields, structField{exactField, exact, tags{json: "-"},
			comment("the texts of numbers that a float64 rounds")})
	}
	return fields
}

// extraDoc documents the field for undeclared members.
func extraDoc(t *ir.Type) string {
	for _, f := range t.Fields {
		base := f.Type.Base()
		if t.Extra.Kind == ir.Raw && base.Kind == ir.Basic && base.Name == "float64" {
			return "undeclared members, and rounded numbers as sent"
		}
	}
	return "members that the schema does not declare"
}

// tagsOf are the tags of a field. The json tag names the member, or the place of
// a tuple's element. A name that encoding/json would not take is in a tag of our
// own, where the last comma ends it.
func tagsOf(t *ir.Type, i int) tags {
	f := t.Fields[i]
	name := f.Wire
	if t.Kind == ir.Tuple {
		name = strconv.Itoa(i)
	}
	null := ""
	if f.Null {
		null = "null"
	}
	switch omit := f.Presence == ir.OmitZero; {
	case f.Untagged && omit:
		return tags{"-", name + ",omitzero"}
	case f.Untagged:
		return tags{"-", name + "," + null}
	case omit:
		return tags{name + ",omitzero", null}
	}
	return tags{name, null}
}

// addConstants writes one declaration for all, and every value as a quoted or numeric
// literal.
func addConstants(f *file, t *ir.Type) {
	var specs []jen.Code
	var planned []declaration
	name, value := 0, 0
	for _, k := range t.Consts {
		name, value = max(name, columns(k.Go)), max(value, columns(gotext.Scalar(k.Value)))
	}
	width := maxColumns - tabColumns - 1 - name - len("  = ") - columns(t.Go) - value // for a comment beside
	for _, k := range t.Consts {
		spec, note := jen.Id(k.Go).Id(t.Go).Op("=").Op(gotext.Scalar(k.Value)), comment(k.Note)
		switch {
		case note == "":
		case columns(note) > width:
			specs = append(specs, jen.Comment(note))
		default:
			spec.Comment(note)
		}
		specs = append(specs, spec)
		planned = append(planned, declaration{kind: "const", name: k.Go})
	}
	code := jen.Const()
	if len(t.Consts) == 1 && len(specs) == 1 {
		code.Add(specs...)
	} else {
		code.Defs(specs...)
	}
	f.add("", code, planned...)
	if !t.Open && !t.Partial {
		addValues(f, t)
	}
}

// addValues writes the method that lists the values of an enum, on one line if it fits.
func addValues(f *file, t *ir.Type) {
	values := make([]string, len(t.Consts))
	for i, k := range t.Consts {
		values[i] = gotext.Scalar(k.Value)
	}
	head := fmt.Sprintf("func (%s) %s() []%s {", t.Go, valuesName, t.Base)
	body := fmt.Sprintf("return []%s{%s}", t.Base, strings.Join(values, ", "))
	code := head + " " + body + " }"
	if columns(code) > maxColumns {
		code = head + "\n" + body + "\n}"
	}
	f.add("", jen.Op(code), declaration{kind: "func", recv: t.Go, name: valuesName})
}

// rawLit is a string literal of a text, in backquotes where that is possible.
func rawLit(text string) string {
	if strconv.CanBackquote(text) && safetext.Strip(text) == text {
		return "`" + text + "`"
	}
	return gotext.Quote(text)
}

func quote(s string) string { return fmt.Sprintf("%q", s) }
