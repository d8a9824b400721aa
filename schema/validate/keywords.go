package validate

// This file checks the keywords of one schema. Keywords that are invalid or cannot be checked are removed and
// reported.

import (
	"encoding/json"
	"math/big"
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

// numbers reads bounds and counts.
func (p *plan) numbers(n *node) {
	for _, b := range n.Bounds() {
		if *b.Value != "" && !measured(string(*b.Value)) {
			p.problem(n, b.Keyword, "the number is too long")
			*b.Value = ""
		}
	}
	if n.MultipleOf != "" {
		if r, ok := new(big.Rat).SetString(string(n.MultipleOf)); !ok || r.Sign() <= 0 {
			p.problem(n, "multipleOf", "must be greater than 0")
			n.MultipleOf = ""
		}
	}
	for _, b := range n.Counts() {
		p.count(n, b.Keyword, b.Value)
	}
}

// count reads a keyword that must be a whole number.
func (p *plan) count(n *node, keyword string, value *json.Number) {
	if *value == "" {
		return
	}
	r, ok := new(big.Rat), measured(string(*value))
	if ok {
		r, ok = r.SetString(string(*value))
	}
	if !ok || !r.IsInt() || r.Sign() < 0 {
		p.problem(n, keyword, "must be a whole number and not negative")
		*value = ""
		return
	}
	if most := big.NewInt(jsonschema.MaxCount); r.Num().Cmp(most) > 0 {
		r.SetInt(most)
	}
	*value = json.Number(r.Num().String())
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

// lists removes empty combinations, which no draft allows.
func (p *plan) lists(n *node) {
	for _, l := range []struct {
		keyword string
		list    *[]*jsonschema.Schema
	}{{"anyOf", &n.AnyOf}, {"oneOf", &n.OneOf}, {"allOf", &n.AllOf}} {
		if *l.list != nil && len(*l.list) == 0 {
			p.problem(n, l.keyword, "must not be empty")
			*l.list = nil
		}
	}
}

// asText decodes a keyword with a string value.
func asText(raw json.RawMessage, text *string) bool {
	return len(raw) > 0 && raw[0] == '"' && json.Unmarshal(raw, text) == nil
}
