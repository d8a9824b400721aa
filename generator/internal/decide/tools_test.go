package decide

import (
	"encoding/json"
	"slices"
	"strings"
	"testing"

	"github.com/mcpgen/mcpgen/schema"
)

// A tool that cannot be read costs itself, and a schema its type; each says so once,
// and only for a tool that is wanted.
func TestUnreadableTools(t *testing.T) {
	tests := []struct {
		name, tool string
		listedAs   string // its name in the listing
		leftOut    bool
		want       []string // parts of the warnings, in order
	}{
		{"not JSON", `{"name":"t"`, "t", true, []string{"srv/t: left out: "}},
		{"not an object", `"t"`, "t", true, []string{"srv/t: left out: "}},
		{"a duplicate member", `{"name":"t","name":"t","inputSchema":{"type":"object","properties":{}}}`, "t", true, []string{"srv/t: left out: ", "duplicate member name"}},
		{"another name", `{"name":"u","inputSchema":{"type":"object","properties":{}}}`, "t", true, []string{`srv/t: left out: the definition has another name, "u"`}},
		{"a schema that is a number", `{"name":"t","inputSchema":7}`, "t", false, []string{"srv/t /inputSchema"}},
		{"an unknown type", `{"name":"t","inputSchema":{"type":"object","properties":{"a":{"type":"text"}}}}`, "t", false, []string{"srv/t /inputSchema/properties/a/type"}},
		{"arguments that are not an object", `{"name":"t","inputSchema":{"type":"string"}}`, "t", false, []string{"srv/t /inputSchema", "all arguments are in Extra"}},
		{"no schema", `{"name":"t"}`, "t", false, []string{"srv/t /inputSchema: it declares no properties", "srv/t /inputSchema: missing: any object is taken as arguments"}},
		{"nothing wrong", `{"name":"t","inputSchema":{"type":"object","properties":{}}}`, "t", false, nil},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			good := toolItem(t, json.RawMessage(`{"name":"good","inputSchema":{"type":"object","properties":{}}}`))
			bad := schema.Item{Kind: schema.KindTool, Name: tt.listedAs, Raw: json.RawMessage(tt.tool)}
			in := Input{Server: Server{Name: "srv", Snapshot: &schema.Snapshot{Tools: []schema.Item{bad, good}}}}
			p, warnings := mustPackage(t, in)
			var names []string
			for _, tool := range p.Tools {
				names = append(names, tool.Go)
			}
			want := []string{"Good", "T"}
			if tt.leftOut {
				want = want[:1]
			}
			if !slices.Equal(names, want) {
				t.Errorf("got the tools %q, want %q", names, want)
			}
			var all strings.Builder
			for _, w := range warnings {
				all.WriteString(w.String() + "\n")
			}
			for _, part := range tt.want {
				if !strings.Contains(all.String(), part) {
					t.Errorf("no warning says %q; got:\n%s", part, &all)
				}
			}
			if tt.want == nil && len(warnings) > 0 {
				t.Errorf("got warnings, want none:\n%s", &all)
			}
			in.Exclude = []string{tt.listedAs}
			if _, warnings := mustPackage(t, in); len(warnings) > 0 {
				t.Errorf("warnings of a tool that is excluded: %v", warnings)
			}
			in.Exclude, in.Strict = nil, true
			if _, _, err := Package(t.Context(), in); (err != nil) != (tt.want != nil) {
				t.Errorf("strict: got %v, want an error for each warning", err)
			}
		})
	}
}

func TestSelects(t *testing.T) {
	for _, tt := range []struct {
		include, exclude []string
		tool             string
		want             bool
	}{
		{nil, nil, "get", true},
		{[]string{"get"}, nil, "get", true},
		{[]string{"get"}, nil, "get_all", false},
		{[]string{"get*"}, nil, "get_all", true},
		{[]string{"list", "get*"}, nil, "get_all", true},
		{[]string{"*"}, []string{"delete_*"}, "delete_all", false},
		{nil, []string{"delete_*"}, "delete", true},
		{[]string{"ns*"}, nil, "ns/a/b", true},
		{[]string{"ns?a"}, nil, "ns/a", true},
		{[]string{"[a-c]"}, nil, "b", true},
		{[]string{`\*`}, nil, "b", false},
		{[]string{"[a"}, nil, "a", false},
		{nil, []string{"[a"}, "a", true},
	} {
		if got := (Server{Include: tt.include, Exclude: tt.exclude}).Selects(tt.tool); got != tt.want {
			t.Errorf("Selects(%q, %q, %q) = %t, want %t", tt.include, tt.exclude, tt.tool, got, tt.want)
		}
	}
}
