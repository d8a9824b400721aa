package main

import (
	"github.com/mcpgen/mcpgen/cmd/mcpgen/internal/console"
	"github.com/mcpgen/mcpgen/cmd/mcpgen/internal/workspace"
	"github.com/urfave/cli/v2"
)

func observeCommand() *cli.Command {
	return &cli.Command{
		Name:      "observe",
		Usage:     "type the result of a tool by what it returns",
		ArgsUsage: "[NAME…]",
		Description: `NAME is a locked tool, as for call, that declares no result schema and says
that it only reads. Calls it, and folds the shape of its JSON result into
observed.json: kinds and names of members, no values. Then rewrites lock and
code. Run it again with other arguments: shapes grow, and never shrink.

With --verify nothing is called. The file holds one or several results of any typed
tool, as the server sends them or their structured content alone. They go through
the generated code, and what no field of it reads is printed with its place: exit 1.

  mcpgen call github/list_prs repo=o/r --json | mcpgen observe github/list_prs --verify -

With --call, NAME is a tool, a server, or left out for all. Calls the tools that say
that they only read and that the policy allows without asking, with sample arguments
or those of --args, and prints what of their results breaks the locked schema: exit 1.
What a tool refuses is not known: exit 3. Nothing is written.`,
		Flags: []cli.Flag{
			&cli.StringFlag{Name: "args", Value: "{}", Usage: "the arguments, a `JSON` object; - reads it from standard input"},
			&cli.BoolFlag{Name: "call", Usage: "really call the tools that only read, and print what of their results breaks the locked schemas"},
			&cli.StringFlag{Name: "verify", Usage: "call nothing: print what of the results in `FILE` no field reads; - reads them from standard input"},
		},
		Action: observe,
	}
}

func observe(c *cli.Context) error {
	if c.Bool("call") {
		return fits(c)
	}
	if c.Args().Len() != 1 {
		return usage("observe takes one NAME, but got %d arguments: run mcpgen list for the names", c.Args().Len())
	}
	if c.IsSet("verify") {
		return verify(c)
	}
	args, err := callArguments(c)
	if err != nil {
		return err
	}
	s, err := openToWrite(c, false)
	if err != nil {
		return err
	}
	report, err := s.Observe(s.ctx, c.Args().First(), args)
	if err != nil {
		return err
	}
	if report.Result.IsError {
		s.con.Error("%s/%s: the tool itself failed, nothing was observed: %s",
			console.Clean(report.Server), console.Clean(report.Tool), console.Clean(report.Result.Text()))
		return finding(workspace.ExitFinding)
	}
	s.printObserved(report)
	s.printFiles(report.Files)
	return nil
}

// printObserved says how Go code sees the result from now on.
func (s *session) printObserved(r *workspace.ObserveReport) {
	name := console.Clean(r.Server) + "/" + console.Clean(r.Tool)
	if !r.Grown {
		s.con.Note("%s: nothing new in this result", name)
	}
	if r.Go == nil {
		s.con.Printf("%s: observed; no code is generated for it, see tools: in the configuration\n", name)
		return
	}
	s.con.Printf("%s: %s.%s returns %s\n", name, r.Go.Package, r.Go.Func, r.Go.Result)
}
