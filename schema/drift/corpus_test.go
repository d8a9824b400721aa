package drift

import (
	"encoding/json"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"github.com/mcpgen/mcpgen/schema"
)

// pairFile is one real change.
type pairFile struct {
	Kind          string
	Before, After json.RawMessage
}

// snapshotOfSide makes a snapshot of one side of a pair.
func snapshotOfSide(t *testing.T, kind string, raw json.RawMessage) *schema.Snapshot {
	t.Helper()
	s := &schema.Snapshot{Server: "s"}
	tools := []json.RawMessage{raw}
	if kind == "server" {
		var list struct{ Tools []json.RawMessage }
		if err := json.Unmarshal(raw, &list); err != nil {
			t.Fatal(err)
		}
		tools = list.Tools
	}
	for _, tool := range tools {
		if kind == "tool" { // a pair is the same tool, whatever its name was
			m := members(tool)
			m["name"] = text("t")
			tool, _ = json.Marshal(m)
		}
		item, err := schema.ParseItem(schema.KindTool, tool)
		if err != nil {
			t.Fatal(err)
		}
		s.Tools = append(s.Tools, item)
	}
	s.Sort()
	return s
}

// labelled is what is known of a real change.
type labelled struct {
	tool     string // "" if the pair is one tool
	breaking bool   // a value is known that breaks a caller
	strictly bool   // a value is known that breaks plain inclusion
	docs     bool   // nothing that a validator looks at changed
}

// findCorpus returns the folder of real changes and what is known of each file:
// those in DRIFT_PAIRS, with drift-labels.json beside that folder, or the sample.
func findCorpus(t *testing.T) (string, map[string][]labelled) {
	t.Helper()
	known := map[string][]labelled{}
	dir := os.Getenv("DRIFT_PAIRS")
	if dir == "" {
		dir = "../testdata/drift"
		var list map[string]string
		var callers []string
		readJSON(t, filepath.Join(dir, "labels.json"), &list)
		readJSON(t, "testdata/callers.json", &callers)
		for file, text := range list {
			known[file] = []labelled{{breaking: slices.Contains(callers, file), strictly: text == "breaking", docs: text == "docs"}}
		}
		return dir, known
	}
	var list []struct {
		File, Tool    string
		Input, Output any
	}
	readJSON(t, filepath.Join(dir, "..", "drift-labels.json"), &list)
	for _, l := range list {
		known[l.File] = append(known[l.File], labelled{
			tool: l.Tool, breaking: lensOf(l.Input) == "breaking" || lensOf(l.Output) == "breaking",
			strictly: isStrictlyBreaking(l.Input) || isStrictlyBreaking(l.Output),
			docs:     l.Input == "docs-or-order-only" && l.Output == nil,
		})
	}
	return dir, known
}

// lensOf says whether a witness proves a break for a caller.
func lensOf(side any) string {
	m, _ := side.(map[string]any)
	text, _ := m["lens"].(string)
	return text
}

func isStrictlyBreaking(side any) bool {
	m, _ := side.(map[string]any)
	return m["strict"] == "breaking"
}

func readJSON(t *testing.T, file string, into any) {
	t.Helper()
	data, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	if err := json.Unmarshal(data, into); err != nil {
		t.Fatalf("%s: %v", file, err)
	}
}

// tally counts how real changes are judged.
type tally struct {
	labels, breaks, missed, safe, alarms, unknown, with, without int
}

// aboutSchemas reports whether a change is of the kind that the labels judge.
func aboutSchemas(c *Change) bool {
	return c.Class == ClassWire && c.Rule.Part() != Item
}

// TestCorpusPairs judges real changes. DRIFT_PAIRS names a folder of them; the
// sample in testdata is taken without it. DRIFT_SHOW=1 prints every change.
func TestCorpusPairs(t *testing.T) {
	dir, known := findCorpus(t)
	var n tally
	for _, file := range slices.Sorted(maps.Keys(known)) {
		var p pairFile
		readJSON(t, filepath.Join(dir, file), &p)
		before, after := snapshotOfSide(t, p.Kind, p.Before), snapshotOfSide(t, p.Kind, p.After)
		r := mustCompare(t, before, after, &Options{})
		if os.Getenv("DRIFT_SHOW") != "" {
			t.Log(file, printReport(r))
		}
		with, without := checkWitnesses(t, r, before, after)
		n.with, n.without = n.with+with, n.without+without
		strict := mustCompare(t, before, after, &Options{Profile: Strict})
		for _, l := range known[file] {
			n.judge(t, file, l, r)
			if l.strictly && !worstSeverity(l, strict).AtLeast(Unknown) {
				t.Errorf("%s %s: not contained, and the strict profile does not say so:%s", file, l.tool, printReport(strict))
			}
		}
	}
	t.Logf("%+v", n)
	if n.breaks < 20 || n.missed > 0 || n.alarms*100 > n.safe || n.unknown*100 > 3*n.labels {
		t.Errorf("got %+v, want at least 20 breaks, none missed, at most 1 %% alarms and 3 %% unknown", n)
	}
}

// worstSeverity returns the worst that is said of a labelled tool's schemas.
func worstSeverity(l labelled, r *Report) Severity {
	worst := Off
	for _, c := range r.Servers[0].Changes {
		if (l.tool == "" || c.Name == l.tool || c.Name == "t") && aboutSchemas(&c) && c.Severity.rank() > worst.rank() {
			worst = c.Severity
		}
	}
	return worst
}

func (n *tally) judge(t *testing.T, file string, l labelled, r *Report) {
	t.Helper()
	worst := worstSeverity(l, r)
	n.labels++
	if worst == Unknown {
		n.unknown++
	}
	if l.docs && worst.AtLeast(Warning) {
		t.Errorf("%s %s: only texts differ, and it is %s:%s", file, l.tool, worst, printReport(r))
	}
	switch {
	case l.breaking:
		n.breaks++
		if !worst.AtLeast(Unknown) {
			n.missed++
			t.Errorf("%s %s: breaks callers, and is called %s:%s", file, l.tool, worst, printReport(r))
		}
	default:
		n.safe++
		if worst == Breaking {
			n.alarms++
			t.Logf("%s %s: breaks nobody that is known:%s", file, l.tool, printReport(r))
		}
	}
}

// TestRepresentationIsSilent writes real tools in another way.
func TestRepresentationIsSilent(t *testing.T) {
	dir, known := findCorpus(t)
	for _, file := range slices.Sorted(maps.Keys(known)) {
		var p pairFile
		readJSON(t, filepath.Join(dir, file), &p)
		after := snapshotOfSide(t, p.Kind, p.After)
		other := &schema.Snapshot{Server: "s"}
		for _, item := range after.Tools {
			m := members(item.Raw)
			m["description"] = text("worded anew")
			if m["outputSchema"] == nil {
				m["outputSchema"] = json.RawMessage("null")
			}
			notes := members(m["annotations"])
			if notes == nil {
				notes = map[string]json.RawMessage{}
			}
			if notes["openWorldHint"] == nil {
				notes["openWorldHint"] = json.RawMessage("true")
			}
			raw, err := json.Marshal(notes)
			if err != nil {
				t.Fatal(err)
			}
			m["annotations"] = raw
			if raw, err = json.MarshalIndent(m, "", "  "); err != nil {
				t.Fatal(err)
			}
			other.Tools = append(other.Tools, schema.Item{Kind: schema.KindTool, Name: item.Name, Raw: raw})
		}
		r := mustCompare(t, after, other, &Options{})
		if slices.ContainsFunc(r.Servers[0].Changes, func(c Change) bool { return !c.IsText() }) {
			t.Errorf("%s:%s, want changed texts alone", file, printReport(r))
		}
	}
}

// TestRealTextIsCalm looks at real servers for the first time: no text of theirs
// gates. SERVERS names a folder of listings; the corpus of the repository is
// taken without it.
func TestRealTextIsCalm(t *testing.T) {
	dir := os.Getenv("SERVERS")
	if dir == "" {
		dir = "../../golden/corpus/servers"
	}
	files, err := filepath.Glob(filepath.Join(dir, "*.json"))
	if err != nil || len(files) == 0 {
		t.Fatalf("no servers in %s: %v", dir, err)
	}
	counts := map[string]int{}
	tools := 0
	for _, file := range files {
		var server struct {
			ServerInfo   json.RawMessage
			Instructions string
			Tools        []json.RawMessage
		}
		readJSON(t, file, &server)
		s := &schema.Snapshot{Server: "s", Identity: server.ServerInfo, Instructions: server.Instructions}
		for _, raw := range server.Tools {
			item, err := schema.ParseItem(schema.KindTool, raw)
			if err != nil {
				t.Fatal(err)
			}
			s.Tools = append(s.Tools, item)
		}
		tools += len(s.Tools)
		r := mustCompare(t, nil, s, &Options{})
		for _, c := range r.Servers[0].Changes {
			counts[c.Rule.String()]++
			if c.Severity.AtLeast(Unknown) {
				t.Errorf("%s: %s %s %s: %s", filepath.Base(file), c.Rule, c.Name, c.Path, c.Message)
			}
		}
	}
	t.Logf("%d tools: %v", tools, counts)
}
