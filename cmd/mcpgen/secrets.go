package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"

	"github.com/urfave/cli/v2"
	"golang.org/x/term"

	"github.com/mcpgen/mcpgen/cmd/mcpgen/internal/access"
	"github.com/mcpgen/mcpgen/cmd/mcpgen/internal/console"
	"github.com/mcpgen/mcpgen/internal/hint"
)

func secretsCommand() *cli.Command {
	return &cli.Command{
		Name:      "secrets",
		Usage:     "keep the secrets that servers get",
		ArgsUsage: "list | set NAME | remove NAME | policy add",
		Description: `A server gets a secret if its env contains {{secret:NAME}} and a secret policy allows
it. The value comes from the variable MCPGEN_SECRET_NAME, your own file with mode
0600, the keyring of the system, or the project's policy.secret_command. set reads the
value from standard input, or asks for it. No command prints a secret.

policy add writes the same rule as policy grant secret:NAME. --secret is a name or a
pattern. --tool is * or the tools of one server, such as mcp.github.*.
policy list shows what is allowed, and policy revoke secret:NAME takes it back.`,
		Flags: []cli.Flag{
			&cli.StringFlag{Name: "label", Usage: "policy add: note `TEXT` as the purpose of the secret"},
			&cli.StringFlag{Name: "secret",
				Usage: "policy add: allow the secret `NAME`, or all secrets that match the pattern NAME"},
			&cli.StringFlag{Name: "tool", Usage: "policy add: let only the server of `RULE`, " +
				"such as mcp.github.*, get the secret; by default every server gets it"},
			&cli.BoolFlag{Name: "keyring", Usage: "store in the keyring of the system"},
			&cli.BoolFlag{Name: "json", Usage: "print one JSON array"},
		},
		Action: func(c *cli.Context) error {
			action, rest, err := pick(c, map[string]func(*cli.Context, []string) error{
				"list": listSecrets, "set": setSecret, "remove": removeSecret, "policy": secretPolicy,
			}, "list")
			if err != nil {
				return err
			}
			return action(c, rest)
		},
	}
}

func listSecrets(c *cli.Context, rest []string) error {
	if len(rest) > 0 {
		return usage("secrets list takes no arguments, but got %q", rest[0])
	}
	s, err := open(c)
	if err != nil {
		return err
	}
	all, err := access.Secrets(s.Project)
	if err != nil {
		return err
	}
	if c.Bool("json") {
		return printJSON(s.con.Out, all)
	}
	if len(all) == 0 {
		s.con.Printf("no server needs a secret, and no secret is stored\n")
	}
	for _, st := range all {
		s.con.Printf("%s: %s", st.Name, cmp.Or(strings.Join(st.Sources, ", "), "not stored"))
		for _, server := range st.Servers {
			s.con.Printf("; %s asks for it", server)
		}
		if n := len(st.Servers) - len(st.Allowed); n > 0 {
			s.con.Printf(", but no policy lets %d of them get it", n)
		}
		s.con.Printf("\n")
	}
	return nil
}

func setSecret(c *cli.Context, rest []string) error {
	if len(rest) != 1 {
		return usage("secrets set takes one NAME, and reads the value from standard input, " +
			"so that no list of processes shows it")
	}
	s := newSession(c)
	value, err := readSecret(s.ctx, os.Stdin, s.con, rest[0])
	if err != nil {
		return err
	}
	where, err := access.SetSecret(s.ctx, rest[0], value, c.Bool("keyring"))
	if err != nil {
		return err
	}
	s.con.Note("stored %s in %s", rest[0], where)
	return nil
}

// readSecret reads a value from a pipe, or asks for it without echo.
func readSecret(ctx context.Context, in *os.File, ask io.Writer, name string) (string, error) {
	if term.IsTerminal(int(in.Fd())) {
		return askSecret(ctx, in, ask, name)
	}
	data, err := readAll(ctx, in, 1<<20)
	if err != nil {
		return "", err
	}
	return strings.TrimSuffix(strings.TrimSuffix(string(data), "\n"), "\r"), nil
}

// askSecret asks the person at a terminal. The terminal's echo is restored afterwards, even if the wait
// was interrupted.
func askSecret(ctx context.Context, in *os.File, ask io.Writer, name string) (string, error) {
	before, err := term.GetState(int(in.Fd()))
	if err != nil {
		return "", usage("standard input: %v", err)
	}
	fmt.Fprintf(ask, "value of %s: ", console.Clean(name))
	value, err := awaited(ctx, func() ([]byte, error) { return term.ReadPassword(int(in.Fd())) })
	fmt.Fprintln(ask)
	switch {
	case ctx.Err() != nil:
		return "", errors.Join(context.Cause(ctx), term.Restore(int(in.Fd()), before))
	case err != nil:
		return "", usage("standard input: %v", err)
	}
	return string(value), nil
}

// secretPolicy allows servers to get a secret.
func secretPolicy(c *cli.Context, rest []string) error {
	if len(rest) != 1 || rest[0] != "add" {
		return hint.With(usage("secrets policy: want add and its flags, but got %q", strings.Join(rest, " ")),
			"see what is allowed: mcpgen policy list", "revoke a rule: mcpgen policy revoke")
	}
	if c.String("secret") == "" {
		return hint.With(usage("secrets policy add: the name of the secret is missing"), "pass --secret NAME")
	}
	s, err := open(c)
	if err != nil {
		return err
	}
	return grant(s.con, s.State, "secret:"+c.String("secret"),
		access.GrantOptions{Label: c.String("label"), Tool: c.String("tool")})
}

func removeSecret(c *cli.Context, rest []string) error {
	if len(rest) != 1 {
		return usage("secrets remove takes one NAME")
	}
	s := newSession(c)
	if err := access.RemoveSecret(s.ctx, rest[0]); err != nil {
		return err
	}
	s.con.Note("removed %s", rest[0])
	return nil
}
