package main

// The table, and the lists of failures behind its figures.

import (
	"fmt"
	"io"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"text/tabwriter"
)

// report collects figures and failures.
type report struct {
	rows     []row
	failures map[string][]string // file name without .txt -> lines
}

// row is one line of the table; one without a figure is a heading.
type row struct {
	name, figure, bar string
	below             bool
}

func newReport() *report {
	return &report{failures: map[string][]string{}}
}

func (r *report) heading(name string) { r.rows = append(r.rows, row{name: name}) }

// note adds a figure that is printed and not judged.
func (r *report) note(name, format string, args ...any) {
	r.rows = append(r.rows, row{name: name, figure: fmt.Sprintf(format, args...)})
}

// share adds good of all. Bar is in thousandths; 0 judges nothing.
func (r *report) share(name string, good, all, bar int) {
	if all == 0 {
		r.note(name, "none to measure")
		return
	}
	line := row{name: name, figure: fmt.Sprintf("%d of %d  %.2f %%", good, all, 100*float64(good)/float64(all))}
	if bar > 0 {
		line.bar = fmt.Sprintf("≥ %g %%", float64(bar)/10)
		line.below = good*1000 < bar*all
	}
	r.rows = append(r.rows, line)
}

// atMost adds a figure that has to be bar or less.
func (r *report) atMost(name string, figure, bar float64, unit string) {
	r.rows = append(r.rows, row{name, fmt.Sprintf("%.4g%s", figure, unit), fmt.Sprintf("≤ %g%s", bar, unit), figure > bar})
}

// fail adds one line to a list of failures. Each list is there even if empty.
func (r *report) fail(list, format string, args ...any) {
	r.failures[list] = append(r.failures[list], strings.ReplaceAll(fmt.Sprintf(format, args...), "\n", "\n\t"))
}

func (r *report) list(name string) {
	if r.failures[name] == nil {
		r.failures[name] = []string{}
	}
}

func (r *report) below() bool {
	return slices.ContainsFunc(r.rows, func(row row) bool { return row.below })
}

// shown is how many failures of each list are printed.
const shown = 20

func (r *report) print(w io.Writer, folder string) {
	for _, name := range slices.Sorted(maps.Keys(r.failures)) {
		lines := r.failures[name]
		if len(lines) == 0 {
			continue
		}
		fmt.Fprintf(w, "%s: %d, all in %s\n", name, len(lines), filepath.Join(folder, name+".txt"))
		for _, line := range lines[:min(shown, len(lines))] {
			fmt.Fprintln(w, "\t"+line)
		}
		fmt.Fprintln(w)
	}
	t := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	for _, row := range r.rows {
		verdict := ""
		switch {
		case row.below:
			verdict = "BELOW"
		case row.bar != "":
			verdict = "ok"
		}
		if row.figure == "" {
			fmt.Fprintf(t, "\n%s\n", row.name)
			continue
		}
		fmt.Fprintf(t, "  %s\t%s\t%s\t%s\n", row.name, row.figure, row.bar, verdict)
	}
	t.Flush()
}

func (r *report) writeFailures(folder string) error {
	if err := os.MkdirAll(folder, 0o777); err != nil {
		return err
	}
	for name, lines := range r.failures {
		text := strings.Join(lines, "\n")
		if text != "" {
			text += "\n"
		}
		if err := os.WriteFile(filepath.Join(folder, name+".txt"), []byte(text), 0o666); err != nil {
			return err
		}
	}
	return nil
}
