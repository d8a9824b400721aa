package main

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"github.com/mcpgen/mcpgen/cmd/mcpgen/internal/console"
	"github.com/mcpgen/mcpgen/cmd/mcpgen/internal/report"
	"github.com/mcpgen/mcpgen/cmd/mcpgen/internal/workspace"
	"github.com/mcpgen/mcpgen/runtime"
	"github.com/mcpgen/mcpgen/runtime/policy"
	"github.com/urfave/cli/v2"
)

// suggestPolicy prints the rules that the project needs, or what the code calls
// that the rules do not allow.
func suggestPolicy(s *session, c *cli.Context, rest []string) error {
	if len(rest) > 0 {
		return usage("policy suggest takes no arguments, but got %q", rest[0])
	}
	grammar := policy.Grammar(c.String("for"))
	if grammar != "" && !slices.Contains(policy.Grammars(), grammar) {
		return usage("--for: %q is not a grammar: want one of %v", string(grammar), policy.Grammars())
	}
	found, err := s.Suggest(s.ctx, workspace.SuggestOptions{Grammar: grammar, Denied: c.Bool("denied")})
	if err != nil {
		return err
	}
	for _, u := range found.Unseen {
		s.con.Warn("not searched for calls: %s", strings.TrimSpace(report.Position{File: u.File, Line: u.Line}.String()+" "+u.Reason))
	}
	missing := found.Missing()
	switch {
	case c.Bool("json"):
		err = printJSON(s.con.Out, found)
	case c.Bool("check"):
		s.printMissing(missing)
	default:
		err = s.printSuggestion(found)
	}
	switch {
	case err != nil || !c.Bool("check"):
		return err
	case len(found.Unseen) > 0:
		return finding(workspace.ExitUsage)
	case len(missing) > 0:
		return finding(workspace.ExitFinding)
	}
	return nil
}

// printMissing prints the calls in the code that the rules do not allow.
func (s *session) printMissing(missing []workspace.Need) {
	for _, n := range missing {
		for _, at := range n.CallSites {
			s.con.Printf("%s:%d: %s calls %s: %s: %s\n", console.Clean(at.File), at.Line, console.Clean(at.Symbol), needName(n), n.Decision, console.Clean(n.Reason))
		}
	}
	if len(missing) > 0 {
		s.con.Note("run mcpgen policy suggest for the rules that allow them")
	}
}

// printSuggestion prints the rules as they have to be written, on standard output,
// and on standard error what no rule is for.
func (s *session) printSuggestion(found *workspace.Suggestion) error {
	var needs []workspace.Need
	for _, n := range found.Needs {
		if n.Rule == "" {
			s.con.Warn("%s (%s): %s has no rule for it: allow it by hand, in policy.allow of mcpgen.yaml", needName(n), evidence(n), found.Grammar)
			continue
		}
		if n.DeniedBy != "" {
			s.con.Warn("%s (%s): %q denies it, whatever allows it: remove or narrow that rule", needName(n), evidence(n), n.DeniedBy)
		}
		needs = append(needs, n)
	}
	if err := s.printRules(found, needs); err != nil {
		return err
	}
	for _, n := range found.Denied {
		s.con.Note("left out: %s: %s: pass --denied to include it", needName(n), evidence(n))
	}
	return nil
}

// printRules prints rules in the form of the file that they belong to.
func (s *session) printRules(found *workspace.Suggestion, needs []workspace.Need) error {
	if len(needs) == 0 {
		s.con.Note("neither the code nor the audit log has a call")
		return nil
	}
	if found.File != "" {
		s.con.Note("for %s of %s:", found.Key, found.File)
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
		return printJSON(s.con.Out, file)
	case policy.GrammarCovenant:
		mcp := ""
		if p := s.Project.Policy; p != nil {
			mcp = p.MCP
		}
		for _, n := range needs {
			s.con.Printf("%s\n", console.Clean(policy.GrantCommand(n.Rule, mcp)))
		}
	case policy.GrammarScarab:
		s.printYAML("spec:\n  capabilities:\n", needs)
	default:
		s.printYAML("policy:\n  allow:\n", needs)
	}
	return nil
}

// printYAML prints rules as the items of a list, each with what it is for. A
// quoted JSON text is one of YAML, too.
func (s *session) printYAML(head string, needs []workspace.Need) {
	s.con.Printf("%s", head)
	rules := make([]string, len(needs))
	width := 0
	for i, n := range needs {
		quoted, _ := json.Marshal(console.Clean(n.Rule)) // a string can always be encoded
		rules[i] = string(quoted)
		width = max(width, len(rules[i]))
	}
	for i, n := range needs {
		s.con.Printf("    - %-*s # %s\n", width, rules[i], evidence(n))
	}
}

// needName is an item as other commands name it.
func needName(n workspace.Need) string {
	prefix := map[string]string{runtime.MethodGetPrompt: "prompt ", runtime.MethodReadResource: "resource "}[n.Method]
	return prefix + console.Clean(n.Server+"/"+n.Name)
}

// evidence says who needs an item: the first line of code, and the log's counts.
func evidence(n workspace.Need) string {
	var parts []string
	if len(n.CallSites) > 0 {
		text := fmt.Sprintf("%s:%d", n.CallSites[0].File, n.CallSites[0].Line)
		if more := len(n.CallSites) - 1; more > 0 {
			text += fmt.Sprintf(" and %d more", more)
		}
		parts = append(parts, text)
	}
	if n.Calls > 0 {
		parts = append(parts, console.Count(n.Calls, "call"))
	}
	if n.Refused > 0 {
		parts = append(parts, console.Count(n.Refused, "denied call"))
	}
	return console.Clean(strings.Join(parts, ", "))
}
