package report

// Real changes of real servers: each report has to fit a screen, and to begin with what
// breaks the user's code.

import (
	"encoding/json"
	"fmt"
	"maps"
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

// readPairs are the reports of real changes by the names of their files: those of the
// folder DRIFT_PAIRS, or the sample of tools and the servers of the corpus; with -short
// every sixth one.
func readPairs(t *testing.T) map[string]*Report {
	t.Helper()
	files := readUpgrades(t, upgradesDir)
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
	for i, name := range slices.Sorted(maps.Keys(files)) {
		if testing.Short() && i%6 != 0 {
			continue
		}
		p := files[name]
		found, err := drift.Compare(t.Context(), snapshotOfSide(t, p.Kind, p.Before), snapshotOfSide(t, p.Kind, p.After), nil)
		if err != nil {
			t.Fatal(err)
		}
		out[name] = Of(found)
	}
	if len(out) < 12 {
		t.Fatalf("found %d pairs, want at least 12", len(out))
	}
	return out
}

// snapshotOfSide is one side of a pair: a tool, or what a server offers.
func snapshotOfSide(t *testing.T, kind string, raw json.RawMessage) *schema.Snapshot {
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

// withUses is a report in which every change touches a number of lines of a Go module.
func withUses(r *Report, lines int) *Report {
	for c := range r.All() {
		c.CallSites = []drift.CallSite{}
		for i := range lines {
			c.CallSites = append(c.CallSites, drift.CallSite{
				File: fmt.Sprintf("internal/agent/%s.go", strings.ReplaceAll(c.Name, "/", "_")), Line: 10 + 3*i, Symbol: "Something", Kind: drift.SiteBreaks,
				Source: "result, err := server.Something(ctx, server.SomethingArgs{Owner: owner, Repo: repo, Number: 1})",
			})
		}
	}
	return r
}

// TestPairsFitAScreen: however much of a server the user's code uses, the text fits a
// screen and begins with what breaks that code, and a comment of markdown has 15 lines.
func TestPairsFitAScreen(t *testing.T) {
	pairs := readPairs(t)
	for _, lines := range []int{0, 1, 40} {
		all := &Report{Verdict: drift.Verdict(drift.Breaking)}
		for name, r := range pairs {
			if r = withUses(r, lines); len(all.Servers) < 60 {
				s := r.Servers[0]
				s.Server = name
				all.Servers = append(all.Servers, s)
			}
			wantScreen(t, name, r)
		}
		slices.SortFunc(all.Servers, func(a, b Server) int { return strings.Compare(a.Server, b.Server) })
		wantScreen(t, "all of them as servers of one project", all)
		all.Unseen = slices.Repeat([]Unseen{{File: "internal/agent/broken.go", Line: 3, Reason: "undefined: server.Something, and so much about it that one line does not hold it"}}, 50)
		all.Stale = slices.Repeat([]File{{Path: "internal/mcp/server/server.go", State: "changed"}}, 50)
		all.Error = "it could not"
		wantScreen(t, "all of them, and everything else that can be said", all)
		wantFormats(t, fmt.Sprintf("all of them, and everything else that can be said, with %d lines", lines), all)
	}
}

// wantScreen fails unless a report fits: as text on a screen, with and without a terminal,
// and as markdown in 15 lines that are not folded away. The text has to begin with what
// breaks the user's code, if anything does.
func wantScreen(t *testing.T, name string, r *Report) {
	t.Helper()
	page := string(writeReport(t, Markdown, r, testOptions()))
	if shown, _, _ := strings.Cut(page, "<details>"); strings.Count(shown, "\n")+1 > 15 {
		t.Errorf("%s: the comment has %d lines, want at most 15:\n%s", name, strings.Count(shown, "\n")+1, shown)
	}
	few := testOptions()
	few.Lines = FewLines
	if text := string(writeReport(t, Text, r, few)); strings.Count(text, "\n") > FewLines {
		t.Errorf("%s: the text has %d lines, want at most %d:\n%s", name, strings.Count(text, "\n"), FewLines, text)
	}
	for _, tree := range []bool{false, true} {
		o := testOptions()
		o.Tree, o.Color = tree, tree
		text := string(writeReport(t, Text, r, o))
		if n := strings.Count(text, "\n"); n > screen-3 { // the summary and the next step stand below it
			t.Errorf("%s: the text has %d lines, want at most %d:\n%s", name, n, screen-3, text)
		}
		begin := "breaks your code: "
		if !slices.ContainsFunc(r.Servers, func(s Server) bool { return slices.ContainsFunc(s.Changes, func(c Change) bool { return touched(&c) }) }) {
			continue
		}
		if tree {
			begin = "\x1b[1;31mbreaks your code\x1b[0m: "
		}
		if !strings.HasPrefix(text, begin) && !strings.HasPrefix(text, strings.Replace(begin, "breaks", "may break", 1)) {
			t.Errorf("%s: the text does not begin with %q:\n%s", name, begin, text)
		}
	}
}
