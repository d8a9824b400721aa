package decide

import (
	"slices"
	"strings"
	"testing"

	"github.com/mcpgen/mcpgen/generator/internal/ir"
)

// functionsOf are the names of the functions of a package, by wire name.
func functionsOf(t *testing.T, in Input) map[string]string {
	t.Helper()
	p, _ := mustPackage(t, in)
	out := map[string]string{}
	for _, tool := range p.Tools {
		out[tool.Wire] = tool.Go
	}
	return out
}

// A tool is called without the name of its package, unless that meets another. A lock from
// before keeps the whole name, and new tools beside it have theirs whole, too.
func TestNamesWithoutThePackage(t *testing.T) {
	tool := func(name string) string { return `{"name":"` + name + `","inputSchema":{"type":"object"}}` }
	names := func(given map[string]string, want ...string) {
		t.Helper()
		for i := 0; i < len(want); i += 2 {
			if got := given[want[i]]; got != want[i+1] {
				t.Errorf("%s: got %s, want %s", want[i], got, want[i+1])
			}
		}
	}
	in := Input{Server: Server{Name: "n8n", Snapshot: snapshotOf(t, tool("n8n_create"), tool("n8n_check"), tool("check"), tool("n8n"), tool("n8nish"), tool("n8n_2fa"), tool("n8n_new"), tool("get_n8n_flow"))}}
	names(functionsOf(t, in), "n8n_create", "Create", "n8n_check", "N8nCheck", "check", "Check", "n8n", "N8n", "n8nish", "N8nish", "n8n_2fa", "N8n2FA", "n8n_new", "N8nNew", "get_n8n_flow", "GetFlow")
	given, err := AssignNames(t.Context(), in, nil)
	if err != nil {
		t.Fatal(err)
	}

	// What the lock has stays when tools come.
	before := in.Snapshot
	in.Locked = lockOf(before, given)
	in.Snapshot = snapshotOf(t, tool("n8n_create"), tool("create"), tool("n8n_list"), tool("n8n_check"), tool("check"), tool("n8n"), tool("n8nish"), tool("n8n_2fa"), tool("n8n_new"))
	if given, err = AssignNames(t.Context(), in, before); err != nil {
		t.Fatal(err)
	}
	in.Locked = lockOf(in.Snapshot, given)
	names(functionsOf(t, in), "n8n_create", "Create", "create", "Create2", "n8n_list", "List", "n8n_check", "N8nCheck", "check", "Check")

	// A lock of before has none of these names.
	in.Snapshot, in.Locked = before, lockOf(before, nil)
	names(functionsOf(t, in), "n8n_create", "N8nCreate", "n8n_check", "N8nCheck", "check", "Check")
	in.Snapshot = snapshotOf(t, tool("n8n_create"), tool("n8n_list"))
	names(functionsOf(t, in), "n8n_create", "N8nCreate", "n8n_list", "N8nList")
}

// Types have the names that a person looks for.
func TestShortNames(t *testing.T) {
	const text, object = `{"type":"string"}`, `{"type":"object","properties":{"a":{"type":"string"}}}`
	tool := func(name, properties string) string {
		return `{"name":"` + name + `","inputSchema":{"type":"object","properties":{` + properties + `}}}`
	}
	enum := func(values string) string { return `{"enum":["` + strings.ReplaceAll(values, " ", `","`) + `"]}` }
	nested := func(name string, levels int) string {
		list := ""
		for n := range levels {
			list = `{"type":"array","items":{"type":"object","properties":{"` + strings.Repeat("a", n+1) + `":` + text + list + `}}}`
			if n+1 < levels {
				list = `,"` + name + `":` + list
			}
		}
		return list
	}
	many := []string{}
	for _, name := range []string{"a", "b", "c", "d", "e", "f", "g", "h"} {
		many = append(many, tool("ping_"+name, ""))
	}
	for _, tc := range []struct {
		name  string
		tools []string
		want  string // in order of the names
	}{
		{"repeated", []string{tool("create_mock", `"mock":`+object), tool("update_mock", `"mock":{"type":"object","properties":{"b":{"type":"integer"},"c":`+text+`}}`)}, "CreateMockArgsMock Mock"},
		{"of its package", []string{tool("find", `"srvSpacing":`+enum("xs xl"))}, "Spacing"},
		{"in common", []string{tool("find", `"maxTier":`+enum("a b")+`,"minTier":`+enum("a b"))}, "Tier"},
		{"around what differs", []string{tool("find", `"saveErrorRun":`+enum("a b")+`,"saveGoodRun":`+enum("a b"))}, "SaveRun"},
		{"a word for anything", append([]string{tool("list_nodes", `"mode":`+enum("a b")), tool("get_graph", `"mode":`+enum("c d"))}, many...), "GraphMode NodeMode"},
		{"about the same", append([]string{tool("list_nodes", `"mode":`+enum("a b")), tool("get_node", `"mode":`+enum("c d"))}, many...), "GetNodeMode ListNodesMode"},
		{"of an owner", append([]string{tool("list_nodes", `"fault":{"type":"object","properties":{"code":`+enum("a b")+`}}`)}, many...), "Fault FaultCode"},
		{"tags that begin alike", []string{tool("act", `"what":{"oneOf":[
			{"type":"object","required":["t"],"properties":{"t":{"const":"acme.out.good"},"x":`+text+`}},
			{"type":"object","required":["t"],"properties":{"t":{"const":"acme.out.bad-thing"},"y":`+text+`}}]}`)}, "What WhatBadThing WhatGood"},
		{"objects that share a tag", []string{tool("act", `"what":{"oneOf":[
			{"type":"object","required":["t"],"properties":{"t":{"const":"touch"},"x":`+text+`}},
			{"type":"object","required":["t"],"properties":{"t":{"const":"touch"}}},
			{"type":"object","required":["t","key"],"properties":{"t":{"const":"key-press"},"key":`+text+`}}]}`)}, "What WhatKeyPress WhatTouch WhatTouchX"},
		{"items of a variant", []string{tool("act", `"content":{"oneOf":[`+text+`,{"type":"array","items":`+object+`}]}`)}, "Content ContentItem ContentList ContentString"},
		{"arguments of a step", append([]string{tool("run", `"step":{"type":"object","properties":{"arguments":`+object+`}}`)}, many...), "Step StepArguments"},
		{"all of them", append([]string{tool("get_all_nodes", `"mode":`+enum("a b"))}, many...), "NodeMode"},
		{"of several tools", append([]string{tool("get_node_pod", `"status":`+enum("a b")), tool("list_node_disks", `"status":`+enum("a b"))}, many...), "NodeStatus"},
		{"of a batch", append([]string{tool("batch_create_nodes", `"mode":`+enum("a b"))}, many...), "NodeMode"},
		{"behind a word of several tools", append([]string{tool("atlas_list_nodes", `"mode":`+enum("a b"))}, many...), "AtlasNodeMode"},
		{"a vague word of several tools", append([]string{tool("explain", `"find":{"type":"object","properties":{"arguments":`+object+`,"x":`+text+`}}`),
			tool("save", `"target":{"type":"object","properties":{"find":{"type":"object","properties":{"arguments":`+object+`}}}}`)}, many...), "ExplainFind FindArguments SaveTarget SaveTargetFind"},
		{"in place of a name", []string{tool("grant", `"{{userId}}":`+enum("a b")+`,"{{teamId}}":`+enum("a b")+`,"rank":`+enum("a b"))}, "Rank"},
		{"of a verb", []string{tool("push_text_note", `"note":`+object), tool("push_card_note", `"note":{"type":"object","properties":{"b":`+text+`,"c":`+text+`}}`)}, "Note TextNote"},
		{"a word twice", []string{tool("find", `"sharedTierTier":`+enum("a b"))}, "SharedTier"},
		{"lists of one name in each other", []string{tool("put_tree", `"nodes":`+nested("nodes", 3)), tool("ping", "")}, "Node NodeLevel2 NodeLevel3"},
		{"in such lists", []string{tool("put_tree", `"nodes":{"type":"array","items":{"type":"object","properties":{"link":{"type":"object","properties":{"a":`+text+`}},
			"nodes":{"type":"array","items":{"type":"object","properties":{"link":{"type":"object","properties":{"b":`+text+`}}}}}}}}`)}, "Link Node NodeLevel2 NodeLevel2Link"},
		{"variants of unions", []string{tool("put", `"cell":{"type":"object","properties":{"value":{"type":["string","number"]}}},"row":{"type":"object","properties":{"value":{"type":["string","boolean"]}}}`)},
			"Cell CellValue CellValueNumber CellValueString Row RowValue RowValueBool RowValueString"},
		{"of a list by name", []string{tool("put", `"entityList":{"type":"array","items":`+object+`},"allowList":{"type":"array","items":{"type":"object","properties":{"b":`+text+`}}}`)}, "AllowList Entity"},
		{"members of a plural", []string{tool("put", `"notifications":{"type":"object","properties":{"onError":`+object+`,"onFailure":`+object+`}}`)}, "Notification Notifications"},
		{"members of settings", []string{tool("put", `"settings":{"type":"object","properties":{"onError":`+object+`,"onFailure":`+object+`}}`)}, "OnFailure Settings"},
		{"members with references", []string{tool("send", `"head":`+object+`,"foot":{"$ref":"#/properties/head"},"rows":{"type":"array","items":{"$ref":"#/properties/head"}}`)}, "Row"},
		{"what references have in common", []string{tool("send", `"lastDay":`+object+`,"firstDay":{"$ref":"#/properties/lastDay"}`)}, "Day"},
		{"references without anything in common", []string{tool("send", `"head":`+object+`,"foot":{"$ref":"#/properties/head"}`)}, "Head"},
		{"an address", []string{`{"name":"put","inputSchema":{"type":"object","properties":{"it":{"$ref":"#/$defs/https:~1~1schema.acme.com~1json~1collection~1v2.1.0~1collection.json"}},
			"$defs":{"https://schema.acme.com/json/collection/v2.1.0/collection.json":` + object + `}}}`}, "Collection"},
	} {
		p, _ := mustPackage(t, Input{Server: Server{Name: "srv", Snapshot: snapshotOf(t, tc.tools...)}})
		var got []string
		for _, typ := range p.Types {
			if !strings.HasSuffix(typ.Go, "Args") {
				got = append(got, typ.Go)
			}
		}
		slices.Sort(got)
		if got := strings.Join(got, " "); got != tc.want {
			t.Errorf("%s: got %s, want %s", tc.name, got, tc.want)
		}
	}
}

// A lock of before has no numbered short names: its types keep the names after their places.
func TestNumbersOfOldLocks(t *testing.T) {
	var lists []string
	for _, name := range []string{"a", "b", "c", "d", "e"} {
		lists = append(lists, `{"type":"array","items":{"type":"object","properties":{"`+name+`":{"type":"string"}}}}`)
	}
	in := Input{Server: Server{Name: "srv", Snapshot: snapshotOf(t, `{"name":"put_tree","inputSchema":{"type":"object","properties":{"body":{"anyOf":[`+strings.Join(lists, ",")+`]}}}}`)}}
	p, _ := mustPackage(t, in)
	numbered := func(p *ir.Package) bool {
		return slices.ContainsFunc(p.Types, func(t *ir.Type) bool { return derivedFor("BodyObjectList", t.Go) && t.Go != "BodyObjectList" })
	}
	if !numbered(p) {
		t.Error("a new lock has no numbered short name")
	}
	in.Locked = lockOf(in.Snapshot, nil)
	if p, _ = mustPackage(t, in); numbered(p) {
		t.Error("an old lock gets a numbered short name")
	}
}

// A type that has its name by place alone keeps it when a short one gets free, in later
// updates too.
func TestNamesByPlaceStay(t *testing.T) {
	a := `{"name":"a","inputSchema":{"type":"object","properties":{"status":{"enum":["x","y"]}}}}`
	in := Input{Server: Server{Name: "srv", Snapshot: snapshotOf(t, a, `{"name":"status","inputSchema":{"type":"object"}}`, `{"name":"a_status","inputSchema":{"type":"object"}}`)}}
	lockIn(t, &in, nil)
	for _, tools := range [][]string{nil, {a}, {a, `{"name":"b","inputSchema":{"type":"object"}}`}} {
		if tools != nil {
			before := in.Snapshot
			in.Snapshot = snapshotOf(t, tools...)
			lockIn(t, &in, before)
		}
		p, _ := mustPackage(t, in)
		if i := slices.IndexFunc(p.Types, func(typ *ir.Type) bool { return typ.Kind == ir.Enum }); p.Types[i].Go != "AArgsStatus" {
			t.Errorf("with %d tools the enum is %s, want AArgsStatus", len(in.Snapshot.Tools), p.Types[i].Go)
		}
	}
	if got := Pinned(in.Locked.Tools["a"]).Names["/inputSchema/properties/status/placed"]; got != "AArgsStatus" {
		t.Errorf("the lock has %q, want AArgsStatus", got)
	}
}
