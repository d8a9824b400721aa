package decide

import (
	"encoding/json"
	"fmt"
	"go/token"
	"math/rand/v2"
	"os"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/rogpeppe/go-internal/txtar"

	"github.com/mcpgen/mcpgen/generator/internal/ir"
	"github.com/mcpgen/mcpgen/runtime/codec"
	"github.com/mcpgen/mcpgen/schema"
	"github.com/mcpgen/mcpgen/schema/lockfile"
)

// offered is what surface.json of a case holds.
type offered struct {
	Capabilities                                    json.RawMessage
	Prompts, Resources, ResourceTemplates           []json.RawMessage
	LockedPrompts, LockedResources, LockedTemplates map[string]map[string]string // names by item
}

// add puts it into an input.
func (o offered) add(in *Input) {
	in.Snapshot.Capabilities = o.Capabilities
	in.Locked = newLock()
	for _, list := range []struct {
		kind   schema.Kind
		member string
		raw    []json.RawMessage
		into   *[]schema.Item
		locked map[string]map[string]string
	}{
		{schema.KindPrompt, "name", o.Prompts, &in.Snapshot.Prompts, o.LockedPrompts},
		{schema.KindResource, "uri", o.Resources, &in.Snapshot.Resources, o.LockedResources},
		{schema.KindTemplate, "uriTemplate", o.ResourceTemplates, &in.Snapshot.Templates, o.LockedTemplates},
	} {
		for _, raw := range list.raw {
			var m map[string]any
			_ = json.Unmarshal(raw, &m) // without a name it is the item ""
			name, _ := m[list.member].(string)
			*list.into = append(*list.into, schema.Item{Kind: list.kind, Name: name, Raw: raw})
		}
		for name, names := range list.locked {
			in.Locked.Items(list.kind)[name] = WithPins(lockfile.LockedItem{}, Pins{Names: names})
		}
	}
}

func addSurface(t *testing.T, in *Input, files map[string]*txtar.File) {
	t.Helper()
	if files["surface.json"] == nil {
		return
	}
	var o offered
	if err := json.Unmarshal(files["surface.json"].Data, &o); err != nil {
		t.Fatal(err)
	}
	o.add(in)
}

func dumpSurface(b *strings.Builder, p *ir.Package) {
	for _, x := range p.Prompts {
		fmt.Fprintf(b, "prompt %s(%s) // %q\n", x.Go, x.Args.Go, x.Wire)
		dumpDoc(b, "\t", x.Doc)
		dumpType(b, x.Args)
	}
	for _, x := range p.Resources {
		fmt.Fprintf(b, "resource %s() // %q\n", x.Go, x.URI)
		dumpDoc(b, "\t", x.Doc)
	}
	for _, x := range p.Templates {
		fmt.Fprintf(b, "template %s(%s), %s // %q\n", x.Go, x.Vars.Go, x.Read, x.Wire)
		dumpDoc(b, "\t", x.Doc)
		dumpDoc(b, "\t", x.ReadDoc)
		dumpType(b, x.Vars)
	}
	if p.Reads {
		b.WriteString("ReadURI\n")
		dumpDoc(b, "\t", p.ReadsDoc)
	}
	if p.Completes {
		b.WriteString("Complete\n")
	}
}

// surfaceNames are the top-level names of prompts, resources and templates, by item.
func surfaceNames(p *ir.Package) map[string][]string {
	out := map[string][]string{}
	typeNames := func(t *ir.Type) []string {
		names := []string{t.Go}
		for _, f := range t.Fields {
			names = append(names, t.Go+"."+f.Go+" "+f.Wire)
		}
		return names
	}
	for _, x := range p.Prompts {
		out["prompt "+x.Wire] = append(typeNames(x.Args), x.Go)
	}
	for _, x := range p.Resources {
		out["resource "+x.URI] = []string{x.Go}
	}
	for _, x := range p.Templates {
		out["template "+x.Wire] = append(typeNames(x.Vars), x.Go, x.Read)
	}
	return out
}

// checkSurface finds invalid names, and names that two things have.
func checkSurface(p *ir.Package) error {
	taken := map[string]string{"Client": "", "New": "", "Manifest": "", "Tools": "", "ReadURI": "", "Complete": ""}
	for _, names := range []map[string][]string{identifiersByTool(p), surfaceNames(p)} {
		for owner, list := range names {
			for _, name := range list {
				name, _, _ = strings.Cut(name, " ")
				_, field, isField := strings.Cut(name, ".")
				if isField && !token.IsIdentifier(field) || !isField && !token.IsIdentifier(name) || !token.IsExported(name) {
					return fmt.Errorf("%s: %q is not an exported name", owner, name)
				}
				if first, ok := taken[name]; ok {
					return fmt.Errorf("%s: %s is taken by %q", owner, name, first)
				}
				taken[name] = owner
			}
		}
	}
	return nil
}

// readRFC6570Vectors are the vectors of the RFC: what the templates expand to, and which are
// none.
func readRFC6570Vectors(t *testing.T) (vectors struct {
	Variables           map[string]any
	Expansions, Invalid map[string]string
}) {
	t.Helper()
	data, err := os.ReadFile("testdata/rfc6570.json")
	if err != nil {
		t.Fatal(err)
	}
	if err := json.Unmarshal(data, &vectors); err != nil {
		t.Fatal(err)
	}
	if len(vectors.Expansions) < 100 || len(vectors.Invalid) < 20 {
		t.Fatalf("read %d expansions and %d invalid templates, want at least 100 and 20", len(vectors.Expansions), len(vectors.Invalid))
	}
	return vectors
}

// Templates are taken apart here and put together by generated code: both together
// do what the RFC says, with the types that generated code has for variables.
func TestTemplateExpansion(t *testing.T) {
	vectors := readRFC6570Vectors(t)
	compared := 0
	for template, want := range vectors.Expansions {
		parts, err := parseTemplate(template)
		if err != nil {
			t.Errorf("template %s: got %v, want no error", template, err)
			continue
		}
		if got, ok := expandTemplate(parts, vectors.Variables); !ok {
			t.Logf("%s: an associative array", template)
		} else if compared++; got != want {
			t.Errorf("%s: %s, want %s", template, got, want)
		}
	}
	if compared < 80 {
		t.Errorf("only %d templates were compared", compared)
	}
	for literal, want := range map[string]string{
		"file:///a b": "file:///a%20b", "x:ü%41%4": "x:%C3%BC%41%254", "x:\"\\^`<|>": "x:%22%5C%5E%60%3C%7C%3E", "": "",
	} {
		parts, err := parseTemplate(literal)
		if got, _ := expandTemplate(parts, nil); got != want || err != nil {
			t.Errorf("%s: %s, %v; want %s", literal, got, err, want)
		}
	}
}

// expandTemplate does what generated code does with the parts of a template. False is a
// value that generated code has no type for.
func expandTemplate(parts []ir.URIPart, values map[string]any) (uri string, ok bool) {
	for _, part := range parts {
		var vars []codec.URIVar
		for _, v := range part.Vars {
			made := codec.URIVar{Name: v.Name, Prefix: v.Prefix}
			switch value := values[v.Name].(type) {
			case nil:
			case []any:
				made.Explode = v.Explode
				for _, item := range value {
					made.List = append(made.List, fmt.Sprint(item))
				}
			case map[string]any:
				return "", false
			default:
				made.Text = new(fmt.Sprint(value))
			}
			vars = append(vars, made)
		}
		uri += part.Text
		if len(part.Vars) > 0 {
			uri += codec.ExpandURI(part.Op, vars...)
		}
	}
	return uri, true
}

func TestTemplateVariables(t *testing.T) {
	invalid := readRFC6570Vectors(t).Invalid
	invalid["{"+strings.Repeat("x", maxVariable+1)+"}"] = ""
	for template := range invalid {
		if parts, err := parseTemplate(template); err == nil {
			t.Errorf("%s: %v, want an error", template, parts)
		}
	}
	for template, want := range map[string][]argument{
		"file:///a b":              nil,
		"x:{a}{+b}{?c,d*}{#e}{/f}": {{name: "a", required: true}, {name: "b", required: true}, {name: "c"}, {name: "d", list: true}, {name: "e"}, {name: "f"}},
		"{?a}{a}":                  {{name: "a", required: true}},
		"{a*}/{b-c}":               {{name: "a", list: true}, {name: "b-c", required: true}},
		"{a:3}{?a*}":               {{name: "a", required: true}},
		"{a.b,%41}":                {{name: "a.b", required: true}, {name: "%41", required: true}},
	} {
		parts, err := parseTemplate(template)
		if diff := cmp.Diff(want, templateVariables(parts), cmp.AllowUnexported(argument{})); diff != "" || err != nil {
			t.Errorf("%s: %v\n%s", template, err, diff)
		}
	}
}

func FuzzTemplateVariables(f *testing.F) {
	for _, template := range []string{"a{x}b", "{?x,y*}", "{+x:3}", "}{", "{a..b}", "{%41%}", "{}", "{x:0001}", "{💥}", "a b%4"} {
		f.Add(template)
	}
	f.Fuzz(func(t *testing.T, template string) {
		parts, err := parseTemplate(template)
		if err != nil {
			return
		}
		seen := map[string]bool{}
		for _, v := range templateVariables(parts) {
			if seen[v.name] || !isVariable(v.name) || !strings.Contains(template, v.name) || v.list && v.required {
				t.Errorf("%q: %+v", template, parts)
			}
			seen[v.name] = true
		}
		for _, part := range parts {
			for i := range len(part.Text) {
				if c := part.Text[i]; c <= ' ' || c > '~' || strings.IndexByte("\"<>\\^`{|}", c) >= 0 {
					t.Fatalf("%q: %q may not stand in a URI", template, part.Text)
				}
			}
		}
	})
}

// manySurface makes a server whose items like to meet.
func manySurface(r *rand.Rand) *Input {
	names := []string{"a", "a_b", "a-b", "A b", "b", "prompt", "a_prompt", "URI", "read", "args", "", "搜索", "2fa", "client", "complete", "byte", "x\"`*/"}
	pick := func() string { return names[r.IntN(len(names))] }
	in := &Input{Server: Server{Name: "srv", Snapshot: &schema.Snapshot{Capabilities: json.RawMessage(`{"completions":{}}`)}}}
	add := func(kind schema.Kind, name string, def map[string]any) {
		raw, _ := json.Marshal(def)
		list := map[schema.Kind]*[]schema.Item{
			schema.KindTool: &in.Snapshot.Tools, schema.KindPrompt: &in.Snapshot.Prompts,
			schema.KindResource: &in.Snapshot.Resources, schema.KindTemplate: &in.Snapshot.Templates,
		}[kind]
		if !slices.ContainsFunc(*list, func(it schema.Item) bool { return it.Name == name }) {
			*list = append(*list, schema.Item{Kind: kind, Name: name, Raw: raw})
		}
	}
	for range 8 {
		tool, prompt := pick()+"_prompt", pick()
		add(schema.KindTool, tool, map[string]any{"name": tool, "inputSchema": map[string]any{"type": "object", "properties": map[string]any{"a": map[string]any{"enum": []string{"b"}}}}})
		add(schema.KindTool, "read_"+tool, map[string]any{"name": "read_" + tool, "inputSchema": map[string]any{"type": "object"}})
		add(schema.KindPrompt, prompt, map[string]any{"name": prompt, "arguments": []any{map[string]any{"name": pick(), "required": true}, map[string]any{"name": pick()}}})
		uri := "x:" + strconv.Itoa(r.IntN(9))
		add(schema.KindResource, uri, map[string]any{"uri": uri, "name": pick()})
		template := uri + "{a}{?b*}"
		add(schema.KindTemplate, template, map[string]any{"uriTemplate": template, "name": pick()})
	}
	return in
}

// lockIn accepts what was decided.
func lockIn(t *testing.T, in *Input, before *schema.Snapshot) {
	t.Helper()
	names, err := AssignNames(t.Context(), *in, before)
	if err != nil {
		t.Fatal(err)
	}
	in.Locked = lockOf(in.Snapshot, names)
}

// Whatever goes or comes, what stays keeps its names; and the lock settles.
func TestSurfaceKeepsItsNames(t *testing.T) {
	for seed := range uint64(60) {
		r := rand.New(rand.NewPCG(seed, 1))
		in := manySurface(r)
		lockIn(t, in, nil)
		p, _ := mustPackage(t, *in)
		if err := checkSurface(p); err != nil {
			t.Fatalf("seed %d: %v\n%s", seed, err, dumpPackage(p))
		}
		was, wasTools := surfaceNames(p), identifiersByTool(p)

		after := *in.Snapshot
		for _, list := range []*[]schema.Item{&after.Tools, &after.Prompts, &after.Resources, &after.Templates} {
			*list = slices.Clone(*list)
			i := r.IntN(len(*list))
			*list = slices.Delete(*list, i, i+1)
		}
		more := manySurface(r).Snapshot
		for _, it := range more.Prompts {
			if !slices.ContainsFunc(in.Snapshot.Prompts, func(x schema.Item) bool { return x.Name == it.Name }) {
				after.Prompts = append(after.Prompts, it)
			}
		}
		for _, it := range more.Tools {
			if !slices.ContainsFunc(in.Snapshot.Tools, func(x schema.Item) bool { return x.Name == it.Name }) {
				after.Tools = append(after.Tools, it)
			}
		}
		before := in.Snapshot
		in.Snapshot = &after
		lockIn(t, in, before)
		p, _ = mustPackage(t, *in)
		if err := checkSurface(p); err != nil {
			t.Fatalf("seed %d: %v\n%s", seed, err, dumpPackage(p))
		}
		for owner, names := range surfaceNames(p) {
			if old := was[owner]; old != nil && !slices.Equal(names, old) {
				t.Errorf("seed %d: %s was %q, is %q", seed, owner, old, names)
			}
		}
		for owner, names := range identifiersByTool(p) {
			if old := wasTools[owner]; old != nil && !slices.Equal(names, old) {
				t.Errorf("seed %d: the tool %s was %q, is %q", seed, owner, old, names)
			}
		}
	}
}

// Beyond a bound resources have no functions; the reader says why.
func TestManyResources(t *testing.T) {
	in := Input{Server: Server{Name: "srv", Snapshot: &schema.Snapshot{}}}
	for i := range maxResources + 1 {
		uri := fmt.Sprintf("x:%d", i)
		in.Snapshot.Resources = append(in.Snapshot.Resources, schema.Item{Kind: schema.KindResource, Name: uri, Raw: json.RawMessage(`{"uri":"` + uri + `","name":"same"}`)})
	}
	p, warnings := mustPackage(t, in)
	if len(p.Resources) != 0 || len(warnings) != 0 || !p.Reads || !strings.Contains(strings.Join(p.ReadsDoc.Notes, " "), "lists 201 resources") {
		t.Errorf("got %d functions, warnings %v, and ReadURI says %+v; want no function, no warning, and the count in the docs", len(p.Resources), warnings, p.ReadsDoc)
	}
	in.Snapshot.Resources = in.Snapshot.Resources[1:]
	p, _ = mustPackage(t, in)
	if len(p.Resources) != maxResources || p.Resources[1].Go != "ReadSame2" || len(p.ReadsDoc.Notes) != 0 {
		t.Errorf("got %d functions, and ReadURI says %+v; want %d functions, numbered, and no note", len(p.Resources), p.ReadsDoc, maxResources)
	}
}
