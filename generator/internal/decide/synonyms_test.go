package decide

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/mcpgen/mcpgen/schema"
)

// A list of values that is the same in very many places of arguments and results has constants under the names
// after some of them, and a warning counts the others. Types keep all their names.
func TestOtherConstantsAreBounded(t *testing.T) {
	var values, members []string
	for i := range 100 {
		values = append(values, fmt.Sprintf(`"v%d"`, i))
	}
	for i := range 60 {
		members = append(members, fmt.Sprintf(`"m%02d":{"enum":[%s]}`, i, strings.Join(values, ",")))
	}
	in := json.RawMessage(`{"type":"object","properties":{` + strings.Join(members, ",") + `}}`)
	p, warnings := mustPackage(t, Input{Server: Server{Name: "s", Snapshot: &schema.Snapshot{Server: "s", Tools: []schema.Item{schemaTool(t, "many", in)}}}})
	types, consts := 0, 0
	for _, n := range p.Tools[0].Synonyms {
		if n.Value == "" {
			types++
		} else {
			consts++
		}
	}
	if types != 2*60 || consts != maxOtherConsts || p.Tools[0].Unnamed != 2*60*100-maxOtherConsts {
		t.Errorf("%d types, %d constants, %d without a name", types, consts, p.Tools[0].Unnamed)
	}
	if len(warnings) != 1 || !strings.Contains(warnings[0].String(), "7000 constants get no name by place_names") {
		t.Errorf("warnings: %v", warnings)
	}
}

// The lock lists the names by place that are generated, and no others are.
func TestKeptNames(t *testing.T) {
	snapshot := snapshotOf(t, toolWith("one", textMember, colorMember), toolWith("two", textMember, colorMember))
	generated := func(in Input) (out []string) {
		t.Helper()
		p, _, err := Package(t.Context(), in)
		if err != nil {
			t.Fatal(err)
		}
		for _, tool := range p.Tools {
			for _, n := range tool.Synonyms {
				out = append(out, n.Go)
			}
		}
		return out
	}
	in := Input{Server: Server{Name: "srv", Snapshot: snapshot, Locked: lockOf(snapshot, nil)}}
	if got := generated(in); got != nil {
		t.Errorf("nothing is listed: %v", got)
	}
	in.Locked.Tools["two"] = WithPins(in.Locked.Tools["two"], Pins{Keep: []string{"TwoArgsItem", "TwoArgsItemColorRed"}})
	if diff := cmp.Diff([]string{"TwoArgsItem", "TwoArgsItemColorRed"}, generated(in)); diff != "" {
		t.Error(diff)
	}
	t.Log("they are named after what the user calls the tool")
	renamed := in
	renamed.Rename = map[string]string{"two": "Second"}
	if diff := cmp.Diff([]string{"SecondArgsItem", "SecondArgsItemColorRed"}, generated(renamed)); diff != "" {
		t.Error(diff)
	}
	left := in
	left.Exclude = []string{"two"}
	if got := generated(left); got != nil {
		t.Errorf("its tool is left out: %v", got)
	}

	keep := func(in Input, used ...string) map[string][]string {
		t.Helper()
		names, err := KeepNames(t.Context(), in, func(name string) bool { return slices.Contains(used, name) })
		if err != nil {
			t.Fatal(err)
		}
		return names
	}
	listed := map[string][]string{"two": {"TwoArgsItem", "TwoArgsItemColorRed"}}
	for name, got := range map[string]map[string][]string{
		"used":      keep(in, "TwoArgsItemColorRed", "TwoArgsItem", "Color", "TwoArgs", "Two"),
		"renamed":   keep(renamed, "SecondArgsItem", "SecondArgsItemColorRed"),
		"not there": keep(left),
	} {
		if diff := cmp.Diff(listed, got); diff != "" {
			t.Errorf("%s: %s", name, diff)
		}
	}
	if got := keep(in); len(got["two"]) > 0 {
		t.Errorf("nothing is used: %v", got)
	}
	in.PlaceNames = true
	if diff := cmp.Diff(listed, keep(in)); diff != "" {
		t.Errorf("all are there, whether or not they are listed: %s", diff)
	}
}

// A name in the lock that none is derived as is refused where it stands.
func TestKeptNamesAreDerived(t *testing.T) {
	snapshot := snapshotOf(t, toolWith("one", textMember, colorMember), toolWith("two", textMember, colorMember))
	for _, name := range []string{"OneArgsItem", "TwoArgsItemSize", "Two", "TwoArgsItem2", "Client"} {
		in := Input{Server: Server{Name: "srv", Snapshot: snapshot, Locked: lockOf(snapshot, nil)}}
		in.Locked.Tools["two"] = WithPins(in.Locked.Tools["two"], Pins{Keep: []string{"TwoArgsItem", name}})
		_, _, err := Package(t.Context(), in)
		if want := `mcpgen.lock: at "/servers/srv/tools/two/go/keep/1": the name ` + name + " does not belong to a type or constant of the tool"; err == nil || !strings.HasPrefix(err.Error(), want) {
			t.Errorf("got %v, want %s", err, want)
		}
	}
}
