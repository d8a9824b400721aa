package main

import (
	"fmt"
	"os"
	"strings"

	"github.com/mcpgen/mcpgen/cmd/mcpgen/internal/console"
	"github.com/mcpgen/mcpgen/cmd/mcpgen/internal/report"
	"github.com/mcpgen/mcpgen/cmd/mcpgen/internal/workspace"
	"github.com/mcpgen/mcpgen/internal/hint"
	"github.com/mcpgen/mcpgen/internal/safetext"
	"github.com/urfave/cli/v2"
)

func fixCommand() *cli.Command {
	return &cli.Command{
		Name:  "fix",
		Usage: "rewrite code that uses names which an update changed",
		Description: `Compares the lock with an earlier one. Rewrites calls, arguments, fields, types and
constants of generated packages that have another name now, and imports of packages
that have another name or folder, even where something else keeps the code from
compiling, and prints the diff. --diff prints it and writes nothing. Run it after
update, or after package: or output: changed in mcpgen.yaml and generate ran.

The earlier lock is that of the commit that is checked out, else what the last update
replaced, else what the last commit that changed the lock replaced; --against names
another one.

A tool counts as renamed if check calls that certain or likely; a member or an argument
of a prompt if nothing but its name changed; a value if it is spelled much like one that
is gone; and whatever --rename says. With -i each rename that is likely is asked about.
Where a value may be left out now it is written as new(value), and the other way round.
What stays broken even then is listed, with what to do about it, and the exit code is 1.`,
		Flags: []cli.Flag{
			&cli.BoolFlag{Name: "diff", Usage: "print the diff, write nothing; exit 1 if there is one"},
			&cli.StringFlag{Name: "against", Usage: "the code was written for the lock of `REV|FILE`: a git revision, a lock or a folder with one"},
			&cli.StringSliceFlag{Name: "rename", Usage: "the tool or prompt OLD is called NEW now: `SERVER/OLD=NEW`, or OLD=NEW; a member of a tool: SERVER/TOOL/OLD=NEW; may be repeated"},
			&cli.BoolFlag{Name: "interactive", Aliases: []string{"i"}, Usage: "ask about each rename that is likely"},
		},
		Action: fix,
	}
}

func fix(c *cli.Context) error {
	s, err := openOwn(c)
	if err != nil {
		return err
	}
	o := workspace.FixOptions{Against: c.String("against"), DryRun: c.Bool("diff"), Renamed: c.StringSlice("rename")}
	if c.Bool("interactive") {
		if !console.IsTerminal(os.Stdin) {
			return hint.With(usage("-i: standard input is not a terminal, so nobody can be asked"), "name what has another name: --rename SERVER/OLD=NEW")
		}
		o.Ask = s.askAboutRename
	}
	found, err := s.Fix(s.ctx, o)
	if err != nil {
		return err
	}
	s.printFix(found, true)
	switch files := safetext.Count(len(found.Files), "file"); {
	case len(found.Files) == 0:
		s.con.Note("no name that the code uses has changed since %s", found.Against)
	case c.Bool("diff"):
		s.con.Note("%v", hint.With(fmt.Errorf("%s to rewrite, compared with %s", files, found.Against), "run mcpgen fix"))
	default:
		s.con.Note("%s rewritten, compared with %s", files, found.Against)
		if len(found.Left) == 0 {
			s.con.Note("next: go build ./...")
		}
	}
	if len(found.Left) > 0 || c.Bool("diff") && len(found.Files) > 0 {
		return finding(workspace.ExitFinding)
	}
	return nil
}

// printFix says what was rewritten of the module, and what is left to a person.
func (s *session) printFix(f *workspace.FixReport, dry bool) {
	if dry {
		fmt.Fprintf(s.con.Out, "%s", f.Diff)
	}
	for _, l := range f.Left {
		for _, p := range l.Places {
			s.con.Error("%s", strings.TrimSpace(report.Position{File: p.File, Line: p.Line}.String()+": "+p.Reason))
		}
		if l.Help != "" {
			s.con.Help(l.Help)
		}
	}
}

// askAboutRename shows what speaks for a rename, and asks whether it is one.
func (s *session) askAboutRename(rename, evidence string) (bool, error) {
	s.con.Status("")
	s.con.Note("%s", rename)
	s.con.Note("  %s", evidence)
	answer, err := s.answer("Rename it? [y]es, [N]o, [q]uit: ")
	if answer == "q" || answer == "quit" {
		err = workspace.ErrQuit
	}
	return answer == "y" || answer == "yes", err
}
