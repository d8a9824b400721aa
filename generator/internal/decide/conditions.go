package decide

// Conditions: if, then, else and dependentSchemas. They constrain values that are
// typed elsewhere, and sometimes declare members on the way.

import (
	"maps"
	"slices"
	"strconv"

	"github.com/mcpgen/mcpgen/internal/jsontext"
	"github.com/mcpgen/mcpgen/schema/jsonschema"
)

// conditional returns the members that the conditions of s declare and that
// neither s nor the other parts do. They are optional: a condition may not hold.
func (vs *views) conditional(s *jsonschema.Schema, others []*jsonschema.Schema) []jsonschema.Property {
	if s.AdditionalProperties != nil {
		return nil // it rules over everything that properties do not declare
	}
	known := map[string]bool{}
	for _, p := range append([]*jsonschema.Schema{s}, others...) {
		for _, q := range p.Properties {
			known[q.Name] = true
		}
	}
	found := map[string][]*jsonschema.Schema{}
	for _, c := range conditions(s) {
		if c == s.If {
			continue // it need not hold
		}
		for _, p := range vs.memberships(c) {
			if !known[p.Name] {
				found[p.Name] = append(found[p.Name], p.Schema)
			}
		}
	}
	var out []jsonschema.Property
	for _, name := range slices.Sorted(maps.Keys(found)) {
		at := s.Pointer + "/properties/" + jsontext.EscapePointer(name)
		out = append(out, jsonschema.Property{Name: name, Schema: vs.either(at, found[name])})
	}
	return out
}

// conditions are the schemas that may hold for a value of s, and may not.
func conditions(s *jsonschema.Schema) []*jsonschema.Schema {
	out := []*jsonschema.Schema{s.If, s.Then, s.Else}
	for _, d := range s.DependentSchemas {
		out = append(out, d.Schema)
	}
	return slices.DeleteFunc(out, func(c *jsonschema.Schema) bool { return c == nil })
}

// mentions returns the members that the conditions of s speak of without declaring
// them, sorted. Those of an if may be there even where everything that nothing
// declares is ruled out. The others only have to find a place in arguments, which
// have no Extra for them.
func (vs *views) mentions(s *jsonschema.Schema) []string {
	var names []string
	for _, c := range conditions(s) {
		v, why := vs.view(c)
		if why != "" || vs.results && c != s.If {
			continue
		}
		if !vs.results {
			names = append(names, v.Required...)
		}
		for _, p := range v.Properties {
			if c == s.If && !p.Schema.IsBool(false) {
				names = append(names, p.Name)
			}
		}
	}
	if !vs.results {
		for name, needs := range s.DependentRequired {
			names = append(append(names, name), needs...)
		}
	}
	slices.Sort(names)
	return slices.Compact(names)
}

// withMentioned is v with the members that it only speaks of, as any value.
func (vs *views) withMentioned(v *jsonschema.Schema) *jsonschema.Schema {
	if len(vs.mentioned[v]) == 0 {
		return v
	}
	own := *v
	own.Properties = slices.Clip(v.Properties)
	for _, name := range vs.mentioned[v] {
		if v.Property(name) == nil && !v.IsRequired(name) {
			own.Properties = append(own.Properties, jsonschema.Property{
				Name: name, Schema: &jsonschema.Schema{Pointer: v.Pointer + "/properties/" + jsontext.EscapePointer(name)},
			})
		}
	}
	return &own
}

// declared returns the properties of v, and the members that it does not declare
// but requires, or speaks of where they would have no other place.
func (vs *views) declared(v *jsonschema.Schema) []jsonschema.Property {
	if !vs.results && v.AdditionalProperties == nil {
		v = vs.withMentioned(v)
	}
	known := map[string]bool{}
	for _, p := range v.Properties {
		known[p.Name] = true
	}
	out := slices.Clone(v.Properties)
	if v.AdditionalProperties.IsBool(false) && len(v.PatternProperties) == 0 {
		return out // they can never be there
	}
	for _, name := range v.Required {
		if known[name] {
			continue
		}
		s := undeclared(v)
		if s == nil {
			s = &jsonschema.Schema{Pointer: v.Pointer + "/properties/" + jsontext.EscapePointer(name)}
		}
		out = append(out, jsonschema.Property{Name: name, Schema: s})
	}
	return out
}

// mention adds names to the members that v mentions.
func (vs *views) mention(v *jsonschema.Schema, names []string) {
	if len(names) > 0 {
		vs.mentioned[v] = slices.Compact(slices.Sorted(slices.Values(append(names, vs.mentioned[v]...))))
	}
}

// open allows undeclared members and items in own where conditions or dynamic references
// of s may allow some that cannot be seen here.
func (vs *views) open(s, own *jsonschema.Schema) {
	members := dynamic(s) != ""
	items := members
	for _, c := range conditions(s) {
		v, why := vs.view(c)
		if why != "" || v.Bool != nil {
			continue
		}
		for _, v := range append([]*jsonschema.Schema{v}, v.AnyOf...) {
			members = members || len(v.PatternProperties) > 0 ||
				v.AdditionalProperties != nil && !v.AdditionalProperties.IsBool(false)
			items = items || describesArray(v) || v.Contains != nil
		}
	}
	if members && own.AdditionalProperties == nil {
		own.AdditionalProperties = &jsonschema.Schema{Pointer: s.Pointer + "/additionalProperties", Bool: new(true)}
		vs.opened[own.AdditionalProperties] = dynamic(s) == ""
	}
	if items && own.Items == nil {
		own.Items = &jsonschema.Schema{Pointer: s.Pointer + "/items", Bool: new(true)}
	}
}

// memberships returns the properties that a condition declares.
func (vs *views) memberships(c *jsonschema.Schema) []jsonschema.Property {
	v, why := vs.view(c)
	if why != "" {
		return nil
	}
	out := slices.Clone(v.Properties)
	for _, variant := range v.AnyOf {
		out = append(out, variant.Properties...)
	}
	return slices.DeleteFunc(out, func(p jsonschema.Property) bool { return p.Schema.IsBool(false) })
}

// either is the schema of a member that conditions declare. In a result it may
// be there, and anything, where none of them holds: only a union, which keeps what
// it does not know, can say more.
func (vs *views) either(at string, declared []*jsonschema.Schema) *jsonschema.Schema {
	e := &jsonschema.Schema{Pointer: at, AnyOf: declared}
	if vs.results {
		null := &jsonschema.Schema{Pointer: at + "/anyOf/" + strconv.Itoa(len(declared)), Types: []string{"null"}}
		e.AnyOf = append(slices.Clip(declared), null)
		if v, why := vs.view(e); why != "" || !isUnion(v) {
			e = &jsonschema.Schema{Pointer: at}
		}
	}
	if len(e.AnyOf) < 2 {
		e.Title, e.Description = declared[0].Title, declared[0].Description
	}
	vs.declaredIf[e] = declared
	return e
}

// sometimes reports whether s is a member of a result that only conditions declare: if they
// do not hold, it may be any value.
func (vs *views) sometimes(s *jsonschema.Schema) bool {
	return vs.results && vs.declaredIf[s] != nil && len(s.AnyOf) == 0
}

// together returns the schema of a member that is declared twice. A declaration without a
// condition takes precedence.
func (vs *views) together(at string, x, y *jsonschema.Schema) *jsonschema.Schema {
	ifX, ifY := vs.declaredIf[x], vs.declaredIf[y]
	switch {
	case ifX != nil && ifY != nil:
		return vs.either(at, append(slices.Clip(ifX), ifY...))
	case ifX != nil:
		return y
	case ifY != nil:
		return x
	}
	return vs.both(at, x, y)
}

// asked returns the members that branches require or mention, for branches that have no
// types of their own. Results need no fields for such members, so there are none.
func (vs *views) asked(branches []*jsonschema.Schema) []string {
	var names []string
	for _, branch := range branches {
		if v, why := vs.view(branch); why == "" && !vs.results {
			names = append(names, v.Required...)
			names = append(names, vs.mentioned[v]...)
		}
	}
	return names
}
