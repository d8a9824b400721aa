package drift

// This file compares the keywords about objects.

import (
	"encoding/json"
	"slices"

	"github.com/mcpgen/mcpgen/schema/jsonschema"
)

func (w *walker) object(p *pair) {
	b, a := p.before, p.after
	if !objects(b) || !objects(a) {
		return // the type keyword covers it
	}
	if degraded(b, a) {
		w.note(p, schemaDegraded, "", at(), rawOf(b), rawOf(a))
	} else {
		w.properties(p)
	}
	if degraded(a, b) {
		w.note(p, schemaEnriched, "", added(), rawOf(b), rawOf(a))
	}
	w.required(p)
	w.others(p)
	if w.part(p, [3]*row{propertyNamesAdded, nil, propertyNamesRemoved},
		[3]string{"propertyNames is new", "", "propertyNames is gone"}, "propertyNames", rawOf(b.PropertyNames), rawOf(a.PropertyNames)) {
		w.pair(&pair{before: b.PropertyNames, after: a.PropertyNames, parent: p, step: step{kind: nowhere}})
	}
	w.patterns(p)
	w.changed(p, unevaluatedPropertiesChanged, "unevaluatedProperties")
	w.dependencies(p)
}

// objects reports whether a schema allows objects.
func objects(s *jsonschema.Schema) bool {
	return len(s.Types) == 0 || slices.Contains(s.Types, "object")
}

// degraded reports whether declared members with constraints were replaced by an object without constraints. An
// object that allows any members explicitly does not count.
func degraded(before, after *jsonschema.Schema) bool {
	if len(before.Properties) == 0 || len(after.Properties) > 0 || !loose(after) ||
		len(after.Types) > 0 && after.AdditionalProperties != nil {
		return false
	}
	said := func(p jsonschema.Property) bool { return !free(p.Schema) || before.IsRequired(p.Name) }
	return before.AdditionalProperties == nil || !free(before.AdditionalProperties) ||
		slices.ContainsFunc(before.Properties, said)
}

// free reports whether a schema allows everything.
func free(s *jsonschema.Schema) bool {
	return s == nil || s.IsBool(true) || s.Bool == nil && len(s.Keywords) == 0
}

// loose reports whether a schema does not constrain an object's members.
func loose(s *jsonschema.Schema) bool {
	return (len(s.Types) == 0 || slices.Contains(s.Types, "object")) && s.Ref == "" &&
		s.Const == nil && len(s.Enum) == 0 &&
		len(s.AnyOf)+len(s.OneOf)+len(s.AllOf)+len(s.PatternProperties) == 0 &&
		free(s.AdditionalProperties) && free(s.UnevaluatedProperties)
}

// properties pairs declared members by name, then renamed ones.
func (w *walker) properties(p *pair) {
	for _, b := range p.before.Properties {
		if a := p.after.Property(b.Name); a != nil {
			w.pair(&pair{before: b.Schema, after: a, parent: p, step: step{kind: memberOf, name: b.Name}})
		}
	}
	renamed, gone, fresh := w.renames(p)
	for _, o := range renamed {
		w.propertyRenamed(p, o)
	}
	for _, b := range gone {
		w.propertyRemoved(p, b)
	}
	for _, a := range fresh {
		w.propertyAdded(p, a)
	}
}

// renames returns the members that were, or may have been, renamed, and all other removed and new members.
func (w *walker) renames(p *pair) (renamed []offer, gone, fresh []jsonschema.Property) {
	all := slices.DeleteFunc(slices.Clone(p.before.Properties),
		func(m jsonschema.Property) bool { return has(w.schemaDiff.after, p.after, m.Name, 0) })
	added := slices.DeleteFunc(slices.Clone(p.after.Properties),
		func(m jsonschema.Property) bool { return has(w.schemaDiff.before, p.before, m.Name, 0) })
	fresh = slices.Clone(added)
	for _, b := range all {
		if i := w.renamed(p, b, all, fresh, added); i >= 0 {
			renamed = append(renamed, offer{before: b, after: fresh[i], certain: true})
			fresh = slices.Delete(fresh, i, i+1)
			continue
		}
		gone = append(gone, b)
	}
	for _, o := range w.offers(p, gone, fresh) {
		renamed = append(renamed, o)
		gone = slices.DeleteFunc(gone, func(b jsonschema.Property) bool { return b.Name == o.before.Name })
		fresh = slices.DeleteFunc(fresh, func(a jsonschema.Property) bool { return a.Name == o.after.Name })
	}
	return renamed, gone, fresh
}

// has reports whether a schema, or a branch of its combinations, declares a member. Changes of a member that
// only some branches declare are reported for the branches.
func has(doc *jsonschema.Document, s *jsonschema.Schema, name string, depth int) bool {
	s = resolved(doc, s)
	declares := func(one *jsonschema.Schema) bool { return has(doc, one, name, depth+1) }
	return s.Property(name) != nil || depth < 8 && slices.ContainsFunc(slices.Concat(s.AnyOf, s.OneOf, s.AllOf), declares)
}

// renamed returns the index in fresh of the new member that is b under another name, or -1 if there is no
// unique one. Members renamed alike are judged alike: where startRef and endRef become startTarget and
// endTarget, a short name counts as much as a long one.
func (w *walker) renamed(p *pair, b jsonschema.Property, gone, fresh, added []jsonschema.Property) int {
	if len(gone)*len(added) > maxPairs/4 {
		return -1 // with this many replaced members, names prove nothing
	}
	found, several := -1, false
	for i, a := range fresh {
		if !w.sameMember(p, b, a) {
			continue
		}
		if w.repeated(p, nameChangeOf(b.Name, a.Name), gone, added) {
			return i
		}
		if resembles(b, a) {
			found, several = i, several || found >= 0
		}
	}
	if several || found >= 0 && slices.ContainsFunc(gone, func(other jsonschema.Property) bool {
		return other.Name != b.Name && resembles(other, fresh[found]) && w.sameMember(p, other, fresh[found])
	}) {
		return -1
	}
	return found
}

func resembles(b, a jsonschema.Property) bool {
	return fold(a.Name) == fold(b.Name) || similarity(fold(a.Name), fold(b.Name)) >= possible
}

// sameMember reports whether two members differ only in their names. For arguments of prompts, the texts are
// compared.
func (w *walker) sameMember(p *pair, b, a jsonschema.Property) bool {
	same := equalContract
	if w.schemaDiff.part == Item {
		same = equalJSON
	}
	return p.before.IsRequired(b.Name) == p.after.IsRequired(a.Name) && same(rawOf(b.Schema), rawOf(a.Schema))
}

// nameChange is the part of a name that a rename replaced.
type nameChange struct{ from, to string }

// nameChangeOf returns two names without their common prefix and suffix. It returns the zero value if these
// have less than two letters, or if nothing was replaced.
func nameChangeOf(b, a string) nameChange {
	x, y := []rune(b), []rune(a)
	head, tail := 0, 0
	for head < min(len(x), len(y)) && x[head] == y[head] {
		head++
	}
	for tail < min(len(x), len(y))-head && x[len(x)-1-tail] == y[len(y)-1-tail] {
		tail++
	}
	c := nameChange{string(x[head : len(x)-tail]), string(y[head : len(y)-tail])}
	if head+tail < 2 || c.from == "" || c.to == "" {
		return nameChange{}
	}
	return c
}

// repeated reports whether the same change renamed more than one member.
func (w *walker) repeated(p *pair, c nameChange, gone, added []jsonschema.Property) bool {
	if c == (nameChange{}) {
		return false
	}
	n := 0
	for _, b := range gone {
		likewise := func(a jsonschema.Property) bool { return nameChangeOf(b.Name, a.Name) == c && w.sameMember(p, b, a) }
		if slices.ContainsFunc(added, likewise) {
			n++
		}
	}
	return n > 1
}

func (w *walker) propertyRenamed(p *pair, o offer) {
	b, a := o.before, o.after
	f := w.note(p, propertyRenamed, o.message(""), at("properties", b.Name), text(b.Name), text(a.Name))
	f.severity, f.member, f.possible = Warning, b.Name, !o.certain // the old name is ignored, or the member may be missing
	refused := closed(p.after) || p.after.IsRequired(a.Name)
	missed := p.before.IsRequired(b.Name) && !p.after.IsRequired(b.Name)
	if w.schemaDiff.part == Arguments && refused || w.schemaDiff.part == Results && missed {
		f.severity = Breaking
	}
}

func (w *walker) propertyRemoved(p *pair, b jsonschema.Property) {
	f := w.note(p, propertyRemoved, quote(b.Name)+" is not declared any more",
		at("properties", b.Name), rawOf(b.Schema), nil)
	f.member = b.Name
	required, arguments := p.before.IsRequired(b.Name), w.schemaDiff.part == Arguments
	switch {
	case arguments && p.after.AdditionalProperties != nil && !closed(p.after):
		f.severity, f.after = Info, rawOf(p.after.AdditionalProperties)
		f.message += " and may still be sent"
	case closed(p.after) && required:
		f.severity = Breaking
	case closed(p.after):
		f.effect = narrows
		if arguments {
			f.message += " and is refused"
		}
	case required && !p.after.IsRequired(b.Name):
		f.effect = widens
	case arguments:
		f.message += " and is ignored"
	}
}

// closed reports whether undeclared members are now forbidden.
func closed(s *jsonschema.Schema) bool {
	return s.AdditionalProperties.IsBool(false) || s.UnevaluatedProperties.IsBool(false)
}

func (w *walker) propertyAdded(p *pair, a jsonschema.Property) {
	rule, message := propertyAddedOptional, quote(a.Name)+" is new and optional"
	if p.after.IsRequired(a.Name) && !p.before.IsRequired(a.Name) {
		rule, message = propertyAddedRequired, quote(a.Name)+" is new and required"
		if a.Schema.Default != nil {
			rule = propertyAddedRequiredWithDefault
		}
	}
	w.note(p, rule, message, added("properties", a.Name), nil, rawOf(a.Schema)).member = a.Name
	w.headers(a.Schema)
}

// required compares required lists for members that both schemas declare, or neither.
func (w *walker) required(p *pair) {
	for _, name := range p.after.Required {
		if !p.before.IsRequired(name) && (p.before.Property(name) != nil || p.after.Property(name) == nil) {
			w.note(p, propertyBecameRequired, quote(name)+" was optional and is now required",
				requiredPointer(p, name), nil, text(name)).member = name
		}
	}
	for _, name := range p.before.Required {
		if !p.after.IsRequired(name) && (p.after.Property(name) != nil || p.before.Property(name) == nil) {
			w.note(p, propertyBecameOptional, quote(name)+" was required and is now optional",
				requiredPointer(p, name), text(name), nil).member = name
		}
	}
}

func requiredPointer(p *pair, name string) relativePointer {
	if p.before.Property(name) != nil {
		return at("properties", name)
	}
	return at("required")
}

// others compares the constraints on undeclared members.
func (w *walker) others(p *pair) {
	b, a := p.before.AdditionalProperties, p.after.AdditionalProperties
	rawB, rawA := p.before.Keywords["additionalProperties"], p.after.Keywords["additionalProperties"]
	note := func(rule *row, message string) {
		where := at("additionalProperties")
		if rawB == nil {
			where = added("additionalProperties")
		}
		w.note(p, rule, message, where, rawB, rawA)
	}
	anyB, anyA := b != nil && free(b), a != nil && free(a)
	switch {
	case a.IsBool(false) && b.IsBool(false), b == nil && a == nil, anyB && (a == nil || anyA):
	case b == nil && a.IsBool(false):
		note(additionalPropertiesClosed, "undeclared members are now forbidden")
	case b.IsBool(false) && a == nil:
		note(additionalPropertiesOpened, "undeclared members are now allowed by default")
	case a.IsBool(false):
		note(additionalPropertiesForbidden, "")
	case b.IsBool(false) || b == nil && anyA:
		note(additionalPropertiesAllowed, "undeclared members are now allowed explicitly")
	case b == nil || anyB:
		note(mapValueNarrowed, "")
	case a == nil || anyA:
		note(mapValueWidened, "")
	default:
		w.pair(&pair{before: b, after: a, parent: p, step: step{kind: anyMember}})
	}
}

// part notes a keyword that was added, whose schema's contract changed, or that was removed: each with a rule and the
// message of its finding. It reports whether both sides have the keyword.
func (w *walker) part(p *pair, rules [3]*row, messages [3]string, keyword string, b, a json.RawMessage) bool {
	switch {
	case b == nil && a == nil:
	case b == nil:
		w.note(p, rules[0], messages[0], added(keyword), b, a)
	case a == nil:
		w.note(p, rules[2], messages[2], at(keyword), b, a)
	case rules[1] != nil && !equalContract(b, a):
		w.note(p, rules[1], messages[1], at(keyword), b, a)
	}
	return b != nil && a != nil
}

func (w *walker) patterns(p *pair) {
	find := func(list []jsonschema.Property, name string) *jsonschema.Schema {
		return (&jsonschema.Schema{Properties: list}).Property(name)
	}
	for _, b := range p.before.PatternProperties {
		if a := find(p.after.PatternProperties, b.Name); a != nil {
			w.pair(&pair{before: b.Schema, after: a, parent: p, step: step{kind: nowhere}})
			continue
		}
		w.note(p, patternPropertiesRemoved, "members whose names match "+quote(b.Name)+" no longer have to match a schema",
			at("patternProperties", b.Name), rawOf(b.Schema), nil)
	}
	for _, a := range p.after.PatternProperties {
		if find(p.before.PatternProperties, a.Name) == nil {
			w.note(p, patternPropertiesAdded, "members whose names match "+quote(a.Name)+" must now match a schema",
				added("patternProperties", a.Name), nil, rawOf(a.Schema))
		}
	}
}

// dependencies compares dependent members, in any draft's spelling.
func (w *walker) dependencies(p *pair) {
	b, a := needs(p.before), needs(p.after)
	for _, name := range union(b, a) {
		w.dependency(p, name, dependentRequiredRemoved, dependentRequiredAdded, "dependentRequired", b[name], a[name])
	}
	b, a = brings(p.before), brings(p.after)
	for _, name := range union(b, a) {
		w.dependency(p, name, dependentSchemasRemoved, dependentSchemasAdded, "dependentSchemas", b[name], a[name])
	}
}

func (w *walker) dependency(p *pair, name string, gone, fresh *row, keyword string, b, a json.RawMessage) {
	if equalJSON(b, a) {
		return
	}
	before, after := p.before.Keywords[keyword], p.after.Keywords[keyword]
	switch {
	case a == nil:
		w.note(p, gone, keyword+" of "+quote(name)+" is gone", at(keyword), before, after)
	case b == nil:
		w.note(p, fresh, keyword+" of "+quote(name)+" is new", added(keyword), before, after)
	default:
		w.note(p, fresh, keyword+" of "+quote(name)+" differs", at(keyword), before, after).effect = alters
	}
}

func needs(s *jsonschema.Schema) map[string]json.RawMessage {
	out := map[string]json.RawMessage{}
	for name, list := range s.DependentRequired {
		sorted := slices.Sorted(slices.Values(list))
		raw, err := json.Marshal(sorted)
		if err == nil && len(list) > 0 {
			out[name] = raw
		}
	}
	return out
}

func brings(s *jsonschema.Schema) map[string]json.RawMessage {
	out := map[string]json.RawMessage{}
	for _, m := range s.DependentSchemas {
		out[m.Name] = rawOf(m.Schema)
	}
	return out
}
