package main

import (
	"context"
	"os"
	"os/signal"
	"syscall"

	"github.com/mcpgen/mcpgen/cmd/mcpgen/internal/workspace"
)

// interruptible returns a context that the first Ctrl-C or SIGTERM ends. The
// second one ends the process at once. The returned function gives the exit
// code of the signal, or 0 if none came.
func interruptible() (context.Context, func() int) {
	ctx, cancel := context.WithCancel(context.Background())
	signals := make(chan os.Signal, 1)
	code := make(chan int, 1)
	signal.Notify(signals, os.Interrupt, syscall.SIGTERM)
	go func() {
		s, ok := <-signals
		if !ok {
			return
		}
		if s == syscall.SIGTERM {
			code <- workspace.ExitTerminated
		} else {
			code <- workspace.ExitInterrupted
		}
		signal.Stop(signals)
		cancel()
	}()
	return ctx, func() int {
		select {
		case c := <-code:
			return c
		default:
			return workspace.ExitOK
		}
	}
}
