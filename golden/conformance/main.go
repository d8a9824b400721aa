// Command conformance measures how well generated types keep what schemas say.
//
// It takes any folders of the shape of golden/corpus: servers (tools/list
// captures), hard schemas with values, and instances for the servers' tools, and the
// JSON-Schema-Test-Suite. It generates, builds and vets all of it in a module of its own, sends every valid
// value through the generated code and compares what comes back, judges the
// types with go/types, drops tools to see whether a name moves, and
// prints one table with the bar beside each figure. Every failure is written to
// a file. It exits with 1 below a bar and with 2 if it could not measure.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"os"
	"os/signal"
	"path/filepath"
	"strings"
	"time"
)

// options are the flags.
type options struct {
	servers, hard, instances, suite, numbers string

	placed bool

	failures   string // folder of the lists of failures
	checkout   string // folder of this module's go.mod
	reportOnly bool
	bench      bool
	jsonv2     bool
	each       bool
	keep       bool
}

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	below, err := run(ctx, parseFlags())
	switch {
	case err != nil:
		fmt.Fprintln(os.Stderr, "conformance:", err)
		os.Exit(2)
	case below:
		os.Exit(1)
	}
}

func parseFlags() options {
	var o options
	flag.StringVar(&o.servers, "servers", "", "folder of captures of tools/list, *.json")
	flag.StringVar(&o.hard, "hard", "", "folder of schemas with values, *.json")
	flag.StringVar(&o.instances, "instances", "", "folder of values for the servers' tools, *.jsonl.gz")
	flag.StringVar(&o.suite, "suite", "", "folder of the JSON-Schema-Test-Suite, as the module google/jsonschema-go has it in its testdata")
	flag.StringVar(&o.numbers, "numbers", "", "file of schemas and values of the suite's form")
	flag.BoolVar(&o.placed, "placed", true, "also measure each schema inside of others, with numbers that are hard to hold")
	flag.StringVar(&o.failures, "failures", filepath.Join(os.TempDir(), "mcpgen-conformance"), "folder for the lists of failures")
	flag.StringVar(&o.checkout, "checkout", ".", "folder of the go.mod of github.com/mcpgen/mcpgen")
	flag.BoolVar(&o.reportOnly, "report-only", false, "exit with 0 below a bar too")
	flag.BoolVar(&o.bench, "bench", false, "also measure cold builds and decoding against plain structs; takes minutes")
	flag.BoolVar(&o.jsonv2, "jsonv2", true, "send the values through once more under GOEXPERIMENT=jsonv2")
	flag.BoolVar(&o.each, "each", false, "drop each tool of large servers by itself; takes minutes")
	flag.BoolVar(&o.keep, "keep", false, "keep the generated module and print where it is")
	flag.Parse()
	return o
}

// run measures and prints. It reports whether a figure is below its bar.
func run(ctx context.Context, o options) (below bool, err error) {
	if o.servers == "" && o.hard == "" && o.suite == "" && o.numbers == "" {
		return false, errors.New("nothing to measure: pass -servers, -hard or -suite (make conformance-types SERVERS=dir HARD=dir INSTANCES=dir)")
	}
	subjects, err := readCorpus(o)
	if err != nil {
		return false, err
	}
	if o.placed {
		more, err := placed(subjects)
		if err != nil {
			return false, err
		}
		subjects = append(subjects, more...)
	}
	r := newReport()
	if err := measure(ctx, o, subjects, r); err != nil {
		return false, err
	}
	if err := r.writeFailures(o.failures); err != nil {
		return false, err
	}
	r.print(os.Stdout, o.failures)
	return r.below() && !o.reportOnly, nil
}

// measure takes all the figures, in the order in which they are printed.
func measure(ctx context.Context, o options, subjects []*subject, r *report) error {
	dir, err := os.MkdirTemp("", "conformance")
	if err != nil {
		return err
	}
	if o.keep {
		fmt.Fprintln(os.Stderr, "conformance: the generated module is in", dir)
	} else {
		defer os.RemoveAll(dir)
	}
	m, err := newModule(dir, o.checkout)
	if err != nil {
		return err
	}
	steps := []struct {
		name string
		run  func() error
	}{
		{"generate", func() error { generateAll(subjects, r); return nil }},
		{"build", func() error { return m.build(ctx, subjects, r) }},
		{"round trips", func() error { return m.roundTrips(ctx, subjects, r, o.jsonv2) }},
		{"types", func() error { return m.judgeTypes(ctx, subjects, r) }},
		{"validation", func() error { judgeValidation(subjects, r); return nil }},
		{"names", func() error { judgeNames(subjects, r, o.each); judgeWords(subjects, r); return nil }},
		{"lines", func() error { countLines(subjects, r); return m.countDocs(ctx, subjects, r) }},
		{"bench", func() error { return m.bench(ctx, subjects, r) }},
	}
	var took []string
	for _, step := range steps {
		if step.name == "bench" && !o.bench {
			continue
		}
		start := time.Now()
		if err := step.run(); err != nil {
			return fmt.Errorf("%s: %w", step.name, err)
		}
		took = append(took, fmt.Sprintf("%s %.0f s", step.name, time.Since(start).Seconds()))
	}
	r.heading("Time of this run: " + strings.Join(took, ", "))
	return nil
}
