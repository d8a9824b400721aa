// Command bench measures what mcpgen costs, as ratios: each figure stands beside
// what it is compared with in the same run, on the same machine, so that it can be
// repeated on any other. It prints one table, and with -out writes it to a file if
// it is whole.
//
// Ratios are compared with budgets, but nothing fails: a machine that others use
// makes every figure worse, and a test must not measure time.
package main

import (
	"cmp"
	"context"
	"errors"
	"flag"
	"fmt"
	"os"
	"os/signal"
	"path/filepath"
	"regexp"
	"runtime"
	"strings"
	"text/tabwriter"
	"time"
)

// row is one line of the table.
type row struct {
	what    string
	cost    string  // the figure
	against string  // what it is compared with
	ratio   float64 // of the two; 0 means none
	budget  float64 // 0 judges nothing
	unit    string  // of ratio and budget; "" is times
	why     string  // the figure is what it is; printed if it is over the budget
}

func (r row) String() string {
	verdict, figure, budget := "", "", ""
	unit := cmp.Or(r.unit, "×")
	if r.ratio != 0 || r.budget != 0 {
		figure = fmt.Sprintf("%.3g %s", r.ratio, unit)
	}
	if r.budget != 0 {
		budget, verdict = fmt.Sprintf("≤ %g %s", r.budget, unit), "ok"
		if r.ratio > r.budget {
			verdict = strings.TrimSuffix("OVER: "+r.why, ": ")
		}
	}
	return strings.Join([]string{"  " + r.what, r.cost, r.against, figure, budget, verdict}, "\t")
}

// section is a part of a table. Its name is what -run matches.
type section struct {
	name, title string
	run         func(context.Context, *bench) ([]row, error)
}

// tables are the tables by the names that -table takes.
var tables = map[string][]section{
	"bench": {
		{"calls", "Typed calls of a server that does next to nothing, against the SDK's CallTool with marshalling by hand", calls},
		{"gateway", "Calls through the gateway over HTTP, against the same calls of the server itself", through},
		{"tenants", "Calls of one caller through the gateway while another one attacks, against the same calls alone", tenants},
		{"telemetry", "Calls through the gateway that sends telemetry, against the same calls through one that measures nothing", telemetry},
		{"floor", "Typed calls of a stub that answers with a prepared result of 200 bytes", floor},
		{"http", "Typed calls over HTTP against a client by hand that decodes nothing", floorHTTP},
		{"results", "Long results of the same stub, against encoding/json alone", results},
		{"attach", "Attaching servers that need 0.2 s to start, against the slowest one", attachAll},
		{"lazy", "A call of a server that is started for it and needs 0.2 s", lazy},
		{"memory", "Memory of an idle session", idle},
		{"generate", "Generating, 1,000 and 5,000 tools", generate},
		{"check", "Judging a listing that arrived", judging},
		{"impact", "Finding the lines that a change touches", impact},
		{"code", "Generated code, 1,000 tools", code},
		{"types", "Generated code, the corpus", types},
	},
	"growth": {
		{"generate", "Generating at ten times the tools", growGenerate},
		{"servers", "Servers of ten tools each, at ten times the servers", growServers},
		{"code", "A module's own code, at ten times the lines: 10 of 100 tools changed", growCode},
		{"results", "A typed call, at ten times the result", growResults},
	},
	"peers": {
		{"commands", "One process that starts server-memory", peerCommands},
		{"calls", "Calls of server-memory on one connection", peerCalls},
		{"bridges", "A process over stdio before a server at a URL", peerBridges},
		{"check", "Two releases of a server: what breaks callers", peerChecks},
		{"schemas", "JSON Schema to Go: the hard schemas of golden/corpus", peerSchemas},
	},
}

// bench is what the sections share.
type bench struct {
	checkout string // folder of this module's go.mod
	dir      string // temporary
	mcpgen   string // the program, built when first asked for
	small    string // the server that does next to nothing
	quick    bool
}

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	if err := run(ctx); err != nil {
		fmt.Fprintln(os.Stderr, "bench:", err)
		os.Exit(1)
	}
}

func run(ctx context.Context) error {
	which := flag.String("table", "bench", "the table to make: bench, growth or peers")
	only := flag.String("run", ".", "sections to run, a regular expression")
	out := flag.String("out", "", "also write the table to this file")
	b := &bench{}
	flag.StringVar(&b.checkout, "checkout", ".", "folder of the go.mod of github.com/mcpgen/mcpgen")
	alone := flag.String("gateway", "", "only serve a gateway to the server at this URL, as a process of its own")
	flag.BoolVar(&b.quick, "quick", false, "few rounds: to see that it runs")
	flag.Parse()
	if *alone != "" {
		return serveAlone(ctx, *alone)
	}
	wanted, err := regexp.Compile(*only)
	if err != nil {
		return err
	}
	if b.checkout, err = filepath.Abs(b.checkout); err != nil {
		return err
	}
	if b.dir, err = os.MkdirTemp("", "bench"); err != nil {
		return err
	}
	defer os.RemoveAll(b.dir)
	var text strings.Builder
	fmt.Fprintf(&text, "%s/%s, %d CPUs, %s. Figures are the least, the median\nand the most of at least seven rounds; ratios compare the least.\n", runtime.GOOS, runtime.GOARCH, runtime.NumCPU(), runtime.Version())
	repeat := map[string]string{"bench": "bench", "growth": "bench-growth", "peers": "bench-peers"}[*which]
	if repeat == "" {
		return fmt.Errorf("there is no table %q: bench, growth or peers", *which)
	}
	fmt.Fprintf(&text, "Repeat it with: make %s\n", repeat)
	fmt.Print(text.String())
	var failed error
	start := time.Now()
	for _, s := range tables[*which] {
		if !wanted.MatchString(s.name) {
			continue
		}
		rows, err := s.run(ctx, b)
		if err != nil {
			failed = errors.Join(failed, fmt.Errorf("%s: %w", s.name, err))
		}
		part := table(fmt.Sprintf("%s (make %s ARGS=\"-run %s\")", s.title, repeat, s.name), rows)
		text.WriteString(part)
		fmt.Print(part)
	}
	took := fmt.Sprintf("\nAll of it took %s.\n", time.Since(start).Round(time.Second))
	text.WriteString(took)
	fmt.Print(took)
	if *out == "" || failed != nil || *only != "." || b.quick {
		return failed // a part of the table is not to replace the whole
	}
	return os.WriteFile(*out, []byte(text.String()), 0o666)
}

func table(title string, rows []row) string {
	var b strings.Builder
	fmt.Fprintf(&b, "\n%s\n", title)
	w := tabwriter.NewWriter(&b, 0, 0, 2, ' ', 0)
	for _, r := range rows {
		fmt.Fprintln(w, r)
	}
	w.Flush()
	var out strings.Builder
	for line := range strings.Lines(b.String()) {
		out.WriteString(strings.TrimRight(line, " \n") + "\n")
	}
	return out.String()
}

// rounds is n, or two of them where it only matters that it runs.
func (b *bench) rounds(n int) int {
	if b.quick {
		return min(n, 2)
	}
	return n
}
