// Command edits measures what an edit of a listing does to the code that is generated:
// how many lines change for one of the listing, and what stops compiling in a program
// that uses all that the package exports.
//
// Usage: edits [-edits 60] [-seed 1] [-v] FILE...
//
// A file is the snapshot.json of a generated package, or a listing as those of
// golden/corpus/servers, which is that of the server that the file is named after.
package main

import (
	"cmp"
	"context"
	"encoding/json"
	"flag"
	"fmt"
	"io"
	"log"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/mcpgen/mcpgen/schema"
	"github.com/mcpgen/mcpgen/schema/lockfile"
)

func main() {
	log.SetFlags(0)
	count := flag.Int("edits", 60, "edits of each server")
	seed := flag.Uint64("seed", 1, "which edits")
	verbose := flag.Bool("v", false, "print each edit")
	flag.Parse()
	if err := run(context.Background(), os.Stdout, flag.Args(), *count, *seed, *verbose); err != nil {
		log.Fatal(err)
	}
}

func run(ctx context.Context, w io.Writer, files []string, count int, seed uint64, verbose bool) error {
	m, err := newMeter(ctx)
	if err != nil {
		return err
	}
	fmt.Fprintf(w, "%-18s %6s %8s %8s %8s %8s %8s\n", "server", "edits", "p50", "p95", "max", "broken", "renamed")
	var all []outcome
	for _, file := range files {
		s, err := read(file)
		if err != nil {
			return fmt.Errorf("%s: %w", file, err)
		}
		out, err := m.measure(ctx, s, count, seed)
		if err != nil {
			return err
		}
		row(w, s.Server, out)
		if verbose {
			details(w, out)
		}
		all = append(all, out...)
	}
	row(w, "all", all)
	return nil
}

// read reads a snapshot or a listing.
func read(file string) (*schema.Snapshot, error) {
	data, err := os.ReadFile(file)
	if err != nil {
		return nil, err
	}
	var l struct {
		Mcpgen int
		Tools  []json.RawMessage
	}
	if err := json.Unmarshal(data, &l); err != nil {
		return nil, err
	}
	if l.Mcpgen != 0 {
		return lockfile.ParseSnapshot(data)
	}
	s := &schema.Snapshot{Server: strings.TrimSuffix(filepath.Base(file), ".json"), ProtocolVersion: "2025-11-25"}
	for _, raw := range l.Tools {
		it, err := schema.ParseItem(schema.KindTool, raw)
		if err != nil {
			return nil, err
		}
		s.Tools = append(s.Tools, it)
	}
	return s, nil
}

// row is one line of the table. Broken and renamed are how many uses and names, and in
// brackets in how many edits.
func row(w io.Writer, name string, out []outcome) {
	if len(out) == 0 {
		return
	}
	var ratios []float64
	broken, renamed, breaking, renaming := 0, 0, 0, 0
	for _, o := range out {
		ratios = append(ratios, o.ratio())
		broken, renamed = broken+len(o.broken), renamed+len(o.renamed)
		breaking, renaming = breaking+min(1, len(o.broken)), renaming+min(1, len(o.renamed))
	}
	slices.Sort(ratios)
	at := func(share int) float64 { return ratios[(len(ratios)*share+99)/100-1] }
	fmt.Fprintf(w, "%-18s %6d %8.1f %8.1f %8.1f %8s %8s\n", name, len(out), at(50), at(95), at(100),
		fmt.Sprintf("%d (%d)", broken, breaking), fmt.Sprintf("%d (%d)", renamed, renaming))
}

// details are the edits of a server, the worst first, with the first uses that break.
func details(w io.Writer, out []outcome) {
	out = slices.SortedStableFunc(slices.Values(out), func(x, y outcome) int { return cmp.Compare(y.ratio(), x.ratio()) })
	for _, o := range out {
		fmt.Fprintf(w, "  %6.1f = %d / %d  %s, %s in %s\n", o.ratio(), o.code, o.listing, o.kind, o.what, o.where)
		for i, use := range append(o.broken, o.renamed...) {
			if i == 3 {
				fmt.Fprintf(w, "         and %d more\n", len(o.broken)+len(o.renamed)-i)
				break
			}
			fmt.Fprintf(w, "         %s\n", use)
		}
	}
}
