package decide

import (
	"encoding/json"
	"fmt"
	"go/token"
	"maps"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/mcpgen/mcpgen/generator/internal/gotext"
	"github.com/mcpgen/mcpgen/generator/internal/ir"
	"github.com/mcpgen/mcpgen/schema"
)

const corpus = "../../../golden/corpus/"

// readListing reads a recorded listing as a snapshot.
func readListing(t testing.TB, path string) *schema.Snapshot {
	t.Helper()
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	var file struct {
		ServerInfo json.RawMessage
		Tools      []json.RawMessage
	}
	if err := json.Unmarshal(data, &file); err != nil {
		t.Fatal(err)
	}
	s := &schema.Snapshot{Server: strings.TrimSuffix(filepath.Base(path), ".json"), Identity: file.ServerInfo}
	for _, raw := range file.Tools {
		s.Tools = append(s.Tools, toolItem(t, raw))
	}
	return s
}

func toolItem(t testing.TB, raw json.RawMessage) schema.Item {
	t.Helper()
	var tool struct{ Name string }
	if err := json.Unmarshal(raw, &tool); err != nil {
		t.Fatal(err)
	}
	return schema.Item{Kind: schema.KindTool, Name: tool.Name, Raw: raw}
}

func corpusServers(t testing.TB) []*schema.Snapshot {
	t.Helper()
	paths, err := filepath.Glob(corpus + "servers/*.json")
	if err != nil || len(paths) < 8 {
		t.Fatalf("the corpus has %d servers (%v)", len(paths), err)
	}
	var out []*schema.Snapshot
	for _, path := range paths {
		out = append(out, readListing(t, path))
	}
	return out
}

// checkIdentifiers finds identifiers that are not valid or not unique in their scope.
func checkIdentifiers(p *ir.Package) error {
	top := map[string]bool{"Client": true, "New": true, "Manifest": true, "Tools": true}
	claim := func(scope map[string]bool, name string) error {
		if !token.IsIdentifier(name) || !token.IsExported(name) || scope[name] {
			return fmt.Errorf("%q is not an exported Go name, or taken", name)
		}
		scope[name] = true
		return nil
	}
	declared := map[*ir.Type]bool{}
	for _, typ := range p.Types {
		declared[typ] = true
	}
	for _, tool := range p.Tools {
		if err := claim(top, tool.Go); err != nil {
			return err
		}
		if tool.Args == nil || tool.Args.Kind != ir.Struct || !declared[tool.Args] {
			return fmt.Errorf("%s: its arguments are not a declared struct", tool.Go)
		}
	}
	for _, typ := range p.Types {
		if err := claim(top, typ.Go); err != nil {
			return err
		}
		if typ.Kind == ir.Union {
			if err := checkUnion(typ, declared); err != nil {
				return err
			}
			if err := claim(top, typ.Other); err != nil {
				return fmt.Errorf("%s: %w", typ.Go, err)
			}
		}
		fields := map[string]bool{"Extra": true, "MarshalJSON": true, "UnmarshalJSON": true}
		wires := map[string]bool{}
		for _, f := range typ.Fields {
			if err := claim(fields, f.Go); err != nil {
				return fmt.Errorf("%s: %w", typ.Go, err)
			}
			if typ.Kind == ir.Struct && (wires[f.Wire] || f.Untagged == gotext.TagHolds(f.Wire)) {
				return fmt.Errorf("%s: the member %q is there twice, or in a tag that cannot hold it", typ.Go, f.Wire)
			}
			wires[f.Wire] = true
			if err := checkRef(declared, f.Type); err != nil {
				return fmt.Errorf("%s.%s: %w", typ.Go, f.Go, err)
			}
		}
		for _, c := range typ.Consts {
			if err := claim(top, c.Go); err != nil {
				return err
			}
		}
	}
	return nil
}

// checkUnion finds variants that cannot be one.
func checkUnion(typ *ir.Type, declared map[*ir.Type]bool) error {
	seen := map[*ir.Type]bool{}
	for _, v := range typ.Variants {
		switch {
		case !declared[v.Type] || seen[v.Type]:
			return fmt.Errorf("%s: the variant %s is not declared, or there twice", typ.Go, v.Type.Go)
		case v.Type.Kind == ir.Union || v.Type.Open || v.Type.Kind == ir.Alias && v.Type.Of.Kind == ir.Named:
			return fmt.Errorf("%s: %s cannot be a variant", typ.Go, v.Type.Go)
		}
		seen[v.Type] = true
	}
	return nil
}

func checkRef(declared map[*ir.Type]bool, r *ir.Ref) error {
	switch {
	case r == nil:
		return fmt.Errorf("a type is missing")
	case r.Kind == ir.Named && !declared[r.Decl]:
		return fmt.Errorf("its type %s is not declared", r.Decl.Go)
	case r.Elem != nil:
		return checkRef(declared, r.Elem)
	}
	return nil
}

// mustPackage decides about a package with all names by place.
func mustPackage(t testing.TB, in Input) (*ir.Package, []Warning) {
	t.Helper()
	in.PlaceNames = true
	p, warnings, err := Package(t.Context(), in)
	if err != nil {
		t.Fatal(err)
	}
	if err := checkIdentifiers(p); err != nil {
		t.Fatal(err)
	}
	return p, warnings
}

// identifiersByTool maps every tool to its identifiers after their places, whatever they
// are declared under, and what they are for.
func identifiersByTool(p *ir.Package) map[string][]string {
	out := map[string][]string{}
	types := map[string]*ir.Type{}
	add := func(wire, name string, t *ir.Type) {
		out[wire] = append(out[wire], name)
		for _, f := range t.Fields {
			out[wire] = append(out[wire], name+"."+f.Go+" "+f.Wire)
		}
	}
	for _, t := range p.Types {
		types[t.Go] = t
	}
	for _, t := range p.Tools {
		out[t.Wire] = append(out[t.Wire], t.Go)
		for _, n := range t.Synonyms {
			switch typ := types[n.Of]; {
			case n.Value != "":
				out[t.Wire] = append(out[t.Wire], n.Go+" "+n.Value)
			case typ != nil:
				add(t.Wire, n.Go, typ)
			default:
				out[t.Wire] = append(out[t.Wire], n.Go)
			}
		}
		for _, typ := range p.Types {
			if wire, _, _ := strings.Cut(typ.Path, " /"); wire != t.Wire || !strings.HasPrefix(typ.Go, t.Go+"Args") && !strings.HasPrefix(typ.Go, t.Go+"Result") {
				continue
			}
			add(t.Wire, typ.Go, typ)
			for _, c := range typ.Consts {
				out[t.Wire] = append(out[t.Wire], c.Go+" "+c.Value)
			}
			if typ.Other != "" {
				out[t.Wire] = append(out[t.Wire], typ.Other)
			}
		}
		slices.Sort(out[t.Wire])
	}
	return out
}

// declaredAs maps every name after a place to the one that it is declared under.
func declaredAs(p *ir.Package) map[string]string {
	out := map[string]string{}
	for _, t := range p.Tools {
		for _, n := range t.Synonyms {
			out[n.Go] = n.Of
		}
	}
	return out
}

// TestNamesAreTheirOwn builds each tool alone: its identifiers after their places are
// those that it has among all the others, so that no other tool can change them by
// coming or going. The lock has to remember short names alone.
func TestNamesAreTheirOwn(t *testing.T) {
	for _, s := range corpusServers(t) {
		p, _ := mustPackage(t, Input{Server: Server{Name: s.Server, Snapshot: s}})
		all := identifiersByTool(p)
		if len(all) != len(s.Tools) {
			t.Fatalf("%s: %d of %d tools", s.Server, len(all), len(s.Tools))
		}
		for _, tool := range s.Tools {
			alone := *s
			alone.Tools = []schema.Item{tool}
			p, _ := mustPackage(t, Input{Server: Server{Name: s.Server, Snapshot: &alone}})
			if diff := cmp.Diff(all[tool.Name], identifiersByTool(p)[tool.Name]); diff != "" {
				t.Errorf("%s/%s alone:\n%s", s.Server, tool.Name, diff)
			}
		}
		names, err := AssignNames(t.Context(), Input{Server: Server{Name: s.Server, Snapshot: s}}, nil)
		for id, pins := range names {
			for place, name := range pins {
				if !strings.HasSuffix(place, "/shape") {
					t.Errorf("%s: the lock has to remember %s of %v: %s", s.Server, place, id, name)
				}
			}
		}
		if err != nil {
			t.Error(s.Server, err)
		}
	}
}

// TestDroppingATool removes a tool: the names of the others stay as they are, the
// short ones too. Large servers lose about twenty in turn.
func TestDroppingATool(t *testing.T) {
	most := 20 // dropped tools of a server
	if testing.Short() {
		most = 4
	}
	for _, s := range corpusServers(t) {
		in := &Input{Server: Server{Name: s.Server, Snapshot: s}}
		lockIn(t, in, nil)
		p, _ := mustPackage(t, *in)
		all, short, locked := identifiersByTool(p), declaredAs(p), in.Locked
		for i := 0; i < len(s.Tools); i += 1 + len(s.Tools)/most {
			less := *s
			less.Tools = slices.Delete(slices.Clone(s.Tools), i, i+1)
			in.Snapshot, in.Locked = &less, locked
			lockIn(t, in, s)
			p, _ := mustPackage(t, *in)
			want := maps.Clone(all)
			delete(want, s.Tools[i].Name)
			if diff := cmp.Diff(want, identifiersByTool(p)); diff != "" {
				t.Errorf("%s without %s:\n%s", s.Server, s.Tools[i].Name, diff)
			}
			for name, of := range declaredAs(p) {
				if of != short[name] {
					t.Errorf("%s without %s: %s was declared as %s, is as %s", s.Server, s.Tools[i].Name, name, short[name], of)
				}
			}
		}
	}
}

func TestShuffledListing(t *testing.T) {
	for _, s := range corpusServers(t) {
		p, w := mustPackage(t, Input{Server: Server{Name: s.Server, Snapshot: s}})
		other := *s
		other.Tools = slices.Clone(s.Tools)
		rand.New(rand.NewPCG(1, 2)).Shuffle(len(other.Tools), func(i, j int) {
			other.Tools[i], other.Tools[j] = other.Tools[j], other.Tools[i]
		})
		q, v := mustPackage(t, Input{Server: Server{Name: s.Server, Snapshot: &other}})
		if diff := cmp.Diff(dumpPackage(p), dumpPackage(q)); diff != "" {
			t.Errorf("%s:\n%s", s.Server, diff)
		}
		if diff := cmp.Diff(w, v); diff != "" {
			t.Errorf("%s, warnings:\n%s", s.Server, diff)
		}
	}
}
