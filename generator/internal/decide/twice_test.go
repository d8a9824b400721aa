package decide

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/mcpgen/mcpgen/generator/internal/ir"
	"github.com/mcpgen/mcpgen/schema"
)

// goNames are the names of the functions of items, by what they call.
func goNames(p *ir.Package) map[string]string {
	out := map[string]string{}
	for _, x := range p.Tools {
		out[x.Wire] = x.Go
	}
	for _, x := range p.Prompts {
		out["prompt "+x.Wire] = x.Go
	}
	for _, x := range p.Resources {
		out["resource "+x.URI] = x.Go
	}
	for _, x := range p.Templates {
		out["template "+x.Wire] = x.Go + " " + x.Read
	}
	return out
}

// TestOneFunctionNameGivenTwice is what a merge can leave in a lock: each of two branches gave a function its name. No
// function keeps the name, so that no code calls another item than it was written for.
func TestOneFunctionNameGivenTwice(t *testing.T) {
	object := func(name string) string {
		return `{"name":"` + name + `","inputSchema":{"type":"object","properties":{"id":{"type":"string"}}}}`
	}
	pin := func(tool, name string) map[ItemID]map[string]string {
		return map[ItemID]map[string]string{{schema.KindTool, tool}: {"": name}}
	}
	surface := snapshotOf(t, object("get_item_prompt"))
	add := func(kind schema.Kind, name, raw string) schema.Item {
		return schema.Item{Kind: kind, Name: name, Raw: []byte(raw)}
	}
	surface.Prompts = []schema.Item{add(schema.KindPrompt, "get_item", `{"name":"get_item"}`)}
	surface.Resources = []schema.Item{add(schema.KindResource, "x://a", `{"uri":"x://a","name":"page"}`)}
	surface.Templates = []schema.Item{add(schema.KindTemplate, "x://{a}", `{"uriTemplate":"x://{a}","name":"page"}`)}
	both := pin("getItem", "GetItem2")
	both[ItemID{schema.KindTool, "get-item"}] = map[string]string{"": "GetItem2"}
	for _, tc := range []struct {
		name     string
		snapshot *schema.Snapshot
		pins     map[ItemID]map[string]string
		rename   map[string]string
		want     map[string]string
		warnings int
	}{
		{"plain names", snapshotOf(t, object("get_item"), object("get-item")), nil, nil, map[string]string{"get-item": "GetItem2", "get_item": "GetItem3"}, 2},
		{"beside a tool with a number", snapshotOf(t, object("get_item"), object("get-item"), object("get_item2")), nil, nil, map[string]string{"get-item": "GetItem3", "get_item": "GetItem4", "get_item2": "GetItem2"}, 2},
		{"beside a name with a number", snapshotOf(t, object("get_item"), object("get-item"), object("getItem")), pin("getItem", "GetItem2"), nil, map[string]string{"get-item": "GetItem3", "get_item": "GetItem4", "getItem": "GetItem2"}, 2},
		{"names with a number", snapshotOf(t, object("get_item"), object("get-item"), object("getItem")), both, nil, map[string]string{"get-item": "GetItem3", "get_item": "GetItem", "getItem": "GetItem4"}, 2},
		{"without the package's name", snapshotOf(t, object("srv_read"), object("read")), pin("srv_read", "Read"), nil, map[string]string{"srv_read": "SrvRead", "read": "Read2"}, 2},
		{"one has a name of the user's", snapshotOf(t, object("get_item"), object("get-item")), nil, map[string]string{"get_item": "Fetch"}, map[string]string{"get-item": "GetItem2", "get_item": "Fetch"}, 2},
		{"other kinds", surface, nil, nil, map[string]string{"get_item_prompt": "GetItemPrompt2", "prompt get_item": "GetItemPrompt3", "resource x://a": "ReadPage2", "template x://{a}": "PageURI ReadPage3"}, 4},
	} {
		t.Run(tc.name, func(t *testing.T) {
			in := Input{Server: Server{Name: "srv", Snapshot: tc.snapshot, Rename: tc.rename}, Strict: true}
			in.Locked = lockOf(in.Snapshot, tc.pins)
			names, err := AssignNames(t.Context(), in, in.Snapshot)
			if err != nil {
				t.Fatal(err)
			}
			updated := in
			updated.Locked = lockOf(in.Snapshot, names)
			p, warnings := mustPackage(t, in)
			if diff := cmp.Diff(tc.want, goNames(p)); diff != "" {
				t.Error(diff)
			}
			if len(warnings) != tc.warnings {
				t.Errorf("got %v", warnings)
			}
			for _, w := range warnings {
				if !w.Merged || !strings.Contains(w.Reason, "two branches gave the name") {
					t.Errorf("got %v", w)
				}
			}
			in.Locked = WithNames(in.Name, in.Locked, p.Shapes)
			for what, in := range map[string]Input{"generate": in, "update": updated} {
				p, warnings = mustPackage(t, in)
				if diff := cmp.Diff(tc.want, goNames(p)); diff != "" || len(warnings)+len(p.Shapes) > 0 {
					t.Errorf("after %s: %v, %v\n%s", what, warnings, p.Shapes, diff)
				}
			}
		})
	}
}

// A name with a number is none that another tool asks for.
func TestNumberOfAnother(t *testing.T) {
	object := func(name string) string {
		return `{"name":"` + name + `","inputSchema":{"type":"object","properties":{"id":{"type":"string"}}}}`
	}
	in := Input{Server: Server{Name: "srv", Snapshot: snapshotOf(t, object("get_item"), object("get-item"), object("get_item2"))}}
	names, err := AssignNames(t.Context(), in, nil)
	if err != nil {
		t.Fatal(err)
	}
	in.Locked = lockOf(in.Snapshot, names)
	p, _ := mustPackage(t, in)
	want := map[string]string{"get-item": "GetItem", "get_item": "GetItem3", "get_item2": "GetItem2"}
	if diff := cmp.Diff(want, goNames(p)); diff != "" {
		t.Error(diff)
	}
}
