package decide

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/mcpgen/mcpgen/generator/internal/ir"
	"github.com/mcpgen/mcpgen/internal/jsontext"
	"github.com/mcpgen/mcpgen/schema"
	"github.com/mcpgen/mcpgen/schema/lockfile"
)

// numbers collects the places of a type's numbers that may have another type.
type numbers struct {
	seen  map[*ir.Type]bool
	found map[string]*ir.Ref
}

func (n *numbers) ref(r *ir.Ref, at string) {
	switch r.Kind {
	case ir.Pointer, ir.Opt:
		n.ref(r.Elem, at)
	case ir.Slice, ir.Array:
		n.ref(r.Elem, at+"/items")
	case ir.Map:
		n.ref(r.Elem, at+"/additionalProperties")
	case ir.Basic:
		if r.Name != "string" && r.Name != "bool" {
			n.found[at] = r
		}
	case ir.Named:
		n.decl(r.Decl, at)
	}
}

func (n *numbers) decl(t *ir.Type, at string) {
	if n.seen[t] {
		return
	}
	n.seen[t] = true
	for i, f := range t.Fields {
		if t.Kind == ir.Tuple {
			n.ref(f.Type, fmt.Sprintf("%s/items/%d", at, i))
		} else {
			n.ref(f.Type, at+"/"+jsontext.EscapePointer(f.Wire))
		}
	}
	if t.Extra != nil {
		n.ref(t.Extra, at+"/additionalProperties")
	}
	if t.Rest != nil {
		n.ref(t.Rest, at+"/items")
	}
	for _, v := range t.Variants {
		if v.Type.Kind != ir.Alias || v.Type.Of.Kind != ir.Basic {
			n.decl(v.Type, at)
		}
	}
	if t.Kind == ir.Alias {
		n.ref(t.Of, at)
	}
}

// TestNumbersOfCorpus gives every number of the real servers another type.
func TestNumbersOfCorpus(t *testing.T) {
	chosen := 0
	for _, s := range corpusServers(t) {
		in := Input{Server: Server{Name: s.Server, Snapshot: s}}
		p, _ := mustPackage(t, in)
		for _, tool := range p.Tools {
			places := &numbers{map[*ir.Type]bool{}, map[string]*ir.Ref{}}
			places.decl(tool.Args, tool.Wire+"/args")
			if tool.Result != nil {
				places.seen = map[*ir.Type]bool{}
				places.ref(tool.Result, tool.Wire+"/result")
			}
			for at, r := range places.found {
				word := "decimal"
				if r.Name == "float64" && len(at)%2 == 0 {
					word = "int"
				}
				in.Types = append(in.Types, TypeChoice{Key: at, Value: word})
			}
		}
		q, _ := mustPackage(t, in)
		if err := checkCompiles(q); err != nil {
			t.Errorf("server %s: got %v, want no error", s.Server, err)
		}
		if was, is := identifiersByTool(p), identifiersByTool(q); len(was) != len(is) {
			t.Errorf("%s: %d tools, then %d", s.Server, len(was), len(is))
		}
		chosen += len(in.Types)
	}
	if chosen < 100 {
		t.Errorf("%d numbers only", chosen)
	}
}

// TestShapesOfCorpusRenamed gives every nested type of the real servers another name: the
// old ones stay.
func TestShapesOfCorpusRenamed(t *testing.T) {
	for _, s := range corpusServers(t) {
		in := Input{Server: Server{Name: s.Server, Snapshot: s}}
		names, err := AssignNames(t.Context(), in, nil)
		if err != nil {
			t.Fatal(err)
		}
		in.Locked = lockOf(s, names)
		p, _ := mustPackage(t, in)
		roots := map[*ir.Type]bool{}
		for _, tool := range p.Tools {
			roots[tool.Args] = true
			for r := tool.Result; r != nil; r = r.Elem {
				roots[r.Decl] = roots[r.Decl] || r.Kind == ir.Named && strings.HasSuffix(r.Decl.Go, "Result")
			}
		}
		for _, typ := range p.Types {
			if !roots[typ] {
				in.Types = append(in.Types, TypeChoice{Key: typ.Go, Value: "Chosen" + typ.Go})
			}
		}
		q, _ := mustPackage(t, in)
		if err := checkCompiles(q); err != nil {
			t.Errorf("server %s: got %v, want no error", s.Server, err)
		}
		now := allNames(q)
		for _, name := range allNames(p) {
			if !slices.Contains(now, name) {
				t.Errorf("%s: %s is gone", s.Server, name)
			}
		}
		for _, c := range in.Types {
			if !slices.Contains(now, c.Value) {
				t.Errorf("%s: there is no %s", s.Server, c.Value)
			}
		}
		if len(q.Shapes) > 0 {
			t.Errorf("%s: for the lock: %v", s.Server, q.Shapes)
		}
		// The lock knows nothing of it.
		again, err := AssignNames(t.Context(), in, s)
		if diff := cmp.Diff(names, again); err != nil || diff != "" {
			t.Errorf("%s: %v\n%s", s.Server, err, diff)
		}
	}
}

// allNames are the names of all types and constants, synonyms too.
func allNames(p *ir.Package) []string {
	var out []string
	for _, t := range p.Types {
		out = append(out, t.Go)
		for _, c := range t.Consts {
			out = append(out, c.Go)
		}
		if t.Kind == ir.Union {
			out = append(out, t.Other)
		}
	}
	for _, tool := range p.Tools {
		for _, n := range tool.Synonyms {
			out = append(out, n.Go)
		}
	}
	return out
}

// A type that only one of two equal ones has chosen becomes a type of its own, and the
// names of both stay when the choice goes.
func TestChoiceSplitsShape(t *testing.T) {
	const page = `"inputSchema":{"type":"object","properties":{"filter":{"type":"object","properties":{"page":{"type":"number"}}}}}}`
	s := snapshotOf(t, `{"name":"list",`+page, `{"name":"search",`+page)
	in := Input{Server: Server{Name: "srv", Snapshot: s}}
	names, err := AssignNames(t.Context(), in, nil)
	if err != nil {
		t.Fatal(err)
	}
	in.Locked = lockOf(s, names)
	before, _ := mustPackage(t, in)
	for _, place := range []string{"list/args/filter/page", "search/args/filter/page"} {
		in.Types = []TypeChoice{{Key: place, Value: "int"}}
		p, _ := mustPackage(t, in)
		if len(p.Shapes) != 1 {
			t.Fatalf("%s: for the lock: %v, want one short name", place, p.Shapes)
		}
		for _, name := range allNames(before) {
			if !slices.Contains(allNames(p), name) {
				t.Errorf("%s: %s is gone", place, name)
			}
		}
		given := map[string]string{p.Shapes[0].Place: p.Shapes[0].Go}
		for key, name := range Pinned(in.Locked.Tools[p.Shapes[0].Tool]).Names {
			given[key] = name
		}
		locked := lockOf(s, names)
		locked.Tools[p.Shapes[0].Tool] = WithPins(lockfile.LockedItem{}, Pins{Names: given})
		after, _ := mustPackage(t, Input{Server: Server{Name: "srv", Snapshot: s, Locked: locked}})
		for _, name := range allNames(p) {
			if !slices.Contains(allNames(after), name) {
				t.Errorf("%s: without the choice %s is gone", place, name)
			}
		}
	}
}

// A choice of what an older snapshot does not have is not a mistake.
func TestChoicesOfThePast(t *testing.T) {
	s := snapshotOf(t, `{"name":"list","inputSchema":{"type":"object"}}`)
	in := Input{Server: Server{Name: "srv", Snapshot: s, Types: []TypeChoice{{Key: "list/args/page", Value: "int"}, {Key: "gone/args", Value: "Gone"}, {Key: "Filter", Value: "Query"}}}}
	if _, err := Symbols(t.Context(), in); err != nil {
		t.Errorf("Symbols: got %v, want no error", err)
	}
	if _, err := AssignNames(t.Context(), in, s); err != nil {
		t.Errorf("AssignNames: got %v, want no error", err)
	}
	if _, _, err := Package(t.Context(), in); err == nil || strings.Count(err.Error(), "\n") != 2 {
		t.Errorf("want three errors, got %v", err)
	}
}

// A place in a union of unions is looked for within bounds.
func TestChoiceInDeepUnion(t *testing.T) {
	deep := `{"name":"deep","inputSchema":{"type":"object","properties":{"v":{"$ref":"#/$defs/v"}},"$defs":{"v":{"oneOf":[` +
		`{"type":"object","required":["a"],"properties":{"a":{"type":"string"},"v":{"$ref":"#/$defs/v"}}},` +
		`{"type":"object","required":["b"],"properties":{"b":{"type":"string"},"v":{"$ref":"#/$defs/v"}}},{"type":"number"}]}}}}`
	in := Input{Server: Server{Name: "srv", Snapshot: snapshotOf(t, deep), Types: []TypeChoice{{Key: "deep/args" + strings.Repeat("/v", 200) + "/w", Value: "int"}}}}
	if _, _, err := Package(t.Context(), in); err == nil || !strings.Contains(err.Error(), `/w`) {
		t.Errorf("got %v, want an error with %q", err, `/w`)
	}
}

// TestPagesOfGitHub makes the pages of all lists integers, as a person would write them.
func TestPagesOfGitHub(t *testing.T) {
	s := readListing(t, corpus+"servers/github.json")
	in := Input{Server: Server{Name: "github", Snapshot: s, Types: []TypeChoice{{Key: "*/args/page", Value: "int"}, {Key: "*/args/perPage", Value: "int"}, {Key: "list_issues/args/perPage", Value: "decimal"}}}}
	p, _ := mustPackage(t, in)
	ints := 0
	for _, tool := range p.Tools {
		for _, f := range tool.Args.Fields {
			if f.Wire != "page" && f.Wire != "perPage" {
				continue
			}
			switch got := typeText(f.Type); {
			case tool.Wire == "list_issues" && got == "json.Number":
			case got == "int" || got == "*int":
				ints++
			default:
				t.Errorf("%s.%s is %s", tool.Args.Go, f.Go, got)
			}
		}
	}
	if ints < 40 {
		t.Errorf("%d pages", ints)
	}
}

// FuzzChoices gives every number and every nested type of random schemas another type or
// name.
func FuzzChoices(f *testing.F) {
	for seed := range uint64(40) {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, seed uint64) {
		r := rand.New(rand.NewPCG(seed, 1))
		s := &schema.Snapshot{}
		for _, name := range []string{"a", "a/args", "b"} {
			data, err := json.Marshal(map[string]any{"type": "object", "properties": map[string]any{"x": randomSchema(r, 4), "y": randomSchema(r, 3)}})
			if err != nil {
				t.Fatal(err)
			}
			s.Tools = append(s.Tools, schemaTool(t, name, data))
		}
		in := Input{Server: Server{Name: "random", Snapshot: s}}
		p, _ := mustPackage(t, in)
		roots := map[*ir.Type]bool{}
		for _, tool := range p.Tools {
			roots[tool.Args] = true
			places := &numbers{map[*ir.Type]bool{}, map[string]*ir.Ref{}}
			places.decl(tool.Args, tool.Wire+"/args")
			if tool.Result != nil {
				places.seen = map[*ir.Type]bool{}
				places.ref(tool.Result, tool.Wire+"/result")
				if tool.Result.Kind == ir.Named {
					roots[tool.Result.Decl] = true
				}
			}
			for at := range places.found {
				in.Types = append(in.Types, TypeChoice{Key: at, Value: "decimal"})
			}
		}
		q, _ := mustPackage(t, in)
		if err := checkCompiles(q); err != nil {
			t.Fatal(err)
		}
		in.Types = nil
		for i, typ := range p.Types {
			if !roots[typ] {
				in.Types = append(in.Types, TypeChoice{Key: typ.Go, Value: fmt.Sprintf("Chosen%dth", i)})
			}
		}
		q, _ = mustPackage(t, in)
		if err := checkCompiles(q); err != nil {
			t.Fatal(err)
		}
		now := allNames(q)
		for _, name := range allNames(p) {
			if !slices.Contains(now, name) {
				t.Errorf("%s is gone", name)
			}
		}
	})
}
