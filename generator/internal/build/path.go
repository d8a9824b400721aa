package build

// Where a schema stands: its JSON pointer as a Go name and as words for people.

import (
	"strings"
)

// step is one step into a schema, for names ("Item") and for people ("[]").
type step struct {
	name  string // part of a Go name; "" adds nothing
	words string
}

// place is where a schema stands below the root of its side.
type place struct {
	name       string // path part of the Go name
	words      string // such as filter.labels[]
	definition bool   // words is the name of a definition
	property   bool   // the last step is a property, whose field has the docs
}

// locate reads a pointer of the schema model. A definition starts afresh: its
// name stands for itself, wherever it is kept.
func locate(pointer string) place {
	var p place
	tokens := strings.Split(pointer, "/")[1:]
	for len(tokens) > 0 {
		keyword := tokens[0]
		tokens = tokens[1:]
		p.property = false
		switch keyword {
		case "properties", "$defs", "definitions", "patternProperties", "dependentSchemas", "dependencies":
			if len(tokens) == 0 {
				return p
			}
			p.enter(keyword, unescape(tokens[0]))
			tokens = tokens[1:]
		case "items", "prefixItems":
			p.add(step{"Item", "[]"})
			if len(tokens) > 0 && isIndex(tokens[0]) {
				p.add(step{part(tokens[0]), ""})
				tokens = tokens[1:]
			}
		case "additionalItems", "unevaluatedItems", "contains":
			p.add(step{"Item", "[]"})
		case "additionalProperties", "unevaluatedProperties":
			p.add(step{"Value", "{}"})
		case "anyOf", "oneOf", "allOf":
			if len(tokens) > 0 {
				tokens = tokens[1:]
			}
		default:
			p.add(step{part(keyword), "/" + keyword})
		}
	}
	return p
}

func (p *place) add(s step) {
	p.name = join(p.name, s.name)
	p.words += s.words
}

func (p *place) enter(keyword, name string) {
	switch keyword {
	case "properties":
		dot := "."
		if p.words == "" {
			dot = ""
		}
		p.add(step{part(name), dot + name})
		p.property = true
	case "$defs", "definitions":
		*p = place{name: part(name), words: name, definition: true}
	default:
		p.add(step{"Value", "{}"})
	}
}

func isIndex(token string) bool {
	return token != "" && strings.Trim(token, "0123456789") == ""
}

func unescape(token string) string {
	return strings.ReplaceAll(strings.ReplaceAll(token, "~1", "/"), "~0", "~")
}
