package decide

// Nested types that are the same are declared once, under a short name: Entity for
// CreateEntitiesArgsEntitiesItem, and for what is the same in other tools (shortnames.go).
//
// A type of several places that finds no short name keeps the name after the first of them,
// as if it were one.
//
// Such a name depends on its neighbours, so it is written into the lock, with the
// place that it was given for, and stays with that place. When the types become
// different, those that the edit left alone keep it, and when the place is gone, another
// where the type was takes it over. When types become the same, the short names of
// all remain, as synonyms. The names after the place remain taken, and those that code
// uses are listed in the lock, and generated: see [KeepNames].

import (
	"cmp"
	"regexp"
	"slices"
	"strings"
	"unicode"

	"github.com/mcpgen/mcpgen/generator/internal/gotext"
	"github.com/mcpgen/mcpgen/generator/internal/ir"
	"github.com/mcpgen/mcpgen/internal/sentence"
)

// shape is a class of nested types that are the same.
type shape struct {
	occurrences []*decl      // in order of item and place
	names       []*shapeName // it is declared under the first; without one, under the name after its place
	chosen      *choice      // that named it; nil if none did
}

// shapeName is a short name of a shape and what is named after it.
type shapeName struct {
	home *decl    // where it was given
	t    *ir.Type // kind and constants of home, by these names; that of home if it is the name after its place

	origin string // see originKey; "" if the name is derived from what is there
}

func newShapeName(name string, home *decl) *shapeName {
	n := &shapeName{home: home, t: &ir.Type{Kind: home.t.Kind, Go: name}}
	for _, c := range home.t.Consts {
		n.t.Consts = append(n.t.Consts, ir.Const{Value: c.Value})
	}
	return n
}

// shapesByType finds the shape of a type.
func shapesByType(shapes []*shape) map[*ir.Type]*shape {
	of := map[*ir.Type]*shape{}
	for _, s := range shapes {
		for _, d := range s.occurrences {
			of[d.t] = s
		}
	}
	return of
}

// claim gives a shape a name that is its own already.
func (s *shape) claim(in *scope, home *decl, name string) error {
	if home.t.Go == name {
		s.add(&shapeName{home: home, t: home.t})
		return nil
	}
	if err := in.claimable(name); err != nil {
		return err
	}
	in.claim(name, "the shape of "+home.who())
	s.add(newShapeName(name, home))
	return nil
}

func (s *shape) add(n *shapeName) {
	s.names, n.home.side.it.shapes = append(s.names, n), append(n.home.side.it.shapes, n)
}

// keepPlaceName makes the name after the first place that of all.
func (s *shape) keepPlaceName() {
	for _, d := range s.occurrences {
		d.unnamed = false
	}
	home := s.occurrences[0]
	s.add(&shapeName{home: home, t: home.t})
}

// keys are the places of the lock that have the name.
func (n *shapeName) keys() []string {
	if n.t == n.home.t {
		return []string{n.home.key(shapeKey), n.home.key(typeKey)}
	}
	return []string{n.home.key(shapeKey)}
}

// members are the declarations that are named after a short name.
func (n *shapeName) members() []identifier {
	out := n.home.identifiers(n.home.key(shapeKey), n.t)
	for i := range out {
		out[i].types = false // a rename of the tool does not move them
	}
	return out
}

// namesShapes reports whether the lock has short names of the tool's types.
func (t *tool) namesShapes() bool {
	for place := range t.given {
		if NamesShape(place) {
			return true
		}
	}
	return false
}

// declareOnce declares every shape once, and makes everything that names it name that
// one. Types of tools that are not wanted count for nothing.
func declareOnce(shapes []*shape, items []*item) {
	now := map[*ir.Type]*ir.Type{}
	for _, s := range shapes {
		s.merge(now)
	}
	point := func(r *ir.Ref) {
		for ; r != nil; r = r.Elem {
			if t := now[r.Decl]; t != nil {
				r.Decl = t
			}
		}
	}
	for _, it := range items {
		for _, b := range it.sides {
			point(b.root)
			for _, d := range b.decls {
				for r := range d.t.Refs() { // of other places, too
					point(r)
				}
				for _, m := range d.members {
					point(m.f.Type)
				}
				for i, v := range d.t.Variants {
					d.t.Variants[i].Type = cmp.Or(now[v.Type], v.Type)
				}
			}
		}
	}
	for _, s := range shapes {
		for _, d := range s.occurrences {
			if d.t.Shared {
				shareUses(d.t)
			}
		}
	}
}

// shareUses makes what a shared type names shared, too: also a member of one place alone.
func shareUses(t *ir.Type) {
	for used := range t.Uses() {
		if !used.Shared {
			used.Shared = true
			shareUses(used)
		}
	}
}

// merge makes one type of the occurrences of a shape, and maps the types that it replaces
// to it in now.
func (s *shape) merge(now map[*ir.Type]*ir.Type) {
	wanted := slices.DeleteFunc(slices.Clone(s.occurrences), func(d *decl) bool { return !d.side.it.wanted })
	if len(wanted) == 0 || len(wanted) == 1 && len(s.names) == 0 {
		return
	}
	at := wanted[0]
	if len(s.names) > 0 && s.names[0].home.side.it.wanted {
		at = s.names[0].home
	}
	t := at.t
	names := make([][]ir.Synonym, len(wanted))
	for i, d := range wanted {
		names[i] = d.pathNames()
	}
	for i, n := range s.names {
		if i > 0 {
			names = append(names, namesOf(n.t))
		}
		if at := slices.Index(wanted, n.home); at >= 0 && n.t == n.home.t {
			names[at] = nil
		}
	}
	if len(s.names) > 0 {
		n := s.names[0]
		t.Go, t.Other = n.t.Go, n.t.Other
		for i := range t.Consts {
			t.Consts[i].Go = constOf(n.t, t.Consts[i].Value)
		}
	}
	for i, d := range wanted {
		d.synonyms = synonyms(t, names[i])
		t.Decodes = t.Decodes || d.t.Decodes
		t.Shared = t.Shared || d.side.it != at.side.it
		agree(t, d.t)
	}
	where(t, wanted)
	for _, more := range names[len(wanted):] {
		at.synonyms = append(at.synonyms, short(synonyms(t, more))...)
	}
	if s.chosen != nil && len(s.names) == 1 {
		short(at.synonyms) // without the choice they are declared
	}
	at.places = wanted
	for _, d := range wanted {
		if d != at {
			now[d.t] = t
			d.t, d.values, d.elsewhere = t, at.values, true
		}
	}
}

// pathNames are the names of a type after its place, with what is named after it.
func (d *decl) pathNames() []ir.Synonym {
	if d.synonyms != nil {
		return d.synonyms
	}
	return namesOf(d.t)
}

// namesOf are the names of a type and of what is named after it.
func namesOf(t *ir.Type) []ir.Synonym {
	out := []ir.Synonym{{Go: t.Go}}
	for _, c := range t.Consts {
		out = append(out, ir.Synonym{Go: c.Go, Value: c.Value})
	}
	if t.Kind == ir.Union {
		out = append(out, ir.Synonym{Go: t.Other})
	}
	return out
}

// constOf is the name of the constant of a value.
func constOf(t *ir.Type, value string) string {
	return t.Consts[slices.IndexFunc(t.Consts, func(c ir.Const) bool { return c.Value == value })].Go
}

// synonyms are the names of another type like t that are not those of t, with the
// names that they are aliases of.
func synonyms(t *ir.Type, names []ir.Synonym) []ir.Synonym {
	var out []ir.Synonym
	for i, n := range names {
		switch {
		case n.Value != "":
			n.Of, n.Type = constOf(t, n.Value), t.Go
		case i > 0:
			n.Of = t.Other
		default:
			n.Of = t.Go
		}
		if n.Of != n.Go {
			out = append(out, n)
		}
	}
	return out
}

// short marks names that are generated whether or not the lock lists them.
func short(names []ir.Synonym) []ir.Synonym {
	for i := range names {
		names[i].From = ir.Short
	}
	return names
}

// elsewhere begins a note in docs that describes another use of the type; notEverywhere
// replaces the third such note.
const elsewhere, notEverywhere = "Elsewhere: ", "Other uses of this type describe it differently."

// agree makes the docs of t hold for another type like it, too.
func agree(t, other *ir.Type) {
	agreeOn(&t.Doc, other.Doc)
	for i, f := range t.Fields {
		if t.Kind == ir.Struct { // its fields may have another order
			i = slices.IndexFunc(other.Fields, func(o *ir.Field) bool { return o.Wire == f.Wire })
		}
		agreeOn(&f.Doc, other.Fields[i].Doc)
	}
}

func agreeOn(doc *ir.Doc, other ir.Doc) {
	switch {
	case doc.Server == "" && doc.Notes == nil:
		*doc = other
		return
	case other.Server == "" && other.Notes == nil || slices.Contains(doc.Notes, notEverywhere):
		return
	}
	said, first := 0, sentence.First(other.Server, 160)
	for _, note := range doc.Notes {
		if text, ok := strings.CutPrefix(note, elsewhere); ok {
			said++
			if saysAll(text, first) {
				return
			}
		}
	}
	note := elsewhere + gotext.Sentence(first)
	switch differs := !saysAll(doc.Server, other.Server); {
	case !differs && (other.Server == "" || slices.Equal(other.Notes, slices.DeleteFunc(slices.Clone(doc.Notes),
		func(note string) bool { return strings.HasPrefix(note, elsewhere) }))):
		return
	case !differs || said == 2 || first == "":
		note = notEverywhere
	}
	doc.Notes = append(slices.Clip(doc.Notes), note)
}

// saysAll reports whether text has each word of other, so that other differs in wording alone.
func saysAll(text, other string) bool {
	said := wordsOf(text)
	return !slices.ContainsFunc(wordsOf(other), func(word string) bool { return !slices.Contains(said, word) })
}

// linkTarget is the address behind a link of Markdown.
var linkTarget = regexp.MustCompile(`\]\([^()\s]*\)`)

// wordsOf returns the words of a text in their singular, without articles, prepositions and the
// like, and without the addresses of links.
func wordsOf(text string) []string {
	text = linkTarget.ReplaceAllString(text, "]")
	space := func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) }
	words := strings.FieldsFunc(strings.ToLower(text), space)
	for i, word := range words {
		words[i] = strings.TrimSuffix(word, "s")
	}
	small := []string{"", "a", "an", "the", "of", "for", "to", "in", "i", "and", "by", "with", "it", "thi", "that"}
	return slices.DeleteFunc(words, func(word string) bool { return slices.Contains(small, word) })
}
