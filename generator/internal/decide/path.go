package decide

// The position of a schema: its JSON pointer as a Go name and as words for messages.

import (
	"cmp"
	"path"
	"slices"
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
	joined     bool     // the last part has the name of a variant behind its own
	mixed      bool     // the part before it has
	words      string   // such as filter.labels[]
	definition bool     // words is the name of a definition
	exact      bool     // it is the definition itself, not a part of it
	property   bool     // the last step is a property, whose field has the docs
	variant    bool     // the last step is a variant of a union
	word       string   // what that variant is called behind its union

	member, list string // the last property, and the one whose elements these are
	level        int    // how many lists of one name are inside each other here
}

// locate reads a pointer of the schema model. A definition restarts the path: only its
// own name counts, wherever it is defined.
func (c *called) locate(pointer string) position {
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
	union := "" // the last part before the last variant
	for {
		keyword, ok := next()
		if !ok {
			p.count()
			return p
		}
		list := p.variant // a variant that is a list has the word in its name
		p.property, p.exact, p.variant = false, p.exact && keyword == "$ref", false
		before := len(p.parts)
		p.step(keyword, next, rest)
		if len(p.parts) > before {
			p.mixed, p.joined = p.joined, false
		}
		if last := len(p.parts) - 1; list && last >= 0 && strings.HasSuffix(p.name, "Item") {
			p.parts[last] = cmp.Or(strings.TrimSuffix(p.parts[last], "List"), p.parts[last])
			if p.parts[last] == union { // which has that name itself
				p.parts[last] += "Item"
			}
		}
		at := pointer[:len(pointer)-len(rest)]
		if name := c.titles[at]; name != "" {
			p.enter("$defs", name)
		}
		if last := len(p.parts) - 1; c.types[at] != "" && !p.exact && last >= 0 {
			p.parts[last] = c.types[at]
		}
		if name := c.variants[at]; name != "" {
			p.add(step{name, ""})
			p.word = cmp.Or(c.shorts[at], name)
			if union = ""; len(p.parts) > 0 {
				union = p.parts[len(p.parts)-1]
			}
			p.qualify(p.word)
			p.property, p.variant = false, true
		}
	}
}

// step reads one keyword and what belongs to it.
func (p *position) step(keyword string, next func() (string, bool), rest string) {
	switch keyword {
	case "$ref", "$dynamicRef", "$recursiveRef": // copies of what they refer to
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
		p.begin(part(keyword))
	}
}

// count adds the level to the last part, if that is of lists of one name inside each other: of
// item[].item[].item[] the elements are an ItemLevel3.
func (p *position) count() {
	if last := len(p.parts) - 1; p.level > 1 && last >= 0 {
		p.parts[last] = join(p.parts[last], numbered("Level", p.level))
	}
}

// begin adds a part.
func (p *position) begin(name string) {
	p.count()
	p.parts, p.level, p.list = append(p.parts, name), 1, ""
}

func (p *position) add(s step) {
	p.name = join(p.name, s.name)
	p.words += s.words
}

// element enters the elements of a list or a map: one of what its name is the
// plural of.
func (p *position) element(s step) {
	p.add(s)
	p.list = p.member
	if last := len(p.parts) - 1; last >= 0 {
		p.parts[last] = oneOf(p.parts[last])
	}
}

// qualify says more of the last part, for a type that is nothing by itself: a
// variant, an element of a tuple.
func (p *position) qualify(name string) {
	if last := len(p.parts) - 1; last >= 0 {
		p.parts[last], p.joined = overlap(p.parts[last], name), true
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
		if name == p.list && !p.joined {
			p.level++
		} else {
			p.begin(part(name))
		}
		p.member, p.list, p.property = name, "", true
	case "$defs", "definitions":
		*p = position{name: part(name), words: name, parts: []string{part(telling(name))}, definition: true, exact: true}
	default:
		p.element(step{"Value", "{}"})
	}
}

// definition returns the name of the definition that a pointer leads to, if it
// leads to one itself and not to a part of it.
func (c *called) definition(pointer string) (string, bool) {
	if name := c.titles[pointer]; name != "" {
		return name, true
	}
	above, _ := path.Split(pointer)
	above = strings.TrimSuffix(above, "/")
	if !strings.HasSuffix(above, "/$defs") && !strings.HasSuffix(above, "/definitions") {
		return "", false
	}
	p := (&called{titles: c.titles}).locate(pointer)
	return p.words, p.exact
}

func isIndex(token string) bool {
	return token != "" && strings.Trim(token, "0123456789") == ""
}

// telling returns the distinctive part of a definition's name. For a URL, that is the last
// part of its path that is neither a version nor a word such as "schema", without its
// extension. Other names are returned unchanged.
func telling(name string) string {
	_, address, ok := strings.Cut(name, "://")
	if !ok {
		return name
	}
	address, _, _ = strings.Cut(address, "?")
	address, fragment, _ := strings.Cut(address, "#")
	for _, word := range slices.Backward(strings.Split(address+"/"+fragment, "/")[1:]) {
		word, _, _ = strings.Cut(word, ".")
		if strings.Trim(strings.TrimPrefix(word, "v"), "0123456789-") != "" &&
			!strings.Contains(" schema schemas json definitions index $defs latest ", " "+strings.ToLower(word)+" ") {
			return word
		}
	}
	return name
}
