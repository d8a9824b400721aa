package main

import (
	"errors"
	"strings"

	"github.com/mcpgen/mcpgen/cmd/mcpgen/internal/starter"
	"github.com/mcpgen/mcpgen/runtime/config"
	"github.com/mcpgen/mcpgen/runtime/live"
	"github.com/mcpgen/mcpgen/templates"
	"github.com/urfave/cli/v2"
)

func ciCommand() *cli.Command {
	return &cli.Command{
		Name:      "ci",
		Usage:     "print ready jobs for a CI system, or hooks",
		ArgsUsage: strings.Join(templates.Jobs(), "|"),
		Description: `Prints a file with jobs. For each change, one job runs generate --check and
check --against. It needs no server and no secret, only the commit that the change
started from. Another job runs check: on a schedule, after a changed launch, and with
hooks on each push. This job installs what the servers of mcpgen.yaml need to start, and
names the variables and secrets that they read. Without an mcpgen.yaml the job is a
general one. Put the file where its first line says:

   mcpgen ci github > .github/workflows/mcpgen.yml`,
		Action: ci,
	}
}

func ci(c *cli.Context) error {
	if c.Args().Len() != 1 {
		return usage("ci takes the name of a system: %s", strings.Join(templates.Jobs(), ", "))
	}
	project, err := configured(c.String("config"))
	if err != nil {
		return usage("%v", err)
	}
	text, err := starter.Job(c.Args().First(), project, version())
	if err != nil {
		return usage("%v", err)
	}
	_, err = c.App.Writer.Write(text)
	return err
}

// configured reads the configuration, by default the one found from the working directory; nil if there
// is none.
func configured(path string) (*config.Project, error) {
	if path == "" {
		found, err := config.Find(".")
		if errors.Is(err, config.ErrNotFound) {
			return nil, nil
		}
		if err != nil {
			return nil, err
		}
		path = found
	}
	env, err := live.Environment()
	if err != nil {
		return nil, err
	}
	return env.Load(path)
}
