package drift

import (
	"encoding/json"
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

// surface makes a snapshot of one side of a pair.
func surface(t *testing.T, kind string, raw json.RawMessage) *schema.Snapshot {
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

// label is what is known of one tool of a pair.
type label struct {
	File, Tool    string
	Input, Output any
}

// lens says whether a witness proves a break for a caller.
func lens(side any) string {
	m, _ := side.(map[string]any)
	text, _ := m["lens"].(string)
	return text
}

// TestCorpusPairs judges real changes. DRIFT_PAIRS is a folder of them with
// labels in ../drift-labels.json beside it; without it the sample in testdata is
// taken.
func TestCorpusPairs(t *testing.T) {
	dir, labelFile := "../testdata/drift", ""
	if other := os.Getenv("DRIFT_PAIRS"); other != "" {
		dir, labelFile = other, filepath.Join(other, "..", "drift-labels.json")
	}
	_ = labelFile
	files, err := filepath.Glob(filepath.Join(dir, "*-*.json"))
	if err != nil || len(files) == 0 {
		t.Fatal("no pairs in " + dir)
	}
	labels := map[string]label{}
	if labelFile != "" {
		data, err := os.ReadFile(labelFile)
		if err != nil {
			t.Fatal(err)
		}
		var list []label
		if err := json.Unmarshal(data, &list); err != nil {
			t.Fatal(err)
		}
		for _, l := range list {
			labels[l.File+" "+l.Tool] = l
		}
	}
	var n, breaks, caught, safe, alarms, unknown int
	for _, file := range files {
		data, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		var p pairFile
		if err := json.Unmarshal(data, &p); err != nil {
			t.Fatal(err)
		}
		r := Compare(surface(t, p.Kind, p.Before), surface(t, p.Kind, p.After), nil)
		worst := map[string]Severity{}
		for _, c := range r.Servers[0].Changes {
			if os.Getenv("DRIFT_SHOW") != "" {
				t.Logf("%s %s: %s %s %s %s W=%s", filepath.Base(file), c.Name, c.Severity, c.Rule, c.Path, c.Message, c.Witness)
			}
			if c.Class == ClassSecurity || c.Rule == "tool-removed" || c.Rule == "tool-renamed" || c.Rule == "tool-added" {
				continue
			}
			key := filepath.Base(file) + " " + c.Name
			if p.Kind == "tool" {
				key = filepath.Base(file)
			}
			if worst[key] == "" || c.Severity.rank() > worst[key].rank() {
				worst[key] = c.Severity
			}
		}
		for key, l := range labels {
			if l.File != filepath.Base(file) {
				continue
			}
			n++
			if p.Kind == "tool" {
				key = l.File
			}
			got := worst[key]
			if got == Unknown {
				unknown++
				t.Logf("unknown: %s", key)
			}
			if slices.Contains([]string{lens(l.Input), lens(l.Output)}, "breaking") {
				breaks++
				if got.AtLeast(Unknown) {
					caught++
				} else {
					t.Errorf("false safe: %s: %s", key, got)
				}
			} else {
				safe++
				if got == Breaking {
					alarms++
					t.Logf("alarm: %s %v %v", key, l.Input, l.Output)
				}
			}
		}
	}
	t.Logf("%d labelled, %d breaks caught of %d, %d alarms of %d, %d unknown", n, caught, breaks, alarms, safe, unknown)
}
