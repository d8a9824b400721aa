package decide

// Objects: structs, maps, and what is between.

import (
	"encoding/json"
	"regexp"
	"slices"
	"strings"

	"github.com/mcpgen/mcpgen/generator/internal/gotext"
	"github.com/mcpgen/mcpgen/generator/internal/ir"
	"github.com/mcpgen/mcpgen/internal/jsontext"
	"github.com/mcpgen/mcpgen/schema/jsonschema"
)

// object is a struct if properties are declared or none are allowed, else a map.
func (mk *maker) object(v *jsonschema.Schema) expr {
	none := v.AdditionalProperties.IsBool(false) && len(v.PatternProperties) == 0
	if len(v.Properties) == 0 && !none {
		return mk.mapping(v)
	}
	if !mk.budget.room(len(v.Properties) + len(v.Required)) {
		return mk.wide(v, tooMany)
	}
	return expr{ref: named(mk.begin(ir.Struct, v))}
}

// mapping is an object without declared properties.
func (mk *maker) mapping(v *jsonschema.Schema) expr {
	value := undeclared(v)
	if value == nil {
		return expr{ref: mapping(mk.untyped()), notes: mk.widened(v)}
	}
	if value.IsBool(false) {
		return expr{ref: mapping(mk.untyped()), notes: []string{"Only an empty object is valid."}}
	}
	e := mk.expr(value)
	return expr{ref: mapping(mk.element(e.ref, value)), notes: e.notes}
}

// undeclared is the schema of the members that v does not name: of those that fit
// a pattern, and of the others. Nil is any value.
func undeclared(v *jsonschema.Schema) *jsonschema.Schema {
	if len(v.PatternProperties) == 0 {
		return v.AdditionalProperties
	}
	one := &jsonschema.Schema{Pointer: v.Pointer + "/unevaluatedProperties"}
	for _, p := range v.PatternProperties {
		if matchesAll(p.Name) {
			one.AllOf = append(one.AllOf, p.Schema)
		}
	}
	switch {
	case len(one.AllOf) == 1:
		return one.AllOf[0]
	case len(one.AllOf) > 1:
		return one
	case v.AdditionalProperties == nil:
		return nil
	}
	for _, p := range v.PatternProperties {
		if !p.Schema.IsBool(false) {
			one.AnyOf = append(one.AnyOf, p.Schema)
		}
	}
	if !v.AdditionalProperties.IsBool(false) {
		one.AnyOf = append(one.AnyOf, v.AdditionalProperties)
	}
	switch len(one.AnyOf) {
	case 0:
		return v.AdditionalProperties
	case 1:
		return one.AnyOf[0]
	}
	return one
}

// matchesAll reports whether a pattern is one of those that people write for "any
// name". What other patterns match is not analyzed.
func matchesAll(pattern string) bool {
	switch strings.TrimSuffix(strings.TrimPrefix(pattern, "^"), "$") {
	case "":
		return pattern != "^$"
	case ".*", "(.*)", "(?:.*)", `[\s\S]*`:
		return true
	}
	return false
}

// widened says that the members which v has a pattern for are any value, because
// the others may be.
func (mk *maker) widened(v *jsonschema.Schema) []string {
	for _, p := range v.PatternProperties {
		if !p.Schema.IsBool(true) && (!direct(p.Schema) || !bare(p.Schema)) {
			mk.warn(v.Pointer,
				"its members that match "+quote(p.Name)+" are typed as any value, because it allows other members too")
			return []string{"Members that match " + quote(p.Name) +
				" are any value, although the schema says more: others are allowed too."}
		}
	}
	return nil
}

// fill gives a struct its fields, in the order of the schema's properties; those that are
// only required or spoken of follow.
func (mk *maker) fill(d *decl) {
	v := d.v
	required := make(map[string]bool, len(v.Required))
	for _, name := range v.Required {
		required[name] = true
	}
	seen := map[string]bool{}
	patterns := mk.patterns(v)
	for _, p := range mk.declared(v) {
		if seen[p.Name] || p.Schema.IsBool(false) {
			continue
		}
		seen[p.Name] = true
		at := v.Pointer + "/properties/" + jsontext.EscapePointer(p.Name)
		for _, pattern := range patterns {
			if pattern.MatchString(p.Name) && mk.budget.spend(1) {
				p.Schema = mk.both(at, p.Schema, pattern.schema)
			}
		}
		m := mk.member(p, required[p.Name], mk.at+at)
		m.f.Untagged = !gotext.TagHolds(p.Name)
		d.members, d.t.Fields = append(d.members, m), append(d.t.Fields, m.f)
	}
	d.t.Extra = mk.extra(d)
}

// pattern is a pattern for the names of members, with their schema.
type pattern struct {
	*regexp.Regexp
	schema *jsonschema.Schema
}

// patterns are those that hold for the properties of v, too. They only matter to
// arguments: what they declare beside a property, a result keeps in Extra.
func (mk *maker) patterns(v *jsonschema.Schema) []pattern {
	var out []pattern
	for _, p := range v.PatternProperties {
		if mk.results || p.Schema.IsBool(true) || p.Schema.IsBool(false) {
			continue
		}
		if re, err := regexp.Compile(p.Name); err == nil && mk.budget.spend(1) {
			out = append(out, pattern{re, p.Schema})
		}
	}
	return out
}

// extra is the type of undeclared members; nil keeps none. Arguments have room
// for them only where the schema says so: what it merely does not forbid is not
// sent, so that a server may declare it later without breaking anybody. Values that
// the schema lists can be sent whole.
func (mk *maker) extra(d *decl) *ir.Ref {
	v := d.v
	more := undeclared(v)
	switch {
	case more.IsBool(false):
		return nil
	case more == nil && !mk.results && len(v.PatternProperties) == 0 && !listsMembers(v):
		return nil
	case more == nil:
		d.notes = append(d.notes, mk.widened(v)...)
		return mk.untyped()
	}
	e := mk.expr(more)
	if mk.opened[more] {
		d.notes = append(d.notes, "Extra takes any member: which members are valid depends on conditions of the schema.")
	}
	d.widens("Extra", e.notes)
	return mk.element(e.ref, more)
}

// listsMembers reports whether one of the values that a schema lists has a member
// that it does not declare.
func listsMembers(v *jsonschema.Schema) bool {
	for _, value := range v.Values() {
		var members map[string]json.RawMessage
		if json.Unmarshal(value, &members) != nil {
			continue // of another kind
		}
		for name := range members {
			if !slices.ContainsFunc(v.Properties, func(p jsonschema.Property) bool { return p.Name == name }) {
				return true
			}
		}
	}
	return false
}

// member types one property.
func (mk *maker) member(p jsonschema.Property, required bool, key string) *member {
	m := &member{f: &ir.Field{Wire: strings.Clone(p.Name)}, schema: p.Schema, key: key} // a copy does not keep the schema
	if !required {
		m.f.Presence = ir.OmitZero
	}
	e := mk.expr(p.Schema)
	if mk.sometimes(p.Schema) {
		e.notes = append(slices.Clip(e.notes),
			"Any value: only a condition declares it, and where that does not hold it may be anything.")
	}
	mk.typeField(m, e.ref, e.notes)
	return m
}

// typeField gives a field the type for values of the type ref, and for the absence of
// one. Notes say why ref is wider than the schema.
func (mk *maker) typeField(m *member, ref *ir.Ref, notes []string) {
	f, s := m.f, m.schema
	f.Type = ref
	null := mk.admitsNull(s)
	switch {
	case f.Presence == ir.Required:
		if null && ref.Kind != ir.Any && ref.Kind != ir.Raw {
			f.Null = isInterface(ref) || ref.Kind == ir.Slice || ref.Kind == ir.Map
			if !f.Null {
				f.Type = pointer(ref)
			}
			notes = append(slices.Clip(notes), "Required; nil is null.")
		}
	case null && isInterface(ref) && mk.implied(s) && gotext.TagHolds(f.Wire):
		f.Null = true
	default:
		var note string
		f.Type, note = mk.optional(s, ref, null)
		if note != "" {
			notes = append(slices.Clip(notes), note)
		}
	}
	f.Doc.Notes = notes
}

// optional is the type of a member that may be absent, and how its absence is
// written. Where zero is not valid, the constraint beside it says why. Arguments
// leave out a zero that is the default, too. A result keeps the zero that the server sent.
func (mk *maker) optional(s *jsonschema.Schema, ref *ir.Ref, null bool) (*ir.Ref, string) {
	switch {
	case ref.Kind == ir.Raw:
		return ref, ""
	case null:
		return optional(ref), ""
	case holdsNil(ref):
		return ref, ""
	case ref.Kind == ir.Number && mk.received():
		return ref, ""
	case ref.Kind == ir.Number:
		return ref, "Left out if empty."
	}
	v, _ := mk.view(s)
	switch excluded := !s.RefAlone() && excludesZero(s) || v != nil && excludesZero(v); {
	case excluded && mk.received():
		return ref, ""
	case excluded:
		return ref, "Left out if " + zeroWord(ref) + "."
	case !mk.results && (zeroDefault(s, ref) || v != nil && zeroDefault(v, ref)):
		note := "Left out if " + zeroWord(ref)
		if !zeroDefault(s, ref) && ref.Base().Kind == ir.Named { // its own comment has the default
			note += ", which is the default"
		}
		return ref, note + "."
	}
	return pointer(ref), ""
}
