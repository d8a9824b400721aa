package gotext

import (
	"testing"

	"github.com/mcpgen/mcpgen/generator/internal/ir"
)

func basicRef(name string) *ir.Ref { return &ir.Ref{Kind: ir.Basic, Name: name} }

func namedRef(t *ir.Type) *ir.Ref { return &ir.Ref{Kind: ir.Named, Decl: t} }

func refTo(kind ir.RefKind, elem *ir.Ref) *ir.Ref { return &ir.Ref{Kind: kind, Elem: elem} }

func TestValue(t *testing.T) {
	s := &ir.Type{Go: "S", Kind: ir.Struct}
	name := &ir.Type{Go: "Name", Kind: ir.Alias, Of: basicRef("string")}
	enum := &ir.Type{Go: "E", Kind: ir.Enum, Base: "string"}
	str := func(v string) *ir.Literal { return &ir.Literal{Type: basicRef("string"), Value: v} }
	for _, tt := range []struct {
		l    *ir.Literal
		want string
	}{
		{str("\"a`b\\n\""), "\"a`b\\n\""},
		{&ir.Literal{Type: basicRef("int64"), Value: "7"}, "int64(7)"},
		{&ir.Literal{Type: basicRef("float64"), Value: "1"}, "float64(1)"},
		{&ir.Literal{Type: basicRef("float64"), Value: "1.5"}, "1.5"},
		{&ir.Literal{Type: basicRef("bool"), Value: "true"}, "true"},
		{&ir.Literal{Type: &ir.Ref{Kind: ir.Any}, Value: "null"}, "nil"},
		{&ir.Literal{Type: namedRef(name), Value: `"x"`}, `p.Name("x")`},
		{&ir.Literal{Type: namedRef(enum), Value: `"x"`}, `p.E("x")`},
		{&ir.Literal{Type: refTo(ir.Pointer, namedRef(s)), Elems: []*ir.Literal{{Type: namedRef(s)}}}, "&p.S{}"},
		{&ir.Literal{Type: refTo(ir.Pointer, basicRef("int")), Elems: []*ir.Literal{{Type: basicRef("int"), Value: "2"}}}, "new(2)"},
		{&ir.Literal{Type: refTo(ir.Pointer, basicRef("int"))}, "nil"},
		{&ir.Literal{Type: refTo(ir.Opt, basicRef("int"))}, "runtime.Null[int]()"},
		{&ir.Literal{Type: refTo(ir.Slice, basicRef("string")), Elems: []*ir.Literal{str(`"a"`), str(`"b"`)}}, `[]string{"a", "b"}`},
		{&ir.Literal{Type: refTo(ir.Map, basicRef("string")), Keys: []string{`k"`}, Elems: []*ir.Literal{str(`"a"`)}}, `map[string]string{"k\"": "a"}`},
		{&ir.Literal{Type: &ir.Ref{Kind: ir.Array, Len: 1, Elem: basicRef("string")}, Elems: []*ir.Literal{str(`"a"`)}}, `[1]string{"a"}`},
	} {
		if got := Value("p", tt.l, 60); got != tt.want {
			t.Errorf("got  %s\nwant %s", got, tt.want)
		}
	}
}

func TestScalar(t *testing.T) {
	for value, want := range map[string]string{
		"null": "nil", "true": "true", "-1.50": "-1.50", `"\u00e9"`: `"é"`,
		"\"a\u2800b\"": `"a\u2800b"`, // a pattern without dots, which nobody sees
		"[1]":          `"[1]"`, "x.y()": `"x.y()"`,
	} {
		if got := Scalar(value); got != want {
			t.Errorf("Scalar(%s) = %s, want %s", value, got, want)
		}
	}
}

func TestLiteralType(t *testing.T) {
	for value, want := range map[string]string{"": "", `"1"`: "string", "true": "bool", "1.5": "float64", "1e3": "float64", "-7": "int"} {
		if got := LiteralType(value); got != want {
			t.Errorf("LiteralType(%s) = %q, want %q", value, got, want)
		}
	}
}
