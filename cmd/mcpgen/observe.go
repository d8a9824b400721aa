package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"io"
	"os"

	"github.com/urfave/cli/v2"

	"github.com/mcpgen/mcpgen/cmd/mcpgen/internal/calling"
	"github.com/mcpgen/mcpgen/cmd/mcpgen/internal/console"
	"github.com/mcpgen/mcpgen/cmd/mcpgen/internal/exit"
	"github.com/mcpgen/mcpgen/internal/hint"
	"github.com/mcpgen/mcpgen/internal/regular"
	"github.com/mcpgen/mcpgen/internal/safetext"
)

func observeCommand() *cli.Command {
	return &cli.Command{
		Name:      "observe",
		Usage:     "make a Go type for a tool's result from what the tool returns",
		ArgsUsage: "[NAME… | NAME key=value…]",
		Description: `Calls a tool and makes a Go type from its result. NAME is a locked tool that declares
no result schema and is marked read-only. Pass its arguments as for call. The shape of
the JSON result goes into observed.json: kinds and names of members, no values. Then
lock and code are rewritten. Run it again with other arguments: shapes grow, and never
shrink.

--verify calls nothing. FILE holds one or more results of any typed tool, as the
server sends them, or their structured content alone. observe decodes them with the
generated code. It prints the path of each member that no field reads, and exits 1.

  mcpgen call github/list_prs repo=o/r --json | mcpgen observe github/list_prs --verify -

--call calls tools to check their results, and writes nothing. NAME is a tool or a
server; without NAME, observe uses all servers. It calls each tool that has a result
schema, is marked read-only and is allowed by the policy without a question to a
person. The arguments are samples, or those of --args. If a result breaks the locked
schema, the exit code is 1. If a tool refuses the call, its results stay unknown, and
the exit code is 3.`,
		Flags: []cli.Flag{
			&cli.StringFlag{Name: "args", Value: "{}", Usage: "the arguments, a `JSON` object; - reads it from standard input"},
			&cli.BoolFlag{Name: "call",
				Usage: "call the read-only tools, and print where their results break the locked schemas"},
			&cli.StringFlag{Name: "verify",
				Usage: "print the members of the results in `FILE` that no field reads, without a call; - reads standard input"},
		},
		Action: observe,
	}
}

func observe(c *cli.Context) error {
	if c.Bool("call") {
		return fits(c)
	}
	name, given := c.Args().First(), c.Args().Tail()
	switch {
	case name == "":
		return hint.With(usage("observe needs the NAME of a tool"), "list the names: mcpgen list")
	case len(given) > 0 && (c.IsSet("args") || c.IsSet("verify")):
		return hint.With(usage("observe: %q cannot be combined with --args or --verify", given[0]), "leave it out")
	case c.IsSet("verify"):
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
	if len(given) > 0 {
		if args, err = calling.Arguments(s.Servers, name, given); err != nil {
			return err
		}
	}
	report, err := calling.Observe(s.ctx, s.Client, name, args)
	if err != nil {
		return err
	}
	if report.Result.IsError {
		s.con.Error("%s/%s: the tool itself failed, nothing was observed: %s",
			report.Server, report.Tool, report.Result.Text())
		return finding(exit.Finding)
	}
	printObserved(s.con, report)
	printFiles(s.con, report.Files)
	return nil
}

// printObserved prints how Go code sees the result from now on.
func printObserved(con *console.Console, r *calling.ObserveReport) {
	name := r.Server + "/" + r.Tool
	if !r.Grown {
		con.Note("%s: nothing new in this result", name)
	}
	if r.Go == nil {
		con.Printf("%s: observed; it has no generated code: tools: in the configuration excludes it\n", name)
		return
	}
	con.Printf("%s: %s.%s returns %s\n", name, r.Go.Package, r.Go.Func, r.Go.Result)
}

// fits is observe --call: it compares results of new calls with the lock.
func fits(c *cli.Context) error {
	if c.IsSet("verify") {
		return hint.With(usage("observe: --call calls the server, and --verify reads results from a file"), "use one of them")
	}
	var args json.RawMessage
	if c.IsSet("args") {
		if c.Args().Len() != 1 {
			return usage("observe: --args needs the NAME of one tool")
		}
		var err error
		if args, err = callArguments(c); err != nil {
			return err
		}
	}
	s, err := open(c)
	if err != nil {
		return err
	}
	found, err := calling.Fits(s.ctx, s.Client, trimmed(c.Args().Slice()), args)
	if err != nil {
		return err
	}
	return printFits(s.con, found)
}

// printFits prints violations of schemas, and the number of calls without a result.
func printFits(con *console.Console, found []calling.Fit) error {
	fit, broken := 0, 0
	for _, f := range found {
		name := f.Server + "/" + f.Tool
		switch {
		case f.Err != nil:
			con.Note("%s %s: not known: %s", name, f.Args, f.Err.Error())
		case f.Wrong != nil:
			broken++
			for _, text := range f.Wrong {
				con.Printf("%s %s: %s\n", name, f.Args, text)
			}
		default:
			fit++
			con.Detail("%s %s: fits", name, f.Args)
		}
	}
	con.Note("%s called: %d fit, %d do not, %d not known",
		safetext.Count(len(found), "tool"), fit, broken, len(found)-fit-broken)
	if broken > 0 {
		con.Help("to let programs use the parts of a result that fit, set decode: lenient for the server")
	}
	return finding(calling.FitsCode(found))
}

// verify is observe --verify: it checks existing results.
func verify(c *cli.Context) error {
	if c.IsSet("args") {
		return usage("observe: --verify calls nothing, so it takes no --args")
	}
	s, err := open(c)
	if err != nil {
		return err
	}
	results, err := givenResults(s.ctx, c.String("verify"))
	if err != nil {
		return err
	}
	report, err := calling.Verify(s.ctx, s.Client, c.Args().First(), results)
	if err != nil {
		return err
	}
	printVerified(s.con, report)
	if !report.Whole() {
		return finding(exit.Finding)
	}
	return nil
}

// givenResults reads one or several JSON values from a file, or standard input.
func givenResults(ctx context.Context, name string) ([]json.RawMessage, error) {
	var data []byte
	var err error
	where := name
	if name == "-" {
		where = "standard input"
		data, err = readAll(ctx, os.Stdin, maxInput)
	} else if data, err = regular.ReadFile(name, maxInput); err != nil {
		err = usage("--verify %s: %v", name, err)
	}
	if err != nil {
		return nil, err
	}
	var results []json.RawMessage
	for d := json.NewDecoder(bytes.NewReader(data)); ; {
		var raw json.RawMessage
		if err := d.Decode(&raw); errors.Is(err, io.EOF) {
			break
		} else if err != nil {
			return nil, hint.With(usage("--verify: %s: not JSON: %v", where, err),
				"pass a result as the server sent it, such as the output of mcpgen call --json")
		}
		results = append(results, raw)
	}
	if len(results) == 0 {
		return nil, usage("--verify: %s: no result in it", where)
	}
	return results, nil
}

func printVerified(con *console.Console, r *calling.VerifyReport) {
	name := r.Server + "/" + r.Tool
	if r.Whole() {
		con.Note("%s: %s, and %s.%s reads all members",
			name, safetext.Count(len(r.Results), "result"), r.Go.Package, r.Go.Func)
		return
	}
	for i, v := range r.Results {
		if v.Error != "" {
			con.Printf("%s: result %d: %s\n", name, i+1, v.Error)
		}
		for _, u := range v.Unread {
			con.Printf("%s: result %d at %q: %s\n", name, i+1, u.Pointer, u.Reason)
		}
	}
}
