package decide

// Unions that say nothing but basic types and lists of them. Where members of different
// names share one, none of these names says what it is, so it is named after its
// variants: BoolOrString, and not IsRevision where it is nextThoughtNeeded, too. If one struct
// has all of the members, it is a value of that: AccessControlValue. If a definition lists the
// types, the union has its name; if the members' names have something in common, that.

import (
	"slices"
	"strings"

	"github.com/mcpgen/mcpgen/generator/internal/ir"
)

// maxBasics bounds the variants of a union that is named after them.
const maxBasics = 3

// basics is the name of such a union after its variants; "" for other shapes.
func (s *shape) basics() string {
	home := s.occurrences[0]
	if home.t.Kind != ir.Union || len(home.t.Variants) > maxBasics || !s.variouslyNamed() || s.common() != "" {
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
	if owner := s.owner(); owner != "" && !vague(owner) && !generic(owner) {
		return owner + "Value"
	}
	return strings.Join(words, "Or")
}

// variouslyNamed reports whether the type is that of members of different names, and not
// a definition, which has its own name.
func (s *shape) variouslyNamed() bool {
	various := false
	for _, d := range s.occurrences {
		if d.position().exact || d.definition != "" {
			return false
		}
		various = various || d.lastPart() != s.occurrences[0].lastPart()
	}
	return various
}

// basicWord returns the word for a basic type in the name of a union, a list in the
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
