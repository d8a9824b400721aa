package main

import (
	"encoding/json"

	"github.com/mcpgen/mcpgen/cmd/mcpgen/internal/console"
	"github.com/mcpgen/mcpgen/cmd/mcpgen/internal/workspace"
	"github.com/urfave/cli/v2"
)

// explainPolicy says what the gate decides about one tool, and why.
func explainPolicy(s *session, c *cli.Context, rest []string) error {
	if len(rest) != 1 {
		return usage("policy explain takes one NAME, but got %d arguments: run mcpgen list for the names", len(rest))
	}
	args := json.RawMessage("{}")
	if c.IsSet("args") {
		var err error
		if args, err = callArguments(c); err != nil {
			return err
		}
	}
	e, err := s.Explain(rest[0], args)
	if err != nil {
		return err
	}
	if c.Bool("json") {
		err = printJSON(s.con.Out, e)
	} else {
		s.printExplanation(e)
	}
	if err == nil && e.Decision != "allowed" {
		return finding(workspace.ExitFinding)
	}
	return err
}

func (s *session) printExplanation(e *workspace.Explanation) {
	s.con.Printf("%s/%s: %s: %s\n", console.Clean(e.Server), console.Clean(e.Tool), e.Decision, console.Clean(e.Reason))
	switch {
	case e.Line > 0:
		s.con.Printf("  %s:%d: %s %s\n", console.Clean(e.File), e.Line, e.Kind, console.Clean(e.Rule))
	case e.File != "":
		s.con.Printf("  %s: %s %s\n", console.Clean(e.File), e.Kind, console.Clean(e.Rule))
	}
	if e.Kind == "deny" {
		s.con.Printf("to allow it, remove or narrow that rule: a rule that denies beats all that allow\n")
	}
	for i, fix := range e.Fixes {
		lead := "to allow it, "
		if i > 0 {
			lead = "or "
		}
		if fix.Command != "" {
			s.con.Printf("%srun %s\n", lead, console.Clean(fix.Command))
			continue
		}
		s.con.Printf("%sadd %s to %s of %s\n", lead, console.Clean(fix.Rule), fix.Key, console.Clean(fix.File))
	}
}
