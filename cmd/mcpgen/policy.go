package main

import (
	"cmp"
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"github.com/urfave/cli/v2"

	"github.com/mcpgen/mcpgen/cmd/mcpgen/internal/access"
	"github.com/mcpgen/mcpgen/cmd/mcpgen/internal/console"
	"github.com/mcpgen/mcpgen/cmd/mcpgen/internal/exit"
	"github.com/mcpgen/mcpgen/cmd/mcpgen/internal/locks"
	"github.com/mcpgen/mcpgen/cmd/mcpgen/internal/report"
	"github.com/mcpgen/mcpgen/internal/hint"
	"github.com/mcpgen/mcpgen/internal/jsontext"
	"github.com/mcpgen/mcpgen/internal/safetext"
	"github.com/mcpgen/mcpgen/runtime"
	"github.com/mcpgen/mcpgen/runtime/config"
	"github.com/mcpgen/mcpgen/runtime/policy"
	"github.com/mcpgen/mcpgen/runtime/protocol"
)

func policyCommand() *cli.Command {
	return &cli.Command{
		Name:      "policy",
		Aliases:   []string{"capabilities"},
		Usage:     "show who may call what; grant and revoke",
		ArgsUsage: "list | grant RULE… | revoke RULE… | explain NAME | suggest",
		Description: `Rules are about a server and a tool:

  tool:github/list_*            server/tool; prompt:… and resource:… name other items
  mcp:github_*                  as core-agent writes it
  tool.invoke:mcp.github.*      as scarab writes it
  tool.call.echo                as Covenant writes it: the tool of any server
  secret:github-token           the secret of that name, for {{secret:github-token}}

A grant is a rule for you alone in this project, beside the project's own policy,
until you revoke it. With --caller it is for one caller of your gateway. What the
policy denies stays denied.

explain names the rule that decides about a tool, the line that it is written in, and
what would allow the call. It starts no server. The exit code is 1 unless the call is
allowed.

suggest prints the smallest list of rules that allows the typed calls in the module's
code, without its tests, and the calls in the audit log. It names calls that were always
denied; with --denied, the rules allow these calls, too. With --check the exit code is 1
if the present rules deny a call in the code.`,
		Flags: []cli.Flag{
			&cli.StringFlag{Name: "args",
				Usage: "grant only calls with exactly the arguments `JSON`, or explain a call with these arguments"},
			&cli.StringFlag{Name: "caller", Usage: "act for the caller `NAME` of mcpgen serve: " +
				"grant to it, revoke from it, list its rules or explain its call; grant also takes a pattern"},
			&cli.StringSliceFlag{Name: "claim",
				Usage: "with --caller: list or explain for a token with the claim `NAME=VALUE`; may be repeated"},
			&cli.StringFlag{Name: "profile", Usage: "explain a call in the profile `NAME` of mcpgen serve"},
			&cli.StringFlag{Name: "label", Usage: "note `TEXT` as the purpose of a secret"},
			&cli.StringFlag{Name: "tool", Usage: "grant a secret only to the server that `RULE` names, such as mcp.github.*"},
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

// pick returns the action that the first argument names, and the remaining arguments.
func pick[A any](c *cli.Context, actions map[string]A, fallback string) (action A, rest []string, err error) {
	name := fallback
	if c.Args().Present() {
		name, rest = c.Args().First(), c.Args().Tail()
	}
	action, ok := actions[name]
	if !ok {
		return action, nil, hint.With(usage("%s %s: want %s", c.Command.Name, name, c.Command.ArgsUsage),
			"run mcpgen help "+c.Command.Name)
	}
	return action, rest, nil
}

func listPolicy(s *session, c *cli.Context, rest []string) error {
	if len(rest) > 0 {
		return usage("policy list takes no arguments, but got %q", rest[0])
	}
	by, err := callerFlags(c)
	if err != nil {
		return err
	}
	p, err := access.PermissionsOf(s.Servers, by)
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
	list := func(word string, rules []string, to string) {
		for _, r := range rules {
			s.con.Printf("%-6s %s%s\n", word, r, to)
		}
	}
	list("deny", p.Deny, "")
	list("allow", p.Allow, "")
	for _, c := range p.Callers {
		to := ", to " + c.Who()
		list("deny", c.Deny, to)
		list("allow", c.Allow, to)
		for _, l := range c.Limits {
			s.con.Printf("limit  %s%s\n", l, to)
		}
	}
	secrets := func(rules []policy.SecretRule, of string) {
		for _, r := range rules {
			s.con.Printf("secret %s%s\n", secretText(r), of)
		}
	}
	secrets(p.Secrets, "")
	for _, f := range p.Files {
		of := ", for " + cmp.Or(strings.Join(f.Servers, ", "), "no server")
		list("allow", f.Allow, of)
		secrets(f.Secrets, of)
	}
	for _, g := range p.Grants {
		s.con.Printf("grant  %s\n", grantText(g))
	}
	for _, r := range p.Skipped {
		s.con.Note("not about MCP tools: %s", r)
	}
	for _, r := range p.Idle {
		s.con.Warn("%s matches no locked tool", r)
	}
	if p.Tools > 0 {
		s.con.Note("%d of %s may be called", p.Allowed, safetext.Count(p.Tools, "locked tool"))
	}
	if p.Hidden > 0 {
		s.con.Note("%s hidden from models, which saves about %d tokens in each request", are(p.Hidden), p.Saved)
	}
	return nil
}

// callerFlags returns the caller that the flags describe.
func callerFlags(c *cli.Context) (runtime.Options, error) {
	by := runtime.Options{Caller: c.String("caller"), Claims: c.StringSlice("claim"), Profile: c.String("profile")}
	for _, claim := range by.Claims {
		if name, value, _ := strings.Cut(claim, "="); name == "" || value == "" {
			return by, hint.With(usage("--claim %q: want NAME=VALUE", claim),
				"name a claim of the caller's token, such as --claim groups=devs")
		}
	}
	if by.Claims != nil && by.Caller == "" {
		return by, hint.With(usage("--claim needs --caller"), "name the caller who has the claim")
	}
	return by, nil
}

// are returns a number of tools as the subject of a sentence.
func are(tools int) string {
	if tools == 1 {
		return "1 is"
	}
	return fmt.Sprintf("%d are", tools)
}

func secretText(r policy.SecretRule) string {
	text := r.Secret + " for " + r.Tool
	if r.Label != "" {
		text += " (" + r.Label + ")"
	}
	if !r.Until.IsZero() {
		text += " until " + r.Until.Format("2006-01-02 15:04")
	}
	return text
}

// toCaller describes the callers of a grant; "" is all of them.
func toCaller(g policy.Grant) string {
	if g.Caller == "" {
		return ""
	}
	return ", to " + g.Caller
}

func grantText(g policy.Grant) string {
	text := access.GrantText(g)
	if g.Secret != nil {
		text = "secret:" + secretText(*g.Secret)
	}
	if g.Scope != nil {
		// The store indents its content.
		if line := jsontext.Compact(g.Scope.Arguments.Allow); line != nil {
			text += " with " + string(line)
		}
	}
	text += toCaller(g)
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
		return hint.With(usage("policy grant: want a rule"), "name one, such as tool:github/list_prs")
	}
	o := access.GrantOptions{Label: c.String("label"), Tool: c.String("tool")}
	o.Caller, o.Args = c.String("caller"), c.String("args")
	for _, rule := range rules {
		if err := grant(s.con, s.State, rule, o); err != nil {
			return err
		}
	}
	if s.Project.Policy == nil && c.String("tool") == "" && c.String("label") == "" {
		s.con.Note("no policy: every call is allowed anyway")
	}
	return nil
}

// grant grants one rule or secret and prints it.
func grant(con *console.Console, st *locks.State, rule string, o access.GrantOptions) error {
	g, err := access.GrantRule(st, rule, o)
	if err == nil {
		con.Note("granted %s", access.GrantText(g)+toCaller(g))
	}
	return err
}

func revokeRules(s *session, c *cli.Context, rules []string) error {
	if len(rules) == 0 {
		return hint.With(usage("policy revoke: want a grant"), "list the grants: mcpgen policy list")
	}
	for _, rule := range rules {
		removed, err := access.RevokeRule(s.Project, rule, c.String("caller"))
		if err != nil {
			return err
		}
		for _, g := range removed {
			s.con.Note("revoked %s", grantText(g))
		}
	}
	return nil
}

// explainPolicy prints the policy's decision about one tool, and the reason.
func explainPolicy(s *session, c *cli.Context, rest []string) error {
	if len(rest) != 1 {
		return hint.With(usage("policy explain takes one NAME, but got %d arguments", len(rest)),
			"list the names: mcpgen list")
	}
	by, err := callerFlags(c)
	if err != nil {
		return err
	}
	args := json.RawMessage("{}")
	if c.IsSet("args") {
		if args, err = callArguments(c); err != nil {
			return err
		}
	}
	e, err := access.Explain(s.Servers, rest[0], by, args)
	if err != nil {
		return err
	}
	if c.Bool("json") {
		err = printJSON(s.con.Out, e)
	} else {
		printExplanation(s.con, e)
	}
	if err == nil && e.Decision != "allowed" {
		return finding(exit.Finding)
	}
	return err
}

func printExplanation(con *console.Console, e *access.Explanation) {
	con.Printf("%s/%s: %s: %s\n", e.Server, e.Tool, e.Decision, e.Reason)
	switch {
	case e.Line > 0:
		con.Printf("  %s:%d: %s %s\n", e.File, e.Line, e.Kind, e.Rule)
	case e.File != "":
		con.Printf("  %s: %s %s\n", e.File, e.Kind, e.Rule)
	}
	for _, limit := range e.Limits {
		con.Printf("  limit: %s\n", limit)
	}
	if e.Kind == "deny" {
		con.Printf("to allow it, remove or narrow that rule: a rule that denies beats all that allow\n")
	}
	for i, fix := range e.Fixes {
		lead := "to allow it, "
		if i > 0 {
			lead = "or "
		}
		if fix.Command != "" {
			con.Printf("%srun %s\n", lead, fix.Command)
			continue
		}
		con.Printf("%sadd %s to %s of %s\n", lead, fix.Rule, fix.Key, fix.File)
	}
	if e.Hidden {
		con.Printf("models are not shown it\n")
	}
}

// suggestPolicy prints the rules that the project needs, or the calls of the code that the rules do not
// allow.
func suggestPolicy(s *session, c *cli.Context, rest []string) error {
	if len(rest) > 0 {
		return usage("policy suggest takes no arguments, but got %q", rest[0])
	}
	grammar := policy.Grammar(c.String("for"))
	if grammar != "" && !slices.Contains(policy.Grammars(), grammar) {
		return usage("--for: %q is not a grammar: want one of %v", string(grammar), policy.Grammars())
	}
	found, err := access.Suggest(s.ctx, s.Servers, access.SuggestOptions{Grammar: grammar, Denied: c.Bool("denied")})
	if err != nil {
		return err
	}
	for _, u := range found.Unseen {
		at := report.Position{File: u.File, Line: u.Line}
		s.con.Warn("not searched for calls: %s", strings.TrimSpace(at.String()+" "+u.Reason))
	}
	missing := found.Missing()
	switch {
	case c.Bool("json"):
		err = printJSON(s.con.Out, found)
	case c.Bool("check"):
		printMissing(s.con, missing)
	default:
		err = printSuggestion(s.con, s.Project, found)
	}
	switch {
	case err != nil || !c.Bool("check"):
		return err
	case len(found.Unseen) > 0:
		return finding(exit.Usage)
	case len(missing) > 0:
		return finding(exit.Finding)
	}
	return nil
}

// printMissing prints the calls in the code that the rules do not allow.
func printMissing(con *console.Console, missing []access.Need) {
	for _, n := range missing {
		for _, at := range n.CallSites {
			con.Printf("%s:%d: %s calls %s: %s: %s\n", at.File, at.Line, at.Symbol, needName(n), n.Decision, n.Reason)
		}
	}
	if len(missing) > 0 {
		con.Help("see which rules would allow these calls: mcpgen policy suggest")
	}
}

// printSuggestion prints the rules in their file's syntax on standard output, and needs without a rule on
// standard error.
func printSuggestion(con *console.Console, project *config.Project, found *access.Suggestion) error {
	var needs []access.Need
	for _, n := range found.Needs {
		if n.Rule == "" {
			err := fmt.Errorf("%s (%s): the grammar %s cannot express a rule for this call",
				needName(n), evidence(n), found.Grammar)
			con.Warn("%v", hint.With(err, "add a rule by hand to policy.allow in mcpgen.yaml"))
			continue
		}
		if n.DeniedBy != "" {
			err := fmt.Errorf("%s (%s): %q denies it, and deny beats allow", needName(n), evidence(n), n.DeniedBy)
			con.Warn("%v", hint.With(err, "remove or narrow that rule"))
		}
		needs = append(needs, n)
	}
	if err := printSuggested(con, project, found, needs); err != nil {
		return err
	}
	for _, n := range found.Denied {
		con.Note("%v", hint.With(fmt.Errorf("left out: %s: %s", needName(n), evidence(n)), "include it: --denied"))
	}
	return nil
}

// printSuggested prints rules in the syntax of their file.
func printSuggested(
	con *console.Console, project *config.Project, found *access.Suggestion, needs []access.Need,
) error {
	if len(needs) == 0 {
		con.Note("neither the code nor the audit log has a call")
		return nil
	}
	if found.File != "" {
		con.Note("for %s of %s:", found.Key, found.File)
	}
	switch found.Grammar {
	case policy.GrammarCoreAgent:
		var file struct {
			Permissions struct {
				Allow []string `json:"allow"`
			} `json:"permissions"`
		}
		for _, n := range needs {
			file.Permissions.Allow = append(file.Permissions.Allow, n.Rule)
		}
		return printJSON(con.Out, file)
	case policy.GrammarCovenant:
		mcp := ""
		if p := project.Policy; p != nil {
			mcp = p.MCP
		}
		for _, n := range needs {
			con.Printf("%s\n", policy.GrantCommand(n.Rule, mcp, ""))
		}
	case policy.GrammarScarab:
		printYAML(con, "spec:\n  capabilities:\n", needs)
	default:
		printYAML(con, "policy:\n  allow:\n", needs)
	}
	return nil
}

// printYAML prints rules as the items of a list, each with its evidence. A quoted JSON string is also
// valid YAML.
func printYAML(con *console.Console, head string, needs []access.Need) {
	con.PrintText(head)
	rules := make([]string, len(needs))
	width := 0
	for i, n := range needs {
		quoted, _ := json.Marshal(console.Clean(n.Rule)) // encoding a string never fails
		rules[i] = string(quoted)
		width = max(width, len(rules[i]))
	}
	for i, n := range needs {
		con.Printf("    - %-*s # %s\n", width, rules[i], evidence(n))
	}
}

// needName returns an item's name in the form of other commands.
func needName(n access.Need) string {
	prefix := map[string]string{protocol.MethodGetPrompt: "prompt ", protocol.MethodReadResource: "resource "}[n.Method]
	return prefix + n.Server + "/" + n.Name
}

// evidence describes who needs an item: the first line of code, and counts of the log.
func evidence(n access.Need) string {
	var parts []string
	if len(n.CallSites) > 0 {
		text := fmt.Sprintf("%s:%d", n.CallSites[0].File, n.CallSites[0].Line)
		if more := len(n.CallSites) - 1; more > 0 {
			text += fmt.Sprintf(" and %d more", more)
		}
		parts = append(parts, text)
	}
	if n.Calls > 0 {
		parts = append(parts, safetext.Count(n.Calls, "call"))
	}
	if n.Refused > 0 {
		parts = append(parts, safetext.Count(n.Refused, "denied call"))
	}
	return strings.Join(parts, ", ")
}
