package workspace

// This file compares the size of tool definitions, in tokens, with the budgets of the configuration.

import (
	"cmp"
	"encoding/json"
	"fmt"
	"strconv"

	"github.com/mcpgen/mcpgen/runtime/config"
	"github.com/mcpgen/mcpgen/runtime/naming"
	"github.com/mcpgen/mcpgen/schema"
	"github.com/mcpgen/mcpgen/schema/drift"
	"github.com/mcpgen/mcpgen/schema/view"
)

// addBudgets adds a finding for each exceeded budget. Servers in captures count with their current tools,
// others with their locked tools. If all servers together exceed the budget, the finding is about the
// largest one in the report.
func (w *Workspace) addBudgets(found *drift.Report, captures []*Capture, j config.Judgement) {
	spent := w.tokens(captures, nil)
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
		own := w.Project.Build[s.Server].Budget
		if own > 0 && spent[s.Server] > own {
			changes = append(changes, exceeded(spent[s.Server], own, fmt.Sprintf("its tools cost a model about %d tokens, and servers.%s.budget allows %d", spent[s.Server], s.Server, own)))
		}
		if all := w.Project.Budget; all > 0 && total > all && s.Server == most {
			changes = append(changes, exceeded(total, all, fmt.Sprintf("the tools of all servers cost a model about %d tokens, and the key budget allows %d; this server's tools cost %d", total, all, spent[s.Server])))
		}
		found.Exceed(s.Server, changes, driftOptions(w.Lock, s.Server, j))
	}
}

// exceeded returns the finding for an exceeded budget.
func exceeded(spent, budget int, what string) drift.Change {
	tokens := json.RawMessage(strconv.Itoa(spent))
	hash, _ := schema.FullHash(tokens) // a number has a canonical form
	return drift.Change{
		Rule: drift.SurfaceBudgetExceeded, Kind: drift.KindServer, After: tokens, Before: json.RawMessage(strconv.Itoa(budget)), Hash: hash,
		Message: what + ": leave tools out with the key tools.exclude, let the agent find tools with native.Search, or raise the budget",
	}
}

// tokens estimates how many tokens of definitions a model reads for each server: of the selected tools
// that are shown. A nil shown means all.
func (w *Workspace) tokens(captures []*Capture, shown func(server, tool string) bool) map[string]int {
	snapshots := map[string]*schema.Snapshot{}
	for _, c := range captures {
		if c.Err == nil {
			snapshots[c.Server.Name] = c.Snapshot
		}
	}
	for _, s := range w.Project.Servers {
		if snapshots[s.Name] == nil && w.Lock.Servers[s.Name] != nil {
			if locked, err := w.Snapshot(s.Name); err == nil { // the report has the error
				snapshots[s.Name] = locked
			}
		}
	}
	names, _, err := w.qualify(snapshots)
	if err != nil {
		names = nil // use the plain names
	}
	spent := map[string]int{}
	for server, s := range snapshots {
		selection := w.generatorServer(server, nil, nil)
		for _, it := range s.Tools {
			if tool, _, err := schema.ParseTool(it.Raw); err == nil && selection.Selects(it.Name) && (shown == nil || shown(server, it.Name)) {
				name := cmp.Or(names[server][it.Name], naming.Portable(w.Project.Naming.Qualify(server, it.Name)))
				spent[server] += view.Tokens(view.Size(tool, name))
			}
		}
	}
	return spent
}
