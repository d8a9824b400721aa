// Package drift_test holds the call sites of this example to the table that was
// written by hand.
package drift_test

import (
	"encoding/json"
	"fmt"
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/mcpgen/mcpgen/generator"
	"github.com/mcpgen/mcpgen/generator/impact"
	"github.com/mcpgen/mcpgen/schema"
	"github.com/mcpgen/mcpgen/schema/drift"
	"github.com/mcpgen/mcpgen/schema/lockfile"
)

// TestCallSites upgrades the server and wants the lines of callsites.txt, and no
// others.
func TestCallSites(t *testing.T) {
	before := lockedSnapshot(t, "internal/mcp/tickets/snapshot.json")
	after := *before
	after.Tools = lockedTools(t, "server/surface2.json")
	report, err := drift.Compare(t.Context(), before, &after, nil)
	if err != nil {
		t.Fatal(err)
	}
	problems, err := impact.Find(t.Context(), impact.Options{Before: optionsOf(t, before), After: optionsOf(t, &after)}, report)
	if err != nil {
		t.Fatal(err)
	}
	for _, p := range problems {
		t.Errorf("%+v", p)
	}
	var got []string
	for _, c := range report.Servers[0].Changes {
		for _, s := range c.CallSites {
			verb := "uses"
			if s.Kind == drift.SiteCalls {
				verb = "may use"
			}
			got = append(got, fmt.Sprintf("%s:%d %s %s", s.File, s.Line, verb, s.Symbol))
		}
	}
	slices.Sort(got)
	got = slices.Compact(got) // several changes may name a line
	want := readTable(t)
	if !slices.Equal(got, want) {
		t.Errorf("got:\n%s\nwant:\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
}

// The first surface is what the code was generated against.
func TestSurfaceIsLocked(t *testing.T) {
	before := lockedSnapshot(t, "internal/mcp/tickets/snapshot.json")
	now := *before
	now.Tools = lockedTools(t, "server/surface1.json")
	if r, err := drift.Compare(t.Context(), before, &now, &drift.Options{Profile: drift.Model}); err != nil || r.Verdict != drift.Unchanged {
		t.Errorf("%+v", r.Servers[0].Changes)
	}
}

// The agent has as many calls as the example says.
func TestCalls(t *testing.T) {
	call := regexp.MustCompile(`\b(tickets|c|d|desk)\.(ListTickets|GetTicket|CreateTicket|CloseTicket|CountTicket|Summary)\(|finish\(|:= d\.CloseTicket`)
	n := 0
	for _, dir := range []string{"agent", "triage", "intake", "report"} {
		files, err := os.ReadDir(dir)
		if err != nil {
			t.Fatal(err)
		}
		for _, f := range files {
			data, err := os.ReadFile(dir + "/" + f.Name())
			if err != nil {
				t.Fatal(err)
			}
			for line := range strings.Lines(string(data)) {
				if call.MatchString(line) {
					n++
				}
			}
		}
	}
	if n != 30 {
		t.Errorf("%d calls", n)
	}
}

func readTable(t *testing.T) []string {
	t.Helper()
	data, err := os.ReadFile("callsites.txt")
	if err != nil {
		t.Fatal(err)
	}
	var out []string
	for line := range strings.Lines(string(data)) {
		if line = strings.TrimSpace(line); line != "" && line[0] != '#' {
			out = append(out, line)
		}
	}
	slices.Sort(out)
	return out
}

func lockedSnapshot(t *testing.T, name string) *schema.Snapshot {
	t.Helper()
	data, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	s, err := lockfile.ParseSnapshot(data)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func lockedTools(t *testing.T, name string) []schema.Item {
	t.Helper()
	data, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	var raws []json.RawMessage
	if err := json.Unmarshal(data, &raws); err != nil {
		t.Fatal(err)
	}
	var out []schema.Item
	for _, raw := range raws {
		it, err := schema.ParseItem(schema.KindTool, raw)
		if err != nil {
			t.Fatal(err)
		}
		out = append(out, it)
	}
	return out
}

func optionsOf(t *testing.T, s *schema.Snapshot) generator.Options {
	t.Helper()
	l, err := lockfile.LockSnapshot(s)
	if err != nil {
		t.Fatal(err)
	}
	return generator.Options{
		Output: "internal/mcp", ImportPath: "github.com/mcpgen/mcpgen/examples/drift/internal/mcp", Fakes: true,
		Servers: []generator.Server{{Name: s.Server, Snapshot: s, Locked: l}},
	}
}
