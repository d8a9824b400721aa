package main

import (
	"github.com/mcpgen/mcpgen/cmd/mcpgen/internal/workspace"
	"github.com/mcpgen/mcpgen/runtime/trust"
	"github.com/urfave/cli/v2"
)

func trustCommand() *cli.Command {
	return &cli.Command{
		Name:      "trust",
		Usage:     "say which projects may start their servers: trust add | remove | status [DIR]",
		ArgsUsage: "add [DIR] | remove [DIR] | status [DIR]",
		Description: `Server files that are found in a project, rather than named by you, are used only
where you trust the project. What is trusted is the state of its files: an edit of
one that matters makes the trust stale. mcpgen.yaml needs no trust.`,
		Flags: []cli.Flag{&cli.BoolFlag{Name: "json", Usage: "print one JSON object"}},
		Action: func(c *cli.Context) error {
			action, rest, err := pick(c, map[string]func(*trust.Store, string) (trust.State, error){
				"add": (*trust.Store).Trust, "remove": (*trust.Store).Untrust, "status": (*trust.Store).Status,
			}, "status")
			if err != nil {
				return err
			}
			return trustAction(c, action, rest)
		},
	}
}

func trustAction(c *cli.Context, action func(*trust.Store, string) (trust.State, error), rest []string) error {
	if len(rest) > 1 {
		return usage("trust takes one DIR, but got %d: run mcpgen help trust", len(rest))
	}
	dir := "."
	if len(rest) == 1 {
		dir = rest[0]
	}
	s := newSession(c)
	defer s.end()
	store, err := trust.Open("")
	if err != nil {
		return &workspace.Failure{Code: workspace.ExitUsage, Err: err}
	}
	st, err := action(store, dir)
	if err != nil && st.Fingerprint == "" {
		return &workspace.Failure{Code: workspace.ExitUsage, Err: err}
	}
	if err != nil {
		s.con.Warn("%v", err)
	}
	if c.Bool("json") {
		return printJSON(s.con.Out, map[string]string{
			"project": st.Project, "status": string(st.Status), "fingerprint": st.Fingerprint, "trusted_fingerprint": st.Stored,
		})
	}
	s.con.Printf("%s: %s\nfingerprint %s\n", st.Project, st.Status, st.Fingerprint)
	if st.Status == trust.Stale {
		s.con.Printf("trusted     %s\n", st.Stored)
	}
	return nil
}
