// Command mcpgen turns the MCP servers of a project into typed Go packages,
// locks what they offer, and tells when they have changed.
//
// Run mcpgen help for its commands.
package main

import (
	"cmp"
	"context"
	"fmt"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"syscall"

	"github.com/mcpgen/mcpgen/cmd/mcpgen/internal/console"
	"github.com/mcpgen/mcpgen/cmd/mcpgen/internal/report"
	"github.com/mcpgen/mcpgen/cmd/mcpgen/internal/workspace"
	"github.com/mcpgen/mcpgen/generator/vet"
	"github.com/urfave/cli/v2"
)

func main() {
	if vet.IsTool(os.Args[1:]) {
		vet.Main()
	}
	cli.FlagStringer = flagText(cli.FlagStringer)
	ctx, stop := interruptible()
	stdout := &output{File: os.Stdout}
	code := run(ctx, os.Args, stdout, os.Stderr)
	if stdout.err != nil && code != workspace.ExitUsage { // else an error says so
		fmt.Fprintf(os.Stderr, "error: standard output: %v\n", stdout.err)
		code = workspace.ExitUsage
	}
	if c := stop(); c != workspace.ExitOK {
		code = c
	}
	os.Exit(code)
}

// output is standard output and the first error of writing to it, which commands that print
// line by line do not look at.
type output struct {
	*os.File
	err error
}

// Write implements [io.Writer].
func (o *output) Write(p []byte) (int, error) {
	n, err := o.File.Write(p)
	o.err = cmp.Or(o.err, err)
	return n, err
}

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

// programName is how the user started this program with a command line: as the go
// command starts it where that has built it, else the path that was typed, or mcpgen.
func programName(args []string) string {
	executable, err := os.Executable()
	switch {
	case err == nil && console.ByGo(executable):
		return workspace.GoCommand(".", version())
	case len(args) == 0 || filepath.Base(args[0]) == args[0]:
		return "mcpgen"
	}
	if found, err := exec.LookPath(filepath.Base(args[0])); err == nil && found == args[0] {
		return "mcpgen"
	}
	return report.ShellWord(args[0])
}
