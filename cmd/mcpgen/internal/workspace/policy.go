package workspace

// This file says what the configured policy and budgets mean for the locked items, and what mcpgen.yaml and
// observed.json say about tools that a change took away: a server that renames a tool takes it out of the entries and
// rules that kept it from being called.

import (
	"cmp"
	"encoding/json"
	"fmt"
	"maps"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/mcpgen/mcpgen/cmd/mcpgen/internal/capturing"
	"github.com/mcpgen/mcpgen/cmd/mcpgen/internal/exit"
	"github.com/mcpgen/mcpgen/cmd/mcpgen/internal/inputs"
	"github.com/mcpgen/mcpgen/cmd/mcpgen/internal/judging"
	"github.com/mcpgen/mcpgen/cmd/mcpgen/internal/locks"
	"github.com/mcpgen/mcpgen/generator"
	"github.com/mcpgen/mcpgen/internal/hint"
	"github.com/mcpgen/mcpgen/internal/pagefacts"
	"github.com/mcpgen/mcpgen/internal/safetext"
	"github.com/mcpgen/mcpgen/runtime"
	"github.com/mcpgen/mcpgen/runtime/config"
	"github.com/mcpgen/mcpgen/runtime/endpoint"
	"github.com/mcpgen/mcpgen/runtime/live"
	"github.com/mcpgen/mcpgen/runtime/policy"
	"github.com/mcpgen/mcpgen/runtime/protocol"
	"github.com/mcpgen/mcpgen/schema"
	"github.com/mcpgen/mcpgen/schema/drift"
	"github.com/mcpgen/mcpgen/schema/lockfile"
)

// PolicyFacts returns the decisions of the configured policy. Grants of the user are ignored: they only
// apply on one machine.
func PolicyFacts(in *inputs.Servers, snapshots map[string]*schema.Snapshot) (pagefacts.Facts, error) {
	var facts pagefacts.Facts
	cfg := in.Project.Policy
	if cfg == nil {
		return facts, nil
	}
	gate, err := policy.New(*cfg, nil)
	if err != nil {
		return facts, err
	}
	facts.Policy = policyWords(gate.Mode())
	if tools, tokens := Hidden(in, gate, runtime.Options{}); tools > 0 {
		facts.Policy += fmt.Sprintf(" The policy hides %s from models and saves about %s in each request.",
			safetext.Count(tools, "tool"), safetext.Count(tokens, "token"))
	}
	for server, s := range snapshots {
		for it := range s.Items() {
			if it.Kind == schema.KindTemplate {
				continue // its addresses are known at run time only
			}
			said := gate.Explain(runtime.Request{Server: server, Method: MethodOf(it.Kind), Name: it.Name})
			access := pagefacts.Access{Rule: said.Rule, File: ruleFile(in.Project, in.Root, said.Place)}
			access.Decision, access.Reason = Decided(said)
			id := pagefacts.ItemID{Server: server, Kind: string(it.Kind), Name: it.Name}
			facts.Change(id, func(f *pagefacts.ItemFacts) { f.Access = access })
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
		if strings.Contains(rule, " ") || strings.HasPrefix(rule, "prompt:") || strings.HasPrefix(rule, "resource:") ||
			!policy.IsAbout(rule, project.Policy.Servers) {
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
func Hidden(in *inputs.Servers, p *policy.Policy, by runtime.Options) (tools, tokens int) {
	shown := in.Tokens(nil, func(server, tool string) bool {
		is := p.Shows(runtime.Request{Server: server, Method: protocol.MethodCallTool, Name: tool, Options: by})
		if !is {
			tools++
		}
		return is
	})
	for server, n := range in.Tokens(nil, nil) {
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

// addBudgets adds a finding for each exceeded budget. Servers in captures count with their current tools,
// others with their locked tools. If all servers together exceed the budget, the finding is about the
// largest one in the report.
func addBudgets(in *inputs.Servers, found *drift.Report, captures []*capturing.Capture, j judging.Judge) {
	current := map[string]*schema.Snapshot{}
	for _, c := range captures {
		if c.Err == nil {
			current[c.Server.Name] = c.Snapshot
		}
	}
	spent := in.Tokens(current, nil)
	total, most := 0, ""
	for _, n := range spent {
		total += n
	}
	for _, s := range found.Servers {
		if s.Verdict != drift.Unchecked && (most == "" || spent[s.Server] > spent[most]) {
			most = s.Server
		}
	}
	for _, s := range found.Servers {
		var changes []drift.Change
		own := in.Project.Build[s.Server].Budget
		if own > 0 && spent[s.Server] > own {
			changes = append(changes, exceeded(spent[s.Server], own, fmt.Sprintf(
				"its tools cost a model about %d tokens, and servers.%s.budget allows %d", spent[s.Server], s.Server, own)))
		}
		if all := in.Project.Budget; all > 0 && total > all && s.Server == most {
			changes = append(changes, exceeded(total, all, fmt.Sprintf("the tools of all servers cost a model about %d tokens, "+
				"and the key budget allows %d; this server's tools cost %d", total, all, spent[s.Server])))
		}
		found.Exceed(s.Server, changes, j.For(s.Server))
	}
}

// exceeded returns the finding for an exceeded budget.
func exceeded(spent, budget int, what string) drift.Change {
	tokens := json.RawMessage(strconv.Itoa(spent))
	hash, _ := schema.FullHash(tokens) // a number has a canonical form
	return drift.Change{
		Rule: drift.SurfaceBudgetExceeded, Kind: drift.KindServer, Hash: hash,
		Before: json.RawMessage(strconv.Itoa(budget)), After: tokens,
		Message: what + ": leave tools out with the key tools.exclude, " +
			"let the agent find tools with native.Search, or raise the budget",
	}
}

// lapsed returns warnings for entries of exclude, rules of the policy and observed results that match a tool of the
// lock from and no tool of the lock to. Formerly has the earlier names of renamed servers. With keeping, the result
// has only entries and rules that kept a tool from being called.
func lapsed(in *inputs.Servers, from, to *lockfile.Lock, formerly map[string]string, keeping bool) []generator.Warning {
	var out []generator.Warning
	var was, is []runtime.Request
	for _, name := range slices.Sorted(maps.Keys(to.Servers)) {
		old := cmp.Or(formerly[name], name)
		before, now := ToolCalls(old, cmp.Or(from.Servers[name], from.Servers[old])), ToolCalls(name, to.Servers[name])
		was, is = append(was, before...), append(is, now...)
		gone := func(tool string) bool {
			named := func(r runtime.Request) bool { return r.Name == tool }
			return slices.ContainsFunc(before, named) && !slices.ContainsFunc(now, named)
		}
		for _, entry := range in.Project.Build[name].Exclude {
			if gone(entry) { // a pattern without a tool is always named
				key := "servers." + safetext.Line(name) + ".tools.exclude"
				out = append(out, generator.Warning{
					Server: name, Reason: key + ": the server has no tool " + safetext.Quote(entry, 100) + " any more",
					Step: "if the tool has another name now, exclude that name, and run mcpgen generate",
				})
			}
		}
		if !keeping {
			for _, tool := range in.ObservedTools(name) {
				if gone(tool) {
					out = append(out, generator.Warning{
						Server: name, Tool: tool, Reason: "the server has no such tool any more, so its observed result is of no use",
						Step: "if the tool has another name now, observe it under that name: mcpgen observe " + hint.Word(name) + "/NAME",
					})
				}
			}
		}
	}
	if cfg := in.Project.Policy; cfg != nil {
		deny, allow := cfg.Deny, cfg.Allow
		for _, c := range cfg.Callers {
			deny, allow = slices.Concat(deny, c.Deny), slices.Concat(allow, c.Allow)
		}
		rules := deny
		if !keeping {
			rules = slices.Concat(deny, allow)
		}
		idle := Idle(in.Project, rules, was)
		for _, rule := range Idle(in.Project, rules, is) {
			if !slices.Contains(idle, rule) {
				out = append(out, generator.Warning{
					Server: "policy", Reason: safetext.Line(rule) + " matches no locked tool any more",
					Step: "if the tool has another name now, write a rule for that name; see the rules: mcpgen policy list",
				})
			}
		}
	}
	return out
}

// reopened adds what a branch leaves without effect although the server that it was about offers tools that the base
// did not have, and that no rule denies: one of them may be the tool under another name, which nothing keeps from being
// called any more.
func (r *run) reopened(o *locks.Other) {
	if o.Alone || o.Same {
		return
	}
	gate, err := live.Policy(r.w.Project, nil)
	if err != nil {
		r.errs = append(r.errs, err)
		return
	}
	formerly := locks.RenamedServers(o.Lock, r.w.Lock)
	gaining := lockfile.NewLock() // what the base had of servers that offer more now
	for name, locked := range r.w.Lock.Servers {
		old := cmp.Or(formerly[name], name)
		known := ToolCalls(old, o.Lock.Servers[old])
		if known != nil && r.w.InScope(name) && slices.ContainsFunc(ToolCalls(name, locked), func(call runtime.Request) bool {
			if e := gate.Explain(call); !e.Allowed && e.Rule != "" {
				return false
			}
			return !slices.ContainsFunc(known, func(k runtime.Request) bool {
				return k.Server == call.Server && k.Name == call.Name
			})
		}) {
			gaining.Servers[old] = o.Lock.Servers[old]
		}
	}
	if len(gaining.Servers) == 0 {
		return
	}
	for _, lapsed := range lapsed(r.w.Servers, gaining, r.w.Lock, formerly, true) {
		err := hint.New(lapsed.Server+": "+lapsed.Reason, lapsed.Step, "if the tool is gone, remove the entry")
		r.errs = append(r.errs, exit.Fail(exit.Finding, err))
	}
}

// ToolCalls returns a call of each locked tool of a server.
func ToolCalls(server string, l *lockfile.LockedServer) []runtime.Request {
	var out []runtime.Request
	for tool := range l.Items(schema.KindTool) {
		out = append(out, runtime.Request{Server: server, Method: protocol.MethodCallTool, Name: tool})
	}
	return out
}
