package compat

// This file determines the members of a shape's objects and their schemas.

import (
	"regexp"
	"slices"
	"strings"

	"github.com/mcpgen/mcpgen/schema/jsonschema"
)

// group is a set of undeclared members: those whose names match a pattern, or the rest.
type group struct {
	of      all
	pattern string // "" is the rest
	names   language
}

// declared returns the member names that occur in the schemas of a shape.
func (s *shape) declared() []string {
	var names []string
	seen := map[string]bool{}
	add := func(name string) {
		if !seen[name] {
			seen[name] = true
			names = append(names, name)
		}
	}
	for _, n := range s.parts {
		for _, p := range n.Properties {
			add(p.Name)
		}
		for _, name := range n.Required {
			add(name)
		}
	}
	return names
}

func (s *shape) required() map[string]bool {
	names := map[string]bool{}
	for _, n := range s.parts {
		for _, name := range n.Required {
			names[name] = true
		}
	}
	for grown := true; grown; {
		grown = false
		for _, n := range s.parts {
			for name, more := range n.DependentRequired {
				for _, m := range more {
					if names[name] && !names[m] {
						names[m], grown = true, true
					}
				}
			}
		}
	}
	return names
}

// closed reports whether the lens ignores members that a does not declare.
func (c *lensed) closed(s *shape) bool {
	if c.lens != CallerInput || c.plain > 0 {
		return false
	}
	return c.declares(s.parts)
}

// declares reports whether the schemas of the left side declare members, or belong to the arguments struct,
// without restricting other members.
func (c *lensed) declares(parts []*node) bool {
	some := false
	for _, n := range parts {
		if n.document != c.a {
			continue
		}
		if n.AdditionalProperties != nil || n.UnevaluatedProperties != nil || len(n.PatternProperties) > 0 {
			return false
		}
		some = some || len(n.Properties) > 0 || n == c.fields
	}
	return some
}

// absent reports whether the lens ignores a member.
func (c *lensed) absent(s *shape, name string) bool {
	if c.lens == Strict || c.plain > 0 || !c.declares(s.parts) {
		return false
	}
	for _, n := range s.parts {
		if n.document == c.a && (n.Property(name) != nil || slices.Contains(n.Required, name)) {
			return false
		}
	}
	return c.lens == CallerInput || c.declaredByB(name)
}

// declaredByB reports whether any schema of b declares a member of that name.
func (c *lensed) declaredByB(name string) bool {
	if c.bNames == nil {
		c.bNames = map[string]bool{}
		for s := range c.b.doc.Root.All {
			for _, p := range s.Properties {
				c.bNames[p.Name] = true
			}
		}
	}
	return c.bNames[name]
}

// member returns the schemas of a member, or false if the member cannot exist.
func (c *checker) member(s *shape, name string, depth int) (all, bool) {
	for _, n := range s.nots {
		if n == n.document.having(name) {
			return nil, false
		}
	}
	if c.absent(s, name) {
		return nil, false
	}
	if most := s.mostMembers(); most >= 0 {
		if need := s.required(); !need[name] && len(need) >= most {
			return nil, false
		}
	}
	var of all
	for _, n := range s.parts {
		if n.PropertyNames != nil && c.empty(all{n.document.of(n.PropertyNames), n.document.constant(name)}, 1) {
			return nil, false
		}
		of = append(of, c.memberOf(name, n)...)
	}
	return of, !c.empty(of, depth+1)
}

// mostMembers returns the maximum number of members, or -1 without a bound.
func (s *shape) mostMembers() int {
	most := -1
	for _, n := range s.parts {
		most = tighter(most, jsonschema.Count(n.MaxProperties, -1))
	}
	return most
}

// memberOf returns the schemas of a member in some schemas.
func (c *lensed) memberOf(name string, parts ...*node) all {
	var of all
	for _, n := range parts {
		found := false
		if p := n.Property(name); p != nil {
			of, found = append(of, n.document.of(p)), true
		}
		for _, p := range n.PatternProperties {
			switch re := c.pattern(p.Name); {
			case re == nil:
				found = true // possibly matches
			case re.MatchString(name):
				of, found = append(of, n.document.of(p.Schema)), true
			}
		}
		if more := n.additional(); more != nil && !found {
			of = append(of, more)
		}
	}
	return of
}

// constant returns a schema that matches exactly one text.
func (d *document) constant(text string) *node {
	return d.make("constant "+text, &jsonschema.Schema{Const: quoteJSON(text)})
}

// groups returns the groups of a shape's undeclared members.
func (c *checker) groups(s *shape, declared []string) []group {
	var groups []group
	var patterns []string
	for _, n := range s.parts {
		for _, p := range n.PatternProperties {
			if slices.Contains(patterns, p.Name) {
				continue
			}
			patterns = append(patterns, p.Name)
			groups = append(groups, group{of: matching(s, p.Name), pattern: p.Name,
				names: language{match: []string{p.Name}, avoid: []string{exactly(declared)}, hi: -1}})
		}
	}
	if c.closed(s) {
		return groups
	}
	rest := group{names: language{avoid: append(slices.Clone(patterns), exactly(declared)), hi: -1}}
	for _, n := range s.parts {
		if more := n.additional(); more != nil {
			rest.of = append(rest.of, more)
		}
	}
	return append(groups, rest)
}

// matching returns the schemas that a shape has for the given member pattern.
func matching(s *shape, pattern string) all {
	var of all
	for _, n := range s.parts {
		for _, p := range n.PatternProperties {
			if p.Name == pattern {
				of = append(of, n.document.of(p.Schema))
			}
		}
		if more := n.additional(); more != nil && len(n.PatternProperties) == 0 {
			of = append(of, more)
		}
	}
	return of
}

// exactly returns a pattern that matches exactly the given names.
func exactly(list []string) string {
	quoted := make([]string, len(list))
	for i, name := range list {
		quoted[i] = regexp.QuoteMeta(name)
	}
	if len(quoted) == 0 {
		return `^[^\x{0}-\x{10FFFF}]$` // matches no name
	}
	return `^(?:` + strings.Join(quoted, "|") + `)$`
}
