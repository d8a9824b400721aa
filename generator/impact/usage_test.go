package impact

import (
	"encoding/json"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/mcpgen/mcpgen/schema/drift"
)

// touchedBy returns the changes of a report that fail a check on the wire and have call sites.
func touchedBy(r *drift.Report) []string {
	var out []string
	for _, s := range r.Servers {
		for _, c := range s.Changes {
			if len(c.CallSites) > 0 && c.Severity.AtLeast(drift.Unknown) && c.Rule != drift.SourceIncompatible {
				out = append(out, c.Name+" "+c.Rule.String()+" "+c.Path)
			}
		}
	}
	slices.Sort(out)
	return slices.Compact(out)
}

// A record of the uses says of each change on the wire that touches the code that it does, and of one that
// touches none of the server's items nothing.
func TestTouched(t *testing.T) {
	for _, name := range []string{"bounds", "enum_value_removed", "property_removed", "shared", "surface", "tool_removed", "unions"} {
		t.Run(name, func(t *testing.T) {
			p, files, _ := readArchive(t, filepath.Join("testdata", name+".txtar"))
			found, _ := p.find(t)
			used, _, _, err := Used(t.Context(), p.options())
			if err != nil {
				t.Fatal(err)
			}
			record, err := json.Marshal(used["srv"])
			if err != nil {
				t.Fatal(err)
			}
			for _, text := range files {
				for line := range strings.Lines(text) {
					if line = strings.TrimSpace(line); len(line) > 20 && strings.Contains(string(record), line) {
						t.Errorf("the record has the line %q", line)
					}
				}
			}
			var back []Usage
			if err := json.Unmarshal(record, &back); err != nil {
				t.Fatal(err)
			}
			report := p.report(drift.Caller)
			if err := Touched(t.Context(), p.options(), "srv", back, report); err != nil {
				t.Fatal(err)
			}
			got := touchedBy(report)
			if len(got) == 0 {
				t.Error("nothing is touched")
			}
			for _, want := range touchedBy(found) {
				if !slices.Contains(got, want) {
					t.Errorf("not touched by the record: %s\n%s", want, record)
				}
			}
			none := p.report(drift.Caller)
			if err := Touched(t.Context(), p.options(), "srv", nil, none); err != nil || len(touchedBy(none)) > 0 {
				t.Errorf("without uses: %v, %q", err, touchedBy(none))
			}
		})
	}
}
