package vet

// What the types of generated packages say.

import (
	"cmp"
	"go/types"
	"reflect"
	"strings"
)

// requiredOf returns the fields of a generated struct that are sent even if they are not
// set, except those for which nil is a valid value.
func (c *checker) requiredOf(t types.Type) []*types.Var {
	named, s := c.StructOf(t)
	if named == nil {
		return nil
	}
	var out []*types.Var
	for i := range s.NumFields() {
		v := s.Field(i)
		m := c.known.marks[v]
		if _, option, ok := memberOf(s.Tag(i)); ok && option == "" && (m == nil || !m.Null) {
			out = append(out, v)
		}
	}
	return out
}

// memberOf reads the tags of a field: the name of its member, and omitzero or null if the
// member may be absent or null. It is false if the field is for no member.
func memberOf(tags string) (wire, option string, ok bool) {
	tag := reflect.StructTag(tags)
	text, ok := tag.Lookup("json")
	own := tag.Get("mcp")
	if text == "-" {
		i := strings.LastIndexByte(own, ',')
		return own[:max(0, i)], own[i+1:], i >= 0
	}
	wire, option, _ = strings.Cut(text, ",")
	return wire, cmp.Or(option, own), ok
}

// enumOf returns the constants of a generated enum; nil if t is not one. All have
// names, so another value is not in the schema.
func (c *checker) enumOf(t types.Type) []*types.Const {
	named := c.Named(t)
	if named == nil {
		return nil
	}
	if _, ok := named.Underlying().(*types.Basic); !ok {
		return nil
	}
	var out []*types.Const
	scope := named.Obj().Pkg().Scope()
	for _, name := range scope.Names() {
		if value, ok := scope.Lookup(name).(*types.Const); ok && value.Exported() && types.Identical(value.Type(), named) && c.known.marks[value] == nil {
			out = append(out, value)
		}
	}
	return out
}
