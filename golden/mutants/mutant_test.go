package main

import (
	"go/parser"
	"go/token"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// load reads all mutants, each of which can be applied.
func load(t *testing.T) []Mutant {
	t.Helper()
	all, err := Load("../..", "")
	if err != nil {
		t.Fatal(err)
	}
	return all
}

// Every mutant can be applied, and every promise of SECURITY.md has one whose test
// promises.txt names.
func TestMutants(t *testing.T) {
	all := load(t)
	page, err := os.ReadFile("../../SECURITY.md")
	if err != nil {
		t.Fatal(err)
	}
	list, err := os.ReadFile("../promises.txt")
	if err != nil {
		t.Fatal(err)
	}
	_, rest, _ := strings.Cut(string(page), "\n## What is promised")
	promised, _, _ := strings.Cut(rest, "\n## What is not promised")
	for _, m := range regexp.MustCompile(`(?m)^\*\*([^*]+)\*\*`).FindAllStringSubmatch(promised, -1) {
		promise, n := strings.Join(strings.Fields(m[1]), " "), 0
		_, tests, ok := strings.Cut("\n"+string(list), "\n"+promise+"\n")
		if !ok {
			t.Errorf("promises.txt lacks the promise %q", promise)
		}
		tests, _, _ = strings.Cut(tests, "\n\n")
		for _, m := range all {
			if !strings.HasPrefix(m.Name, "promises/") || m.Group != promise {
				continue
			}
			if n++; !slices.Contains(strings.Fields(tests), m.Test) {
				t.Errorf("%s: promises.txt does not name its test %s", m.Name, m.Test)
			}
		}
		if n == 0 {
			t.Errorf("the promise %q has no mutant in golden/mutants/promises", promise)
		}
	}
	for _, m := range all {
		if strings.HasPrefix(m.Name, "promises/") && !strings.Contains(strings.Join(strings.Fields(promised), " "), "**"+m.Group+"**") {
			t.Errorf("%s: SECURITY.md has no promise %q", m.Name, m.Group)
		}
	}
}

// Every row of the five systems has a mutant that its own test has to notice, or the reason
// why no change of the code breaks it.
func TestSystems(t *testing.T) {
	rows, err := os.ReadFile("../seeds/rows.txt")
	if err != nil {
		t.Fatal(err)
	}
	broken := map[string]bool{}
	for _, m := range load(t) {
		if name, ok := strings.CutPrefix(m.Name, "systems/"); ok {
			row := name[:min(len(name), len("000-00"))]
			broken[row] = true
			if m.Reason == "" && m.Test != "TestSeed/"+row {
				t.Errorf("%s: its test is %s, and not that of the row", m.Name, m.Test)
			}
		}
	}
	for line := range strings.Lines(string(rows)) {
		if row, name, _ := strings.Cut(line, " "); row != "#" && !broken[row] {
			t.Errorf("the row %s, %s, has no mutant in golden/mutants/systems", row, strings.TrimSpace(name))
		}
	}
}

// A mutant of the house is noticed by a test of its own room: of the folder that it
// changes, or of one that the folder is internal to.
func TestHouse(t *testing.T) {
	rooms := map[string]bool{}
	for _, m := range load(t) {
		if !strings.HasPrefix(m.Name, "house/") {
			continue
		}
		rooms[m.Package] = true
		for _, e := range m.Edits {
			room := strings.TrimPrefix(m.Package, "./")
			if file := strings.ReplaceAll(e.File, "/internal/", "/"); !strings.HasPrefix(e.File, room+"/") && !strings.HasPrefix(file, room+"/") {
				t.Errorf("%s: the test of %s is not of the room of %s", m.Name, m.Package, e.File)
			}
		}
	}
	if len(rooms) < 10 {
		t.Errorf("%d rooms have mutants, want ten", len(rooms))
	}
}

const switched = `package p

import "context"

type s[T any] struct{ v T }

func (s[T]) add(_ context.Context, n int, more ...int) (sum int, err error) {
	for _, m := range more {
		sum += m
	}
	return sum + n, nil
}

func both[A, B any](a A, b B) { _, _ = a, b }

var limit = 3
`

// A function gets its mutants beside it; what is no inside of a function is left.
func TestSwitches(t *testing.T) {
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "p.go"), []byte(switched), 0o600); err != nil {
		t.Fatal(err)
	}
	edit := func(name, before, after string) Mutant {
		return Mutant{Name: "set/" + name, Edits: []Edit{{File: "p.go", Before: []byte(before), After: []byte(after)}}}
	}
	alone, err := Switches(dir, "on", []Mutant{
		edit("a-1", "sum += m", "sum -= m"), edit("b", "sum + n", "n"), edit("c", "_, _ = a, b", "_, _ = b, a"), edit("d", "limit = 3", "limit = 4"),
	})
	if err != nil || len(alone) != 1 || alone[0].Name != "set/d" {
		t.Errorf("alone: %v, %v", alone, err)
	}
	got, err := os.ReadFile(filepath.Join(dir, "p.go"))
	if err != nil {
		t.Fatal(err)
	}
	if _, err := parser.ParseFile(token.NewFileSet(), "p.go", got, 0); err != nil {
		t.Errorf("%v in\n%s", err, got)
	}
	for _, want := range []string{
		"func (s[T]) original_add(_ context.Context", "func (mutantRecv0 s[T]) add(mutantArg0 context.Context, mutantArg1 int, mutantArg2 ...int) (sum int, err error) {",
		"return mutantRecv0.mutant_set_a_1_add(mutantArg0, mutantArg1, mutantArg2...)", "sum -= m", "return n, nil",
		"mutant_set_c_both[A, B](mutantArg0, mutantArg1)\n\t\treturn", "limit = 3",
	} {
		if !strings.Contains(string(got), want) {
			t.Errorf("no %q in\n%s", want, got)
		}
	}
}
