package gogen

import (
	"bytes"
	"fmt"
	"go/format"
	"slices"
	"testing"

	"github.com/mcpgen/mcpgen/generator/internal/ir"
)

func TestPackage(t *testing.T) {
	for _, p := range []*ir.Package{sample(), shapes()} {
		t.Run(p.Name, func(t *testing.T) { testPackage(t, p) })
	}
}

func testPackage(t *testing.T, p *ir.Package) {
	files, err := Package(t.Context(), p, []byte("{}\n"))
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range files {
		t.Logf("%s\n%s", f.Name, f.Data)
		if f.Name == snapshotName {
			continue
		}
		again, err := format.Source(f.Data)
		if err != nil || !bytes.Equal(again, f.Data) {
			t.Errorf("%s is not formatted: %v", f.Name, err)
		}
	}
}

// A package of many tools is rendered in units. It has to be what one unit
// would have given.
func TestUnits(t *testing.T) {
	p := &ir.Package{Name: "many", Server: "many"}
	for i := range 3*unitTools + 5 {
		name := fmt.Sprintf("Tool%03d", i)
		args := &ir.Type{Go: name + "Args", Kind: ir.Struct, Fields: []*ir.Field{{Go: "A", Wire: "a", Type: of(ir.Opt, basic("int")), Presence: ir.OmitZero}}}
		item := &ir.Type{Go: name + "ResultItem", Kind: ir.Struct, Decodes: true, Extra: &ir.Ref{Kind: ir.Raw}}
		list := &ir.Type{Go: name + "Result", Kind: ir.Alias, Of: of(ir.Slice, named(item))}
		p.Tools = append(p.Tools, &ir.Tool{Wire: name, Go: name, Args: args, Result: named(list)})
		p.Types = append(p.Types, args, list, item)
	}
	if n := len(split(p)); n != 4 {
		t.Errorf("%d units", n)
	}
	parted, err := Package(t.Context(), p, nil)
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range parted[:3] {
		again, err := format.Source(f.Data)
		if err != nil || !bytes.Equal(again, f.Data) {
			t.Errorf("%s is not formatted: %v", f.Name, err)
		}
	}
	// A type that two tools share keeps the package whole.
	last := p.Tools[len(p.Tools)-1]
	last.Result = p.Tools[0].Result
	p.Types = p.Types[:len(p.Types)-2]
	if n := len(split(p)); n != 1 {
		t.Errorf("%d units in spite of a shared type", n)
	}
	whole, err := Package(t.Context(), p, nil)
	if err != nil {
		t.Fatal(err)
	}
	// Up to the last tool they are the same.
	client := slices.IndexFunc(parted, func(f File) bool { return f.Name == "many.go" })
	until, _, found := bytes.Cut(parted[client].Data, []byte("const pin"+last.Go))
	if !found || !bytes.HasPrefix(whole[client].Data, until) {
		t.Errorf("many.go depends on the units")
	}
	if a, b := parted[2].Data, whole[2].Data; !bytes.HasPrefix(a, bytes.TrimRight(b, "\n")) {
		t.Errorf("types.go depends on the units")
	}
}
