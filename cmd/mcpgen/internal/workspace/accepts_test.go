package workspace

import (
	"testing"

	"github.com/mcpgen/mcpgen/schema"
	"github.com/mcpgen/mcpgen/schema/drift"
)

func TestMatchAccept(t *testing.T) {
	tool := drift.Change{Kind: schema.KindTool, Name: "list_[x]", Rule: ruleOf(t, "hint-readonly-dropped")}
	resource := drift.Change{Kind: schema.KindResource, Name: "file:///a/b.txt", Rule: ruleOf(t, "text-injection")}
	server := drift.Change{Kind: drift.KindServer, Rule: ruleOf(t, "text-injection"), Path: "/instructions"}
	for _, c := range []struct {
		pattern string
		change  drift.Change
		want    bool
	}{
		{"s/list_[x]/hint-readonly-dropped", tool, true},
		{"s/*/hint-*", tool, true},
		{"?/list_?x?/*", tool, true},
		{"s/list_x/hint-readonly-dropped", tool, false}, // brackets are not a class
		{"s/list_*", tool, false},
		{"t/*/*", tool, false},
		{"s/file:///a/b.txt/text-injection", resource, true},
		{"s/file:///*/text-injection", resource, true},
		{"s/*/text-*", resource, true},
		{"s/text-injection", server, true},
		{"*/text-*", server, true},
		{"s/*/text-injection", server, false},
		{"s/text-injection", resource, false},
	} {
		if got := matchAccept(c.pattern, "s", &c.change); got != c.want {
			t.Errorf("%s of %s %s: %t, want %v", c.pattern, c.change.Name, c.change.Rule, got, c.want)
		}
	}
	for pattern, want := range map[string]bool{"s/t/r": true, "s/r": true, "s/*/*": true, "*/*/text-injection": true, "*/*/*": false, "*/?": false, "s": false, "": false} {
		if err := CheckAccept(pattern); (err == nil) != want {
			t.Errorf("%q: %v", pattern, err)
		}
	}
}

// ruleOf returns the rule of an id.
func ruleOf(t *testing.T, id string) drift.Rule {
	t.Helper()
	rule, ok := drift.LookupRule(id)
	if !ok {
		t.Fatalf("no rule is called %q", id)
	}
	return rule
}
