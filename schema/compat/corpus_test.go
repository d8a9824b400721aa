package compat_test

// Real changes of real tools, with what is known of each.

import (
	"encoding/json"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"github.com/mcpgen/mcpgen/schema/compat"
	"github.com/mcpgen/mcpgen/schema/jsonschema"
)

// change is one schema of a tool before and after.
type change struct {
	name         string
	input        bool
	old, new     json.RawMessage
	strict, lens string // breaking or no-witness; "" is not known
}

// definition is what a tool says of its schemas.
type definition struct {
	Name         string
	InputSchema  json.RawMessage
	OutputSchema json.RawMessage
}

type label struct {
	File, Tool    string
	Input, Output json.RawMessage
}

func (l label) of(input bool) (strict, lens string) {
	var said struct{ Strict, Lens string }
	raw := l.Output
	if input {
		raw = l.Input
	}
	if json.Unmarshal(raw, &said) != nil {
		return "", ""
	}
	return said.Strict, said.Lens
}

// readChanges reads the pairs in a directory with their labels.
func readChanges(t testing.TB, dir, labels string) []change {
	t.Helper()
	var said []label
	readJSON(t, labels, &said)
	var all []change
	files, err := filepath.Glob(filepath.Join(dir, "*-*.json"))
	if err != nil || len(files) == 0 {
		t.Fatalf("no pairs: %v", err)
	}
	for _, file := range files {
		var pair struct {
			Kind          string
			Before, After json.RawMessage
		}
		readJSON(t, file, &pair)
		before, after := toolsOf(t, pair.Kind, pair.Before), toolsOf(t, pair.Kind, pair.After)
		for _, old := range before {
			i := slices.IndexFunc(after, func(d definition) bool { return d.Name == old.Name || pair.Kind == "tool" })
			if i < 0 {
				continue
			}
			for _, input := range []bool{true, false} {
				c := change{name: filepath.Base(file) + "/" + old.Name, input: input, old: old.InputSchema, new: after[i].InputSchema}
				if !input {
					c.old, c.new = old.OutputSchema, after[i].OutputSchema
				}
				if len(c.old) == 0 || len(c.new) == 0 || string(c.old) == string(c.new) {
					continue
				}
				for _, l := range said {
					if l.File == filepath.Base(file) && (l.Tool == old.Name || pair.Kind == "tool") {
						c.strict, c.lens = l.of(input)
					}
				}
				all = append(all, c)
			}
		}
	}
	return all
}

func toolsOf(t testing.TB, kind string, raw json.RawMessage) []definition {
	t.Helper()
	if kind == "tool" {
		raw = json.RawMessage(`{"tools":[` + string(raw) + `]}`)
	}
	var side struct{ Tools []definition }
	if err := json.Unmarshal(raw, &side); err != nil {
		t.Fatal(err)
	}
	return side.Tools
}

func readJSON(t testing.TB, file string, into any) {
	t.Helper()
	data, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	if err := json.Unmarshal(data, into); err != nil {
		t.Fatalf("%s: %v", file, err)
	}
}

func (c change) check(t testing.TB, lens bool) compat.Verdict {
	t.Helper()
	old, new := parseDocument(t, c.old), parseDocument(t, c.new)
	opts := &compat.Options{}
	switch {
	case c.input && lens:
		opts.Lens = compat.CallerInput
	case lens:
		opts.Lens = compat.CallerOutput
	}
	if c.input {
		return compat.Check(t.Context(), old, new, opts)
	}
	return compat.Check(t.Context(), new, old, opts)
}

func parseDocument(t testing.TB, raw json.RawMessage) *jsonschema.Document {
	t.Helper()
	doc, err := jsonschema.Parse(raw)
	if err != nil {
		t.Fatal(err)
	}
	return doc
}

// TestPairs holds the verdicts against the labels: what has a witness is never
// Contained, what has none is hardly ever something else.
func TestPairs(t *testing.T) {
	dir, labels := "../testdata/drift", "testdata/labels.json"
	if root := os.Getenv("MCPGEN_CORPUS"); root != "" {
		dir, labels = filepath.Join(root, "drift-pairs"), filepath.Join(root, "drift-labels.json")
	}
	counts := map[string]int{}
	for _, c := range readChanges(t, dir, labels) {
		for _, lens := range []bool{false, true} {
			said := c.strict
			if lens {
				said = c.lens
			}
			v := c.check(t, lens)
			mode := "strict"
			if lens {
				mode = "lens"
			}
			counts[mode+" "+said+" → "+v.Answer.String()]++
			switch {
			case said == "breaking" && v.Answer == compat.Contained:
				t.Errorf("%s (input %v, %s): a break is called safe: %s", c.name, c.input, mode, v.Reason)
			case v.Answer == compat.Unknown, said == "no-witness" && v.Answer == compat.NotContained:
				t.Logf("%s (input %v, %s), labelled %q: %v at %q: %s %s", c.name, c.input, mode, said, v.Answer, v.Pointer, v.Reason, v.Witness)
			}
		}
	}
	for _, key := range slices.Sorted(maps.Keys(counts)) {
		t.Logf("%4d %s", counts[key], key)
	}
}
