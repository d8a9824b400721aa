package decide

// The names that were given, with the places that they name: what a change
// on the wire means in Go.

import (
	"cmp"
	"context"
	"slices"
	"strings"

	"github.com/mcpgen/mcpgen/generator/internal/ir"
	"github.com/mcpgen/mcpgen/schema"
	"github.com/mcpgen/mcpgen/schema/jsonschema"
)

// The roles of symbols.
const (
	RoleFunc  = "func"
	RoleType  = "type"
	RoleField = "field"
	RoleConst = "const"
)

// maxPlaces bounds the places that one name has.
const maxPlaces = 500

// Symbol is one Go name of a package.
type Symbol struct {
	Kind     schema.Kind
	Item     string // wire name
	Role     string
	Go       string   // of a field Type.Field
	Result   bool     // it belongs to what a call returns
	Pointers []string // into the definition: its own place first, then others that it names
	Ref      *ir.Ref  // type of a field, result of a function; may be nil
	Form     string   // what a type is, and the type of a constant
	Required bool     // a field that is always there
	Value    string   // of a constant, as JSON
	Of       string   // the name that it is another name of; "" if it is declared itself
	// Renamed says of a old name what the names of today were called with it.
	Renamed map[string]string
}

// Symbols returns the names that [Package] gives, sorted by kind, item and name. The
// snapshot may be a past one, see [Input].
func Symbols(ctx context.Context, in Input) ([]Symbol, error) {
	in.Past = true
	all, err := decideAll(ctx, in, newWarner(in.Server), keepSchemas)
	if err != nil {
		return nil, err
	}
	var out []Symbol
	for _, t := range all.tools {
		if t.wanted {
			out = append(out, t.symbols()...)
		}
	}
	for _, it := range all.items()[len(all.tools):] {
		out = append(out, it.symbols()...)
	}
	slices.SortStableFunc(out, func(a, b Symbol) int {
		return cmp.Or(cmp.Compare(a.Kind, b.Kind), cmp.Compare(a.Item, b.Item), cmp.Compare(a.Go, b.Go))
	})
	return out, nil
}

// symbols are the names of one item.
func (it *item) symbols() []Symbol {
	var out []Symbol
	for _, f := range it.functions {
		out = append(out, Symbol{Role: RoleFunc, Go: f.goName, Pointers: []string{f.key}})
	}
	for _, d := range it.decls() {
		out = append(out, d.symbols()...)
	}
	for i := range out {
		out[i].Kind, out[i].Item = it.kind, it.wire
	}
	return out
}

// symbols are the names of one tool, its old ones too.
func (t *tool) symbols() []Symbol {
	out := t.item.symbols()
	if t.resulted != nil {
		for i := range t.functions { // those of its tasks have the same result
			out[i].Ref = t.resulted.root
			out[i].Pointers = append(out[i].Pointers, t.resulted.places(t.resulted.doc.Root)...)
		}
	}
	return append(out, t.oldSymbols(out)...)
}

// oldSymbols are the names of a tool once more, as they were before.
func (t *tool) oldSymbols(now []Symbol) []Symbol {
	var out []Symbol
	for _, was := range t.oldNames {
		names := map[string]string{t.goName(): was.Go}
		for _, n := range was.Names {
			names[n.Of] = n.Go
		}
		for _, s := range now {
			of, field, _ := strings.Cut(s.Go, ".")
			if names[of] == "" {
				continue
			}
			s.Go, s.Renamed = names[of], names
			if field != "" {
				s.Go += "." + field
			}
			out = append(out, s)
		}
	}
	return out
}

// symbols are the names of one type, its fields and its constants.
func (d *decl) symbols() []Symbol {
	b := d.side
	own, shared := d.parts()
	parts := append(slices.Clip(own), shared...)
	self := Symbol{Role: RoleType, Go: d.t.Go, Result: b.results, Pointers: []string{b.at + d.v.Pointer}, Form: d.form()}
	if d.from != "" {
		self.Pointers = addPlace(self.Pointers, b.at+d.from)
	}
	for _, p := range own {
		self.Pointers = addPlace(self.Pointers, b.at+p.Pointer)
	}
	if d.t.Kind == ir.Alias {
		self.Ref = d.t.Of
	}
	out := []Symbol{self}
	if d.t.Kind == ir.Union {
		other := self
		other.Go, other.Form = d.t.Other, "struct"
		out = append(out, other)
	}
	for _, c := range d.t.Consts {
		out = append(out, Symbol{Role: RoleConst, Go: c.Go, Result: b.results, Pointers: self.Pointers, Form: d.t.Go, Value: c.Value})
	}
	for _, m := range d.members {
		field := Symbol{
			Role: RoleField, Go: d.t.Go + "." + m.f.Go, Result: b.results, Ref: m.f.Type,
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

// synonymSymbols are the other names of the type and its constants.
func (d *decl) synonymSymbols(self Symbol) []Symbol {
	var out []Symbol
	for _, n := range d.synonyms {
		s := self
		s.Go, s.Of = n.Go, n.Of
		switch {
		case n.Value != "":
			s.Role, s.Ref, s.Form, s.Value = RoleConst, nil, d.t.Go, n.Value
		case n.Of == d.t.Other:
			s.Form = "struct"
		}
		out = append(out, s)
	}
	return out
}

// restSymbols are the fields that take what no other does.
func (d *decl) restSymbols(parts []*jsonschema.Schema) []Symbol {
	name, ref, keywords := "Extra", d.t.Extra, []string{"/additionalProperties", "/unevaluatedProperties", "/patternProperties"}
	if d.t.Kind == ir.Tuple {
		name, ref, keywords = "Rest", d.t.Rest, []string{"/items", "/additionalItems"}
	}
	if ref == nil {
		return nil
	}
	b := d.side
	s := Symbol{Role: RoleField, Go: d.t.Go + "." + name, Result: b.results, Ref: ref}
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

// form says what a type is.
func (d *decl) form() string {
	switch d.t.Kind {
	case ir.Union:
		return "interface"
	case ir.Enum:
		return d.t.Base
	case ir.Alias:
		return ""
	}
	return "struct"
}

// parts are the schemas that a type's members are declared in: its own with what
// they refer to, and, of a variant, what its union says of all variants.
func (d *decl) parts() (own, shared []*jsonschema.Schema) {
	b := d.side
	at := d.v.Pointer
	s := b.doc.Lookup(at)
	if s != nil {
		own = b.besides(s)
	}
	for s == nil && at != "" { // made for one kind of values, or of what is not declared
		at = at[:strings.LastIndexByte(at, '/')]
		if s = b.doc.Lookup(at); s != nil {
			shared = b.besides(s)
		}
	}
	if i := max(strings.LastIndex(at, "/anyOf/"), strings.LastIndex(at, "/oneOf/")); i >= 0 && isIndex(at[i+len("/anyOf/"):]) {
		if union := b.doc.Lookup(at[:i]); union != nil {
			shared = append(shared, union)
		}
	}
	return own, shared
}

// besides are the schemas that hold for a value wherever s does.
func (b *side) besides(s *jsonschema.Schema) []*jsonschema.Schema {
	return b.reach(s, func(s *jsonschema.Schema) []*jsonschema.Schema {
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
	for _, s := range b.reach(s, func(s *jsonschema.Schema) []*jsonschema.Schema {
		next := slices.Concat(s.AllOf, s.AnyOf, s.OneOf, s.PrefixItems)
		next = append(next, s.Items, s.AdditionalProperties, s.Then, s.Else, s.Not, s.If, s.Contains, s.UnevaluatedItems, s.UnevaluatedProperties)
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
func (b *side) reach(s *jsonschema.Schema, next func(*jsonschema.Schema) []*jsonschema.Schema) []*jsonschema.Schema {
	out := []*jsonschema.Schema{s}
	known := map[*jsonschema.Schema]bool{s: true, nil: true}
	for i := 0; i < len(out) && len(out) < maxPlaces; i++ {
		more := next(out[i])
		if target, err := b.doc.Follow(out[i]); err == nil {
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
