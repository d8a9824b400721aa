package sample

// This file creates objects.

import (
	"encoding/json"
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/mcpgen/mcpgen/schema/jsonschema"
)

// member is a member that an object may have.
type member struct {
	name     string
	required bool
	values   []string
}

// maxMembers bounds the members of an object that are varied.
const maxMembers = 512

// objects returns objects that vary one member after another.
func (g *generator) objects(s *shape, most int) []string {
	members, ok := g.members(s)
	if !ok {
		return nil
	}
	o := &objects{members: members, needs: s.needs()}
	o.least, o.most = s.counts(func(p *jsonschema.Schema) (json.Number, json.Number) { return p.MinProperties, p.MaxProperties })
	if g.plain {
		return []string{o.some(3), o.with(nil)}
	}
	all := []string{o.with(nil), o.full(0), o.zeros()}
	if g.undeclared && o.open(s) {
		all = append(all, o.write(o.required(), `"undeclared":{"list":[1,null,"x"]}`))
	}
	for round := 0; round < maxNested && len(all) < most; round++ {
		any := false
		for i := range members {
			m := &members[i]
			if round >= len(m.values) {
				continue
			}
			any = true
			if round > 0 || !m.required { // otherwise it equals the first object
				all = append(all, o.with(map[int]int{i: round}))
			}
		}
		if !any {
			break
		}
		if round > 0 {
			all = append(all, o.full(round))
		}
	}
	return all
}

// members returns the members that may be set; false if a required member has no value.
func (g *generator) members(s *shape) ([]member, bool) {
	var members []member
	for _, name := range g.names(s) {
		required := slices.ContainsFunc(s.parts, func(p *jsonschema.Schema) bool { return p.IsRequired(name) })
		m := member{name: name, required: required, values: g.values(s.member(name, g.patterns), s.depth, maxNested)}
		switch {
		case len(m.values) > 0:
			members = append(members, m)
		case required:
			return nil, false
		}
		if len(members) == maxMembers {
			break
		}
	}
	return members, true
}

// names returns member names: declared ones in order, required ones, and invented ones if the schema restricts
// undeclared names.
func (g *generator) names(s *shape) []string {
	var names []string
	seen := map[string]bool{}
	add := func(name string) {
		if !seen[name] {
			seen[name] = true
			names = append(names, name)
		}
	}
	for _, p := range s.parts {
		for _, property := range p.Properties {
			add(property.Name)
		}
	}
	for _, p := range s.parts {
		for _, name := range p.Required {
			add(name)
		}
		for _, beside := range slices.Sorted(maps.Keys(p.DependentRequired)) {
			for _, name := range p.DependentRequired[beside] {
				add(name)
			}
		}
	}
	for _, p := range s.parts {
		for _, property := range p.PatternProperties {
			if texts := g.patterns.matching(property.Name); len(texts) > 0 {
				add(texts[0])
			}
		}
		free := p.AdditionalProperties != nil || p.UnevaluatedProperties != nil || p.MinProperties != "" || p.PropertyNames != nil
		if free && !(p.AdditionalProperties.IsBool(false) || p.UnevaluatedProperties.IsBool(false)) {
			for _, name := range g.freeNames(s) {
				add(name)
			}
		}
	}
	for _, name := range g.hints.names {
		add(name)
	}
	return names
}

// freeNames returns names for undeclared members.
func (g *generator) freeNames(s *shape) []string {
	var rules conjunction
	least := 0
	for _, p := range s.parts {
		if p.PropertyNames != nil {
			rules = append(rules, p.PropertyNames)
		}
		least = max(least, min(jsonschema.Count(p.MinProperties, 0), 32))
	}
	if rules == nil {
		names := []string{"key", "another key"}
		for i := len(names); i < least; i++ {
			names = append(names, "key"+strconv.Itoa(i+1))
		}
		return names
	}
	var names []string
	for _, text := range g.values(rules, s.depth, maxNested) {
		var name string
		if json.Unmarshal([]byte(text), &name) == nil && text[0] == '"' && len(names) < max(least, 2) {
			names = append(names, name)
		}
	}
	return names
}

// member returns the schemas that apply to a member.
func (s *shape) member(name string, patterns *patterns) conjunction {
	var all conjunction
	for _, p := range s.parts {
		declared := p.Property(name)
		if declared != nil {
			all = append(all, declared)
		}
		for _, property := range p.PatternProperties {
			if patterns.matches(property.Name, name) {
				declared = property.Schema
				all = append(all, declared)
			}
		}
		switch {
		case declared != nil:
		case p.AdditionalProperties != nil:
			all = append(all, p.AdditionalProperties)
		case p.UnevaluatedProperties != nil && !p.UnevaluatedProperties.IsBool(false):
			all = append(all, p.UnevaluatedProperties)
		}
	}
	return all
}

// needs returns for each member the members that it requires.
func (s *shape) needs() map[string][]string {
	all := map[string][]string{}
	for _, p := range s.parts {
		for name, names := range p.DependentRequired {
			all[name] = append(all[name], names...)
		}
	}
	return all
}

// objects assembles objects.
type objects struct {
	members     []member
	needs       map[string][]string
	least, most int // members
}

// required returns the indexes of the required members, each with the index of its first value.
func (o *objects) required() map[int]int {
	chosen := map[int]int{}
	for i := range o.members {
		if o.members[i].required {
			chosen[i] = 0
		}
	}
	return chosen
}

// with returns an object of the required members and the given ones, which map member indexes to value indexes.
func (o *objects) with(given map[int]int) string {
	chosen := o.required()
	maps.Copy(chosen, given)
	o.complete(chosen)
	return o.write(chosen)
}

// full returns an object with as many members as allowed. Each member has its value at index, or its last
// value. Members with object values use index+1, because their first value has only required members.
func (o *objects) full(index int) string {
	return o.choose(func(m *member) int {
		if m.values[0][0] == '{' {
			return min(index+1, len(m.values)-1)
		}
		return min(index, len(m.values)-1)
	})
}

// zeros returns an object of all members, each with a zero value if possible.
func (o *objects) zeros() string {
	return o.choose(func(m *member) int {
		for _, zero := range []string{"null", `""`, "0", "false", "[]", "{}"} {
			if i := slices.Index(m.values, zero); i >= 0 {
				return i
			}
		}
		return 0
	})
}

func (o *objects) choose(value func(*member) int) string {
	chosen := make(map[int]int, len(o.members))
	for _, required := range []bool{true, false} {
		for i := range o.members {
			m := &o.members[i]
			if m.required == required && (required || len(chosen) < o.most) {
				chosen[i] = value(m)
			}
		}
	}
	return o.write(chosen)
}

// some returns an object of the required members, or of the first few members if none is required.
func (o *objects) some(few int) string {
	chosen := o.required()
	if len(chosen) == 0 {
		for i := range min(few, len(o.members)) {
			chosen[i] = 0
		}
	}
	o.complete(chosen)
	return o.write(chosen)
}

// open reports whether undeclared members may be set.
func (o *objects) open(s *shape) bool {
	return !slices.ContainsFunc(s.parts, func(p *jsonschema.Schema) bool {
		return p.AdditionalProperties != nil || p.UnevaluatedProperties != nil || p.PropertyNames != nil
	})
}

// complete adds the members that the chosen ones require, and more up to the minimum count.
func (o *objects) complete(chosen map[int]int) {
	for grown := len(o.needs) > 0; grown; {
		grown = false
		for i := range o.members {
			if _, ok := chosen[i]; !ok {
				continue
			}
			for _, name := range o.needs[o.members[i].name] {
				j := slices.IndexFunc(o.members, func(m member) bool { return m.name == name })
				if _, ok := chosen[j]; j >= 0 && !ok {
					chosen[j] = 0
					grown = true
				}
			}
		}
	}
	for i := range o.members {
		if len(chosen) >= o.least {
			return
		}
		if _, ok := chosen[i]; !ok {
			chosen[i] = 0
		}
	}
}

// write returns an object of the chosen members in schema order, followed by more.
func (o *objects) write(chosen map[int]int, more ...string) string {
	var members []string
	for i, m := range o.members {
		if value, ok := chosen[i]; ok {
			members = append(members, quote(m.name)+":"+m.values[value])
		}
	}
	return "{" + strings.Join(append(members, more...), ",") + "}"
}

// quote returns a JSON string.
func quote(s string) string {
	b, err := json.Marshal(s)
	if err != nil {
		return `""`
	}
	return string(b)
}
