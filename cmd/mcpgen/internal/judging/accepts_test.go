package judging

import (
	"encoding/json"
	"testing"

	"github.com/mcpgen/mcpgen/schema"
	"github.com/mcpgen/mcpgen/schema/drift"
	"github.com/mcpgen/mcpgen/schema/lockfile"
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

// TestKeepBack wants what is withheld to be what it was, whatever it is.
func TestKeepBack(t *testing.T) {
	item := func(kind schema.Kind, raw string) schema.Item {
		it, err := schema.ParseItem(kind, json.RawMessage(raw))
		if err != nil {
			t.Fatal(err)
		}
		return it
	}
	before := &schema.Snapshot{Server: "s", Instructions: "old", Identity: json.RawMessage(`{"name":"old"}`),
		Tools:   []schema.Item{item(schema.KindTool, `{"name":"a","title":"old"}`), item(schema.KindTool, `{"name":"read_it"}`)},
		Prompts: []schema.Item{item(schema.KindPrompt, `{"name":"p","title":"old"}`)}}
	after := &schema.Snapshot{Server: "s", Instructions: "new", Identity: json.RawMessage(`{"name":"new"}`),
		Tools:   []schema.Item{item(schema.KindTool, `{"name":"a","title":"new"}`), item(schema.KindTool, `{"name":"b"}`), item(schema.KindTool, `{"name":"read-it","title":"new"}`)},
		Prompts: []schema.Item{item(schema.KindPrompt, `{"name":"p","title":"new"}`)}}
	withheld := func(kind schema.Kind, name, path string) Withheld {
		return Withheld{Server: "s", Change: drift.Change{Kind: kind, Name: name, Path: path}}
	}
	kept := KeepBack(after, before, []Withheld{
		withheld(schema.KindTool, "a", "/title"), withheld(schema.KindTool, "b", ""), withheld(schema.KindTool, "read_it", "/title"),
		withheld(schema.KindPrompt, "p", ""), withheld(drift.KindServer, "", "/instructions"), withheld(drift.KindServer, "", "/identity/name"),
	}, []drift.Change{{Rule: ruleOf(t, "tool-renamed"), Kind: schema.KindTool, Name: "read_it", After: json.RawMessage(`"read-it"`)}})
	if got, want := string(lockfile.EncodeSnapshot(kept)), string(lockfile.EncodeSnapshot(before)); got != want {
		t.Errorf("with every finding withheld the surface is %s, want the locked one, %s", got, want)
	}
	if string(after.Identity) != `{"name":"new"}` {
		t.Errorf("the surface itself was changed, its identity is %s", after.Identity)
	}
	fresh := KeepBack(after, nil, []Withheld{withheld(schema.KindTool, "b", ""), withheld(drift.KindServer, "", "/instructions")}, nil)
	if len(fresh.Tools) != 2 || fresh.Instructions != "" {
		t.Errorf("a new server has the tools %v and the instructions %q, want 2 tools and no instructions", fresh.Tools, fresh.Instructions)
	}
	others := KeepBack(after, before, []Withheld{{Server: "other", Change: drift.Change{Kind: schema.KindTool, Name: "a"}}}, nil)
	if string(others.Tools[0].Raw) != string(after.Tools[0].Raw) {
		t.Errorf("a finding of another server has changed the tool to %s", others.Tools[0].Raw)
	}
}

// TestExplain wants an item that could not be taken not to be called gone.
func TestExplain(t *testing.T) {
	s := drift.ServerReport{Changes: []drift.Change{
		{Rule: ruleOf(t, "tool-removed"), Kind: schema.KindTool, Name: "a", Message: "the tool is gone"},
		{Rule: ruleOf(t, "tool-removed"), Kind: schema.KindTool, Name: "b", Message: "the tool is gone"},
		{Rule: ruleOf(t, "input-property-removed"), Kind: schema.KindTool, Name: "a", Path: "/inputSchema/properties/x", Message: "kept"},
	}}
	Explain(&s, []schema.Problem{{Kind: schema.KindPrompt, Name: "b", Reason: "x"}, {Kind: schema.KindTool, Name: "a", Reason: "duplicate member\x1b name"}}, nil)
	for i, want := range []string{"the server offers the tool, but its definition cannot be used: duplicate member\uFFFD name", "the tool is gone", "kept"} {
		if got := s.Changes[i].Message; got != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
}
