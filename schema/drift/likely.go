package drift

// This file estimates whether a removed member exists under another name. No single sign decides: names, texts,
// schemas, required lists and positions count together. A likely rename is offered, never assumed.

import (
	"cmp"
	"encoding/json"
	"slices"
	"strings"
	"unicode"

	"github.com/mcpgen/mcpgen/schema/jsonschema"
)

// The score that an offer needs, and its minimum lead over the next best offer.
const (
	worthOffering = 0.5
	ahead         = 0.12
)

// offer is a certain or possible rename of a member.
type offer struct {
	before, after jsonschema.Property
	certain       bool
	score         float64
	evidence      []string
}

// message describes the offer. Noun, with a trailing space, names the kind of thing renamed; it may be empty.
func (o offer) message(noun string) string {
	message := noun + quote(o.before.Name) + " is called " + quote(o.after.Name) + " now"
	if o.certain {
		return message
	}
	return "perhaps " + message + ": " + strings.Join(o.evidence, ", ")
}

// offers pairs removed members with new ones, each at most once. Two offers with similar scores cancel each
// other.
func (w *walker) offers(p *pair, gone, fresh []jsonschema.Property) []offer {
	if len(gone)*len(fresh) > maxPairs/4 {
		return nil
	}
	var all []offer
	for _, b := range gone {
		for _, a := range fresh {
			if o := w.weigh(p, b, a, gone, fresh); o.score >= worthOffering {
				all = append(all, o)
			}
		}
	}
	return best(all, func(o offer) claim { return claim{o.before.Name, o.after.Name, o.score, worthOffering, ahead} })
}

// weigh computes the score of one pair.
func (w *walker) weigh(p *pair, b, a jsonschema.Property, gone, fresh []jsonschema.Property) offer {
	o := offer{before: b, after: a}
	say := func(weight float64, evidence string) {
		o.score += weight
		if evidence != "" {
			o.evidence = append(o.evidence, evidence)
		}
	}
	was, is := resolved(w.schemaDiff.before, b.Schema), resolved(w.schemaDiff.after, a.Schema)
	names := nameLikeness(b.Name, a.Name)
	list := names >= 0.7 && is.Items != nil && sameTypes(was, resolved(w.schemaDiff.after, is.Items))
	if names < 1 && !list && !sameTypes(was, is) || p.after.IsRequired(a.Name) && !p.before.IsRequired(b.Name) {
		return o // callers that omitted the old member must send the new one, whether or not it is the same
	}
	say(0.3*names, "")
	if names >= 0.7 {
		say(0, "much the same name")
	}
	if list {
		say(0, "a list of the old type")
	}
	switch same := equalContract(rawOf(was), rawOf(is)); {
	case same && telling(was) && w.alone(was, gone, w.schemaDiff.before) && w.alone(is, fresh, w.schemaDiff.after):
		say(0.25, "the same schema, which no other member has")
	case same:
		say(0.15, "the same schema")
	default:
		say(0.06+0.1*overlap(keysOf(was), keysOf(is)), "")
	}
	switch text := textLikeness(b.Schema, a.Schema, was, is); {
	case text == 1:
		say(0.3, "the same text")
	case text > 0.5:
		say(0.3*text, "much the same text")
	default:
		say(0.3*text, "")
	}
	if !slices.ContainsFunc(o.evidence, func(text string) bool { return text != "the same schema" }) {
		return offer{} // the remaining signs fit many pairs
	}
	if len(gone) == 1 {
		say(0.1, "") // no other member is gone
	}
	if required := p.before.IsRequired(b.Name); required == p.after.IsRequired(a.Name) {
		say(0.1, map[bool]string{true: "required as it was"}[required])
	}
	if placeOf(p.before, b.Name) == placeOf(p.after, a.Name) {
		say(0.1, "")
	}
	return o
}

// sameTypes reports whether two schemas have the same types, ignoring null.
func sameTypes(b, a *jsonschema.Schema) bool {
	types := func(s *jsonschema.Schema) []string {
		list := without(typesOf(s), "null")
		for _, branch := range slices.Concat(s.AnyOf, s.OneOf) {
			list = append(list, without(typesOf(branch), "null")...)
		}
		slices.Sort(list)
		return slices.Compact(list)
	}
	return slices.Equal(types(b), types(a))
}

// telling reports whether a schema has more than a type.
func telling(s *jsonschema.Schema) bool {
	return len(s.Enum) > 1 || s.Pattern != "" || s.Default != nil || len(s.Properties) > 0 || len(s.AnyOf)+len(s.OneOf) > 2
}

// alone reports whether only one of some members has a schema with this contract.
func (w *walker) alone(s *jsonschema.Schema, of []jsonschema.Property, doc *jsonschema.Document) bool {
	n := 0
	for _, m := range of {
		if equalContract(rawOf(s), rawOf(resolved(doc, m.Schema))) {
			n++
		}
	}
	return n == 1
}

// keysOf returns the values of an enumeration, or the members of an object, as a set.
func keysOf(s *jsonschema.Schema) map[string]json.RawMessage {
	set := map[string]json.RawMessage{}
	for _, v := range s.Values() {
		set[string(v)] = nil
	}
	for _, m := range s.Properties {
		set[m.Name] = nil
	}
	return set
}

// textLikeness compares descriptions; a schema without a description uses its reference target's. Two absent
// descriptions are neutral (0.5).
func textLikeness(b, a, was, is *jsonschema.Schema) float64 {
	x, y := cmp.Or(b.Description, was.Description), cmp.Or(a.Description, is.Description)
	switch {
	case x == "" && y == "":
		return 0.5
	case x == y:
		return 1
	}
	return min(max(wordLikeness(x, y), wordLikeness(firstSentence(x), firstSentence(y))), 0.99)
}

// firstSentence returns the first sentence of a text: many tools may share the rest.
func firstSentence(text string) string {
	line, _, _ := strings.Cut(text, "\n")
	sentence, _, _ := strings.Cut(line, ". ")
	return sentence
}

// placeOf returns the alphabetical position of a name among the members. Locked definitions have no other
// order, so a listing and its snapshot give the same result.
func placeOf(s *jsonschema.Schema, name string) int {
	n := 0
	for _, m := range s.Properties {
		if m.Name < name {
			n++
		}
	}
	return n
}

// nameLikeness compares names by letters and words. 1 means equal except for case and separators.
func nameLikeness(b, a string) float64 {
	x, y := fold(b), fold(a)
	if x == y {
		return 1
	}
	likeness := 0.8 * similarity(x, y)
	short, long := wordsOfName(b), wordsOfName(a)
	if len(short) > len(long) {
		short, long = long, short
	}
	within := len(short) > 0
	rest := long
	for _, word := range short {
		i := slices.Index(rest, word)
		within = within && i >= 0
		rest = rest[max(i, 0):]
	}
	switch {
	case within:
		likeness = max(likeness, 0.7)
	case len(short) == 1 && len(long) == 1 &&
		(strings.HasPrefix(long[0], short[0]) || strings.HasPrefix(short[0], long[0])):
		likeness = max(likeness, 0.4)
	}
	return likeness
}

// wordsOfName splits a name at separators and before capitals that follow small letters.
func wordsOfName(name string) []string {
	var b strings.Builder
	small := false
	for _, r := range name {
		if small && unicode.IsUpper(r) {
			b.WriteByte(' ')
		}
		small = unicode.IsLower(r) || unicode.IsDigit(r)
		b.WriteRune(unicode.ToLower(r))
	}
	return strings.FieldsFunc(b.String(), func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) })
}
