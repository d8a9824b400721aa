package main

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"slices"
	"strings"
	"time"

	"github.com/urfave/cli/v2"

	"github.com/mcpgen/mcpgen/cmd/mcpgen/internal/console"
	"github.com/mcpgen/mcpgen/cmd/mcpgen/internal/exit"
	"github.com/mcpgen/mcpgen/cmd/mcpgen/internal/judging"
	"github.com/mcpgen/mcpgen/cmd/mcpgen/internal/report"
	"github.com/mcpgen/mcpgen/cmd/mcpgen/internal/workspace"
	"github.com/mcpgen/mcpgen/internal/hint"
	"github.com/mcpgen/mcpgen/schema/drift"
)

func checkCommand() *cli.Command {
	return &cli.Command{
		Name:  "check",
		Usage: "report what changed in the servers, and what it breaks",
		Description: `Attaches to every locked server and compares what it offers with the lock. Reports
what changed, how severe that is, and which lines it touches in the module, and in the
other modules of its go.work: first lines that break, with what to do, then breaking
changes that no line uses. Also reports stale generated files, as generate --check does.
Writes nothing.

--against attaches to no server. It checks whether the code of a branch fits the
changes that the branch makes in the lock. It reports lines that do not fit, and
changes that need an acceptance but have none. REV is the commit that the branch
started from; FILE is an mcpgen.lock or a snapshot.json.

A change at or above --fail-on exits 1. If a server could not be reached, the exit
code is 3, and the report lists that server as not checked.

--fleet checks many projects, several at a time, and prints one report. FILE lists their
folders, as names or patterns:

  projects: [services/*, agent]
  parallel: 4   # projects at the same time

A CI that runs --shard 1/8 to 8/8 as eight jobs checks each project once. With
--resume, an interrupted run continues where it ended: FILE has the results so far.
The next run skips projects that had no findings and whose configuration and lock are
the same. The file is removed once all servers have answered. With --fleet,
--timeout limits the whole fleet. By default, each project has five minutes.`,
		Flags: append([]cli.Flag{
			&cli.StringFlag{Name: "against", Usage: "check whether the code fits what changed in the lock since `REV|FILE`: " +
				"a git revision, a lock or a snapshot"},
			&cli.StringFlag{Name: "fleet", Usage: "check all projects that `FILE` lists"},
			&cli.StringFlag{Name: "shard", Usage: "with --fleet: check only part `I/N` of the projects"},
			&cli.StringFlag{Name: "resume",
				Usage: "with --fleet: keep results in `FILE`; the next run with the same FILE continues where this run stopped"},
			&cli.BoolFlag{Name: "schema",
				Usage: "print the JSON Schema of --format json; with --fleet, that of the report about a fleet"},
			&cli.BoolFlag{Name: "rules", Usage: "print the rules and their severities"},
		}, reportFlags()...),
		Action: check,
	}
}

// reportFlags returns the flags of commands that print a report.
func reportFlags() []cli.Flag {
	return []cli.Flag{
		&cli.StringFlag{Name: "format", Value: "text", Usage: "print `FORMAT`: text, json, markdown, sarif, junit or github"},
		&cli.BoolFlag{Name: "all",
			Usage: "print every change in full, not only what fits a screen; --verbose adds the hashes"},
		&cli.StringFlag{Name: "fail-on",
			Usage: "exit 1 for changes of `SEVERITY` or worse: breaking (includes unknown), warning or info"},
		&cli.StringFlag{Name: "profile", Usage: "judge for `PROFILE`: caller, strict, source, model or pin"},
		&cli.StringFlag{Name: "impact", Value: "on",
			Usage: "turn the search for the lines of code that a change touches `on|off`"},
	}
}

// reporting holds the values of reportFlags.
type reporting struct {
	judging.Flags
	lines  int // maximum lines of text; 0 is one screen
	format report.Format
	all    bool
	made   time.Time
}

func parseReporting(c *cli.Context) (*reporting, error) {
	format, err := report.ParseFormat(c.String("format"))
	if err != nil {
		return nil, usage("--format: %v", err)
	}
	r := &reporting{format: format, all: c.Bool("all"), made: time.Now(), Flags: judging.Flags{
		Profile: drift.Profile(c.String("profile")), FailOn: drift.Severity(c.String("fail-on")),
	}}
	if r.Profile != "" && !slices.Contains(drift.Profiles(), r.Profile) {
		return nil, usage("--profile: %q is not a profile: want caller, strict, source, model or pin", r.Profile)
	}
	if !slices.Contains([]drift.Severity{"", drift.Breaking, drift.Warning, drift.Info}, r.FailOn) {
		return nil, usage("--fail-on: %q is not a severity to fail on: want breaking, warning or info", r.FailOn)
	}
	r.Impact, err = wantsImpact(c)
	return r, err
}

// wantsImpact returns the value of the flag --impact.
func wantsImpact(c *cli.Context) (bool, error) {
	impact := c.String("impact")
	if impact != "on" && impact != "off" {
		return false, usage("--impact: %q: want on or off", impact)
	}
	return impact == "on", nil
}

func check(c *cli.Context) error {
	r, err := parseReporting(c)
	switch {
	case err != nil:
		return err
	case c.Bool("schema"):
		text := report.Schema()
		if c.String("fleet") != "" {
			text = report.FleetSchema()
		}
		_, err := c.App.Writer.Write(text)
		return err
	case c.Bool("rules"):
		return printRules(c, r.Profile)
	}
	if c.String("fleet") != "" {
		return checkFleet(c, r)
	}
	if c.String("shard")+c.String("resume") != "" {
		return hint.With(usage("--shard and --resume work only with --fleet"), "add --fleet FILE")
	}
	s, err := openOwn(c)
	if err != nil {
		return err
	}
	found, err := checkProject(s.ctx, s.Workspace, r, c.String("against"))
	if err != nil {
		return err
	}
	return finding(found.Code)
}

// checkProject checks a project, and prints the report and the errors.
func checkProject(ctx context.Context, w *workspace.Workspace, r *reporting, against string) (
	*workspace.CheckReport, error,
) {
	con := w.Options.Console
	found, err := w.Check(ctx, workspace.CheckOptions{Flags: r.Flags, Against: against})
	if err != nil {
		return nil, err
	}
	text, _, err := r.text(con, found.Report, found.Fails)
	if err == nil {
		err = r.print(con, text, found.Report)
	}
	if err != nil {
		return nil, err
	}
	if r.format != report.Text {
		printErrors(con, found.Unlocked)
	}
	printErrors(con, found.Errs)
	con.Help(found.NextSteps()...)
	return found, nil
}

// text formats a report, and returns the parts that were shortened.
func (as *reporting) text(con *console.Console, r *report.Report, fails func(drift.Severity) bool) (
	string, []report.Folded, error,
) {
	width, terminal := console.Width(con.Out)
	var text, texts bytes.Buffer
	o := report.Options{
		Version: version(), Fails: fails, Verbose: con.Verbose, Time: as.made, All: as.all || con.Verbose,
		Color: con.Color && terminal, Tree: terminal, Width: width, Lines: as.lines,
	}
	if err := report.Write(&text, as.format, r, o); err != nil || as.format != report.Text {
		return text.String(), nil, err
	}
	folded, err := report.WriteTexts(&texts, r, o)
	if text.Len() > 0 && texts.Len() > 0 {
		text.WriteByte('\n')
	}
	text.Write(texts.Bytes())
	return con.Program.Hint(text.String()), folded, err
}

// print prints a report on standard output, and its summary as a note.
func (as *reporting) print(con *console.Console, text string, r *report.Report) error {
	if _, err := io.WriteString(con.Out, text); err != nil {
		return fmt.Errorf("standard output: %w", err)
	}
	if as.format != report.Text || !r.Clean() { // a clean text report is its own summary
		con.Note("%s", r.Summary())
	}
	return nil
}

// printErrors prints joined errors, one per cause.
func printErrors(con *console.Console, joined error) {
	for _, cause := range exit.Causes(joined) {
		con.Error("%v", cause)
	}
}

// printRules prints the catalogue: id, severity under the profile, class, meaning.
func printRules(c *cli.Context, profile drift.Profile) error {
	if profile == "" {
		profile = drift.Caller
	}
	var b strings.Builder
	for _, r := range drift.Rules() {
		severity := string(r.Severity(profile))
		if r.Decides() && profile != drift.Pin { // a pin is broken by a safe change, too
			severity += "?"
		}
		fmt.Fprintf(&b, "%-44s %-9s %-8s %s\n", r, severity, r.Class(), r.Doc())
	}
	b.WriteString("A severity with ? applies if mcpgen cannot decide whether the change is safe. If\n" +
		"your module hands tools to models, a changed text is at least a warning.\n")
	_, err := fmt.Fprint(c.App.Writer, b.String())
	return err
}
