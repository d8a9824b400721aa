package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"os"
	"slices"

	"github.com/urfave/cli/v2"

	"github.com/mcpgen/mcpgen/cmd/mcpgen/internal/console"
	"github.com/mcpgen/mcpgen/cmd/mcpgen/internal/exit"
	"github.com/mcpgen/mcpgen/cmd/mcpgen/internal/report"
	"github.com/mcpgen/mcpgen/cmd/mcpgen/internal/workspace"
	"github.com/mcpgen/mcpgen/internal/hint"
	"github.com/mcpgen/mcpgen/runtime/attach/artifact"
)

func upgradeCommand() *cli.Command {
	flags := slices.DeleteFunc(reportFlags(), func(f cli.Flag) bool { return f.Names()[0] == "all" }) // all servers here
	return &cli.Command{
		Name:      "upgrade",
		Usage:     "run newer versions of servers, and repair the code",
		ArgsUsage: "[SERVER[@VERSION]…]",
		Description: `Finds the newest version of a server's package, with npm or go, or takes the version
that you name. For an image or a Python package you must name the version. Shows the
old and the new launch, and asks once. Then it starts the new version, lists its tools,
and does what update and fix do: report, lock, code, and the lines of your module that
use a renamed item. At the end, it writes all files together or none of them, also
mcpgen.yaml or the imported file that has the version. upgrade lists what you must do
by hand, and then exits 1.

If the configured launch already differs from the lock, upgrade keeps the configured
launch. If a server has a URL, or its launch names no version, upgrade does what
update does. Without names, upgrade only lists the versions.`,
		Flags: append([]cli.Flag{
			&cli.BoolFlag{Name: "all", Usage: "upgrade all servers"},
			&cli.BoolFlag{Name: "dry-run",
				Usage: "show what would change, write nothing; this still starts the new version of the server"},
			&cli.BoolFlag{Name: "yes", Usage: "ask nothing"},
			&cli.StringSliceFlag{Name: "accept",
				Usage: "accept security findings: `SERVER/TOOL/RULE`, with * and ?; may be repeated"},
		}, flags...),
		Action: upgrade,
	}
}

func upgrade(c *cli.Context) error {
	names := trimmed(c.Args().Slice())
	if len(names) > 0 && c.Bool("all") {
		return hint.With(usage("upgrade: --all and the server %s exclude each other", names[0]), "pass only one of the two")
	}
	o := workspace.UpdateOptions{Accept: c.StringSlice("accept"), DryRun: c.Bool("dry-run"), Upgrade: true}
	r, err := parseReporting(c)
	if err == nil {
		err = parseAccepts(c, &o)
	}
	if err != nil {
		return err
	}
	s, err := openToWrite(c, false)
	if err != nil {
		return err
	}
	found, err := s.Upgrades(s.ctx, names)
	if err != nil {
		return err
	}
	var wrong []error
	for _, u := range found {
		switch err := fmt.Errorf("%s: its versions cannot be listed: %w", u.Server, u.Err); {
		case errors.Is(err, artifact.ErrNoVersions):
			wrong = append(wrong, hint.With(err, "leave the version out: mcpgen upgrade "+hint.Word(u.Server)))
		case u.Err != nil:
			wrong = append(wrong, &exit.Failure{Code: exit.Server, Err: err})
		}
	}
	found = slices.DeleteFunc(found, func(u workspace.Upgrade) bool { return u.Err != nil })
	printUpgrades(s.con, found, r.format == report.Text)
	if len(names) == 0 && !c.Bool("all") {
		s.con.Help("upgrade one: mcpgen upgrade SERVER", "upgrade all: mcpgen upgrade --all")
		return errors.Join(wrong...)
	}
	found = slices.DeleteFunc(found, func(u workspace.Upgrade) bool { return !u.Changes() })
	if len(found) == 0 || len(names) > 0 && len(wrong) > 0 {
		return errors.Join(wrong...)
	}
	edits, err := s.Plan(found, &o)
	if err != nil {
		return err
	}
	if err := agree(s.ctx, c, s.con); err != nil {
		return err
	}
	if s, err = openFor(c, !o.DryRun, false, edits...); err != nil {
		return err
	}
	o.Flags, r.all = r.Flags, false
	o.Show = s.showFirst(c, r)
	if console.IsTerminal(os.Stdin) && !c.Bool("yes") {
		o.AskRename = s.askAboutRename
	}
	if err = s.update(o, r); len(wrong) > 0 {
		printErrors(s.con, errors.Join(wrong...))
		err = finding(exit.Code(errors.Join(append(wrong, err)...)))
	}
	return err
}

// printUpgrades prints the current and available versions of servers: on standard output, or as notes if
// the output is data for other programs.
func printUpgrades(con *console.Console, found []workspace.Upgrade, text bool) {
	say := con.Note
	if text {
		say = func(format string, args ...any) { con.Printf(format+"\n", args...) }
	}
	t := con.Table()
	for _, u := range found {
		switch {
		case u.Configured != "":
			t.Row(u.Server, u.Configured, "", "configured, not locked", u.At)
		case u.New == "":
			t.Row(u.Server, "no version", "", "upgrade looks at its surface", u.At)
		case !u.Changes():
			t.Row(u.Server, u.Old, "", "the newest", u.At)
		case u.Old == u.New:
			t.Row(u.Server, u.Old+" "+u.Was.Version, "→", u.Now.Version, u.At)
		default:
			t.Row(u.Server, u.Old, "→", u.New, u.At)
		}
	}
	for _, row := range t.Rows() {
		say("%s", row)
	}
	for _, u := range found {
		if u.Changes() && u.Now.Integrity != "" {
			say("%s: %s, was %s", u.Server, u.Now.Integrity, cmp.Or(u.Was.Integrity, "not known"))
		}
	}
}

// agree asks whether to do the upgrades that were shown.
func agree(ctx context.Context, c *cli.Context, con *console.Console) error {
	switch {
	case c.Bool("yes") || c.Bool("dry-run"):
		return nil
	case !console.IsTerminal(os.Stdin):
		return cannotAsk("upgrade", "upgrade without a question: --yes", "only show the changes: --dry-run")
	}
	answer, err := answer(ctx, con, "Start the new versions and accept them? [y/N] ")
	if err == nil && answer != "y" && answer != "yes" {
		err = &exit.Failure{Code: exit.Finding, Err: errors.New("nothing was changed")}
	}
	return err
}
