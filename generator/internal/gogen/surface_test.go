package gogen

import (
	"fmt"
	"strings"
	"testing"

	"github.com/mcpgen/mcpgen/generator/internal/ir"
)

// surfacePackage is a package with prompts, resources, templates and one tool.
func surfacePackage() *ir.Package {
	texts := func(name string, fields ...*ir.Field) *ir.Type {
		return &ir.Type{Go: name, Kind: ir.Struct, Doc: ir.Doc{Lead: name + " holds it."}, Fields: fields}
	}
	required := &ir.Field{Go: "City", Wire: "city", Type: basicRef("string"), Doc: ir.Doc{Server: "The city."}}
	optional := &ir.Field{Go: "State", Wire: "state", Type: refTo(ir.Pointer, basicRef("string")), Presence: ir.OmitZero}
	list := &ir.Field{Go: "Tags", Wire: "tags", Type: refTo(ir.Slice, basicRef("string")), Presence: ir.OmitZero}
	ping := &ir.Type{Go: "PingArgs", Kind: ir.Struct}
	return &ir.Package{Name: "offers", Server: "offers",
		Tools: []*ir.Tool{{Wire: "ping", Go: "Ping", Qualified: "ping", Pin: "sha256:00", Args: ping}},
		Types: []*ir.Type{ping},
		Prompts: []*ir.Prompt{
			{Wire: "empty", Go: "EmptyPrompt", Pin: "sha256:01", Args: texts("EmptyPromptArgs")},
			{Wire: "weather", Go: "WeatherPrompt", Pin: "sha256:02", Args: texts("WeatherPromptArgs", required, optional),
				Doc: ir.Doc{Lead: `WeatherPrompt gets the prompt "weather".`, Server: "Asks for the weather."}},
		},
		Resources: []*ir.Resource{{URI: "demo://readme", Go: "ReadReadme", Pin: "sha256:01", Doc: ir.Doc{Notes: []string{"MIME type: text/plain."}}}},
		Templates: []*ir.Template{{Wire: "demo://{city}{?tags*}", Go: "CityURI", Read: "ReadCity", Pin: "sha256:04", Vars: texts("CityURIVars", required, list),
			Parts: []ir.URIPart{{Text: "demo://"}, {Vars: []ir.URIVar{{Name: "city"}}}, {Op: "?", Vars: []ir.URIVar{{Name: "tags", Explode: true}}}}}},
		Reads: true, ReadsDoc: ir.Doc{Notes: []string{"The server lists 300 resources."}}, Completes: true,
	}
}

func TestSurface(t *testing.T) {
	files, err := Package(t.Context(), surfacePackage(), []byte("{}\n"))
	if err != nil {
		t.Fatal(err)
	}
	var all strings.Builder
	for _, f := range files {
		t.Logf("%s\n%s", f.Name, f.Data)
		all.Write(f.Data)
	}
	checkFormatted(t, files...)
	for _, want := range []string{
		" = codec.ItemRef{Server: \"offers\", Kind: \"prompt\", Name: \"empty\", Pin: \"sha256:01\"}\n",
		"func (c *Client) EmptyPrompt(ctx context.Context, args EmptyPromptArgs,\n\topts ...runtime.CallOption) (*runtime.Result, error) {\n" +
			"\treturn codec.GetPrompt(ctx, c.inv, refEmptyPrompt, args, opts)\n}",
		"func ReadReadme(ctx context.Context, opts ...runtime.CallOption) (*runtime.Result, error) {\n\treturn New(nil).ReadReadme(ctx, opts...)\n}",
		"func CityURI(vars CityURIVars) string {\n\treturn \"demo://\" +\n\t\tcodec.ExpandURI(\"\", codec.URIVar{Name: \"city\", Text: &vars.City}) +\n\t\tcodec.ExpandURI(\"?\", codec.URIVar{Name: \"tags\", List: vars.Tags, Explode: true})\n}",
		"\treturn codec.ReadTemplate(ctx, c.inv, refCityURI, CityURI(vars), opts)\n",
		"func (c *Client) Complete(ctx context.Context, args codec.CompleteArgs,\n\topts ...runtime.CallOption) (*codec.Completion, error) {\n",
		"func ReadURI(ctx context.Context, uri string, opts ...runtime.CallOption) (*runtime.Result, error) {\n",
		"\tState *string `json:\"state,omitzero\"`",
	} {
		if !strings.Contains(all.String(), want) {
			t.Errorf("missing in the package:\n%s", want)
		}
	}
}

// Whatever a server does not offer, the imports and stubs of the rest are whole.
func TestSurfaceWithout(t *testing.T) {
	for name, remove := range map[string]func(*ir.Package){
		"tools":     func(p *ir.Package) { p.Tools, p.Types = nil, nil },
		"prompts":   func(p *ir.Package) { p.Prompts = nil },
		"resources": func(p *ir.Package) { p.Resources = nil },
		"templates": func(p *ir.Package) { p.Templates = nil },
		"readers":   func(p *ir.Package) { p.Reads, p.Completes = false, false },
		"anything":  func(p *ir.Package) { *p = ir.Package{Name: p.Name, Server: p.Server} },
	} {
		p := surfacePackage()
		remove(p)
		files, err := Package(t.Context(), p, nil)
		if err != nil {
			t.Errorf("without %s: %v", name, err)
		}
		checkFormatted(t, files...)
		if _, err := Fake(t.Context(), p, "example.com/mcp/offers"); err != nil {
			t.Errorf("the fake without %s: %v", name, err)
		}
	}
}

func TestSurfaceOfMany(t *testing.T) {
	p := &ir.Package{Name: "many", Server: "many"}
	for i := range 3*unitTools + 5 {
		name := fmt.Sprintf("P%03d", i)
		p.Prompts = append(p.Prompts, &ir.Prompt{Wire: name, Go: name + "Prompt", Args: &ir.Type{Go: name + "PromptArgs", Kind: ir.Struct}})
		p.Resources = append(p.Resources, &ir.Resource{URI: "a:" + name, Go: "Read" + name})
	}
	files, err := Package(t.Context(), p, nil)
	if err != nil {
		t.Fatal(err)
	}
	checkFormatted(t, files...)
}

// Whatever is in the texts, the declarations are those of a harmless package.
func TestSurfaceOfHostileTexts(t *testing.T) {
	for _, text := range hostile {
		p := surfacePackage()
		doc := ir.Doc{Lead: "Lead " + text, Server: text, Notes: []string{text}}
		p.Prompts[0].Wire, p.Prompts[0].Doc, p.Prompts[0].Args.Doc = text, doc, doc
		p.Prompts[1].Args.Fields[0].Doc = doc
		p.Resources[0].URI, p.Resources[0].Doc = text, doc
		p.Templates[0].Wire, p.Templates[0].Doc, p.Templates[0].ReadDoc, p.Templates[0].Vars.Doc = text, doc, doc, doc
		p.ReadsDoc = doc
		if _, err := Package(t.Context(), p, nil); err != nil {
			t.Errorf("with the text %q: got %v, want no error", text, err)
		}
	}
}

// A name that is taken, or is not a name, is refused before anything is rendered.
func TestSurfaceNames(t *testing.T) {
	for want, change := range map[string]func(*ir.Package){
		`prompt "empty": the Go name Ping is taken in the package by tool "ping"`:                                               func(p *ir.Package) { p.Prompts[0].Go = "Ping" },
		`resource "demo://readme": the Go name ReadURI is taken in the package by mcpgen itself`:                                func(p *ir.Package) { p.Resources[0].Go = "ReadURI" },
		`resource template "demo://{city}{?tags*}": the Go name Complete is taken`:                                              func(p *ir.Package) { p.Templates[0].Go = "Complete" },
		`resource template "demo://{city}{?tags*}": the Go name ReadReadme is taken in the package by resource "demo://readme"`: func(p *ir.Package) { p.Templates[0].Read = "ReadReadme" },
		`resource template "demo://{city}{?tags*}": the Go name WeatherPromptArgs is taken in the package by prompt "weather"`:  func(p *ir.Package) { p.Templates[0].Vars.Go = "WeatherPromptArgs" },
		`prompt "weather": "a b" is not an exported Go name`:                                                                    func(p *ir.Package) { p.Prompts[1].Go = "a b" },
		`prompt "weather": its arguments are not a struct`:                                                                      func(p *ir.Package) { p.Prompts[1].Args = nil },
	} {
		p := surfacePackage()
		change(p)
		if _, err := Package(t.Context(), p, nil); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("want %s\ngot  %v", want, err)
		}
	}
}

// Resources that differ in a number are read by one function, which takes the number. They
// have no reference and no handler of a fake.
func TestNumberedResources(t *testing.T) {
	p := &ir.Package{Name: "demo", Server: "demo", Resources: []*ir.Resource{
		{URI: "demo://1/text", Go: "ReadPage", Watch: "WatchPage", Numbered: true, Before: "demo://", After: "/text"},
	}}
	files, err := Package(t.Context(), p, nil)
	if err != nil {
		t.Fatal(err)
	}
	fake, err := Fake(t.Context(), p, "example.com/mcp/demo")
	if err != nil {
		t.Fatal(err)
	}
	var all strings.Builder
	for _, f := range append(files, fake) {
		all.Write(f.Data)
	}
	code := strings.Join(strings.Fields(all.String()), " ")
	for _, want := range []string{
		"ReadPage(ctx context.Context, number int,", "WatchPage(ctx context.Context, number int,",
		`codec.ItemRef{Server: "demo", Name: "demo://" + strconv.Itoa(number) + "/text"}`,
	} {
		if !strings.Contains(code, want) {
			t.Errorf("no %s in\n%s", want, all.String())
		}
	}
	if strings.Contains(code, "refReadPage") || strings.Contains(code, "OnReadPage") {
		t.Errorf("a reference or a handler in\n%s", all.String())
	}
}
