package decide

// "Looser, never stricter, and a comment says so": wherever a Go type takes any value
// and the schema does not, there is a note.

import (
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/mcpgen/mcpgen/generator/internal/ir"
	"github.com/mcpgen/mcpgen/schema"
	"github.com/mcpgen/mcpgen/schema/jsonschema"
)

// restrictsKinds reports whether s says which kinds of values are valid.
func restrictsKinds(doc *jsonschema.Document, s *jsonschema.Schema, depth int) bool {
	if s == nil || s.Bool != nil || depth == 0 {
		return s.IsBool(false)
	}
	all := func(branches []*jsonschema.Schema) bool {
		some := false // a branch that is more than null
		for _, branch := range branches {
			if !restrictsKinds(doc, branch, depth-1) {
				return false
			}
			some = some || !branch.IsBool(false) && !onlyNull(branch)
		}
		return some
	}
	if s.Ref != "" {
		target, err := doc.Follow(s)
		if err != nil || restrictsKinds(doc, target, depth-1) {
			return true
		}
		if s.RefAlone() {
			return false
		}
	}
	for _, part := range s.AllOf {
		if restrictsKinds(doc, part, depth-1) {
			return true
		}
	}
	return len(s.Types) > 0 || s.Values() != nil || dynamic(s) != "" || all(s.AnyOf) || all(s.OneOf)
}

// eachUnnotedWidening calls report for each place that r has for values of any kind where s says
// more. Types that are declared are looked at by themselves.
func (b *side) eachUnnotedWidening(s *jsonschema.Schema, r *ir.Ref, depth int, report func(at string)) {
	if s == nil || depth == 0 {
		return
	}
	switch r.Kind {
	case ir.Any, ir.Raw:
		if restrictsKinds(b.views.doc, s, 20) {
			report(s.Pointer)
		}
	case ir.Pointer, ir.Opt:
		b.eachUnnotedWidening(s, r.Elem, depth-1, report)
	case ir.Slice, ir.Map:
		v, why := b.views.view(s)
		switch {
		case why != "":
			report(s.Pointer)
		case isUnion(v):
		case r.Kind == ir.Slice:
			b.eachUnnotedWidening(v.Items, r.Elem, depth-1, report)
			for _, item := range v.PrefixItems {
				b.eachUnnotedWidening(item, r.Elem, depth-1, report)
			}
		default:
			b.eachUnnotedWidening(undeclared(v), r.Elem, depth-1, report)
			for _, p := range v.PatternProperties {
				b.eachUnnotedWidening(p.Schema, r.Elem, depth-1, report)
			}
		}
	}
}

// checkNotes wants a note wherever a type of the side is wider than its schema.
func checkNotes(t *testing.T, name string, b *side) (noted int) {
	t.Helper()
	check := func(s *jsonschema.Schema, r *ir.Ref, notes []string, what string) {
		if r == nil {
			return
		}
		b.eachUnnotedWidening(s, r, 10, func(at string) {
			for _, note := range notes {
				if strings.Contains(note, "ny value") || strings.Contains(note, "wider than") || strings.Contains(note, "valid.") {
					noted++
					return
				}
			}
			t.Errorf("%s %s%s: %s takes any value, the schema does not, and no comment says so: %q", name, b.at, at, what, notes)
		})
	}
	if b.results {
		check(b.views.doc.Root, b.root, b.notes, "the result")
	}
	for _, d := range b.decls {
		for _, m := range d.members {
			schemas := b.views.declaredIf[m.schema]
			if len(schemas) == 0 || len(m.schema.AnyOf) > 0 {
				schemas = []*jsonschema.Schema{m.schema}
			}
			for _, s := range schemas {
				check(s, m.f.Type, m.f.Doc.Notes, "member "+quote(m.f.Wire))
			}
		}
		switch d.t.Kind {
		case ir.Struct:
			check(undeclared(d.v), d.t.Extra, d.notes, "Extra of "+d.pointer)
			if dynamic(d.v) != "" && !strings.Contains(strings.Join(d.notes, " "), "is not followed") {
				t.Errorf("%s %s%s: %s is not followed, and no comment says so", name, b.at, d.pointer, dynamic(d.v))
			}
		case ir.Tuple:
			check(d.v.Items, d.t.Rest, d.notes, "Rest of "+d.pointer)
		}
	}
	return noted
}

// schemaSides makes the types of a schema, as arguments and as a result.
func schemaSides(t *testing.T, name string, in json.RawMessage) []*side {
	t.Helper()
	raw, err := json.Marshal(map[string]any{"name": name, "inputSchema": in, "outputSchema": in})
	if err != nil {
		t.Fatal(err)
	}
	it, err := schema.ParseItem(schema.KindTool, raw)
	if err != nil {
		t.Fatal(err)
	}
	w := newWarner("s", "")
	tools, err := readTools(t.Context(), Input{Server: Server{Name: "s", Snapshot: &schema.Snapshot{Server: "s", Tools: []schema.Item{it}}}}, w)
	if err != nil {
		t.Fatal(err)
	}
	var sides []*side
	for _, tool := range tools {
		tool.buildTypes(t.Context(), w)
		sides = append(sides, tool.sides...)
	}
	return sides
}

func TestWideningsHaveComments(t *testing.T) {
	noted, seen := 0, 0
	for _, s := range corpusServers(t) {
		w := newWarner(s.Server, "")
		tools, err := readTools(t.Context(), Input{Server: Server{Name: s.Server, Snapshot: s}}, w)
		if err != nil {
			t.Fatal(err)
		}
		for _, tool := range tools {
			tool.buildTypes(t.Context(), w)
			for _, b := range tool.sides {
				noted += checkNotes(t, s.Server+"/"+tool.wire, b)
				seen++
			}
		}
	}
	paths, err := filepath.Glob(corpus + "hard/*.json")
	if err != nil || len(paths) == 0 {
		t.Fatalf("no hard schemas: %v", err)
	}
	for _, path := range paths {
		var file struct{ Schema json.RawMessage }
		data, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		if err := json.Unmarshal(data, &file); err != nil {
			t.Fatal(err)
		}
		for _, b := range schemaSides(t, filepath.Base(path), file.Schema) {
			noted += checkNotes(t, filepath.Base(path), b)
			seen++
		}
	}
	for name, s := range suiteSchemas(t) {
		for _, b := range schemaSides(t, name, s) {
			noted += checkNotes(t, name, b)
			seen++
		}
	}
	t.Logf("%d sides, %d places that are wider and say so", seen, noted)
}

// suiteSchemas are those of the JSON-Schema-Test-Suite, drafts 7 and 2020-12, which
// google/jsonschema-go has in its testdata.
func suiteSchemas(t *testing.T) map[string]json.RawMessage {
	t.Helper()
	dir, err := exec.CommandContext(t.Context(), "go", "list", "-m", "-f", "{{.Dir}}", "github.com/google/jsonschema-go").Output()
	if err != nil {
		t.Fatal(err)
	}
	paths, err := filepath.Glob(filepath.Join(strings.TrimSpace(string(dir)), "jsonschema", "testdata", "draft*", "*.json"))
	if err != nil || len(paths) == 0 {
		t.Fatalf("no suite: %v", err)
	}
	out := map[string]json.RawMessage{}
	for _, path := range paths {
		data, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		var cases []struct {
			Description string
			Schema      json.RawMessage
		}
		if err := json.Unmarshal(data, &cases); err != nil {
			t.Fatal(err)
		}
		for _, c := range cases {
			out[filepath.Base(filepath.Dir(path))+"/"+filepath.Base(path)+": "+c.Description] = c.Schema
		}
	}
	return out
}
