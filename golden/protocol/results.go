// What the suite found.

package main

import (
	"encoding/json"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
)

// results are the outcomes of one run of the suite.
type results struct {
	// Each check of a scenario counts once, however often it was made: how often
	// says how many requests a client sends. One that failed once has failed.
	passed, failed, skipped map[check]bool
	warnings                int
	scenarios               []string
	dirs                    map[string]string // where the checks of each scenario are
}

// stamp is what the suite puts behind a scenario's name.
var stamp = regexp.MustCompile(`-\d{4}-\d\d-\d\dT[\d-]+Z$`)

// readResults reads the folder that the suite wrote: one file of checks for each
// scenario.
func readResults(dir string) (*results, error) {
	r := &results{passed: map[check]bool{}, failed: map[check]bool{}, skipped: map[check]bool{}, dirs: map[string]string{}}
	err := filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.Name() != "checks.json" {
			return err
		}
		name, err := filepath.Rel(dir, filepath.Dir(path))
		if err != nil {
			return err
		}
		data, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		scenario := stamp.ReplaceAllString(filepath.ToSlash(name), "")
		r.dirs[scenario] = filepath.Dir(path)
		return r.add(scenario, data)
	})
	slices.Sort(r.scenarios)
	return r, err
}

func (r *results) add(scenario string, data []byte) error {
	var checks []struct {
		ID     string `json:"id"`
		Status string `json:"status"`
	}
	if err := json.Unmarshal(data, &checks); err != nil {
		return fmt.Errorf("the checks of %s cannot be read: %w", scenario, err)
	}
	if slices.Contains(r.scenarios, scenario) {
		return fmt.Errorf("%s was run twice", scenario)
	}
	r.scenarios = append(r.scenarios, scenario)
	for _, c := range checks {
		switch c.Status {
		case "SUCCESS":
			r.passed[check{scenario, c.ID}] = true
		case "FAILURE":
			r.failed[check{scenario, c.ID}] = true
		case "SKIPPED":
			r.skipped[check{scenario, c.ID}] = true
		case "WARNING":
			r.warnings++
		}
	}
	maps.DeleteFunc(r.passed, func(c check, _ bool) bool { return r.failed[c] })
	maps.DeleteFunc(r.skipped, func(c check, _ bool) bool { return r.failed[c] || r.passed[c] })
	return nil
}

// passes returns how many checks of a scenario pass.
func (r *results) passes(scenario string) int {
	n := 0
	for c := range r.passed {
		if c.scenario == scenario {
			n++
		}
	}
	return n
}

// fails reports whether a check of a scenario fails.
func (r *results) fails(scenario string) bool {
	for c := range r.failed {
		if c.scenario == scenario {
			return true
		}
	}
	return false
}

// checksNothing reports whether a scenario has neither passed nor failed anything.
func (r *results) checksNothing(scenario string) bool {
	return !r.fails(scenario) && r.passes(scenario) == 0
}

// differing returns the scenarios that differ from the baseline: a check fails that is not
// expected to, or the scenario checks something or nothing against expectation.
func (r *results) differing(b *baseline) []string {
	return slices.DeleteFunc(slices.Clone(r.scenarios), func(s string) bool {
		for c := range r.failed {
			if c.scenario == s && b.fail[c] == "" && b.outside[s] == "" {
				return false
			}
		}
		return r.checksNothing(s) == (b.nothing[s] != "")
	})
}

// forget removes what the suite wrote of a scenario.
func (r *results) forget(scenario string) error { return os.RemoveAll(r.dirs[scenario]) }

// regressions compares with what is expected and says what is worse, or better
// without the baseline saying so.
func (r *results) regressions(b *baseline) []string {
	var all []string
	for c := range r.failed {
		if b.fail[c] == "" && b.outside[c.scenario] == "" {
			all = append(all, fmt.Sprintf("%s: the check %s fails, and is not expected to", c.scenario, c.id))
		}
	}
	for c := range b.fail {
		if !r.failed[c] {
			all = append(all, fmt.Sprintf("%s: the check %s no longer fails: remove it from the baseline", c.scenario, c.id))
		}
	}
	for s := range b.outside {
		if !r.fails(s) {
			all = append(all, fmt.Sprintf("%s: it no longer fails: remove it from the baseline", s))
		}
	}
	for _, s := range r.scenarios {
		if r.checksNothing(s) != (b.nothing[s] != "") {
			all = append(all, fmt.Sprintf("%s: whether it checks anything is not as the baseline says", s))
		}
	}
	if n := len(r.passed); n < b.atLeast {
		all = append(all, fmt.Sprintf("%d checks pass, fewer than the %d of the baseline", n, b.atLeast))
	}
	slices.Sort(all)
	return all
}

// print writes the figures.
func (r *results) print(b *baseline) {
	for _, s := range r.scenarios {
		fmt.Printf("%4d passed  %s\n", r.passes(s), s)
	}
	fmt.Println("\nexpected failures:")
	keys := slices.SortedFunc(maps.Keys(r.failed), func(x, y check) int {
		return strings.Compare(x.scenario+" "+x.id, y.scenario+" "+y.id)
	})
	for _, c := range keys {
		if reason := b.fail[c]; reason != "" {
			fmt.Printf("  %s %s: %s\n", c.scenario, c.id, reason)
		}
	}
	if len(b.outside) > 0 {
		fmt.Println("\nscenarios about what is not offered:")
		for _, s := range slices.Sorted(maps.Keys(b.outside)) {
			fmt.Printf("  %s: %s\n", s, b.outside[s])
		}
	}
	fmt.Println("\nscenarios that check nothing:")
	for _, s := range r.scenarios {
		if r.checksNothing(s) {
			fmt.Printf("  %s: %s\n", s, b.nothing[s])
		}
	}
	fmt.Printf("\n%d scenarios: %d checks passed, %d failed, %d skipped, %d warnings\n", len(r.scenarios), len(r.passed), len(r.failed), len(r.skipped), r.warnings)
}
