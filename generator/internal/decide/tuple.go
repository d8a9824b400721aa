package decide

// Tuples: arrays whose items have different types.

import (
	"slices"
	"strconv"

	"github.com/mcpgen/mcpgen/generator/internal/ir"
	"github.com/mcpgen/mcpgen/schema/jsonschema"
)

// maxTuple bounds the items of a tuple that get a field each, and the length of
// an array.
const maxTuple = 64

// tuple is an array or a slice if all items are of one scalar type, else a struct
// with a field for each.
func (mk *maker) tuple(v *jsonschema.Schema) expr {
	if elem := mk.uniform(v); elem != nil {
		if n := len(v.PrefixItems); closed(v) && need(v) >= n && n <= maxTuple {
			return expr{ref: &ir.Ref{Kind: ir.Array, Elem: elem, Len: n}}
		}
		return expr{ref: slice(elem)}
	}
	if len(v.PrefixItems) > maxTuple {
		mk.warn(v.Pointer, "it is a tuple of more than "+strconv.Itoa(maxTuple)+" items: items are typed as any value")
		return expr{ref: slice(mk.untyped()), notes: []string{"Items are any value: the schema describes a long tuple."}}
	}
	if !mk.budget.room(len(v.PrefixItems)) {
		return mk.wide(v, tooMany)
	}
	return expr{ref: named(mk.begin(ir.Tuple, v))}
}

// uniform returns the scalar type that all items of a tuple have; nil if they
// have different types, or may be null.
func (mk *maker) uniform(v *jsonschema.Schema) *ir.Ref {
	items := slices.Clone(v.PrefixItems)
	switch {
	case v.Items == nil && !closed(v):
		return nil
	case v.Items != nil && !v.Items.IsBool(false):
		items = append(items, v.Items)
	}
	kind := ""
	for _, item := range items {
		iv, why := mk.view(item)
		if why != "" || isUnion(iv) || iv.Bool != nil || iv.Values() != nil || mk.admitsNull(item) {
			return nil
		}
		ks := kinds(iv)
		if len(ks) != 1 || ks[0] == "object" || ks[0] == "array" || kind != "" && scalar(ks[0], iv.Format) != kind {
			return nil
		}
		kind = scalar(ks[0], iv.Format)
	}
	return basic(kind)
}

// closed reports whether v has no more items than its tuple describes.
func closed(v *jsonschema.Schema) bool {
	n, ok := smallInt(v.MaxItems)
	return ok && n <= len(v.PrefixItems) || v.Items.IsBool(false)
}

// need is how many items v has at least.
func need(v *jsonschema.Schema) int {
	n, _ := smallInt(v.MinItems)
	return n
}

func (mk *maker) elements(d *decl) {
	v := d.v
	for i, item := range v.PrefixItems {
		if item.IsBool(false) {
			break // no element is valid here, or after
		}
		p := jsonschema.Property{Name: "item " + strconv.Itoa(i), Schema: item}
		m := mk.member(p, i < need(v), mk.at+v.Pointer+"/prefixItems/"+strconv.Itoa(i))
		m.f.Wire = ""
		m.name = part(p.Name)
		d.members, d.t.Fields = append(d.members, m), append(d.t.Fields, m.f)
	}
	switch {
	case closed(v) || len(d.members) < len(v.PrefixItems):
	case v.Items == nil:
		d.t.Rest = mk.untyped()
	default:
		e := mk.expr(v.Items)
		d.widens("Rest", e.notes)
		d.t.Rest = mk.element(e.ref, v.Items)
	}
}
