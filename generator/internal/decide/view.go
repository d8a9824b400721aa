package decide

// One schema can say what it means in many places: behind a $ref, in the parts
// of an allOf, in the one branch of an anyOf that is not null, in a then. view
// folds them into one schema that says it directly, or explains why that cannot
// be done.

import (
	"encoding/json"
	"slices"
	"strconv"

	"github.com/mcpgen/mcpgen/schema/jsonschema"
)

// maxFold bounds references behind references and parts within parts.
const maxFold = 100

// views reads the schemas of one side. What it notes about them on the way decides their types.
type views struct {
	*source
	doc    *jsonschema.Document
	budget *budget
	called *called
	joints
	nulls

	folds      map[*jsonschema.Schema]*folded
	folding    int
	declaredIf map[*jsonschema.Schema][]*jsonschema.Schema // members that only conditions declare, and how
	opened     map[*jsonschema.Schema]bool                 // made because conditions say which members there may be
	mentioned  map[*jsonschema.Schema][]string             // members that a view speaks of without declaring them
	listings   map[*jsonschema.Schema]string               // the names of the definitions that list the types of views
	lost       map[string]string                           // by pointer: why its $ref cannot be resolved
	hints      map[string][]json.RawMessage                // by pointer: values that are known where others are as good
	matched    map[string]string                           // by pointer: what these others match
}

func newViews(from *source, doc *jsonschema.Document, b *budget, c *called) *views {
	return &views{
		source: from, doc: doc, budget: b, called: c, folds: map[*jsonschema.Schema]*folded{},
		joints: joints{doc, b, map[*jsonschema.Schema]string{}, map[string]*jsonschema.Schema{},
			map[*jsonschema.Schema]int{}},
		nulls:      nulls{doc, map[*jsonschema.Schema]bool{}},
		declaredIf: map[*jsonschema.Schema][]*jsonschema.Schema{}, opened: map[*jsonschema.Schema]bool{},
		mentioned: map[*jsonschema.Schema][]string{}, listings: map[*jsonschema.Schema]string{},
		lost: map[string]string{}, hints: map[string][]json.RawMessage{}, matched: map[string]string{},
	}
}

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
func (vs *views) view(s *jsonschema.Schema) (*jsonschema.Schema, string) {
	if s.Bool != nil || direct(s) {
		return s, ""
	}
	s = vs.one(s)
	if f, ok := vs.folds[s]; ok {
		if f.busy {
			return nil, "it is defined by itself"
		}
		return f.v, f.why
	}
	switch {
	case vs.folding >= maxFold:
		return nil, "its references are nested too deep"
	case !vs.budget.spend(1):
		return nil, tooInvolved
	}
	f := &folded{busy: true}
	vs.folds[s] = f
	vs.folding++
	f.v, f.why = vs.fold(s)
	vs.folding--
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

func (vs *views) fold(s *jsonschema.Schema) (*jsonschema.Schema, string) {
	s, why := vs.withoutLost(s)
	if why != "" {
		return nil, why
	}
	if target, _ := vs.doc.Follow(s); target.Metaschema != "" && vs.onlyRefers(s) {
		return target, ""
	}
	if s.RefAlone() {
		target, _ := vs.doc.Follow(s) // it leads somewhere, see withoutLost
		if len(s.Properties) == 0 {
			return vs.view(target)
		}
		// Keywords beside a $ref are ignored, but properties there are clearly intended.
		s = &jsonschema.Schema{Pointer: s.Pointer, Properties: s.Properties, AllOf: []*jsonschema.Schema{target}}
	}
	others, why := vs.parts(s)
	if why != "" {
		return nil, why
	}
	parts := append([]*jsonschema.Schema{vs.own(s, others)}, others...)
	common := slices.DeleteFunc(slices.Clone(parts), isUnion)
	base, why := vs.merge(s.Pointer, common)
	if why != "" || base.IsBool(false) {
		return base, why
	}
	sets := unionParts(parts)
	for _, branches := range [][]*jsonschema.Schema{s.AnyOf, s.OneOf} {
		set, why := vs.alternatives(base, branches)
		switch {
		case why != "":
			return nil, why
		case len(set) == 0:
			vs.mention(parts[0], vs.asked(branches))
		case len(set) == 1:
			common = append(common, set[0].v)
		case len(set) > 1:
			sets = append(sets, set)
		}
	}
	if len(sets) == 0 {
		v, why := vs.merge(s.Pointer, common)
		return vs.closed(s, v), why
	}
	if len(sets) == 1 && sets[0][0].of != nil {
		if v, why := vs.merge(s.Pointer, append(common, sets[0][0].of)); why == "" && v == sets[0][0].of {
			return vs.closed(s, v), ""
		}
	}
	return vs.distribute(s, common, sets)
}

// withoutLost is s without a $ref that leads nowhere, if it says something beside it, and
// without such parts of its allOf; else the reason is why the $ref does.
func (vs *views) withoutLost(s *jsonschema.Schema) (*jsonschema.Schema, string) {
	lost := func(s *jsonschema.Schema) error {
		_, err := vs.doc.Follow(s)
		return err
	}
	rest, err := *s, lost(s)
	if err != nil {
		if vs.onlyRefers(s) {
			return nil, refReason(err)
		}
		rest.Ref = ""
	}
	rest.AllOf = nil
	for _, part := range s.AllOf {
		if why := lost(part); why != nil && vs.onlyRefers(part) {
			err = why
		} else {
			rest.AllOf = append(rest.AllOf, part)
		}
	}
	if err == nil {
		return s, ""
	}
	vs.warn(s.Pointer, refReason(err)+widerType)
	vs.lost[s.Pointer] = refReason(err)
	return &rest, ""
}

// own is s without what is folded. Conditions add the members that they declare,
// unless another part does.
func (vs *views) own(s *jsonschema.Schema, others []*jsonschema.Schema) *jsonschema.Schema {
	own := *s
	own.Ref, own.AllOf, own.AnyOf, own.OneOf = "", nil, nil, nil
	own.If, own.Then, own.Else, own.DependentSchemas = nil, nil, nil, nil
	own.UnevaluatedProperties, own.UnevaluatedItems = nil, nil
	own.DependentRequired = nil
	own.Properties = append(slices.Clip(own.Properties), vs.conditional(s, others)...)
	vs.open(s, &own)
	vs.mention(&own, vs.mentions(s))
	return &own
}

// parts returns what else holds for s: the target of its $ref, and its allOf.
func (vs *views) parts(s *jsonschema.Schema) ([]*jsonschema.Schema, string) {
	var parts []*jsonschema.Schema
	if s.Ref != "" {
		target, _ := vs.doc.Follow(s)
		v, why := vs.view(target)
		if why != "" {
			return nil, why
		}
		parts = append(parts, v)
	}
	for _, part := range s.AllOf {
		v, why := vs.view(part)
		if why != "" {
			return nil, why
		}
		parts = append(parts, v)
	}
	return parts, ""
}

// closed is v with what s says of all that its parts leave open. A definition
// that others use stays what it is.
func (vs *views) closed(s, v *jsonschema.Schema) *jsonschema.Schema {
	if v == nil || v.Bool != nil || s.UnevaluatedProperties == nil && s.UnevaluatedItems == nil {
		return v
	}
	own := *v
	if own.AdditionalProperties == nil && s.UnevaluatedProperties.IsBool(false) {
		own = *vs.withMentioned(v)
	}
	own.Pointer = s.Pointer
	if isUnion(v) {
		own.AnyOf = nil
		for i, variant := range v.AnyOf {
			at := &jsonschema.Schema{
				Pointer:               s.Pointer + "/anyOf/" + strconv.Itoa(i),
				UnevaluatedProperties: s.UnevaluatedProperties, UnevaluatedItems: s.UnevaluatedItems, Contains: s.Contains,
			}
			own.AnyOf = append(own.AnyOf, vs.closed(at, variant))
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

// typed reports whether s says which types its values have.
func (vs *views) typed(s *jsonschema.Schema) bool {
	v, why := vs.view(s)
	return why == "" && v.Bool == nil && (isUnion(v) || len(kinds(v)) > 0)
}

// implied reports whether s describes objects or arrays without naming a type, so
// that null is as valid as any other value that is not an object or array.
func (vs *views) implied(s *jsonschema.Schema) bool {
	v, why := vs.view(s)
	return why == "" && v.Bool == nil && v.Types == nil && v.Values() == nil && !isUnion(v)
}
