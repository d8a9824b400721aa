package decide

// Whether a name in the lock can be that of its place. The lock is input that anybody may
// have edited: a name that is moved to another place would have code call another tool,
// or fill another member, without a word of the compiler. So a function has one of the
// names that are derived for it, with a number or without, and nothing has a name that is
// derived for something else in its scope. All words of a name are words of the server: a type
// may have its name from a place that is gone, or by the rules of an older version.

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"unicode"

	"github.com/mcpgen/mcpgen/generator/internal/ir"
	"github.com/mcpgen/mcpgen/internal/safetext"
)

// derivedFor reports whether a name is the requested one, or the requested one with a number.
func derivedFor(base, name string) bool {
	base = shorten(base)
	number, ok := strings.CutPrefix(name, base)
	if !ok || base == "" {
		return false
	}
	if number == "" {
		return true
	}
	if numbered(base, 2) == base+"_2" {
		if number, ok = strings.CutPrefix(number, "_"); !ok {
			return false
		}
	}
	return number != "" && len(number) < 10 &&
		strings.Trim(number, "0123456789") == "" && number[0] != '0' && number != "1"
}

// Numbered reports whether a name is base with a number, as items get it whose names meet.
func Numbered(base, name string) bool { return name != shorten(base) && derivedFor(base, name) }

// beside holds the names that are asked for in one scope, each with the places that ask for it.
type beside map[string][]string

func (b beside) ask(place, name string) { b[shorten(name)] = append(b[shorten(name)], place) }

// of returns another place that the name belongs to; "" if place can have the name. Asked
// are the names that place asks for.
func (b beside) of(place, name string, asked ...string) string {
	for _, base := range asked {
		if derivedFor(base, name) {
			// With a number it may be what another place asks for without one.
			if owners := b[name]; len(owners) == 0 || shorten(base) == name {
				return ""
			}
		}
	}
	for _, owner := range b[name] {
		if owner != place {
			return owner
		}
	}
	return ""
}

// functionNames are the names that all functions of the package ask for.
func functionNames(items []*item) beside {
	names := beside{}
	for _, it := range items {
		for _, f := range it.functions {
			names.ask(it.who(), f.base)
			if f.short != "" {
				names.ask(it.who(), f.short)
			}
		}
	}
	return names
}

// misplaced returns why id cannot have a given name; "" if it can. Names are the names that
// the identifiers of the same scope ask for.
func (a *assigner) misplaced(id identifier, name string, names beside) string {
	if id.function {
		base := id.base
		if id.short != "" && name == shorten(id.short) {
			base = id.short
		}
		switch owner := a.functions.of(id.who, name, base); {
		case !derivedFor(base, name):
			return fmt.Sprintf("the Go name %s does not match the item's name: want %s, or this with a number at its end",
				name, shorten(id.base))
		case owner != "" && !a.cameLater(name, base):
			return fmt.Sprintf("the name %s is reserved for %s", name, owner)
		}
		return ""
	}
	if owner := names.of(id.key, name, id.base, id.plain, id.short); owner != "" {
		return fmt.Sprintf("the name %s is reserved for %s", name, quote(owner))
	}
	of := id.of
	if id.field { // its only words are its member's
		of = nil
	}
	return a.notDerived(of, name, id.base, id.plain, id.short)
}

// cameLater reports whether all items that ask for a name came after the lock gave it, with a number, to one of
// several items that ask for base: they are new, or the lock has other names for them.
func (a *assigner) cameLater(name, base string) bool {
	if len(a.functions[shorten(base)]) < 2 {
		return false
	}
	for _, it := range a.items {
		for _, f := range it.functions {
			asks := shorten(f.base) == name || f.short != "" && shorten(f.short) == name
			if given := it.given[f.key]; asks && it.known && (given == "" || given == name) {
				return false
			}
		}
	}
	return true
}

// notDerived says why a name in the lock is not made of words of the package: of what its
// place asks for, of its item or else of all items; "" if it is. Of may be nil.
func (a *assigner) notDerived(of *item, name string, asked ...string) string {
	known := vocabulary{}
	known.add(append(asked, fixedWords)...)
	if known.spells(name) {
		return ""
	}
	if of != nil {
		maps.Copy(known, of.vocabulary())
	}
	if known.spells(name) {
		return ""
	}
	for _, it := range a.items {
		maps.Copy(known, it.vocabulary())
	}
	if known.spells(name) {
		return ""
	}
	return notDerived(name)
}

func notDerived(name string) string {
	return fmt.Sprintf("the name %s has words that the schema does not have", name)
}

// fixedWords are words that the rules put into names.
const fixedWords = "ArgsResultItemValueOtherLevelListMapOrStringsIntsNumbersFloatBoolsObjectNullKeyTextX"

// vocabulary is the words that names are made of, in small letters.
type vocabulary map[string]bool

// add adds the words of names, also in the singular.
func (v vocabulary) add(names ...string) {
	for _, name := range names {
		for _, run := range strings.FieldsFunc(name, notLetter) {
			for _, word := range splitCase([]rune(run)) {
				v[strings.ToLower(word)], v[strings.ToLower(singular(word))] = true, true
			}
		}
	}
}

func notLetter(r rune) bool { return !unicode.IsLetter(r) }

// spells reports whether the letters of a name are words one behind the other. Capitals do
// not say where a word begins: PRA can be of PR and a.
func (v vocabulary) spells(name string) bool {
	text := strings.ToLower(strings.Join(strings.FieldsFunc(name, notLetter), ""))
	ends := make([]bool, len(text)+1) // a word ends here
	ends[0] = true
	for start := range text {
		for end := start + 1; ends[start] && end <= len(text); end++ {
			ends[end] = ends[end] || v[text[start:end]]
		}
	}
	return ends[len(text)]
}

// vocabulary is the words of all names that something of the item asks for. It needs all
// types of the item.
func (it *item) vocabulary() vocabulary {
	if it.words == nil {
		it.words = vocabulary{}
		for _, f := range it.functions {
			it.words.add(f.base)
		}
		for d := range it.decls() {
			it.words.add(d.asks(), d.definition)
			it.words.add(d.position().parts...)
			for _, m := range d.members {
				it.words.add(m.asked(it.caps))
			}
			for _, value := range d.values {
				it.words.add(words(safetext.Clip(constantText(value), maxWire))...)
			}
			it.words.add(constantNames(d.values)...)
		}
	}
	return it.words
}

// refuse notes that a name in the lock cannot be that of its place. Where the definition
// is not the locked one the name is only forgotten: its place may mean something else now.
func (a *assigner) refuse(it *item, key, reason string) {
	if it.given[key] != "" && it.isLocked() {
		a.errs = append(a.errs, lockError(a.server, it, key, fmt.Errorf("%s", reason)))
	}
}

// otherVariant says which variant of the same union asks for the short name that the lock
// gives to a type; "" if the type asks for it, too, or none does.
func (a *assigner) otherVariant(s *shape, name string) string {
	for _, d := range s.occurrences {
		for _, own := range d.shortNames() {
			if own == name {
				return ""
			}
		}
	}
	of := shapesByType(a.shapes)
	for _, d := range s.occurrences {
		for _, sibling := range a.siblings()[d.t] {
			other := of[sibling]
			if other == nil || other == s {
				continue
			}
			for _, o := range other.occurrences {
				for _, asked := range o.shortNames() {
					if asked == name {
						return o.who()
					}
				}
			}
		}
	}
	return ""
}

// siblings are the types that are variants of one union, by each of them.
func (a *assigner) siblings() map[*ir.Type][]*ir.Type {
	if a.variants != nil {
		return a.variants
	}
	a.variants = map[*ir.Type][]*ir.Type{}
	for _, it := range a.items {
		for d := range it.decls() {
			for _, v := range d.t.Variants {
				for _, w := range d.t.Variants {
					if v.Type != nil && w.Type != nil && v.Type != w.Type {
						a.variants[v.Type] = append(a.variants[v.Type], w.Type)
					}
				}
			}
		}
	}
	return a.variants
}

// origin returns the former name by place that a short name is derived from; "" if there is
// none.
func (a *assigner) origin(name string) string {
	var found []string
	for _, names := range a.kept {
		for key, short := range names {
			at, ok := strings.CutSuffix(key, shapeKey)
			if !ok || short != name {
				continue
			}
			for _, by := range []string{names[at+typeKey], names[at+originKey]} {
				if by != "" && a.notDerived(nil, name, by) == "" {
					found = append(found, by)
				}
			}
		}
	}
	if len(found) == 0 {
		return ""
	}
	return slices.Min(found)
}
