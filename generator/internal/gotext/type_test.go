package gotext

import (
	"strings"
	"testing"

	"github.com/mcpgen/mcpgen/generator/internal/ir"
)

func TestTypeFrom(t *testing.T) {
	s := &ir.Type{Go: "Issue", Kind: ir.Struct}
	for want, r := range map[string]*ir.Ref{
		"p.Issue":                  namedRef(s),
		"[]p.Issue":                refTo(ir.Slice, namedRef(s)),
		"[2]string":                {Kind: ir.Array, Len: 2, Elem: basicRef("string")},
		"map[string]*p.Issue":      refTo(ir.Map, refTo(ir.Pointer, namedRef(s))),
		"runtime.Opt[json.Number]": refTo(ir.Opt, &ir.Ref{Kind: ir.Number}),
		"format.DateTime":          {Kind: ir.Text, Name: "DateTime"},
		"json.RawMessage":          {Kind: ir.Raw},
		"any":                      {Kind: ir.Any},
	} {
		if got := TypeFrom("p.", r); got != want {
			t.Errorf("got %s, want %s", got, want)
		}
	}
}

func TestResultType(t *testing.T) {
	s := &ir.Type{Go: "Issue", Kind: ir.Struct}
	alias := &ir.Type{Go: "Same", Kind: ir.Alias, Of: namedRef(s)}
	for want, r := range map[string]*ir.Ref{
		"*runtime.Result": nil,
		"*Issue":          namedRef(s),
		"*Same":           namedRef(alias),
		"[]Issue":         refTo(ir.Slice, namedRef(s)),
	} {
		if got := ResultType(r); got != want {
			t.Errorf("got %s, want %s", got, want)
		}
	}
}

// A chain of aliases that leads back to its beginning ends.
func TestUnderlyingEnds(t *testing.T) {
	a, b := &ir.Type{Go: "A", Kind: ir.Alias}, &ir.Type{Go: "B", Kind: ir.Alias}
	a.Of, b.Of = namedRef(b), namedRef(a)
	if got := Underlying(namedRef(a)); got.Decl != a && got.Decl != b {
		t.Errorf("got %v, want one of the two", got)
	}
}

func TestRename(t *testing.T) {
	got := Rename("map[string]*Größe", func(name string) string {
		if name == "Größe" {
			return "Size"
		}
		return name
	})
	if want := "map[string]*Size"; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
	if got := Rename("[]A", strings.ToLower); got != "[]a" {
		t.Errorf("got %s, want []a", got)
	}
}
