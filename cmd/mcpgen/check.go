package main

import (
	"github.com/mcpgen/mcpgen/cmd/mcpgen/internal/console"
	"github.com/mcpgen/mcpgen/cmd/mcpgen/internal/workspace"
	"github.com/mcpgen/mcpgen/schema"
	"github.com/urfave/cli/v2"
)

func checkCommand() *cli.Command {
	return &cli.Command{
		Name:  "check",
		Usage: "compare the lock with the live servers and the generated files",
		Description: `Attaches to every locked server and compares each item with its hash in the
lock. What changed or is gone is a finding; new items and new wording are
listed and pass. Also says what generate --check says. Writes nothing.`,
		Action: check,
	}
}

func check(c *cli.Context) error {
	if err := noArguments(c); err != nil {
		return err
	}
	s, err := open(c)
	if err != nil {
		return err
	}
	defer s.end()
	report, err := s.Check(s.ctx)
	if err != nil {
		return err
	}
	for _, server := range report.Servers {
		s.printCheck(server)
	}
	for _, f := range report.Stale {
		s.con.Printf("%s: %s\n", f.Path, f.State)
	}
	if report.Err != nil {
		for _, e := range flatten(report.Err) {
			s.con.Error("%v", e)
		}
	}
	s.con.Note("%s", report.Summary())
	code := report.ExitCode()
	if code == workspace.ExitFinding {
		s.con.Note("to accept what the servers offer now: mcpgen update; to rewrite stale files: mcpgen generate")
	}
	return finding(code)
}

// printCheck prints the comparison of one server.
func (s *session) printCheck(c workspace.ServerCheck) {
	switch {
	case c.Err != nil:
		s.con.Printf("%s: could not be checked\n", c.Server)
		for _, e := range flatten(c.Err) {
			s.con.Error("%v", e)
		}
	case c.Unlocked:
		s.con.Printf("%s: not locked: run mcpgen generate\n", c.Server)
	case len(c.Differences) == 0:
		s.con.Printf("%s: as locked\n", c.Server)
	default:
		s.con.Printf("%s: differs from the lock\n", c.Server)
		s.printDifferences(c.Differences)
	}
}

// printDifferences prints one line per item, findings first.
func (s *session) printDifferences(all []schema.Difference) {
	for _, findings := range []bool{true, false} {
		for _, d := range all {
			if workspace.Breaks(d) == findings {
				s.con.Printf("  %s\n", difference(d))
			}
		}
	}
}

// difference says in words what became of one item.
func difference(d schema.Difference) string {
	name := string(d.Kind)
	if d.Name != "" {
		name += " " + console.Clean(d.Name)
	}
	switch d.Change {
	case schema.Added:
		return name + ": new"
	case schema.Removed:
		return name + ": removed"
	case schema.Reworded:
		return name + ": reworded (documentation only)"
	case schema.Mismatched:
		return name + ": unchanged, but its hashes in the lock are not its own: run mcpgen update"
	}
	return name + ": changed"
}
