package vet

// What the types of generated packages say.

import (
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
		if m := c.known.marks[v]; (m == nil || !m.Null) && isRequired(s.Tag(i)) {
			out = append(out, v)
		}
	}
	return out
}

// isRequired reports whether a member with these tags is always sent, and null is not
// one of its values.
func isRequired(tags string) bool {
	tag := reflect.StructTag(tags)
	wire, ok := tag.Lookup("json")
	if !ok {
		return false
	}
	own := tag.Get("mcp")
	if wire == "-" {
		i := strings.LastIndexByte(own, ',')
		return i >= 0 && own[i+1:] == ""
	}
	_, option, _ := strings.Cut(wire, ",")
	return option == "" && own != "null"
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
