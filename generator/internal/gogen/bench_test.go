package gogen

import (
	"bytes"
	"fmt"
	"go/format"
	"runtime"
	"testing"
	"time"

	"github.com/mcpgen/mcpgen/generator/internal/ir"
	"github.com/mcpgen/mcpgen/internal/parallel"
)

// BenchmarkUnits compares files that are joined from units with files that are
// rendered, formatted, parsed and checked whole. The metric x-format is the time
// over that of go/format alone for the same bytes, MB-system what the process took
// from the system so far: run the two by themselves to compare it.
func BenchmarkUnits(b *testing.B) {
	for _, n := range []int{1000, 5000} {
		p := manyTools(n)
		for _, tt := range []struct {
			name  string
			units []unit
		}{{"units", split(p)}, {"whole", []unit{{Package: p, first: true, read: readingOf(p)}}}} {
			b.Run(fmt.Sprintf("%d/%s", n, tt.name), func(b *testing.B) {
				var rendering, formatting time.Duration
				for b.Loop() {
					start := time.Now()
					files := renderUnits(b, tt.units)
					rendering += time.Since(start)
					start = time.Now()
					for _, f := range files {
						if again, err := format.Source(f.Data); err != nil || !bytes.Equal(again, f.Data) {
							b.Fatalf("%s is not formatted: %v", f.Name, err)
						}
					}
					formatting += time.Since(start)
				}
				b.ReportMetric(float64(rendering)/float64(formatting), "x-format")
				var m runtime.MemStats
				runtime.ReadMemStats(&m)
				b.ReportMetric(float64(m.Sys)/1e6, "MB-system")
			})
		}
	}
}

// renderUnits renders the client and the types of units, several units at a time.
func renderUnits(b *testing.B, units []unit) []File {
	clients, types := make([]part, len(units)), make([]part, len(units))
	if err := parallel.Each(b.Context(), len(units), func(i int) (err error) {
		clients[i], types[i], _, _, err = units[i].parts()
		return err
	}); err != nil {
		b.Fatal(err)
	}
	return []File{join("many.go", clients), join(typesName, types)}
}

// manyTools is a package of n tools, with types of the usual size that none of them
// shares.
func manyTools(n int) *ir.Package {
	p := &ir.Package{Name: "many", Server: "many"}
	for i := range n {
		name := fmt.Sprintf("Tool%04d", i)
		optional := func(goName, wire, typ string) *ir.Field {
			return &ir.Field{Go: goName, Wire: wire, Type: refTo(ir.Opt, basicRef(typ)), Presence: ir.OmitZero, Doc: ir.Doc{Server: "The words of the server about " + wire + "."}}
		}
		args := &ir.Type{Go: name + "Args", Kind: ir.Struct, Doc: ir.Doc{Lead: name + "Args holds the arguments of a tool."}, Fields: []*ir.Field{
			{Go: "Owner", Wire: "owner", Type: basicRef("string")}, {Go: "Repo", Wire: "repo", Type: basicRef("string")},
			optional("Page", "page", "int"), optional("PerPage", "per_page", "int"), optional("Since", "since", "string"), optional("Draft", "draft", "bool"),
		}}
		item := &ir.Type{Go: name + "ResultItem", Kind: ir.Struct, Decodes: true, Extra: &ir.Ref{Kind: ir.Raw}, Fields: []*ir.Field{
			{Go: "ID", Wire: "id", Type: basicRef("int")}, optional("Title", "title", "string"), optional("URL", "url", "string"),
		}}
		list := &ir.Type{Go: name + "Result", Kind: ir.Alias, Of: refTo(ir.Slice, namedRef(item))}
		p.Tools = append(p.Tools, &ir.Tool{Wire: name, Go: name, Pin: "sha256:0123456789abcdef", Args: args, Result: namedRef(list)})
		p.Types = append(p.Types, args, list, item)
	}
	return p
}
