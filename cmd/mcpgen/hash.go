package main

import (
	"context"
	"os"
	"slices"

	"github.com/urfave/cli/v2"

	"github.com/mcpgen/mcpgen/cmd/mcpgen/internal/console"
	"github.com/mcpgen/mcpgen/cmd/mcpgen/internal/hashing"
	"github.com/mcpgen/mcpgen/internal/hint"
	"github.com/mcpgen/mcpgen/internal/regular"
	"github.com/mcpgen/mcpgen/internal/safetext"
	"github.com/mcpgen/mcpgen/schema"
)

func hashCommand() *cli.Command {
	return &cli.Command{
		Name:      "hash",
		Usage:     "print the hashes of a definition and the texts that they cover",
		ArgsUsage: "FILE | server/tool",
		Description: `Prints the full hash, the contract hash and, for a tool, the content key, as they are
in the lock, each with the text that was hashed. FILE holds one definition, an element
of the server's listing; - reads it from standard input. server/tool is a locked tool.
schema/SPEC.md in mcpgen's repository defines the hashes.

In the text of the contract hash, a long part of a schema is replaced by its hash
between < and >. These parts are printed below that text.

  mcpgen hash github/list_prs
  mcpgen hash github/list_prs --text full | sha256sum`,
		Flags: []cli.Flag{
			&cli.StringFlag{Name: "kind", Value: string(schema.KindTool),
				Usage: "read FILE as a definition of the kind `KIND`: tool, prompt, resource, template, skill or app"},
			&cli.StringFlag{Name: "server", Usage: "also print the content key that the tool in FILE has on the server `NAME`"},
			&cli.StringFlag{Name: "text", Usage: "print only the text of `HASH`, to the byte: full, contract or key"},
			&cli.BoolFlag{Name: "json", Usage: "print hashes and texts as JSON"},
		},
		Action: hash,
	}
}

// hashTexts are the names of hashes in --text and --json.
var hashTexts = [...]string{"full", "contract", "key"}

func hash(c *cli.Context) error {
	only := c.String("text")
	switch {
	case c.NArg() != 1:
		return hint.With(usage("hash: want one FILE or server/tool, but got %d", c.NArg()), "list the tools: mcpgen list")
	case c.IsSet("text") && !slices.Contains(hashTexts[:], only):
		return usage("--text: %q: want full, contract or key", only)
	case c.IsSet("text") && c.Bool("json"):
		return usage("hash: --text and --json exclude each other")
	}
	kind := schema.Kind(c.String("kind"))
	if !slices.Contains(schema.Kinds(), kind) {
		return usage("--kind: %q: want tool, prompt, resource, template, skill or app", kind)
	}
	s := newSession(c)
	server, item, err := definition(s.ctx, c, kind)
	if err != nil {
		return err
	}
	hashes, err := hashing.HashesOf(server, item)
	switch {
	case err != nil:
		return usage("%s: %v", c.Args().First(), err)
	case c.Bool("json"):
		return printJSON(s.con.Out, hashes)
	case only == "":
		printHashes(s.con, hashes)
		return nil
	case hashes[only] == nil:
		return hint.With(usage("--text key: mcpgen needs the name of the tool's server to compute the content key"),
			"pass --server NAME")
	case console.IsTerminal(s.con.Out):
		s.con.PrintText(string(safetext.JSON([]byte(hashes[only].Text))) + "\n")
		return nil
	}
	_, err = s.con.Out.Write([]byte(hashes[only].Text))
	return err
}

// definition returns the item that the command line names, and its server; "" if the server is unknown.
func definition(ctx context.Context, c *cli.Context, kind schema.Kind) (server string, item schema.Item, err error) {
	name := c.Args().First()
	var data []byte
	switch info, statErr := os.Stat(name); {
	case name == "-":
		name = "standard input"
		if data, err = readAll(ctx, os.Stdin, maxInput); err != nil {
			return "", item, err
		}
	case statErr == nil && !info.IsDir():
		if data, err = regular.ReadFile(name, maxInput); err != nil {
			return "", item, usage("%v", err)
		}
	case c.IsSet("server"):
		return "", item, usage("--server needs a definition in a file, and %s is not a file", name)
	default:
		opened, err := open(c)
		if err != nil {
			return "", item, err
		}
		return hashing.LockedItem(opened.Servers, kind, name)
	}
	if item, err = schema.ParseItem(kind, data); err != nil {
		return "", item, hint.With(usage("%s: %v", name, err),
			"pass one definition of a "+string(kind)+" from the server's listing, or change --kind")
	}
	return c.String("server"), item, nil
}

func printHashes(con *console.Console, hashes map[string]*hashing.Hashed) {
	for _, name := range hashTexts {
		h := hashes[name]
		if h == nil {
			continue
		}
		con.Printf("%-8s  %s\n  %s\n", name, h.Hash, onScreen(h.Text))
		for _, part := range h.Shortened() {
			con.Printf("  <%s>\n    %s\n", part, onScreen(h.Parts[part]))
		}
	}
}

// onScreen escapes invisible characters of a text.
func onScreen(text string) string { return string(safetext.JSON([]byte(text))) }
