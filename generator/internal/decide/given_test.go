package decide

import (
	"strings"
	"testing"

	"github.com/mcpgen/mcpgen/schema"
)

func TestDerivedFor(t *testing.T) {
	for _, tc := range []struct {
		base, name string
		want       bool
	}{
		{"ReadFile", "ReadFile", true}, {"ReadFile", "ReadFile2", true}, {"ReadFile", "ReadFile17", true},
		{"V1", "V1_2", true}, {"V1", "V12", false}, {"V1", "V1_", false},
		{"ReadFile", "ReadFile1", false}, {"ReadFile", "ReadFile0", false}, {"ReadFile", "ReadFile02", false},
		{"ReadFile", "ReadFile2x", false}, {"ReadFile", "DeleteFile", false}, {"ReadFile", "Read", false}, {"", "2", false},
	} {
		if got := derivedFor(tc.base, tc.name); got != tc.want {
			t.Errorf("%s for %s: got %v", tc.name, tc.base, got)
		}
	}
}

// A name in the lock that belongs to something else is refused, wherever it stands. What
// an honest run can have written is not.
func TestMisplacedNames(t *testing.T) {
	const path = `"inputSchema":{"type":"object","properties":{"path":{"type":"string"}}}`
	files := []string{`{"name":"read_file",` + path + `}`, `{"name":"delete_file",` + path + `}`, `{"name":"read-file",` + path + `}`}
	srv := []string{`{"name":"srv_read",` + path + `}`}
	copied := []string{`{"name":"copy","inputSchema":{"type":"object","required":["from","to"],"properties":{"from":{"type":"string"},"to":{"type":"string"}}}}`}
	state := []string{`{"name":"set","inputSchema":{"type":"object","required":["state"],"properties":{"state":{"enum":["open","closed"]}}}}`}
	acts := []string{`{"name":"act","inputSchema":{"type":"object","required":["what"],"properties":{"what":{"oneOf":[
		{"type":"object","required":["kind","id"],"properties":{"kind":{"const":"keep"},"id":{"type":"string"}}},
		{"type":"object","required":["kind","id"],"properties":{"kind":{"const":"delete"},"id":{"type":"string"}}}]}}}}`}
	const what = "/inputSchema/properties/what"
	type names = map[string]string
	for _, tc := range []struct {
		name  string
		tools []string
		pins  map[string]Pins
		want  string // in the error; "" is none
	}{
		{"exchanged", files, map[string]Pins{"read_file": {Names: names{"": "DeleteFile"}}, "delete_file": {Names: names{"": "ReadFile"}}}, `at "/servers/srv/tools/delete_file/go/names/": the Go name ReadFile does not match the item's name: want DeleteFile`},
		{"another's alone", files, map[string]Pins{"delete_file": {Names: names{"": "ReadFile"}}}, "the Go name ReadFile does not match the item's name"},
		{"nobody's", files, map[string]Pins{"delete_file": {Names: names{"": "Harmless"}}}, "the Go name Harmless does not match the item's name"},
		{"numbered", files, map[string]Pins{"read_file": {Names: names{"": "ReadFile2"}}, "read-file": {Names: names{"": "ReadFile"}}}, ""},
		{"numbered as another", []string{`{"name":"read",` + path + `}`, `{"name":"read2",` + path + `}`}, map[string]Pins{"read": {Names: names{"": "Read2"}}}, `the name Read2 is reserved for`},
		{"both numbered", []string{`{"name":"read",` + path + `}`, `{"name":"read2",` + path + `}`}, map[string]Pins{"read": {Names: names{"": "Read2"}}, "read2": {Names: names{"": "Read2_2"}}}, `the name Read2 is reserved for`},
		{"numbered before another came", []string{`{"name":"read-it",` + path + `}`, `{"name":"read_it",` + path + `}`, `{"name":"read_it2",` + path + `}`}, map[string]Pins{
			"read-it": {Names: names{"": "ReadIt"}}, "read_it": {Names: names{"": "ReadIt2"}}, "read_it2": {Names: names{"": "ReadIt2_2"}},
		}, ""},
		{"without the package's name", srv, map[string]Pins{"srv_read": {Names: names{"": "Read"}}}, ""},
		{"without more than that", srv, map[string]Pins{"srv_read": {Names: names{"": "Harmless"}}}, "the Go name Harmless does not match the item's name: want SrvRead"},
		{"old name of another", files, map[string]Pins{"delete_file": {Was: names{"remove": "ReadFile"}}}, `/go/was/remove": the name ReadFile is not derived from "remove"`},
		{"old name", files, map[string]Pins{"delete_file": {Was: names{"remove": "Remove2"}}}, ""},
		{"fields", copied, map[string]Pins{"copy": {Names: names{"/inputSchema/properties/from": "To", "/inputSchema/properties/to": "From"}}}, `at "/servers/srv/tools/copy/go/names/~1inputSchema~1properties~1from": the name To is reserved for "/inputSchema/properties/to"`},
		{"constants", state, map[string]Pins{"set": {Names: names{
			"/inputSchema/properties/state/shape": "State", `/inputSchema/properties/state/shape/"open"`: "StateClosed", `/inputSchema/properties/state/shape/"closed"`: "StateOpen",
		}}}, "the name StateClosed is reserved for"},
		{"variants", acts, map[string]Pins{"act": {Names: names{
			what + "/oneOf/0/type": "ActArgsWhatDelete", what + "/oneOf/1/type": "ActArgsWhatKeep",
		}}}, "the name ActArgsWhatDelete is reserved for"},
		{"a field's that nothing asks for", copied, map[string]Pins{"copy": {Names: names{"/inputSchema/properties/from": "Evil"}}}, "the name Evil has words that the schema does not have"},
		{"a type's that nothing asks for", acts, map[string]Pins{"act": {Names: names{what + "/oneOf/0/shape": "Evil"}}}, "the name Evil has words that the schema does not have"},
		{"a letter of another script", acts, map[string]Pins{"act": {Names: names{what + "/oneOf/0/shape": "Whаt"}}}, "the name Whаt has words that the schema does not have"},
		{"a constant's that nothing asks for", state, map[string]Pins{"set": {Names: names{
			"/inputSchema/properties/state/shape": "State", `/inputSchema/properties/state/shape/"open"`: "StateEvil",
		}}}, "the name StateEvil has words that the schema does not have"},
		{"an older rule's words", acts, map[string]Pins{"act": {Names: names{what + "/oneOf/0/shape": "ActWhatKeep", what + "/oneOf/1/shape": "WhatDeleteItem"}}}, ""},
		{"a place that is gone", acts, map[string]Pins{"act": {Names: names{what + "/oneOf/0/shape": "Job", what + "/oneOf/0/origin": "RunArgsJob"}}}, ""},
		{"short names of variants", acts, map[string]Pins{"act": {Names: names{what + "/oneOf/0/shape": "WhatDelete", what + "/oneOf/1/shape": "WhatKeep"}}}, "the name WhatDelete is reserved for"},
	} {
		in := Input{Server: Server{Name: "srv", Snapshot: snapshotOf(t, tc.tools...)}}
		in.Locked = lockOf(in.Snapshot, nil)
		for tool, p := range tc.pins {
			in.Locked.Tools[tool] = WithPins(in.Locked.Tools[tool], p)
		}
		_, _, err := Package(t.Context(), in)
		if tc.want == "" && err != nil || tc.want != "" && (err == nil || !strings.Contains(err.Error(), tc.want)) {
			t.Errorf("%s: got %v, want %q", tc.name, err, tc.want)
		}
	}
}

// A server that lists the variants of a union in another order leads to a lock that can be
// read: each variant is called what it is.
func TestNamesOfVariantsThatMove(t *testing.T) {
	act := func(first, second string) string {
		variant := func(kind string) string {
			return `{"type":"object","required":["kind","id"],"properties":{"kind":{"const":"` + kind + `"},"id":{"type":"string"}}}`
		}
		return `{"name":"act","inputSchema":{"type":"object","required":["what"],"properties":{"what":{"oneOf":[` + variant(first) + `,` + variant(second) + `]}}}}`
	}
	before := snapshotOf(t, act("keep", "delete"))
	in := Input{Server: Server{Name: "srv", Snapshot: before}}
	names, err := AssignNames(t.Context(), in, nil)
	if err != nil {
		t.Fatal(err)
	}
	in.Snapshot, in.Locked = snapshotOf(t, act("delete", "keep")), lockOf(before, names)
	item := in.Locked.Tools["act"]
	if item.Full, err = schema.FullHash(before.Tools[0].Raw); err != nil {
		t.Fatal(err)
	}
	in.Locked.Tools["act"] = item
	if names, err = AssignNames(t.Context(), in, before); err != nil {
		t.Fatal(err)
	}
	in.Locked = lockOf(in.Snapshot, names)
	if _, _, err := Package(t.Context(), in); err != nil {
		t.Error(err)
	}
}
