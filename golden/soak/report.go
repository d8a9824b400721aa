package main

// What is measured, and the verdict on it.

import (
	"errors"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"text/tabwriter"
	"time"
)

// usage is what the program holds.
type usage struct {
	heap       uint64 // bytes after a collection
	goroutines int
	files      int // open descriptors
	processes  int // descendants, also those whose parent has ended
}

// sample is one measurement.
type sample struct {
	at time.Duration
	usage
	calls int
}

func measure() usage {
	runtime.GC()
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	files, _ := os.ReadDir("/proc/self/fd")
	return usage{heap: m.HeapAlloc, goroutines: runtime.NumGoroutine(), files: len(files), processes: processes()}
}

// processes counts the test servers of this machine that are of this run: the
// program's folder is in their command line.
func processes() int {
	all, _ := filepath.Glob("/proc/[0-9]*/cmdline")
	n := 0
	for _, path := range all {
		if _, err := strconv.Atoi(filepath.Base(filepath.Dir(path))); err != nil {
			continue
		}
		line, err := os.ReadFile(path)
		if program, _, _ := strings.Cut(string(line), "\x00"); err == nil && filepath.Base(program) == "mcptestserver" &&
			strings.HasPrefix(filepath.Base(filepath.Dir(program)), "soak") {
			n++
		}
	}
	return n
}

// leftOver waits a while for what ends by itself, and returns what is there
// beyond what was before the host.
func leftOver(before usage) usage {
	var now usage
	for range 50 {
		now = measure()
		if now.goroutines <= before.goroutines && now.files <= before.files && now.processes <= before.processes {
			break
		}
		time.Sleep(200 * time.Millisecond)
	}
	return usage{
		goroutines: max(0, now.goroutines-before.goroutines), files: max(0, now.files-before.files),
		processes: max(0, now.processes-before.processes),
	}
}

// report is the result of a run.
type report struct {
	options options
	started time.Time
	samples []sample
	tally   *tally
	left    usage // when the host was closed
}

// thirds returns the smallest of each figure over the first and over the last
// third of the samples after the warm-up: what is there beside the calls that
// happen to be under way.
func (r *report) thirds() (first, last usage, ok bool) {
	var after []sample
	for _, s := range r.samples {
		if s.at > r.options.warmup {
			after = append(after, s)
		}
	}
	n := len(after) / 3
	if n < 3 {
		return usage{}, usage{}, false
	}
	return floor(after[:n]), floor(after[len(after)-n:]), true
}

func floor(all []sample) usage {
	least := all[0].usage
	for _, s := range all {
		least.heap = min(least.heap, s.heap)
		least.goroutines = min(least.goroutines, s.goroutines)
		least.files = min(least.files, s.files)
		least.processes = min(least.processes, s.processes)
	}
	return least
}

// verdict is what is wrong, or nil. Growth is more than a tenth and what a few
// calls under way explain.
func (r *report) verdict() error {
	var errs []error
	t := r.tally
	if len(t.wrong) > 0 {
		errs = append(errs, fmt.Errorf("%d wrong answers, the first: %s", len(t.wrong), t.wrong[0]))
	}
	if len(t.untyped) > 0 {
		errs = append(errs, fmt.Errorf("%d errors without a type, the first: %s", len(t.untyped), t.untyped[0]))
	}
	if r.left != (usage{}) {
		errs = append(errs, fmt.Errorf("left behind by Close: %d goroutines, %d descriptors, %d processes", r.left.goroutines, r.left.files, r.left.processes))
	}
	first, last, ok := r.thirds()
	if !ok {
		return errors.Join(append(errs, errors.New("too short to see whether something grows"))...)
	}
	grew := func(what string, before, after, slack int) {
		if after > before+before/10+slack {
			errs = append(errs, fmt.Errorf("%s grew from %d to %d", what, before, after))
		}
	}
	grew("heap", int(first.heap), int(last.heap), 4<<20)
	grew("goroutines", first.goroutines, last.goroutines, 20)
	grew("descriptors", first.files, last.files, 20)
	grew("processes", first.processes, last.processes, 4)
	return errors.Join(errs...)
}

func (r *report) String() string {
	var b strings.Builder
	t := r.tally
	fmt.Fprintf(&b, "A soak of %v on %s/%s: %d servers, %d callers, seed %d.\n\n", r.options.duration, runtime.GOOS, runtime.GOARCH,
		total(), r.options.callers, r.options.seed)
	w := tabwriter.NewWriter(&b, 0, 0, 2, ' ', 0)
	row := func(what string, figure any) { fmt.Fprintf(w, "%s\t%v\n", what, figure) }
	row("calls", t.calls)
	row("answered by servers that behave", t.good[true])
	row("answered by hostile servers", t.good[false])
	row("wrong answers", len(t.wrong))
	row("errors without a type", len(t.untyped))
	for _, what := range slices.Sorted(maps.Keys(t.events)) {
		row(what, t.events[what])
	}
	for _, what := range slices.Sorted(maps.Keys(t.failures)) {
		row("failed, "+what, t.failures[what])
	}
	row("left behind by Close", fmt.Sprintf("%d goroutines, %d descriptors, %d processes", r.left.goroutines, r.left.files, r.left.processes))
	_ = w.Flush() // a strings.Builder takes everything
	b.WriteString("\n")
	w = tabwriter.NewWriter(&b, 0, 0, 2, ' ', tabwriter.AlignRight)
	fmt.Fprintln(w, "minute\tcalls\theap KiB\tgoroutines\tdescriptors\tprocesses\t")
	for _, s := range r.samples {
		fmt.Fprintf(w, "%.1f\t%d\t%d\t%d\t%d\t%d\t\n", s.at.Minutes(), s.calls, s.heap>>10, s.goroutines, s.files, s.processes)
	}
	_ = w.Flush()
	return b.String()
}

func total() int {
	n := 0
	for _, k := range kinds {
		n += k.count
	}
	return n
}
