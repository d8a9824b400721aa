package main

import (
	"path/filepath"

	"github.com/mcpgen/mcpgen/cmd/mcpgen/internal/catalogue"
	"github.com/mcpgen/mcpgen/cmd/mcpgen/internal/exit"
	"github.com/urfave/cli/v2"
)

func docsCommand() *cli.Command {
	return &cli.Command{
		Name:  "docs",
		Usage: "write a catalogue of servers and tools, as web pages",
		Description: `Writes an index over all locked servers and a page for each. A page has every tool
with its Go signature, a call, arguments, results, effect, cost in tokens, who may
call it by the policy, the lines of the module that call it, and its history in the
lock. The pages need no server and no network. Prints the path of the index. Removes
the pages of servers that only the replaced index lists, and prints their names. All
other files below DIR stay, such as another catalogue.

With --to, or store: in mcpgen.yaml, the page consumers.html lists the modules that
pushed their usage of the servers, and for each module the changes of the locked
definitions that would break it: see mcpgen help who. Exit code 3 means that not all
usages could be read.

With docs: html in mcpgen.yaml, generate keeps such pages beside the code. They show
only what configuration, lock and snapshots contain.`,
		Flags: []cli.Flag{
			&cli.StringFlag{Name: "out", Value: "mcpgen-docs",
				Usage: "write the pages to `DIR`, which is created if it does not exist"},
			&cli.StringFlag{Name: "impact", Value: "on",
				Usage: "turn the search for the lines of the module that call a server `on|off`"},
			&cli.BoolFlag{Name: "live", Usage: "attach to the servers and show how they differ from the lock"},
			toFlag(),
		},
		Action: docs,
	}
}

func docs(c *cli.Context) error {
	impact, err := wantsImpact(c)
	if err != nil {
		return err
	}
	s, err := openOwn(c)
	if err != nil {
		return err
	}
	done, err := catalogue.Docs(s.ctx, s.Workspace, catalogue.DocsOptions{Out: c.String("out"),
		Impact: impact, Live: c.Bool("live"), To: c.String("to")})
	if done == nil || err != nil {
		return err
	}
	printErrors(s.con, done.Errs)
	s.con.Printf("%s\n", done.Index)
	for _, page := range done.Files.Removed {
		s.con.Note("removed %s", filepath.Join(c.String("out"), filepath.FromSlash(page)))
	}
	s.con.Note("%s", filesLine(done.Files))
	return finding(exit.Code(done.Errs))
}
