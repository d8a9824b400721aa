package main

import (
	"fmt"
	"os"

	"github.com/urfave/cli/v2"

	"github.com/mcpgen/mcpgen/cmd/mcpgen/internal/console"
	"github.com/mcpgen/mcpgen/cmd/mcpgen/internal/exit"
	"github.com/mcpgen/mcpgen/generator/vet"
	"github.com/mcpgen/mcpgen/internal/safetext"
)

func vetCommand() *cli.Command {
	return &cli.Command{
		Name:      "vet",
		Usage:     "find mistakes in calls that the compiler does not see",
		ArgsUsage: "[package…]",
		Description: `Looks at the packages, by default at ./..., and reports

  mcprequired    required fields that are left out, and nil for a required union
  mcpenum        constants that are not values of their enum
  mcperror       ignored errors of calls
  mcpdeprecated  names that are deprecated, such as a renamed tool's old one

It needs no mcpgen.yaml and no server. Exit code 1 means a mistake, and 2 means code
that does not compile. The same checks run under go vet:

  go vet -vettool=$(which mcpgen) ./...
  go vet -vettool=$(go tool -n -modfile=tools.mod mcpgen) ./...`,
		Flags: []cli.Flag{
			&cli.BoolFlag{Name: "fix", Usage: "correct the mistakes that have one obvious correction, and report the rest"},
			&cli.BoolFlag{Name: "diff",
				Usage: "print what --fix would change, but change nothing; exit 1 if --fix would change something"},
			&cli.BoolFlag{Name: "json", Usage: "print one JSON array of mistakes"},
			&cli.StringFlag{Name: "tags", Usage: "build with `TAGS`, separated by commas"},
		},
		Action: vetPackages,
	}
}

func vetPackages(c *cli.Context) error {
	s := newSession(c)
	tool, err := os.Executable()
	if err != nil {
		return err
	}
	o := vet.Options{Tool: tool, Packages: c.Args().Slice(), Tags: c.String("tags")}
	if c.Bool("diff") {
		patch, err := vet.Diff(s.ctx, o)
		if err != nil {
			return err
		}
		fmt.Fprintf(s.con.Out, "%s", patch)
		if len(patch) > 0 {
			return finding(exit.Finding)
		}
		return nil
	}
	if c.Bool("fix") {
		if err := vet.Fix(s.ctx, o); err != nil {
			return err
		}
	}
	found, err := vet.Run(s.ctx, o)
	if err != nil {
		return err
	}
	return printMistakes(s.con, found, c.Bool("json"))
}

// printMistakes prints one mistake per line, as compilers do.
func printMistakes(con *console.Console, found []vet.Diagnostic, asJSON bool) error {
	if asJSON {
		if err := printJSON(con.Out, append([]vet.Diagnostic{}, found...)); err != nil {
			return err
		}
	}
	fixable := 0
	for _, d := range found {
		if d.Fixable {
			fixable++
		}
		if !asJSON {
			con.Printf("%s:%d:%d: %s (%s)\n", d.File, d.Line, d.Column, d.Message, d.Check)
		}
	}
	if len(found) == 0 {
		con.Note("no mistakes")
		return nil
	}
	con.Note("%s", safetext.Count(len(found), "mistake"))
	if fixable > 0 {
		con.Help(fmt.Sprintf("correct %d of them: mcpgen vet --fix", fixable))
	}
	return finding(exit.Finding)
}
