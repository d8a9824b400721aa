package golden

// surface/ holds generated packages of servers that offer more than tools:
// prompts, resources, resource templates, completions. surface/call_test.go calls
// them over a live session.

import (
	"encoding/json"
	"go/ast"
	"go/parser"
	"go/token"
	"go/types"
	"os"
	"regexp"
	"strings"
	"testing"

	"github.com/mcpgen/mcpgen/generator"
	"github.com/mcpgen/mcpgen/golden/project"
	"github.com/mcpgen/mcpgen/schema"
	"github.com/mcpgen/mcpgen/schema/lockfile"
)

// offer is a file of testdata/surface-*.json: the shape that the test server
// replays.
type offer struct {
	ProtocolVersion   string            `json:"protocolVersion"`
	ServerInfo        json.RawMessage   `json:"serverInfo"`
	Capabilities      json.RawMessage   `json:"capabilities"`
	Tools             []json.RawMessage `json:"tools"`
	Prompts           []json.RawMessage `json:"prompts"`
	Resources         []json.RawMessage `json:"resources"`
	ResourceTemplates []json.RawMessage `json:"resourceTemplates"`
}

func readOffer(t testing.TB, name string) *schema.Snapshot {
	t.Helper()
	data, err := os.ReadFile("testdata/surface-" + name + ".json")
	if err != nil {
		t.Fatal(err)
	}
	var o offer
	if err := json.Unmarshal(data, &o); err != nil {
		t.Fatal(err)
	}
	return o.snapshot(name)
}

// snapshot makes the snapshot that attach would make; what it would leave out is
// left out.
func (o offer) snapshot(server string) *schema.Snapshot {
	s := &schema.Snapshot{Server: server, ProtocolVersion: o.ProtocolVersion, Identity: o.ServerInfo, Capabilities: o.Capabilities}
	for _, list := range []struct {
		kind schema.Kind
		raw  []json.RawMessage
		into *[]schema.Item
	}{
		{schema.KindTool, o.Tools, &s.Tools},
		{schema.KindPrompt, o.Prompts, &s.Prompts},
		{schema.KindResource, o.Resources, &s.Resources},
		{schema.KindTemplate, o.ResourceTemplates, &s.Templates},
	} {
		seen := map[string]bool{}
		for _, raw := range list.raw {
			it, err := schema.ParseItem(list.kind, raw)
			if err != nil || seen[it.Name] {
				continue
			}
			seen[it.Name] = true
			*list.into = append(*list.into, it)
		}
	}
	s.Sort()
	return s
}

func TestSurfaceGolden(t *testing.T) {
	servers := []generator.Server{lockSnapshot(t, readOffer(t, "everything")), lockSnapshot(t, readOffer(t, "offers"))}
	out, err := generator.Generate(t.Context(), generator.Options{Output: "surface", ImportPath: thisFolder + "/surface", Fakes: true, Servers: servers})
	if err != nil {
		t.Fatal(err)
	}
	for _, w := range out.Warnings {
		t.Errorf("got the warning %v, want none", w)
	}
	files := append(out.Files, project.LockFile("surface/mcpgen.lock", servers...))
	opts := generator.WriteOptions{Prune: []string{"surface"}}
	if *update {
		if _, err := generator.Write(t.Context(), ".", files, opts); err != nil {
			t.Fatal(err)
		}
	}
	stale, err := generator.Compare(".", files, opts)
	if err != nil {
		t.Fatal(err)
	}
	for _, s := range stale {
		t.Errorf("%s: %s: run go test ./golden -update and read the diff", s.Path, s.State)
	}
}

// Whatever item goes, no identifier of another one changes.
func TestRemovedItemChangesNoOtherName(t *testing.T) {
	for _, name := range []string{"everything", "offers"} {
		whole := readOffer(t, name)
		server := lockSnapshot(t, whole)
		all := identifiersOf(t, generateServers(t, "example.com", "mcp", server))
		for _, kind := range []schema.Kind{schema.KindTool, schema.KindPrompt, schema.KindResource, schema.KindTemplate} {
			for gone := range server.Locked.Items(kind) {
				rest := *whole
				for _, list := range []*[]schema.Item{&rest.Tools, &rest.Prompts, &rest.Resources, &rest.Templates} {
					var kept []schema.Item
					for _, it := range *list {
						if it.Kind != kind || it.Name != gone {
							kept = append(kept, it)
						}
					}
					*list = kept
				}
				after := generator.Server{Name: name, Snapshot: &rest}
				var err error
				if after.Locked, err = lockfile.LockSnapshot(&rest); err != nil {
					t.Fatal(err)
				}
				if err := generator.AssignNames(t.Context(), after, server.Locked, whole, nil); err != nil {
					t.Fatal(err)
				}
				for id := range identifiersOf(t, generateServers(t, "example.com", "mcp", after)) {
					if !all[id] {
						t.Errorf("%s: without the %s %s there is a new name %s", name, kind, gone, id)
					}
				}
			}
		}
	}
}

// hostileOffer has the places where a server's text can stand beside tools. %s is the
// text as JSON, without its quotes.
const hostileOffer = `{
	"protocolVersion": "2025-11-25", "capabilities": {"prompts": {}, "resources": {}, "completions": {"%s": "%s"}},
	"prompts": [
		{"name": "%s", "title": "%s", "description": "%s"},
		{"name": "a %s", "arguments": [{"name": "%s", "title": "%s", "description": "%s", "required": true}, {"name": "a %s"}, {"name": "a_%s"}]},
		{"name": "a_%s", "arguments": [{"name": "x", "required": "%s", "%s": 1}], "icons": ["%s"], "_meta": {"%s": 1}},
		{"name": "odd", "arguments": "%s"}
	],
	"resources": [
		{"uri": "%s", "name": "%s", "title": "%s", "description": "%s", "mimeType": "%s"},
		{"uri": "x:%s", "name": "a %s"}, {"uri": "y:%s", "name": "a_%s"}, {"uri": "z://%s/%s"}
	],
	"resourceTemplates": [
		{"uriTemplate": "%s", "name": "%s"}, {"uriTemplate": "x:{%s}", "name": "v"}, {"uriTemplate": "x:{?%s*}", "name": "a %s"},
		{"uriTemplate": "%s{a}%s", "name": "%s", "title": "%s", "description": "%s", "mimeType": "%s"}
	]
}`

// surfaceFunc is what the functions beside tools are called.
var surfaceFunc = regexp.MustCompile(`^(Read[\p{L}\p{N}_]+|\p{Lu}[\p{L}\p{N}_]*(Prompt|URI)(_?[0-9]+)?|Complete)$`)

func TestHostileSurface(t *testing.T) {
	for _, p := range readPayloads(t) {
		t.Run(p.Name, func(t *testing.T) {
			t.Parallel()
			quoted := jsonText(p.Text)
			var o offer
			if err := json.Unmarshal([]byte(strings.ReplaceAll(hostileOffer, "%s", quoted[1:len(quoted)-1])), &o); err != nil {
				t.Fatal(err)
			}
			server, err := project.Lock(o.snapshot("evil"))
			if err != nil {
				t.Fatal(err)
			}
			checkHostileSurface(t, server)
		})
	}
}

// checkHostileSurface wants the declarations of a well-behaved package: a method
// for each item, and nothing else.
func checkHostileSurface(t *testing.T, server generator.Server) {
	t.Helper()
	out, err := generator.Generate(t.Context(), hostileOptions(server))
	if err != nil {
		t.Fatalf("an item took its server down: %v", err)
	}
	want := len(server.Snapshot.Prompts) + len(server.Snapshot.Resources) + len(server.Snapshot.Templates) + 2
	for _, w := range out.Warnings {
		checkMessage(t, w.String())
		if w.Kind == schema.KindTemplate && strings.HasPrefix(w.Reason, "left out: ") {
			want--
		}
	}
	names, methods := surfaceNames(t, out)
	if methods != want {
		t.Errorf("%d methods, want %d", methods, want)
	}
	var given []string
	for name := range names {
		given = append(given, name+"Vars")
	}
	for _, f := range out.Files {
		if !generatedPath.MatchString(f.Path) {
			t.Errorf("%q is not a path of ours", f.Path)
		}
		if strings.HasSuffix(f.Path, ".go") {
			o := &oracle{t: t, file: f, tools: names, given: given}
			o.check()
		}
	}
}

// surfaceNames are the functions that may be there, and the number of methods of
// the client.
func surfaceNames(t *testing.T, out *generator.Output) (names map[string]bool, methods int) {
	t.Helper()
	names = map[string]bool{}
	for file, data := range goFiles(out) {
		tree, err := parser.ParseFile(token.NewFileSet(), file, data, parser.SkipObjectResolution)
		if err != nil {
			t.Fatal(err)
		}
		for _, d := range tree.Decls {
			f, ok := d.(*ast.FuncDecl)
			if !ok {
				continue
			}
			if surfaceFunc.MatchString(f.Name.Name) {
				names[f.Name.Name] = true
			}
			if f.Recv == nil {
				continue
			}
			if star, ok := f.Recv.List[0].Type.(*ast.StarExpr); ok && types.ExprString(star.X) == "Client" {
				methods++
			}
		}
	}
	return names, methods
}
