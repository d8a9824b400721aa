package sample

// Values of real and hard schemas.

import (
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"github.com/mcpgen/mcpgen/schema/jsonschema"
	"github.com/mcpgen/mcpgen/schema/validate"
)

type subject struct {
	name   string
	schema json.RawMessage
}

// readSubjects returns the schemas of real servers and the hard ones.
func readSubjects(t testing.TB) []subject {
	t.Helper()
	var all []subject
	for _, file := range findFiles(t, "../../golden/corpus/servers/*.json") {
		var listing struct {
			Tools []struct {
				Name                      string
				InputSchema, OutputSchema json.RawMessage
			}
		}
		readJSON(t, file, &listing)
		for _, tool := range listing.Tools {
			all = append(all, subject{filepath.Base(file) + "/" + tool.Name, tool.InputSchema})
			if tool.OutputSchema != nil {
				all = append(all, subject{filepath.Base(file) + "/" + tool.Name + "/output", tool.OutputSchema})
			}
		}
	}
	for _, file := range findFiles(t, "../../golden/corpus/hard/*.json") {
		var c struct{ Schema json.RawMessage }
		readJSON(t, file, &c)
		all = append(all, subject{filepath.Base(file), c.Schema})
	}
	return all
}

func findFiles(t testing.TB, pattern string) []string {
	t.Helper()
	files, err := filepath.Glob(pattern)
	if err != nil || len(files) == 0 {
		t.Fatalf("%s: no files: %v", pattern, err)
	}
	return files
}

func readJSON(t testing.TB, file string, v any) {
	t.Helper()
	b, err := os.ReadFile(file)
	if err == nil {
		err = json.Unmarshal(b, v)
	}
	if err != nil {
		t.Fatalf("%s: %v", file, err)
	}
}

func parseDocument(t testing.TB, raw json.RawMessage) *jsonschema.Document {
	t.Helper()
	doc, err := jsonschema.Parse(raw)
	if err != nil {
		t.Fatal(err)
	}
	return doc
}

// lookAround is a schema with a required member whose pattern RE2 does not take:
// no value can be found that is known to fit.
const lookAround = "pattern-ecma.json"

// What is put together should fit before the last check: else that hides that
// the generator is wrong.
func TestCorpus(t *testing.T) {
	all := readSubjects(t)
	made, fit := 0, 0
	for _, c := range all {
		doc := parseDocument(t, c.schema)
		s, err := validate.New(c.schema)
		if err != nil {
			t.Errorf("%s: %v", c.name, err)
			continue
		}
		g, err := newGenerator(doc, doc.Root, nil)
		if err != nil {
			t.Fatal(err)
		}
		values := g.values(conjunction{doc.Root}, recursions, g.max)
		for _, v := range values {
			made++
			if err := s.Validate(json.RawMessage(v)); err != nil {
				t.Logf("%s: %v: %.200s", c.name, err, v)
				continue
			}
			fit++
		}
		example, ok := Example(c.schema)
		if none := c.name == lookAround; none != (len(values) == 0) || none == ok {
			t.Errorf("%s: %d values, an example: %v", c.name, len(values), ok)
		}
		if ok && s.Validate(example) != nil {
			t.Errorf("%s: the example %s does not fit", c.name, example)
		}
	}
	t.Logf("%d schemas: %d values made, %d of them fit", len(all), made, fit)
	if float64(fit) < 0.999*float64(made) {
		t.Errorf("only %d of %d values fit", fit, made)
	}
}

// The same schema gives the same values.
func TestSame(t *testing.T) {
	for _, c := range readSubjects(t)[:40] {
		doc := parseDocument(t, c.schema)
		a := slices.Collect(Values(doc, nil, nil))
		b := slices.Collect(Values(parseDocument(t, c.schema), nil, nil))
		if !slices.EqualFunc(a, b, func(x, y json.RawMessage) bool { return string(x) == string(y) }) {
			t.Errorf("%s: values differ", c.name)
		}
	}
}
