package impact

import (
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// Each archive in testdata is one kind of change: what a server said before and
// after, and a module whose lines say by hand what has to be found on them:
//
//	code // want rule=Symbol
//
// Several are separated by spaces; one that ends with a question mark calls the item, and
// whether it sends or reads what changed is not known. A line that is found and does not say so fails
// as much as one that says so and is not found. Then the drift is accepted, and what
// the compiler refuses has to be among those lines.
func TestFind(t *testing.T) {
	names, err := filepath.Glob("testdata/*.txtar")
	if err != nil || len(names) == 0 {
		t.Fatal(err, "no testdata")
	}
	for _, path := range names {
		t.Run(strings.TrimSuffix(filepath.Base(path), ".txtar"), func(t *testing.T) {
			t.Parallel()
			p, files, _ := readArchive(t, path)
			report, problems := p.find(t)
			for _, problem := range problems {
				t.Errorf("problem: %+v", problem)
			}
			wantSites(t, expectedSites(files), callSites(report))
			p.checkWithCompiler(t, files, report)
		})
	}
}

// expectedSites reads the call sites that the lines of files want.
func expectedSites(files map[string]string) []string {
	var out []string
	for name, text := range files {
		for i, line := range strings.Split(text, "\n") {
			_, want, _ := strings.Cut(line, "// want ")
			for word := range strings.FieldsSeq(want) {
				out = append(out, fmt.Sprintf("%s:%d: %s", name, i+1, word))
			}
		}
	}
	return out
}

func wantSites(t *testing.T, want, got []string) {
	t.Helper()
	for _, w := range want {
		if !slices.Contains(got, w) {
			t.Errorf("missing call site: %s", w)
		}
	}
	for _, g := range got {
		if !slices.Contains(want, g) {
			t.Errorf("unexpected call site: %s", g)
		}
	}
}
