package impact

// Call sites of every kind, against real upgrades.

import (
	"compress/gzip"
	"encoding/json"
	"fmt"
	"maps"
	"os"
	"slices"
	"strings"
	"testing"

	"golang.org/x/tools/txtar"

	"github.com/mcpgen/mcpgen/generator"
	"github.com/mcpgen/mcpgen/schema"
	"github.com/mcpgen/mcpgen/schema/drift"
)

// readPair reads what a server said before and after an upgrade.
func readPair(t *testing.T, path, server string) (before, after *schema.Snapshot) {
	t.Helper()
	f, err := os.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	z, err := gzip.NewReader(f)
	if err != nil {
		t.Fatal(err)
	}
	var pair struct {
		Kind          string
		Before, After json.RawMessage
	}
	if err := json.NewDecoder(z).Decode(&pair); err != nil {
		t.Fatal(err)
	}
	before, after = snapshotOfPair(t, pair.Kind, pair.Before), snapshotOfPair(t, pair.Kind, pair.After)
	before.Server, after.Server = server, server
	return before, after
}

// siteUpgrades are the servers of the call sites.
func siteUpgrades() map[string]string {
	return map[string]string{
		"git":        "testdata/sites/git.json.gz", // @cyanheads/git-mcp-server 2.6.5 to 2.15.3
		"everything": "../../golden/corpus/upgrades/npm-everything.json.gz",
		"playwright": "../../golden/corpus/upgrades/npm-playwright.json.gz",
		"devtools":   "../../golden/corpus/upgrades/npm-chrome-devtools.json.gz",
	}
}

// sitesProject is the program against the old servers, and what changed.
func sitesProject(t *testing.T) (*project, *drift.Report) {
	t.Helper()
	p := &project{dir: t.TempDir()}
	var report *drift.Report
	for name, path := range siteUpgrades() {
		was, now := readPair(t, path, name)
		found, err := drift.Compare(t.Context(), was, now, nil)
		if err != nil {
			t.Fatal(err)
		}
		report = drift.Join(report, found)
		add := func(to *generator.Options, s *schema.Snapshot) {
			servers := append(to.Servers, optionsFor(t, s).Servers...)
			*to = optionsFor(t, s)
			to.Servers = servers
		}
		add(&p.before, was)
		add(&p.after, now)
		old, accepted := p.before.Servers[len(p.before.Servers)-1], p.after.Servers[len(p.after.Servers)-1]
		if err := generator.AssignNames(t.Context(), accepted, old.Locked, was, nil); err != nil {
			t.Fatal(err)
		}
	}
	p.write(t, "go.mod", "module example.com/app\n\ngo 1.26\n\nrequire github.com/mcpgen/mcpgen v0.0.0\n\nreplace github.com/mcpgen/mcpgen => "+runtimeModule(t)+"\n")
	return p, report
}

// site is what a line of the program says of itself.
type site struct{ impact, run string }

// readSites writes the files of the program, each as edit wants it, and returns what their
// lines say.
func (p *project) readSites(t *testing.T, edit func(name, line string, s site) string) map[string]site {
	t.Helper()
	a, err := txtar.ParseFile("testdata/sites/app.txtar")
	if err != nil {
		t.Fatal(err)
	}
	out := map[string]site{}
	for _, f := range a.Files {
		lines := strings.Split(string(f.Data), "\n")
		for i, line := range lines {
			var s site
			if _, says, ok := strings.Cut(line, " // "); ok {
				s.impact, s.run, _ = strings.Cut(says, " | ")
				out[fmt.Sprintf("%s:%d", f.Name, i+1)] = s
			}
			lines[i] = edit(f.Name, line, s)
		}
		p.write(t, f.Name, strings.Join(lines, "\n"))
	}
	if len(out) < 50 {
		t.Fatalf("%d lines say something of themselves, want 50", len(out))
	}
	return out
}

// TestSites wants each line of the program to be said to break, to call what changed, or
// nothing of it, as the line says itself; and the compiler to refuse those lines that say
// so, and no others.
func TestSites(t *testing.T) {
	p, report := sitesProject(t)
	p.generate(t, p.before)
	want := p.readSites(t, func(_, line string, _ site) string { return line })
	problems, err := Find(t.Context(), p.options(), report)
	if err != nil {
		t.Fatal(err)
	}
	for _, problem := range problems {
		t.Errorf("problem: %+v", problem)
	}
	for at, said := range said(report) {
		if want[at].impact == "" {
			t.Errorf("%s is named, and says nothing of itself: %s", at, said)
		}
	}
	for _, at := range slices.Sorted(maps.Keys(want)) {
		if got := said(report)[at]; got != strings.TrimSuffix(want[at].impact, "fine") {
			t.Errorf("%s: got %q, want %q", at, got, want[at].impact)
		}
	}
}

// TestFitSites wants the same of a branch that has the code of its base and accepts the
// upgrades. What is read of results and compiles is not known to break.
func TestFitSites(t *testing.T) {
	p, report := sitesProject(t)
	p.generate(t, p.after)
	want := p.readSites(t, func(_, line string, _ site) string { return line })
	fitting, err := Fit(t.Context(), p.options(), Base{Known: true}, report)
	if err != nil || len(fitting.New)+len(fitting.Repaired) > 0 {
		t.Fatal(err, fitting)
	}
	for at, said := range said(report) {
		if want[at].impact == "" {
			t.Errorf("%s is named, and says nothing of itself: %s", at, said)
		}
	}
	for _, at := range slices.Sorted(maps.Keys(want)) {
		says := strings.TrimSuffix(want[at].impact, "fine")
		if says == "breaks" && strings.HasPrefix(at, "results/") {
			says = "calls"
		}
		if got := said(report)[at]; got != says {
			t.Errorf("%s: got %q, want %q", at, got, says)
		}
	}
}

// said is what a report says of lines: that of the worst change.
func said(r *drift.Report) map[string]string {
	out := map[string]string{}
	for _, s := range r.Servers {
		for _, c := range s.Changes {
			for _, site := range c.CallSites {
				at, text := fmt.Sprintf("%s:%d", site.File, site.Line), string(site.Kind)
				if site.Error != "" {
					text += ", compiler"
				}
				if old := out[at]; c.Severity.AtLeast(drift.Unknown) && (old == "" || old == "calls" || len(text) > len(old)) {
					out[at] = text
				}
			}
		}
	}
	return out
}
