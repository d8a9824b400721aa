package contract

// This file normalizes equivalent spellings of a schema.

import (
	"math/big"
	"slices"
	"strings"

	"github.com/mcpgen/mcpgen/internal/jsontext"
)

// finish combines the keywords that were read.
func (p *parts) finish() {
	f := p.form
	switch {
	case p.constant == "":
	case f.enum == nil && !p.unknown:
		f.enum = []string{p.constant}
	default:
		p.add("const", p.constant)
	}
	if !p.unknown {
		p.integerBound("exclusiveMinimum", "minimum", 1)
		p.integerBound("exclusiveMaximum", "maximum", -1)
		for _, name := range []string{"anyOf", "oneOf"} {
			if branches := p.groups[name]; len(branches) > 1 {
				p.groups[name] = p.alternatives(branches, name == "oneOf")
			}
		}
	}
	for _, name := range []string{"anyOf", "oneOf", "allOf"} {
		p.combine(name, p.groups[name])
	}
	if f.opaque == "" && f.rendered == "" && !p.unknown {
		f.simplify()
	}
}

// simplify folds types and enum.
func (f *form) simplify() {
	if f.enum != nil && f.types != nil && !slices.ContainsFunc(f.enum, func(v string) bool { return !fits(v, f.types) }) {
		f.types = nil // enum implies the types
	}
	if f.enum == nil && slices.Equal(f.types, []string{"null"}) {
		f.types, f.enum = nil, []string{"null"}
	}
	if f.types == nil && f.enum == nil && len(f.rest) == 1 && f.rest[0] == (textMember{"not", "true"}) {
		*f = form{never: true, low: f.low}
	}
}

// fits reports whether a canonical value certainly has one of the types. Drafts disagree on whether 1.0 is an
// integer.
func fits(text string, types []string) bool {
	if kind := jsontext.TypeOf([]byte(text)); kind != "number" {
		return slices.Contains(types, kind)
	}
	return slices.Contains(types, "number") || slices.Contains(types, "integer") && !strings.ContainsAny(text, ".eE<")
}

// integerBound replaces an exclusive integer bound by an inclusive one.
func (p *parts) integerBound(exclusive, inclusive string, step int64) {
	f := p.form
	only := len(f.types) > 0 && !slices.ContainsFunc(f.types, func(t string) bool { return t != "integer" && t != "null" })
	i := f.keyword(exclusive)
	if i < 0 || !only || f.keyword(inclusive) >= 0 {
		return
	}
	if bound := integerOf(f.rest[i].text); bound != nil {
		f.rest[i] = textMember{inclusive, normalNumber(bound.Add(bound, big.NewInt(step)).String())}
	}
}

// alternatives merges branches of anyOf, or of oneOf if the merged branches exclude each other.
func (p *parts) alternatives(branches []form, exclusive bool) []form {
	var values, types, others []form
	for _, b := range branches {
		p.visited += len(b.enum)
		switch {
		case b.never || b.opaque != "" || len(b.rest) > 0:
			others = append(others, b)
		case b.enum != nil && b.types == nil:
			values = append(values, b)
		case b.types != nil && b.enum == nil:
			types = append(types, b)
		default:
			others = append(others, b)
		}
	}
	values = mergeBranches(values, exclusive, func(f *form) *[]string { return &f.enum }, distinctValues)
	types = mergeBranches(types, exclusive, func(f *form) *[]string { return &f.types }, distinctTypes)
	branches = slices.Concat(values, types, others)
	return foldNull(branches)
}

// mergeBranches merges the branches that only list values or types. If exactly one branch must fit, the lists
// must be distinct.
func mergeBranches(branches []form, exclusive bool, list func(*form) *[]string, distinct func([]string) bool) []form {
	if len(branches) < 2 {
		return branches
	}
	var all []string
	for i := range branches {
		all = append(all, *list(&branches[i])...)
	}
	if exclusive && !distinct(all) {
		return branches
	}
	merged := form{low: closed}
	*list(&merged) = sortedSet(all)
	merged.types = typeSet(merged.types)
	if len(merged.types) == 0 {
		merged.types = nil
	}
	return []form{merged}
}

// distinctValues reports whether the values are certainly distinct. Numbers never are, because they have many
// spellings.
func distinctValues(texts []string) bool {
	for _, t := range texts {
		if strings.ContainsAny(t[:1], "{[-0123456789") {
			return false
		}
	}
	return len(sortedSet(texts)) == len(texts)
}

// distinctTypes reports whether no value has two of the types.
func distinctTypes(types []string) bool { return len(typeSet(types)) == len(types) }

// foldNull merges a union of a schema and null into one schema.
func foldNull(branches []form) []form {
	if len(branches) != 2 {
		return branches
	}
	for i := range branches {
		null, other := branches[i], branches[1-i]
		isNull := slices.Equal(null.enum, []string{"null"}) && null.types == nil && len(null.rest) == 0
		if !isNull || other.types == nil || other.enum != nil || slices.Contains(other.types, "null") || !aboutTypes(other.rest) {
			continue
		}
		other.types = typeSet(append(slices.Clone(other.types), "null"))
		other.rendered = ""
		return []form{other}
	}
	return branches
}

// aboutTypes reports whether each keyword constrains a type other than null, so that null satisfies all of
// them.
func aboutTypes(rest []textMember) bool {
	for _, m := range rest {
		switch m.name {
		case "minLength", "maxLength", "pattern",
			"minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum", "multipleOf",
			"items", "prefixItems", "minItems", "maxItems", "uniqueItems", "contains", "minContains", "maxContains",
			"properties", "patternProperties", "additionalProperties", "propertyNames", "required",
			"minProperties", "maxProperties", "dependentRequired", "dependentSchemas":
		default:
			return false
		}
	}
	return true
}

// combine writes the branches back, sorted because their order has no effect. Equal branches count once, except
// in oneOf. A single branch replaces the schema if no other keyword could interact with it.
func (p *parts) combine(name string, branches []form) {
	f := p.form
	if len(branches) == 0 {
		return
	}
	if len(branches) == 1 && !p.unknown && p.adopt(&branches[0]) {
		return
	}
	texts := make([]string, len(branches))
	for i := range branches {
		texts[i] = p.text(&branches[i])
		f.low = min(f.low, branches[i].low)
	}
	slices.Sort(texts)
	if name != "oneOf" {
		texts = slices.Compact(texts)
	}
	p.add(name, list(texts))
}

// adopt replaces the schema by a single branch. This requires that the schema has no keywords but a default,
// and types or values only where the branch has none.
func (p *parts) adopt(b *form) bool {
	f := p.form
	groups := 0
	for _, g := range p.groups {
		groups += min(len(g), 1)
	}
	if groups > 1 || f.opaque != "" || f.never {
		return false
	}
	if f.isTrue() {
		low := min(b.low, f.low)
		*f = *b
		f.rest, f.low = slices.Clip(b.rest), low
		return true
	}
	onlyDefault := len(f.rest) == 0 || len(f.rest) == 1 && f.rest[0].name == "default" && b.keyword("default") < 0
	bothSay := f.types != nil && b.types != nil || f.enum != nil && b.enum != nil
	// Nullable would let null pass the schema's own types and values.
	past := b.keyword("nullable") >= 0 && (f.types != nil || f.enum != nil)
	if !onlyDefault || bothSay || past || b.opaque != "" || b.never {
		return false
	}
	p.visited += len(b.rest) + len(b.enum) // the content of a reference is copied each time
	f.low = min(b.low, f.low)
	f.rest = slices.Concat(f.rest, b.rest)
	if f.types == nil {
		f.types = b.types
	}
	if f.enum == nil {
		f.enum = b.enum
	}
	return true
}
