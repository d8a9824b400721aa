package main

import (
	"errors"
	"strings"

	"github.com/urfave/cli/v2"

	"github.com/mcpgen/mcpgen/cmd/mcpgen/internal/console"
	"github.com/mcpgen/mcpgen/cmd/mcpgen/internal/exit"
	"github.com/mcpgen/mcpgen/cmd/mcpgen/internal/sharing"
	"github.com/mcpgen/mcpgen/internal/hint"
	"github.com/mcpgen/mcpgen/internal/safetext"
)

// toFlag returns the flag that names a registry.
func toFlag() cli.Flag {
	return &cli.StringFlag{Name: "to",
		Usage: "use the registry at `ADDRESS`, such as oci://registry.example/team, instead of store: in mcpgen.yaml"}
}

func pushCommand() *cli.Command {
	return &cli.Command{
		Name:      "push",
		Usage:     "upload locked snapshots to an OCI registry",
		ArgsUsage: "[server…]",
		Description: `Uploads the locked snapshots of the named servers, or of all, to the registry that the
flag --to or the key store: in mcpgen.yaml names. Starts no server.

  mcpgen push github --to oci://registry.example/team

The snapshot is in the repository team/mcp/github, under two tags: the version of the
server, and latest, which is the snapshot that was pushed last. Equal snapshots have the
same digest on every machine, and push writes the digest into the lock. Another project
can use the snapshot in place of the server's own listing:

  servers:
    github:
      url: https://github.example/mcp
      from: oci://registry.example/team/mcp/github

In that project, generate, update and check need the registry, and not the server. mcpgen
judges definitions from a registry like a server's own listing.

mcpgen uses the credentials of docker login. It reaches a registry on this machine, such
as localhost:5000, without encryption, and every other registry by https. Exit code 3
means that the registry failed. Lock and files are then unchanged.`,
		Flags: []cli.Flag{toFlag(),
			&cli.BoolFlag{Name: "usage",
				Usage: "instead of snapshots, push how this module uses the servers: see mcpgen help who"},
		},
		Action: push,
	}
}

func pullCommand() *cli.Command {
	return &cli.Command{
		Name:      "pull",
		Usage:     "download the locked snapshots from an OCI registry",
		ArgsUsage: "[server…]",
		Description: `Downloads from the registry the snapshots of the named servers, or of all servers that
have a digest in mcpgen.lock, and writes the snapshots and their packages. The lock does
not change: pull refuses bytes with another digest. To get a newer snapshot, run mcpgen
update.

The flag --to names the registry, or else the server's key from:, or else the key store:.
mcpgen help push describes the credentials.`,
		Flags:  append(signatureFlags(), toFlag()),
		Action: pull,
	}
}

func whoCommand() *cli.Command {
	return &cli.Command{
		Name:      "who",
		Usage:     "list the modules that use a server or a tool",
		ArgsUsage: "SERVER[/TOOL]",
		Description: `Lists the modules that have pushed their usage of a server. In the CI of each module,
after a merge:

  mcpgen push --usage

That command searches the module, as check does. For each tool, it pushes the contract
hash and the names of generated code that the module uses, each with the number of lines
that use it.
No text of a file leaves the machine. The last push of a module replaces earlier ones.
Each push is an artifact that refers to the snapshot, names the commit and has its own
tag. Registries without the referrers API can lose entries of their index when several
jobs push at once, but they lose no tags.

Exit code 3 means that some usages could not be read.`,
		Flags:  []cli.Flag{toFlag(), &cli.BoolFlag{Name: "json", Usage: "print one JSON array of modules"}},
		Action: who,
	}
}

func canUpdateCommand() *cli.Command {
	return &cli.Command{
		Name:      "can-update",
		Usage:     "say which modules a version in the registry would break",
		ArgsUsage: "SERVER@VERSION",
		Description: `Compares the snapshot that each module uses with the snapshot of the version, as check
does, and names the modules whose code uses something that the version breaks: see
mcpgen help who. Starts no server, and does not need the code of the modules.

  mcpgen can-update github@2.1.0
  mcpgen can-update github@latest

Values that a module sends are not in the registry. So a module may break if the
allowed values change, and can-update says so. Exit code 1 means that a module breaks
or may break. Exit code 3 means that a snapshot or a usage could not be read.`,
		Flags: []cli.Flag{toFlag(), &cli.BoolFlag{Name: "json",
			Usage: "print one JSON array of modules, with the changes that break each"}},
		Action: canUpdate,
	}
}

func who(c *cli.Context) error {
	server, item, _ := strings.Cut(c.Args().First(), "/")
	if c.NArg() != 1 || server == "" {
		return hint.With(usage("who: want one server or one tool"), "mcpgen who SERVER", "mcpgen who SERVER/TOOL")
	}
	s, err := openOwn(c)
	if err != nil {
		return err
	}
	all, err := sharing.Who(s.ctx, s.Project, server, item, storeOptions(c))
	if c.Bool("json") && all != nil {
		return errors.Join(printJSON(s.con.Out, all), err)
	}
	table := s.con.Table()
	for _, u := range all {
		table.Row(u.Module, short(u.Commit), short(strings.TrimPrefix(u.Snapshot, "sha256:")),
			strings.Join(u.Words(item), ", "))
	}
	table.Print()
	if len(all) == 0 && err == nil {
		sharing.NoteNoUsage(s.Options.Console, c.Args().First(), server)
	}
	return err
}

// short cuts a commit or a digest.
func short(text string) string { return text[:min(len(text), 12)] }

func canUpdate(c *cli.Context) error {
	arg := c.Args().First()
	at := strings.LastIndexByte(arg, '@')
	if c.NArg() != 1 || at < 1 || at == len(arg)-1 {
		return hint.With(usage("can-update takes a server and a version"), "mcpgen can-update SERVER@VERSION")
	}
	s, err := openOwn(c)
	if err != nil {
		return err
	}
	all, err := sharing.CanUpdate(s.ctx, s.State, arg[:at], arg[at+1:], storeOptions(c))
	if err != nil {
		return err
	}
	breaks := 0
	for _, one := range all {
		if one.Breaks {
			breaks++
		}
	}
	if c.Bool("json") {
		err = printJSON(s.con.Out, all)
	} else {
		printConsumers(s.con, all)
		s.con.Note("%s: %d of %s would break", arg, breaks, safetext.Count(len(all), "module"))
	}
	if breaks > 0 {
		return errors.Join(err, finding(exit.Finding))
	}
	return err
}

// printConsumers prints the changes that break modules, and the modules that stay whole.
func printConsumers(con *console.Console, all []sharing.Consumer) {
	for _, one := range all {
		con.Printf("%s: %s\n", strings.TrimSpace(one.Module+" "+short(one.Commit)),
			map[bool]string{true: "breaks", false: "fits"}[one.Breaks])
		for _, c := range one.Changes {
			con.Printf("  %s\n", c.String())
			for _, t := range c.Uses {
				con.Printf("    %s on %s\n", t.Symbol, safetext.Count(t.Lines, "line"))
			}
		}
	}
}

// storeOptions returns the options of a command about servers in a registry.
func storeOptions(c *cli.Context) sharing.Options {
	return sharing.Options{Servers: trimmed(c.Args().Slice()), To: c.String("to")}
}

func push(c *cli.Context) error {
	s, err := openToWrite(c, false)
	if err != nil {
		return err
	}
	var all []sharing.Stored
	if c.Bool("usage") {
		all, err = sharing.PushUsage(s.ctx, s.Client, storeOptions(c))
	} else {
		all, err = sharing.Push(s.ctx, s.Client, storeOptions(c))
	}
	for _, one := range all {
		s.con.Printf("%s@%s\n", one.Address, one.Digest)
	}
	return err
}

func pull(c *cli.Context) error {
	s, err := openToWrite(c, false)
	if err != nil {
		return err
	}
	all, files, err := sharing.Pull(s.ctx, s.Client, storeOptions(c))
	for _, one := range all {
		s.con.Printf("%s@%s\n", one.Address, one.Digest)
	}
	if files != nil {
		printFiles(s.con, files)
	} else if err == nil {
		s.con.Note("%s", safetext.Count(0, "server")+" with a digest in mcpgen.lock")
		s.con.Help("push the locked snapshots: mcpgen push --to oci://REGISTRY/PATH")
	}
	return err
}
