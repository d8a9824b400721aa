package main

import (
	"strings"

	"github.com/mcpgen/mcpgen/templates"
	"github.com/urfave/cli/v2"
)

func ciCommand() *cli.Command {
	return &cli.Command{
		Name:      "ci",
		Usage:     "print ready jobs for a CI system, or hooks",
		ArgsUsage: strings.Join(templates.Jobs(), "|"),
		Description: `Prints a file that runs generate --check on every change, which needs no server,
and check where the servers can be reached. Put it where its first line says:

   mcpgen ci github > .github/workflows/mcpgen.yml`,
		Action: func(c *cli.Context) error {
			if c.Args().Len() != 1 {
				return usage("ci takes the name of a system: %s", strings.Join(templates.Jobs(), ", "))
			}
			text, err := templates.Job(c.Args().First())
			if err != nil {
				return usage("ci: %v", err)
			}
			_, err = c.App.Writer.Write(text)
			return err
		},
	}
}
