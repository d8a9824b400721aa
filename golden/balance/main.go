//go:build unix

// Command balance loads three gateways behind haproxy: 1,000 callers at the same time,
// of both eras of the protocol, and behind the gateways two servers, one of which
// crashes again and again. It fails if a call gets another one's answer, none, or an
// error that does not say what it is; if a call is carried out twice, or was carried
// out where its error says that it was not. It prints what the way through haproxy and
// a gateway costs a call, beside the same calls made to the server itself, in the same
// run.
package main

import (
	"bytes"
	"context"
	"flag"
	"fmt"
	"os"
	"os/signal"
	"path/filepath"
	"syscall"
	"time"

	"github.com/mcpgen/mcpgen/golden/process"
)

// options are the flags.
type options struct {
	callers int
	rounds  int
	haproxy string
	config  string
	out     string
}

func main() {
	var o options
	flag.IntVar(&o.callers, "callers", 1000, "how many call at the same time")
	flag.IntVar(&o.rounds, "rounds", 3, "how often each of them calls")
	flag.StringVar(&o.haproxy, "haproxy", "haproxy", "the load balancer's program")
	flag.StringVar(&o.config, "config", "examples/gateway/haproxy.cfg", "its configuration")
	flag.StringVar(&o.out, "out", "", "write the figures to this file, too, if nothing failed")
	flag.Parse()
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	if err := run(ctx, o); err != nil {
		fmt.Fprintln(os.Stderr, "balance:", err)
		os.Exit(1)
	}
}

// runTime bounds a run, which takes half a minute.
const runTime = 5 * time.Minute

func run(ctx context.Context, o options) error {
	ctx, cancel := context.WithTimeout(ctx, runTime)
	defer cancel()
	dir, err := os.MkdirTemp("", "balance")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	for program, of := range map[string]string{"mcpgen": "./cmd/mcpgen", "server": "./golden/testserver/cmd/mcptestserver"} {
		if err := process.Build(ctx, ".", filepath.Join(dir, program), of); err != nil {
			return err
		}
	}
	f, err := startFleet(ctx, dir, o)
	if err != nil {
		return err
	}
	defer f.stop()

	direct := newCallers(f.steady, "echo", o.callers, legacy)
	through := func(n int, server, protocol string) callers {
		return newCallers(f.balancer, server+"__echo", n, protocol)
	}
	half, third := o.callers/2, o.callers/3
	mixed := append(through(half, "steady", modern), through(o.callers-half, "steady", legacy)...)
	crashing := append(append(through(half-third/2, "steady", modern), through(o.callers-half-third/2, "steady", legacy)...),
		append(through(third/2, "shaky", modern), through(third/2, "shaky", legacy)...)...)
	r := &report{}
	for _, phase := range []struct {
		name   string
		calls  callers
		alone  bool // one after the other
		rounds int
	}{
		{"direct, one at a time", direct[:1], true, 300},
		{"gateway 2026-07-28, one at a time", mixed[:1], true, 300},
		{"gateway 2025-11-25, one at a time", mixed[half : half+1], true, 300},
		{"direct, all at once", direct, false, o.rounds},
		{"gateways, all at once", mixed, false, o.rounds},
		{"gateways, a server crashes", crashing, false, o.rounds},
	} {
		if err := phase.calls.begin(ctx); err != nil {
			return fmt.Errorf("%s: %w", phase.name, err)
		}
		outcomes := phase.calls.call(ctx, phase.rounds)
		r.add(phase.name, outcomes)
		if ctx.Err() != nil {
			return ctx.Err()
		}
	}
	f.stop()
	if err := r.compare(f.traces); err != nil {
		return err
	}
	var text bytes.Buffer
	r.print(&text, f)
	fmt.Print(text.String())
	if err := r.failure(); err != nil || o.out == "" {
		return err
	}
	return os.WriteFile(o.out, text.Bytes(), 0o644)
}
