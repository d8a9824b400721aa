package report

// Releases of real servers with what is known of them: values that another validator
// shows to be broken, and the renames that a reader sees.

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

const releasesDir = "../../../../golden/corpus/releases"

// witness is a value that worked and does not any more.
type witness struct {
	Value  json.RawMessage
	Bounds bool // refused by the bounds of exact integers alone
}

// releaseLabels are what is known of a pair, by the names of tools and prompts.
type releaseLabels struct {
	Arguments, Results, Prompts map[string]witness

	Renames []string // "tool/argument=new" and the like; golden/corpus/README.md lists them
}

// releaseRow is a line of the table.
type releaseRow struct {
	tools, breaks, missed, bounds, alarms, unknown, renames, offered, wrong, lines int
}

func (r *releaseRow) add(o releaseRow) {
	r.tools += o.tools
	r.breaks += o.breaks
	r.missed += o.missed
	r.bounds += o.bounds
	r.alarms += o.alarms
	r.unknown += o.unknown
	r.renames += o.renames
	r.offered += o.offered
	r.wrong += o.wrong
	r.lines = max(r.lines, o.lines)
}

func (r releaseRow) String() string {
	return fmt.Sprintf("%6d %7d %7d %7d %7d %8d %8d/%d %6d %6d", r.tools, r.breaks, r.missed, r.bounds, r.alarms, r.unknown, r.offered, r.renames, r.wrong, r.lines)
}

// TestReleases compares releases of real servers with what is known of them. -v prints
// the table and what was missed; with -short it takes every sixth pair.
func TestReleases(t *testing.T) {
	pairs := readUpgrades(t, releasesDir)
	data, err := os.ReadFile(filepath.Join(releasesDir, "labels.json"))
	if err != nil {
		t.Fatal(err)
	}
	var known map[string]releaseLabels
	if err := json.Unmarshal(data, &known); err != nil {
		t.Fatal(err)
	}
	var table strings.Builder
	fmt.Fprintf(&table, "%-56s %6s %7s %7s %7s %7s %8s %10s %6s %6s\n", "pair", "tools", "breaks", "missed", "bounds", "alarms", "unknown", "renames", "wrong", "lines")
	var sum releaseRow
	for i, name := range slices.Sorted(maps.Keys(pairs)) {
		if testing.Short() && i%6 != 0 {
			continue
		}
		row := judgeRelease(t, name, pairs[name], known[name])
		sum.add(row)
		fmt.Fprintf(&table, "%-56s %s\n", name, row)
	}
	t.Logf("alarms have no witness; renames are offered/known; lines of all together are the most\n%s%-56s %s", &table, "all", sum)
	if sum.missed > 0 || len(pairs) < 45 {
		t.Errorf("%d pairs, want at least 45; %d proven breaks are missed, want none", len(pairs), sum.missed)
	}
	if 20*sum.wrong > sum.offered || 10*sum.offered < 9*sum.renames {
		t.Errorf("of %d renames %d are offered, and %d that are none: want nine of ten, and one of twenty wrong", sum.renames, sum.offered, sum.wrong)
	}
}

// judgeRelease compares one pair with what is known of it.
func judgeRelease(t *testing.T, name string, p pairFile, known releaseLabels) releaseRow {
	t.Helper()
	before, after := snapshotOfSide(t, "server", p.Before), snapshotOfSide(t, "server", p.After)
	found, err := drift.Compare(t.Context(), before, after, nil)
	if err != nil {
		t.Fatal(err)
	}
	r := releaseRow{tools: len(after.Tools)}
	for prefix, labels := range map[string]map[string]witness{"input-": known.Arguments, "output-": known.Results, "prompt-": known.Prompts} {
		worst, proven := worstOf(found, prefix)
		for tool, label := range labels {
			switch {
			case label.Bounds:
				r.bounds++
				continue
			case !worst[tool].AtLeast(drift.Unknown):
				r.missed++
				t.Logf("%s: missed: %s %sschema: %s", name, tool, prefix, label.Value)
			}
			r.breaks++
		}
		for _, tool := range slices.Sorted(maps.Keys(worst)) {
			_, labelled := labels[tool]
			switch {
			case worst[tool] == drift.Unknown:
				r.unknown++
				t.Logf("%s: unknown: %s %sschema", name, tool, prefix)
			case worst[tool] == drift.Breaking && !labelled && !proven[tool]:
				r.alarms++
				t.Logf("%s: alarm without witness: %s %sschema", name, tool, prefix)
			}
		}
	}
	offers := renamesOffered(found)
	for _, k := range known.Renames {
		switch {
		case strings.HasPrefix(k, "?"):
			continue
		case slices.Contains(offers, k):
			r.offered++
		default:
			t.Logf("%s: not offered: %s", name, k)
		}
		r.renames++
	}
	for _, o := range offers {
		if !slices.Contains(known.Renames, o) && !slices.Contains(known.Renames, "?"+o) {
			r.wrong++
			t.Logf("%s: offered, and none: %s", name, o)
		}
	}
	r.lines = strings.Count(string(writeReport(t, Text, Of(found), testOptions())), "\n")
	return r
}

// worstOf returns the worst that is said by rules with a prefix, by the name of the item,
// and what of it has a witness.
func worstOf(r *drift.Report, prefix string) (map[string]drift.Severity, map[string]bool) {
	worst, proven := map[string]drift.Severity{}, map[string]bool{}
	for _, c := range r.Servers[0].Changes {
		if c.Class != drift.ClassWire || !strings.HasPrefix(c.Rule.String(), prefix) || c.Kind == schema.KindPrompt && c.Rule.Part() == drift.Item {
			continue
		}
		if worst[c.Name] == "" || c.Severity.AtLeast(worst[c.Name]) {
			worst[c.Name] = c.Severity
		}
		proven[c.Name] = proven[c.Name] || c.Witness != nil || prefix == "prompt-"
	}
	return worst, proven
}

// renamesOffered are the renames that a report speaks of, as labels write them.
func renamesOffered(r *drift.Report) []string {
	var out []string
	for _, c := range r.Servers[0].Changes {
		var was, is string
		if !c.Rule.Renames() || json.Unmarshal(c.Before, &was) != nil || json.Unmarshal(c.After, &is) != nil {
			continue
		}
		name := c.Name
		switch {
		case c.Kind == schema.KindPrompt:
			name = "prompt:" + name
		case c.Rule.Part() == drift.Results:
			name = "result:" + name
		}
		if c.Rule.Part() != drift.Item {
			name += "/" + was
		}
		out = append(out, name+"="+is)
	}
	slices.Sort(out)
	return slices.Compact(out)
}
