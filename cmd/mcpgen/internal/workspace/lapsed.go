package workspace

// This file names what mcpgen.yaml and observed.json say about tools that a change took away. A server that renames
// a tool takes it out of the entries and rules that kept it from being called.

import (
	"cmp"
	"fmt"
	"maps"
	"slices"

	"github.com/mcpgen/mcpgen/cmd/mcpgen/internal/exit"
	"github.com/mcpgen/mcpgen/cmd/mcpgen/internal/locks"
	"github.com/mcpgen/mcpgen/generator"
	"github.com/mcpgen/mcpgen/internal/hint"
	"github.com/mcpgen/mcpgen/internal/safetext"
	"github.com/mcpgen/mcpgen/runtime"
	"github.com/mcpgen/mcpgen/runtime/live"
	"github.com/mcpgen/mcpgen/runtime/protocol"
	"github.com/mcpgen/mcpgen/schema"
	"github.com/mcpgen/mcpgen/schema/lockfile"
)

// lapsed returns warnings for entries of exclude, rules of the policy and observed results that match a tool of the
// lock from and no tool of the lock to. Formerly has the earlier names of renamed servers. With keeping, the result
// has only entries and rules that kept a tool from being called.
func (w *Workspace) lapsed(from, to *lockfile.Lock, formerly map[string]string, keeping bool) []generator.Warning {
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
		for _, entry := range w.Project.Build[name].Exclude {
			if gone(entry) { // a pattern without a tool is always named
				out = append(out, generator.Warning{
					Server: name, Reason: "servers." + safetext.Line(name) + ".tools.exclude: the server has no tool " + safetext.Quote(entry, 100) + " any more",
					Step: "if the tool has another name now, exclude that name, and run mcpgen generate",
				})
			}
		}
		if g := w.given[name]; g != nil && g.observed != nil && !keeping {
			for _, tool := range slices.Sorted(maps.Keys(g.observed.Tools)) {
				if gone(tool) {
					out = append(out, generator.Warning{
						Server: name, Tool: tool, Reason: "the server has no such tool any more, so its observed result is of no use",
						Step: "if the tool has another name now, observe it under that name: mcpgen observe " + hint.Word(name) + "/NAME",
					})
				}
			}
		}
	}
	if cfg := w.Project.Policy; cfg != nil {
		deny, allow := cfg.Deny, cfg.Allow
		for _, c := range cfg.Callers {
			deny, allow = slices.Concat(deny, c.Deny), slices.Concat(allow, c.Allow)
		}
		rules := deny
		if !keeping {
			rules = slices.Concat(deny, allow)
		}
		idle := Idle(w.Project, rules, was)
		for _, rule := range Idle(w.Project, rules, is) {
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
			return !slices.ContainsFunc(known, func(k runtime.Request) bool { return k.Server == call.Server && k.Name == call.Name })
		}) {
			gaining.Servers[old] = o.Lock.Servers[old]
		}
	}
	if len(gaining.Servers) == 0 {
		return
	}
	for _, lapsed := range r.w.lapsed(gaining, r.w.Lock, formerly, true) {
		r.errs = append(r.errs, exit.Fail(exit.Finding, hint.With(fmt.Errorf("%s: %s", lapsed.Server, lapsed.Reason), lapsed.Step, "if the tool is gone, remove the entry")))
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
