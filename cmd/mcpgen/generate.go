package main

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"os"
	"path"
	"runtime/debug"
	"slices"
	"strings"
	"time"

	"github.com/urfave/cli/v2"

	"github.com/mcpgen/mcpgen/cmd/mcpgen/internal/capturing"
	"github.com/mcpgen/mcpgen/cmd/mcpgen/internal/console"
	"github.com/mcpgen/mcpgen/cmd/mcpgen/internal/locks"
	"github.com/mcpgen/mcpgen/cmd/mcpgen/internal/report"
	"github.com/mcpgen/mcpgen/cmd/mcpgen/internal/starter"
	"github.com/mcpgen/mcpgen/cmd/mcpgen/internal/workspace"
	"github.com/mcpgen/mcpgen/generator"
	"github.com/mcpgen/mcpgen/generator/impact"
	"github.com/mcpgen/mcpgen/internal/hint"
	"github.com/mcpgen/mcpgen/internal/safetext"
	"github.com/mcpgen/mcpgen/schema/lockfile"
)

func generateCommand() *cli.Command {
	return &cli.Command{
		Name:  "generate",
		Usage: "lock new servers and write the typed packages",
		Description: `Attaches to the servers that are not locked yet, snapshots what they offer and locks
it. Then writes every package from lock and snapshots. If all servers are locked,
generate starts no server, makes no connection, and rewrites no file that is up to date.
It never touches files that mcpgen did not write.

Servers are independent. If one fails, its files and its lock entry stay as they were,
and the exit code is that of the error. generate removes a package only if its server
is gone from the configuration.

A tool with a security finding, such as a description that gives orders to the model,
is left out of the lock. So is a tool that cannot be used. generate names each such
tool with the next step. It then exits 1, unless you pass --yes.`,
		Flags: append([]cli.Flag{
			&cli.BoolFlag{Name: "frozen", Usage: "lock nothing new and remove nothing: exit 1 if a server is not locked"},
			&cli.BoolFlag{Name: "check", Usage: "write nothing: exit 1 if the files are not up to date; implies --frozen"},
			&cli.BoolFlag{Name: "strict", Usage: "treat warnings as errors: " +
				"a tool that is left out or typed more loosely, a launch without a version, a key without effect"},
			&cli.BoolFlag{Name: "yes",
				Usage: "if tools of a new server cannot be locked, leave them out and print a warning, instead of exit 1"},
			moreFlag(),
		}, signatureFlags()...),
		Action: generate,
	}
}

// moreFlag returns the flag that lists servers a second time, as a client with all capabilities.
func moreFlag() cli.Flag {
	return &cli.BoolFlag{Name: "more", Usage: "also print what the servers offer " +
		"only to a client that answers their questions: elicitation, sampling, roots"}
}

// printMore prints what servers offer to clients with more capabilities, if --more asked for it.
func printMore(ctx context.Context, cl *capturing.Client, asked bool) error {
	if !asked {
		return nil
	}
	all, err := cl.More(ctx)
	for _, one := range all {
		cl.Console.Note("%s offers more to a client that answers the server's questions: %s",
			one.Server, strings.Join(one.Items, ", "))
	}
	switch {
	case len(all) > 0:
		cl.Console.Help("declare the capability in mcpgen.yaml, such as client: {elicitation: true}, then run mcpgen update")
	case err == nil:
		cl.Console.Note("no server offers more to a client that answers its questions")
	}
	return err
}

// tuneCollector makes the garbage collector rest while there is little to collect, which saves a sixth of
// the time, and work harder if a project has thousands of tools. GOGC and GOMEMLIMIT override it.
func tuneCollector() {
	if os.Getenv("GOGC") == "" && os.Getenv("GOMEMLIMIT") == "" {
		debug.SetGCPercent(300)
		debug.SetMemoryLimit(212 << 20)
	}
}

func generate(c *cli.Context) error {
	if c.Bool("more") && (c.Bool("check") || c.Bool("frozen")) {
		return usage("--more excludes --check and --frozen: it starts the servers, and they start none")
	}
	if c.Bool("require-signature") && !c.Bool("check") && !c.Bool("frozen") {
		return hint.With(usage("--require-signature works only with --frozen or --check"), "add --frozen", "add --check")
	}
	s, err := openToWrite(c, true)
	if err != nil {
		return err
	}
	tuneCollector()
	report, err := s.Generate(s.ctx, workspace.GenerateOptions{
		Frozen: c.Bool("frozen"), Check: c.Bool("check"), Strict: c.Bool("strict"), Yes: c.Bool("yes"),
	})
	switch {
	case report == nil:
		return err
	case c.Bool("check"):
		return printStale(s.con, report, err)
	}
	err = printGenerated(s.con, s.State, report, c.Bool("yes") && !c.Bool("strict"), err)
	return errors.Join(err, printMore(s.ctx, s.Client, c.Bool("more")))
}

// printGenerated prints the outcome of a run and returns the error of the command. Servers missing in a
// first lock are an error, or a warning if accepted.
func printGenerated(
	con *console.Console, st *locks.State, report *workspace.GenerateReport, accepted bool, err error,
) error {
	if len(report.Locked) > 0 {
		con.Note("locked %s", strings.Join(report.Locked, ", "))
	}
	printDropped(con, "dropped from the lock", report.Dropped, report.Broken)
	for _, name := range report.Gone {
		con.Warn("%v", hint.New(name+": the server is no longer in the configuration, but its generated code remains",
			"to remove the code, run mcpgen generate without --frozen"))
	}
	printSummary(con, report.Summary, nil)
	switch {
	case report.Files != nil:
		printFiles(con, report.Files)
	case err == nil:
		con.Note("%s up to date", safetext.Count(report.Remembered, "file"))
	}
	printLeft(con, st.Lock, report.Left)
	if report.Files != nil && slices.Contains(report.Files.Written, locks.Name) {
		for _, name := range slices.Sorted(maps.Keys(st.Lock.Servers)) {
			if st.Lock.Servers[name].Unordered && !slices.Contains(report.Dropped, name) {
				con.Note("%s: an older version of mcpgen did not lock the order of the tools; "+
					"the next mcpgen update locks the server's order", name)
			}
		}
	}
	if report.Moved {
		con.Note("next: mcpgen fix, which corrects the imports of renamed packages; then go build ./...")
	} else {
		printNext(con, st.Root, report.Locked)
	}
	if accepted {
		printWithheld(con, st, report.Withheld, con.Warn)
		return err
	}
	return endWithheld(con, st, report.Withheld, false, err)
}

// printDropped names the servers whose packages are or would be removed, and the lines that import these.
func printDropped(con *console.Console, what string, names []string, broken []impact.Problem) {
	if len(names) == 0 {
		return
	}
	con.Note("%s: %s: no longer in the configuration", what, strings.Join(names, ", "))
	for i, site := range broken {
		if i == maxBroken && len(broken) > i+1 {
			con.Warn("%s more import a package of a removed server", safetext.Count(len(broken)-i, "line"))
			return
		}
		con.Warn("%s:%d: %s, a package of a removed server: repair this file", site.File, site.Line, site.Reason)
	}
}

// maxBroken is the number of lines that are named one by one.
const maxBroken = 10

// printLeft names the servers that were left unchanged. The errors say why.
func printLeft(con *console.Console, lock *lockfile.Lock, names []string) {
	if len(names) == 0 {
		return
	}
	var locked, other []string
	for _, name := range names {
		if lock.Servers[name] != nil {
			locked = append(locked, name)
		} else {
			other = append(other, name)
		}
	}
	if len(locked) > 0 {
		con.Note("left as they were: %s", strings.Join(locked, ", "))
	}
	if len(other) > 0 {
		con.Note("not locked: %s", strings.Join(other, ", "))
	}
}

// printFiles prints the files that were written.
func printFiles(con *console.Console, r *generator.Report) {
	for _, file := range r.Written {
		con.Detail("wrote %s", file)
	}
	folders := map[string][]string{}
	for _, file := range r.Removed {
		folders[path.Dir(file)] = append(folders[path.Dir(file)], file)
	}
	for _, folder := range slices.Sorted(maps.Keys(folders)) {
		if files := folders[folder]; len(files) > 1 {
			con.Note("removed %s from %s", safetext.Count(len(files), "file"), folder)
		} else {
			con.Note("removed %s", files[0])
		}
	}
	con.Note("%s", filesLine(r))
}

func filesLine(r *generator.Report) string {
	if len(r.Written) == 0 && len(r.Removed) == 0 {
		return safetext.Count(len(r.Unchanged), "file") + " up to date"
	}
	return fmt.Sprintf("%s written, %d unchanged, %d removed",
		safetext.Count(len(r.Written), "file"), len(r.Unchanged), len(r.Removed))
}

// printStale lists changed launches and outdated generated files. It returns a finding if there are any,
// or the error if some could not be compared.
func printStale(con *console.Console, r *workspace.GenerateReport, err error) error {
	for _, c := range r.Launch {
		con.Printf("%s\n", c.Text())
	}
	for _, f := range r.Stale {
		con.Printf("%s: %s\n", f.Path, f.State)
	}
	var launches []error
	for _, c := range r.Launch {
		launches = append(launches, c.NotLocked())
	}
	printErrors(con, errors.Join(launches...))
	switch {
	case len(r.Stale) > 0:
		con.Error("%v", hint.New("not up to date: "+safetext.Count(len(r.Stale), "generated file"),
			"run mcpgen generate and commit the result"))
	case err == nil && len(r.Launch) == 0:
		con.Note("the generated files are up to date")
	}
	if len(r.Launch)+len(r.Stale) == 0 {
		return err
	}
	return withFinding(con, err)
}

// printSummary prints one line for each server of a run: its tools, how many have typed results, the
// changes by the report of an update (nil otherwise), and how long listing took.
func printSummary(con *console.Console, servers []workspace.ServerSummary, changes *report.Report) {
	if len(servers) == 0 || con.Quiet {
		return
	}
	w := con.Table()
	shown := servers
	if changes != nil && len(servers) > maxChanged+1 {
		shown = servers[:maxChanged]
	}
	for _, one := range shown {
		tools := safetext.Count(one.Tools, "tool")
		if one.Offered != one.Tools {
			tools = fmt.Sprintf("%d of %s", one.Tools, safetext.Count(one.Offered, "tool"))
		}
		if one.Out > 0 {
			tools += fmt.Sprintf(", %d left out", one.Out)
		}
		cells := []string{one.Server, tools, safetext.Count(one.Typed, "typed result")}
		for _, other := range []struct {
			n    int
			what string
		}{{one.Prompts, "prompt"}, {one.Resources, "resource"}, {one.Skills, "skill"}} {
			if other.n > 0 {
				cells[2] += ", " + safetext.Count(other.n, other.what)
			}
		}
		if changes != nil {
			cells = append(cells, changesOf(changes, one.Server))
			if one.Ordered {
				cells[3] += ", now in the server's order"
			}
		}
		if one.Took > 0 {
			round := 100 * time.Millisecond
			if one.Took < time.Second {
				round = time.Millisecond
			}
			cells = append(cells, one.Took.Round(round).String())
		}
		w.Row(cells...)
	}
	for _, row := range w.Rows() {
		con.Note("%s", row)
	}
	if left := len(servers) - len(shown); left > 0 {
		con.Note("and %s more", safetext.Count(left, "server"))
	}
	printLong(con, servers)
}

// maxChanged bounds the servers whose changes are listed.
const maxChanged = 4

// maxLong bounds the tools that printLong names.
const maxLong = 3

// printLong names tools that need very much generated code, with the step to exclude them, on one line.
func printLong(con *console.Console, servers []workspace.ServerSummary) {
	var named []string
	exclude, all := "", 0
	for _, one := range servers {
		for _, t := range one.Long {
			if all++; all <= maxLong {
				named = append(named, fmt.Sprintf("%s/%s %d", t.Server, t.Tool, t.Lines))
			}
			if exclude == "" {
				exclude = fmt.Sprintf("servers.%s.tools: {exclude: [%q]}", t.Server, t.Tool)
			}
		}
	}
	if all > maxLong {
		named = append(named, fmt.Sprintf("and %d more tools", all-maxLong))
	}
	if all > 0 {
		err := fmt.Errorf("these tools each have more than %d lines of types: %s",
			workspace.MaxToolLines, strings.Join(named, ", "))
		con.Note("%v", hint.With(err, "to generate no code for a tool, write "+exclude))
	}
}

// changesOf counts the changes of one server.
func changesOf(r *report.Report, server string) string {
	for _, one := range r.Servers {
		if n := len(one.Changes) + len(one.Off); one.Server == server && n > 0 {
			return safetext.Count(n, "change")
		}
	}
	return "no change"
}

// printNext prints how to call the tools of newly locked servers, and first how to get modules that their
// packages need.
func printNext(con *console.Console, root string, locked []string) {
	if get := starter.MissingModule(root, version()); get != "" && len(locked) > 0 {
		con.Note("next: %s, for what the packages import", get)
	}
	switch {
	case len(locked) == 1:
		con.Note("next: mcpgen list %s", hint.Word(locked[0]))
	case len(locked) > 1:
		con.Note("next: mcpgen list")
	}
}
