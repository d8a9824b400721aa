package main

import (
	"github.com/urfave/cli/v2"

	"github.com/mcpgen/mcpgen/cmd/mcpgen/internal/workspace"
	"github.com/mcpgen/mcpgen/internal/hint"
)

func changesCommand() *cli.Command {
	return &cli.Command{
		Name:      "changes",
		Usage:     "print the change log between two locks",
		ArgsUsage: "A [B]",
		Description: `Prints what changed from the lock A to the lock B, as markdown for the users of an
agent: new, removed and changed tools. Also prints which semantic version a Go module
with these packages needs next, judged by their API. A and B are git revisions, lock
files, or folders that contain a lock. Without B, changes compares A with the lock of
the project. Starts no server.

  mcpgen changes v1.2.0
  mcpgen changes v1.2.0 v1.3.0`,
		Action: changes,
	}
}

func changes(c *cli.Context) error {
	if n := c.NArg(); n < 1 || n > 2 {
		return hint.With(usage("changes takes one or two locks, but got %d", n), "mcpgen changes REV|FILE [REV|FILE]")
	}
	s, err := openOwn(c)
	if err != nil {
		return err
	}
	found, err := workspace.Changes(s.ctx, s.Servers, c.Args().First(), c.Args().Get(1))
	if err != nil {
		return err
	}
	_, err = s.con.Out.Write(found.Markdown())
	return err
}
