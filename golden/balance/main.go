//go:build unix

// Command balance loads three gateways behind haproxy, then behind nginx: 1,000 callers
// at the same time, of both eras of the protocol. Behind the gateways are four servers,
// one of which crashes again and again. The configuration of the gateways changes, a
// gateway restarts, streams of long calls break, and the balancer and then a gateway are
// killed. It fails if a call gets another call's answer, no answer, or an error that does not
// say what it is; if a call is carried out twice; or if it was carried out and its error says
// that it was not. Two kinds of call may be lost: those in a gateway that is killed, and, with
// nginx, those that reach a gateway while it ends. It prints how much longer a call takes
// through a balancer and a gateway than to the server itself, in the same run.
package main

import (
	"bytes"
	"context"
	"errors"
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
	out     string
}

func main() {
	var o options
	flag.IntVar(&o.callers, "callers", 1000, "how many call at the same time")
	flag.IntVar(&o.rounds, "rounds", 2, "how often each of them calls")
	flag.StringVar(&o.out, "out", "", "write the figures to this file, too, if nothing failed")
	flag.Parse()
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	if err := run(ctx, o); err != nil {
		fmt.Fprintln(os.Stderr, "balance:", err)
		os.Exit(1)
	}
}

// runTime bounds a run, which takes a minute.
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
	r := &report{}
	for _, b := range balancers() {
		if err := measure(ctx, dir, b, o, r); err != nil {
			return fmt.Errorf("%s: %w", b.name, err)
		}
	}
	if err := r.compare(); err != nil {
		return err
	}
	var text bytes.Buffer
	r.print(&text)
	fmt.Print(text.String())
	if err := r.failure(); err != nil || o.out == "" {
		return err
	}
	return os.WriteFile(o.out, text.Bytes(), 0o644)
}

// measure makes all calls through one balancer.
func measure(ctx context.Context, bin string, b balancer, o options, r *report) error {
	dir := filepath.Join(bin, b.name)
	if err := os.Mkdir(dir, 0o755); err != nil {
		return err
	}
	f, err := startFleet(ctx, bin, dir, b)
	if err != nil {
		return err
	}
	defer f.stop()
	r.traces = append(r.traces, f.traces...)

	direct := newCallers(f.steady, "echo", o.callers, legacy)
	through := func(n int, server, protocol string) callers {
		return newCallers(f.url, server+"__echo", n, protocol)
	}
	half, third, tenth := o.callers/2, o.callers/3, o.callers/10
	mixed := append(through(half, "steady", modern), through(o.callers-half, "steady", legacy)...)
	crashing := append(append(through(half-third/2, "steady", modern), through(o.callers-half-third/2, "steady", legacy)...),
		append(through(third/2, "shaky", modern), through(third/2, "shaky", legacy)...)...)
	long := append(through(tenth/2, "slow", legacy), through(tenth/2, "late", legacy)...)
	for _, p := range []struct {
		phase
		calls  callers
		rounds int
		middle func(context.Context) error
	}{
		{phase{name: "direct, one at a time"}, direct[:1], 300, nil},
		{phase{name: b.name + " 2026-07-28, one at a time"}, mixed[:1], 300, nil},
		{phase{name: b.name + " 2025-11-25, one at a time"}, mixed[half : half+1], 300, nil},
		{phase{name: "direct, all at once"}, direct, o.rounds, nil},
		{phase{name: b.name + ", all at once"}, mixed, o.rounds, nil},
		{phase{name: b.name + ", a server crashes"}, crashing, (o.rounds + 1) / 2, nil},
		{phase{name: b.name + ", mcpgen.yaml changes"}, mixed, o.rounds, func(ctx context.Context) error { return f.reload(ctx, bin) }},
		{phase{name: b.name + ", a gateway restarts", loses: b.loses}, mixed, o.rounds, func(context.Context) error { return f.restart(1) }},
		{phase{name: b.name + ", it is killed", streams: true}, long, 1, nil},
		{phase{name: b.name + ", a gateway is killed", loses: len(mixed)}, mixed, o.rounds, func(context.Context) error { return f.gateways[0].signal(syscall.SIGKILL, false) }},
	} {
		if err := p.calls.begin(ctx); err != nil {
			return fmt.Errorf("%s: %w", p.name, err)
		}
		var err error
		if p.streams {
			p.outcomes, err = f.follow(ctx, p.calls)
		} else {
			p.outcomes, err = p.calls.call(ctx, p.rounds, p.middle)
		}
		if err := errors.Join(err, ctx.Err()); err != nil {
			return fmt.Errorf("%s: %w", p.name, err)
		}
		r.add(p.phase)
	}
	f.shaky.mu.Lock()
	defer f.shaky.mu.Unlock()
	r.crashes += f.shaky.starts - 1
	return nil
}
