package main

import (
	"github.com/mcpgen/mcpgen/cmd/mcpgen/internal/workspace"
	"github.com/urfave/cli/v2"
)

func updateCommand() *cli.Command {
	return &cli.Command{
		Name:      "update",
		Usage:     "accept what the servers offer now",
		ArgsUsage: "[server…]",
		Description: `Attaches to the named servers, or to all, shows what changed since they were
locked, and accepts it: snapshot, lock and code are rewritten, all or nothing.
Servers that are not named are left as they are.`,
		Flags: []cli.Flag{
			&cli.BoolFlag{Name: "dry-run", Usage: "show what changed, write nothing"},
			&cli.BoolFlag{Name: "strict", Usage: "a tool that is left out or typed more loosely is an error"},
		},
		Action: update,
	}
}

func update(c *cli.Context) error {
	s, err := open(c)
	if err != nil {
		return err
	}
	defer s.end()
	report, err := s.Update(s.ctx, workspace.UpdateOptions{
		Servers: trimmed(c.Args().Slice()), DryRun: c.Bool("dry-run"), Strict: c.Bool("strict"),
	})
	if report != nil {
		for _, change := range report.Servers {
			s.printChange(change)
		}
	}
	if err != nil {
		return err
	}
	if report.Files != nil {
		s.printFiles(report.Files)
	}
	return nil
}

// printChange prints what changed in one server since it was locked.
func (s *session) printChange(c workspace.ServerChange) {
	switch {
	case c.New:
		s.con.Printf("%s: new\n", c.Server)
	case len(c.Differences) == 0 && !c.Launch:
		s.con.Printf("%s: unchanged\n", c.Server)
	default:
		s.con.Printf("%s: changed\n", c.Server)
	}
	if c.Launch {
		s.con.Printf("  launch: its command, args or url changed\n")
	}
	s.printDifferences(c.Differences)
}
