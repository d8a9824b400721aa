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

	folds      map[*jsonschema.Schema]*folded
	folding    int
	nulls      map[*jsonschema.Schema]bool                 // whether they allow null, as far as that was asked
	joint      map[*jsonschema.Schema]string               // the key of the set that a schema was made of
	sets       map[string]*jsonschema.Schema               // by that key: the schema that replaces the set
	ids        map[*jsonschema.Schema]int                  // numbers for keys
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
		nulls: map[*jsonschema.Schema]bool{}, joint: map[*jsonschema.Schema]string{},
		sets: map[string]*jsonschema.Schema{}, ids: map[*jsonschema.Schema]int{},
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
		return vs.closed(s.Pointer, s, v), why
	}
	if len(sets) == 1 && sets[0][0].of != nil {
		if v, why := vs.merge(s.Pointer, append(common, sets[0][0].of)); why == "" && v == sets[0][0].of {
			return vs.closed(s.Pointer, s, v), ""
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
	all := s.AllOf
	if s.Ref != "" {
		target, _ := vs.doc.Follow(s)
		all = append([]*jsonschema.Schema{target}, all...)
	}
	var parts []*jsonschema.Schema
	for _, part := range all {
		v, why := vs.view(part)
		if why != "" {
			return nil, why
		}
		parts = append(parts, v)
	}
	return parts, ""
}

// closed is v, at a pointer, with what s says of all that its parts leave open. A definition
// that others use stays what it is.
func (vs *views) closed(at string, s, v *jsonschema.Schema) *jsonschema.Schema {
	if v == nil || v.Bool != nil || s.UnevaluatedProperties == nil && s.UnevaluatedItems == nil {
		return v
	}
	own := *v
	if own.AdditionalProperties == nil && s.UnevaluatedProperties.IsBool(false) {
		own = *vs.withMentioned(v)
	}
	own.Pointer = at
	if isUnion(v) {
		own.AnyOf = nil
		for i, variant := range v.AnyOf {
			own.AnyOf = append(own.AnyOf, vs.closed(at+"/anyOf/"+strconv.Itoa(i), s, variant))
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

// admitsNull reports whether s allows null. Where that cannot be seen (a
// reference to nothing, a definition by itself) it does.
func (vs *views) admitsNull(s *jsonschema.Schema) bool { return vs.null(s, maxFold) }

func (vs *views) null(s *jsonschema.Schema, depth int) bool {
	switch {
	case s.Bool != nil:
		return *s.Bool
	case depth == 0:
		return true
	}
	if ok, known := vs.nulls[s]; known {
		return ok
	}
	vs.nulls[s] = true
	vs.nulls[s] = vs.nullInside(s, depth-1)
	return vs.nulls[s]
}

// nullInside looks at the keywords of s, and then at what it is made of.
func (vs *views) nullInside(s *jsonschema.Schema, depth int) bool {
	admits := func(part *jsonschema.Schema) bool { return vs.null(part, depth) }
	refuses := func(part *jsonschema.Schema) bool { return !admits(part) }
	typed := s.Types == nil || slices.Contains(s.Types, "null")
	listed := s.Values() == nil || slices.ContainsFunc(s.Values(), func(raw json.RawMessage) bool { return string(raw) == "null" })
	switch target, err := vs.doc.Follow(s); {
	case !s.RefAlone() && !s.Nullable && !(typed && listed):
		return false
	case s.Ref != "" && err == nil && refuses(target):
		return false
	case s.RefAlone():
		return true
	}
	return !slices.ContainsFunc(s.AllOf, refuses) && (len(s.AnyOf) == 0 || slices.ContainsFunc(s.AnyOf, admits)) &&
		(len(s.OneOf) == 0 || slices.ContainsFunc(s.OneOf, admits))
}
