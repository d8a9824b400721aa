package decide

import (
	"encoding/json"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"sort"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/mcpgen/mcpgen/generator/internal/ir"
	"github.com/mcpgen/mcpgen/schema"
)

// shapeOf is everything that a type declares but its name and its docs, types that it
// names with theirs.
func shapeOf(t *ir.Type, seen map[*ir.Type]bool) string {
	if seen[t] {
		return "again"
	}
	seen = maps.Clone(seen)
	if seen == nil {
		seen = map[*ir.Type]bool{}
	}
	seen[t] = true
	var ref func(r *ir.Ref) string
	ref = func(r *ir.Ref) string {
		switch {
		case r == nil:
			return "none"
		case r.Kind == ir.Named:
			return shapeOf(r.Decl, seen)
		}
		return fmt.Sprint(r.Kind, r.Name, r.Len, ref(r.Elem))
	}
	var parts []string
	for _, f := range t.Fields {
		parts = append(parts, fmt.Sprint(f.Go, f.Wire, f.Presence, f.Null, f.Untagged, ref(f.Type)))
	}
	var consts []string
	for _, c := range t.Consts {
		consts = append(consts, c.Value)
	}
	slices.Sort(consts)
	for _, v := range t.Variants {
		parts = append(parts, fmt.Sprint(v.Match, shapeOf(v.Type, seen)))
	}
	return fmt.Sprint(t.Kind, t.Base, t.Open, parts, consts, t.Tags, ref(t.Extra), ref(t.Rest), ref(t.Of))
}

// TestShapesAreDeclaredOnce looks for two nested structs or enums of the corpus that
// are the same, and measures names.
func TestShapesAreDeclaredOnce(t *testing.T) {
	var nested, constants []string
	for _, s := range corpusServers(t) {
		p, _ := mustPackage(t, Input{Server: Server{Name: s.Server, Snapshot: s}})
		roots := map[*ir.Type]bool{}
		for _, tool := range p.Tools {
			roots[tool.Args] = true
			for r := tool.Result; r != nil; r = r.Elem {
				if r.Decl != nil && r.Decl.Go == tool.Go+"Result" {
					roots[r.Decl] = true
				}
			}
		}
		known := map[string]string{}
		for _, typ := range p.Types {
			if roots[typ] {
				continue
			}
			nested = append(nested, typ.Go)
			for _, c := range typ.Consts {
				constants = append(constants, c.Go)
			}
			if typ.Kind != ir.Struct && typ.Kind != ir.Enum {
				continue
			}
			shape := shapeOf(typ, nil)
			if other := known[shape]; other != "" {
				t.Errorf("%s: %s and %s are the same", s.Server, other, typ.Go)
			}
			known[shape] = typ.Go
		}
	}
	for _, tt := range []struct {
		what        string
		names       []string
		median, p95 int
	}{{"nested types", nested, 16, 36}, {"constants", constants, 26, 44}} {
		sort.Slice(tt.names, func(i, j int) bool { return len(tt.names[i]) < len(tt.names[j]) })
		median, p95 := len(tt.names[len(tt.names)/2]), len(tt.names[len(tt.names)*95/100])
		t.Logf("%d %s: median %d, p95 %d", len(tt.names), tt.what, median, p95)
		if median > tt.median || p95 > tt.p95 {
			t.Errorf("%s: median %d, p95 %d; want at most %d and %d", tt.what, median, p95, tt.median, tt.p95)
		}
	}
}

// toolWith is a tool whose argument "item" is an object with members of those types.
func toolWith(tool string, members ...string) string {
	return fmt.Sprintf(`{"name":%q,"inputSchema":{"type":"object","properties":{"item":{"type":"object","properties":{%s}}}}}`, tool, strings.Join(members, ","))
}

const (
	textMember   = `"a":{"type":"string"}`
	numberMember = `"a":{"type":"number"}`
	colorMember  = `"color":{"enum":["red","green"]}`
)

// decideAndLock locks the tools after those before, and returns what is generated.
func decideAndLock(t *testing.T, in *Input, tools ...string) *ir.Package {
	t.Helper()
	before := in.Snapshot
	in.Snapshot = snapshotOf(t, tools...)
	lockIn(t, in, before)
	p, _ := mustPackage(t, *in)
	return p
}

func wantDeclared(t *testing.T, p *ir.Package, want map[string]string) {
	t.Helper()
	got := declaredAs(p)
	maps.DeleteFunc(got, func(name, _ string) bool { return want[name] == "" })
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got)\n%s", diff)
	}
}

func TestShapesSplitAndMove(t *testing.T) {
	in := &Input{Server: Server{Name: "srv"}}
	p := decideAndLock(t, in, toolWith("one", textMember, colorMember), toolWith("two", textMember, colorMember))
	wantDeclared(t, p, map[string]string{
		"OneArgsItem": "OneItem", "TwoArgsItem": "OneItem", "OneArgsItemColor": "Color", "TwoArgsItemColor": "Color",
		"TwoArgsItemColorRed": "ColorRed",
	})
	t.Log("the place that did not change keeps the name")
	p = decideAndLock(t, in, toolWith("one", numberMember, colorMember), toolWith("two", textMember, colorMember), toolWith("three", textMember, colorMember))
	wantDeclared(t, p, map[string]string{"TwoArgsItem": "OneItem", "ThreeArgsItem": "OneItem", "TwoArgsItemColor": "Color"})
	if typeNamed(p, "OneArgsItem") == nil {
		t.Errorf("the types are %s", typesOf(p))
	}
	t.Log("if all places change, the one that the name was given for keeps it")
	p = decideAndLock(t, in, toolWith("one", numberMember, colorMember), toolWith("two", numberMember), toolWith("three", textMember))
	wantDeclared(t, p, map[string]string{"TwoArgsItem": "OneItem", "ThreeArgsItem": "ThreeItem", "OneArgsItemColor": "Color"})
	t.Log("when the place is gone, another takes the name over")
	in = &Input{Server: Server{Name: "srv"}}
	decideAndLock(t, in, toolWith("one", textMember, colorMember), toolWith("two", textMember, colorMember), toolWith("three", textMember, colorMember), toolWith("zero", textMember, colorMember))
	p = decideAndLock(t, in, toolWith("two", textMember, colorMember), toolWith("three", numberMember, colorMember), toolWith("zero", textMember, colorMember))
	wantDeclared(t, p, map[string]string{"TwoArgsItem": "OneItem", "ThreeArgsItem": "ThreeItem", "TwoArgsItemColor": "Color", "ThreeArgsItemColor": "Color"})
	t.Log("and keeps it")
	p = decideAndLock(t, in, toolWith("alone", textMember, colorMember), toolWith("two", textMember, colorMember))
	wantDeclared(t, p, map[string]string{"TwoArgsItem": "OneItem", "AloneArgsItem": "OneItem", "AloneArgsItemColor": "Color"})
}

// TestPlaceNamesStay keeps a type of several places one that finds no short name.
func TestPlaceNamesStay(t *testing.T) {
	tool := func(name, more string) string {
		return fmt.Sprintf(`{"name":%q,"inputSchema":{"type":"object","properties":{"one":{"type":"object","properties":{"x":{"type":"string"}%s}}}}}`, name, more)
	}
	const more = `,"y":{"type":"string"}`
	in := &Input{Server: Server{Name: "srv"}}
	p := decideAndLock(t, in, tool("one", ""), tool("two", ""))
	wantDeclared(t, p, map[string]string{"TwoArgsOne": "OneArgsOne"})
	t.Log("with another member at one place")
	p = decideAndLock(t, in, tool("one", ""), tool("two", more))
	wantDeclared(t, p, map[string]string{"TwoArgsOne": "OneArgsOne"})
	t.Log("without the first place")
	p = decideAndLock(t, in, tool("two", more), tool("three", more))
	wantDeclared(t, p, map[string]string{"TwoArgsOne": "OneArgsOne", "ThreeArgsOne": "OneArgsOne"})
}

// TestArgumentsAndResultsShare shares what is the same on both sides, and nothing
// that keeps undeclared members in another form.
func TestArgumentsAndResultsShare(t *testing.T) {
	in := &Input{Server: Server{Name: "srv"}}
	const closed, open = `{"type":"object","properties":{"x":{"type":"string"}},"additionalProperties":false}`, `{"type":"object","properties":{"y":{"type":"string"}},"additionalProperties":true}`
	both := `{"type":"object","properties":{"closed":` + closed + `,"open":` + open + `}}`
	p := decideAndLock(t, in, `{"name":"t","inputSchema":`+both+`,"outputSchema":`+both+`}`)
	wantDeclared(t, p, map[string]string{"TArgsClosed": "Closed", "TResultClosed": "Closed", "TArgsOpen": "Open", "TResultOpen": "TOpen"})
	for _, typ := range p.Types {
		if typ.Go == "Closed" && !typ.Decodes {
			t.Error("Decodes of Closed is false, want true: it is in a result")
		}
	}
}

// TestExcludeKeepsShortNames leaves out the tool that a name was given for.
func TestExcludeKeepsShortNames(t *testing.T) {
	for _, locked := range []bool{false, true} {
		in := &Input{Server: Server{Name: "srv", Snapshot: snapshotOf(t, toolWith("one", textMember), toolWith("two", textMember), toolWith("three", textMember))}}
		if locked {
			lockIn(t, in, nil)
		}
		in.Exclude = []string{"one"}
		p, _ := mustPackage(t, *in)
		wantDeclared(t, p, map[string]string{"TwoArgsItem": "OneItem", "ThreeArgsItem": "OneItem"})
		if len(p.Tools) != 2 || len(p.Types) != 3 {
			t.Errorf("got %s", dumpPackage(p))
		}
	}
}

// TestLockWithoutShortNames generates the same from a lock that has none as from one
// that has been told.
func TestLockWithoutShortNames(t *testing.T) {
	for _, s := range corpusServers(t) {
		in := &Input{Server: Server{Name: s.Server, Snapshot: s}}
		in.Locked = lockOf(s, nil)
		old, _ := mustPackage(t, *in)
		lockIn(t, in, s)
		now, _ := mustPackage(t, *in)
		if diff := cmp.Diff(dumpPackage(old), dumpPackage(now)); diff != "" {
			t.Errorf("%s: %s", s.Server, diff)
		}
	}
}

// TestOneShortNameGivenTwice is what a merge of two branches can leave in a lock.
func TestOneShortNameGivenTwice(t *testing.T) {
	pins := map[ItemID]map[string]string{
		{schema.KindTool, "one"}: {"/inputSchema/properties/item/shape": "OneItem"},
		{schema.KindTool, "two"}: {"/inputSchema/properties/item/shape": "OneItem"},
	}
	in := &Input{Server: Server{Name: "srv", Snapshot: snapshotOf(t, toolWith("one", textMember), toolWith("two", textMember))}}
	in.Locked = lockOf(in.Snapshot, pins)
	p, _ := mustPackage(t, *in)
	wantDeclared(t, p, map[string]string{"OneArgsItem": "OneItem", "TwoArgsItem": "OneItem"})

	in.Snapshot = snapshotOf(t, toolWith("one", textMember), toolWith("two", numberMember))
	p, warnings := mustPackage(t, *in)
	wantDeclared(t, p, map[string]string{"OneArgsItem": "OneItem", "TwoArgsItem": "TwoItem"})
	want := []Warning{{Server: "srv", Tool: "two", Pointer: "/inputSchema/properties/item", Reason: "two branches gave the name OneItem to different types: this one is called TwoItem now", Step: "write TwoItem where code means this type, then commit mcpgen.lock", Merged: true}}
	if diff := cmp.Diff(want, warnings); diff != "" {
		t.Error(diff)
	}
	in.Locked = WithNames(in.Name, in.Locked, p.Shapes)
	if _, warnings = mustPackage(t, *in); warnings != nil {
		t.Error(warnings)
	}
	p = decideAndLock(t, in, toolWith("one", textMember), toolWith("two", numberMember))
	wantDeclared(t, p, map[string]string{"OneArgsItem": "OneItem", "TwoArgsItem": "TwoItem"})
}

// TestShortNameOfATool is another thing that a merge can leave: a type of one branch has the name of the tool that
// the other one added. The tool keeps it.
func TestShortNameOfATool(t *testing.T) {
	in := &Input{Server: Server{Name: "srv", Snapshot: snapshotOf(t, toolWith("one", textMember), toolWith("one_item"))}}
	in.Locked = lockOf(in.Snapshot, map[ItemID]map[string]string{{schema.KindTool, "one"}: {"/inputSchema/properties/item/shape": "OneItem"}})
	named := func(p *ir.Package) {
		t.Helper()
		isItem := func(typ *ir.Type) bool { return typ.Go == "OneArgsItem" }
		if p.Tools[1].Go != "OneItem" || !slices.ContainsFunc(p.Types, isItem) {
			t.Errorf("got %s", dumpPackage(p))
		}
	}
	p, warnings := mustPackage(t, *in)
	named(p)
	want := []Warning{{Server: "srv", Tool: "one", Pointer: "/inputSchema/properties/item", Reason: `two branches gave the name OneItem to the tool "one_item" and to this type: this one is called OneArgsItem now`, Step: "write OneArgsItem where code means this type, then commit mcpgen.lock", Merged: true}}
	if diff := cmp.Diff(want, warnings); diff != "" {
		t.Error(diff)
	}
	in.Locked = WithNames(in.Name, in.Locked, p.Shapes)
	if _, warnings = mustPackage(t, *in); warnings != nil {
		t.Error(warnings)
	}
	named(decideAndLock(t, in, toolWith("one", textMember), toolWith("one_item")))
}

// TestTwoNamesOfOneShape is the other thing that a merge can leave.
func TestTwoNamesOfOneShape(t *testing.T) {
	pins := map[ItemID]map[string]string{
		{schema.KindTool, "one"}: {"/inputSchema/properties/item/properties/color/shape": "Color"},
		{schema.KindTool, "two"}: {"/inputSchema/properties/item/properties/color/shape": "TwoColor"},
	}
	in := &Input{Server: Server{Name: "srv", Snapshot: snapshotOf(t, toolWith("one", colorMember), toolWith("two", colorMember))}}
	in.Locked = lockOf(in.Snapshot, pins)
	p, _ := mustPackage(t, *in)
	want := map[string]string{"OneArgsItemColor": "Color", "TwoArgsItemColor": "Color", "TwoColor": "Color", "TwoColorRed": "ColorRed", "TwoArgsItemColorRed": "ColorRed"}
	wantDeclared(t, p, want)
	p = decideAndLock(t, in, toolWith("one", colorMember), toolWith("two", colorMember), toolWith("three"))
	wantDeclared(t, p, want)
}

// TestDriftKeepsNames accepts every real change of the corpus. A name after a place
// that is there before and after is declared as it was, unless the type was that of
// several places; then one of them still is.
func TestDriftKeepsNames(t *testing.T) {
	dir := "../../../schema/testdata/drift"
	if own := os.Getenv("DRIFT_PAIRS"); own != "" {
		dir = own
	}
	paths, err := filepath.Glob(dir + "/*.json")
	if err != nil || len(paths) < 60 {
		t.Fatalf("%d pairs: %v", len(paths), err)
	}
	for _, path := range paths {
		data, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		var pair struct {
			Kind          string
			Before, After json.RawMessage
		}
		if err := json.Unmarshal(data, &pair); err != nil {
			t.Fatal(err)
		}
		in := &Input{Server: Server{Name: "srv"}}
		before := declaredAs(withoutConstants(decideAndLock(t, in, toolsOfPair(t, pair.Kind, pair.Before)...)))
		after := declaredAs(withoutConstants(decideAndLock(t, in, toolsOfPair(t, pair.Kind, pair.After)...)))
		places, left := map[string]int{}, map[string]bool{}
		for _, of := range before {
			places[of]++
		}
		for name, of := range before {
			left[of] = left[of] || after[name] == of
		}
		for name, of := range before {
			if now := after[name]; now != "" && now != of && (places[of] == 1 || !left[of]) {
				t.Errorf("%s: %s was declared as %s, is as %s", filepath.Base(path), name, of, now)
			}
		}
	}
}

// withoutConstants drops the names of constants, which go with the types that they are
// of.
func withoutConstants(p *ir.Package) *ir.Package {
	for _, t := range p.Tools {
		t.Synonyms = slices.DeleteFunc(t.Synonyms, func(n ir.Synonym) bool { return n.Value != "" })
	}
	return p
}

func toolsOfPair(t *testing.T, kind string, raw json.RawMessage) []string {
	t.Helper()
	tools := []json.RawMessage{raw}
	switch {
	case raw == nil:
		return nil
	case kind == "server":
		var s struct{ Tools []json.RawMessage }
		if err := json.Unmarshal(raw, &s); err != nil {
			t.Fatal(err)
		}
		tools = s.Tools
	}
	var out []string
	for _, tool := range tools {
		out = append(out, string(tool))
	}
	return out
}

func TestSingular(t *testing.T) {
	for plural, want := range map[string]string{
		"Entities": "Entity", "IDs": "ID", "UserIDs": "UserID", "PullRequests": "PullRequest", "Addresses": "Address", "Address": "Address",
		"Statuses": "Status", "Status": "Status", "Boxes": "Box", "Branches": "Branch", "Releases": "Release", "Responses": "Response",
		"Aliases": "Alias", "DNS": "DNS", "HTTPS": "HTTPS", "Children": "Child", "People": "Person", "Data": "Data", "Series": "Series",
		"Analyses": "Analysis", "Analysis": "Analysis", "Movies": "Movie", "Caches": "Cache", "PRs": "PR", "S": "S", "": "", "搜索": "搜索", "X2": "X2", "Indexes": "Index",
		"Indices": "Index", "Databases": "Database", "Axes": "Axis", "Types": "Type", "Bus": "Bus", "ThisAndThats": "ThisAndThat",
		"URLs": "URL", "Queries": "Query", "Dies": "Die", "Vertices": "Vertex", "Matrices": "Matrix", "Criteria": "Criterion",
	} {
		if got := singular(plural); got != want {
			t.Errorf("singular(%q) = %q, want %q", plural, got, want)
		}
	}
}
