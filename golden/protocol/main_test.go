package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func TestRegressions(t *testing.T) {
	dir := t.TempDir()
	write := func(scenario, checks string) {
		t.Helper()
		path := filepath.Join(dir, filepath.FromSlash(scenario)+"-2026-11-21T02-57-41-801Z")
		if err := os.MkdirAll(path, 0o777); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(path, "checks.json"), []byte(checks), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	write("a", `[{"id":"one","status":"SUCCESS"},{"id":"one","status":"SUCCESS"},{"id":"two","status":"SUCCESS"},{"id":"two","status":"FAILURE"},{"id":"two","status":"FAILURE"}]`)
	write("auth/b", `[{"id":"three","status":"FAILURE"},{"id":"four","status":"WARNING"},{"id":"five","status":"INFO"}]`)
	write("c", `[{"id":"six","status":"SKIPPED"}]`)
	r, err := readResults(dir)
	if err != nil {
		t.Fatal(err)
	}
	if passed, failed := len(r.passed), len(r.failed); passed != 1 || failed != 2 || len(r.skipped) != 1 || r.warnings != 1 || strings.Join(r.scenarios, " ") != "a auth/b c" {
		t.Errorf("%d passed, %d failed, %d warnings, %q", len(r.passed), len(r.failed), r.warnings, r.scenarios)
	}
	for text, want := range map[string]string{
		"at-least 1\na two: why\nauth/b three: why":                 "",
		"at-least 2\na two: why\nauth/b three: why":                 "fewer than the 2",
		"at-least 1\na two: why":                                    "auth/b: the check three fails",
		"at-least 1\na two: why\nauth/b three: why\nauth/b six: it": "six no longer fails",
		"at-least 1\na two: why\nauth/b three: why\nnothing a: why": "a: whether it checks anything",
	} {
		if !strings.Contains(text, "nothing ") {
			text += "\nnothing c: why"
		}
		path := filepath.Join(t.TempDir(), "baseline.txt")
		if err := os.WriteFile(path, []byte("# a comment\n\n"+text), 0o666); err != nil {
			t.Fatal(err)
		}
		b, err := readBaseline(path)
		if err != nil {
			t.Fatal(err)
		}
		if got := strings.Join(r.regressions(b), "; "); (got == "") != (want == "") || !strings.Contains(got, want) {
			t.Errorf("%q: %q, want %q", text, got, want)
		}
	}
}

// The baseline itself can be read, and gives a reason for each line.
func TestBaseline(t *testing.T) {
	b, err := readBaseline("baseline.txt")
	if err != nil || b.atLeast < 375 || len(b.fail) == 0 {
		t.Errorf("%+v, %v", b, err)
	}
	for _, text := range []string{"a b", "a: reason", "at-least x", "a b: "} {
		if err := (&baseline{fail: map[check]string{}}).add(text); err == nil {
			t.Errorf("%q is taken", text)
		}
	}
}
