package decide

// Unions: which branches there are, and what each of them says with all that
// holds beside it. Not every anyOf is a union: with null, with one branch, of one
// scalar type, or of constraints alone it comes down to one schema.

import (
	"cmp"
	"encoding/json"
	"errors"
	"slices"
	"strconv"

	"github.com/mcpgen/mcpgen/schema"
	"github.com/mcpgen/mcpgen/schema/jsonschema"
)

// maxVariants bounds the variants of a union.
const maxVariants = 200

// alternative is one branch, seen.
type alternative struct {
	v  *jsonschema.Schema
	at string             // pointer of the branch, which is not that of v if it is a reference
	of *jsonschema.Schema // the union that it is a branch of, if that is a part by itself
}

func isUnion(v *jsonschema.Schema) bool { return len(v.AnyOf) > 0 }

// unionParts returns the branches of the parts that are unions.
func unionParts(parts []*jsonschema.Schema) [][]alternative {
	var sets [][]alternative
	for _, p := range parts {
		var set []alternative
		for i, v := range p.AnyOf {
			set = append(set, alternative{v: v, at: parts[0].Pointer + "/anyOf/" + strconv.Itoa(i), of: p})
		}
		if set != nil {
			sets = append(sets, set)
		}
	}
	return sets
}

// alternatives returns what the branches come down to beside base: none if they
// add nothing to its Go type, one if that says all, else those of a union.
func (vs *views) alternatives(base *jsonschema.Schema, branches []*jsonschema.Schema) ([]alternative, string) {
	var set []alternative
	for _, branch := range branches {
		v, why := vs.view(branch)
		switch {
		case why != "":
			return nil, why
		case onlyNull(v) || v.IsBool(false):
		case isUnion(v):
			for i, inner := range v.AnyOf {
				set = append(set, alternative{v: inner, at: branch.Pointer + "/anyOf/" + strconv.Itoa(i)})
			}
		default:
			set = append(set, alternative{v: v, at: branch.Pointer})
		}
	}
	shaped := func(a alternative) bool { return !constrains(base, a.v) }
	anything := func(a alternative) bool { return len(base.Types) == 0 && saysNothing(a.v) }
	switch {
	case len(set) < 2:
		return set, ""
	case !slices.ContainsFunc(set, shaped) || slices.ContainsFunc(set, anything):
		return nil, ""
	}
	if v := vs.oneScalar(base.Pointer, set); v != nil {
		return []alternative{{v: v}}, ""
	}
	return set, ""
}

// saysNothing reports whether values of every type are valid for v, and v says
// nothing that a Go type could show.
func saysNothing(v *jsonschema.Schema) bool {
	return v.Bool != nil || v.Types == nil && !shapes(v)
}

// constrains reports whether v only constrains values of the type that base
// declares, as in {"required": ["a"]}, also if it repeats that a may be anything.
func constrains(base, v *jsonschema.Schema) bool {
	says := func(p jsonschema.Property) bool { return !p.Schema.IsBool(true) || base.Property(p.Name) == nil }
	if !slices.ContainsFunc(v.Properties, says) {
		bare := *v
		bare.Properties = nil
		v = &bare
	}
	if v.Bool != nil || shapes(v) {
		return v.Bool != nil
	}
	return len(base.Types) > 0 && (v.Types == nil || sameKinds(v.Types, nonNull(base.Types)))
}

// distribute makes the union of all combinations of one branch of each set with the
// common parts. Combinations that no value satisfies are left out.
func (vs *views) distribute(s *jsonschema.Schema, common []*jsonschema.Schema,
	sets [][]alternative) (*jsonschema.Schema, string) {
	base, why := vs.merge(s.Pointer, common)
	if why != "" {
		return nil, why
	}
	ways := []alternative{{v: base, at: s.Pointer}}
	for n, set := range sets {
		var longer []alternative
		for _, way := range ways {
			for i, branch := range set {
				at := branch.at
				if n > 0 {
					at = way.at + "/allOf/" + strconv.Itoa(i)
				}
				v, none := branch.v, ""
				if n > 0 || !bare(base) {
					v, none = vs.merge(at, []*jsonschema.Schema{way.v, branch.v})
				}
				if none != "" || v.IsBool(false) {
					why = none
					continue
				}
				longer = append(longer, alternative{v: vs.closed(at, s, v), at: at})
			}
			if len(longer) > maxVariants {
				return nil, "it is a union of more than " + strconv.Itoa(maxVariants) + " variants"
			}
		}
		if ways = longer; len(ways) == 0 {
			return nil, cmp.Or(why, "no value fits all its parts")
		}
	}
	return unite(s, base, ways), ""
}

// bare reports whether s adds nothing to what another schema says.
func bare(s *jsonschema.Schema) bool {
	rest := *s
	rest.Title, rest.Description, rest.Default, rest.Examples = "", "", nil, nil
	return s.Bool == nil && s.Types == nil && !shapes(s) && len(s.Required) == 0 &&
		s.Minimum == "" && s.Maximum == "" && facts(&rest) == nil // facts are silent about some bounds
}

// unite is the union of ways at the pointer of s, each once.
func unite(s, base *jsonschema.Schema, ways []alternative) *jsonschema.Schema {
	u := &jsonschema.Schema{
		Pointer: s.Pointer, Title: base.Title, Description: base.Description, Default: base.Default,
		Examples: base.Examples, Deprecated: base.Deprecated, ReadOnly: base.ReadOnly, Keywords: s.Keywords,
		Required: base.Required,
	}
	known := map[string]bool{}
	open := false
	for _, way := range ways {
		if known[way.v.Pointer] {
			continue
		}
		known[way.v.Pointer] = true
		u.AnyOf = append(u.AnyOf, way.v)
		ks := kinds(way.v)
		open = open || len(ks) == 0
		for _, k := range ks {
			if !slices.Contains(u.Types, k) {
				u.Types = append(u.Types, k)
			}
		}
	}
	if open {
		u.Types = nil
	}
	if len(u.AnyOf) == 1 {
		return u.AnyOf[0]
	}
	return u
}

// oneScalar joins branches of one scalar type: their values if all of them list
// some, else the type, with the values that are known. It returns nil if the
// branches are something else.
func (vs *views) oneScalar(pointer string, set []alternative) *jsonschema.Schema {
	joined := &jsonschema.Schema{Pointer: pointer}
	kind, all := "", true
	var listed []json.RawMessage
	var open []*jsonschema.Schema // without values
	for _, a := range set {
		v := a.v
		k := kinds(v)
		if len(k) != 1 || k[0] == "object" || k[0] == "array" {
			return nil
		}
		switch {
		case kind == "":
			kind, joined.Format = k[0], v.Format
		case kind == "integer" && k[0] == "number":
			kind = "number"
		case kind != k[0] && !(kind == "number" && k[0] == "integer"):
			return nil
		}
		if v.Format != joined.Format {
			joined.Format = ""
		}
		vals := v.Values()
		if vals == nil {
			vals = vs.hints[v.Pointer]
			all, open = false, append(open, v)
		}
		listed = append(listed, vals...)
	}
	joined.Types = []string{kind}
	switch {
	case all:
		joined.Enum = listed
	case len(open) == 1 && open[0].Format != "" &&
		!slices.ContainsFunc(listed, func(raw json.RawMessage) bool { return string(raw) != `""` }):
		joined.Format = open[0].Format // its type holds "", too
	case len(listed) > 0:
		vs.hints[pointer] = listed
		if len(open) == 1 {
			vs.matched[pointer] = open[0].Pattern
		}
	}
	return joined
}

// constantsOf returns the values that a member may have; nil if there is another.
func (vs *views) constantsOf(s *jsonschema.Schema) []string {
	if s == nil {
		return nil
	}
	v, why := vs.view(s)
	if why != "" || isUnion(v) {
		return nil
	}
	var out []string
	for _, raw := range v.Values() {
		switch kindOf(raw) {
		case "null":
		case "object", "array":
			return nil
		default:
			if len(raw) > maxConstBytes || !wholeText(raw) && raw[0] == '"' {
				return nil
			}
			out = append(out, string(raw))
		}
	}
	if len(out) > maxConsts {
		return nil
	}
	return out
}

// onlyNull reports whether v allows null and no other value.
func onlyNull(v *jsonschema.Schema) bool {
	if vals := v.Values(); vals != nil {
		return !slices.ContainsFunc(vals, func(raw json.RawMessage) bool { return string(raw) != "null" })
	}
	return len(v.Types) == 1 && v.Types[0] == "null"
}

// kinds returns the types that v allows except null; number includes integer. The
// types of listed values are the most exact. Nil is any type.
func kinds(v *jsonschema.Schema) []string {
	types := nonNull(v.Types)
	var listed []string
	for _, raw := range v.Values() {
		k := kindOf(raw)
		valid := v.Types == nil || slices.Contains(types, k) || k == "integer" && slices.Contains(types, "number")
		if k != "null" && valid && !slices.Contains(listed, k) {
			listed = append(listed, k)
		}
	}
	if listed != nil && len(types) != 1 {
		types = listed
	}
	if slices.Contains(types, "number") {
		types = slices.DeleteFunc(types, func(t string) bool { return t == "integer" })
	}
	return types
}

// refReason explains why a reference cannot be resolved.
func refReason(err error) string {
	if e, ok := errors.AsType[*schema.Error](err); ok {
		return e.Reason
	}
	return err.Error()
}

// branch is one way to be a value of a union: a schema of one kind.
type branch struct {
	v    *jsonschema.Schema
	kind string
	name string // what the variant is called behind its union; "" for a definition, which has its own name
	// short is the same without what all of the union's tags begin and end with; "" if that is nothing.
	short string
}

// branches splits a union by the kinds of its values. A branch without a type counts for
// the kinds that it describes; other values match the type Other.
func (vs *views) branches(u *jsonschema.Schema) []branch {
	each := u.AnyOf
	if !isUnion(u) {
		each = []*jsonschema.Schema{u}
	}
	var out []branch
	scalars := map[string]int{} // place in out, by kind
	sets := map[string][]alternative{}
	for _, v := range each {
		for _, k := range branchKinds(v) {
			only := vs.restricted(u, v, k)
			if k == "object" || k == "array" {
				out = append(out, branch{v: only, kind: k})
				continue
			}
			key := k
			if k == "integer" {
				key = "number" // one Go type for all numbers
			}
			if _, ok := scalars[key]; !ok {
				scalars[key] = len(out)
				out = append(out, branch{})
			}
			sets[key] = append(sets[key], alternative{v: only})
		}
	}
	for key, at := range scalars {
		out[at] = vs.scalars(u, sets[key])
	}
	return out
}

// branchKinds are the kinds of a branch.
func branchKinds(v *jsonschema.Schema) []string {
	if ks := kinds(v); len(ks) > 0 || v.Types != nil {
		return ks
	}
	var ks []string
	if describesObject(v) {
		ks = append(ks, "object")
	}
	if describesArray(v) {
		ks = append(ks, "array")
	}
	return ks
}

func describesObject(v *jsonschema.Schema) bool {
	return len(v.Properties) > 0 || len(v.PatternProperties) > 0 ||
		v.AdditionalProperties != nil && v.AdditionalProperties.Bool == nil
}

func describesArray(v *jsonschema.Schema) bool {
	return len(v.PrefixItems) > 0 || v.Items != nil && v.Items.Bool == nil
}

// restricted is v as far as it is of one kind.
func (vs *views) restricted(u, v *jsonschema.Schema, kind string) *jsonschema.Schema {
	if ks := kinds(v); len(ks) == 1 && (slices.Equal(nonNull(v.Types), ks) || v.Types == nil && v.Values() != nil) {
		return v
	}
	only := *v
	vs.mention(&only, vs.mentioned[v])
	only.Types = []string{kind}
	only.Pointer = v.Pointer + "/type/" + kind
	if v == u {
		only.Title, only.Description, only.Default, only.Examples = "", "", nil, nil
	}
	if hints := vs.hints[v.Pointer]; hints != nil {
		vs.hints[only.Pointer] = hints
	}
	return &only
}

// scalars is the one branch for all scalars of a kind.
func (vs *views) scalars(u *jsonschema.Schema, set []alternative) branch {
	kind := kinds(set[0].v)[0]
	if len(set) > 1 {
		if v := vs.oneScalar(u.Pointer+"/type/"+kind, set); v != nil {
			return branch{v: v, kind: v.Types[0]}
		}
	}
	return branch{v: set[0].v, kind: kind}
}
