package drift

// This file holds the report to answers that were found by hand.

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestLabelled judges each line of testdata/labelled as arguments and as a
// result. The first lines there say how to read them.
func TestLabelled(t *testing.T) {
	files, err := filepath.Glob("testdata/labelled/*.txt")
	if err != nil || len(files) == 0 {
		t.Fatalf("no cases: %v", err)
	}
	judged, undecided := 0, 0
	for _, file := range files {
		data, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		for i, line := range strings.Split(string(data), "\n") {
			if line == "" || strings.HasPrefix(line, "#") {
				continue
			}
			labels, before, after := labelledLine(line)
			if len(labels) != 2 || after == "" {
				t.Fatalf("%s:%d: not a case", file, i+1)
			}
			for at, side := range []string{"input", "output"} {
				c := schemaCase{}
				was, is := snapshotOf(c.tool(side, asWhole(before))), snapshotOf(c.tool(side, asWhole(after)))
				r := mustCompare(t, was, is, &Options{})
				said := worstSeverity(labelled{}, r)
				if judged++; said == Unknown {
					undecided++
				}
				if !strings.Contains(allowed[labels[at]], string(said.sort())) {
					t.Errorf("%s:%d: as %s it is %s, not %s\n\t%s\n\t%s%s", file, i+1, side, said, labels[at], before, after, printReport(r))
				}
				strict := mustCompare(t, was, is, &Options{Profile: Strict})
				if said == Breaking && !worstSeverity(labelled{}, strict).AtLeast(Unknown) {
					t.Errorf("%s:%d: as %s it breaks callers, and is safe by plain inclusion\n\t%s\n\t%s%s", file, i+1, side, before, after, printReport(strict))
				}
				if json.Valid([]byte(before)) && json.Valid([]byte(after)) {
					checkWitnesses(t, r, was, is)
				}
			}
		}
	}
	t.Logf("%d answers, %d of them unknown", judged, undecided)
	if judged < 500 {
		t.Errorf("only %d cases were judged", judged)
	}
}

// allowed are the answers that a label takes.
var allowed = map[string]string{"S": "S", "B": "B", "U": "U", "s": "SU", "b": "BU"}

// sort is the letter of a severity.
func (s Severity) sort() byte {
	switch s {
	case Breaking:
		return 'B'
	case Unknown:
		return 'U'
	}
	return 'S'
}

func labelledLine(line string) (labels []string, before, after string) {
	line, _, _ = strings.Cut(line, " # ")
	before, after, _ = strings.Cut(line, " => ")
	if parts := strings.SplitN(before, " ", 3); len(parts) == 3 {
		labels, before = parts[:2], parts[2]
	}
	return labels, strings.TrimSpace(before), strings.TrimSpace(after)
}

// asWhole returns a snippet as a whole schema.
func asWhole(snippet string) string {
	if strings.HasPrefix(snippet, "=") {
		return snippet
	}
	return `={"type":"object","properties":{"p":` + snippet + `},"required":["p"]}`
}
