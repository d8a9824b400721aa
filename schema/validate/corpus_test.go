package validate_test

// Real schemas with valid and invalid values, judged by this package and by a
// wantSecondValidator validator.

import (
	"bufio"
	"bytes"
	"compress/gzip"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	google "github.com/google/jsonschema-go/jsonschema"

	"github.com/mcpgen/mcpgen/schema/validate"
)

// subject is a schema with values that are said to fit it or not.
type subject struct {
	name           string
	schema         json.RawMessage
	valid, invalid []json.RawMessage
}

// readCorpus returns the tools of real servers with the values in testdata.
func readCorpus(t testing.TB) []subject {
	t.Helper()
	files, err := filepath.Glob("testdata/instances/*.jsonl.gz")
	if err != nil || len(files) == 0 {
		t.Fatalf("no instances: %v", err)
	}
	var all []subject
	for _, file := range files {
		server := strings.TrimSuffix(filepath.Base(file), ".jsonl.gz")
		schemas := serverSchemas(t, server)
		for _, line := range readLines(t, file) {
			var values struct {
				Tool, Side     string
				Valid, Invalid []struct{ V json.RawMessage }
			}
			if err := json.Unmarshal(line, &values); err != nil {
				t.Fatal(err)
			}
			s := subject{name: server + "/" + values.Tool + "/" + values.Side, schema: schemas[values.Tool+"/"+values.Side]}
			if s.schema == nil {
				t.Fatalf("%s: no such schema", s.name)
			}
			for _, v := range values.Valid {
				s.valid = append(s.valid, v.V)
			}
			for _, v := range values.Invalid {
				s.invalid = append(s.invalid, v.V)
			}
			all = append(all, s)
		}
	}
	return all
}

// readHardSchemas returns the hard schemas.
func readHardSchemas(t testing.TB) []subject {
	t.Helper()
	files, err := filepath.Glob("../../golden/corpus/hard/*.json")
	if err != nil || len(files) == 0 {
		t.Fatalf("no hard schemas: %v", err)
	}
	var all []subject
	for _, file := range files {
		var c struct {
			Schema         json.RawMessage
			Valid, Invalid []json.RawMessage
		}
		if err := json.Unmarshal(readFile(t, file), &c); err != nil {
			t.Fatalf("%s: %v", file, err)
		}
		all = append(all, subject{name: filepath.Base(file), schema: c.Schema, valid: c.Valid, invalid: c.Invalid})
	}
	return all
}

// serverSchemas returns the schemas of a server by tool and side.
func serverSchemas(t testing.TB, server string) map[string]json.RawMessage {
	t.Helper()
	var listing struct {
		Tools []struct {
			Name                      string
			Snap                      string `json:"_snap"` // the file it was in, which the values name it by
			InputSchema, OutputSchema json.RawMessage
		}
	}
	if err := json.Unmarshal(readFile(t, "../../golden/corpus/servers/"+server+".json"), &listing); err != nil {
		t.Fatal(err)
	}
	schemas := map[string]json.RawMessage{}
	for _, tool := range listing.Tools {
		schemas[strings.TrimSuffix(tool.Snap, ".snap")+"/input"] = tool.InputSchema
		schemas[tool.Name+"/input"] = tool.InputSchema
		schemas[tool.Name+"/output"] = tool.OutputSchema
	}
	return schemas
}

func readFile(t testing.TB, file string) []byte {
	t.Helper()
	b, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	return b
}

func readLines(t testing.TB, file string) [][]byte {
	t.Helper()
	z, err := gzip.NewReader(bytes.NewReader(readFile(t, file)))
	if err != nil {
		t.Fatal(err)
	}
	var all [][]byte
	scan := bufio.NewScanner(z)
	scan.Buffer(nil, 1<<24)
	for scan.Scan() {
		all = append(all, bytes.Clone(scan.Bytes()))
	}
	if err := scan.Err(); err != nil {
		t.Fatal(err)
	}
	return all
}

// differs are the subjects on which the second validator is known to be wrong
// or to refuse the schema, with the reason.
var differs = map[string]string{
	"pattern-ecma.json": "it refuses the schema for its look-ahead",
	"number-exact.json": "it compares 18446744073709551615 as a float64",
}

func TestCorpus(t *testing.T) {
	schemas, valid, invalid := 0, 0, 0
	for _, c := range append(readCorpus(t), readHardSchemas(t)...) {
		schemas++
		s, err := validate.New(c.schema)
		if err != nil {
			t.Errorf("%s: %v", c.name, err)
			continue
		}
		for _, v := range c.valid {
			valid++
			if err := s.Validate(v); err != nil {
				t.Errorf("%s: valid value refused: %v\n%.300s", c.name, err, v)
			}
		}
		for _, v := range c.invalid {
			invalid++
			if err := s.Validate(v); err == nil {
				t.Errorf("%s: invalid value accepted: %.300s", c.name, v)
			}
		}
		wantSecondValidator(t, c, s)
	}
	t.Logf("%d schemas: %d valid values, %d invalid ones", schemas, valid, invalid)
}

// wantSecondValidator compares each verdict with that of another validator.
func wantSecondValidator(t *testing.T, c subject, s *validate.Schema) {
	t.Helper()
	if differs[c.name] != "" {
		return
	}
	resolved, err := resolveGoogle(c.schema)
	if err != nil {
		t.Errorf("%s: the second validator refuses the schema: %v", c.name, err)
		return
	}
	for _, raw := range append(c.valid, c.invalid...) {
		var v any
		if err := json.Unmarshal(raw, &v); err != nil {
			t.Fatal(err)
		}
		ours, theirs := s.Validate(raw), resolved.Validate(v)
		if (ours == nil) != (theirs == nil) {
			t.Errorf("%s: we say %v, the second validator %v: %.300s", c.name, ours, theirs, raw)
		}
	}
}

func resolveGoogle(raw json.RawMessage) (*google.Resolved, error) {
	var parsed google.Schema
	if err := json.Unmarshal(raw, &parsed); err != nil {
		return nil, err
	}
	return parsed.Resolve(nil)
}
