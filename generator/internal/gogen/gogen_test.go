package gogen

import (
	"bytes"
	"go/format"
	"slices"
	"strings"
	"testing"

	"github.com/mcpgen/mcpgen/generator/internal/ir"
)

func TestVariable(t *testing.T) {
	for field, want := range map[string]string{
		"Name": "name", "LibraryID": "libraryID", "ID": "id", "IDs": "ids", "HTMLBody": "htmlBody", "URLPath": "urlPath",
		"POICategories": "poiCategories", "X": "x", "Über": "über", "Base64Data": "base64Data", "B64": "b64",
	} {
		if got := variable(field); got != want {
			t.Errorf("variable(%s) = %s, want %s", field, got, want)
		}
	}
}

func TestPackage(t *testing.T) {
	for _, p := range []*ir.Package{samplePackage(), shapesPackage()} {
		t.Run(p.Name, func(t *testing.T) { checkPackage(t, p) })
	}
}

func checkPackage(t *testing.T, p *ir.Package) {
	files, err := Package(t.Context(), p, []byte("{}\n"))
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range files {
		t.Logf("%s\n%s", f.Name, f.Data)
	}
	checkFormatted(t, files...)
}

// checkFormatted wants Go files to be as gofmt writes them.
func checkFormatted(t testing.TB, files ...File) {
	t.Helper()
	for _, f := range files {
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
	p := manyTools(3*unitTools + 5)
	if n := len(split(p)); n != 4 {
		t.Errorf("got %d units, want 4", n)
	}
	parted, err := Package(t.Context(), p, nil)
	if err != nil {
		t.Fatal(err)
	}
	checkFormatted(t, parted[:3]...)
	// A type that two tools share keeps the package whole.
	last := p.Tools[len(p.Tools)-1]
	last.Result = p.Tools[0].Result
	p.Types = p.Types[:len(p.Types)-2]
	if n := len(split(p)); n != 1 {
		t.Errorf("got %d units in spite of a shared type, want 1", n)
	}
	whole, err := Package(t.Context(), p, nil)
	if err != nil {
		t.Fatal(err)
	}
	// Up to the last tool they are the same.
	client := slices.IndexFunc(parted, func(f File) bool { return f.Name == "many.go" })
	until, _, found := bytes.Cut(parted[client].Data, []byte("// "+last.Go+" calls"))
	if !found || !bytes.HasPrefix(whole[client].Data, until) {
		t.Errorf("many.go of the units begins with\n%s\nwant the beginning of that of the whole package:\n%s", until, whole[client].Data)
	}
	if a, b := parted[2].Data, whole[2].Data; !bytes.HasPrefix(a, bytes.TrimRight(b, "\n")) {
		t.Errorf("types.go of the units is\n%s\nwant it to begin with that of the whole package:\n%s", a, b)
	}
}

// The package comment shows a call that fits its line, and how optional arguments are set if
// there are any.
func TestPackageDoc(t *testing.T) {
	tool := func(name string, fields ...*ir.Field) *ir.Tool {
		return &ir.Tool{Go: name, Args: &ir.Type{Go: name + "Args", Fields: fields}}
	}
	text := func(r *ir.Ref, p ir.Presence) *ir.Field { return &ir.Field{Go: "Name", Type: r, Presence: p} }
	name := &ir.Ref{Kind: ir.Basic, Name: "string"}
	long := tool(strings.Repeat("Long", 20), text(name, ir.Required))
	short := tool("Short", text(name, ir.Required))
	optional := tool("Set", text(&ir.Ref{Kind: ir.Pointer, Elem: name}, ir.OmitZero), text(&ir.Ref{Kind: ir.Opt, Elem: name}, ir.OmitZero))
	for want, tools := range map[string][]*ir.Tool{
		"p.Short(ctx, p.ShortArgs{Name: name})": {long, short},
		"p.LongLong":                            {long},
		"new(5)":                                {short, optional},
		"runtime.Null[string]()":                {short, optional},
	} {
		doc := commentOf(packageDoc(&ir.Package{Name: "p", Tools: tools})...)
		if !strings.Contains(doc, want) || len(tools) == 1 && strings.Contains(doc, "new(") {
			t.Errorf("no %s in\n%s", want, doc)
		}
	}
}
