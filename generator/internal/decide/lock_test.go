package decide

import (
	"encoding/json"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/mcpgen/mcpgen/schema"
	"github.com/mcpgen/mcpgen/schema/lockfile"
)

func snapshotOf(t *testing.T, tools ...string) *schema.Snapshot {
	t.Helper()
	s := &schema.Snapshot{Server: "srv"}
	for _, raw := range tools {
		s.Tools = append(s.Tools, toolItem(t, json.RawMessage(raw)))
	}
	return s
}

// lockOf is the lock of a snapshot with the names that were assigned to it.
func lockOf(s *schema.Snapshot, names map[ItemID]map[string]string) *lockfile.LockedServer {
	out := newLock()
	for it := range s.Items() {
		out.Items(it.Kind)[it.Name] = WithPins(lockfile.LockedItem{}, Pins{Names: names[ItemID{it.Kind, it.Name}]})
	}
	return out
}

func newLock() *lockfile.LockedServer {
	items := func() map[string]lockfile.LockedItem { return map[string]lockfile.LockedItem{} }
	return &lockfile.LockedServer{Tools: items(), Prompts: items(), Resources: items(), Templates: items()}
}

// TestNewItemsTakeNoNames adds to a locked server a tool, a property, a type and
// a constant that all come before the old ones and want their names.
func TestNewItemsTakeNoNames(t *testing.T) {
	before := snapshotOf(t,
		`{"name":"list_prs","inputSchema":{"type":"object","properties":{
			"a_b":{"type":"string"},"bar_baz":{"type":"object","properties":{"x":{"type":"string"}}},"e":{"enum":["a_b"]}}}}`,
		`{"name":"gone","inputSchema":{"type":"object"}}`)
	after := snapshotOf(t,
		`{"name":"list_prs","inputSchema":{"type":"object","properties":{
			"a_b":{"type":"string"},"a-b":{"type":"string"},"bar_baz":{"type":"object","properties":{"x":{"type":"string"}}},
			"bar":{"type":"object","properties":{"baz":{"type":"object","properties":{"y":{"type":"string"}}}}},"e":{"enum":["a-b","a_b"]}}}}`,
		`{"name":"list-prs","inputSchema":{"type":"object"}}`,
		`{"name":"list_prs_args","inputSchema":{"type":"object"}}`)
	in := Input{Server: Server{Name: "srv", Snapshot: before}}
	was, _ := mustPackage(t, in)
	names, err := AssignNames(t.Context(), in, nil)
	want := map[ItemID]map[string]string{
		{schema.KindTool, "list_prs"}: {"/inputSchema/properties/bar_baz/shape": "BarBaz", "/inputSchema/properties/e/shape": "E"},
	}
	if diff := cmp.Diff(want, names); err != nil || diff != "" {
		t.Fatalf("names for the lock: %v\n%s", err, diff)
	}
	in.Snapshot, in.Locked = after, lockOf(before, names)
	names, err = AssignNames(t.Context(), in, before)
	if err != nil {
		t.Fatal(err)
	}
	in.Locked = lockOf(after, names)
	is, _ := mustPackage(t, in)
	for _, name := range identifiersByTool(was)["list_prs"] {
		if !slices.Contains(identifiersByTool(is)["list_prs"], name) {
			t.Errorf("%s is gone; now there are %q", name, identifiersByTool(is)["list_prs"])
		}
	}
	want = map[ItemID]map[string]string{
		{schema.KindTool, "list-prs"}:      {"": "ListPRs2"},
		{schema.KindTool, "list_prs_args"}: {"": "ListPRsArgs2"},
		{schema.KindTool, "list_prs"}: {
			"/inputSchema/properties/a-b":                      "AB2",
			"/inputSchema/properties/a_b":                      "AB",
			"/inputSchema/properties/bar/properties/baz/type":  "ListPRsArgsBarBaz2",
			"/inputSchema/properties/bar/properties/baz/shape": "Baz",
			"/inputSchema/properties/bar/shape":                "Bar",
			"/inputSchema/properties/bar_baz/shape":            "BarBaz",
			"/inputSchema/properties/e/shape":                  "E",
			"/inputSchema/properties/e/shape/\"a-b\"":          "EAB2",
			"/inputSchema/properties/e/shape/\"a_b\"":          "EAB",
			"/inputSchema/properties/bar_baz/type":             "ListPRsArgsBarBaz",
			"/inputSchema/properties/e/type/\"a-b\"":           "ListPRsArgsEAB2",
			"/inputSchema/properties/e/type/\"a_b\"":           "ListPRsArgsEAB",
		},
	}
	if diff := cmp.Diff(want, names); diff != "" {
		t.Errorf("names for the lock:\n%s", diff)
	}
}

// TestWithoutRivals removes what caused a number: the number stays.
func TestWithoutRivals(t *testing.T) {
	both := snapshotOf(t, `{"name":"list-prs","inputSchema":{"type":"object"}}`, `{"name":"list_prs","inputSchema":{"type":"object"}}`)
	in := Input{Server: Server{Name: "srv", Snapshot: both}}
	names, err := AssignNames(t.Context(), in, nil)
	if err != nil {
		t.Fatal(err)
	}
	in.Locked = lockOf(both, names)
	in.Snapshot = snapshotOf(t, `{"name":"list_prs","inputSchema":{"type":"object"}}`)
	p, _ := mustPackage(t, in)
	if got := p.Tools[0].Go; got != "ListPRs2" {
		t.Errorf("list_prs is %s now, was ListPRs2", got)
	}
	if names, err = AssignNames(t.Context(), in, both); err != nil || names[ItemID{schema.KindTool, "list_prs"}][""] != "ListPRs2" {
		t.Errorf("the lock forgets the number: %v, %v", names, err)
	}
}

// TestExcludeRenamesNobody leaves a tool out: those that met it keep their names.
func TestExcludeRenamesNobody(t *testing.T) {
	s := snapshotOf(t, `{"name":"list-prs","inputSchema":{"type":"object"}}`, `{"name":"list_prs","inputSchema":{"type":"object"}}`)
	p, _ := mustPackage(t, Input{Server: Server{Name: "srv", Snapshot: s, Exclude: []string{"list-prs"}}})
	if len(p.Tools) != 1 || p.Tools[0].Go != "ListPRs2" {
		t.Errorf("got %s, want ListPRs2 alone", dumpPackage(p))
	}
}

func TestGoInt(t *testing.T) {
	for number, want := range map[string]string{
		"0": "0", "-0": "0", "1.0": "1", "1e3": "1000", "9007199254740993": "9007199254740993", "18446744073709551615": "18446744073709551615",
		"1.5": "", "1e400": "", "1e-400": "", "9007199254740993.0": "9007199254740993", "0.0": "0", "-1e0": "-1", "123456789012345678901": "",
	} {
		if got, _ := goInt(number); got != want {
			t.Errorf("goInt(%s) = %q, want %q", number, got, want)
		}
	}
}

func TestGoFloat(t *testing.T) {
	for number, want := range map[string]string{
		"0.5": "0.5", "-0": "0", "1e21": "1e+21", "1e-400": "", "1e400": "", "0.1234567890123456789": "", "0.1234567890123456": "", "100": "100", "0e999999999": "0",
	} {
		if got, _ := goFloat(number); got != want {
			t.Errorf("goFloat(%s) = %q, want %q", number, got, want)
		}
	}
}

func TestSign(t *testing.T) {
	for number, want := range map[json.Number]int{"": 0, "0": 0, "-0.0": 0, "1e-999999999": 1, "-0.001": -1, "0e5": 0, "10": 1} {
		if got := sign(number); got != want {
			t.Errorf("sign(%s) = %d, want %d", number, got, want)
		}
	}
}
