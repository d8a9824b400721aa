package decide

// Conditions: if, then, else and dependentSchemas. They constrain values that are
// typed elsewhere, and sometimes declare members on the way.

import (
	"slices"
	"strconv"

	"github.com/mcpgen/mcpgen/internal/jsontext"
	"github.com/mcpgen/mcpgen/schema/jsonschema"
)

// conditional returns the members that the conditions of s declare and that
// neither s nor the other parts do. They are optional: a condition may not hold.
func (b *side) conditional(s *jsonschema.Schema, others []*jsonschema.Schema) []jsonschema.Property {
	if s.Then == nil && s.Else == nil && s.DependentSchemas == nil || s.AdditionalProperties != nil {
		return nil // additionalProperties rules over everything that properties do not declare
	}
	known := map[string]bool{}
	for _, p := range append([]*jsonschema.Schema{s}, others...) {
		for _, q := range p.Properties {
			known[q.Name] = true
		}
	}
	var names []string
	found := map[string][]*jsonschema.Schema{}
	conditions := []*jsonschema.Schema{s.Then, s.Else}
	for _, d := range s.DependentSchemas {
		conditions = append(conditions, d.Schema)
	}
	for _, c := range conditions {
		for _, p := range b.memberships(c) {
			if known[p.Name] {
				continue
			}
			if found[p.Name] == nil {
				names = append(names, p.Name)
			}
			found[p.Name] = append(found[p.Name], p.Schema)
		}
	}
	slices.Sort(names)
	var out []jsonschema.Property
	for _, name := range names {
		out = append(out, jsonschema.Property{Name: name, Schema: b.either(s.Pointer+"/properties/"+jsontext.EscapePointer(name), found[name])})
	}
	return out
}

// memberships returns the properties that a condition declares.
func (b *side) memberships(c *jsonschema.Schema) []jsonschema.Property {
	if c == nil {
		return nil
	}
	v, why := b.view(c)
	if why != "" {
		return nil
	}
	out := slices.Clone(v.Properties)
	for _, variant := range v.AnyOf {
		out = append(out, variant.Properties...)
	}
	return slices.DeleteFunc(out, func(p jsonschema.Property) bool { return isFalse(p.Schema) })
}

// either is the schema of a member that conditions declare. In a result it may
// be there, and anything, where none of them holds: only a union, which keeps what
// it does not know, can say more.
func (b *side) either(at string, declared []*jsonschema.Schema) *jsonschema.Schema {
	e := &jsonschema.Schema{Pointer: at, AnyOf: declared}
	if b.results {
		e.AnyOf = append(slices.Clip(declared), &jsonschema.Schema{Pointer: at + "/anyOf/" + strconv.Itoa(len(declared)), Types: []string{"null"}})
		if v, why := b.view(e); why != "" || !isUnion(v) {
			e = &jsonschema.Schema{Pointer: at}
		}
	}
	if len(e.AnyOf) < 2 {
		e.Title, e.Description = declared[0].Title, declared[0].Description
	}
	b.declaredIf[e] = declared
	return e
}

// together is the schema of a member that is declared twice. What is declared
// without condition rules over what is not.
func (b *side) together(at string, x, y *jsonschema.Schema) *jsonschema.Schema {
	ifX, ifY := b.declaredIf[x], b.declaredIf[y]
	switch {
	case ifX != nil && ifY != nil:
		return b.either(at, append(slices.Clip(ifX), ifY...))
	case ifX != nil:
		return y
	case ifY != nil:
		return x
	}
	return b.both(at, x, y)
}
