// Command seeds tells which behaviours of the five systems that mcpgen serves
// have a test. A behaviour's test is found by its name: TestSeed/003-10, in any
// package.
//
//	seeds [-v] [-race] [package pattern ...]
//
// It runs the TestSeed of every package that has one (default: ./...), prints
// the rows of rows.txt that have no passing test, and exits with 1 if there are
// any. A skipped test is not a passing one.
package main

import (
	"bufio"
	"bytes"
	"context"
	_ "embed"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"slices"
	"strings"
)

//go:embed rows.txt
var rowsText string

func main() {
	verbose := flag.Bool("v", false, "print the rows that pass, too")
	race := flag.Bool("race", false, "run the tests with the race detector")
	flag.Parse()
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	missing, err := run(ctx, os.Stdout, options{verbose: *verbose, race: *race, patterns: flag.Args()})
	if err != nil {
		fmt.Fprintf(os.Stderr, "seeds: %v\n", err)
		os.Exit(2)
	}
	if missing > 0 {
		os.Exit(1)
	}
}

type options struct {
	verbose, race bool
	patterns      []string
}

// run prints the table and returns how many rows have no passing test.
func run(ctx context.Context, w io.Writer, o options) (int, error) {
	packages, err := withSeeds(ctx, o.patterns)
	if err != nil {
		return 0, err
	}
	if len(packages) == 0 {
		return 0, errors.New("no package has a TestSeed")
	}
	results, err := test(ctx, packages, o.race)
	if err != nil {
		return 0, err
	}
	return report(w, parseRows(rowsText), results, o.verbose), nil
}

// withSeeds returns the import paths of the packages that have a TestSeed.
func withSeeds(ctx context.Context, patterns []string) ([]string, error) {
	if len(patterns) == 0 {
		patterns = []string{"./..."}
	}
	const format = `{{.ImportPath}}{{"\t"}}{{.Dir}}{{range .TestGoFiles}}{{"\t"}}{{.}}{{end}}{{range .XTestGoFiles}}{{"\t"}}{{.}}{{end}}`
	cmd := exec.CommandContext(ctx, "go", append([]string{"list", "-f", format}, patterns...)...)
	cmd.Stderr = os.Stderr
	text, err := cmd.Output()
	if err != nil {
		return nil, fmt.Errorf("go list: %w", err)
	}
	var packages []string
	for line := range strings.Lines(string(text)) {
		fields := strings.Split(strings.TrimSuffix(line, "\n"), "\t")
		for _, name := range fields[2:] {
			source, err := os.ReadFile(filepath.Join(fields[1], name))
			if err != nil {
				return nil, err
			}
			if bytes.Contains(source, []byte("\nfunc TestSeed(")) {
				packages = append(packages, fields[0])
				break
			}
		}
	}
	return packages, nil
}

// result is how the tests of one row ended.
type result struct {
	passed, failed, skipped []string // packages
}

// test runs the TestSeed of the packages. Tests that fail are not errors: they
// are in the results.
func test(ctx context.Context, packages []string, race bool) (map[string]*result, error) {
	args := []string{"test", "-json", "-run", "^TestSeed$", "-timeout", "10m"}
	if race {
		args = append(args, "-race")
	}
	cmd := exec.CommandContext(ctx, "go", append(args, packages...)...)
	cmd.Stderr = os.Stderr
	text, err := cmd.Output()
	if _, failed := errors.AsType[*exec.ExitError](err); err != nil && !failed {
		return nil, fmt.Errorf("go test: %w", err)
	}
	if ctx.Err() != nil {
		return nil, ctx.Err()
	}
	return parseEvents(bytes.NewReader(text))
}

// parseEvents reads what go test -json writes. A package that fails outside of
// its rows, or that does not compile, is an error.
func parseEvents(r io.Reader) (map[string]*result, error) {
	results := map[string]*result{}
	broken := map[string]bool{}
	for d := json.NewDecoder(r); ; {
		var e struct{ Action, Package, ImportPath, Test string }
		if err := d.Decode(&e); errors.Is(err, io.EOF) {
			break
		} else if err != nil {
			return nil, fmt.Errorf("the output of go test: %w", err)
		}
		if e.Action == "build-fail" {
			broken[e.ImportPath] = true
		}
		row, ok := strings.CutPrefix(e.Test, "TestSeed/")
		if !ok || strings.Contains(row, "/") {
			continue
		}
		row, _, _ = strings.Cut(row, "#") // a second test of the same row
		if results[row] == nil {
			results[row] = &result{}
		}
		switch e.Action {
		case "pass":
			results[row].passed = append(results[row].passed, e.Package)
		case "fail":
			results[row].failed = append(results[row].failed, e.Package)
		case "skip":
			results[row].skipped = append(results[row].skipped, e.Package)
		}
	}
	if len(broken) > 0 {
		var names []string
		for name := range broken {
			names = append(names, name)
		}
		slices.Sort(names)
		return nil, fmt.Errorf("these do not build: %s: run go vet on them", strings.Join(names, ", "))
	}
	return results, nil
}

type row struct{ id, name string }

func parseRows(text string) []row {
	var rows []row
	for s := bufio.NewScanner(strings.NewReader(text)); s.Scan(); {
		if line := s.Text(); line != "" && !strings.HasPrefix(line, "#") {
			id, name, _ := strings.Cut(line, " ")
			rows = append(rows, row{id, name})
		}
	}
	return rows
}

// report prints each row that has no passing test, those that stand in no
// table, and the sums. It returns how many rows are not met.
func report(w io.Writer, rows []row, results map[string]*result, verbose bool) int {
	missing := 0
	for _, r := range rows {
		got := results[r.id]
		switch {
		case got == nil:
			missing++
			fmt.Fprintf(w, "%s  no test  %s\n", r.id, r.name)
		case len(got.failed) > 0:
			missing++
			fmt.Fprintf(w, "%s  FAILED   %s (%s)\n", r.id, r.name, strings.Join(got.failed, ", "))
		case len(got.skipped) > 0 && len(got.passed) == 0:
			missing++
			fmt.Fprintf(w, "%s  skipped  %s (%s)\n", r.id, r.name, strings.Join(got.skipped, ", "))
		case verbose:
			fmt.Fprintf(w, "%s  ok       %s (%s)\n", r.id, r.name, strings.Join(got.passed, ", "))
		}
	}
	strangers := unknown(rows, results)
	for _, id := range strangers {
		fmt.Fprintf(w, "%s  unknown: a test is named for a row that rows.txt does not have\n", id)
	}
	fmt.Fprintf(w, "%d rows, %d with a passing test\n", len(rows), len(rows)-missing)
	return missing + len(strangers)
}

func unknown(rows []row, results map[string]*result) []string {
	var names []string
	for id := range results {
		if !slices.ContainsFunc(rows, func(r row) bool { return r.id == id }) {
			names = append(names, id)
		}
	}
	slices.Sort(names)
	return names
}
