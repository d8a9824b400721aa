// Command mcpgen turns the MCP servers of a project into typed Go packages, locks their definitions, and
// reports changes.
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
	"github.com/mcpgen/mcpgen/cmd/mcpgen/internal/exit"
	"github.com/mcpgen/mcpgen/cmd/mcpgen/internal/starter"
	"github.com/mcpgen/mcpgen/generator/vet"
	"github.com/mcpgen/mcpgen/internal/hint"
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
	if stdout.err != nil && code != exit.Usage { // otherwise an error reports it
		fmt.Fprintf(os.Stderr, "error: standard output: %v\n", stdout.err)
		code = exit.Usage
	}
	if c := stop(); c != exit.OK {
		code = c
	}
	os.Exit(code)
}

// output is standard output with its first write error, since commands that print line by line do not
// check for errors.
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

// interruptible returns a context that the first Ctrl-C or SIGTERM ends. A second signal ends the process
// at once. The returned function returns the exit code of the signal, or 0 without one.
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
			code <- exit.Terminated
		} else {
			code <- exit.Interrupted
		}
		signal.Stop(signals)
		cancel()
	}()
	return ctx, func() int {
		select {
		case c := <-code:
			return c
		default:
			return exit.OK
		}
	}
}

// programName returns how the user started this program: through the go command if that has built it,
// else the typed path, or mcpgen.
func programName(args []string) string {
	executable, err := os.Executable()
	switch {
	case err == nil && console.ByGo(executable):
		return starter.GoCommand(".", version())
	case len(args) == 0 || filepath.Base(args[0]) == args[0]:
		return "mcpgen"
	}
	if found, err := exec.LookPath(filepath.Base(args[0])); err == nil && found == args[0] {
		return "mcpgen"
	}
	return hint.Word(args[0])
}
