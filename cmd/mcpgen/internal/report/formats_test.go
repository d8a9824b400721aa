package report

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"
)

// wantFormats fails unless every format is valid by its schema, keeps to the limits of those
// who read it, and has the lines of the user's module first, each once.
func wantFormats(t *testing.T, name string, r *Report) {
	t.Helper()
	lines := r.ownLines()
	for _, f := range Formats() {
		data := writeReport(t, f, r, testOptions())
		err := checkInert(data)
		if err == nil {
			switch f {
			case JSON:
				err = checkSchema(data, compileSchema(t, "report.schema.json"))
			case SARIF:
				err = wantSARIF(t, data, r, lines)
			case JUnit:
				var counts map[string]int
				if counts, err = junitCounts(data); err == nil && counts["testsuites/testsuite/testcase"] < len(lines) {
					err = fmt.Errorf("%d tests, want one for each of %d lines at least", counts["testsuites/testsuite/testcase"], len(lines))
				}
			case GitHub:
				err = wantGitHub(data, lines)
			case Markdown:
				if len(data) > maxPage {
					err = fmt.Errorf("%d bytes, want at most %d", len(data), maxPage)
				} else if _, points, _ := strings.Cut(string(data), "\n- "); len(lines) > 0 && !strings.HasPrefix(points, code(lines[0].at().String())) {
					err = fmt.Errorf("the first point is %.100q, want the line %s", points, lines[0].at())
				}
			}
		}
		if err != nil {
			t.Errorf("%s: %s: %v", name, f, err)
		}
	}
}

func wantSARIF(t *testing.T, data []byte, r *Report, lines []ownLine) error {
	t.Helper()
	if err := checkSchema(data, compileSchema(t, "testdata/sarif-schema-2.1.0.json")); err != nil {
		return err
	}
	var log sarifLog
	if err := json.Unmarshal(data, &log); err != nil {
		return err
	}
	results := log.Runs[0].Results
	if len(results) > maxResults {
		return fmt.Errorf("%d results, want at most %d", len(results), maxResults)
	}
	own := 0
	for _, l := range lines {
		own += len(l.found)
	}
	for i, result := range results {
		at := result.Locations[0].Physical
		if i < own && (at == nil || !strings.HasSuffix(at.Artifact.URI, ".go")) || len(result.Locations) != 1 {
			return fmt.Errorf("result %d of %d about lines has the locations %+v, want a line of the module", i, own, result.Locations)
		}
	}
	return nil
}

func wantGitHub(data []byte, lines []ownLine) error {
	all := strings.Split(strings.TrimSuffix(string(data), "\n"), "\n")
	if len(all) > 10 {
		return fmt.Errorf("%d annotations, of which GitHub shows 10", len(all))
	}
	for i, l := range all {
		m := annotation.FindStringSubmatch(l)
		switch {
		case l == "" && len(lines) == 0:
		case m == nil || len(l) > 4096:
			return fmt.Errorf("the line %.200q of %d bytes is not an annotation that GitHub takes whole", l, len(l))
		case i < min(len(lines), maxAnnotations) && m[2]+":"+m[3] != property(lines[i].File)+fmt.Sprintf(":%d", lines[i].Line):
			return fmt.Errorf("annotation %d is at %s:%s, want the line %s", i+1, m[2], m[3], lines[i].at())
		}
	}
	return nil
}
