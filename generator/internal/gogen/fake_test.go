package gogen

import (
	"bytes"
	"fmt"
	"go/token"
	"strings"
	"testing"

	"github.com/mcpgen/mcpgen/generator/internal/ir"
)

const samplePath = "example.com/mcp/github"

func TestFake(t *testing.T) {
	f, err := Fake(t.Context(), samplePackage(), samplePath)
	if err != nil {
		t.Fatal(err)
	}
	t.Logf("%s\n%s", f.Name, f.Data)
	if f.Name != "githubtest/githubtest.go" {
		t.Errorf("the file is %s, want githubtest/githubtest.go", f.Name)
	}
	checkFormatted(t, f)
	for _, want := range []string{
		"func (f *Fake) OnGet(h func(context.Context, github.GetArgs) (*github.GetResult, error)) {\n\tmcptest.OnTool(f.Fake, \"get\", h)\n}",
		"func (f *Fake) OnListPRs(h func(context.Context, github.ListPRsArgs) (github.ListPRsResult, error)) {",
		"func (f *Fake) OnPing(h func(context.Context, github.GetArgs) (*runtime.Result, error)) {",
		"//	fake := githubtest.New(t)\n//	fake.OnGet(func(ctx context.Context, args github.GetArgs) (*github.GetResult, error) {\n//		return &github.GetResult{}, nil\n//	})\n",
	} {
		if !strings.Contains(string(f.Data), want) {
			t.Errorf("missing in the fake:\n%s", want)
		}
	}
}

// The example in the package comment names types as a test has to.
func TestFakeExample(t *testing.T) {
	item := &ir.Ref{Kind: ir.Named, Decl: &ir.Type{Go: "GetResult", Kind: ir.Struct}}
	tests := []struct {
		result *ir.Ref
		want   string
	}{
		{&ir.Ref{Kind: ir.Slice, Elem: item}, "([]github.GetResult, error)"},
		{&ir.Ref{Kind: ir.Map, Elem: &ir.Ref{Kind: ir.Slice, Elem: item}}, "(map[string][]github.GetResult, error)"},
		{&ir.Ref{Kind: ir.Slice, Elem: &ir.Ref{Kind: ir.Basic, Name: "string"}}, "([]string, error)"},
	}
	for _, tt := range tests {
		p := samplePackage()
		p.Tools[0].Result = tt.result
		f := fake{unit: unit{Package: p, first: true}, path: samplePath, name: "github"}
		if got := strings.Join(f.doc(), "\n"); !strings.Contains(got, tt.want) {
			t.Errorf("no %s in\n%s", tt.want, got)
		}
	}
}

// Any Go package name gives a fake that can be imported, and a file that the go
// command builds everywhere.
func TestFakeNames(t *testing.T) {
	names := []string{"context", "runtime", "mcptest", "json", "f", "h", "t", "string", "error", "any", "nil", "new", "test", "x_", "a_test", "x_linux", "windows", "http", "fake", "iter", "codec"}
	for _, name := range names {
		p := samplePackage()
		p.Name = name
		p.Tools[1].Result = &ir.Ref{Kind: ir.Text, Name: "DateTime"} // imports codec
		f, err := Fake(t.Context(), p, "example.com/mcp/"+name)
		if err != nil {
			t.Errorf("package %s: got %v, want no error", name, err)
			continue
		}
		folder, file, _ := strings.Cut(f.Name, "/")
		if strings.HasSuffix(folder, "_test") || strings.Contains(file, "_") {
			t.Errorf("the fake of package %s is in %s, which the go command may not build", name, f.Name)
		}
		if !strings.Contains(string(f.Data), "\npackage "+folder+"\n") {
			t.Errorf("%s: the folder %s has another package", name, folder)
		}
	}
}

// Without tools there is a fake all the same: prompts and resources are answered
// with Handle.
func TestFakeWithoutTools(t *testing.T) {
	f, err := Fake(t.Context(), &ir.Package{Name: "empty", Server: "empty"}, "example.com/mcp/empty")
	if err != nil {
		t.Fatal(err)
	}
	if !strings.Contains(string(f.Data), "mcptest.New(t, empty.Manifest())") {
		t.Errorf("got\n%s", f.Data)
	}
}

// A result that may be null is one in the fake, too.
func TestFakeResultOrNull(t *testing.T) {
	p := samplePackage()
	p.Tools[0].Result = refTo(ir.Pointer, p.Tools[0].Result)
	f, err := Fake(t.Context(), p, samplePath)
	if err != nil {
		t.Fatal(err)
	}
	if want := `mcptest.OnTool(f.Fake, "get", h, codec.OrNull())`; !strings.Contains(string(f.Data), want) {
		t.Errorf("no %s in\n%s", want, f.Data)
	}
}

// Results that have no name of their own are written as seen from outside.
func TestFakeResults(t *testing.T) {
	p := samplePackage()
	item := p.Tools[0].Result
	for text, ref := range map[string]*ir.Ref{
		"string":                            basicRef("string"),
		"[]github.GetResult":                refTo(ir.Slice, item),
		"map[string]github.GetResult":       refTo(ir.Map, item),
		"[2]*github.GetResult":              {Kind: ir.Array, Len: 2, Elem: refTo(ir.Pointer, item)},
		"runtime.Opt[[]github.GetResult]":   refTo(ir.Opt, refTo(ir.Slice, item)),
		"json.RawMessage":                   {Kind: ir.Raw},
		"format.DateTime":                   {Kind: ir.Text, Name: "DateTime"},
		"[]format.UUID":                     refTo(ir.Slice, &ir.Ref{Kind: ir.Text, Name: "UUID"}),
		"any":                               {Kind: ir.Any},
		"map[string][]github.ListPRsResult": refTo(ir.Map, refTo(ir.Slice, p.Tools[1].Result)),
	} {
		p.Tools[0].Result = ref
		f, err := Fake(t.Context(), p, samplePath)
		if err != nil {
			t.Errorf("%s: %v", text, err)
		} else if !strings.Contains(string(f.Data), "github.GetArgs) ("+text+", error)) {") {
			t.Errorf("%s is not in\n%s", text, f.Data)
		}
	}
}

// A fake of many tools is rendered in units, and is what one unit would give.
func TestFakeUnits(t *testing.T) {
	p := &ir.Package{Name: "many", Server: "many"}
	for i := range 2*unitTools + 5 {
		name := fmt.Sprintf("Tool%03d", i)
		args := &ir.Type{Go: name + "Args", Kind: ir.Struct}
		p.Tools = append(p.Tools, &ir.Tool{Wire: name, Go: name, Args: args})
		p.Types = append(p.Types, args)
	}
	parted, err := Fake(t.Context(), p, "example.com/many")
	if err != nil {
		t.Fatal(err)
	}
	whole, err := fake{unit{Package: p, first: true}, "example.com/many", "many"}.part()
	if err != nil {
		t.Fatal(err)
	}
	if one := join("x", []part{whole}); !bytes.Equal(parted.Data, one.Data) {
		t.Errorf("the fake of the units is\n%s\nwant that of the whole package:\n%s", parted.Data, one.Data)
	}
	checkFormatted(t, parted)
}

func TestFakeOfHostileServer(t *testing.T) {
	for _, text := range hostile {
		p := samplePackage()
		p.Server, p.Title, p.Tools[0].Wire, p.Tools[0].Doc = text, text, text+"x", ir.Doc{Server: text}
		f, err := Fake(t.Context(), p, samplePath)
		if err != nil {
			t.Errorf("with the text %q: got %v, want no error", text, err)
			continue
		}
		checkFormatted(t, f)
	}
}

func TestFakeIsChecked(t *testing.T) {
	f, err := Fake(t.Context(), samplePackage(), samplePath)
	if err != nil {
		t.Fatal(err)
	}
	plan := fake{unit{Package: samplePackage(), first: true}, samplePath, "github"}.file().plan
	for _, tt := range []struct{ old, new, want string }{
		{"f.Fake, \"get\", h)", "f.Fake, \"get\", h)\n\tprintln()", "call of println"},
		{"func New(", "func init() {}\n\nfunc New(", "planned was"},
		{"*mcptest.Fake\n", "*mcptest.Fake\n\tx int\n", "planned was"},
		{"\"context\"", "\"context\"\n\t_ \"os\"", "imports"},
	} {
		source := strings.Replace(string(f.Data), tt.old, tt.new, 1)
		_, err := parse(token.NewFileSet(), File{f.Name, []byte(source)}, plan)
		if source == string(f.Data) || err == nil || !strings.Contains(err.Error(), tt.want) {
			t.Errorf("with %q: got %v, want an error with %q", tt.new, err, tt.want)
		}
	}
}

func TestFakeRefusesNames(t *testing.T) {
	p := samplePackage()
	p.Tools[0].Go = "X;func init(){}"
	if _, err := Fake(t.Context(), p, samplePath); err == nil {
		t.Errorf("a tool named %q: no error, want one", p.Tools[0].Go)
	}
}

// Prompts, resources and templates have typed handlers, too.
func TestFakeSurface(t *testing.T) {
	p := surfacePackage()
	for range unitTools {
		last := *p.Resources[len(p.Resources)-1]
		last.Go, last.URI = last.Go+"X", last.URI+"x"
		p.Resources = append(p.Resources, &last)
	}
	f, err := Fake(t.Context(), p, "example.com/mcp/offers")
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{
		"func (f *Fake) OnWeatherPrompt(h func(context.Context, offers.WeatherPromptArgs) (*runtime.Result, error)) {\n\tmcptest.OnPrompt(f.Fake, \"weather\", h)\n}",
		fmt.Sprintf("func (f *Fake) On%s(h func(context.Context) (*runtime.Result, error)) {\n\tmcptest.OnResource(f.Fake, %q, h)\n}", p.Resources[0].Go, p.Resources[0].URI),
		"func (f *Fake) OnReadCity(h func(context.Context, string) (*runtime.Result, error)) {\n\tmcptest.OnTemplate(f.Fake, \"demo://{city}{?tags*}\", h)\n}",
	} {
		if strings.Count(string(f.Data), want) != 1 {
			t.Errorf("not there, or more than once:\n%s\nin\n%s", want, f.Data)
		}
	}
	checkFormatted(t, f)
}
