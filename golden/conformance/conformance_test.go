package main

import (
	"os"
	"path/filepath"
	"slices"
	"testing"
)

// The repository's own corpus.
const (
	ownServers   = "../corpus/servers"
	ownHard      = "../corpus/hard"
	ownInstances = "../../generator/internal/decide/testdata/instances"
)

// link makes a folder with some files of another.
func link(t *testing.T, from string, names ...string) string {
	t.Helper()
	dir := t.TempDir()
	for _, name := range names {
		data, err := os.ReadFile(filepath.Join(from, name+".json"))
		if err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(dir, name+".json"), data, 0o666); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

// A small part of what make conformance-types measures, by the same bars.
func TestConformance(t *testing.T) {
	o := options{
		servers:   link(t, ownServers, "everything", "memory"),
		hard:      link(t, ownHard, smallHard...),
		instances: ownInstances,
		failures:  t.TempDir(),
		checkout:  "../..",
	}
	subjects, err := readCorpus(o)
	if err != nil {
		t.Fatal(err)
	}
	r := newReport()
	if err := measure(t.Context(), o, subjects, r); err != nil {
		t.Fatal(err)
	}
	for _, row := range r.rows {
		switch reason := excused[row.name]; {
		case row.below && reason != "":
			t.Logf("%s: %s, bar %s: %s", row.name, row.figure, row.bar, reason)
		case row.below:
			t.Errorf("%s: %s, bar %s: run make conformance-types", row.name, row.figure, row.bar)
		}
	}
	for _, want := range []string{"real: build", "real: all values", "hard: all values", "real: schemas", "real: invalid values refused"} {
		if !slices.ContainsFunc(r.rows, func(row row) bool { return row.name == want && row.bar != "" }) {
			t.Errorf("%q was not measured", want)
		}
	}
}

// excused are the figures that may be below their bars, and why.
var excused = map[string]string{
	"median over the tools": "it is for a corpus, and two servers are none",
}

// smallHard are the hard schemas of TestConformance.
var smallHard = []string{"constraints", "enum-nullable", "id-anchor", "integer-vs-number", "names-methods", "names-unrepresentable",
	"nullable-type-array", "recursive-root", "toplevel-string", "tuple-prefixitems", "union-in-array", "union-scalar"}

func TestCorpusErrors(t *testing.T) {
	dir := t.TempDir()
	if _, err := readCorpus(options{servers: dir}); err == nil {
		t.Error("an empty folder has nothing to measure")
	}
	if err := os.WriteFile(filepath.Join(dir, "x.json"), []byte(`{"tools":[{"name":"a","inputSchema":{}},{"name":"a","inputSchema":{}}]}`), 0o666); err != nil {
		t.Fatal(err)
	}
	subjects, err := readCorpus(options{servers: dir})
	if err != nil || len(subjects[0].snapshot.Tools) != 1 || len(subjects[0].twice) != 1 {
		t.Errorf("two tools by one name: %+v, %v", subjects, err)
	}
}

// BenchmarkGenerate generates all servers of the corpus in one process.
func BenchmarkGenerate(b *testing.B) {
	subjects, err := readCorpus(options{servers: ownServers})
	if err != nil {
		b.Fatal(err)
	}
	r := newReport()
	for _, s := range subjects {
		if err := s.generate(r); err != nil {
			b.Fatal(err)
		}
	}
	for b.Loop() {
		if _, err := together(setReal, subjects); err != nil {
			b.Fatal(err)
		}
	}
}
