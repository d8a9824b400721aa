package decide

// Unions that say nothing but basic types and lists of them. Where members of different
// names share one, none of these names says what it is, so it is named after its
// variants: BoolOrString, and not IsRevision where it is nextThoughtNeeded, too.

import (
	"slices"
	"strings"

	"github.com/mcpgen/mcpgen/generator/internal/ir"
)

// maxBasics bounds the variants of a union that is named after them.
const maxBasics = 3

// nameBasics names such unions and their variants. Where the name is taken, they ask for
// the same ones as other types.
func (a *assigner) nameBasics(open []*shape) {
	of := a.shapesByType()
	for _, s := range open {
		name := s.basics()
		if name == "" || !a.claimNew(s, name) {
			continue
		}
		home := s.occurrences[0]
		for _, v := range home.t.Variants {
			if variant := of[v.Type]; len(variant.names) == 0 { // its first occurrence is that of home
				word := strings.TrimPrefix(variant.occurrences[0].position().name, home.position().name)
				a.claimNew(variant, join(name, word))
			}
		}
	}
}

// basics is the name of such a union after its variants; "" for other shapes.
func (s *shape) basics() string {
	home := s.occurrences[0]
	if home.t.Kind != ir.Union || len(home.t.Variants) > maxBasics || !s.variouslyNamed() {
		return ""
	}
	var words []string
	for _, v := range home.t.Variants {
		word := ""
		if v.Type.Kind == ir.Alias {
			word = basicWord(v.Type.Of)
		}
		if word == "" || slices.Contains(words, word) {
			return ""
		}
		words = append(words, word)
	}
	return strings.Join(words, "Or")
}

// variouslyNamed reports whether the type is that of members of different names, and not
// a definition, which has a name of its own.
func (s *shape) variouslyNamed() bool {
	last := func(d *decl) string {
		if parts := d.position().parts; len(parts) > 0 {
			return parts[len(parts)-1]
		}
		return ""
	}
	various := false
	for _, d := range s.occurrences {
		if d.position().exact {
			return false
		}
		various = various || last(d) != last(s.occurrences[0])
	}
	return various
}

// basicWord is what a basic type is called in the name of a union, a list in the
// plural; "" for other types.
func basicWord(r *ir.Ref) string {
	switch r.Kind {
	case ir.Basic:
		switch r.Name {
		case "string":
			return "String"
		case "bool":
			return "Bool"
		case "float64":
			return "Number"
		}
		return "Int"
	case ir.Number:
		return "Number"
	case ir.Slice:
		if r.Elem.Kind == ir.Basic || r.Elem.Kind == ir.Number {
			return basicWord(r.Elem) + "s"
		}
	}
	return ""
}
