package main

import (
	"os"
	"regexp"
	"strings"
	"testing"
)

// Every mutant can be applied, and every promise of SECURITY.md has one whose test is
// named beside it.
func TestMutants(t *testing.T) {
	all, err := Load("../..", "")
	if err != nil {
		t.Fatal(err)
	}
	page, err := os.ReadFile("../../SECURITY.md")
	if err != nil {
		t.Fatal(err)
	}
	_, rest, _ := strings.Cut(string(page), "\n## What is promised")
	promised, _, _ := strings.Cut(rest, "\n## What is not promised")
	starts := regexp.MustCompile(`(?m)^\*\*([^*]+)\*\*`).FindAllStringSubmatchIndex(promised, -1)
	for i, at := range starts {
		promise, end := strings.Join(strings.Fields(promised[at[2]:at[3]]), " "), len(promised)
		if i+1 < len(starts) {
			end = starts[i+1][0]
		}
		n := 0
		for _, m := range all {
			if !strings.HasPrefix(m.Name, "promises/") || m.Promise != promise {
				continue
			}
			n++
			if !strings.Contains(promised[at[0]:end], "`"+m.Test+"`") {
				t.Errorf("%s: its test %s is not named beside the promise %q", m.Name, m.Test, promise)
			}
		}
		if n == 0 {
			t.Errorf("the promise %q has no mutant in golden/mutants/promises", promise)
		}
	}
	for _, m := range all {
		if strings.HasPrefix(m.Name, "promises/") && !strings.Contains(strings.Join(strings.Fields(promised), " "), "**"+m.Promise+"**") {
			t.Errorf("%s: SECURITY.md has no promise %q", m.Name, m.Promise)
		}
	}
}
