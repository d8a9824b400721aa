package report

// Real changes of real servers: each has to fit a screen, with what breaks the
// user's code first.

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/mcpgen/mcpgen/schema"
	"github.com/mcpgen/mcpgen/schema/drift"
)

// screen is how many lines a report may have.
const screen = 40

// pairs are the reports of real changes by the names of their files: those of the
// folder DRIFT_PAIRS, or the sample of tools and the servers of the corpus.
func pairs(t *testing.T) map[string]*Report {
	t.Helper()
	files := upgrades(t)
	dir := "../../../../schema/testdata/drift"
	if own := os.Getenv("DRIFT_PAIRS"); own != "" {
		dir = own
	}
	names, err := filepath.Glob(filepath.Join(dir, "*.json"))
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range names {
		data, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		var p pairFile
		if err := json.Unmarshal(data, &p); err != nil {
			t.Fatal(name, err)
		}
		if p.Kind != "" { // else it says what is known of the others
			files[strings.TrimSuffix(filepath.Base(name), ".json")] = p
		}
	}
	out := map[string]*Report{}
	for name, p := range files {
		found, err := drift.Compare(t.Context(), side(t, p.Kind, p.Before), side(t, p.Kind, p.After), nil)
		if err != nil {
			t.Fatal(err)
		}
		out[name] = Of(found)
	}
	if len(out) < 20 {
		t.Fatalf("%d pairs", len(out))
	}
	return out
}

// side is one side of a pair: a tool, or what a server offers.
func side(t *testing.T, kind string, raw json.RawMessage) *schema.Snapshot {
	t.Helper()
	lists := map[schema.Kind][]json.RawMessage{schema.KindTool: {raw}}
	if kind == "server" {
		var l struct{ Tools, Prompts, Resources, ResourceTemplates []json.RawMessage }
		if err := json.Unmarshal(raw, &l); err != nil {
			t.Fatal(err)
		}
		lists = map[schema.Kind][]json.RawMessage{schema.KindTool: l.Tools, schema.KindPrompt: l.Prompts, schema.KindResource: l.Resources, schema.KindTemplate: l.ResourceTemplates}
	}
	s := &schema.Snapshot{Server: "server"}
	for kind, list := range map[schema.Kind]*[]schema.Item{schema.KindTool: &s.Tools, schema.KindPrompt: &s.Prompts, schema.KindResource: &s.Resources, schema.KindTemplate: &s.Templates} {
		for _, raw := range lists[kind] {
			it, err := schema.ParseItem(kind, raw)
			if err != nil {
				t.Fatal(err)
			}
			*list = append(*list, it)
		}
	}
	s.Sort()
	return s
}

// used gives every change that has lines in a Go module so many of them.
func used(r *Report, lines int) *Report {
	for c := range r.All() {
		for i := range lines {
			c.CallSites = append(c.CallSites, drift.CallSite{
				File: fmt.Sprintf("internal/agent/%s.go", strings.ReplaceAll(c.Name, "/", "_")), Line: 10 + 3*i, Symbol: "Something",
				Source: "result, err := server.Something(ctx, server.SomethingArgs{Owner: owner, Repo: repo, Number: 1})",
			})
		}
	}
	return r
}

// TestPairsFitAScreen wants every report to fit a screen, and every comment of
// markdown 15 lines, however much of it the
// user's code uses, and what breaks that code to be first.
func TestPairsFitAScreen(t *testing.T) {
	for _, lines := range []int{0, 1, 40} {
		all := &Report{Verdict: drift.Verdict(drift.Breaking)}
		for name, r := range pairs(t) {
			if r = used(r, lines); len(all.Servers) < 60 {
				s := r.Servers[0]
				s.Server = name
				all.Servers = append(all.Servers, s)
			}
			fits40(t, name, r)
		}
		slices.SortFunc(all.Servers, func(a, b Server) int { return strings.Compare(a.Server, b.Server) })
		fits40(t, "all of them as servers of one project", all)
		all.Unseen = slices.Repeat([]Unseen{{File: "internal/agent/broken.go", Line: 3, Reason: "undefined: server.Something, and so much about it that one line does not hold it"}}, 50)
		all.Stale = slices.Repeat([]File{{Path: "internal/mcp/server/server.go", State: "changed"}}, 50)
		all.Error = "it could not"
		fits40(t, "all of them, and everything else that can be said", all)
	}
}

func fits40(t *testing.T, name string, r *Report) {
	t.Helper()
	page := string(write(t, Markdown, r, options()))
	if shown, _, _ := strings.Cut(page, "<details>"); strings.Count(shown, "\n")+1 > 15 {
		t.Errorf("%s: the comment is too long:\n%s", name, shown)
	}
	for _, tree := range []bool{false, true} {
		o := options()
		o.Tree, o.Color = tree, tree
		text := string(write(t, Text, r, o))
		if n := strings.Count(text, "\n"); n > screen-3 { // the summary and the next step stand below it
			t.Errorf("%s: %d lines\n%s", name, n, text)
		}
		begin := "breaks your code: "
		if !slices.ContainsFunc(r.Servers, func(s Server) bool { return slices.ContainsFunc(s.Changes, func(c Change) bool { return touched(&c) }) }) {
			continue
		}
		if tree {
			begin = "\x1b[1;31mbreaks your code\x1b[0m: "
		}
		if !strings.HasPrefix(text, begin) && !strings.HasPrefix(text, strings.Replace(begin, "breaks", "may break", 1)) {
			t.Errorf("%s begins with something else:\n%s", name, text)
		}
	}
}
