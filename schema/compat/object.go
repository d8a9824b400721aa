package compat

// This file compares objects, member by member.

import (
	"encoding/json"
	"slices"
	"strconv"

	"github.com/mcpgen/mcpgen/schema/jsonschema"
)

// objects checks the keywords for objects.
func (p *comparison) objects() result {
	if opens(p.b.Schema) {
		return yes
	}
	o := &objects{comparison: p, names: p.s.declared(), need: p.s.required()}
	r := o.required()
	r.and(o.counts())
	r.and(o.dependencies())
	r.and(o.properties())
	r.and(o.patterns())
	r.and(o.rest())
	r.and(o.memberNames())
	return r
}

// opens reports whether a schema has no keywords for objects.
func opens(s *jsonschema.Schema) bool {
	return len(s.Properties) == 0 && len(s.PatternProperties) == 0 && s.AdditionalProperties == nil && s.UnevaluatedProperties == nil &&
		s.PropertyNames == nil && len(s.Required) == 0 && len(s.DependentRequired) == 0 && len(s.DependentSchemas) == 0 &&
		s.MinProperties == "" && s.MaxProperties == ""
}

// objects is a comparison together with the members of its left side.
type objects struct {
	*comparison
	names []string        // declared on the left
	need  map[string]bool // required on the left
}

func (o *objects) required() result {
	r := yes
	for _, name := range o.b.Required {
		if !o.need[name] {
			r.and(o.no("the member %s became required", quoteJSON(name)).with(o.c.values.build(o.s, nil, name, 0)))
		}
	}
	return r
}

func (o *objects) counts() result {
	r := yes
	lo, hi := len(o.need), o.s.mostMembers()
	for _, n := range o.s.parts {
		lo = max(lo, jsonschema.Count(n.MinProperties, 0))
	}
	if least := jsonschema.Count(o.b.MinProperties, 0); least > lo {
		r.and(o.no("minProperties %d is new or narrower", least).with(o.c.values.build(o.s, nil, "", 0)))
	}
	most := jsonschema.Count(o.b.MaxProperties, -1)
	if most < 0 {
		return r
	}
	groups := o.c.groups(o.s, o.names)
	open := slices.ContainsFunc(groups, func(g group) bool { return !o.c.empty(g.of, 1) })
	if !open {
		possible := 0
		for _, name := range o.names {
			if _, ok := o.c.member(o.s, name, 0); ok {
				possible++
			}
		}
		hi = tighter(hi, possible)
	}
	if hi < 0 || hi > most {
		r.and(o.no("maxProperties %d is new or narrower", most).with(o.c.values.build(o.s, nil, "", most+1)))
	}
	return r
}

// tighter returns the lower of two upper bounds; -1 means no bound.
func tighter(a, b int) int {
	if a < 0 || b >= 0 && b < a {
		return b
	}
	return a
}

func (o *objects) dependencies() result {
	r := yes
	for _, name := range inOrder(o.b.DependentRequired) {
		more := o.b.DependentRequired[name]
		if _, ok := o.c.member(o.s, name, 0); !ok {
			continue
		}
		with := *o.s
		with.parts = append(slices.Clip(o.s.parts), o.b.document.requiring(name))
		have := with.required()
		for _, m := range more {
			if !have[m] {
				r.and(o.no("the member %s became required in objects with the member %s", quoteJSON(m), quoteJSON(name)).with(o.c.values.build(&with, nil, m, 0)))
			}
		}
	}
	for _, d := range o.b.DependentSchemas {
		if _, ok := o.c.member(o.s, d.Name, 0); !ok {
			continue
		}
		r.and(o.c.inPlace(o.c.only(o.s, object), o.b.document.of(d.Schema), o.pointer, nil, o.b.document.requiring(d.Name)))
	}
	return r
}

// enter compares one member.
func (o *objects) enter(of all, b *node, name string) result {
	return o.c.enter(of, b, o.pointer).within(func(value json.RawMessage) json.RawMessage {
		return o.c.values.build(o.s, map[string]json.RawMessage{name: value}, "", 0)
	})
}

func (o *objects) properties() result {
	r := yes
	for _, p := range o.b.Properties {
		if of, ok := o.c.member(o.s, p.Name, 0); ok {
			r.and(o.enter(of, o.b.document.of(p.Schema), p.Name))
		}
	}
	return r
}

func (o *objects) patterns() result {
	r := yes
	for _, p := range o.b.PatternProperties {
		re := o.c.pattern(p.Name)
		to := o.b.document.of(p.Schema)
		if re == nil {
			r.and(o.no("RE2 does not take the pattern %s", short(quoteJSON(p.Name))))
			continue
		}
		for _, name := range o.names {
			if of, ok := o.c.member(o.s, name, 0); ok && re.MatchString(name) {
				r.and(o.enter(of, to, name))
			}
		}
		for _, g := range o.c.groups(o.s, o.names) {
			names := g.names
			names.match = append(slices.Clone(names.match), p.Name)
			r.and(o.group(g, names, to))
		}
	}
	return r
}

// group checks the undeclared members whose names are in a language.
func (o *objects) group(g group, names language, to *node) result {
	name, some, decided := o.c.find(names)
	if decided && !some {
		return yes
	}
	r := o.enter(g.of, to, name)
	if !r.yes && !decided {
		r.hints = nil
	}
	return r
}

func (o *objects) rest() result {
	to := o.b.additional()
	if to == nil || to.IsBool(true) {
		if more := o.b.UnevaluatedProperties; more != nil && to == nil && !more.IsBool(true) {
			if flat := flatten(o.b); flat != nil {
				return o.c.shapeIn(o.s, flat, o.pointer)
			}
			return o.no("unevaluatedProperties together with other schemas: mcpgen cannot decide whether values fit").with(o.c.values.examples(o.s, object)...)
		}
		return yes
	}
	var declared, patterns []string
	for _, p := range o.b.Properties {
		declared = append(declared, p.Name)
	}
	for _, p := range o.b.PatternProperties {
		if o.c.pattern(p.Name) == nil {
			return o.no("RE2 does not take the pattern %s", short(quoteJSON(p.Name)))
		}
		patterns = append(patterns, p.Name)
	}
	r := yes
	for _, name := range o.names {
		named := slices.Contains(declared, name) ||
			slices.ContainsFunc(patterns, func(text string) bool { return o.c.pattern(text).MatchString(name) })
		if named {
			continue
		}
		if of, ok := o.c.member(o.s, name, 0); ok {
			r.and(o.enter(of, to, name))
		}
	}
	for _, g := range o.c.groups(o.s, o.names) {
		names := g.names
		names.avoid = append(slices.Concat(names.avoid, patterns), exactly(declared))
		if g.pattern == "" && len(patterns) == 0 && len(names.avoid) == 2 {
			if of, ok := o.fresh(g, to, declared); ok {
				r.and(of)
				continue
			}
		}
		r.and(o.group(g, names, to))
	}
	return r
}

// fresh checks a name that neither side declares; ok is false if patterns restrict the names.
func (o *objects) fresh(g group, to *node, declared []string) (result, bool) {
	name := "extra"
	for i := 2; slices.Contains(declared, name) || slices.Contains(o.names, name) || o.c.absent(o.s, name); i++ {
		if name = "extra" + strconv.Itoa(i); i > 50 {
			return yes, false
		}
	}
	return o.enter(g.of, to, name), true
}

// memberNames checks propertyNames.
func (o *objects) memberNames() result {
	if o.b.PropertyNames == nil {
		return yes
	}
	to := o.b.document.of(o.b.PropertyNames)
	r := yes
	ask := func(of all) {
		answer := o.c.enter(of, to, o.pointer).within(o.havingNamed)
		for i, h := range answer.hints {
			answer.hints[i].why.reason = "the name of a member: " + h.why.reason
		}
		r.and(answer)
	}
	for _, name := range o.names {
		if _, ok := o.c.member(o.s, name, 0); ok {
			ask(all{o.b.document.constant(name)})
		}
	}
	var fit all
	for _, n := range o.s.parts {
		if n.PropertyNames != nil {
			fit = append(fit, n.document.of(n.PropertyNames))
		}
	}
	anyText := o.b.document.make("text", &jsonschema.Schema{Types: []string{"string"}})
	for _, g := range o.c.groups(o.s, o.names) {
		if o.c.empty(g.of, 1) {
			continue
		}
		of := append(slices.Clip(fit), anyText)
		if g.pattern != "" {
			of = append(of, o.b.document.named(g.pattern))
		}
		ask(of)
	}
	return r
}

// havingNamed returns an object that has a member with the given name, a JSON string; nil if there is none.
func (o *objects) havingNamed(name json.RawMessage) json.RawMessage {
	var text string
	if json.Unmarshal(name, &text) != nil {
		return nil
	}
	value := o.c.values.valueOf(o.s, text)
	if value == nil {
		return nil
	}
	return o.c.values.build(o.s, map[string]json.RawMessage{text: value}, "", 0)
}
