package main

import (
	"errors"
	"fmt"
	"os"
	"slices"
	"strings"

	"github.com/urfave/cli/v2"

	"github.com/mcpgen/mcpgen/cmd/mcpgen/internal/console"
	"github.com/mcpgen/mcpgen/cmd/mcpgen/internal/exit"
	"github.com/mcpgen/mcpgen/cmd/mcpgen/internal/judging"
	"github.com/mcpgen/mcpgen/cmd/mcpgen/internal/locks"
	"github.com/mcpgen/mcpgen/cmd/mcpgen/internal/report"
	"github.com/mcpgen/mcpgen/cmd/mcpgen/internal/workspace"
	"github.com/mcpgen/mcpgen/generator"
	"github.com/mcpgen/mcpgen/internal/hint"
	"github.com/mcpgen/mcpgen/internal/regular"
	"github.com/mcpgen/mcpgen/internal/ruleid"
	"github.com/mcpgen/mcpgen/internal/safetext"
	"github.com/mcpgen/mcpgen/schema/drift"
)

func updateCommand() *cli.Command {
	return &cli.Command{
		Name:      "update",
		Usage:     "accept what the servers offer now",
		ArgsUsage: "[server…]",
		Description: `Attaches to the named servers, or to all, shows what changed as check does, and
accepts it: snapshot, lock and code are rewritten. Servers are independent: if one
fails, it stays as it was, and the exit code is that of the error. Servers that are
not named stay as they are.

A tool with a security finding stays as it was locked, and the exit code is 1, unless
--accept names each of its findings. Without a terminal --accept needs --yes, since a
person has to decide. --accept-from accepts exactly the changes in a report of check
--format json, by their hashes. If the servers have other changes, it accepts nothing.
-i shows each item and asks.

update prints the report before it writes anything. If the report cuts a text short, it
names the command that shows the whole text, and the item stays as it was locked. With
--yes, with --all, or if a person says yes, update accepts the item.

A server whose launch differs from the locked one is not started, not even by
--dry-run. To accept the launch, pass --accept SERVER/server-launch-changed or
--accept-from, or answer yes.

Tools and members of schemas keep the order in which they were locked until something
else in their definition changes. --order locks the present order of the servers now.

In a pattern of --accept, * is any text and ? any character:
"github/*/text-injection", "*/list_*/hint-*".`,
		Flags: append([]cli.Flag{
			&cli.StringSliceFlag{Name: "accept", Usage: "accept security findings: " +
				"`SERVER/TOOL/RULE`, or server/rule for the server itself, with * and ?; may be repeated"},
			&cli.StringFlag{Name: "accept-from",
				Usage: "accept exactly the changes of the JSON report in `FILE`, and nothing if there are others"},
			&cli.BoolFlag{Name: "interactive", Aliases: []string{"i"}, Usage: "show each tool that changed, and ask about it"},
			&cli.BoolFlag{Name: "yes", Usage: "confirm that a person has reviewed the changes: " +
				"allow --accept without a terminal, and accept changed texts that the report cuts short"},
			&cli.BoolFlag{Name: "order",
				Usage: "lock the present order of the server's tools and members, even if nothing else has changed"},
			&cli.BoolFlag{Name: "dry-run", Usage: "show what changed, but write nothing"},
			&cli.BoolFlag{Name: "strict",
				Usage: "treat warnings as errors: a tool that is left out or typed more loosely, a key without effect"},
		}, reportFlags()...),
		Action: update,
	}
}

func update(c *cli.Context) error {
	r, err := parseReporting(c)
	if err != nil {
		return err
	}
	r.lines = report.FewLines // more output follows the report
	o := workspace.UpdateOptions{
		Flags: r.Flags, Servers: trimmed(c.Args().Slice()), Accept: c.StringSlice("accept"),
		DryRun: c.Bool("dry-run"), Strict: c.Bool("strict"), Order: c.Bool("order"),
	}
	if err := parseAccepts(c, &o); err != nil {
		return err
	}
	s, err := openToWrite(c, true)
	if err != nil {
		return err
	}
	if c.Bool("interactive") {
		o.Ask = s.askAbout
	}
	o.Show = s.showFirst(c, r)
	return s.update(o, r)
}

// update runs an update and prints the outcome.
func (s *session) update(o workspace.UpdateOptions, r *reporting) error {
	found, err := s.Update(s.ctx, o)
	if found == nil {
		return err
	}
	dropped := "dropped from the lock"
	if o.DryRun {
		dropped = "would be " + dropped
	}
	printDropped(s.con, dropped, found.Dropped, found.Broken)
	printSummary(s.con, found.Summary, found.Report)
	if found.Files != nil {
		printFiles(s.con, found.Files)
		printShapes(s.con, found.Shapes)
	}
	printLeft(s.con, s.Lock, found.Left)
	if f := found.Fixed; f != nil {
		printFix(s.con, f, o.DryRun && r.format == report.Text)
		if n := len(f.Files); n > 0 && !o.DryRun && err == nil {
			s.con.Note("%s rewritten", safetext.Count(n, "file"))
		}
		if len(f.Left) > 0 && len(found.Withheld) == 0 {
			return withFinding(s.con, err)
		}
	}
	printAfterUpdate(s.con, found)
	return endWithheld(s.con, s.State, found.Withheld, o.FailOn != "" && found.Failing(), err)
}

// showFirst returns a function that prints what an update will write, before it is written, and asks the
// user about changes that are not shown in full.
func (s *session) showFirst(c *cli.Context, r *reporting) func(*workspace.UpdateReport) ([]report.Folded, error) {
	shown, taken := "", c.Bool("yes") || c.Bool("dry-run") || c.Bool("interactive")
	return func(found *workspace.UpdateReport) ([]report.Folded, error) {
		text, folded, err := r.text(s.con, found.Report, found.Fails)
		if err == nil && text != shown { // otherwise a restarted update found the same
			shown, err = text, r.print(s.con, text, found.Report)
		}
		if err != nil || taken || len(folded) == 0 || !console.IsTerminal(os.Stdin) {
			if taken {
				folded = nil
			}
			return folded, err
		}
		are := map[bool]string{true: " that is", false: " that are"}[len(folded) == 1]
		question := "Accept " + safetext.Count(len(folded), "change") + are + " cut short? [y]es, [N]o: "
		answer, err := answer(s.ctx, s.con, question)
		if taken = answer == "y" || answer == "yes"; taken {
			folded = nil
		}
		return folded, err
	}
}

// endWithheld returns the error of a command with changes that were not accepted, or another finding,
// joined with err.
func endWithheld(con *console.Console, st *locks.State, withheld []judging.Withheld, found bool, err error) error {
	if len(withheld) == 0 && !found {
		return err
	}
	printWithheld(con, st, withheld, con.Error)
	return withFinding(con, err)
}

// withFinding prints err, and returns the exit code for an error together with a finding.
func withFinding(con *console.Console, err error) error {
	printErrors(con, err)
	return finding(exit.Worst(exit.Code(err), exit.Finding))
}

// parseAccepts parses the acceptances in the flags.
func parseAccepts(c *cli.Context, o *workspace.UpdateOptions) error {
	for _, pattern := range o.Accept {
		if err := judging.CheckAccept(pattern); err != nil {
			return usage("--accept: %v", err)
		}
	}
	file := c.String("accept-from")
	switch {
	case c.Bool("interactive") && (file != "" || len(o.Accept) > 0):
		return hint.With(usage("-i asks about everything"), "remove --accept and --accept-from")
	case c.Bool("interactive") && !console.IsTerminal(os.Stdin):
		return cannotAsk("-i", "name what you accept: --accept SERVER/TOOL/RULE",
			"give the report that you have reviewed: --accept-from FILE")
	case len(o.Accept) > 0 && !o.DryRun && !c.Bool("yes") && !console.IsTerminal(os.Stdin):
		err := usage("--accept: standard input is not a terminal, " +
			"so mcpgen cannot tell whether a person has reviewed the changes")
		return hint.With(err, "look at the changes: --dry-run", "confirm that a person has reviewed them: --yes")
	case file == "":
		return nil
	}
	data, err := regular.ReadFile(file, maxReport)
	if err != nil {
		return usage("--accept-from: %v", err)
	}
	if o.Reviewed, err = report.Parse(data); err != nil {
		return usage("--accept-from: %s: not a report of mcpgen check --format json: %v", file, err)
	}
	o.ReviewedFile = file
	return nil
}

// maxReport bounds the size of a report that is read, in bytes.
const maxReport = 256 << 20

// askAbout shows the changes of one item and asks whether to accept them.
func (s *session) askAbout(server string, changes []report.Change) (yes, rest bool, err error) {
	s.con.Status("")
	width, _ := console.Width(s.con.Err)
	if err := report.WriteItem(s.con.Err, server, changes, report.Options{Color: s.con.Color, Width: width}); err != nil {
		return false, false, err
	}
	answer, err := answer(s.ctx, s.con, "Accept it? [y]es, [N]o, yes to the [r]est, [q]uit: ")
	if answer == "q" || answer == "quit" {
		err = judging.ErrQuit
	}
	rest = answer == "r" || answer == "rest"
	return rest || answer == "y" || answer == "yes", rest, err
}

// printAfterUpdate prints the next command. If findings have to be accepted, their errors contain the
// command.
func printAfterUpdate(con *console.Console, found *workspace.UpdateReport) {
	if len(found.Withheld) > 0 || found.Files == nil || len(found.Files.Written) == 0 {
		return
	}
	old, breaks, possible := brokenLines(found.Report)
	switch {
	case found.Fixed == nil && old:
		con.Note("next: mcpgen fix, which rewrites the lines that use old names; then go build ./...")
	case found.Fixed == nil && len(possible) > 0:
		con.Note("next, for each rename that is right: mcpgen fix --rename %s; then go build ./...",
			strings.Join(possible, " --rename "))
	case found.Fixed == nil && breaks:
		con.Note("next: mcpgen fix, which rewrites lines or says what to do; then go build ./...")
	default:
		con.Note("next: go build ./...")
	}
}

// brokenLines reports whether lines of the module use items that were renamed, and whether lines break for another
// reason. It returns the renames of used items that are only possible.
func brokenLines(r *report.Report) (old, breaks bool, possible []string) {
	for of, c := range r.ByServer() {
		switch {
		case len(c.CallSites) == 0:
		case !c.Rule.Renames() && c.Rule.Touch() != ruleid.TouchValueGone:
			breaks = breaks || c.Severity == drift.Breaking && slices.ContainsFunc(c.CallSites, func(s drift.CallSite) bool {
				return s.Kind == drift.SiteBreaks
			})
		case c.Possible:
			possible = append(possible, report.PossibleRename(of.Server, c))
		default:
			old = true
		}
	}
	return old, breaks, possible
}

// printShapes names the types that got new short names, and says how to change them.
func printShapes(con *console.Console, shapes []generator.ShapeName) {
	for i, n := range shapes {
		if i == maxShapes {
			con.Note("and %d more types", len(shapes)-maxShapes)
			break
		}
		con.Note("%s: new type %s, of %s in the tool %q", n.Server, n.Go, strings.TrimSuffix(n.Place, "/shape"), n.Tool)
	}
	if len(shapes) > 0 {
		con.Help(fmt.Sprintf("choose other names under servers.%s.types in mcpgen.yaml, such as %s: NAME",
			shapes[0].Server, shapes[0].Go))
	}
}

// maxShapes bounds the new types that are printed.
const maxShapes = 2

// printWithheld names each item that was not accepted once, with the command that accepts it.
func printWithheld(
	con *console.Console, st *locks.State, withheld []judging.Withheld, print func(format string, args ...any),
) {
	told, errs := 0, []error(nil)
	byItem, items := map[string][]judging.Withheld{}, []string(nil)
	for _, h := range withheld {
		item := h.Server
		if h.Change.Name != "" {
			item += "/" + h.Change.Name
		}
		if byItem[item] == nil {
			items = append(items, item)
		}
		byItem[item] = append(byItem[item], h)
	}
	var folded, more, selectors []string // folded items have no other problem; more get no separate line
	for _, item := range items {
		stays := "stays as it was locked"
		if byItem[item][0].New(st.Lock) {
			stays = "is left out"
		}
		if byItem[item][0].Folded {
			folded = append(folded, item)
			continue
		}
		why, update := judging.Reasons(byItem[item])
		if why == "" {
			con.Note("%s: not accepted, so it %s", item, stays)
			continue
		}
		if told++; told > maxWithheld {
			more, selectors = append(more, item), append(selectors, strings.TrimPrefix(update, "mcpgen update"))
			continue
		}
		err := fmt.Errorf("%s: not accepted, so it %s: %s", item, stays, why)
		errs = append(errs, hint.With(err, "review the change, then run "+update))
	}
	if len(more) > 0 {
		err := fmt.Errorf("not accepted because of security findings: %s", safetext.List(more, maxListed))
		errs = append(errs, hint.With(err,
			"see the findings: mcpgen update --dry-run --all", "then run mcpgen update"+strings.Join(selectors, "")))
	}
	if len(folded) > 0 {
		err := fmt.Errorf("these items are not accepted, because the report cuts their texts short: %s",
			safetext.List(folded, maxListed))
		errs = append(errs, hint.With(err,
			"show and accept all: mcpgen update --all", "accept them as they are: mcpgen update --yes"))
	}
	for _, err := range exit.Causes(errors.Join(errs...)) {
		print("%v", err)
	}
	if way := judging.Without(st.Project, st.Lock, withheld); way != "" {
		con.Help(way)
	}
}

const (
	maxWithheld = 3 // items with a separate line and next step
	maxListed   = 8 // names on one line
)
