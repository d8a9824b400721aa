package main

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"strings"

	"github.com/mcpgen/mcpgen/cmd/mcpgen/internal/console"
	"github.com/mcpgen/mcpgen/cmd/mcpgen/internal/editing"
	"github.com/mcpgen/mcpgen/cmd/mcpgen/internal/workspace"
	"github.com/urfave/cli/v2"
)

func initCommand() *cli.Command {
	return &cli.Command{
		Name:  "init",
		Usage: "import servers that other programs have configured",
		Description: `Looks for the server files of other programs in this folder and on this machine, shows
what is in them, and asks which servers to use. Imports the project's own files, without
copying them. Copies servers of other files, so that mcpgen.yaml works on other machines:
each value of their environment and headers becomes ${env:NAME}, and paths into the
project begin with ${dir}. Keeps the comments and the order of an existing
mcpgen.yaml. Starts no server and connects to none.`,
		Flags: []cli.Flag{
			&cli.BoolFlag{Name: "yes", Aliases: []string{"y"},
				Usage: "do not ask which servers to use: use all, or those of --servers"},
			&cli.StringSliceFlag{Name: "import", Usage: "import the server file `FILE`, wherever it is, " +
				"or all server files of a system such as covenant, under the names and rules of that system; may be repeated"},
			&cli.StringFlag{Name: "output", Usage: "write the generated packages below `DIR`"},
		},
		Action: initialize,
	}
}

func initialize(c *cli.Context) error {
	s := newSession(c)
	start, err := editing.NewStart(c.Context, c.String("config"), c.String("output"), trimmed(c.StringSlice("import")))
	if err != nil {
		return err
	}
	start.Show(s.con)
	if err := choose(c, optionsOf(c, s.con), start); err != nil {
		return err
	}
	if !start.Created && len(start.Taken()) == 0 {
		s.con.Printf("\n%s: nothing to add\n", start.File)
		return nil
	}
	if err := start.Write(c.Context); err != nil {
		return err
	}
	wrote := "wrote"
	if !start.Created {
		wrote = "changed"
	}
	s.con.Printf("\n%s %s: %s\n", wrote, start.File, servers(start.Taken()))
	for _, local := range start.Local() {
		s.con.Printf("on this machine only: %s\n", local)
	}
	if len(start.Unset) > 0 {
		s.con.Printf("set before the next command: %s\n", strings.Join(start.Unset, ", "))
	}
	s.con.Printf("\nnext:\n")
	for _, command := range start.Next(s.con.Program.Name()) {
		s.con.Printf("  %s\n", command)
	}
	return nil
}

func servers(names []string) string {
	switch len(names) {
	case 0:
		return "no server yet"
	case 1:
		return "1 server, " + names[0]
	}
	return fmt.Sprintf("%d servers, %s", len(names), strings.Join(names, ", "))
}

// choose asks the user which servers to use, if there is a choice and a terminal.
func choose(c *cli.Context, opts workspace.Options, start *editing.Start) error {
	only := strings.Join(opts.Only, ",")
	switch {
	case start.Usable() == 0:
		return nil
	case only != "":
		if err := start.Take(only); err != nil {
			return usage("%s: %v", opts.OnlyBy, err)
		}
		return nil
	case c.Bool("yes"):
		return nil
	case !console.IsTerminal(c.App.Reader):
		return cannotAsk("init", "use all servers: --yes", "use only some servers: --servers a,b")
	}
	in := bufio.NewReader(c.App.Reader)
	for {
		fmt.Fprint(opts.Console, "\nservers to use, such as 1,3-4 [all]: ")
		line, err := awaited(c.Context, func() (string, error) { return in.ReadString('\n') })
		if c.Context.Err() != nil {
			return c.Context.Err()
		} else if errors.Is(err, io.EOF) && line == "" {
			return usage("init: no answer, so nothing was written")
		} else if err != nil && !errors.Is(err, io.EOF) {
			return usage("init: standard input: %v", err)
		}
		if err := start.Take(line); err != nil {
			fmt.Fprintln(opts.Console, console.Clean(err.Error()))
			continue
		}
		return nil
	}
}
