package decide

// The types of a union's variants. Every value kind that the union allows becomes
// types of its own: scalars of one kind are one variant, objects and arrays one
// for each branch.

import (
	"slices"
	"strconv"

	"github.com/mcpgen/mcpgen/generator/internal/ir"
	"github.com/mcpgen/mcpgen/schema/jsonschema"
)

// union is an interface. Its variants are found later, since they may contain it.
func (mk *maker) union(v *jsonschema.Schema) expr {
	steps, lines := 0, len(v.AnyOf)
	for _, variant := range v.AnyOf {
		steps += len(variant.Properties) + len(variant.Required)
		lines += len(variant.Required) / 8 // they distinguish variants
	}
	switch {
	case !mk.budget.spend(steps):
		return mk.wide(v, tooInvolved)
	case !mk.budget.room(lines):
		return mk.wide(v, tooMany)
	}
	d := mk.begin(ir.Union, v)
	if name := mk.listings[v]; name != "" {
		d.definition = mk.it.caps.spell(part(telling(name)))
	}
	return expr{ref: named(d)}
}

func (mk *maker) variantsOf(d *decl) {
	branches, matches := mk.split(d.v)
	known := map[*ir.Type]bool{}
	for i, br := range branches {
		t := mk.variant(d, br)
		switch {
		case t == nil:
			mk.warn(br.v.Pointer, "no type can be made of this variant: its values are kept as raw JSON")
			if note := "Values of a variant that no type can be made of are among the others."; !slices.Contains(d.notes, note) {
				d.notes = append(d.notes, note)
			}
		case !known[t]:
			known[t] = true
			d.t.Variants = append(d.t.Variants, ir.Variant{Type: t, Match: matches[i]})
		}
	}
}

// variant is the type of one branch; nil if none can be made.
func (mk *maker) variant(d *decl, br branch) *ir.Type {
	at := d.v.Pointer + "/type/" + br.kind
	for n := 2; mk.called.variants[at] != "" && at != br.v.Pointer; n++ {
		at = d.v.Pointer + "/type/" + br.kind + "/" + strconv.Itoa(n)
	}
	if hints := mk.hints[br.v.Pointer]; hints != nil && br.v.Values() == nil {
		known := *br.v
		known.Pointer = at
		if e := mk.openEnum(&known, hints, br.kind); e.ref.Kind == ir.Named {
			e.ref.Decl.Open, e.ref.Decl.Partial = false, true // a variant has methods
			mk.called.variant(at, br)
			return e.ref.Decl
		}
	}
	e := mk.expr(br.v)
	switch e.ref.Kind {
	case ir.Any, ir.Raw, ir.Opt, ir.Pointer:
		return nil
	case ir.Named:
		return variantType(e.ref.Decl)
	case ir.Text: // a type made of it would not have its methods
		e.ref = basic("string")
	}
	if !mk.budget.room(1) {
		return nil
	}
	v := *br.v
	v.Pointer = at
	mk.called.variant(at, br)
	alias := mk.declare(ir.Alias, &v)
	alias.t.Of, alias.notes, alias.from = e.ref, e.notes, br.v.Pointer
	return alias.t
}

// variantType returns t if it can have its own methods.
func variantType(t *ir.Type) *ir.Type {
	switch {
	case t.Kind == ir.Union || t.Open:
		return nil
	case t.Kind == ir.Alias && slices.Contains([]ir.RefKind{ir.Named, ir.Any, ir.Raw, ir.Pointer, ir.Opt}, t.Of.Kind):
		return nil
	}
	return t
}
