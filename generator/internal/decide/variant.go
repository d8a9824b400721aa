package decide

// The types of a union's variants. Every value kind that the union allows becomes
// types of its own: scalars of one kind are one variant, objects and arrays one
// for each branch.

import (
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/mcpgen/mcpgen/generator/internal/ir"
	"github.com/mcpgen/mcpgen/schema/jsonschema"
)

// branch is one way to be a value of a union: a schema of one kind.
type branch struct {
	v    *jsonschema.Schema
	kind string
	name string // what the variant is called behind its union; "" for a definition, which has its own name
	// short is the same without what all of the union's tags begin and end with; "" if that is nothing.
	short string
}

// union is an interface. Its variants are found later, since they may contain it.
func (b *side) union(v *jsonschema.Schema) expr {
	steps, lines := 0, len(v.AnyOf)
	for _, variant := range v.AnyOf {
		steps += len(variant.Properties) + len(variant.Required)
		lines += len(variant.Required) / 8 // they distinguish variants
	}
	switch {
	case !b.spend(steps):
		return b.wide(v, tooInvolved)
	case !b.room(lines):
		return b.wide(v, tooMany)
	}
	d := b.declare(ir.Union, v)
	if name := b.listings[v]; name != "" {
		d.definition = b.it.caps.spell(part(telling(name)))
	}
	b.queue = append(b.queue, d)
	return expr{ref: named(d)}
}

func (b *side) variantsOf(d *decl) {
	branches := b.branches(d.v)
	matches := b.matches(d.v, branches)
	b.nameBranches(branches, matches)
	known := map[*ir.Type]bool{}
	for i, br := range branches {
		t := b.variant(d, br)
		switch {
		case t == nil:
			b.warn(br.v.Pointer, "no type can be made of this variant: its values are kept as raw JSON")
			if note := "Values of a variant that no type can be made of are among the others."; !slices.Contains(d.notes, note) {
				d.notes = append(d.notes, note)
			}
		case !known[t]:
			known[t] = true
			d.t.Variants = append(d.t.Variants, ir.Variant{Type: t, Match: matches[i]})
		}
	}
}

// branches splits a union by the kinds of its values. A branch without a type counts for
// the kinds that it describes; other values match the type Other.
func (b *side) branches(u *jsonschema.Schema) []branch {
	views := u.AnyOf
	if !isUnion(u) {
		views = []*jsonschema.Schema{u}
	}
	var out []branch
	scalars := map[string]int{} // place in out, by kind
	sets := map[string][]alternative{}
	for _, v := range views {
		for _, k := range branchKinds(v) {
			only := b.restricted(u, v, k)
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
		out[at] = b.scalars(u, sets[key])
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
	return len(v.Properties) > 0 || len(v.PatternProperties) > 0 || v.AdditionalProperties != nil && v.AdditionalProperties.Bool == nil
}

func describesArray(v *jsonschema.Schema) bool {
	return len(v.PrefixItems) > 0 || v.Items != nil && v.Items.Bool == nil
}

// restricted is v as far as it is of one kind.
func (b *side) restricted(u, v *jsonschema.Schema, kind string) *jsonschema.Schema {
	if ks := kinds(v); len(ks) == 1 && (slices.Equal(nonNull(v.Types), ks) || v.Types == nil && v.Values() != nil) {
		return v
	}
	only := *v
	b.mention(&only, b.mentioned[v])
	only.Types = []string{kind}
	only.Pointer = v.Pointer + "/type/" + kind
	if v == u {
		only.Title, only.Description, only.Default, only.Examples = "", "", nil, nil
	}
	if hints := b.hints[v.Pointer]; hints != nil {
		b.hints[only.Pointer] = hints
	}
	return &only
}

// scalars is the one branch for all scalars of a kind.
func (b *side) scalars(u *jsonschema.Schema, set []alternative) branch {
	kind := kinds(set[0].v)[0]
	if len(set) == 1 {
		return branch{v: set[0].v, kind: kind}
	}
	at := u.Pointer + "/type/" + kind
	v := b.oneScalar(at, set)
	if v == nil {
		return branch{v: set[0].v, kind: kind}
	}
	return branch{v: v, kind: v.Types[0]}
}

// variant is the type of one branch; nil if none can be made.
func (b *side) variant(d *decl, br branch) *ir.Type {
	at := d.v.Pointer + "/type/" + br.kind
	for n := 2; b.variants[at] != "" && at != br.v.Pointer; n++ {
		at = d.v.Pointer + "/type/" + br.kind + "/" + strconv.Itoa(n)
	}
	if hints := b.hints[br.v.Pointer]; hints != nil && br.v.Values() == nil {
		listed := *br.v
		listed.Pointer, listed.Enum = at, hints
		if e := b.enum(&listed, br.kind); e.ref.Kind == ir.Named {
			b.call(at, br)
			return e.ref.Decl
		}
	}
	e := b.expr(br.v)
	switch e.ref.Kind {
	case ir.Any, ir.Raw, ir.Opt, ir.Pointer:
		return nil
	case ir.Named:
		return variantType(e.ref.Decl)
	case ir.Text: // a type made of it would not have its methods
		e.ref = basic("string")
	}
	if !b.room(1) {
		return nil
	}
	v := *br.v
	v.Pointer = at
	b.call(at, br)
	alias := b.declare(ir.Alias, &v)
	alias.t.Of = e.ref
	alias.notes = e.notes
	alias.from = br.v.Pointer
	return alias.t
}

// variantType returns t if it can have its own methods.
func variantType(t *ir.Type) *ir.Type {
	switch {
	case t.Kind == ir.Union || t.Open:
		return nil
	case t.Kind == ir.Alias && (t.Of.Kind == ir.Named || t.Of.Kind == ir.Any || t.Of.Kind == ir.Raw || t.Of.Kind == ir.Pointer || t.Of.Kind == ir.Opt):
		return nil
	}
	return t
}

// nameBranches says what each variant is called behind its union: after its
// definition, the constant that identifies it, its title, or the kind of its values; if
// there are several of a kind also after a member that only it has, or its items.
func (b *side) nameBranches(branches []branch, matches []ir.Match) {
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
			own = b.ownWord(*br, matches[i], holders)
		}
		br.name = b.branchName(*br, matches[i], own)
	}
	shortenTags(branches, matches)
	b.nameAlike(branches, matches)
	for i := range branches {
		br := &branches[i]
		if _, ok := b.definitionName(br.v.Pointer); !ok && b.variants[br.v.Pointer] == "" {
			b.call(br.v.Pointer, *br)
		}
	}
}

// call notes what the variant at a pointer is called.
func (b *side) call(at string, br branch) {
	b.variants[at] = br.name
	if br.short != "" {
		b.shorts[at] = br.short
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
	first, shortest := texts[0], len(texts[0])
	for _, t := range texts {
		shortest = min(shortest, len(t))
	}
	shared := func(at func(of []string, i int) string, most int) (n int) {
		for ; n < most && !slices.ContainsFunc(texts, func(t []string) bool { return at(t, n) != at(first, n) }); n++ {
		}
		return n
	}
	front := shared(func(of []string, i int) string { return of[i] }, shortest-1)
	back := shared(func(of []string, i int) string { return of[len(of)-1-i] }, shortest-1-front)
	if front+back == 0 {
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
func (b *side) nameAlike(branches []branch, matches []ir.Match) {
	values, count, objects := map[string]map[int]string{}, map[string]map[string]int{}, 0
	for i, br := range branches {
		if br.kind != "object" {
			continue
		}
		if objects++; matches[i].Tag != "" {
			return
		}
		for _, p := range br.v.Properties {
			if of := b.constantsOf(p.Schema); len(of) == 1 {
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
			if _, ok := b.definitionName(br.v.Pointer); ok || br.v.Title != "" || !isUpper([]rune(word)[0]) {
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
func (b *side) ownWord(br branch, m ir.Match, holders map[string]int) string {
	switch {
	case br.kind == "array":
		return join(b.itemWord(br.v), kindWord(br.v, br.kind))
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

func (b *side) branchName(br branch, m ir.Match, own string) string {
	if name, ok := b.definitionName(br.v.Pointer); ok {
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
func (b *side) itemWord(v *jsonschema.Schema) string {
	if v.Items == nil {
		return ""
	}
	item, why := b.view(v.Items)
	if why != "" {
		return ""
	}
	if name, ok := b.definitionName(item.Pointer); ok {
		return part(name)
	}
	if ks := kinds(item); len(ks) == 1 {
		return kindWord(item, ks[0])
	}
	return ""
}
