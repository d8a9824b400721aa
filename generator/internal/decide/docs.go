package decide

// What the doc comments say: a sentence of ours, the server's words untouched,
// and what a caller has to know that the Go type does not show.

import (
	"cmp"
	"encoding/json"
	"fmt"
	"regexp"
	"slices"
	"strings"
	"unicode"

	"github.com/mcpgen/mcpgen/generator/internal/ir"
	"github.com/mcpgen/mcpgen/internal/jsontext"
	"github.com/mcpgen/mcpgen/internal/safetext"
	"github.com/mcpgen/mcpgen/schema"
	"github.com/mcpgen/mcpgen/schema/jsonschema"
)

const (
	maxText = 16 << 10 // bytes of a server's text in a comment
	maxFact = 200      // bytes of a pattern, a default, an example
)

// deprecated starts the paragraph that tools look for.
const deprecated = "Deprecated: "

// text is the server's words with their notes: cut if there are too many. The words
// are copied, so that they do not keep the whole schema in memory.
func text(server string, notes []string) ir.Doc {
	if len(server) > maxText {
		note := fmt.Sprintf("The text is truncated after %d KiB; the definition has all of it.", maxText>>10)
		notes = append([]string{note}, notes...)
	}
	return ir.Doc{Server: strings.Clone(safetext.Clip(server, maxText)), Notes: notes}
}

// packageDoc documents the package with the server's instructions.
func packageDoc(name, server string, snapshot *schema.Snapshot) ir.Doc {
	doc := text(snapshot.Instructions, nil)
	doc.Lead = fmt.Sprintf("Package %s calls the MCP server %s.", name, quote(server))
	return doc
}

// selfDescription is the server's own name and version.
func selfDescription(identity json.RawMessage) (title, version string) {
	text := func(name string) string { return cut(jsontext.Text(jsontext.Member(identity, name)), maxFact) }
	return cmp.Or(text("title"), text("name")), text("version")
}

// hintsOf reads the annotations of a tool. Values that are not booleans are ignored.
func hintsOf(annotations json.RawMessage) ir.Hints {
	var a struct {
		ReadOnly    *bool `json:"readOnlyHint"`
		Destructive *bool `json:"destructiveHint"`
		Idempotent  *bool `json:"idempotentHint"`
		OpenWorld   *bool `json:"openWorldHint"`
	}
	if annotations == nil || json.Unmarshal(annotations, &a) != nil {
		return ir.Hints{}
	}
	return ir.Hints(a)
}

// hintNotes repeats the annotations, which are not verified, in words.
func hintNotes(a ir.Hints) []string {
	var says []string
	switch {
	case a.ReadOnly != nil && *a.ReadOnly:
		says = append(says, "read-only")
	case a.Destructive != nil && *a.Destructive:
		says = append(says, "destructive")
	}
	if a.Idempotent != nil && *a.Idempotent && len(says) == 0 {
		says = append(says, "idempotent")
	}
	if says == nil {
		return nil
	}
	return []string{"The server describes it as " + sentenceList(says) + "."}
}

// typeWords documents a declared type, except for the sentence with its name. The
// description of a property is the comment of its field, that of a definition the
// comment of its type.
func typeWords(d *decl) ir.Doc {
	p := d.position()
	words := ""
	if !p.property {
		words = description(d.v)
	}
	notes := d.notes
	if p.variant && (d.t.Kind == ir.Alias || d.t.Kind == ir.Enum) {
		notes = append(notes, facts(d.v)...)
	} else if p.variant && d.v.Deprecated {
		notes = append(notes, deprecated+"the schema marks this variant as deprecated.")
	}
	if d.t.Kind == ir.Struct {
		notes = append(notes, countNotes(d.v.MinProperties, d.v.MaxProperties, "member")...)
	}
	return text(words, notes)
}

// lead describes the type's purpose. In has the places where the type is mentioned.
func (d *decl) lead(tool string, in mentions) string {
	p := d.position()
	of := fmt.Sprintf("the arguments of the tool %s", quote(tool))
	if d.side.results {
		of = fmt.Sprintf("the result of the tool %s", quote(tool))
	}
	root := d.side.rootType()
	if root == nil && d.side.alone {
		file, _ := jsonschema.PartOf(d.pointer)
		of = clean(file)
	}
	if root != nil && !d.isRoot() {
		of = "[" + root.Go + "]" // shorter, and a link
	}
	if slices.ContainsFunc(d.places, func(place *decl) bool { return place.side != d.side }) {
		of += " and elsewhere"
	}
	part, words := partOf(p.words)
	switch {
	case d.isRoot() && d.side.results:
		return "is " + of + "."
	case d.isRoot():
		return "holds " + of + "."
	case p.variant && in.unions != nil:
		return "is a variant of " + firstOf(in.unions) + "."
	case p.definition && p.exact:
		return fmt.Sprintf("is the type %s in %s.", quote(p.words), of)
	case in.members != nil:
		return "is " + in.words() + "."
	case words == "":
		return "is " + part + of + "."
	}
	return fmt.Sprintf("is %s%s in %s.", part, quote(words), of)
}

// fieldDoc documents a field. Its notes so far are kept.
func fieldDoc(vs *views, m *member) ir.Doc {
	v, _ := vs.view(m.schema)
	facts := func(s *jsonschema.Schema) []string {
		if m.f.Type.Base().Kind == ir.Text && s.Format != "uri-reference" { // the type says it
			shown := *s
			shown.Format, shown.ContentEncoding = "", ""
			s = &shown
		}
		return facts(s)
	}
	words, notes := description(m.schema), facts(m.schema)
	if v != nil && v != m.schema {
		own := v.Pointer == m.schema.Pointer // the same, with its parts folded in
		if own {
			shown := *v
			if shown.Default == nil { // the schema of the values was folded in alone
				shown.Default = m.schema.Default
			}
			notes = facts(&shown)
		}
		if words == "" && (own || !m.named()) {
			words = description(v)
		}
		if !own && !m.named() {
			notes = append(notes, facts(v)...)
		}
	}
	notes = slices.DeleteFunc(notes, func(note string) bool { return saysDefault(words, note) })
	return text(words, paragraphs(append(notes, m.f.Doc.Notes...)))
}

// maxSaid is how long a text may be whose reader has seen all of it.
const maxSaid = 500

var defaultWords = regexp.MustCompile("(?i)\\bdefaults?(?: value)?(?:\\s*(?:is|to|:|=))*\\s*[\"'`]?([^\\s\"'`)]*[^\\s\"'`).,;])")

// saysDefault reports whether the words of a short text say the default that a note is about.
func saysDefault(words, note string) bool {
	value, ok := strings.CutPrefix(note, "Default: ")
	said := defaultWords.FindStringSubmatch(words)
	return ok && len(words) <= maxSaid && said != nil && strings.Trim(strings.TrimSuffix(value, "."), `"`) == said[1]
}

// paragraphs joins short notes, so that a field's comment stays short. A note that has
// to start a paragraph, or ends in a server's words, is a paragraph of its own.
func paragraphs(notes []string) []string {
	var out []string
	open := false
	for _, note := range notes {
		alone := strings.HasPrefix(note, deprecated) || !strings.HasSuffix(note, ".")
		if open && !alone {
			out[len(out)-1] += " " + note
		} else {
			out = append(out, note)
		}
		open = !alone
	}
	return out
}

// named reports whether the field's type has its own docs.
func (m *member) named() bool { return m.f.Type.Base().Kind == ir.Named }

func description(s *jsonschema.Schema) string {
	if s.Description != "" {
		return s.Description
	}
	return s.Title
}

// facts lists what the schema says that the Go type does not show.
func facts(s *jsonschema.Schema) []string {
	var notes []string
	if s.Deprecated {
		notes = append(notes, deprecated+"the schema marks this as deprecated.")
	}
	notes = append(notes, rangeNotes(s)...)
	notes = append(notes, countNotes(s.MinLength, s.MaxLength, "character")...)
	notes = append(notes, countNotes(s.MinItems, s.MaxItems, "item")...)
	if len(s.Properties) == 0 {
		notes = append(notes, countNotes(s.MinProperties, s.MaxProperties, "member")...)
	}
	if s.UniqueItems {
		notes = append(notes, "Items are unique.")
	}
	if s.Format != "" {
		notes = append(notes, "Format: "+plain(s.Format)+".")
	}
	if s.Pattern != "" && len(s.Pattern) <= maxFact { // half a pattern is another one
		notes = append(notes, "Pattern: `"+plain(s.Pattern)+"`.")
	}
	if s.ContentEncoding != "" {
		notes = append(notes, "Encoding: "+plain(s.ContentEncoding)+".")
	}
	if s.ReadOnly {
		notes = append(notes, "Read-only: the server ignores or rejects it.")
	}
	if value := defaultOf(s); value != nil && string(value) != "null" {
		notes = append(notes, "Default: "+plainJSON(value)+".")
	}
	return append(notes, examples(s.Examples)...)
}

func examples(list []json.RawMessage) []string {
	if len(list) == 0 {
		return nil
	}
	var shown []string
	for _, raw := range list[:min(len(list), 3)] {
		shown = append(shown, plainJSON(raw))
	}
	return []string{"Example: " + strings.Join(shown, ", ") + "."}
}

// maxSafe is the greatest integer up to which JavaScript numbers have no gaps. As a bound it
// shows that the server is written in JavaScript, and says nothing about the valid values.
const maxSafe = "9007199254740991"

// wanted is a bound, or "" if it is that of JavaScript.
func wanted(bound json.Number) json.Number {
	if strings.TrimPrefix(string(bound), "-") == maxSafe {
		return ""
	}
	return bound
}

func rangeNotes(s *jsonschema.Schema) []string {
	var says []string
	add := func(words string, n json.Number) {
		if n != "" {
			says = append(says, words+plain(string(n)))
		}
	}
	add("at least ", wanted(s.Minimum))
	add("more than ", s.ExclusiveMinimum)
	add("at most ", wanted(s.Maximum))
	add("less than ", s.ExclusiveMaximum)
	add("a multiple of ", s.MultipleOf)
	if says == nil {
		return nil
	}
	says[0] = strings.ToUpper(says[0][:1]) + says[0][1:]
	return []string{sentenceList(says) + "."}
}

func countNotes(low, high json.Number, what string) []string {
	from, to := plain(string(low)), plain(string(high))
	if low == "0" {
		from = ""
	}
	count := func(n string) string {
		if n == "1" {
			return n + " " + what
		}
		return n + " " + what + "s"
	}
	switch {
	case from == "" && to == "":
		return nil
	case from == to:
		return []string{"Exactly " + count(to) + "."}
	case to == "":
		return []string{"At least " + count(from) + "."}
	case from == "":
		return []string{"At most " + count(to) + "."}
	}
	return []string{from + " to " + count(to) + "."}
}

// plainJSON is plain for a JSON value, without the server's line breaks.
func plainJSON(raw json.RawMessage) string {
	return plain(string(jsontext.Compact(raw)))
}

// plain makes a server's text fit for a sentence on one line: characters that are not
// printable are escaped, and the middle of a long text is left out.
func plain(word string) string {
	word = cut(word, maxFact)
	if !strings.ContainsFunc(word, func(r rune) bool { return !unicode.IsPrint(r) }) {
		return word
	}
	var b strings.Builder
	for _, r := range word {
		if unicode.IsPrint(r) {
			b.WriteRune(r)
		} else {
			fmt.Fprintf(&b, "\\u%04x", r)
		}
	}
	return b.String()
}

// document writes the docs of a type and its fields, except for the sentence with its name.
func (d *decl) document() {
	d.t.Doc = d.side.short(typeWords(d))
	for _, m := range d.members {
		m.f.Doc = d.side.short(fieldDoc(d.side.views, m))
	}
}
