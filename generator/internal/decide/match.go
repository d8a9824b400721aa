package decide

// How the variants of a union are recognized.

import (
	"cmp"
	"encoding/json"
	"maps"
	"path"
	"slices"

	"github.com/mcpgen/mcpgen/generator/internal/ir"
	"github.com/mcpgen/mcpgen/internal/jsontext"
	"github.com/mcpgen/mcpgen/schema/jsonschema"
)

// matches says of each branch which values are its own.
func (b *side) matches(u *jsonschema.Schema, branches []branch) []ir.Match {
	out := make([]ir.Match, len(branches))
	var objects []int
	for i, br := range branches {
		out[i].Kinds = []string{br.kind}
		if br.kind == "object" {
			objects = append(objects, i)
			out[i].Needs = slices.Sorted(slices.Values(br.v.Required))
		}
	}
	if len(objects) > 1 {
		b.tags(u, branches, objects, out)
		keys(branches, objects, out)
	}
	rank(branches, out)
	return out
}

// tag is a member whose constants distinguish objects.
type tag struct {
	name     string
	values   map[int][]string // by branch
	required int              // branches that need it
}

// tags finds the member that distinguishes most objects: the discriminator that the
// server names, or else a member with constants that no two objects share.
func (b *side) tags(u *jsonschema.Schema, branches []branch, objects []int, out []ir.Match) {
	best := b.discriminator(u, branches, objects)
	if best == nil {
		declaring := map[string][]declarer{}
		for _, i := range objects {
			for _, p := range branches[i].v.Properties {
				if by := declaring[p.Name]; by == nil || by[len(by)-1].branch != i {
					declaring[p.Name] = append(by, declarer{i, p.Schema})
				}
			}
		}
		for _, name := range slices.Sorted(maps.Keys(declaring)) {
			if t := b.tag(name, branches, declaring[name]); t != nil && t.better(best) {
				best = t
			}
		}
	}
	if best == nil {
		return
	}
	for i, values := range best.values {
		out[i].Tag, out[i].Values = best.name, values
	}
}

// declarer is a branch that declares a member, and how.
type declarer struct {
	branch int
	as     *jsonschema.Schema
}

// tag returns the constants of a member, nil if it does not distinguish two objects.
func (b *side) tag(name string, branches []branch, by []declarer) *tag {
	if len(by) < 2 {
		return nil
	}
	t := &tag{name: name, values: map[int][]string{}}
	seen := map[string]bool{}
	for _, d := range by {
		values := b.constantsOf(d.as)
		if values == nil {
			continue
		}
		if slices.ContainsFunc(values, func(c string) bool { return seen[c] }) {
			return nil
		}
		for _, c := range values {
			seen[c] = true
		}
		t.values[d.branch] = values
		if branches[d.branch].v.IsRequired(name) {
			t.required++
		}
	}
	if len(t.values) < 2 {
		return nil
	}
	return t
}

func (t *tag) better(than *tag) bool {
	return than == nil || cmp.Or(
		cmp.Compare(len(t.values), len(than.values)),
		cmp.Compare(t.required, than.required),
		cmp.Compare(than.name, t.name),
	) > 0
}

// constantsOf returns the values that a member may have; nil if there is another.
func (b *side) constantsOf(s *jsonschema.Schema) []string {
	if s == nil {
		return nil
	}
	v, why := b.view(s)
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

// discriminator reads OpenAPI's keyword: the member, and which of its values mean
// which definition. Nil if it does not say all.
func (b *side) discriminator(u *jsonschema.Schema, branches []branch, objects []int) *tag {
	var d struct {
		PropertyName string
		Mapping      map[string]string
	}
	if raw := u.Keywords["discriminator"]; raw == nil || json.Unmarshal(raw, &d) != nil || d.PropertyName == "" {
		return nil
	}
	from := cmp.Or(b.doc.Lookup(u.Pointer), u)
	mapped := map[string][]string{} // by pointer of the target
	for value, ref := range d.Mapping {
		v, why := b.view(from.Refer(ref))
		if why != "" { // a name, as OpenAPI has it
			v, why = b.view(from.Refer("#/components/schemas/" + ref))
		}
		if why == "" {
			mapped[v.Pointer] = append(mapped[v.Pointer], quoted(value))
		}
	}
	t := &tag{name: d.PropertyName, values: map[int][]string{}}
	for _, i := range objects {
		v := branches[i].v
		if t.values[i] = b.constantsOf(v.Property(d.PropertyName)); t.values[i] != nil {
			continue
		}
		t.values[i] = slices.Sorted(slices.Values(mapped[v.Pointer]))
		if _, ok := b.definitionName(v.Pointer); ok && t.values[i] == nil {
			t.values[i] = []string{quoted(jsontext.UnescapePointer(path.Base(v.Pointer)))}
		}
		if t.values[i] == nil {
			return nil
		}
	}
	var all []string
	for _, values := range t.values {
		all = append(all, values...)
	}
	slices.Sort(all)
	if len(slices.Compact(slices.Clone(all))) < len(all) {
		return nil
	}
	return t
}

func quoted(text string) string { return string(jsontext.AppendString(nil, text)) }

// keys finds members that one object requires and no other declares, for objects
// without a required tag.
func keys(branches []branch, objects []int, out []ir.Match) {
	holders := map[string]int{}
	for _, i := range objects {
		for _, name := range memberNames(branches[i].v) {
			holders[name]++
		}
	}
	for _, i := range objects {
		v := branches[i].v
		if out[i].Tag != "" && v.IsRequired(out[i].Tag) {
			continue
		}
		for _, name := range out[i].Needs {
			if holders[name] == 1 {
				out[i].Key = name
				break
			}
		}
	}
}

// memberNames are the members that v names, each once.
func memberNames(v *jsonschema.Schema) []string {
	names := slices.Clone(v.Required)
	known := make(map[string]bool, len(names))
	for _, name := range names {
		known[name] = true
	}
	for _, p := range v.Properties {
		if !known[p.Name] {
			names = append(names, p.Name)
		}
	}
	return names
}

// rank orders the branches for trial: the one that requires most comes first, and maps
// last.
func rank(branches []branch, out []ir.Match) {
	order := make([]int, len(branches))
	for i := range order {
		order[i] = i
	}
	open := func(v *jsonschema.Schema) int {
		switch {
		case v.AdditionalProperties.IsBool(false):
			return 0
		case len(v.Properties) > 0 || len(v.Required) > 0:
			return 1
		}
		return 2
	}
	slices.SortStableFunc(order, func(i, j int) int {
		x, y := branches[i].v, branches[j].v
		return cmp.Or(
			cmp.Compare(min(1, open(x)/2), min(1, open(y)/2)),
			cmp.Compare(len(y.Required), len(x.Required)),
			cmp.Compare(len(y.PrefixItems), len(x.PrefixItems)),
			cmp.Compare(open(x), open(y)),
			cmp.Compare(len(y.Properties), len(x.Properties)),
		)
	})
	for r, i := range order {
		out[i].Rank = r
	}
}
