//go:build unix

package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// Each kind of wrong outcome is found.
func TestCompare(t *testing.T) {
	trace := filepath.Join(t.TempDir(), "trace")
	line := func(text string) string {
		return `{"event":"message","message":{"method":"tools/call","params":{"arguments":{"text":"` + text + `"}}}}` + "\n"
	}
	if err := os.WriteFile(trace, []byte(line("once")+line("twice")+line("twice")+line("lied")+line("lost")), 0o600); err != nil {
		t.Fatal(err)
	}
	r := &report{traces: []string{trace}}
	r.add(phase{name: "p", loses: 1, outcomes: []outcome{{text: "once"}, {text: "lost", kind: "unavailable", sent: true}, {text: "never", kind: "unavailable"}}})
	if err := r.compare(); err != nil || r.failure() != nil {
		t.Fatalf("%v, %v", err, r.wrong)
	}
	r.add(phase{name: "q", outcomes: []outcome{{text: "twice"}, {text: "lied", kind: "unavailable"}, {text: "made up"}, {text: "x", broken: "another's answer"}}})
	if err := r.compare(); err != nil {
		t.Fatal(err)
	}
	all := strings.Join(r.wrong, "\n")
	for _, want := range []string{"twice was carried out 2 times", "lied was carried out, and its error says", "made up was answered and never", "another's answer"} {
		if !strings.Contains(all, want) {
			t.Errorf("%s is not found: %s", want, all)
		}
	}
}
