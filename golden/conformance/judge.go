package main

// One schema and one Go type, side by side.

import (
	"encoding/json"
	"fmt"
	"go/types"
	"maps"
	"reflect"
	"slices"
	"strings"

	"github.com/mcpgen/mcpgen/internal/jsontext"
	"github.com/mcpgen/mcpgen/schema/jsonschema"
)

// judge walks a schema and the type that was made for it.
type judge struct {
	doc        *jsonschema.Document
	seen       map[seen]bool
	said       map[*jsonschema.Schema]bool // what says has found out
	sites      int                         // root, properties, elements, branches that were looked at
	exceptions []string
	tags       []string // of the branch that is compared
}

func newJudge() *judge {
	return &judge{seen: map[seen]bool{}, said: map[*jsonschema.Schema]bool{}}
}

type seen struct {
	schema *jsonschema.Schema
	goType string
}

func (j *judge) except(pointer, format string, args ...any) {
	j.exceptions = append(j.exceptions, pointerText(pointer)+": "+fmt.Sprintf(format, args...))
}

// visit compares s with t. A branch is a variant of a union: its tags are set by
// marshalling, so that no field need show them.
func (j *judge) visit(s *jsonschema.Schema, t types.Type, branch bool) {
	pointer := s.Pointer
	s, err := j.doc.Resolve(s)
	if err != nil || s.Bool != nil {
		return
	}
	t = strip(t)
	key := seen{s, types.TypeString(t, nil)}
	if j.seen[key] {
		return
	}
	j.seen[key] = true
	if !j.says(s) {
		return
	}
	if isLoose(t) {
		j.except(pointer, "the type is %s", t)
		return
	}
	j.union(s, t, pointer)
	for _, part := range s.AllOf {
		j.visit(part, t, branch)
	}
	j.object(s, t, pointer, branch)
	j.array(s, t, pointer)
}

// union compares the branches of s with the variants of t. Types that a schema
// lists are branches too.
func (j *judge) union(s *jsonschema.Schema, t types.Type, pointer string) {
	branches := j.branches(s)
	if len(branches) == 1 {
		j.visit(branches[0], t, false)
		return
	}
	kinds := map[string]bool{}
	for _, kind := range s.Types {
		addKind(kinds, kind)
	}
	shapes := 0
	for _, b := range branches {
		for _, kind := range j.kinds(b, 0) {
			addKind(kinds, kind)
		}
		if r, err := j.doc.Resolve(b); err == nil && len(r.Properties) > 0 {
			shapes++
		}
	}
	variants := variantsOf(t)
	if variants == nil {
		switch {
		case len(kinds) > 1:
			j.except(pointer, "a union of kinds is one %s", t)
		case shapes > 1:
			j.except(pointer, "a union of objects is one %s", t)
		}
		return
	}
	for _, b := range branches {
		j.sites++
		j.variant(b, variants)
	}
}

func addKind(kinds map[string]bool, kind string) {
	switch kind {
	case "null":
	case "integer":
		kinds["number"] = true
	default:
		kinds[kind] = true
	}
}

// branches are the branches of a union that are not null.
func (j *judge) branches(s *jsonschema.Schema) []*jsonschema.Schema {
	var out []*jsonschema.Schema
	for _, b := range slices.Concat(s.AnyOf, s.OneOf) {
		r, err := j.doc.Resolve(b)
		if err != nil || slices.Equal(r.Types, []string{"null"}) || string(r.Const) == "null" || onlyRequires(r) {
			continue
		}
		out = append(out, b)
	}
	return out
}

// onlyRequires: a branch that only says which members have to be there.
func onlyRequires(s *jsonschema.Schema) bool {
	for keyword := range s.Keywords {
		if !slices.Contains([]string{"required", "not", "title", "description", "type"}, keyword) {
			return false
		}
	}
	return len(s.Required) > 0 || s.Not != nil
}

// kinds are the JSON kinds that a schema allows.
func (j *judge) kinds(s *jsonschema.Schema, depth int) []string {
	r, err := j.doc.Resolve(s)
	if err != nil || depth > 5 {
		return nil
	}
	kinds := slices.Clone(r.Types)
	for _, v := range append(slices.Clone(r.Enum), r.Const) {
		if len(v) > 0 && len(r.Types) == 0 {
			kinds = append(kinds, jsontext.TypeOf(v))
		}
	}
	for _, b := range slices.Concat(r.AnyOf, r.OneOf) {
		kinds = append(kinds, j.kinds(b, depth+1)...)
	}
	if len(kinds) == 0 && len(r.Properties) > 0 {
		return []string{"object"}
	}
	return kinds
}

// variant finds the variant of a branch and compares the two: the one that says most of the
// branch; of several, the struct with a field for most of its properties that are not tags.
func (j *judge) variant(b *jsonschema.Schema, variants []types.Type) {
	r, err := j.doc.Resolve(b)
	if err != nil || r.Bool != nil {
		return
	}
	var tags []string
	for _, p := range r.Properties {
		if j.isTag(p.Schema) {
			tags = append(tags, p.Name)
		}
	}
	var best *judge
	most := 0
	for _, v := range variants {
		n := 0
		switch u := strip(v).Underlying().(type) {
		case *types.Struct:
			for _, p := range r.Properties {
				switch {
				case fieldOf(u, p.Name) != nil:
					n++
				case !slices.Contains(tags, p.Name):
					n--
				}
			}
			if len(r.Properties) == 0 && len(r.PrefixItems) == 0 {
				continue
			}
		case *types.Slice, *types.Array:
			if r.Items == nil && len(r.PrefixItems) == 0 {
				continue
			}
		case *types.Map:
			if len(r.Properties) > 0 || r.AdditionalProperties == nil {
				continue
			}
		default:
			continue
		}
		as := &judge{doc: j.doc, seen: maps.Clone(j.seen), said: j.said, tags: tags}
		as.visit(b, v, true)
		if best == nil || len(as.exceptions) < len(best.exceptions) || len(as.exceptions) == len(best.exceptions) && n > most {
			best, most = as, n
		}
	}
	if best != nil {
		j.seen, j.sites, j.exceptions = best.seen, j.sites+best.sites, append(j.exceptions, best.exceptions...)
	}
}

// object compares the properties of s with the fields of t.
func (j *judge) object(s *jsonschema.Schema, t types.Type, pointer string, branch bool) {
	if len(s.Properties) == 0 && len(s.PatternProperties) == 0 && s.AdditionalProperties == nil {
		return
	}
	rest := slices.Clone(s.PatternProperties)
	if s.AdditionalProperties != nil {
		rest = append(rest, jsonschema.Property{Schema: s.AdditionalProperties})
	}
	switch u := t.Underlying().(type) {
	case *types.Map:
		if len(s.Properties) > 0 {
			j.except(pointer, "its properties are in a %s", t)
		}
		j.members(rest, u.Elem())
	case *types.Struct:
		j.fields(s, u, branch)
		if extra := field(u, "Extra"); extra != nil {
			if m, ok := extra.Type().Underlying().(*types.Map); ok {
				j.members(rest, m.Elem())
			}
		}
	case *types.Interface:
		for _, v := range variantsOf(t) {
			if st, ok := strip(v).Underlying().(*types.Struct); ok && fieldsShow(st, s.Properties) {
				j.fields(s, st, true)
			}
		}
	default:
		if len(s.Properties) > 0 {
			j.except(pointer, "its properties are in a %s", t)
		}
	}
}

// fieldsShow: the struct has a field for one of the properties.
func fieldsShow(st *types.Struct, properties []jsonschema.Property) bool {
	return slices.ContainsFunc(properties, func(p jsonschema.Property) bool { return fieldOf(st, p.Name) != nil })
}

func (j *judge) members(properties []jsonschema.Property, elem types.Type) {
	for _, p := range properties {
		j.sites++
		j.visit(p.Schema, elem, false)
	}
}

func (j *judge) fields(s *jsonschema.Schema, st *types.Struct, branch bool) {
	for _, p := range s.Properties {
		j.sites++
		f := fieldOf(st, p.Name)
		switch {
		case f != nil:
			j.visit(p.Schema, f.Type(), false)
		case branch && (j.isTag(p.Schema) || slices.Contains(j.tags, p.Name)), !tagHolds(p.Name), p.Schema.Bool != nil && !*p.Schema.Bool:
			// Marshalling sets it, no tag can name the field, or it may never be
			// there. The round trip shows whether its values survive.
		default:
			j.except(p.Schema.Pointer, "no field")
		}
	}
}

// isTag: one constant, that tells a variant.
func (j *judge) isTag(s *jsonschema.Schema) bool {
	r, err := j.doc.Resolve(s)
	return err == nil && (r.Const != nil || len(r.Enum) == 1)
}

// tagHolds says whether encoding/json takes a name from a struct tag, in both of
// its versions.
func tagHolds(name string) bool {
	for _, r := range name {
		if r < ' ' || r > '~' || strings.ContainsRune("\"'\\`,", r) {
			return false
		}
	}
	return name != ""
}

// array compares the elements of s with those of t.
func (j *judge) array(s *jsonschema.Schema, t types.Type, pointer string) {
	elements := slices.Clone(s.PrefixItems)
	if s.Items != nil {
		elements = append(elements, s.Items)
	}
	if len(elements) == 0 {
		return
	}
	var elem types.Type
	switch u := t.Underlying().(type) {
	case *types.Slice:
		elem = u.Elem()
	case *types.Array:
		elem = u.Elem()
	case *types.Struct: // a tuple: fields in order, what follows them last
		for i, e := range elements {
			j.sites++
			switch {
			case i >= u.NumFields():
			case e == s.Items:
				if rest, ok := u.Field(u.NumFields() - 1).Type().Underlying().(*types.Slice); ok {
					j.visit(e, rest.Elem(), false)
				}
			default:
				j.visit(e, u.Field(i).Type(), false)
			}
		}
		return
	default:
		return
	}
	for _, e := range elements {
		j.sites++
		j.visit(e, elem, false)
	}
}

// says tells whether a schema says what its values are made of. One that is made
// of itself does.
func (j *judge) says(s *jsonschema.Schema) bool {
	r, err := j.doc.Resolve(s)
	if err != nil || r.Bool != nil {
		return false
	}
	known, ok := j.said[r]
	if !ok {
		j.said[r] = true
		known = j.saysAnew(r)
		j.said[r] = known
	}
	return known
}

func (j *judge) saysAnew(r *jsonschema.Schema) bool {
	mute := func(b *jsonschema.Schema) bool { return !j.says(b) && len(j.kinds(b, 0)) == 0 }
	if branches := j.branches(r); len(branches) > 0 && !slices.ContainsFunc(branches, mute) {
		return true
	}
	switch {
	case len(r.Enum) > 0:
		return slices.ContainsFunc(r.Enum, func(v json.RawMessage) bool { return string(v) != "null" })
	case r.Const != nil:
		return string(r.Const) != "null"
	case slices.ContainsFunc(r.AllOf, j.says), len(r.PrefixItems) > 0, len(r.Properties) > 0:
		return true
	}
	kinds := slices.DeleteFunc(slices.Clone(r.Types), func(k string) bool { return k == "null" })
	switch {
	case slices.Equal(kinds, []string{"object"}):
		return r.AdditionalProperties != nil && j.says(r.AdditionalProperties) ||
			slices.ContainsFunc(r.PatternProperties, func(p jsonschema.Property) bool { return j.says(p.Schema) })
	case slices.Equal(kinds, []string{"array"}):
		return r.Items != nil && j.says(r.Items)
	}
	return len(kinds) > 0
}

func fieldOf(s *types.Struct, wire string) *types.Var {
	for i := range s.NumFields() {
		name, _, _ := strings.Cut(reflect.StructTag(s.Tag(i)).Get("json"), ",")
		if name == wire && (name != "-" || strings.HasPrefix(reflect.StructTag(s.Tag(i)).Get("json"), "-,")) {
			return s.Field(i)
		}
	}
	return nil
}

func field(s *types.Struct, name string) *types.Var {
	for f := range s.Fields() {
		if f.Name() == name {
			return f
		}
	}
	return nil
}

// strip takes pointers and optionals off.
func strip(t types.Type) types.Type {
	for {
		switch u := types.Unalias(t).(type) {
		case *types.Pointer:
			t = u.Elem()
		case *types.Named:
			if u.TypeArgs().Len() != 1 {
				return u
			}
			t = u.TypeArgs().At(0)
		default:
			return u
		}
	}
}

// isLoose: any, raw JSON, a whole result.
func isLoose(t types.Type) bool {
	if named, ok := t.(*types.Named); ok {
		switch path, name := packageOf(named), named.Obj().Name(); {
		case path == "encoding/json" && name == "RawMessage", path == "github.com/mcpgen/mcpgen/runtime" && name == "Result":
			return true
		}
	}
	i, ok := t.Underlying().(*types.Interface)
	return ok && i.NumMethods() == 0
}

func packageOf(t *types.Named) string {
	if t.Obj().Pkg() == nil {
		return ""
	}
	return t.Obj().Pkg().Path()
}

// variantsOf are the types of t's package that implement it, if it is a sealed
// interface; else nil.
func variantsOf(t types.Type) []types.Type {
	named, ok := t.(*types.Named)
	if !ok {
		return nil
	}
	i, ok := named.Underlying().(*types.Interface)
	if !ok || i.NumMethods() == 0 {
		return nil
	}
	out := []types.Type{}
	scope := named.Obj().Pkg().Scope()
	for _, name := range scope.Names() {
		o, ok := scope.Lookup(name).(*types.TypeName)
		if !ok || types.IsInterface(o.Type()) {
			continue
		}
		if types.Implements(o.Type(), i) || types.Implements(types.NewPointer(o.Type()), i) {
			out = append(out, o.Type())
		}
	}
	return out
}
