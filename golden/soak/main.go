// Command soak loads one host for a long time: 20 servers, half of them hostile,
// 64 callers, and at random moments killed processes, changed listings, servers
// that are taken out and put back. It fails if an answer is wrong, an error has no
// type, something is left behind, or memory, goroutines, descriptors or processes
// grow. It is not part of the tests: it takes an hour.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"log/slog"
	"os"
	"os/signal"
	"path/filepath"
	"sync"
	"syscall"
	"time"

	"github.com/mcpgen/mcpgen/golden/process"
	"github.com/mcpgen/mcpgen/runtime/attach"
)

// options are the flags.
type options struct {
	duration time.Duration
	warmup   time.Duration // from whose end on nothing may grow
	callers  int
	seed     uint64
	out      string
}

func main() {
	var o options
	flag.DurationVar(&o.duration, "for", time.Hour, "how long")
	flag.IntVar(&o.callers, "callers", 64, "how many call at the same time")
	flag.Uint64Var(&o.seed, "seed", 1, "of what happens at random")
	flag.StringVar(&o.out, "out", "", "write the figures to this file, too, if nothing failed")
	flag.Parse()
	o.warmup = o.duration / 6
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	if err := run(ctx, o); err != nil {
		fmt.Fprintln(os.Stderr, "soak:", err)
		os.Exit(1)
	}
}

func run(ctx context.Context, o options) error {
	dir, err := os.MkdirTemp("", "soak")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	program := filepath.Join(dir, "mcptestserver")
	if err := process.Build(ctx, ".", program, "./golden/testserver/cmd/mcptestserver"); err != nil {
		return err
	}
	fleet, err := start(ctx, program, o.duration+time.Minute)
	if err != nil {
		return err
	}
	defer fleet.stop()
	idle := measure()

	host, err := attach.Connect(ctx, fleet.endpoints(), &attach.Options{
		Logger: slog.New(slog.DiscardHandler), // what servers log is not looked at
	})
	if err != nil {
		return err
	}
	s := &soak{host: host, fleet: fleet, tally: newTally()}
	report := &report{options: o, started: time.Now()}
	s.load(ctx, o, report)
	host.Close()
	report.left = leftOver(idle)
	report.tally = s.tally
	if err := ctx.Err(); err != nil {
		return fmt.Errorf("interrupted after %v", time.Since(report.started).Round(time.Second))
	}
	fmt.Print(report)
	if err := report.verdict(); err != nil {
		return err
	}
	if o.out == "" {
		return nil
	}
	return os.WriteFile(o.out, []byte(report.String()), 0o666)
}

// soak is one run.
type soak struct {
	host  *attach.Host
	fleet *fleet
	tally *tally
}

// load runs callers and faults until the time is over, and measures every minute.
func (s *soak) load(ctx context.Context, o options, r *report) {
	ctx, cancel := context.WithTimeoutCause(ctx, o.duration, errOver)
	defer cancel()
	var wg sync.WaitGroup
	for i := range o.callers {
		wg.Go(func() { s.call(ctx, newRandom(o.seed, uint64(i))) })
	}
	wg.Go(func() { s.disturb(ctx, newRandom(o.seed, 1<<32)) })
	every := max(o.duration/60, time.Second)
	tick := time.NewTicker(every)
	defer tick.Stop()
	for {
		select {
		case <-tick.C:
			r.samples = append(r.samples, sample{at: time.Since(r.started), usage: measure(), calls: s.tally.total()})
		case <-ctx.Done():
			wg.Wait()
			return
		}
	}
}

var errOver = errors.New("the time is over")
