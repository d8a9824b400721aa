package main

import (
	"errors"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// The repository's own corpus.
const (
	ownServers   = "../corpus/servers"
	ownHard      = "../corpus/hard"
	ownNumbers   = "../corpus/numbers.json"
	ownInstances = "../../generator/internal/decide/testdata/instances"
)

// linkFolder makes a folder with some files of another.
func linkFolder(t *testing.T, from string, names ...string) string {
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
		servers:   linkFolder(t, ownServers, "everything", "memory"),
		hard:      linkFolder(t, ownHard, smallHard...),
		instances: ownInstances,
		suite:     smallSuite(t),
		numbers:   ownNumbers,
		failures:  t.TempDir(),
		checkout:  "../..",
	}
	subjects, err := readCorpus(o)
	if err != nil {
		t.Fatal(err)
	}
	numbers := slices.DeleteFunc(slices.Clone(subjects), func(s *subject) bool { return s.set != setSuite || s.name != "suite-own-numbers" })
	more, err := placed(numbers)
	if err != nil {
		t.Fatal(err)
	}
	subjects = append(subjects, more...)
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
	for _, want := range []string{"real: build", "real: all values", "hard: all values", "suite: as results", "placed: as results", "real: schemas", "real: invalid values refused"} {
		if !slices.ContainsFunc(r.rows, func(row row) bool { return row.name == want && row.bar != "" }) {
			t.Errorf("%q was not measured", want)
		}
	}
}

// What make bench compares with must build, and know nothing of mcpgen.
func TestByHand(t *testing.T) {
	subjects, err := readCorpus(options{
		servers:   linkFolder(t, ownServers, "everything", "github", "memory"),
		hard:      linkFolder(t, ownHard, smallHard...),
		instances: ownInstances,
	})
	if err != nil {
		t.Fatal(err)
	}
	generateAll(subjects, newReport())
	subjects = slices.DeleteFunc(subjects, func(s *subject) bool { return s.set != setReal })
	m := &module{t.TempDir()}
	if err := m.write("go.mod", []byte("module "+moduleName+"\n\ngo 1.26.0\n")); err != nil {
		t.Fatal(err)
	}
	if err := m.writeByHand(subjects); err != nil {
		t.Fatal(err)
	}
	if said, err := m.run(t.Context(), nil, "go", "build", "./..."); err != nil {
		t.Errorf("building what stands for code by hand: %v\n%s", err, said.Stderr)
	}
}

// excused are the figures that may be below their bars, and why.
var excused = map[string]string{
	"median over the tools": "it is for a corpus, and two servers are none",
}

// smallHard are the hard schemas of TestConformance.
var smallHard = []string{"conditions-only", "constraints", "default-zero", "draft07-beside-ref", "enum-nullable", "id-anchor", "integer-vs-number", "names-methods", "names-unrepresentable",
	"nullable-type-array", "object-implied", "pattern-all", "recursive-root", "ref-chain", "toplevel-string", "tuple-prefixitems",
	"unevaluated-conditions", "union-closed", "union-in-array", "union-nested", "union-scalar"}

// smallSuite makes a folder with a part of the JSON-Schema-Test-Suite, which the
// module cache has.
func smallSuite(t *testing.T) string {
	t.Helper()
	out, err := exec.Command("go", "list", "-m", "-f", "{{.Dir}}", "github.com/google/jsonschema-go").Output()
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	for _, d := range drafts {
		from := filepath.Join(strings.TrimSpace(string(out)), "jsonschema", "testdata", d.folder)
		for _, name := range []string{"if-then-else.json", "ref.json", "unevaluatedProperties.json"} {
			data, err := os.ReadFile(filepath.Join(from, name))
			if errors.Is(err, fs.ErrNotExist) {
				continue // draft 07 has no such keyword
			}
			to := filepath.Join(dir, d.folder)
			if err := errors.Join(err, os.MkdirAll(to, 0o777), os.WriteFile(filepath.Join(to, name), data, 0o666)); err != nil {
				t.Fatal(err)
			}
		}
	}
	return dir
}

func TestCorpusErrors(t *testing.T) {
	dir := t.TempDir()
	if _, err := readCorpus(options{servers: dir}); err == nil {
		t.Error("readCorpus of an empty folder has no error, want one")
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
