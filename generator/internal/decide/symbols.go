package decide

// The names that were given, with the places that they name: what a change
// on the wire means in Go.

import (
	"cmp"
	"context"
	"slices"
	"strings"

	"github.com/mcpgen/mcpgen/generator/internal/gotext"
	"github.com/mcpgen/mcpgen/generator/internal/ir"
	"github.com/mcpgen/mcpgen/schema"
	"github.com/mcpgen/mcpgen/schema/jsonschema"
)

// Role is the kind of a [Symbol].
type Role string

// The roles.
const (
	RoleFunc  Role = "func"  // a function, and the method of Client with its name
	RoleType  Role = "type"  // a declared type
	RoleField Role = "field" // a field of a struct
	RoleConst Role = "const" // a constant of an enum
)

// maxPlaces bounds the places that one name has.
const maxPlaces = 500

// Symbol is one Go name of a generated package.
type Symbol struct {
	Kind schema.Kind // of the item that it was made for
	Item string      // wire name, URI or URI template of the item
	Role Role
	Go   string // in the package; of a field "Type.Field". Old names are symbols, too
	// Result says that it belongs to what a call returns.
	Result bool
	// Pointers are JSON pointers into the item's definition: first the place that
	// the name was made for, then other places that it names, such as the
	// definition behind a $ref. Those of a constant are its type's.
	Pointers []string
	// Type is a type as written inside the package: of a field its own, of a
	// tool's function that of the result, of a constant its enum. Of a type it is struct,
	// interface, or what it is defined as.
	Type string
	// Required says of a field that it is sent or read always.
	Required bool
	Value    string // of a constant: its JSON value
	// Of is the name of the same type or constant that is declared, if this one is
	// another name of it: "type Go = Of". Names of types that several items share are
	// there once for each item.
	Of string
	// Comparable says of a type that == compares its values.
	Comparable bool
	// Variants are the declared names of the types that a union can hold.
	Variants []string
}

// IsFunc reports whether it is the name of a function.
func (s *Symbol) IsFunc() bool { return s.Role == RoleFunc }

// IsType reports whether it is the name of a type.
func (s *Symbol) IsType() bool { return s.Role == RoleType }

// Symbols returns the names that [Package] gives, sorted by kind, item and name. The
// snapshot may be a past one, see [Input].
func Symbols(ctx context.Context, in Input) ([]Symbol, error) {
	in.Past = true
	all, err := decideAll(ctx, in, newWarner(in.Name, ""), func(*tool) {}) // they are asked for places
	if err != nil {
		return nil, err
	}
	var out []Symbol
	known := comparables{}
	for _, t := range all.tools {
		if t.wanted {
			out = append(out, t.symbols(known)...)
		}
	}
	for _, it := range all.items()[len(all.tools):] {
		out = append(out, it.symbols(known)...)
	}
	slices.SortStableFunc(out, func(a, b Symbol) int {
		return cmp.Or(cmp.Compare(a.Kind, b.Kind), cmp.Compare(a.Item, b.Item), cmp.Compare(a.Go, b.Go))
	})
	return out, nil
}

func (it *item) symbols(known comparables) []Symbol {
	var out []Symbol
	for _, f := range it.functions {
		out = append(out, Symbol{Role: RoleFunc, Go: f.goName, Pointers: []string{f.key}})
	}
	for d := range it.decls() {
		out = append(out, d.symbols(known)...)
	}
	for i := range out {
		out[i].Kind, out[i].Item = it.kind, it.wire
	}
	return out
}

// symbols are the names of one tool, its old ones too.
func (t *tool) symbols(known comparables) []Symbol {
	out := t.item.symbols(known)
	for i := range t.functions { // functions for tasks have the same result
		if t.resulted == nil {
			out[i].Type = gotext.ResultType(nil)
			continue
		}
		out[i].Type = gotext.ResultType(t.resulted.root)
		out[i].Pointers = append(out[i].Pointers, t.resulted.places(t.resulted.doc.Root)...)
	}
	old, generated := t.oldSymbols(out), map[string]bool{}
	for _, n := range t.otherNames() {
		generated[n.Go] = t.has(n)
	}
	return append(slices.DeleteFunc(out, func(s Symbol) bool { return s.Of != "" && !generated[s.Go] }), old...)
}

// oldSymbols are the names of a tool once more, as they were before.
func (t *tool) oldSymbols(now []Symbol) []Symbol {
	var out []Symbol
	for _, was := range t.oldNames {
		names := map[string]string{t.goName(): was.Go}
		for _, n := range was.types {
			if t.has(n.Synonym) {
				names[n.now] = n.Go
			}
		}
		for _, s := range now {
			of, field, _ := strings.Cut(s.Go, ".")
			if names[of] == "" {
				continue
			}
			s.Go = names[of]
			if field != "" {
				s.Go += "." + field
			}
			s.Type = gotext.Rename(s.Type, func(name string) string { return cmp.Or(names[name], name) })
			out = append(out, s)
		}
	}
	return out
}

// symbols are the names of one type, its fields and its constants.
func (d *decl) symbols(known comparables) []Symbol {
	b := d.side
	own, shared := d.parts()
	parts := append(slices.Clip(own), shared...)
	self := Symbol{
		Role: RoleType, Go: d.t.Go, Result: b.results, Pointers: []string{b.at + d.v.Pointer},
		Type: d.form(), Comparable: known.declared(d.t),
	}
	if d.from != "" {
		self.Pointers = addPlace(self.Pointers, b.at+d.from)
	}
	for _, p := range own {
		self.Pointers = addPlace(self.Pointers, b.at+p.Pointer)
	}
	out := []Symbol{self}
	if d.t.Kind == ir.Union {
		for _, v := range d.t.Variants {
			out[0].Variants = append(out[0].Variants, v.Type.Go)
		}
		out[0].Variants = append(out[0].Variants, d.t.Other)
		self.Variants = out[0].Variants
		out = append(out, d.other(self))
	}
	for _, c := range d.t.Consts {
		if slices.Contains(d.lacks, c.Value) {
			continue
		}
		out = append(out, Symbol{
			Role: RoleConst, Go: c.Go, Result: b.results, Pointers: self.Pointers, Type: d.t.Go, Value: c.Value,
		})
	}
	for _, m := range d.members {
		field := Symbol{
			Role: RoleField, Go: d.t.Go + "." + m.f.Go, Result: b.results, Type: gotext.Type(m.f.Type),
			Required: m.f.Presence == ir.Required, Pointers: addPlace([]string{m.key}, b.places(m.schema)...),
		}
		for _, p := range parts {
			if s := p.Property(m.f.Wire); s != nil && d.t.Kind == ir.Struct {
				field.Pointers = addPlace(field.Pointers, b.places(s)...)
			}
		}
		out = append(out, field)
	}
	return append(append(out, d.restSymbols(parts)...), d.synonymSymbols(self)...)
}

// other is the type that keeps what matches no variant of a union.
func (d *decl) other(union Symbol) Symbol {
	union.Go, union.Type, union.Comparable, union.Variants = d.t.Other, "struct", false, nil
	return union
}

// comparables says of types whether == compares their values, as far as that was asked.
type comparables map[*ir.Type]bool

func (known comparables) declared(t *ir.Type) bool {
	yes, asked := known[t]
	if asked {
		return yes
	}
	switch t.Kind {
	case ir.Struct, ir.Tuple:
		wide := func(f *ir.Field) bool { return !known.ref(f.Type) }
		yes = t.Extra == nil && t.Rest == nil && !t.Exact && !slices.ContainsFunc(t.Fields, wide)
	case ir.Alias:
		yes = known.ref(t.Of)
	default:
		yes = true
	}
	known[t] = yes
	return yes
}

func (known comparables) ref(r *ir.Ref) bool {
	switch r.Kind {
	case ir.Slice, ir.Map, ir.Raw:
		return false
	case ir.Array, ir.Opt:
		return known.ref(r.Elem)
	case ir.Named:
		return known.declared(r.Decl)
	}
	return true
}

// synonymSymbols are the other names of the type and its constants.
func (d *decl) synonymSymbols(self Symbol) []Symbol {
	var out []Symbol
	for _, n := range d.synonyms {
		s := self
		s.Go, s.Of = n.Go, n.Of
		switch {
		case n.Value != "":
			s = Symbol{Role: RoleConst, Go: n.Go, Result: self.Result, Pointers: self.Pointers,
				Type: d.t.Go, Value: n.Value, Of: n.Of}
		case n.Of == d.t.Other:
			s = d.other(s)
			s.Go = n.Go
		}
		out = append(out, s)
	}
	return out
}

// restSymbols are the fields that take what no other does.
func (d *decl) restSymbols(parts []*jsonschema.Schema) []Symbol {
	name, ref := "Extra", d.t.Extra
	keywords := []string{"/additionalProperties", "/unevaluatedProperties", "/patternProperties"}
	if d.t.Kind == ir.Tuple {
		name, ref, keywords = "Rest", d.t.Rest, []string{"/items", "/additionalItems"}
	}
	if ref == nil {
		return nil
	}
	b := d.side
	s := Symbol{Role: RoleField, Go: d.t.Go + "." + name, Result: b.results, Type: gotext.Type(ref)}
	for _, keyword := range keywords {
		s.Pointers = addPlace(s.Pointers, b.at+d.v.Pointer+keyword)
		for _, p := range parts {
			s.Pointers = addPlace(s.Pointers, b.at+p.Pointer+keyword)
		}
	}
	for _, p := range parts {
		for _, value := range []*jsonschema.Schema{p.AdditionalProperties, p.UnevaluatedProperties} {
			if value != nil && d.t.Kind == ir.Struct {
				s.Pointers = addPlace(s.Pointers, b.places(value)...)
			}
		}
	}
	return []Symbol{s}
}

func (d *decl) form() string {
	switch d.t.Kind {
	case ir.Union:
		return "interface"
	case ir.Enum:
		return d.t.Base
	case ir.Alias:
		return gotext.Type(d.t.Of)
	}
	return "struct"
}

// parts are the schemas that a type's members are declared in: its own with what
// they refer to, and, of a variant, what its union says of all variants.
func (d *decl) parts() (own, shared []*jsonschema.Schema) {
	doc := d.side.doc
	at := d.v.Pointer
	s := doc.Lookup(at)
	if s != nil {
		own = besides(doc, s)
	}
	for s == nil && at != "" { // made for one kind of values, or of what is not declared
		at = at[:strings.LastIndexByte(at, '/')]
		if s = doc.Lookup(at); s != nil {
			shared = besides(doc, s)
		}
	}
	i := max(strings.LastIndex(at, "/anyOf/"), strings.LastIndex(at, "/oneOf/"))
	if i >= 0 && isIndex(at[i+len("/anyOf/"):]) {
		if union := doc.Lookup(at[:i]); union != nil {
			shared = append(shared, union)
		}
	}
	return own, shared
}

// besides are the schemas that hold for a value wherever s does.
func besides(doc *jsonschema.Document, s *jsonschema.Schema) []*jsonschema.Schema {
	return reach(doc, s, func(s *jsonschema.Schema) []*jsonschema.Schema {
		next := append(slices.Clone(s.AllOf), s.Then, s.Else)
		for _, p := range s.DependentSchemas {
			next = append(next, p.Schema)
		}
		return next
	})
}

// places returns the places that a name for s has: those of the schemas that
// describe its value, or elements within it, but not its members.
func (b *side) places(s *jsonschema.Schema) []string {
	var out []string
	for _, s := range reach(b.doc, s, func(s *jsonschema.Schema) []*jsonschema.Schema {
		next := slices.Concat(s.AllOf, s.AnyOf, s.OneOf, s.PrefixItems)
		next = append(next, s.Items, s.AdditionalProperties, s.Then, s.Else, s.Not, s.If,
			s.Contains, s.UnevaluatedItems, s.UnevaluatedProperties)
		for _, p := range s.PatternProperties {
			next = append(next, p.Schema)
		}
		return next
	}) {
		out = append(out, b.at+s.Pointer)
	}
	return out
}

// reach returns s and what next leads to, references followed, each once.
func reach(doc *jsonschema.Document, s *jsonschema.Schema,
	next func(*jsonschema.Schema) []*jsonschema.Schema) []*jsonschema.Schema {
	out := []*jsonschema.Schema{s}
	known := map[*jsonschema.Schema]bool{s: true, nil: true}
	for i := 0; i < len(out) && len(out) < maxPlaces; i++ {
		more := next(out[i])
		if target, err := doc.Follow(out[i]); err == nil {
			more = append(more, target)
		}
		for _, m := range more {
			if !known[m] {
				known[m] = true
				out = append(out, m)
			}
		}
	}
	return out
}

func addPlace(places []string, more ...string) []string {
	for _, p := range more {
		if !slices.Contains(places, p) && len(places) < maxPlaces {
			places = append(places, p)
		}
	}
	return places
}
