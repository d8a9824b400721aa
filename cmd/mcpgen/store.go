package main

import (
	"github.com/urfave/cli/v2"

	"github.com/mcpgen/mcpgen/cmd/mcpgen/internal/workspace"
	"github.com/mcpgen/mcpgen/internal/safetext"
)

// toFlag returns the flag that names a registry.
func toFlag() cli.Flag {
	return &cli.StringFlag{Name: "to", Usage: "use the registry at `ADDRESS`, such as oci://registry.example/team, instead of store: in mcpgen.yaml"}
}

func pushCommand() *cli.Command {
	return &cli.Command{
		Name:      "push",
		Usage:     "upload locked snapshots to an OCI registry",
		ArgsUsage: "[server…]",
		Description: `Uploads what mcpgen.lock has of the named servers, or of all, to the registry that
--to or store: in mcpgen.yaml names. Starts no server.

  mcpgen push github --to oci://registry.example/team

The snapshot is in the repository team/mcp/github, under the version of the server and
under latest, which is what was pushed last. Equal snapshots have the same digest on
every machine, and the lock gets it. Another project takes what the server offers from
there:

  servers:
    github:
      url: https://github.example/mcp
      from: oci://registry.example/team/mcp/github

Its generate, update and check need the registry, and not the server. What comes from a
registry is judged like what a server lists.

Credentials are those of docker login. A registry on this machine, such as
localhost:5000, is reached without encryption, every other one by https. Exit code 3
means that the registry did not do it: lock and files are as they were.`,
		Flags:  []cli.Flag{toFlag()},
		Action: push,
	}
}

func pullCommand() *cli.Command {
	return &cli.Command{
		Name:      "pull",
		Usage:     "write snapshots again from an OCI registry",
		ArgsUsage: "[server…]",
		Description: `Downloads the snapshots of the named servers, or of all that have a digest in
mcpgen.lock, from the registry, and writes them and their packages. The lock stays as
it is: bytes with another digest are refused. To take something newer, run mcpgen
update.

The registry is that of --to, else the one in from: of the server, else that of store:.
Credentials are as mcpgen help push says.`,
		Flags:  []cli.Flag{toFlag()},
		Action: pull,
	}
}

func storeOptions(c *cli.Context) workspace.StoreOptions {
	return workspace.StoreOptions{Servers: trimmed(c.Args().Slice()), To: c.String("to")}
}

func push(c *cli.Context) error {
	s, err := openToWrite(c, false)
	if err != nil {
		return err
	}
	all, err := s.Push(s.ctx, storeOptions(c))
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
	all, files, err := s.Pull(s.ctx, storeOptions(c))
	for _, one := range all {
		s.con.Printf("%s@%s\n", one.Address, one.Digest)
	}
	if files != nil {
		s.printFiles(files)
	} else if err == nil {
		s.con.Note("%s", safetext.Count(0, "server")+" with a digest in mcpgen.lock")
		s.con.Help("push what is locked: mcpgen push --to oci://REGISTRY/PATH")
	}
	return err
}
