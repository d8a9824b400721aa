package drift

// This file compares the keywords about arrays, and those that combine schemas.

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/mcpgen/mcpgen/schema/jsonschema"
)

func (w *walker) array(p *pair) {
	b, a := p.before, p.after
	if w.part(p, [3]*row{itemsAdded, nil, itemsRemoved}, [3]string{}, "items", rawOf(b.Items), rawOf(a.Items)) {
		w.pair(&pair{before: b.Items, after: a.Items, parent: p, step: step{kind: anyElement, at: len(b.PrefixItems)}})
	}
	w.tuple(p)
	w.changed(p, unevaluatedItemsChanged, "unevaluatedItems")
	w.part(p, [3]*row{containsTightened, containsChanged, containsRelaxed}, [3]string{},
		"contains", rawOf(b.Contains), rawOf(a.Contains))
}

func (w *walker) tuple(p *pair) {
	b, a := p.before.PrefixItems, p.after.PrefixItems
	for i := range max(len(b), len(a)) {
		below := func(holder, s *jsonschema.Schema) string { return strings.TrimPrefix(s.Pointer, holder.Pointer) }
		switch {
		case i >= len(b):
			w.note(p, tuplePositionAdded, fmt.Sprintf("element %d now has its own schema", i),
				relativePointer{below(p.after, a[i]), true}, nil, rawOf(a[i]))
		case i >= len(a):
			w.note(p, tuplePositionRemoved, fmt.Sprintf("element %d no longer has its own schema", i),
				relativePointer{below(p.before, b[i]), false}, rawOf(b[i]), nil)
		default:
			w.pair(&pair{before: b[i], after: a[i], parent: p, step: step{kind: elementOf, at: i}})
		}
	}
}

func (w *walker) combinations(p *pair) {
	w.unions(p)
	w.branches(p, "allOf", p.before.AllOf, p.after.AllOf)
	w.part(p, [3]*row{notAdded, notChanged, notRemoved}, [3]string{}, "not", rawOf(p.before.Not), rawOf(p.after.Not))
	w.part(p, [3]*row{ifThenElseAdded, ifThenElseChanged, ifThenElseRemoved},
		[3]string{"", "the condition (if, then, else) differs", ""}, "if", conditionOf(p.before), conditionOf(p.after))
}

// unions compares alternatives, also where anyOf became oneOf.
func (w *walker) unions(p *pair) {
	b, kb := alternatives(p.before)
	a, ka := alternatives(p.after)
	switch {
	case len(b) == 0 && len(a) == 0:
		return
	case len(b) == 0:
		w.note(p, unionAdded, "", added(ka), nil, p.after.Keywords[ka])
	case len(a) == 0:
		w.note(p, unionRemoved, "", at(kb), p.before.Keywords[kb], nil)
	case kb == ka:
		w.branches(p, ka, b, a)
	default:
		w.note(p, unionAdded, kb+" became "+ka, added(ka), p.before.Keywords[kb], p.after.Keywords[ka])
	}
	if len(p.before.OneOf) > 0 && len(p.before.AnyOf) > 0 || len(p.after.OneOf) > 0 && len(p.after.AnyOf) > 0 {
		w.branches(p, "oneOf", p.before.OneOf, p.after.OneOf)
	}
}

// joined compares a schema that became one alternative of a union, or the reverse. It reports whether that is
// so: one alternative equals the schema, or is the only one of its types.
func (w *walker) joined(p *pair) bool {
	b, kb := w.inUnion(p.before)
	a, ka := w.inUnion(p.after)
	if b == nil || a == nil || (kb == "") == (ka == "") {
		return false
	}
	of, whole := a, resolved(w.schemaDiff.before, b[0])
	if ka == "" {
		of, whole = b, resolved(w.schemaDiff.after, a[0])
	}
	types, equal := 0, 0
	for _, s := range of {
		if s = resolved(w.schemaDiff.before, s); ka != "" {
			s = resolved(w.schemaDiff.after, s)
		}
		if equalContract(rawOf(s), rawOf(whole)) {
			equal++
		} else if sign := signature(s); sign != "" && sign == signature(whole) {
			types++
		}
	}
	if equal != 1 && types != 1 {
		return false
	}
	w.branches(p, kb+ka, b, a)
	return true
}

// disjoint reports whether the types of some alternatives exclude each other; anyOf and oneOf are then
// equivalent.
func disjoint(doc *jsonschema.Document, list []*jsonschema.Schema) bool {
	seen := map[string]bool{}
	for _, s := range list {
		types := typesOf(resolved(doc, s))
		if len(types) == 0 || slices.ContainsFunc(types, func(t string) bool { return seen[t] }) {
			return false
		}
		for _, t := range types {
			seen[t] = true
		}
	}
	return true
}

// inUnion returns the alternatives of a schema without other constraints, each merged with the keywords next to
// the union, and the union's keyword. A schema without alternatives is its own only alternative, with keyword
// "". For all other schemas the result is nil.
func (w *walker) inUnion(s *jsonschema.Schema) ([]*jsonschema.Schema, string) {
	list, keyword := alternatives(s)
	if len(list) == 0 {
		return []*jsonschema.Schema{s}, ""
	}
	beside := map[string]json.RawMessage{}
	for k, v := range s.Keywords {
		switch {
		case k == keyword:
		case k == "title", k == "description", k == "examples", k == "$comment", k == "deprecated", k == "default":
			beside[k] = v
		default:
			return nil, ""
		}
	}
	var out []*jsonschema.Schema
	for _, one := range list {
		if len(beside) > 0 && one.Bool == nil {
			whole := *one
			whole.Keywords = maps.Clone(beside)
			maps.Copy(whole.Keywords, one.Keywords)
			if whole.Default == nil {
				whole.Default = s.Default
			}
			one = &whole
		}
		out = append(out, one)
	}
	return out, keyword
}

func alternatives(s *jsonschema.Schema) ([]*jsonschema.Schema, string) {
	if len(s.AnyOf) > 0 || len(s.OneOf) == 0 {
		return s.AnyOf, "anyOf"
	}
	return s.OneOf, "oneOf"
}

// branches pairs equal branches, then branches that look like versions of each other, and notes the rest.
func (w *walker) branches(p *pair, keyword string, b, a []*jsonschema.Schema) {
	plus, minus := unionBranchAdded, unionBranchRemoved
	switch {
	case keyword == "allOf":
		plus, minus = allofMemberAdded, allofMemberRemoved
	case keyword == "oneOf" && !(disjoint(w.schemaDiff.before, b) && disjoint(w.schemaDiff.after, a)):
		plus, minus = oneofBranchAdded, oneofBranchRemoved
	}
	if len(b)*len(a) > maxPairs {
		if !equalJSON(p.before.Keywords[keyword], p.after.Keywords[keyword]) {
			w.note(p, plus, keyword+" differs; it is too long to compare part by part",
				at(keyword), p.before.Keywords[keyword], p.after.Keywords[keyword]).effect = alters
		}
		return
	}
	restB, restA := slices.Clone(b), slices.Clone(a)
	pairUp := func(alike func(x, y *jsonschema.Schema) bool) {
		for i, x := range restB {
			j := slices.IndexFunc(restA, func(y *jsonschema.Schema) bool { return y != nil && x != nil && alike(x, y) })
			if j >= 0 {
				w.pair(&pair{before: x, after: restA[j], parent: p})
				restB[i], restA[j] = nil, nil
			}
		}
	}
	contract := remember(func(s *jsonschema.Schema) string { return contractOf(wrapped(rawOf(s))) })
	sign := remember(signature)
	pairUp(func(x, y *jsonschema.Schema) bool { return contract(x) == contract(y) })
	pairUp(func(x, y *jsonschema.Schema) bool { return x.Ref != "" && x.Ref == y.Ref })
	whole := func(alike func(x, y *jsonschema.Schema) bool) { // an inline schema may have been a reference before
		pairUp(func(x, y *jsonschema.Schema) bool {
			return alike(resolved(w.schemaDiff.before, x), resolved(w.schemaDiff.after, y))
		})
	}
	whole(func(x, y *jsonschema.Schema) bool { return contract(x) == contract(y) })
	whole(func(x, y *jsonschema.Schema) bool { return sign(x) != "" && sign(x) == sign(y) })
	part := "alternative "
	if keyword == "allOf" {
		part = "schema "
	}
	for i, x := range restB {
		if x != nil {
			w.note(p, minus, part+strconv.Itoa(i+1)+" of "+keyword+" was removed", at(keyword, strconv.Itoa(i)), rawOf(x), nil)
		}
	}
	for i, y := range restA {
		if y != nil {
			w.note(p, plus, part+strconv.Itoa(i+1)+" of "+keyword+" is new", added(keyword, strconv.Itoa(i)), nil, rawOf(y))
		}
	}
}

// remember caches the result of compute by schema.
func remember(compute func(*jsonschema.Schema) string) func(*jsonschema.Schema) string {
	known := map[*jsonschema.Schema]string{}
	return func(s *jsonschema.Schema) string {
		text, ok := known[s]
		if !ok {
			text = compute(s)
			known[s] = text
		}
		return text
	}
}

// signature returns the distinguishing features of a branch: its type, and the constants of its members.
func signature(s *jsonschema.Schema) string {
	var b strings.Builder
	b.WriteString(strings.Join(s.Types, ","))
	for _, m := range s.Properties {
		if list := m.Schema.Values(); len(list) == 1 {
			fmt.Fprintf(&b, " %q=%s", m.Name, list[0])
		}
	}
	return b.String()
}

// conditionOf returns if, then and else as one schema; nil if there is no if.
func conditionOf(s *jsonschema.Schema) json.RawMessage {
	if s.If == nil {
		return nil
	}
	parts := map[string]json.RawMessage{"if": rawOf(s.If)}
	if s.Then != nil {
		parts["then"] = rawOf(s.Then)
	}
	if s.Else != nil {
		parts["else"] = rawOf(s.Else)
	}
	raw, err := json.Marshal(parts)
	if err != nil {
		return json.RawMessage("{}")
	}
	return raw
}
