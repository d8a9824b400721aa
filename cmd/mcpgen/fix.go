package main

import (
	"fmt"
	"os"
	"strings"

	"github.com/mcpgen/mcpgen/cmd/mcpgen/internal/console"
	"github.com/mcpgen/mcpgen/cmd/mcpgen/internal/exit"
	"github.com/mcpgen/mcpgen/cmd/mcpgen/internal/judging"
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
		Description: `Compares the lock with an earlier lock, rewrites your code and prints the diff. It
rewrites calls, arguments, fields, types and constants of generated packages whose
names changed, and imports of packages that moved. It works even if other code does not
compile. Run fix after update, or after you changed the key package: or output: in
mcpgen.yaml and ran generate. For output:, first move the old folder. --diff writes
nothing.

The earlier lock is the first of these that exists: the lock of the checked-out commit,
if it differs; the lock that the last update replaced; the lock before the last commit
that changed it. --against names another lock.

fix treats these items as renamed: a tool, if check calls the rename certain or likely;
a member or a prompt's argument, if only its name changed; a value, if a new value has
a similar spelling. --rename names more renames. -i asks about each likely rename. If
a member became optional, fix writes new(value) for value; if it became required,
value for new(value); if it may have more types, a conversion, where the value is
certainly sent. fix replaces long and deprecated names of types by short names, and
removes the old names from the lock. It lists the lines that stay broken, with the next
step, and then exits 1. A line that compiles and only reads a changed result is
listed until you change its function or declaration; if the earlier lock is not that of
a commit, such a line is not listed: check --against lists it.`,
		Flags: []cli.Flag{
			&cli.BoolFlag{Name: "diff", Usage: "print the diff, write nothing; exit 1 if the diff is not empty"},
			&cli.StringFlag{Name: "against", Usage: "fix code that was written for an older lock, " +
				"given as `REV|FILE`: a git revision, a lock file or a folder that contains one"},
			&cli.StringSliceFlag{Name: "rename", Usage: "treat the tool or prompt OLD as renamed to NEW: " +
				"`SERVER/OLD=NEW`, or OLD=NEW; for a member of a tool: SERVER/TOOL/OLD=NEW; may be repeated"},
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
			return cannotAsk("-i", "give the old and the new name: --rename SERVER/OLD=NEW")
		}
		o.Ask = s.askAboutRename
	}
	found, err := workspace.Fix(s.ctx, s.Servers, s.con, o)
	if err != nil {
		return err
	}
	printFix(s.con, found, true)
	switch files := safetext.Count(len(found.Files), "file"); {
	case len(found.Files) == 0:
		s.con.Note("no name that the code uses has changed since %s", found.Against)
	case c.Bool("diff"):
		s.con.Note("%v", hint.With(fmt.Errorf("%s must be rewritten to match the changes since %s", files, found.Against),
			"run mcpgen fix"))
	default:
		s.con.Note("%s rewritten to match the changes since %s", files, found.Against)
		if len(found.Left) == 0 {
			s.con.Note("next: go build ./...")
		}
	}
	if len(found.Left) > 0 || c.Bool("diff") && len(found.Files) > 0 {
		return finding(exit.Finding)
	}
	return nil
}

// printFix prints what was rewritten in the module, and what a person has to do.
func printFix(con *console.Console, f *workspace.FixReport, diff bool) {
	if diff {
		fmt.Fprintf(con.Out, "%s", f.Diff)
	}
	for _, l := range f.Left {
		for _, p := range l.Places {
			con.Error("%s", strings.TrimSpace(report.Position{File: p.File, Line: p.Line}.String()+": "+p.Reason))
		}
		if l.Help != "" {
			con.Help(l.Help)
		}
	}
	if f.Older != "" {
		con.Help("if the code was written for an older lock: " + f.Older)
	}
}

// askAboutRename shows the evidence for a rename, and asks the user to confirm it.
func (s *session) askAboutRename(rename, evidence string) (bool, error) {
	s.con.Status("")
	s.con.Note("%s", rename)
	s.con.Note("  %s", evidence)
	answer, err := answer(s.ctx, s.con, "Rename it? [y]es, [N]o, [q]uit: ")
	if answer == "q" || answer == "quit" {
		err = judging.ErrQuit
	}
	return answer == "y" || answer == "yes", err
}
