package decide

// One schema can say what it means in many places: behind a $ref, in the parts
// of an allOf, in the one branch of an anyOf that is not null, in a then. view
// folds them into one schema that says it directly, or explains why that cannot
// be done.

import (
	"slices"
	"strconv"

	"github.com/mcpgen/mcpgen/schema/jsonschema"
)

// maxFold bounds references behind references and parts within parts.
const maxFold = 100

// folded is the result of view, remembered by schema.
type folded struct {
	v    *jsonschema.Schema
	why  string // not empty: v is nil, and the type has to be wider for this reason
	busy bool
}

// view returns what s says in one schema without $ref, allOf, oneOf and
// conditions. It has an anyOf only if it is a union; the branches are views too,
// none of them a union or null, and each says all that holds for its values.
//
// Its Pointer says whose type it is: that of the target if s only refers to it.
// If that is impossible it returns the reason. Null is decided by admitsNull.
func (b *side) view(s *jsonschema.Schema) (*jsonschema.Schema, string) {
	if s.Bool != nil || direct(s) {
		return s, ""
	}
	if key := b.joint[s]; key != "" {
		if b.sets[key] == nil {
			b.sets[key] = s
		}
		s = b.sets[key]
	}
	if f, ok := b.views[s]; ok {
		if f.busy {
			return nil, "it is defined by itself"
		}
		return f.v, f.why
	}
	switch {
	case b.folding >= maxFold:
		return nil, "its references are nested too deep"
	case !b.spend(1):
		return nil, tooInvolved
	}
	f := &folded{busy: true}
	b.views[s] = f
	b.folding++
	f.v, f.why = b.fold(s)
	b.folding--
	f.busy = false
	return f.v, f.why
}

// direct reports whether there is nothing to fold.
func direct(s *jsonschema.Schema) bool {
	return s.Ref == "" && s.AllOf == nil && s.AnyOf == nil && s.OneOf == nil &&
		s.If == nil && s.Then == nil && s.Else == nil && s.DependentSchemas == nil && s.DependentRequired == nil &&
		dynamic(s) == "" &&
		s.UnevaluatedProperties == nil && s.UnevaluatedItems == nil
}

func (b *side) fold(s *jsonschema.Schema) (*jsonschema.Schema, string) {
	s, why := b.withoutLost(s)
	if why != "" {
		return nil, why
	}
	if target, _ := b.doc.Follow(s); target.Metaschema != "" && b.onlyRefers(s) {
		return target, ""
	}
	if s.RefAlone() {
		target, _ := b.doc.Follow(s) // it leads somewhere, see withoutLost
		if len(s.Properties) == 0 {
			return b.view(target)
		}
		// Keywords beside a $ref are ignored, but properties there are clearly intended.
		s = &jsonschema.Schema{Pointer: s.Pointer, Properties: s.Properties, AllOf: []*jsonschema.Schema{target}}
	}
	others, why := b.parts(s)
	if why != "" {
		return nil, why
	}
	parts := append([]*jsonschema.Schema{b.own(s, others)}, others...)
	common := slices.DeleteFunc(slices.Clone(parts), isUnion)
	base, why := b.merge(s.Pointer, common)
	if why != "" || base.IsBool(false) {
		return base, why
	}
	sets := unionParts(parts)
	for _, branches := range [][]*jsonschema.Schema{s.AnyOf, s.OneOf} {
		set, why := b.alternatives(base, branches)
		switch {
		case why != "":
			return nil, why
		case len(set) == 0:
			b.mention(parts[0], b.asked(branches))
		case len(set) == 1:
			common = append(common, set[0].v)
		case len(set) > 1:
			sets = append(sets, set)
		}
	}
	if len(sets) == 0 {
		v, why := b.merge(s.Pointer, common)
		return b.closed(s, v), why
	}
	if len(sets) == 1 && sets[0][0].of != nil {
		if v, why := b.merge(s.Pointer, append(common, sets[0][0].of)); why == "" && v == sets[0][0].of {
			return b.closed(s, v), ""
		}
	}
	return b.distribute(s, common, sets)
}

// withoutLost is s without a $ref that leads nowhere, if it says something beside it, and
// without such parts of its allOf; else the reason is why the $ref does.
func (b *side) withoutLost(s *jsonschema.Schema) (*jsonschema.Schema, string) {
	lost := func(s *jsonschema.Schema) error {
		_, err := b.doc.Follow(s)
		return err
	}
	rest, err := *s, lost(s)
	if err != nil {
		if b.onlyRefers(s) {
			return nil, refReason(err)
		}
		rest.Ref = ""
	}
	rest.AllOf = nil
	for _, part := range s.AllOf {
		if why := lost(part); why != nil && b.onlyRefers(part) {
			err = why
		} else {
			rest.AllOf = append(rest.AllOf, part)
		}
	}
	if err == nil {
		return s, ""
	}
	b.warn(s.Pointer, refReason(err)+widerType)
	b.lost[s.Pointer] = refReason(err)
	return &rest, ""
}

// own is s without what is folded. Conditions add the members that they declare,
// unless another part does.
func (b *side) own(s *jsonschema.Schema, others []*jsonschema.Schema) *jsonschema.Schema {
	own := *s
	own.Ref, own.AllOf, own.AnyOf, own.OneOf = "", nil, nil, nil
	own.If, own.Then, own.Else, own.DependentSchemas = nil, nil, nil, nil
	own.UnevaluatedProperties, own.UnevaluatedItems = nil, nil
	own.DependentRequired = nil
	own.Properties = append(slices.Clip(own.Properties), b.conditional(s, others)...)
	b.open(s, &own)
	b.mention(&own, b.mentions(s))
	return &own
}

// parts returns what else holds for s: the target of its $ref, and its allOf.
func (b *side) parts(s *jsonschema.Schema) ([]*jsonschema.Schema, string) {
	var parts []*jsonschema.Schema
	if s.Ref != "" {
		target, _ := b.doc.Follow(s)
		v, why := b.view(target)
		if why != "" {
			return nil, why
		}
		parts = append(parts, v)
	}
	for _, part := range s.AllOf {
		v, why := b.view(part)
		if why != "" {
			return nil, why
		}
		parts = append(parts, v)
	}
	return parts, ""
}

// closed is v with what s says of all that its parts leave open. A definition
// that others use stays what it is.
func (b *side) closed(s, v *jsonschema.Schema) *jsonschema.Schema {
	if v == nil || v.Bool != nil || s.UnevaluatedProperties == nil && s.UnevaluatedItems == nil {
		return v
	}
	own := *v
	if own.AdditionalProperties == nil && s.UnevaluatedProperties.IsBool(false) {
		own = *b.withMentioned(v)
	}
	own.Pointer = s.Pointer
	if isUnion(v) {
		own.AnyOf = nil
		for i, variant := range v.AnyOf {
			at := &jsonschema.Schema{
				Pointer:               s.Pointer + "/anyOf/" + strconv.Itoa(i),
				UnevaluatedProperties: s.UnevaluatedProperties, UnevaluatedItems: s.UnevaluatedItems, Contains: s.Contains,
			}
			own.AnyOf = append(own.AnyOf, b.closed(at, variant))
		}
		return &own
	}
	if own.AdditionalProperties == nil {
		own.AdditionalProperties = s.UnevaluatedProperties
	}
	if own.Items == nil && s.Contains == nil {
		own.Items = s.UnevaluatedItems
	}
	return &own
}
