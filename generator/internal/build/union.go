package build

// Unions that are no unions: with null, with one branch, of one scalar type, or
// of constraints alone. The others are typed as any value.

import (
	"encoding/json"
	"errors"
	"slices"

	"github.com/mcpgen/mcpgen/schema"
)

// union returns the one schema that branches come down to, nil if they add
// nothing to the Go type of own, or why there is none.
func (b *side) union(own *schema.Schema, branches []*schema.Schema) (*schema.Schema, string) {
	var views []*schema.Schema
	for _, branch := range branches {
		v, why := b.view(branch)
		switch {
		case why != "":
			return nil, why
		case onlyNull(v) || isFalse(v):
		default:
			views = append(views, v)
		}
	}
	switch {
	case len(views) == 0:
		return nil, ""
	case len(views) == 1:
		return views[0], ""
	case !slices.ContainsFunc(views, func(v *schema.Schema) bool { return !constrains(own, v) }):
		return nil, ""
	}
	if v := oneScalar(own.Pointer, views); v != nil {
		return v, ""
	}
	return nil, unionReason(views)
}

// constrains reports whether v only constrains values of the type that own
// declares, as in {"required": ["a"]}.
func constrains(own, v *schema.Schema) bool {
	if v.Bool != nil || shapes(v) {
		return false
	}
	return len(own.Types) > 0 && (v.Types == nil || sameKinds(v.Types, nonNull(own.Types)))
}

// oneScalar joins branches of one scalar type: their values if all of them list
// some, else just the type. It returns nil if the branches are something else.
func oneScalar(pointer string, views []*schema.Schema) *schema.Schema {
	joined := &schema.Schema{Pointer: pointer, Enum: []json.RawMessage{}}
	kind := ""
	for _, v := range views {
		k := kinds(v)
		if len(k) != 1 || k[0] == "object" || k[0] == "array" {
			return nil
		}
		switch {
		case kind == "":
			kind, joined.Format = k[0], v.Format
		case kind == "integer" && k[0] == "number":
			kind = "number"
		case kind != k[0] && !(kind == "number" && k[0] == "integer"):
			return nil
		}
		if v.Format != joined.Format {
			joined.Format = ""
		}
		vals := values(v)
		if vals == nil || joined.Enum == nil {
			joined.Enum = nil
			continue
		}
		joined.Enum = append(joined.Enum, vals...)
	}
	joined.Types = []string{kind}
	return joined
}

// onlyNull reports whether null is the one value that v allows.
func onlyNull(v *schema.Schema) bool {
	if vals := values(v); vals != nil {
		return !slices.ContainsFunc(vals, func(raw json.RawMessage) bool { return string(raw) != "null" })
	}
	return len(v.Types) == 1 && v.Types[0] == "null"
}

// kinds returns the types that v allows, null left out; number stands for
// integer and number together. Values that are listed say it best. Nil is any.
func kinds(v *schema.Schema) []string {
	types := nonNull(v.Types)
	var listed []string
	for _, raw := range values(v) {
		k := kindOf(raw)
		valid := v.Types == nil || slices.Contains(types, k) || k == "integer" && slices.Contains(types, "number")
		if k != "null" && valid && !slices.Contains(listed, k) {
			listed = append(listed, k)
		}
	}
	if listed != nil && len(types) != 1 {
		types = listed
	}
	if slices.Contains(types, "number") {
		types = slices.DeleteFunc(types, func(t string) bool { return t == "integer" })
	}
	return types
}

func unionReason(views []*schema.Schema) string {
	var all []string
	for _, v := range views {
		ks := kinds(v)
		if len(ks) == 0 {
			ks = []string{"any value"}
		}
		for _, k := range ks {
			if !slices.Contains(all, k) {
				all = append(all, k)
			}
		}
	}
	if len(all) == 1 {
		return "it is a union of different kinds of " + all[0]
	}
	return "it is a union of " + sentenceList(all)
}

// refReason says why a reference leads nowhere.
func refReason(err error) string {
	var e *schema.Error
	if errors.As(err, &e) {
		return e.Reason
	}
	return err.Error()
}
