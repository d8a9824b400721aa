package workspace

// This file says what the configured policy means for the locked items.

import (
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"github.com/mcpgen/mcpgen/internal/pagefacts"
	"github.com/mcpgen/mcpgen/internal/safetext"
	"github.com/mcpgen/mcpgen/runtime"
	"github.com/mcpgen/mcpgen/runtime/config"
	"github.com/mcpgen/mcpgen/runtime/endpoint"
	"github.com/mcpgen/mcpgen/runtime/policy"
	"github.com/mcpgen/mcpgen/runtime/protocol"
	"github.com/mcpgen/mcpgen/schema"
)

// PolicyFacts returns the decisions of the configured policy. Grants of the user are ignored: they only
// apply on one machine.
func (w *Workspace) PolicyFacts(snapshots map[string]*schema.Snapshot) (pagefacts.Facts, error) {
	var facts pagefacts.Facts
	cfg := w.Project.Policy
	if cfg == nil {
		return facts, nil
	}
	gate, err := policy.New(*cfg, nil)
	if err != nil {
		return facts, err
	}
	facts.Policy = policyWords(gate.Mode())
	if tools, tokens := w.Hidden(gate, runtime.Options{}); tools > 0 {
		facts.Policy += fmt.Sprintf(" The policy hides %s from models and saves about %s in each request.", safetext.Count(tools, "tool"), safetext.Count(tokens, "token"))
	}
	for server, s := range snapshots {
		for it := range s.Items() {
			if it.Kind == schema.KindTemplate {
				continue // its addresses are known at run time only
			}
			said := gate.Explain(runtime.Request{Server: server, Method: MethodOf(it.Kind), Name: it.Name})
			access := pagefacts.Access{Rule: said.Rule, File: ruleFile(w.Project, w.Root, said.Place)}
			access.Decision, access.Reason = Decided(said)
			facts.Change(pagefacts.ItemID{Server: server, Kind: string(it.Kind), Name: it.Name}, func(f *pagefacts.ItemFacts) { f.Access = access })
		}
	}
	return facts, nil
}

// policyWords describes a mode.
func policyWords(m policy.Mode) string {
	switch m {
	case policy.Ask:
		return "Mode ask: a person is asked about a call that no rule allows or denies."
	case policy.Yolo:
		return "Mode yolo: a call that no rule denies is allowed."
	}
	return "Mode enforce: a call that no rule allows is denied."
}

// ruleFile returns the file of a rule, relative to the project; "" if it is unknown.
func ruleFile(project *config.Project, root string, at policy.Place) string {
	source, ok := RuleSource(project, at)
	if !ok {
		return ""
	}
	abs, _ := filepath.Abs(source.Path) // "" is below no folder
	if rel, err := filepath.Rel(root, abs); err == nil && filepath.IsLocal(rel) {
		return filepath.ToSlash(rel)
	}
	return filepath.Base(source.Path) // its folder depends on the machine
}

// Idle returns the rules about tools that no call matches.
func Idle(project *config.Project, rules []string, calls []runtime.Request) []string {
	if project.Policy.Foreign || len(calls) == 0 {
		return nil // rules of other systems are also about their own tools
	}
	var out []string
	for _, rule := range rules {
		if strings.Contains(rule, " ") || strings.HasPrefix(rule, "prompt:") || strings.HasPrefix(rule, "resource:") || !policy.IsAbout(rule, project.Policy.Servers) {
			continue // about arguments or not about a tool, or the configuration warns of it
		}
		cfg := policy.Config{Allow: []string{rule}, Servers: project.Policy.Servers, Naming: project.Policy.Naming}
		one, err := policy.New(cfg, nil)
		if err == nil && !slices.ContainsFunc(calls, func(call runtime.Request) bool { return one.Explain(call).Allowed }) {
			out = append(out, rule)
		}
	}
	return out
}

// Hidden returns how many locked tools models do not see, and about how many tokens that saves in each
// request.
func (w *Workspace) Hidden(p *policy.Policy, by runtime.Options) (tools, tokens int) {
	shown := w.tokens(nil, func(server, tool string) bool {
		is := p.Shows(runtime.Request{Server: server, Method: protocol.MethodCallTool, Name: tool, Options: by})
		if !is {
			tools++
		}
		return is
	})
	for server, n := range w.tokens(nil, nil) {
		tokens += n - shown[server]
	}
	return tools, tokens
}

// The decisions about a call.
const (
	DecisionAllowed = "allowed"
	DecisionDenied  = "denied"
	DecisionAsk     = "ask" // a person decides
)

// Decided returns a decision and its reason in words.
func Decided(e policy.Explanation) (decision, reason string) {
	switch {
	case e.Allowed:
		return DecisionAllowed, e.Reason
	case e.Asked:
		return DecisionAsk, e.Reason
	}
	return DecisionDenied, e.Reason
}

// RuleSource returns the position of a rule of the configuration.
func RuleSource(project *config.Project, at policy.Place) (source endpoint.Source, ok bool) {
	list := map[string][]endpoint.Source{"allow": project.Rules.Allow, "deny": project.Rules.Deny}[at.List]
	if at.Index >= len(list) {
		return source, false
	}
	return list[at.Index], true
}

// MethodOf returns the method that reads or calls an item.
func MethodOf(k schema.Kind) string {
	switch k {
	case schema.KindPrompt:
		return protocol.MethodGetPrompt
	case schema.KindResource, schema.KindTemplate, schema.KindSkill, schema.KindApp:
		return protocol.MethodReadResource
	}
	return protocol.MethodCallTool
}
