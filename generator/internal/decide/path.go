package decide

// The position of a schema: its JSON pointer as a Go name and as words for messages.

import (
	"path"
	"strings"

	"github.com/mcpgen/mcpgen/internal/jsontext"
)

// step is one step into a schema, as part of a name ("Item") and in words ("[]").
type step struct {
	name  string // part of a Go name; "" adds nothing
	words string
}

// position is the position of a schema below the root of its side.
type position struct {
	name       string   // path part of the Go name
	parts      []string // of a short name: the last one names the type
	words      string   // such as filter.labels[]
	definition bool     // words is the name of a definition
	exact      bool     // it is the definition itself, not a part of it
	property   bool     // the last step is a property, whose field has the docs
	variant    bool     // the last step is a variant of a union
}

// locate reads a pointer of the schema model. A definition restarts the path: only its
// own name counts, wherever it is defined. Variants says what the branches of
// unions are called, by pointer; the other branches add nothing to a name. Titles are the
// names of schemas that are definitions wherever they stand, by pointer.
func locate(pointer string, variants, titles map[string]string) position {
	var p position
	rest := pointer
	next := func() (string, bool) {
		if rest == "" {
			return "", false
		}
		token, after, found := strings.Cut(rest[1:], "/")
		if rest = after; found {
			rest = "/" + after
		}
		return token, true
	}
	for {
		keyword, ok := next()
		if !ok {
			return p
		}
		p.property, p.exact, p.variant = false, false, false
		p.step(keyword, next, rest)
		at := pointer[:len(pointer)-len(rest)]
		if name := titles[at]; name != "" {
			p.enter("$defs", name)
		}
		if name := variants[at]; name != "" {
			p.add(step{name, ""})
			p.qualify(name)
			p.property, p.variant = false, true
		}
	}
}

// step reads one keyword and what belongs to it.
func (p *position) step(keyword string, next func() (string, bool), rest string) {
	switch keyword {
	case "then", "else": // their members are members of the object
	case "dependentSchemas", "dependencies":
		next()
	case "properties", "$defs", "definitions", "patternProperties":
		if name, ok := next(); ok {
			p.enter(keyword, jsontext.UnescapePointer(name))
		}
	case "items", "prefixItems":
		p.element(step{"Item", "[]"})
		if token, _, _ := strings.Cut(strings.TrimPrefix(rest, "/"), "/"); isIndex(token) {
			next()
			p.add(step{part(token), ""})
			p.qualify("Item" + part(token))
		}
	case "additionalItems", "unevaluatedItems", "contains":
		p.element(step{"Item", "[]"})
	case "additionalProperties", "unevaluatedProperties":
		p.element(step{"Value", "{}"})
	case "anyOf", "oneOf", "allOf":
		next()
	case "type": // a union by types: the kind, and a number if there are several
		kind, _ := next()
		if token, _, _ := strings.Cut(strings.TrimPrefix(rest, "/"+kind+"/"), "/"); isIndex(token) {
			next()
		}
	default:
		p.add(step{part(keyword), "/" + keyword})
		p.parts = append(p.parts, part(keyword))
	}
}

func (p *position) add(s step) {
	p.name = join(p.name, s.name)
	p.words += s.words
}

// element enters the elements of a list or a map: one of what its name is the
// plural of.
func (p *position) element(s step) {
	p.add(s)
	if last := len(p.parts) - 1; last >= 0 {
		p.parts[last] = singular(p.parts[last])
	}
}

// qualify says more of the last part, for a type that is nothing by itself: a
// variant, an element of a tuple.
func (p *position) qualify(name string) {
	if last := len(p.parts) - 1; last >= 0 {
		p.parts[last] = join(p.parts[last], name)
	} else {
		p.parts = []string{name}
	}
}

func (p *position) enter(keyword, name string) {
	switch keyword {
	case "properties":
		dot := "."
		if p.words == "" {
			dot = ""
		}
		p.add(step{part(name), dot + name})
		p.parts = append(p.parts, part(name))
		p.property = true
	case "$defs", "definitions":
		*p = position{name: part(name), words: name, parts: []string{part(name)}, definition: true, exact: true}
	default:
		p.element(step{"Value", "{}"})
	}
}

// definitionName returns the name of the definition that a pointer leads to, if it
// leads to one itself and not to a part of it.
func (b *side) definitionName(pointer string) (string, bool) {
	if name := b.titles[pointer]; name != "" {
		return name, true
	}
	above, _ := path.Split(pointer)
	if above = strings.TrimSuffix(above, "/"); !strings.HasSuffix(above, "/$defs") && !strings.HasSuffix(above, "/definitions") {
		return "", false
	}
	p := locate(pointer, nil, b.titles)
	return p.words, p.exact
}

func isIndex(token string) bool {
	return token != "" && strings.Trim(token, "0123456789") == ""
}
