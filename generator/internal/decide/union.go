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
func (b *side) alternatives(base *jsonschema.Schema, branches []*jsonschema.Schema) ([]alternative, string) {
	var set []alternative
	for _, branch := range branches {
		v, why := b.view(branch)
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
	if v := b.oneScalar(base.Pointer, set); v != nil {
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
	if !slices.ContainsFunc(v.Properties, func(p jsonschema.Property) bool { return !p.Schema.IsBool(true) || base.Property(p.Name) == nil }) {
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
func (b *side) distribute(s *jsonschema.Schema, common []*jsonschema.Schema, sets [][]alternative) (*jsonschema.Schema, string) {
	base, why := b.merge(s.Pointer, common)
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
					v, none = b.merge(at, []*jsonschema.Schema{way.v, branch.v})
				}
				if none != "" || v.IsBool(false) {
					why = none
					continue
				}
				longer = append(longer, alternative{v: b.closed(&jsonschema.Schema{
					Pointer: at, UnevaluatedProperties: s.UnevaluatedProperties, UnevaluatedItems: s.UnevaluatedItems, Contains: s.Contains,
				}, v), at: at})
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
func (b *side) oneScalar(pointer string, set []alternative) *jsonschema.Schema {
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
			vals = b.hints[v.Pointer]
			all, open = false, append(open, v)
		}
		listed = append(listed, vals...)
	}
	joined.Types = []string{kind}
	switch {
	case all:
		joined.Enum = listed
	case len(open) == 1 && open[0].Format != "" && !slices.ContainsFunc(listed, func(raw json.RawMessage) bool { return string(raw) != `""` }):
		joined.Format = open[0].Format // its type holds "", too
	case len(listed) > 0:
		b.hints[pointer] = listed
		if len(open) == 1 {
			b.matched[pointer] = open[0].Pattern
		}
	}
	return joined
}

// onlyNull reports whether null is the one value that v allows.
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
	var e *schema.Error
	if errors.As(err, &e) {
		return e.Reason
	}
	return err.Error()
}
