package main

import (
	"bufio"
	"context"
	"fmt"
	"os"
	"slices"
	"strings"

	"github.com/mcpgen/mcpgen/cmd/mcpgen/internal/console"
	"github.com/mcpgen/mcpgen/cmd/mcpgen/internal/exit"
	"github.com/mcpgen/mcpgen/internal/hint"
	"github.com/mcpgen/mcpgen/runtime/config/trust"
	"github.com/urfave/cli/v2"
)

func trustCommand() *cli.Command {
	return &cli.Command{
		Name:      "trust",
		Usage:     "say which projects may start their servers",
		ArgsUsage: "add [DIR] | remove [DIR] | status [DIR]",
		Description: `If mcpgen finds server files in a project and you do not name them, it uses them only if
you trust the project. Trust applies to the present state of the files: an edit of a
file that decides which programs are started ends the trust. mcpgen.yaml needs no trust.

add shows what the project starts, or what changed since it was trusted, and asks on a
terminal. It does not show what looks like a secret. trust-project, trust-status and
untrust-project are tallow's words for add, status and remove.`,
		Flags: []cli.Flag{
			&cli.BoolFlag{Name: "yes", Aliases: []string{"y"}, Usage: "add without asking"},
			&cli.BoolFlag{Name: "json", Usage: "print one JSON object"},
		},
		Action: func(c *cli.Context) error {
			action, rest, err := pick(c, map[string]func(*session, *cli.Context, *trust.Store, string) error{
				"add": addTrust, "remove": withState((*trust.Store).Untrust), "status": withState((*trust.Store).Status),
			}, "status")
			if err != nil {
				return err
			}
			if len(rest) > 1 {
				return hint.With(usage("trust takes one DIR, but got %d", len(rest)), "run mcpgen help trust")
			}
			store, err := trust.Open("")
			if err != nil {
				return err
			}
			return action(newSession(c), c, store, append(rest, ".")[0])
		},
	}
}

// withState converts a function that returns the state of a project to an action.
func withState(
	do func(*trust.Store, string) (trust.State, error),
) func(*session, *cli.Context, *trust.Store, string) error {
	return func(s *session, c *cli.Context, store *trust.Store, dir string) error {
		st, err := do(store, dir)
		if err == nil && st.Status == trust.Untrusted && !c.Bool("json") {
			if r, err := store.Review(dir); err == nil && len(r.Changes) == 0 {
				s.con.Printf("%s: nothing to trust: it has no server files of other programs, and mcpgen.yaml needs no trust\n",
					st.Project)
				return nil
			}
		}
		return printTrust(s.con, c.Bool("json"), st, nil, err)
	}
}

// addTrust shows what trusting a project accepts, asks for confirmation on a terminal, and trusts what
// was shown.
func addTrust(s *session, c *cli.Context, store *trust.Store, dir string) error {
	r, err := store.Review(dir)
	if err != nil {
		return err
	}
	ask := len(r.Changes) > 0 && !c.Bool("yes") && console.IsTerminal(os.Stdin)
	showReview(s.con, r, ask)
	if ask {
		answer, err := answer(s.ctx, s.con, "Trust it? [y/N] ")
		if err != nil {
			return err
		}
		if answer != "y" && answer != "yes" {
			return &exit.Failure{Code: exit.Finding, Err: fmt.Errorf("%s: not trusted, and nothing was changed", r.Project)}
		}
	}
	st, err := store.Accept(r)
	return printTrust(s.con, c.Bool("json"), st, r.Changes, err)
}

// showReview lists the findings of a review. With --quiet it only does so if the user is asked about
// them.
func showReview(con *console.Console, r trust.Review, ask bool) {
	if con.Quiet && !ask {
		return
	}
	say := func(format string, args ...any) {
		fmt.Fprintln(con, console.Clean(fmt.Sprintf(format, args...)))
	}
	switch since := r.Since.Format("2006-01-02 15:04"); {
	case r.Status == trust.Trusted:
		say("nothing relevant changed since it was trusted on %s", since)
	case r.Unknown:
		say("an older mcpgen trusted it on %s and kept no details; it starts:", since)
	case !r.Since.IsZero() && len(r.Changes) == 0:
		say("since it was trusted on %s, the trust rules check more, and find nothing new here", since)
	case !r.Since.IsZero():
		say("changed since it was trusted on %s:", since)
	case len(r.Changes) == 0:
		say("it has no files that start anything")
	default:
		say("it was never trusted; it starts:")
	}
	for _, change := range r.Changes {
		for _, line := range changeLines(change) {
			say("%s", line)
		}
	}
	if len(r.Changes) > 0 {
		say("mcpgen asks again after an edit of these files and scripts, " +
			"but not after an edit of files that they load or build")
	}
}

// changeLines describes a change: + is new, - is removed, ~ is a change without details. Details that do
// not fit on the first line are on separate lines.
func changeLines(c trust.Change) []string {
	launch := func(sign string, l *trust.Launch) []string {
		head, lines := fmt.Sprintf("  %s %s: %s:", sign, c.File, l.Place), l.Lines()
		if len(lines) == 1 {
			return []string{head + " " + lines[0]}
		}
		for i, line := range lines {
			lines[i] = "      " + line
		}
		return append([]string{head}, lines...)
	}
	name := c.File
	if c.Script {
		name = "script " + c.File
	}
	switch {
	case c.Before != nil && c.After != nil && slices.Equal(c.Before.Lines(), c.After.Lines()):
		return []string{fmt.Sprintf("  ~ %s: %s: the value of a variable, or another setting, changed",
			c.File, c.After.Place)}
	case c.Before != nil && c.After != nil:
		return append(launch("-", c.Before), launch("+", c.After)...)
	case c.After != nil:
		return launch("+", c.After)
	case c.Before != nil:
		return launch("-", c.Before)
	case c.Kind == trust.Added:
		return []string{"  + " + name}
	case c.Kind == trust.Removed:
		return []string{"  - " + name}
	}
	return []string{"  ~ " + name + ": its content changed"}
}

// answer asks the person at the terminal. The answer is in lower case; the end of the input is "".
func answer(ctx context.Context, con *console.Console, question string) (string, error) {
	fmt.Fprint(con, question)
	answer, err := awaited(ctx, func() (string, error) { return bufio.NewReader(os.Stdin).ReadString('\n') })
	if ctx.Err() != nil {
		return "", err
	}
	return strings.ToLower(strings.TrimSpace(answer)), nil
}

// printTrust prints a state, and with --json also the changes.
func printTrust(con *console.Console, asJSON bool, st trust.State, changes []trust.Change, err error) error {
	if err != nil && st.Fingerprint == "" {
		return err
	}
	if err != nil {
		con.Warn("%v", err)
	}
	if asJSON {
		return printJSON(con.Out, struct {
			Project     string         `json:"project"`
			Status      trust.Status   `json:"status"`
			Fingerprint string         `json:"fingerprint"`
			Trusted     string         `json:"trusted_fingerprint"`
			Changes     []trust.Change `json:"changes,omitempty"`
		}{st.Project, st.Status, st.Fingerprint, st.Stored, changes})
	}
	con.Printf("%s: %s\nfingerprint %s\n", st.Project, st.Status, st.Fingerprint)
	if st.Status == trust.Stale {
		con.Printf("trusted     %s\n", st.Stored)
	}
	return nil
}
