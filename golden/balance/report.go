//go:build unix

// What is found, and how it is told.

package main

import (
	"bufio"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"os"
	"slices"
	"time"
)

// report is what became of all calls.
type report struct {
	phases  []phase
	traces  []string // files in which servers wrote what they received
	crashes int      // of the servers that crash
	wrong   []string
}

type phase struct {
	name     string
	streams  bool // long calls
	loses    int  // as many calls may end without an answer, because a gateway is killed
	outcomes []outcome
}

func (r *report) add(p phase) {
	lost, resumed := 0, 0
	for i := range p.outcomes {
		o := &p.outcomes[i]
		if resumed += o.resumed; o.lost && lost < p.loses {
			lost++
			o.kind, o.sent, o.broken = "lost", true, ""
		}
		if o.broken != "" {
			r.wrong = append(r.wrong, p.name+": "+o.text+": "+o.broken)
		}
	}
	if p.streams && resumed == 0 {
		r.wrong = append(r.wrong, p.name+": no stream was resumed")
	}
	r.phases = append(r.phases, p)
}

// compare looks up in what the servers saw how often each call was carried out.
func (r *report) compare() error {
	seen := map[string]int{}
	for _, path := range r.traces {
		if err := count(path, seen); err != nil {
			return err
		}
	}
	for _, p := range r.phases {
		for _, o := range p.outcomes {
			switch n := seen[o.text]; {
			case n > 1:
				r.wrong = append(r.wrong, fmt.Sprintf("%s: %s was carried out %d times", p.name, o.text, n))
			case n == 0 && o.kind == "" && o.broken == "":
				r.wrong = append(r.wrong, fmt.Sprintf("%s: %s was answered and never carried out", p.name, o.text))
			case n > 0 && o.kind != "" && !o.sent:
				r.wrong = append(r.wrong, fmt.Sprintf("%s: %s was carried out, and its error says that it was not sent", p.name, o.text))
			}
		}
	}
	return nil
}

// count counts the texts of calls that a server has seen.
func count(path string, seen map[string]int) error {
	f, err := os.Open(path)
	if err != nil {
		return err
	}
	defer f.Close()
	lines := bufio.NewScanner(f)
	lines.Buffer(nil, 1<<20)
	for lines.Scan() {
		var e struct {
			Message struct {
				Method string
				Params struct{ Arguments struct{ Text string } }
			}
		}
		if json.Unmarshal(lines.Bytes(), &e) == nil && e.Message.Method == "tools/call" {
			seen[e.Message.Params.Arguments.Text]++
		}
	}
	return lines.Err()
}

// failure is nil if all is as it should be.
func (r *report) failure() error {
	if len(r.wrong) == 0 {
		return nil
	}
	for _, line := range r.wrong[:min(20, len(r.wrong))] {
		fmt.Fprintln(os.Stderr, line)
	}
	return errors.New(fmt.Sprint(len(r.wrong), " calls are wrong"))
}

// print writes the figures: latencies of answers, and how they differ from the direct
// calls of the same kind.
func (r *report) print(w io.Writer) {
	fmt.Fprint(w, "Calls through a balancer and a gateway, beside the same calls made to the server itself,\nin one run of go run ./golden/balance: see make balance.\n\n")
	fmt.Fprintf(w, "%-36s %7s %8s %8s %10s %10s  errors, streams\n", "", "answers", "p50", "p99", "p50 more", "p99 more")
	var base [2]time.Duration
	for _, p := range r.phases {
		var took []time.Duration
		errs := map[string]int{}
		for _, o := range p.outcomes {
			if o.resumed > 0 {
				errs["resumed"]++
			}
			switch {
			case o.broken != "":
				errs["WRONG"]++
			case o.kind != "":
				errs[o.kind]++
			default:
				took = append(took, o.took)
			}
		}
		slices.Sort(took)
		p50, p99 := quantile(took, 50), quantile(took, 99)
		more := fmt.Sprintf("%10s %10s", "-", "-")
		if p.name[:6] == "direct" {
			base = [2]time.Duration{p50, p99}
		} else {
			more = fmt.Sprintf("%10s %10s", short(p50-base[0]), short(p99-base[1]))
		}
		fmt.Fprintf(w, "%-36s %7d %8s %8s %s ", p.name, len(took), short(p50), short(p99), more)
		for _, kind := range slices.Sorted(maps.Keys(errs)) {
			fmt.Fprintf(w, " %d %s", errs[kind], kind)
		}
		fmt.Fprintln(w)
	}
	fmt.Fprintf(w, "\n%d gateways behind each balancer; the servers that crash did so %d times\n", gateways, r.crashes)
}

func quantile(sorted []time.Duration, percent int) time.Duration {
	if len(sorted) == 0 {
		return 0
	}
	return sorted[(len(sorted)-1)*percent/100]
}

func short(d time.Duration) string {
	return fmt.Sprintf("%.1fms", float64(d)/float64(time.Millisecond))
}
