package decide

// Schemas that all hold at once, as one.
//
// Combining a recursive definition with another leads back to the same combination, so each
// combination is kept as a set: A and A is A, and A and B is the same schema everywhere. Without
// that, each level of the recursion would make new schemas for the next one.

import (
	"cmp"
	"fmt"
	"slices"

	"github.com/mcpgen/mcpgen/internal/jsontext"
	"github.com/mcpgen/mcpgen/schema/jsonschema"
)

// merge folds parts that all hold at once into one schema. Where the parts
// disagree on something that Go types do not show, the looser wins.
func (vs *views) merge(pointer string, parts []*jsonschema.Schema) (*jsonschema.Schema, string) {
	for _, p := range parts {
		if p.Bool != nil && !*p.Bool {
			return p, ""
		}
	}
	kinds, why := commonKinds(parts)
	if why != "" {
		return nil, why
	}
	if v := vs.onlyShape(parts, kinds); v != nil {
		return v, ""
	}
	m := *parts[0]
	m.Pointer, m.Types, m.Bool = pointer, kinds, nil
	for _, p := range parts {
		vs.mention(&m, vs.mentioned[p])
	}
	for _, p := range parts[1:] {
		if why := vs.mergeInto(&m, p); why != "" {
			return nil, why
		}
	}
	vs.keepListing(&m, parts)
	return &m, ""
}

// keepListing notes the definition that the types of m are listed by. A list of types
// is not a shape, so m is at its own place and not at that of the definition.
func (vs *views) keepListing(m *jsonschema.Schema, parts []*jsonschema.Schema) {
	if len(m.Types) < 2 || shapes(m) {
		return
	}
	for _, p := range parts {
		name, _ := vs.called.definition(p.Pointer)
		if name = cmp.Or(vs.listings[p], name); name != "" && sameKinds(p.Types, m.Types) {
			vs.listings[m] = name
			return
		}
	}
}

// onlyShape returns the only part that affects the Go type; nil if other parts affect it, too.
// The part itself is returned, so that all references to a definition share one type.
func (vs *views) onlyShape(parts []*jsonschema.Schema, kinds []string) *jsonschema.Schema {
	var only *jsonschema.Schema
	for _, p := range parts {
		if !shapes(p) && vs.hints[p.Pointer] == nil {
			continue
		}
		if only != nil {
			return nil
		}
		only = p
	}
	if only == nil || only == parts[0] || !sameKinds(only.Types, kinds) {
		return nil
	}
	for _, p := range parts {
		for _, name := range vs.mentioned[p] {
			if only.Property(name) == nil && !slices.Contains(vs.mentioned[only], name) {
				return nil
			}
		}
	}
	return only
}

// shapes reports whether p decides more of a Go type than its kind.
func shapes(p *jsonschema.Schema) bool {
	return p.Enum != nil || p.Const != nil || len(p.Properties) > 0 || len(p.PatternProperties) > 0 ||
		p.AdditionalProperties != nil || p.Items != nil || p.PrefixItems != nil || isUnion(p)
}

func sameKinds(types, kinds []string) bool {
	types = nonNull(types)
	other := func(t string) bool { return !slices.Contains(kinds, t) }
	return len(types) == len(kinds) && !slices.ContainsFunc(types, other)
}

func nonNull(types []string) []string {
	return slices.DeleteFunc(slices.Clone(types), func(t string) bool { return t == "null" })
}

// commonKinds returns the types that all parts allow, without null; nil is all.
func commonKinds(parts []*jsonschema.Schema) ([]string, string) {
	var common []string
	for _, p := range parts {
		if common == nil {
			common = nonNull(p.Types)
		} else if common = p.CommonTypes(common); p.Types != nil && len(common) == 0 {
			return nil, "its parts ask for different types"
		}
	}
	return common, ""
}

// mergeInto adds what p says to m, which is a copy.
func (vs *views) mergeInto(m, p *jsonschema.Schema) string {
	if p.Bool != nil {
		return ""
	}
	keepDynamic(m, p)
	size := len(m.Properties) + len(m.Required) + len(m.Enum) + len(p.Properties) + len(p.Required) + len(p.Enum)
	if !vs.budget.spend(1 + size) {
		return tooInvolved
	}
	mergeText(m, p)
	mergeBounds(m, p)
	if !mergeValues(m, p) {
		return "no value fits all its parts"
	}
	vs.mergeMembers(m, p)
	switch {
	case m.Items == nil:
		m.Items = p.Items
	case p.Items != nil:
		m.Items = vs.both(m.Pointer+"/items", m.Items, p.Items)
	}
	if m.PrefixItems == nil {
		m.PrefixItems = p.PrefixItems
	}
	return ""
}

func mergeText(m, p *jsonschema.Schema) {
	if m.Description == "" && m.Title == "" {
		m.Title, m.Description = p.Title, p.Description
	}
	if m.Default == nil {
		m.Default = p.Default
	}
	if m.Examples == nil {
		m.Examples = p.Examples
	}
	m.Deprecated = m.Deprecated || p.Deprecated
}

func mergeBounds(m, p *jsonschema.Schema) {
	bounds, counts := p.Bounds(), p.Counts()
	for i, b := range m.Bounds() {
		*b.Value = cmp.Or(*b.Value, *bounds[i].Value)
	}
	for i, c := range m.Counts() {
		*c.Value = cmp.Or(*c.Value, *counts[i].Value)
	}
	m.Pattern = cmp.Or(m.Pattern, p.Pattern)
	m.Format = cmp.Or(m.Format, p.Format)
	m.ContentEncoding = cmp.Or(m.ContentEncoding, p.ContentEncoding)
	m.UniqueItems = m.UniqueItems || p.UniqueItems
}

// mergeValues leaves the values that both allow. It reports false if there are none.
func mergeValues(m, p *jsonschema.Schema) bool {
	theirs, ours := p.Values(), m.Values()
	if theirs == nil {
		return true
	}
	m.Const = nil
	if ours == nil {
		m.Enum = theirs
		return true
	}
	m.Enum = nil
	listed := make(map[string]bool, len(theirs))
	for _, v := range theirs {
		listed[string(v)] = true
	}
	for _, v := range ours {
		if listed[string(v)] {
			m.Enum = append(m.Enum, v)
		}
	}
	return len(m.Enum) > 0
}

// mergeMembers unites the members of two objects. A property that both declare
// has to fit both.
func (vs *views) mergeMembers(m, p *jsonschema.Schema) {
	index := make(map[string]int, len(m.Properties))
	m.Properties = slices.Clone(m.Properties)
	for i, q := range m.Properties {
		index[q.Name] = i
	}
	for _, q := range p.Properties {
		i, declared := index[q.Name]
		if !declared {
			m.Properties = append(m.Properties, q)
			continue
		}
		at := m.Pointer + "/properties/" + jsontext.EscapePointer(q.Name)
		m.Properties[i].Schema = vs.together(at, m.Properties[i].Schema, q.Schema)
	}
	m.PatternProperties = append(slices.Clone(m.PatternProperties), p.PatternProperties...)
	m.Required = slices.Clone(m.Required)
	required := make(map[string]bool, len(m.Required))
	for _, name := range m.Required {
		required[name] = true
	}
	for _, name := range p.Required {
		if !required[name] {
			required[name] = true
			m.Required = append(m.Required, name)
		}
	}
	switch {
	case m.AdditionalProperties == nil:
		m.AdditionalProperties = p.AdditionalProperties
	case p.AdditionalProperties.IsBool(false):
		m.AdditionalProperties = p.AdditionalProperties
	case p.AdditionalProperties != nil && !m.AdditionalProperties.IsBool(false):
		m.AdditionalProperties = vs.both(m.Pointer+"/additionalProperties", m.AdditionalProperties, p.AdditionalProperties)
	}
}

// one returns the schema that replaces the set that s was made of, or s.
func (vs *views) one(s *jsonschema.Schema) *jsonschema.Schema {
	key := vs.joint[s]
	if key == "" {
		return s
	}
	if vs.sets[key] == nil {
		vs.sets[key] = s
	}
	return vs.sets[key]
}

// both is a schema that requires x and y: one of the two if they are equivalent.
func (vs *views) both(pointer string, x, y *jsonschema.Schema) *jsonschema.Schema {
	set, more := vs.conjuncts(x), vs.conjuncts(y)
	if !vs.budget.spend(1 + len(set)*len(more)) {
		return &jsonschema.Schema{Pointer: pointer, AllOf: []*jsonschema.Schema{x, y}} // any value, see view
	}
	for _, s := range more {
		if !slices.Contains(set, s) {
			set = append(set, s)
		}
	}
	if len(set) < 2 {
		if x.IsBool(true) || description(x) == "" && description(y) != "" {
			return y
		}
		return x
	}
	s := &jsonschema.Schema{Pointer: pointer, AllOf: set, Description: x.Description, Title: x.Title}
	vs.joint[s] = vs.key(set)
	return s
}

// conjuncts are the schemas that s requires together. References that say nothing else
// are followed.
func (vs *views) conjuncts(s *jsonschema.Schema) []*jsonschema.Schema {
	switch {
	case s.IsBool(true):
		return nil
	case vs.joint[s] != "":
		return slices.Clone(s.AllOf)
	}
	for range maxFold {
		target, err := vs.doc.Follow(s)
		if s.Ref == "" || err != nil || !vs.onlyRefers(s) {
			break
		}
		s = target
	}
	return []*jsonschema.Schema{s}
}

// onlyRefers reports whether the $ref of a schema is its only constraint.
func (vs *views) onlyRefers(s *jsonschema.Schema) bool {
	if s.RefAlone() {
		return len(s.Properties) == 0
	}
	rest := *s
	rest.Ref = ""
	return direct(&rest) && bare(&rest) && !rest.Nullable && rest.Default == nil && rest.Examples == nil &&
		rest.Not == nil && rest.If == nil && rest.Contains == nil && rest.PropertyNames == nil
}

// key names a set of schemas, in whatever order they are.
func (vs *views) key(set []*jsonschema.Schema) string {
	ids := make([]int, len(set))
	for i, s := range set {
		if vs.ids[s] == 0 {
			vs.ids[s] = len(vs.ids) + 1
		}
		ids[i] = vs.ids[s]
	}
	slices.Sort(ids)
	return fmt.Sprint(ids)
}
