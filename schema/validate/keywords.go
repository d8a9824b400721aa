package validate

// This file checks the keywords of one schema. Keywords that are invalid or cannot be checked are removed and
// reported.

import (
	"encoding/json"
	"strconv"

	"github.com/mcpgen/mcpgen/schema/jsonschema"
)

// values reads enum and const.
func (p *plan) values(n *node) {
	if n.Const != nil {
		v, _, err := decode(n.Const)
		if err != nil {
			p.problem(n, "const", clean(err.Error()))
			n.Const = nil
		}
		n.constant, n.hasConst = v, err == nil
	}
	if n.Enum == nil {
		return
	}
	n.members = make([]any, len(n.Enum))
	for i, raw := range n.Enum {
		v, _, err := decode(raw)
		if err != nil {
			p.problem(n, "enum/"+strconv.Itoa(i), clean(err.Error()))
			n.Enum, n.members = nil, nil
			return
		}
		n.members[i] = v
	}
}

// invalid removes the keywords without a meaning, and spells counts as the library reads them.
func (p *plan) invalid(n *node) {
	for keyword, reason := range n.Invalid {
		p.problem(n, keyword, reason)
		n.Drop(keyword)
	}
	for _, c := range n.Counts() {
		if *c.Value != "" {
			*c.Value = json.Number(strconv.Itoa(jsonschema.Count(*c.Value, 0)))
		}
	}
}

// texts compiles the patterns.
func (p *plan) texts(n *node) {
	if n.Pattern != "" {
		n.Pattern = p.valuePattern(n)
	}
	var kept []jsonschema.Property
	for _, property := range n.PatternProperties {
		if err := p.compilePattern(property.Name); err != nil {
			p.problem(n, "patternProperties", "RE2 does not take the pattern "+quote(property.Name)+": "+clean(err.Error()))
			continue
		}
		kept = append(kept, property)
	}
	if len(kept) < len(n.PatternProperties) {
		n.AdditionalProperties = nil // the additional members are unknown
	}
	n.PatternProperties = kept
}

// valuePattern returns the pattern to check, or "" if there is none. A pattern with look-around is checked
// without the look-around.
func (p *plan) valuePattern(n *node) string {
	err := p.compilePattern(n.Pattern)
	if err == nil {
		return n.Pattern
	}
	if p.patterns[n.Pattern] == nil {
		plain := withoutLookAround(n.Pattern)
		compiled, bad := newPattern(plain)
		if plain == n.Pattern || bad != nil {
			p.problem(n, "pattern", "RE2 does not take the pattern "+quote(n.Pattern)+": "+clean(err.Error()))
			return ""
		}
		compiled.text, compiled.partial = n.Pattern, true
		p.patterns[n.Pattern] = compiled
	}
	p.problem(n, "pattern", "RE2 cannot look around, which a part of "+quote(n.Pattern)+" does")
	return n.Pattern
}

// compilePattern compiles a pattern that is used without changes.
func (p *plan) compilePattern(text string) error {
	if known := p.patterns[text]; known != nil && !known.partial {
		return nil
	}
	compiled, err := newPattern(text)
	if err == nil {
		p.patterns[text] = compiled
	}
	return err
}
