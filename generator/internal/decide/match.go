package decide

// How the variants of a union are recognized, and how they are named after it.

import (
	"cmp"
	"encoding/json"
	"maps"
	"path"
	"slices"
	"strings"

	"github.com/mcpgen/mcpgen/generator/internal/ir"
	"github.com/mcpgen/mcpgen/internal/jsontext"
	"github.com/mcpgen/mcpgen/schema/jsonschema"
)

// split returns the branches of a union with their names, and how values of each are recognized.
func (vs *views) split(u *jsonschema.Schema) ([]branch, []ir.Match) {
	branches := vs.branches(u)
	matches := vs.matches(u, branches)
	vs.nameBranches(branches, matches)
	return branches, matches
}

// matches says of each branch which values are its own.
func (vs *views) matches(u *jsonschema.Schema, branches []branch) []ir.Match {
	out := make([]ir.Match, len(branches))
	var objects []int
	for i, br := range branches {
		out[i].Kind = br.kind
		if br.kind == "object" {
			objects = append(objects, i)
			out[i].Needs = slices.Sorted(slices.Values(br.v.Required))
		}
	}
	if len(objects) > 1 {
		vs.tags(u, branches, objects, out)
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
func (vs *views) tags(u *jsonschema.Schema, branches []branch, objects []int, out []ir.Match) {
	best := vs.discriminator(u, branches, objects)
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
			if t := vs.tag(name, branches, declaring[name]); t != nil && t.better(best) {
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
func (vs *views) tag(name string, branches []branch, by []declarer) *tag {
	if len(by) < 2 {
		return nil
	}
	t := &tag{name: name, values: map[int][]string{}}
	seen := map[string]bool{}
	for _, d := range by {
		values := vs.constantsOf(d.as)
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

// discriminator reads OpenAPI's keyword: the member, and which of its values mean
// which definition. Nil if it does not say all.
func (vs *views) discriminator(u *jsonschema.Schema, branches []branch, objects []int) *tag {
	var d struct {
		PropertyName string
		Mapping      map[string]string
	}
	if raw := u.Keywords["discriminator"]; raw == nil || json.Unmarshal(raw, &d) != nil || d.PropertyName == "" {
		return nil
	}
	from := cmp.Or(vs.doc.Lookup(u.Pointer), u)
	mapped := map[string][]string{} // by pointer of the target
	for value, ref := range d.Mapping {
		v, why := vs.view(from.Refer(ref))
		if why != "" { // a name, as OpenAPI has it
			v, why = vs.view(from.Refer("#/components/schemas/" + ref))
		}
		if why == "" {
			mapped[v.Pointer] = append(mapped[v.Pointer], quoted(value))
		}
	}
	t := &tag{name: d.PropertyName, values: map[int][]string{}}
	for _, i := range objects {
		v := branches[i].v
		own := vs.constantsOf(v.Property(d.PropertyName))
		t.values[i] = slices.Sorted(slices.Values(mapped[v.Pointer]))
		unlisted := func(value string) bool { return !slices.Contains(own, value) }
		if len(own) == 1 || own != nil && (t.values[i] == nil || slices.ContainsFunc(t.values[i], unlisted)) {
			t.values[i] = own
			continue
		}
		if _, ok := vs.called.definition(v.Pointer); ok && t.values[i] == nil {
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

// nameBranches says what each variant is called behind its union: after its
// definition, the constant that identifies it, its title, or the kind of its values; if
// there are several of a kind also after a member that only it has, or its items.
func (vs *views) nameBranches(branches []branch, matches []ir.Match) {
	count := map[string]int{}
	holders := map[string]int{}
	for _, br := range branches {
		count[br.kind]++
		for _, name := range memberNames(br.v) {
			holders[name]++
		}
	}
	for i := range branches {
		br := &branches[i]
		own := ""
		if count[br.kind] > 1 {
			own = vs.ownWord(*br, matches[i], holders)
		}
		br.name = vs.branchName(*br, matches[i], own)
	}
	shortenTags(branches, matches)
	vs.nameAlike(branches, matches)
	for i := range branches {
		br := &branches[i]
		if _, ok := vs.called.definition(br.v.Pointer); !ok && vs.called.variants[br.v.Pointer] == "" {
			vs.called.variant(br.v.Pointer, *br)
		}
	}
}

// shortenTags leaves out of the names of variants the words that the texts of all tags
// begin or end with.
func shortenTags(branches []branch, matches []ir.Match) {
	var texts [][]string
	var tagged []*branch
	for i, m := range matches {
		if branches[i].kind == "object" && m.Tag != "" && len(m.Values) == 1 {
			tagged = append(tagged, &branches[i])
			texts = append(texts, words(constantText(m.Values[0])))
		}
	}
	if len(texts) < 2 {
		return
	}
	front, back, shortest := len(texts[0]), len(texts[0]), len(texts[0])
	for _, t := range texts {
		begin, end := alike(texts[0], t)
		front, back, shortest = min(front, begin), min(back, end), min(shortest, len(t))
	}
	front = max(0, min(front, shortest-1)) // something is left of each
	if back = max(0, min(back, shortest-1-front)); front+back == 0 {
		return
	}
	for i, br := range tagged {
		rest := texts[i][front : len(texts[i])-back]
		if name := part(strings.Join(rest, " ")); br.name == part(strings.Join(texts[i], " ")) && isUpper([]rune(name)[0]) {
			br.short = name
		}
	}
}

// nameAlike names objects without a distinguishing tag after a member that is a constant in
// each object. Objects that share the constant's value also get the name of a member that
// only they have.
func (vs *views) nameAlike(branches []branch, matches []ir.Match) {
	values, count, objects := map[string]map[int]string{}, map[string]map[string]int{}, 0
	for i, br := range branches {
		if br.kind != "object" {
			continue
		}
		if objects++; matches[i].Tag != "" {
			return
		}
		for _, p := range br.v.Properties {
			if of := vs.constantsOf(p.Schema); len(of) == 1 {
				if values[p.Name] == nil {
					values[p.Name], count[p.Name] = map[int]string{}, map[string]int{}
				}
				values[p.Name][i] = of[0]
				count[p.Name][of[0]]++
			}
		}
	}
	for _, member := range slices.Sorted(maps.Keys(values)) {
		if len(values[member]) < objects || len(count[member]) < 2 {
			continue
		}
		for i, value := range values[member] {
			br := &branches[i]
			word := part(constantText(value))
			if _, ok := vs.called.definition(br.v.Pointer); ok || br.v.Title != "" || !isUpper([]rune(word)[0]) {
				continue
			}
			if br.short = word; count[member][value] > 1 && br.name != kindWord(br.v, br.kind) {
				br.short = join(word, br.name)
			}
		}
		return
	}
}

// ownWord is named after what only this variant of its kind has.
func (vs *views) ownWord(br branch, m ir.Match, holders map[string]int) string {
	switch {
	case br.kind == "array":
		return join(vs.itemWord(br.v), kindWord(br.v, br.kind))
	case m.Key != "":
		return part(m.Key)
	}
	names := memberNames(br.v)
	slices.Sort(names)
	for _, name := range names {
		if holders[name] == 1 {
			return part(name)
		}
	}
	return ""
}

func (vs *views) branchName(br branch, m ir.Match, own string) string {
	if name, ok := vs.called.definition(br.v.Pointer); ok {
		return part(name)
	}
	switch {
	case br.kind == "object" && m.Tag != "" && len(m.Values) <= 3:
		var texts []string
		for _, v := range m.Values {
			texts = append(texts, constantText(v))
		}
		return part(strings.Join(texts, " or "))
	case br.kind == "object" && br.v.Title != "" && len(br.v.Title) <= maxTitle:
		return part(br.v.Title)
	case own != "":
		return own
	}
	return kindWord(br.v, br.kind)
}

// maxTitle bounds the titles that are taken for names.
const maxTitle = 40

// kindWord names a variant of which only the kind is known.
func kindWord(v *jsonschema.Schema, kind string) string {
	switch kind {
	case "string":
		return "String"
	case "integer":
		return "Int"
	case "number":
		return "Number"
	case "boolean":
		return "Bool"
	case "array":
		return "List"
	}
	if len(v.Properties) == 0 && !v.AdditionalProperties.IsBool(false) {
		return "Map"
	}
	return "Object"
}

// itemWord names the items of an array, "" if they are of several kinds.
func (vs *views) itemWord(v *jsonschema.Schema) string {
	if v.Items == nil {
		return ""
	}
	item, why := vs.view(v.Items)
	if why != "" {
		return ""
	}
	if name, ok := vs.called.definition(item.Pointer); ok {
		return part(name)
	}
	if ks := kinds(item); len(ks) == 1 {
		return kindWord(item, ks[0])
	}
	return ""
}
