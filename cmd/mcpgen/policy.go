package main

import (
	"bytes"
	"encoding/json"

	"github.com/mcpgen/mcpgen/cmd/mcpgen/internal/console"
	"github.com/mcpgen/mcpgen/cmd/mcpgen/internal/workspace"
	"github.com/mcpgen/mcpgen/runtime/policy"
	"github.com/urfave/cli/v2"
)

func policyCommand() *cli.Command {
	return &cli.Command{
		Name:      "policy",
		Aliases:   []string{"capabilities"},
		Usage:     "show who may call what, grant and revoke: policy list | grant RULE… | revoke RULE… | explain NAME | suggest",
		ArgsUsage: "list | grant RULE… | revoke RULE… | explain NAME | suggest",
		Description: `Rules are about a server and a tool:

  tool:github/list_*            server/tool; prompt: and resource: for the rest
  mcp:github_*                  as core-agent writes it
  tool.invoke:mcp.github.*      as scarab writes it
  tool.call.echo                as Covenant writes it: the tool of any server
  secret:github-token           the secret of that name, for {{secret:github-token}}

A grant counts for you in this project, in addition to the project's own policy,
until it is revoked. What the policy denies stays denied.

explain names the rule that decides about a tool, the line that it is written in, and
what would allow the call. It starts no server, and exits 1 unless the call is allowed.

suggest prints the smallest list of rules that allows the typed calls in the module's
code, without its tests, and the calls in the audit log. They are written for the file
that decides. Calls that were always denied are named, and included with --denied.
With --check it exits 1 if the code makes a call that the rules do not allow.`,
		Flags: []cli.Flag{
			&cli.StringFlag{Name: "args", Usage: "grant only calls with exactly the arguments `JSON`; explain a call with them"},
			&cli.StringFlag{Name: "label", Usage: "note what a secret is for: `TEXT`"},
			&cli.StringFlag{Name: "tool", Usage: "grant a secret only to the server of `RULE`, such as mcp.github.*"},
			&cli.BoolFlag{Name: "json", Usage: "print one JSON object"},
			&cli.StringFlag{Name: "for", Usage: "suggest rules in the `GRAMMAR` of mcpgen, scarab, core-agent or covenant"},
			&cli.BoolFlag{Name: "denied", Usage: "suggest rules for calls that were always denied, too"},
			&cli.BoolFlag{Name: "check", Usage: "suggest: exit 1 if the code makes a call that the rules do not allow"},
		},
		Action: func(c *cli.Context) error {
			action, rest, err := pick(c, map[string]func(*session, *cli.Context, []string) error{
				"list": listPolicy, "explain": explainPolicy, "suggest": suggestPolicy, "grant": grantRules, "revoke": revokeRules,
			}, "list")
			if err != nil {
				return err
			}
			s, err := open(c)
			if err != nil {
				return err
			}
			return action(s, c, rest)
		},
	}
}

// pick returns the action that the first argument names, and the arguments
// behind it.
func pick[A any](c *cli.Context, actions map[string]A, fallback string) (action A, rest []string, err error) {
	name := fallback
	if c.Args().Present() {
		name, rest = c.Args().First(), c.Args().Tail()
	}
	action, ok := actions[name]
	if !ok {
		return action, nil, usage("%s %s: want %s: run mcpgen help %s", c.Command.Name, name, c.Command.ArgsUsage, c.Command.Name)
	}
	return action, rest, nil
}

func listPolicy(s *session, c *cli.Context, rest []string) error {
	if len(rest) > 0 {
		return usage("policy list takes no arguments, but got %q", rest[0])
	}
	p, err := s.Permissions()
	if err != nil {
		return err
	}
	if c.Bool("json") {
		return printJSON(s.con.Out, p)
	}
	if !p.Policy {
		s.con.Printf("no policy: every call is allowed\n")
	} else {
		s.con.Printf("mode %s\n", p.Mode)
	}
	for _, r := range p.Deny {
		s.con.Printf("deny   %s\n", console.Clean(r))
	}
	for _, r := range p.Allow {
		s.con.Printf("allow  %s\n", console.Clean(r))
	}
	for _, r := range p.Secrets {
		s.con.Printf("secret %s\n", secretText(r))
	}
	for _, g := range p.Grants {
		s.con.Printf("grant  %s\n", console.Clean(grantText(g)))
	}
	for _, r := range p.Skipped {
		s.con.Note("not about MCP tools: %s", r)
	}
	return nil
}

func secretText(r policy.SecretRule) string {
	text := console.Clean(r.Secret) + " for " + console.Clean(r.Tool)
	if r.Label != "" {
		text += " (" + console.Clean(r.Label) + ")"
	}
	if !r.Until.IsZero() {
		text += " until " + r.Until.Format("2006-01-02 15:04")
	}
	return text
}

func grantText(g policy.Grant) string {
	text := workspace.GrantText(g)
	if g.Secret != nil {
		text = "secret:" + secretText(*g.Secret)
	}
	if g.Scope != nil {
		// The store indents what it keeps.
		var line bytes.Buffer
		if json.Compact(&line, g.Scope.Arguments.Allow) == nil {
			text += " with " + line.String()
		}
	}
	if g.File != "" {
		text += ", in " + g.File
	}
	if !g.Time.IsZero() {
		text += ", since " + g.Time.Format("2006-01-02")
	}
	if g.By != "" {
		text += " by " + g.By
	}
	return text
}

func grantRules(s *session, c *cli.Context, rules []string) error {
	if len(rules) == 0 {
		return usage("policy grant: name a rule, such as tool:github/list_prs")
	}
	for _, rule := range rules {
		if err := s.grant(rule, workspace.GrantOptions{Args: c.String("args"), Label: c.String("label"), Tool: c.String("tool")}); err != nil {
			return err
		}
	}
	if s.Project.Policy == nil && c.String("tool") == "" && c.String("label") == "" {
		s.con.Note("no policy: every call is allowed anyway")
	}
	return nil
}

// grant grants one rule or secret and says so.
func (s *session) grant(rule string, o workspace.GrantOptions) error {
	g, err := s.GrantRule(rule, o)
	if err == nil {
		s.con.Note("granted %s", workspace.GrantText(g))
	}
	return err
}

func revokeRules(s *session, _ *cli.Context, rules []string) error {
	if len(rules) == 0 {
		return usage("policy revoke: name a grant: run mcpgen policy list")
	}
	for _, rule := range rules {
		removed, err := s.RevokeRule(rule)
		if err != nil {
			return err
		}
		for _, g := range removed {
			s.con.Note("revoked %s", grantText(g))
		}
	}
	return nil
}
