package gogen

import (
	"fmt"
	"strings"
	"testing"

	"github.com/mcpgen/mcpgen/generator/internal/ir"
)

// Every example is in the file of tests of the package from outside, and compiles there:
// Package checks it. No comment of a method has it, too.
func TestExamples(t *testing.T) {
	p := shapesPackage()
	p.ImportPath = "example.com/generated"
	files, err := Package(t.Context(), p, nil)
	if err != nil {
		t.Fatal(err)
	}
	examples := 0
	for _, f := range files {
		if f.Name == exampleName {
			t.Logf("%s", f.Data)
			examples += strings.Count(string(f.Data), "\nfunc Example")
			checkFormatted(t, f)
		} else if strings.Contains(string(f.Data), "//\t"+p.Name+".") {
			t.Errorf("%s has an example in a comment", f.Name)
		}
	}
	if examples != 2 {
		t.Errorf("got %d examples, want 2", examples)
	}
	p.ImportPath = ""
	if files, err = Package(t.Context(), p, nil); err != nil {
		t.Fatal(err)
	}
	for _, f := range files {
		if f.Name == exampleName {
			t.Error("a package that nobody imports has examples")
		}
	}
}

// An example may be made of types that stand in another unit.
func TestExamplesOfSharedTypes(t *testing.T) {
	variant := &ir.Type{Go: "Text", Kind: ir.Struct, Shared: true, Fields: []*ir.Field{{Wire: "text", Go: "Text", Type: basicRef("string"), Presence: ir.Required}}}
	union := &ir.Type{Go: "Block", Kind: ir.Union, Shared: true, Other: "BlockOther", Variants: []ir.Variant{{Type: variant}}}
	list := &ir.Type{Go: "Blocks", Kind: ir.Alias, Shared: true, Of: refTo(ir.Slice, namedRef(variant))}
	item := &ir.Type{Go: "Item", Kind: ir.Struct, Shared: true, Fields: []*ir.Field{
		{Wire: "block", Go: "Block", Type: namedRef(union), Presence: ir.Required}, {Wire: "blocks", Go: "Blocks", Type: namedRef(list), Presence: ir.Required},
	}}
	text := &ir.Literal{Type: namedRef(variant), Fields: []ir.LiteralField{{Go: "Text", Value: &ir.Literal{Type: basicRef("string"), Value: `"a"`}}}}
	value := &ir.Literal{Type: namedRef(item), Fields: []ir.LiteralField{
		{Go: "Block", Value: text}, {Go: "Blocks", Value: &ir.Literal{Type: namedRef(list), Elems: []*ir.Literal{text}}},
	}}
	p := &ir.Package{Name: "many", Server: "many", ImportPath: "example.com/many", Types: []*ir.Type{union, list, item, variant}}
	for i := range unitTools + 1 {
		args := &ir.Type{Go: fmt.Sprintf("T%02dArgs", i), Kind: ir.Struct, Fields: []*ir.Field{{Wire: "item", Go: "Item", Type: namedRef(item), Presence: ir.Required}}}
		p.Types = append(p.Types, args)
		p.Tools = append(p.Tools, &ir.Tool{Wire: fmt.Sprintf("t%02d", i), Go: fmt.Sprintf("T%02d", i), Qualified: "t", Pin: "sha256:00", Args: args,
			Example: &ir.Literal{Type: namedRef(args), Fields: []ir.LiteralField{{Go: "Item", Value: value}}}})
	}
	files, err := Package(t.Context(), p, nil)
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range files {
		if n := strings.Count(string(f.Data), "\nfunc Example"); f.Name == exampleName && n != unitTools+1 {
			t.Errorf("got %d examples, want %d", n, unitTools+1)
		}
	}
}
